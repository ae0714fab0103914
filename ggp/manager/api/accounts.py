"""Accounts and their links in the API. Times are in milliseconds since 1970.

The routes /login, /logout and /me are for the caller's own account, and /accounts is for the
accounts that the caller manages. Invitations for accounts of lower roles are at /invitations. The
routes /join and /reset use a link. The table of students, for lecturers, is at /students.
"""

from __future__ import annotations

from typing import Annotated

from aiohttp import web
from pydantic import Field

from ggp.manager.api.models import AnswerModel, LinkKey, Name, Nothing
from ggp.manager.api.route import Routes
from ggp.manager.domain.accounts import number_of as account_of
from ggp.manager.domain.passwords import MAX_PASSWORD, MIN_PASSWORD
from ggp.manager.domain.rights import Right, Role, current_caller
from ggp.manager.domain.students import students_csv, students_of
from ggp.manager.service import ACCOUNTS, INVITATIONS, SERVICE
from ggp.manager.web.access import remember_session, session_key
from ggp.manager.web.request_parts import RequestModel, number_of
from ggp.manager.web.responses import CSV, csv_answer

# Error messages do not repeat the value of a field with `repr=False`.
Given = Annotated[str, Field(max_length=MAX_PASSWORD, examples=["a long password"], repr=False)]
"""A password to check, which may be wrong."""
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


class LoginRequest(RequestModel):
    """A name and a password."""

    name: Name
    password: Given


class PasswordRequest(RequestModel):
    """A new password, together with the present one."""

    old: Given
    password: Chosen


class TokenRequest(RequestModel):
    """A token to create."""

    label: Annotated[str, Field(max_length=60, examples=["my script"])] = ""


class AccountRequest(RequestModel):
    """Changes to an account. A field that is null changes nothing."""

    role: Annotated[Role | None, Field(examples=["student"])] = None
    is_locked: Annotated[bool | None, Field(examples=[True])] = None


class InvitationRequest(RequestModel):
    """An invitation to create."""

    role: Annotated[Role, Field(examples=["student"])]
    """Must be lower than the caller's role."""
    accounts: Annotated[int, Field(ge=1, le=500)] = 1
    days: Annotated[int, Field(ge=1, le=60)] = 7


class NewAccountRequest(RequestModel):
    """An account to create with a link."""

    key: LinkKey
    name: Name
    password: Chosen


class NewPasswordRequest(RequestModel):
    """A new password to set with a link."""

    key: LinkKey
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
    """A new key, which is shown only once."""

    id: int
    key: str


class InvitationAnswer(AnswerModel):
    """An invitation, without its key."""

    id: int
    role: str
    accounts: Annotated[int, Field(validation_alias="uses_left")]
    """Number of accounts that can still be created with the invitation."""
    created: int
    expires: int


class StudentAnswer(AnswerModel):
    """A student's player. For a student without players, the fields of the player are empty."""

    account: int
    student: str
    player: str
    is_retired: bool
    matches: int
    """Number of matches that the player has completed."""
    elo: float | None
    low: float | None
    high: float | None
    """Upper end of the 95 % interval; `low` is the lower end. Null without meetings."""
    swapped: int
    """Number of matches that were played by another file or address than the registered one."""
    swap: str
    """A sentence about these matches, with the time when the last one ended. Empty if none."""
    attempts: int
    """Number of matches in which the player tried something that uploaded players may not do."""
    same_file: str
    """Other students' players that use the same file, with their owners. Empty if none do."""
    is_locked: bool
    """Whether the account is locked."""
    team: str
    """The student's team. Its players have a row for each member. Empty if there is none."""


routes = Routes()


@routes.add("POST /login", Right.ENTER, streamed=Nothing)
async def log_in(request: web.Request, body: LoginRequest) -> web.Response:
    """Log in. The answer sets a cookie, which expires after seven days."""
    address = request.remote or ""
    return logged_in(request, await request.app[ACCOUNTS].log_in(body.name, body.password, address))


@routes.add("POST /logout", Right.ACCOUNT, streamed=Nothing)
async def log_out(request: web.Request) -> web.Response:
    """Log out."""
    await request.app[ACCOUNTS].log_out(session_key(request))
    return logged_in(request, "")


@routes.add("GET /me", Right.ACCOUNT)
async def show_account(_request: web.Request) -> AccountAnswer:
    """Return the caller's account."""
    caller = current_caller()
    number = account_of(caller)
    return AccountAnswer(id=number, name=caller.name, role=str(caller.role), is_locked=False)


