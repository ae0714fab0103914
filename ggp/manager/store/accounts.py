"""The tables of accounts and of their keys, and the queries on them."""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from enum import StrEnum
from typing import Final

from sqlalchemy import ColumnElement, ForeignKey, String, delete, func, or_, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Mapped, mapped_column, relationship, selectinload

from ggp.manager.errors import NotThereError
from ggp.manager.store.tables import Big, DatabaseTable


class KeyKind(StrEnum):
    """Purpose of a key."""

    SESSION = "session"
    """For a browser that is logged in, which stores the key in a cookie."""
    TOKEN = "token"  # noqa: S105  # a kind of key, not one
    """For a program that uses the API."""
    FIRST_HOST = "first-host"
    INVITATION = "invitation"
    RESET = "reset"


TEAM: Final = "team"
"""The role of a team. A team owns players and files as an account does, but cannot log in."""


class AccountRow(DatabaseTable):
    """An account: a person who can log in, or a team of students."""

    __tablename__ = "accounts"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(60))
    folded_name: Mapped[str] = mapped_column(String(120), unique=True)
    """A text that is the same for all spellings of the name that look alike."""
    role: Mapped[str] = mapped_column(String(12), index=True)
    """One of `ggp.manager.domain.rights.Role`, or `TEAM`."""
    password_hash: Mapped[str] = mapped_column(String(200))
    """The password's hash in argon2's format, with parameters and salt."""
    is_locked: Mapped[bool] = mapped_column(default=False)
    created: Mapped[Big]
    team_id: Mapped[int | None] = mapped_column(index=True)
    """The team of a student. None if the student has no team."""
    join_key: Mapped[str] = mapped_column(String(40), default="")
    """The key with which students join a team. Empty for people."""
    scrimmages: Mapped[str] = mapped_column(String(8), default="ask")
    """What happens to requests for scrimmages, one of `ggp.manager.hosting.scrimmages.Accepts`."""


class AccountKeyRow(DatabaseTable):
    """A key that was issued. Only its hash is stored."""

    __tablename__ = "account_keys"

    id: Mapped[int] = mapped_column(primary_key=True)
    digest: Mapped[str] = mapped_column(String(64), unique=True)
    """SHA-256 of the key, in hexadecimal. Keys are random, so the key cannot be guessed from it."""
    kind: Mapped[str] = mapped_column(String(12), index=True)
    account_id: Mapped[int | None] = mapped_column(
        ForeignKey("accounts.id", ondelete="CASCADE"), index=True
    )
    """The owner of the key or the author of the invitation. None only for the first host's key."""
    role: Mapped[str] = mapped_column(String(12), default="")
    label: Mapped[str] = mapped_column(String(60), default="")
    """What a token is for, in its owner's words."""
    uses_left: Mapped[int] = mapped_column(default=1)
    created: Mapped[Big]
    expires: Mapped[Big | None]
    """When the key expires, in milliseconds since 1970. None if it never expires."""
    account: Mapped[AccountRow | None] = relationship(lazy="raise")


OF_LOGIN = frozenset({KeyKind.SESSION, KeyKind.TOKEN})
"""The kinds of keys with which an account logs in."""


def digest_of(key: str) -> str:
    """Return the digest under which the database stores a key."""
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()


async def find(session: AsyncSession, number: int) -> AccountRow:
    """Return the account with the given number."""
    row = await session.get(AccountRow, number)
    if row is None:
        raise NotThereError(f"there is no account {number}")
    return row


async def named(session: AsyncSession, folded_name: str) -> AccountRow | None:
    """Return the account with the given folded name, or None if there is none."""
    return await session.scalar(select(AccountRow).where(AccountRow.folded_name == folded_name))


async def person(session: AsyncSession, number: int) -> AccountRow:
    """Return the account of a person with the given number."""
    row = await find(session, number)
    if row.role == TEAM:
        raise NotThereError(f"account {number} is a team, not a person")
    return row


