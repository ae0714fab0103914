"""Links: to the first account, to accounts of a role, and to a new password."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ggp.clock import milliseconds_since_1970
from ggp.manager.domain.accounts import (
    MILLISECONDS_A_DAY,
    Accounts,
    add_key,
    folded_name,
    is_below,
    number_of,
)
from ggp.manager.domain.passwords import Passwords
from ggp.manager.domain.rights import Caller, Role
from ggp.manager.errors import ConflictError, NotAllowedError, NotThereError, WrongRequestError
from ggp.manager.store import accounts
from ggp.manager.store.account_tables import AccountKeyRow, AccountRow, KeyKind
from ggp.manager.store.database import Database, Session

LINKS: Final = frozenset({KeyKind.FIRST_HOST, KeyKind.INVITATION, KeyKind.RESET})
FIRST_HOST_DAYS: Final = 1
RESET_DAYS: Final = 2
MOST_INVITATIONS: Final = 100
"""Of an account; then the oldest ends."""
MOST_RESETS: Final = 1
MOST_ACCOUNTS: Final = 10_000
"""All together."""
GONE: Final = "this link has been used or is too old; ask for a new one"


@dataclass(frozen=True, slots=True)
class Link:
    """What a link is for.

    Attributes:
        kind: One of `LINKS`.
        role: Of the account that is made, or that gets a new password.
        name: Of the account that gets a new password; empty where one is made.
    """

    kind: KeyKind
    role: Role
    name: str


class Invitations:
    """Makes links and keeps what they promise."""

    def __init__(self, database: Database, passwords: Passwords, known: Accounts) -> None:
        self._database = database
        self._passwords = passwords
        self._accounts = known

    async def first_host(self) -> str | None:
        """The key of the link by which the first host is made; None if there is a host.

        A link that was made before is of no use any more.
        """
        async with self._database.writing() as session:
            await accounts.drop_keys(session, None)
            if await accounts.num_active(session, Role.HOST):
                return None
            _, key = await add_key(session, KeyKind.FIRST_HOST, None, 1, FIRST_HOST_DAYS)
            return key

    async def invite(
        self, caller: Caller, role: Role, number: int, days: int
    ) -> tuple[AccountKeyRow, str]:
        """An invitation for a number of accounts that ends after some days, and its key.

        Raises:
            NotAllowedError: The role is not lower than one's own.
        """
        if not is_below(role, caller):
            raise NotAllowedError(f"role: expected one lower than your own, got {role}")
        async with self._database.writing() as session:
            row, key = await add_key(
                session, KeyKind.INVITATION, number_of(caller), MOST_INVITATIONS, days
            )
            row.role, row.uses_left = role, number
            return row, key

    async def listed(self, caller: Caller) -> list[AccountKeyRow]:
        """One's own invitations that are good for something, the newest first."""
        now = milliseconds_since_1970()
        async with self._database.reading() as session:
            return await accounts.keys_of(session, number_of(caller), KeyKind.INVITATION, now)

    async def withdraw(self, caller: Caller, number: int) -> None:
        """End an invitation.

        Raises:
            NotThereError: One has none of this number.
        """
        async with self._database.writing() as session:
            await accounts.drop_key(session, number_of(caller), KeyKind.INVITATION, number)

    async def offer_reset(self, caller: Caller, number: int) -> str:
        """The key of a link by which an account of a lower role gets a new password.

        Raises:
            NotThereError: There is no such account.
            NotAllowedError: Its role is not lower.
        """
        async with self._database.writing() as session:
            row = await accounts.find(session, number)
            if not is_below(row.role, caller):
                raise NotAllowedError(
                    f"{row.name} is a {row.role}; expected somebody you look after"
                )
            _, key = await add_key(session, KeyKind.RESET, number, MOST_RESETS, RESET_DAYS)
            return key

    async def read(self, key: str) -> Link:
        """What a link is for.

        Raises:
            NotThereError: It is none, or none any more.
        """
        async with self._database.reading() as session:
            return _link(await self._find(session, key))

    async def join(self, key: str, name: str, password: str) -> str:
        """Make the account that a link promises; the key of its first session.

        Raises:
            NotThereError: The link is none, or none any more.
            WrongRequestError: Somebody has this name.
            ConflictError: There are too many accounts.
        """
        await self._check(key, for_reset=False)
        hashed = await self._passwords.hash(password)
        async with self._database.writing() as session:
            row = await self._find(session, key)
            account = await _new_account(session, name, _link(row).role, hashed)
            row.uses_left -= 1
            if not row.uses_left:
                await session.delete(row)
            return await self._accounts.new_session(session, account)

    async def reset(self, key: str, password: str) -> str:
        """Give the account of a link its new password; the key of a session.

        Raises:
            NotThereError: The link is none, or none any more.
        """
        await self._check(key, for_reset=True)
        hashed = await self._passwords.hash(password)
        async with self._database.writing() as session:
            row = await self._find(session, key)
            account = await accounts.find(session, row.account_id or 0)
            return await self._accounts.set_password(session, account, hashed)

    async def _check(self, key: str, *, for_reset: bool) -> None:
        """See, before a password is hashed, that a link is one of that kind."""
        link = await self.read(key)
        if (link.kind == KeyKind.RESET) != for_reset:
            raise NotThereError(GONE)

    async def _find(self, session: Session, key: str) -> AccountKeyRow:
        row = await accounts.find_key(session, key, LINKS, milliseconds_since_1970())
        if row is None or (row.account is not None and row.account.is_locked):
            raise NotThereError(GONE)
        if row.kind == KeyKind.FIRST_HOST and await accounts.num_active(session, Role.HOST):
            raise NotThereError(GONE)
        return row


def days_left(row: AccountKeyRow) -> int:
    """Days until a key ends, rounded up."""
    left = (row.expires or 0) - milliseconds_since_1970()
    return max(0, -(-left // MILLISECONDS_A_DAY))


def _link(row: AccountKeyRow) -> Link:
    kind = KeyKind(row.kind)
    if kind == KeyKind.RESET and row.account is not None:
        return Link(kind, Role(row.account.role), row.account.name)
    return Link(kind, Role(row.role) if row.role else Role.HOST, "")


async def _new_account(session: Session, name: str, role: Role, hashed: str) -> AccountRow:
    folded = folded_name(name)
    if await accounts.named(session, folded) is not None:
        raise WrongRequestError(f"name: somebody is called {name} already; expected another name")
    if len(await accounts.listed(session, list(Role))) >= MOST_ACCOUNTS:
        raise ConflictError(f"there are {MOST_ACCOUNTS} accounts; no more can be made")
    row = AccountRow(
        name=" ".join(name.split()),
        folded_name=folded,
        role=role,
        password_hash=hashed,
        is_locked=False,
        created=milliseconds_since_1970(),
    )
    session.add(row)
    await session.flush()
    return row
