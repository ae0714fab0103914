"""Accounts: logging in, passwords and tokens, and the links that create accounts."""

from __future__ import annotations

import secrets
import unicodedata
from dataclasses import dataclass
from typing import Final

from ggp.clock import milliseconds_since_1970
from ggp.manager.domain import names
from ggp.manager.domain.passwords import LoginBounds, Passwords
from ggp.manager.domain.players import PERSON
from ggp.manager.domain.rights import ANONYMOUS, Caller, Role
from ggp.manager.errors import (
    ConflictError,
    LoginError,
    NotAllowedError,
    NotThereError,
    WrongRequestError,
)
from ggp.manager.store import accounts, entrants
from ggp.manager.store.accounts import AccountKeyRow, AccountRow, KeyKind
from ggp.manager.store.database import Database, Session
from ggp.players import registry

KEY_BYTES: Final = 32
SESSION_DAYS: Final = 7
MAX_SESSIONS: Final = 20
MAX_TOKENS: Final = 20
"""Largest number per account. A further session or token revokes the oldest one."""
MAX_FOLDED: Final = 120
MILLISECONDS_A_DAY: Final = 86_400_000
WRONG: Final = "wrong name or password, or the account is locked"
LINKS: Final = frozenset({KeyKind.FIRST_HOST, KeyKind.INVITATION, KeyKind.RESET})
FIRST_HOST_DAYS: Final = 1
RESET_DAYS: Final = 2
MAX_INVITATIONS: Final = 100
"""Largest number per account. A further invitation revokes the oldest one."""
MAX_RESETS: Final = 1
MAX_ACCOUNTS: Final = 10_000
ADMINISTRATORS: Final = ("admin", "administrator", "root")
"""Names that might be taken for those of hosts."""
ALL_KINDS: Final = (*Role, accounts.TEAM)
"""The roles of all accounts, including teams."""
GONE: Final = "this link has been used or has expired; ask for a new one"


