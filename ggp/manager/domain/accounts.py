"""Accounts, logging in, passwords, tokens; and the links by which accounts are made."""

from __future__ import annotations

import secrets
import unicodedata
from dataclasses import dataclass
from typing import Final

from ggp.clock import milliseconds_since_1970
from ggp.manager.domain import names
from ggp.manager.domain.passwords import LoginBounds, Passwords
from ggp.manager.domain.players import PERSON
from ggp.manager.domain.rights import NOBODY, Caller, Role
from ggp.manager.errors import (
    ConflictError,
    LoginError,
    NotAllowedError,
    NotThereError,
    WrongRequestError,
)
from ggp.manager.store import accounts, pool
from ggp.manager.store.accounts import AccountKeyRow, AccountRow, KeyKind
from ggp.manager.store.database import Database, Session
from ggp.players import registry

KEY_BYTES: Final = 32
SESSION_DAYS: Final = 7
MOST_SESSIONS: Final = 20
MOST_TOKENS: Final = 20
"""Of an account; then the oldest ends."""
MAX_FOLDED: Final = 120
MILLISECONDS_A_DAY: Final = 86_400_000
WRONG: Final = "name and password do not fit, or the account is locked"
LINKS: Final = frozenset({KeyKind.FIRST_HOST, KeyKind.INVITATION, KeyKind.RESET})
FIRST_HOST_DAYS: Final = 1
RESET_DAYS: Final = 2
MOST_INVITATIONS: Final = 100
"""Of an account; then the oldest ends."""
MOST_RESETS: Final = 1
MOST_ACCOUNTS: Final = 10_000
ADMINISTRATORS: Final = ("admin", "administrator", "root")
"""Names that are taken for those of hosts."""
GONE: Final = "this link has been used or is too old; ask for a new one"


class Accounts:
    """The accounts of a manager."""

    def __init__(self, database: Database, passwords: Passwords, bounds: LoginBounds) -> None:
        self._database = database
        self._passwords = passwords
        self._bounds = bounds
        self.num_ended = 0
        """Number of times that a session or a token may have ended."""

    async def caller(self, key: str, kind: KeyKind) -> Caller:
        """The holder of a session's key or a token; `NOBODY` if it is none, or is locked."""
        if not key:
            return NOBODY
        row = await self._database.read(accounts.find_key, key, {kind}, milliseconds_since_1970())
        account = None if row is None else row.account
        if account is None or account.is_locked:
            return NOBODY
        return Caller(Role(account.role), account.id, account.name)

    async def log_in(self, name: str, password: str, address: str) -> str:
        """The key of a new session; which of name and password does not fit, nobody is told."""
        folded = folded_name(name)
        self._bounds.begin(folded, address)
        row = await self._database.read(accounts.named, folded)
        known = None if row is None or row.is_locked else row.password_hash
        if not await self._passwords.matches(password, known) or row is None:
            raise LoginError(WRONG)
        self._bounds.succeed(folded, address)
        async with self._database.writing() as session:
            return await self.new_session(session, await _unchanged(session, row))

    async def log_out(self, key: str) -> None:
        """End a session."""
        async with self._database.writing() as session:
            now = milliseconds_since_1970()
            row = await accounts.find_key(session, key, {KeyKind.SESSION}, now)
            if row is not None:
                await session.delete(row)
        self.num_ended += 1

    async def change_password(self, caller: Caller, old: str, new: str, address: str) -> str:
        """Give an account another password; all sessions and tokens end; a new session's key."""
        folded = folded_name(caller.name)
        self._bounds.begin(folded, address)
        row = await self._database.read(accounts.find, number_of(caller))
        if not await self._passwords.matches(old, row.password_hash):
            raise WrongRequestError("old: expected the password that you have now, got another")
        self._bounds.succeed(folded, address)
        hashed = await self._passwords.hash(new)
        async with self._database.writing() as session:
            key = await self.set_password(session, await _unchanged(session, row), hashed)
        self.num_ended += 1
        return key

    async def set_password(self, session: Session, row: AccountRow, hashed: str) -> str:
        """Put a hash in the place of the old one; what was open ends; the key of a new session."""
        row.password_hash = hashed
        await accounts.drop_keys(session, row.id, (*accounts.OF_LOGIN, KeyKind.RESET))
        return await self.new_session(session, row)

    async def new_session(self, session: Session, row: AccountRow) -> str:
        """Let somebody be logged in to an account; the key, which is written nowhere."""
        _, key = await add_key(session, KeyKind.SESSION, row.id, MOST_SESSIONS, SESSION_DAYS)
        return key

    async def tokens(self, caller: Caller) -> list[AccountKeyRow]:
        """The tokens of an account, the newest first."""
        now = milliseconds_since_1970()
        return await self._database.read(accounts.keys_of, number_of(caller), KeyKind.TOKEN, now)

    async def make_token(self, caller: Caller, label: str) -> tuple[AccountKeyRow, str]:
        """A new token and its text, which nobody can be told again."""
        async with self._database.writing() as session:
            row, key = await add_key(session, KeyKind.TOKEN, number_of(caller), MOST_TOKENS)
            row.label = label
            return row, key

    async def drop_token(self, caller: Caller, number: int) -> None:
        """End a token."""
        await self._database.write(accounts.drop_key, number_of(caller), KeyKind.TOKEN, number)
        self.num_ended += 1

    async def listed(self, caller: Caller) -> list[AccountRow]:
        """The accounts of lower roles, which somebody looks after; for a host all there are."""
        roles = [role for role in Role if caller.role is Role.HOST or is_below(role, caller)]
        return await self._database.read(accounts.listed, roles)

    async def change(self, number: int, role: Role | None, is_locked: bool | None) -> AccountRow:
        """Give an account another role, or lock it or open it again (None: as it was).

        What was open of an account that is locked or changed ends, and its invitations.

        Raises:
            NotThereError: There is no such account.
        """
        async with self._database.writing() as session:
            row = await accounts.find(session, number)
            row.role = row.role if role is None else role
            row.is_locked = row.is_locked if is_locked is None else is_locked
            await session.flush()
            if not await accounts.num_active(session, Role.HOST):
                raise ConflictError(f"{row.name} is the last host; expected another account")
            await accounts.drop_keys(session, number)
            now = milliseconds_since_1970()
            await pool.set_locked(session, number, now, is_locked=row.is_locked)
        self.num_ended += 1
        return row


