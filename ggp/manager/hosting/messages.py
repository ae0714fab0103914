"""Messages: finding out what accounts are to be told, and sending it in the background."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
from collections.abc import Collection
from typing import Final

from ggp.clock import milliseconds_since_1970
from ggp.errors import GgpError
from ggp.manager.config import ManagerConfig
from ggp.manager.domain.accounts import number_of
from ggp.manager.domain.held_results import HeldResults
from ggp.manager.domain.rights import Caller
from ggp.manager.errors import WrongRequestError
from ggp.manager.hosting.delivery import DeliveryError, check_webhook, mail, post
from ggp.manager.hosting.people import People
from ggp.manager.store import entrants, messages, tournaments
from ggp.manager.store.database import Database, UnavailableError
from ggp.manager.store.messages import About, Channel, MessageRow, News, SubscriptionRow
from ggp.processes.tasks import cancel

LOOK_SECONDS: Final = 5.0
"""Seconds between two searches for something to tell or to send."""
WAIT_MILLISECONDS: Final = 30_000
"""How long a match waits for a person who is not connected before it sends a message."""
RETRY_MILLISECONDS: Final = (10_000, 60_000, 600_000, 3_600_000)
"""Pauses after a failed attempt. After the last one, the message is given up."""
NUM_AT_ONCE: Final = 20
SECRET_BYTES: Final = 24

_log = logging.getLogger(__name__)


class Messages:
    """The messages of a manager with accounts. `start` begins to send them."""

    def __init__(
        self, database: Database, config: ManagerConfig, held: HeldResults, people: People
    ) -> None:
        self._database = database
        self._config = config
        self._held = held
        self._people = people
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to look for messages and to send them."""
        self._task = asyncio.create_task(self._run(), name="messages")

    async def close(self) -> None:
        """Stop sending. What was not sent is sent after the next start."""
        if self._task is not None:
            await cancel(self._task)

    async def of(self, caller: Caller) -> tuple[SubscriptionRow, list[MessageRow]]:
        """Return what the caller wants to be told, and the latest messages, newest first."""
        account = number_of(caller)
        async with self._database.reading() as session:
            row = await session.get(SubscriptionRow, account)
            known = await messages.of_account(session, account)
        return row or SubscriptionRow(about=[], webhook="", secret="", mail=""), known

    async def subscribe(
        self, about: Collection[About], webhook: str, address: str, caller: Caller
    ) -> SubscriptionRow:
        """Set what the caller wants to be told, and where. Empty places are not used.

        Raises:
            WrongRequestError: The manager cannot send messages there.
        """
        if webhook:
            check_webhook(webhook, self._config)
        if address:
            self._check_address(address)
        account = number_of(caller)
        async with self._database.writing() as session:
            row = await session.get(SubscriptionRow, account)
            if row is None:
                row = SubscriptionRow(account_id=account, secret=secrets.token_hex(SECRET_BYTES))
                session.add(row)
            row.about, row.webhook, row.mail = list(about), webhook, address
        return row

    def _check_address(self, address: str) -> None:
        if not self._config.mail_server:
            raise WrongRequestError(
                "mail: this manager sends no mail; its host can start it with --mail-server"
            )
        name, at, place = address.partition("@")
        is_plain = address.isascii() and address.isprintable() and not set(address) & set(' ,;<>"')
        if not (name and at and place and "@" not in place and is_plain):
            raise WrongRequestError(
                f"mail: expected an address such as ann@example.org, got {address!r:.60}"
            )

    async def tell(self, accounts: Collection[int], news: News) -> None:
        """Queue a message to those of the accounts and teams that want it."""
        await self._database.write(messages.tell, accounts, news, milliseconds_since_1970())

    async def _run(self) -> None:
        while True:
            with contextlib.suppress(UnavailableError):  # try again next time
                try:
                    await self._tell_turns()
                    await self._tell_results()
                    await self._send_due()
                except UnavailableError:
                    raise
                except GgpError as error:
                    _log.warning("messages could not be sent: %s", error)
            await asyncio.sleep(LOOK_SECONDS)

    async def _tell_turns(self) -> None:
        """Tell people who are not connected that a match waits for them."""
        latest = milliseconds_since_1970() - WAIT_MILLISECONDS
        for people in self._people.waiting():
            for account in people.accounts_waited_for(latest):
                number, subject = people.number, f"turn {people.turn} of match {people.number}"
                text = f"Match {number} waits for your move"
                news = News(About.TURN, subject, text, f"/matches/{number}")
                await self.tell([account], news)

    async def _tell_results(self) -> None:
        """Tell participants that results were released. The flag makes sure that this is once."""
        rows = await self._database.read(tournaments.not_announced)
        await self._held.load()  # after reading the rows, so that it knows all of them
        held, now = self._held.held(), milliseconds_since_1970()
        for row in rows:
            if row.id in held:
                continue
            subject = f"results of tournament {row.id}, held back at {row.held_since}"
            text = f"The results of {row.name} are out"
            news = News(About.RESULTS, subject, text, f"/tournaments/{row.id}")
            async with self._database.writing() as session:
                taking_part = await entrants.taking_part(session, row.id)
                await messages.tell(session, taking_part, news, now)
                (await tournaments.find(session, row.id)).is_announced = True

    async def _send_due(self) -> None:
        now = milliseconds_since_1970()
        found = await self._database.read(messages.due_ones, now, NUM_AT_ONCE)
        problems = await asyncio.gather(*(self._attempt(*one) for one in found))
        async with self._database.writing() as session:
            for (message, _), problem in zip(found, problems, strict=True):
                row = await session.get(MessageRow, message.id)
                if row is None:
                    continue
                pauses = RETRY_MILLISECONDS[row.attempts :]
                row.attempts, row.problem = row.attempts + 1, problem
                row.due = now + pauses[0] if problem and pauses else None

    async def _attempt(self, message: MessageRow, row: SubscriptionRow) -> str:
        """Send a message, and return why that failed. Return an empty text if it did not."""
        target = row.target(message.channel)
        if not target:
            return ""
        try:
            if message.channel == Channel.WEBHOOK:
                await post(message, target, row.secret, self._config)
            else:
                await mail(message, target, self._config)
        except DeliveryError as error:
            return str(error)[:500]
        return ""