class Accounts:
    """The accounts of a manager."""

    def __init__(self, database: Database, passwords: Passwords, bounds: LoginBounds) -> None:
        self._database = database
        self._passwords = passwords
        self._bounds = bounds
        self.num_ended = 0
        """Number of changes so far that may have ended sessions or revoked tokens."""

    async def caller(self, key: str, kind: KeyKind) -> Caller:
        """Return the owner of a session key or token.

        Return `ANONYMOUS` if the key is invalid or its account is locked.
        """
        if not key:
            return ANONYMOUS
        row = await self._database.read(accounts.find_key, key, {kind}, milliseconds_since_1970())
        account = None if row is None else row.account
        if account is None or account.is_locked:
            return ANONYMOUS
        return Caller(Role(account.role), account.id, account.name, account.team_id)

    async def log_in(self, name: str, password: str, address: str) -> str:
        """Log in and return the key of the new session.

        The error does not reveal whether the name or the password was wrong.

        Raises:
            LoginError: The name or the password is wrong, or the account is locked.
        """
        folded = folded_name(name)
        self._bounds.begin(folded, address)
        row = await self._database.read(accounts.named, folded)
        can_enter = row is not None and not row.is_locked and row.role != accounts.TEAM
        known = row.password_hash if row is not None and can_enter else None
        if not await self._passwords.matches(password, known) or row is None:
            raise LoginError(WRONG)
        self._bounds.succeed(folded, address)
        async with self._database.writing() as session:
            return await self.new_session(session, await _unchanged(session, row))

    async def log_out(self, key: str) -> None:
        """Log out, which ends the session."""
        async with self._database.writing() as session:
            now = milliseconds_since_1970()
            row = await accounts.find_key(session, key, {KeyKind.SESSION}, now)
            if row is not None:
                await session.delete(row)
        self.num_ended += 1

    async def change_password(self, caller: Caller, old: str, new: str, address: str) -> str:
        """Change the caller's password and return the key of a new session.

        End all other sessions of the account and revoke its tokens.
        """
        folded = folded_name(caller.name)
        self._bounds.begin(folded, address)
        row = await self._database.read(accounts.find, number_of(caller))
        if not await self._passwords.matches(old, row.password_hash):
            raise WrongRequestError("old: expected your current password, got another one")
        self._bounds.succeed(folded, address)
        hashed = await self._passwords.hash(new)
        async with self._database.writing() as session:
            key = await self.set_password(session, await _unchanged(session, row), hashed)
        self.num_ended += 1
        return key

    async def set_password(self, session: Session, row: AccountRow, hashed: str) -> str:
        """Store a password hash, revoke all sessions and tokens, and return a new session's key."""
        row.password_hash = hashed
        await accounts.drop_keys(session, row.id, (*accounts.OF_LOGIN, KeyKind.RESET))
        return await self.new_session(session, row)

    async def new_session(self, session: Session, row: AccountRow) -> str:
        """Start a session and return its key. The database stores only a hash of the key."""
        _, key = await add_key(session, KeyKind.SESSION, row.id, MAX_SESSIONS, SESSION_DAYS)
        return key

    async def tokens(self, caller: Caller) -> list[AccountKeyRow]:
        """Return the tokens of the caller's account, newest first."""
        now = milliseconds_since_1970()
        return await self._database.read(accounts.keys_of, number_of(caller), KeyKind.TOKEN, now)

    async def make_token(self, caller: Caller, label: str) -> tuple[AccountKeyRow, str]:
        """Create a token and return its row and its text. The text cannot be shown again."""
        async with self._database.writing() as session:
            row, key = await add_key(session, KeyKind.TOKEN, number_of(caller), MAX_TOKENS)
            row.label = label
            return row, key

    async def drop_token(self, caller: Caller, number: int) -> None:
        """Revoke one of the caller's tokens."""
        await self._database.write(accounts.drop_key, number_of(caller), KeyKind.TOKEN, number)
        self.num_ended += 1

    async def listed(self, caller: Caller) -> list[AccountRow]:
        """Return the accounts that the caller manages: those of lower roles or, for a host, all."""
        roles = [role for role in Role if caller.role is Role.HOST or is_below(role, caller)]
        return await self._database.read(accounts.listed, roles)

    async def change(self, number: int, role: Role | None, is_locked: bool | None) -> AccountRow:
        """Change the role of an account, or lock or unlock it. A value of None changes nothing.

        Revoke all sessions, tokens and invitations of the account.

        Raises:
            NotThereError: There is no such account.
            ConflictError: No unlocked host would be left.
        """
        async with self._database.writing() as session:
            row = await (accounts.find if role is None else accounts.person)(session, number)
            row.role = row.role if role is None else role
            row.is_locked = row.is_locked if is_locked is None else is_locked
            await session.flush()
            if not await accounts.num_active(session, Role.HOST):
                raise ConflictError(
                    f"{row.name} is the last host; make another account a host first"
                )
            await accounts.drop_keys(session, number)
            now = milliseconds_since_1970()
            await entrants.set_locked(session, number, now, is_locked=row.is_locked)
        self.num_ended += 1
        return row


async def add_key(
    session: Session, kind: KeyKind, account: int | None, most: int, days: int | None = None
) -> tuple[AccountKeyRow, str]:
    """Create a key and return its row and its text.

    Args:
        account: The account that owns the key, if any.
        most: How many keys of this kind the account may have. The oldest ones are revoked.
        days: Days until the key expires. None if it never does.
    """
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
    """Return a text that is the same for all spellings of a name that look alike.

    >>> folded_name(" Ann  Lee"), folded_name("ANN lee")
    ('ann lee', 'ann lee')
    """
    folded = " ".join(unicodedata.normalize("NFKC", name).casefold().split())
    if not folded:
        raise WrongRequestError("name: expected at least one letter")
    if len(folded) > MAX_FOLDED:
        raise WrongRequestError(f"name: expected at most {MAX_FOLDED} characters")
    return folded


def number_of(caller: Caller) -> int:
    """Return the number of the caller's account.

    Raises:
        NotAllowedError: The caller is not logged in.
    """
    if caller.account is None:
        raise NotAllowedError("this needs an account; log in first")
    return caller.account


def is_below(role: str, caller: Caller) -> bool:
    """Return whether the caller manages accounts with the given role."""
    return caller.role is not None and caller.role.is_above(Role(role))


async def _unchanged(session: Session, before: AccountRow) -> AccountRow:
    row = await accounts.find(session, before.id)
    if row.is_locked or row.password_hash != before.password_hash:
        raise LoginError(WRONG)
    return row


@dataclass(frozen=True, slots=True)
class Link:
    """The purpose of a link. `name` is the account whose password it resets, or empty."""

    kind: KeyKind
    role: Role
    name: str