async def members(session: AsyncSession, team: int) -> list[AccountRow]:
    """Return the members of a team, sorted by name."""
    rows = await session.scalars(select(AccountRow).where(AccountRow.team_id == team))
    return sorted(rows, key=lambda row: row.folded_name)


async def of_students(session: AsyncSession) -> list[AccountRow]:
    """Return the accounts of all students and teams."""
    query = select(AccountRow).where(AccountRow.role.in_(["student", TEAM]))
    return list(await session.scalars(query))


async def joined_by(session: AsyncSession, key: str) -> AccountRow | None:
    """Return the team with this join key, or None if there is none."""
    query = select(AccountRow).where(AccountRow.join_key == key, AccountRow.role == TEAM)
    return await session.scalar(query)


async def listed(session: AsyncSession, roles: Collection[str]) -> list[AccountRow]:
    """Return all accounts that have one of the roles, sorted by name."""
    rows = await session.scalars(select(AccountRow).where(AccountRow.role.in_(roles)))
    return sorted(rows, key=lambda row: row.folded_name)


async def num_active(session: AsyncSession, role: str) -> int:
    """Return the number of accounts that have the role and are not locked."""
    query = select(func.count()).select_from(AccountRow)
    return (
        await session.scalar(query.where(AccountRow.role == role, AccountRow.is_locked.is_(False)))
        or 0
    )


async def find_key(
    session: AsyncSession, key: str, kinds: Collection[str], now: int
) -> AccountKeyRow | None:
    """Return the row of a key of one of the given kinds, with its account.

    Return None if the key is unknown, of another kind or expired.
    """
    query = select(AccountKeyRow).where(
        AccountKeyRow.digest == digest_of(key), AccountKeyRow.kind.in_(kinds), _is_valid(now)
    )
    return await session.scalar(query.options(selectinload(AccountKeyRow.account)))


async def keys_of(
    session: AsyncSession, account: int, kind: KeyKind, now: int
) -> list[AccountKeyRow]:
    """Return the valid keys of an account that have the given kind, newest first."""
    query = select(AccountKeyRow).where(
        AccountKeyRow.account_id == account, AccountKeyRow.kind == kind, _is_valid(now)
    )
    return list(await session.scalars(query.order_by(AccountKeyRow.id.desc())))


async def add_key(session: AsyncSession, row: AccountKeyRow, most: int) -> AccountKeyRow:
    """Store a key.

    Also delete all expired keys. Of the owner's keys of the same kind, keep only the newest `most`.
    """
    await session.execute(delete(AccountKeyRow).where(AccountKeyRow.expires <= row.created))
    of_kind = select(AccountKeyRow.id).where(
        AccountKeyRow.kind == row.kind, AccountKeyRow.account_id == row.account_id
    )
    newest_first = of_kind.order_by(AccountKeyRow.id.desc()).offset(most - 1)
    too_many = list(await session.scalars(newest_first))
    await session.execute(delete(AccountKeyRow).where(AccountKeyRow.id.in_(too_many)))
    session.add(row)
    await session.flush()
    return row


async def drop_key(session: AsyncSession, account: int, kind: KeyKind, number: int) -> None:
    """Delete one key of an account."""
    row = await session.get(AccountKeyRow, number)
    if row is None or row.account_id != account or row.kind != kind:
        raise NotThereError(f"you have no {kind} {number}")
    await session.delete(row)


async def drop_keys(
    session: AsyncSession, account: int | None, kinds: Collection[str] = tuple(KeyKind)
) -> None:
    """Delete an account's keys of the given kinds.

    If `account` is None, delete the keys that belong to no account.
    """
    of_account = (
        AccountKeyRow.account_id.is_(None)
        if account is None
        else AccountKeyRow.account_id == account
    )
    await session.execute(delete(AccountKeyRow).where(of_account, AccountKeyRow.kind.in_(kinds)))


def _is_valid(now: int) -> ColumnElement[bool]:
    return or_(AccountKeyRow.expires.is_(None), AccountKeyRow.expires > now)
