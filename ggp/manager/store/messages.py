"""Messages to accounts in the database, and what each account wants to be told, and where."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Final

from sqlalchemy import ForeignKey, String, UniqueConstraint, delete, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Mapped, mapped_column

from ggp.manager.store.accounts import AccountRow
from ggp.manager.store.tables import Big, DatabaseTable, Names

MAX_KEPT: Final = 50
"""Largest number of messages per account and channel. Older ones are deleted, sent or not."""


class About(StrEnum):
    """What a message is about."""

    TURN = "turn"
    """A match waits for a move of the person."""
    CHALLENGE = "challenge"
    """Another person wants to play."""
    CHECK = "check"
    """A version of a player failed its check."""
    RESULTS = "results"
    """Results that were held back are out."""


class Channel(StrEnum):
    """The way in which a message is sent."""

    WEBHOOK = "webhook"
    MAIL = "mail"


class SubscriptionRow(DatabaseTable):
    """What an account wants to be told, and where."""

    __tablename__ = "subscriptions"

    account_id: Mapped[int] = mapped_column(
        ForeignKey("accounts.id", ondelete="CASCADE"), primary_key=True
    )
    about: Mapped[Names]
    """Some of `About`."""
    webhook: Mapped[str] = mapped_column(String(500), default="")
    """The URL to which messages are posted. Empty for none."""
    secret: Mapped[str] = mapped_column(String(64), default="")
    """The key with which messages to the webhook are signed."""
    mail: Mapped[str] = mapped_column(String(200), default="")
    """The address to which messages are mailed. Empty for none."""

    def target(self, channel: str) -> str:
        """Return the URL or the address of a channel. Empty if the account does not use it."""
        return self.webhook if channel == Channel.WEBHOOK else self.mail


class MessageRow(DatabaseTable):
    """A message that was sent over a channel, or is to be sent."""

    __tablename__ = "messages"
    __table_args__ = (UniqueConstraint("account_id", "channel", "subject"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id", ondelete="CASCADE"))
    channel: Mapped[str] = mapped_column(String(8))
    about: Mapped[str] = mapped_column(String(12))
    subject: Mapped[str] = mapped_column(String(100))
    """What the message is about, such as `turn 5 of match 3`. It is sent once to each account."""
    text: Mapped[str]
    path: Mapped[str] = mapped_column(String(200))
    """The page that the message is about."""
    created: Mapped[Big]
    attempts: Mapped[int] = mapped_column(default=0)
    due: Mapped[Big | None]
    """When the next attempt is due. None if the message was sent or given up."""
    problem: Mapped[str] = mapped_column(default="")
    """Why the last attempt failed. Empty if it did not."""


@dataclass(frozen=True, slots=True)
class News:
    """Something to tell. See `MessageRow`."""

    about: About
    subject: str
    text: str
    path: str


async def tell(session: AsyncSession, accounts: Collection[int], news: News, now: int) -> None:
    """Queue a message to accounts, and to the members of teams, who want such messages.

    Skip accounts that already have a message with this subject.
    """
    query = (
        select(SubscriptionRow)
        .join(AccountRow, AccountRow.id == SubscriptionRow.account_id)
        .where(AccountRow.id.in_(accounts) | AccountRow.team_id.in_(accounts))
    )
    for row in await session.scalars(query):
        for channel in Channel:
            if news.about not in row.about or not row.target(channel):
                continue
            own = (MessageRow.account_id == row.account_id, MessageRow.channel == channel)
            known = select(MessageRow.id).where(*own, MessageRow.subject == news.subject)
            if await session.scalar(known) is not None:
                continue
            old = select(MessageRow.id).where(*own).order_by(MessageRow.id.desc())
            too_old = list(await session.scalars(old.offset(MAX_KEPT - 1)))
            await session.execute(delete(MessageRow).where(MessageRow.id.in_(too_old)))
            message = MessageRow(**asdict(news), created=now)
            message.account_id, message.channel, message.due = row.account_id, channel, now
            session.add(message)


async def due_ones(
    session: AsyncSession, now: int, limit: int
) -> list[tuple[MessageRow, SubscriptionRow]]:
    """Return messages whose next attempt is due, oldest first."""
    query = (
        select(MessageRow, SubscriptionRow)
        .join(SubscriptionRow, SubscriptionRow.account_id == MessageRow.account_id)
        .where(MessageRow.due <= now)
        .order_by(MessageRow.due, MessageRow.id)
        .limit(limit)
    )
    return [(message, row) for message, row in await session.execute(query)]


async def of_account(session: AsyncSession, account: int) -> list[MessageRow]:
    """Return the latest messages to an account, newest first."""
    query = select(MessageRow).where(MessageRow.account_id == account)
    return list(await session.scalars(query.order_by(MessageRow.id.desc()).limit(MAX_KEPT)))
