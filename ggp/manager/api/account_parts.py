"""Contents of requests and answers about accounts. Times are milliseconds since 1970."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from ggp.manager.api.answers import AnswerModel
from ggp.manager.api.requests import Name
from ggp.manager.domain.passwords import MAX_PASSWORD, MIN_PASSWORD
from ggp.manager.domain.rights import Role
from ggp.manager.web.request_parts import RequestModel

# Errors do not repeat a value of `repr=False`.
Given = Annotated[str, Field(max_length=MAX_PASSWORD, examples=["a long password"], repr=False)]
"""A password that may be wrong."""
Chosen = Annotated[
    str,
    Field(
        min_length=MIN_PASSWORD,
        max_length=MAX_PASSWORD,
        examples=["a long password"],
        repr=False,
    ),
]
"""A new password."""
Key = Annotated[str, Field(max_length=100, examples=["KEY"], repr=False)]
"""Of a link, `/join?key=KEY`."""


class LoginRequest(RequestModel):
    """A name and a password."""

    name: Name
    password: Given


class PasswordRequest(RequestModel):
    """A new password, by who knows the old one."""

    old: Given
    password: Chosen


class TokenRequest(RequestModel):
    """A token to make."""

    label: Annotated[str, Field(max_length=60, examples=["my script"])] = ""
    """What it is for."""


class AccountRequest(RequestModel):
    """What is to be changed of an account; null: nothing."""

    role: Annotated[Role | None, Field(examples=["student"])] = None
    is_locked: Annotated[bool | None, Field(examples=[True])] = None


class InvitationRequest(RequestModel):
    """An invitation to make."""

    role: Annotated[Role, Field(examples=["student"])]
    """Lower than one's own."""
    accounts: Annotated[int, Field(ge=1, le=500)] = 1
    """Number of those that can be made with it."""
    days: Annotated[int, Field(ge=1, le=60)] = 7


class NewAccountRequest(RequestModel):
    """An account to make by a link."""

    key: Key
    name: Name
    password: Chosen


class NewPasswordRequest(RequestModel):
    """A new password by a link."""

    key: Key
    password: Chosen


class AccountAnswer(AnswerModel):
    """An account."""

    id: int
    name: str
    role: str
    is_locked: bool


class TokenAnswer(AnswerModel):
    """A token, without its text."""

    id: int
    label: str
    created: int


class KeyAnswer(AnswerModel):
    """A key that is told this once."""

    id: int
    key: str


class InvitationAnswer(AnswerModel):
    """An invitation, without its key."""

    id: int
    role: str
    accounts: Annotated[int, Field(validation_alias="uses_left")]
    """That can still be made with it."""
    created: int
    expires: int


class StudentAnswer(AnswerModel):
    """A student's player; or a student who has none, with empty fields."""

    account: int
    student: str
    player: str
    is_retired: bool
    matches: int
    """Played to their end."""
    elo: float | None
    low: float | None
    high: float | None
    """Ends of the 95 % interval; null if it met nobody."""
