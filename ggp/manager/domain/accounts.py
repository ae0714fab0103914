"""Accounts: who somebody is, logging in and out, passwords, and tokens for programs."""

from __future__ import annotations

import secrets
import unicodedata
from typing import Final

from ggp.clock import milliseconds_since_1970
from ggp.manager.domain.login_bounds import LoginBounds
from ggp.manager.domain.passwords import Passwords
from ggp.manager.domain.rights import NOBODY, Caller, Role
from ggp.manager.errors import ConflictError, LoginError, NotAllowedError, WrongRequestError
from ggp.manager.store import accounts
from ggp.manager.store.account_tables import AccountKeyRow, AccountRow, KeyKind
from ggp.manager.store.database import Database, Session

KEY_BYTES: Final = 32
SESSION_DAYS: Final = 7
MOST_SESSIONS: Final = 20
MOST_TOKENS: Final = 20
"""Of an account; then the oldest ends."""
MAX_FOLDED: Final = 120
MILLISECONDS_A_DAY: Final = 86_400_000
WRONG: Final = "name and password do not fit, or the account is locked"


class Accounts:
    """The accounts of a manager."""

    def __init__(self, database: Database, passwords: Passwords, bounds: LoginBounds) -> None:
        """Take where they are kept, what hashes passwords, and what counts the tries."""
        self._database = database
        self._passwords = passwords
        self._bounds = bounds

    async def caller(self, key: str, kind: KeyKind) -> Caller:
        """Who has a key of a session or a token; `NOBODY` if it is none, or the account locked."""
        if not key:
            return NOBODY
        async with self._database.reading() as session:
            row = await accounts.find_key(session, key, {kind}, milliseconds_since_1970())
        account = None if row is None else row.account
        if account is None or account.is_locked:
            return NOBODY
        return Caller(Role(account.role), account.id, account.name)

    async def log_in(self, name: str, password: str, address: str) -> str:
        """The key of a new session.

        Args:
            name: Of the account.
            password: As it was typed.
            address: From which somebody asks.

        Raises:
            LoginError: They do not fit; which of the two, nobody is told.
            TooOftenError: There were too many tries for this account, or from there.
            BusyError: Too many others log in.
        """
        folded = folded_name(name)
        self._bounds.begin(folded, address)
        async with self._database.reading() as session:
            row = await accounts.named(session, folded)
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

    async def change_password(self, caller: Caller, old: str, new: str, address: str) -> str:
        """Give an account another password; all its sessions and tokens end; a new session's key.

        Raises:
            WrongRequestError: The old one is wrong.
            TooOftenError: It was wrong too often.
        """
        folded = folded_name(caller.name)
        self._bounds.begin(folded, address)
        async with self._database.reading() as session:
            row = await accounts.find(session, number_of(caller))
        if not await self._passwords.matches(old, row.password_hash):
            raise WrongRequestError("old: expected the password that you have now, got another")
        self._bounds.succeed(folded, address)
        hashed = await self._passwords.hash(new)
        async with self._database.writing() as session:
            return await self.set_password(session, await _unchanged(session, row), hashed)

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
        async with self._database.reading() as session:
            return await accounts.keys_of(session, number_of(caller), KeyKind.TOKEN, now)

    async def make_token(self, caller: Caller, label: str) -> tuple[AccountKeyRow, str]:
        """A new token and its text, which nobody can be told again."""
        async with self._database.writing() as session:
            row, key = await add_key(session, KeyKind.TOKEN, number_of(caller), MOST_TOKENS)
            row.label = label
            return row, key

    async def drop_token(self, caller: Caller, number: int) -> None:
        """End a token.

        Raises:
            NotThereError: The account has none of this number.
        """
        async with self._database.writing() as session:
            await accounts.drop_key(session, number_of(caller), KeyKind.TOKEN, number)

    async def listed(self, caller: Caller) -> list[AccountRow]:
        """The accounts of lower roles, which somebody looks after; for a host all there are."""
        roles = [role for role in Role if caller.role is Role.HOST or is_below(role, caller)]
        async with self._database.reading() as session:
            return await accounts.listed(session, roles)

    async def change(self, number: int, role: Role | None, is_locked: bool | None) -> AccountRow:
        """Give an account another role, or lock it or open it again (None: as it was).

        What was open of an account that is locked or changed ends, and its invitations.

        Raises:
            NotThereError: There is no such account.
            ConflictError: No host would be left.
        """
        async with self._database.writing() as session:
            row = await accounts.find(session, number)
            row.role = row.role if role is None else role
            row.is_locked = row.is_locked if is_locked is None else is_locked
            await session.flush()
            if not await accounts.num_active(session, Role.HOST):
                raise ConflictError(f"{row.name} is the last host; expected another account")
            await accounts.drop_keys(session, number)
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

    Raises:
        WrongRequestError: It is too long.

    >>> folded_name(" Ann  Lee"), folded_name("ANN lee")
    ('ann lee', 'ann lee')
    """
    folded = " ".join(unicodedata.normalize("NFKC", name).casefold().split())
    if not folded or len(folded) > MAX_FOLDED:
        raise WrongRequestError("name: expected a shorter name, with letters in it")
    return folded


def number_of(caller: Caller) -> int:
    """The number of the account that somebody has logged in to.

    Raises:
        NotAllowedError: There is none.
    """
    if caller.account is None:
        raise NotAllowedError("expected an account; log in first")
    return caller.account


def is_below(role: str, caller: Caller) -> bool:
    """Whether somebody looks after accounts of a role."""
    return caller.role is not None and caller.role.is_above(Role(role))


async def _unchanged(session: Session, before: AccountRow) -> AccountRow:
    """An account as it is now, if nobody locked it or changed its password meanwhile.

    Raises:
        LoginError: Somebody did.
    """
    row = await accounts.find(session, before.id)
    if row.is_locked or row.password_hash != before.password_hash:
        raise LoginError(WRONG)
    return row