class Invitations:
    """Links that create accounts or reset passwords."""

    def __init__(self, database: Database, passwords: Passwords, known: Accounts) -> None:
        self._database = database
        self._passwords = passwords
        self._accounts = known

    async def first_host(self) -> str | None:
        """Return the key of a new link that creates the first host, or None if there is a host.

        Invalidate earlier links of this kind.
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
        """Create an invitation for `number` accounts, and return its row and its key."""
        if not is_below(role, caller):
            raise NotAllowedError(f"role: expected a role below your own, got {role}")
        async with self._database.writing() as session:
            row, key = await add_key(
                session, KeyKind.INVITATION, number_of(caller), MAX_INVITATIONS, days
            )
            row.role, row.uses_left = role, number
            return row, key

    async def listed(self, caller: Caller) -> list[AccountKeyRow]:
        """Return the caller's valid invitations, newest first."""
        now = milliseconds_since_1970()
        return await self._database.read(
            accounts.keys_of, number_of(caller), KeyKind.INVITATION, now
        )

    async def withdraw(self, caller: Caller, number: int) -> None:
        """Revoke one of the caller's invitations."""
        await self._database.write(accounts.drop_key, number_of(caller), KeyKind.INVITATION, number)

    async def offer_reset(self, caller: Caller, number: int) -> str:
        """Return the key of a link that resets the password of an account with a lower role."""
        async with self._database.writing() as session:
            row = await accounts.person(session, number)
            if not is_below(row.role, caller):
                raise NotAllowedError(
                    f"{row.name} is a {row.role}; you can only reset the password of an "
                    "account whose role is below yours"
                )
            _, key = await add_key(session, KeyKind.RESET, number, MAX_RESETS, RESET_DAYS)
            return key

    async def read(self, key: str) -> Link:
        """Return what the link with this key is for."""
        async with self._database.reading() as session:
            return _link(await self._find(session, key))

    async def join(self, key: str, name: str, password: str) -> str:
        """Create the account that a link offers, and return the key of its first session."""
        await self._check(key, for_reset=False)
        hashed = await self._passwords.hash(password)
        async with self._database.writing() as session:
            row = await self._find(session, key)
            account = await new_account(session, name, _link(row).role, hashed)
            row.uses_left -= 1
            if not row.uses_left:
                await session.delete(row)
            return await self._accounts.new_session(session, account)

    async def reset(self, key: str, password: str) -> str:
        """Set a new password for the account of a link, and return the key of a new session."""
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
    """Return the days until a key expires, rounded up."""
    left = (row.expires or 0) - milliseconds_since_1970()
    return max(0, -(-left // MILLISECONDS_A_DAY))


def _link(row: AccountKeyRow) -> Link:
    kind = KeyKind(row.kind)
    if kind == KeyKind.RESET and row.account is not None:
        return Link(kind, Role(row.account.role), row.account.name)
    return Link(kind, Role(row.role) if row.role else Role.HOST, "")


def _reserved(role: Role) -> list[str]:
    """Return the names that would make an account look like a program or like a higher role."""
    higher = [str(one) for one in Role if one.is_above(role)]
    return [*registry.names(), PERSON, *higher, *(ADMINISTRATORS if higher else ())]


async def new_account(session: Session, name: str, role: Role | None, hashed: str) -> AccountRow:
    """Store a new account. If `role` is None, it is a team.

    Raises:
        WrongRequestError: The name looks like that of another account, a program or a role.
    """
    name = names.shown(name)
    folded = folded_name(name)
    known = [row.name for row in await accounts.listed(session, ALL_KINDS)]
    if await accounts.named(session, folded) is not None or names.like(name, known):
        raise WrongRequestError(
            f"name: {name} is taken, or looks like a name that is; choose another name"
        )
    if misleading := names.like(name, _reserved(role or Role.STUDENT)):
        raise WrongRequestError(
            f"name: {name} looks like {misleading}, a program or a role; choose another name"
        )
    if len(known) >= MAX_ACCOUNTS:
        raise ConflictError(f"there are already {MAX_ACCOUNTS} accounts, the maximum")
    row = AccountRow(
        name=name,
        folded_name=folded,
        role=accounts.TEAM if role is None else role,
        password_hash=hashed,
        is_locked=False,
        created=milliseconds_since_1970(),
    )
    session.add(row)
    await session.flush()
    return row
