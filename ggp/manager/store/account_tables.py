"""The tables of accounts and of the keys that belong to them."""

from __future__ import annotations

from enum import StrEnum

from sqlalchemy import ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column, relationship

from ggp.manager.store.table_base import Big, DatabaseTable


class KeyKind(StrEnum):
    """What a key is for."""

    SESSION = "session"
    """The cookie of a browser in which somebody has logged in."""
    TOKEN = "token"  # noqa: S105  # a kind of key, not one
    """Of a program that speaks to the API."""
    FIRST_HOST = "first-host"
    """A link by which the first account is made."""
    INVITATION = "invitation"
    """A link by which accounts of a role are made."""
    RESET = "reset"
    """A link by which an account gets a new password."""


class AccountRow(DatabaseTable):
    """Somebody who can log in."""

    __tablename__ = "accounts"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(60))
    """As it was chosen."""
    folded_name: Mapped[str] = mapped_column(String(120), unique=True)
    """The same for all spellings that people take for one name."""
    role: Mapped[str] = mapped_column(String(12), index=True)
    """One of `ggp.manager.domain.rights.Role`."""
    password_hash: Mapped[str] = mapped_column(String(200))
    """As argon2 writes it, with its parameters and its salt."""
    is_locked: Mapped[bool] = mapped_column(default=False)
    created: Mapped[Big]


class AccountKeyRow(DatabaseTable):
    """A key that somebody was given; here is only its hash."""

    __tablename__ = "account_keys"

    id: Mapped[int] = mapped_column(primary_key=True)
    digest: Mapped[str] = mapped_column(String(64), unique=True)
    """SHA-256 of the key, in hexadecimal; keys are random, so nobody can guess back from it."""
    kind: Mapped[str] = mapped_column(String(12), index=True)
    """One of `KeyKind`."""
    account_id: Mapped[int | None] = mapped_column(
        ForeignKey("accounts.id", ondelete="CASCADE"), index=True
    )
    """Whose it is; of an invitation, who made it; None only for the first host's."""
    role: Mapped[str] = mapped_column(String(12), default="")
    """Of the accounts that an invitation makes."""
    label: Mapped[str] = mapped_column(String(60), default="")
    """What a token is for, in its owner's words."""
    uses_left: Mapped[int] = mapped_column(default=1)
    """Of a link."""
    created: Mapped[Big]
    expires: Mapped[Big | None]
    """None: never."""
    account: Mapped[AccountRow | None] = relationship(lazy="raise")
