"""Accounts and links to them, as the API has them; times are milliseconds since 1970.

/login, /logout and /me: one's own account; /accounts: those that one looks after; /invitations: to
accounts of lower roles; /join and /reset: what comes of a link; /students: the table for lecturers.
"""

from __future__ import annotations

from typing import Annotated

from aiohttp import web
from pydantic import Field

from ggp.manager.api.models import AnswerModel, Name, Nothing
from ggp.manager.api.route import Routes
from ggp.manager.domain.accounts import number_of as account_of
from ggp.manager.domain.passwords import MAX_PASSWORD, MIN_PASSWORD
from ggp.manager.domain.ratings import students_csv, students_of
from ggp.manager.domain.rights import Right, Role, current_caller
from ggp.manager.service import ACCOUNTS, INVITATIONS, SERVICE
from ggp.manager.web.access import remember_session, session_key
from ggp.manager.web.request_parts import RequestModel, number_of
from ggp.manager.web.responses import CSV, csv_answer

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


class AccountRequest(RequestModel):
    """Changes of an account; null: none."""

    role: Annotated[Role | None, Field(examples=["student"])] = None
    is_locked: Annotated[bool | None, Field(examples=[True])] = None


class InvitationRequest(RequestModel):
    """An invitation to make."""

    role: Annotated[Role, Field(examples=["student"])]
    """Lower than one's own."""
    accounts: Annotated[int, Field(ge=1, le=500)] = 1
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
    swapped: int
    """Matches that another file or address played than the player is registered with now."""
    swap: str
    """The same in words, with the moment when the last of these ended; empty if there are none."""
    attempts: int
    """Matches in which it tried what an uploaded player may not do."""
    same_file: str
    """Players of other students that are the same file, and whose; empty if there are none."""
    is_locked: bool
    """Whether the account is locked."""


routes = Routes()


@routes.add("POST /login", Right.ENTER, streamed=Nothing)
async def log_in(request: web.Request, body: LoginRequest) -> web.Response:
    """Log in: the answer sets a cookie, which ends after seven days."""
    address = request.remote or ""
    return logged_in(request, await request.app[ACCOUNTS].log_in(body.name, body.password, address))


@routes.add("POST /logout", Right.ACCOUNT, streamed=Nothing)
async def log_out(request: web.Request) -> web.Response:
    """Log out."""
    await request.app[ACCOUNTS].log_out(session_key(request))
    return logged_in(request, "")


@routes.add("GET /me", Right.ACCOUNT)
async def show_account(_request: web.Request) -> AccountAnswer:
    """The account with which this is asked."""
    caller = current_caller()
    number = account_of(caller)
    return AccountAnswer(id=number, name=caller.name, role=str(caller.role), is_locked=False)


@routes.add("POST /me/password", Right.ACCOUNT, streamed=Nothing)
async def change_password(request: web.Request, body: PasswordRequest) -> web.Response:
    """Change one's password; all sessions and tokens end, and the answer sets a new cookie."""
    key = await request.app[ACCOUNTS].change_password(
        current_caller(), body.old, body.password, request.remote or ""
    )
    return logged_in(request, key)


@routes.add("GET /me/tokens", Right.ACCOUNT)
async def list_tokens(request: web.Request) -> list[TokenAnswer]:
    """One's tokens, the newest first, without their texts."""
    found = await request.app[ACCOUNTS].tokens(current_caller())
    return [TokenAnswer.model_validate(row) for row in found]


@routes.add("POST /me/tokens", Right.ACCOUNT, status=201)
async def make_token(request: web.Request, body: TokenRequest) -> KeyAnswer:
    """A new token for `Authorization: Bearer TOKEN`; nobody can be told it again."""
    row, key = await request.app[ACCOUNTS].make_token(current_caller(), body.label)
    return KeyAnswer(id=row.id, key=key)


@routes.add("DELETE /me/tokens/{number}", Right.ACCOUNT)
async def drop_token(request: web.Request) -> None:
    """End one of one's tokens."""
    await request.app[ACCOUNTS].drop_token(current_caller(), number_of(request))


@routes.add("GET /accounts", Right.TEACH)
async def list_accounts(request: web.Request) -> list[AccountAnswer]:
    """The accounts that one looks after, by name: of lower roles; for a host all."""
    found = await request.app[ACCOUNTS].listed(current_caller())
    return [AccountAnswer.model_validate(row) for row in found]


@routes.add("POST /accounts/{number}", Right.ADMINISTER)
async def change_account(request: web.Request, body: AccountRequest) -> AccountAnswer:
    """Lock an account, open it again, or give it another role; what was open of it ends."""
    row = await request.app[ACCOUNTS].change(number_of(request), body.role, body.is_locked)
    return AccountAnswer.model_validate(row)


@routes.add("POST /accounts/{number}/reset", Right.TEACH, status=201)
async def offer_reset(request: web.Request) -> KeyAnswer:
    """A key for `/join?key=KEY`, by which an account gets a new password, once in two days."""
    number = number_of(request)
    key = await request.app[INVITATIONS].offer_reset(current_caller(), number)
    return KeyAnswer(id=number, key=key)


def logged_in(request: web.Request, key: str) -> web.Response:
    """The answer that a browser keeps a session by, or forgets it (empty)."""
    response = web.json_response({})
    remember_session(request, response, key)
    return response


@routes.add("GET /invitations", Right.TEACH)
async def list_invitations(request: web.Request) -> list[InvitationAnswer]:
    """One's own that are good for something, the newest first."""
    found = await request.app[INVITATIONS].listed(current_caller())
    return [InvitationAnswer.model_validate(row) for row in found]


@routes.add("POST /invitations", Right.TEACH, status=201)
async def invite(request: web.Request, body: InvitationRequest) -> KeyAnswer:
    """A key for `/join?key=KEY`, by which accounts of a lower role are made."""
    row, key = await request.app[INVITATIONS].invite(
        current_caller(), body.role, body.accounts, body.days
    )
    return KeyAnswer(id=row.id, key=key)


@routes.add("DELETE /invitations/{number}", Right.TEACH)
async def withdraw(request: web.Request) -> None:
    """End one of one's invitations; accounts that were made with it stay."""
    await request.app[INVITATIONS].withdraw(current_caller(), number_of(request))


@routes.add("POST /join", Right.ENTER, streamed=Nothing)
async def join(request: web.Request, body: NewAccountRequest) -> web.Response:
    """Make an account by a link, and log in: the answer sets a cookie."""
    key = await request.app[INVITATIONS].join(body.key, body.name, body.password)
    return logged_in(request, key)


@routes.add("POST /reset", Right.ENTER, streamed=Nothing)
async def reset(request: web.Request, body: NewPasswordRequest) -> web.Response:
    """Choose a new password by a link, and log in: the answer sets a cookie."""
    return logged_in(request, await request.app[INVITATIONS].reset(body.key, body.password))


@routes.add("GET /students", Right.TEACH)
async def list_students(request: web.Request) -> list[StudentAnswer]:
    """Students with their players: a row for each player, and for each student without one."""
    found = await students_of(request.app[SERVICE].database)
    return [StudentAnswer.model_validate(row) for row in found]


@routes.add("GET /students.csv", Right.TEACH, media=CSV)
async def show_students_csv(request: web.Request) -> web.Response:
    """The table of students as CSV."""
    return csv_answer(students_csv(await students_of(request.app[SERVICE].database)), "students")