async def add_key(
    session: Session, kind: KeyKind, account: int | None, most: int, days: int | None = None
) -> tuple[AccountKeyRow, str]:
    """Write a new key down that ends after some days (None: never), and its text."""
    key, now = secrets.token_urlsafe(KEY_BYTES), milliseconds_since_1970()
    row = AccountKeyRow(
        digest=accounts.digest_of(key),
        kind=kind,
        account_id=account,
        role="",
        label="",
        uses_left=1,
        created=now,
        expires=None if days is None else now + days * MILLISECONDS_A_DAY,
    )
    return await accounts.add_key(session, row, most), key


def folded_name(name: str) -> str:
    """The same for all spellings that people take for one name.

    >>> folded_name(" Ann  Lee"), folded_name("ANN lee")
    ('ann lee', 'ann lee')
    """
    folded = " ".join(unicodedata.normalize("NFKC", name).casefold().split())
    if not folded or len(folded) > MAX_FOLDED:
        raise WrongRequestError("name: expected a shorter name, with letters in it")
    return folded


def number_of(caller: Caller) -> int:
    """The number of the account that somebody has logged in to."""
    if caller.account is None:
        raise NotAllowedError("expected an account; log in first")
    return caller.account


def is_below(role: str, caller: Caller) -> bool:
    """Whether somebody looks after accounts of a role."""
    return caller.role is not None and caller.role.is_above(Role(role))


async def _unchanged(session: Session, before: AccountRow) -> AccountRow:
    row = await accounts.find(session, before.id)
    if row.is_locked or row.password_hash != before.password_hash:
        raise LoginError(WRONG)
    return row


@dataclass(frozen=True, slots=True)
class Link:
    """Purpose of a link; `name` is of the account that gets a new password, else empty."""

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
        """An invitation for a number of accounts that ends after some days, and its key."""
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
        return await self._database.read(
            accounts.keys_of, number_of(caller), KeyKind.INVITATION, now
        )

    async def withdraw(self, caller: Caller, number: int) -> None:
        """End an invitation."""
        await self._database.write(accounts.drop_key, number_of(caller), KeyKind.INVITATION, number)

    async def offer_reset(self, caller: Caller, number: int) -> str:
        """The key of a link by which an account of a lower role gets a new password."""
        async with self._database.writing() as session:
            row = await accounts.find(session, number)
            if not is_below(row.role, caller):
                raise NotAllowedError(
                    f"{row.name} is a {row.role}; expected somebody you look after"
                )
            _, key = await add_key(session, KeyKind.RESET, number, MOST_RESETS, RESET_DAYS)
            return key

    async def read(self, key: str) -> Link:
        """The purpose of a link."""
        async with self._database.reading() as session:
            return _link(await self._find(session, key))

    async def join(self, key: str, name: str, password: str) -> str:
        """Make the account that a link promises; the key of its first session."""
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
        """Give the account of a link its new password; the key of a session."""
        await self._check(key, for_reset=True)
        hashed = await self._passwords.hash(password)
        async with self._database.writing() as session:
            row = await self._find(session, key)
            account = await accounts.find(session, row.account_id or 0)
            key = await self._accounts.set_password(session, account, hashed)
        self._accounts.num_ended += 1
        return key

    async def _check(self, key: str, *, for_reset: bool) -> None:
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


def _reserved(role: Role) -> list[str]:
    """Names that say something else of an account than that it has this role."""
    higher = [str(one) for one in Role if one.is_above(role)]
    return [*registry.names(), PERSON, *higher, *(ADMINISTRATORS if higher else ())]


async def _new_account(session: Session, name: str, role: Role, hashed: str) -> AccountRow:
    name = names.shown(name)
    folded = folded_name(name)
    known = [row.name for row in await accounts.listed(session, list(Role))]
    if await accounts.named(session, folded) is not None or names.like(name, known):
        raise WrongRequestError(
            f"name: somebody is called {name} already, or looks so; expected another name"
        )
    if misleading := names.like(name, _reserved(role)):
        raise WrongRequestError(
            f"name: {name} looks like {misleading}, a program or a role; expected another name"
        )
    if len(known) >= MOST_ACCOUNTS:
        raise ConflictError(f"there are {MOST_ACCOUNTS} accounts; no more can be made")
    row = AccountRow(
        name=name,
        folded_name=folded,
        role=role,
        password_hash=hashed,
        is_locked=False,
        created=milliseconds_since_1970(),
    )
    session.add(row)
    await session.flush()
    return row