@routes.add("POST /me/password", Right.ACCOUNT, streamed=Nothing)
async def change_password(request: web.Request, body: PasswordRequest) -> web.Response:
    """Change the caller's password, end all sessions, revoke all tokens, and set a new cookie."""
    key = await request.app[ACCOUNTS].change_password(
        current_caller(), body.old, body.password, request.remote or ""
    )
    return logged_in(request, key)


@routes.add("GET /me/tokens", Right.ACCOUNT)
async def list_tokens(request: web.Request) -> list[TokenAnswer]:
    """Return the caller's tokens without their texts, newest first."""
    return TokenAnswer.each(await request.app[ACCOUNTS].tokens(current_caller()))


@routes.add("POST /me/tokens", Right.ACCOUNT, status=201)
async def make_token(request: web.Request, body: TokenRequest) -> KeyAnswer:
    """Create a token for `Authorization: Bearer TOKEN`. The token cannot be shown again."""
    row, key = await request.app[ACCOUNTS].make_token(current_caller(), body.label)
    return KeyAnswer(id=row.id, key=key)


@routes.add("DELETE /me/tokens/{number}", Right.ACCOUNT)
async def drop_token(request: web.Request) -> None:
    """Revoke one of the caller's tokens."""
    await request.app[ACCOUNTS].drop_token(current_caller(), number_of(request))


@routes.add("GET /accounts", Right.TEACH)
async def list_accounts(request: web.Request) -> list[AccountAnswer]:
    """Return the accounts of lower roles or, for a host, all accounts, sorted by name."""
    return AccountAnswer.each(await request.app[ACCOUNTS].listed(current_caller()))


@routes.add("POST /accounts/{number}", Right.ADMINISTER)
async def change_account(request: web.Request, body: AccountRequest) -> AccountAnswer:
    """Lock or unlock an account or change its role. Revoke its sessions, tokens and links."""
    row = await request.app[ACCOUNTS].change(number_of(request), body.role, body.is_locked)
    return AccountAnswer.model_validate(row)


@routes.add("POST /accounts/{number}/reset", Right.TEACH, status=201)
async def offer_reset(request: web.Request) -> KeyAnswer:
    """Create a key for `/join?key=KEY` that can set a new password once, within two days."""
    number = number_of(request)
    key = await request.app[INVITATIONS].offer_reset(current_caller(), number)
    return KeyAnswer(id=number, key=key)


def logged_in(request: web.Request, key: str) -> web.Response:
    """Return an answer that stores a session's key in the browser. An empty key deletes it."""
    response = web.json_response({})
    remember_session(request, response, key)
    return response


@routes.add("GET /invitations", Right.TEACH)
async def list_invitations(request: web.Request) -> list[InvitationAnswer]:
    """Return the caller's valid invitations, newest first."""
    return InvitationAnswer.each(await request.app[INVITATIONS].listed(current_caller()))


@routes.add("POST /invitations", Right.TEACH, status=201)
async def invite(request: web.Request, body: InvitationRequest) -> KeyAnswer:
    """Create a key for `/join?key=KEY` with which people create accounts of a lower role."""
    row, key = await request.app[INVITATIONS].invite(
        current_caller(), body.role, body.accounts, body.days
    )
    return KeyAnswer(id=row.id, key=key)


@routes.add("DELETE /invitations/{number}", Right.TEACH)
async def withdraw(request: web.Request) -> None:
    """Withdraw one of the caller's invitations. Keep the accounts that were created with it."""
    await request.app[INVITATIONS].withdraw(current_caller(), number_of(request))


@routes.add("POST /join", Right.ENTER, streamed=Nothing)
async def join(request: web.Request, body: NewAccountRequest) -> web.Response:
    """Create an account with the key of a link, and log in. The answer sets a cookie."""
    key = await request.app[INVITATIONS].join(body.key, body.name, body.password)
    return logged_in(request, key)


@routes.add("POST /reset", Right.ENTER, streamed=Nothing)
async def reset(request: web.Request, body: NewPasswordRequest) -> web.Response:
    """Set a new password with the key of a link, and log in. The answer sets a cookie."""
    return logged_in(request, await request.app[INVITATIONS].reset(body.key, body.password))


@routes.add("GET /students", Right.TEACH)
async def list_students(request: web.Request) -> list[StudentAnswer]:
    """Return one row for each student's player, and one for each student without players."""
    service = request.app[SERVICE]
    return StudentAnswer.each(await students_of(service.database, service.ratings))


@routes.add("GET /students.csv", Right.TEACH, media=CSV)
async def show_students_csv(request: web.Request) -> web.Response:
    """Return the table of students as CSV."""
    service = request.app[SERVICE]
    found = await students_of(service.database, service.ratings)
    return csv_answer(students_csv(found), "students")
