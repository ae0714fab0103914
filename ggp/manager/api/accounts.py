"""/login and /logout; /me: one's own account; /accounts: those that one looks after."""

from __future__ import annotations

from aiohttp import web

from ggp.manager.api.account_parts import (
    AccountAnswer,
    AccountRequest,
    KeyAnswer,
    LoginRequest,
    PasswordRequest,
    TokenAnswer,
    TokenRequest,
)
from ggp.manager.api.answers import Nothing
from ggp.manager.api.route import Route
from ggp.manager.domain.accounts import number_of as account_of
from ggp.manager.domain.rights import Right
from ggp.manager.web.app_keys import ACCOUNTS, INVITATIONS
from ggp.manager.web.callers import current_caller, remember, session_key
from ggp.manager.web.request_parts import number_of


async def log_in(request: web.Request, body: LoginRequest) -> web.Response:
    """Log in: the answer sets a cookie, which ends after seven days."""
    address = request.remote or ""
    return logged_in(request, await request.app[ACCOUNTS].log_in(body.name, body.password, address))


async def log_out(request: web.Request) -> web.Response:
    """Log out."""
    await request.app[ACCOUNTS].log_out(session_key(request))
    return logged_in(request, "")


async def show_account(_request: web.Request) -> AccountAnswer:
    """The account with which this is asked."""
    caller = current_caller()
    number = account_of(caller)
    return AccountAnswer(id=number, name=caller.name, role=str(caller.role), is_locked=False)


async def change_password(request: web.Request, body: PasswordRequest) -> web.Response:
    """Change one's password; all sessions and tokens end, and the answer sets a new cookie."""
    key = await request.app[ACCOUNTS].change_password(
        current_caller(), body.old, body.password, request.remote or ""
    )
    return logged_in(request, key)


async def list_tokens(request: web.Request) -> list[TokenAnswer]:
    """One's tokens, the newest first, without their texts."""
    found = await request.app[ACCOUNTS].tokens(current_caller())
    return [TokenAnswer.model_validate(row) for row in found]


async def make_token(request: web.Request, body: TokenRequest) -> KeyAnswer:
    """A new token for `Authorization: Bearer TOKEN`; nobody can be told it again."""
    row, key = await request.app[ACCOUNTS].make_token(current_caller(), body.label)
    return KeyAnswer(id=row.id, key=key)


async def drop_token(request: web.Request) -> Nothing:
    """End one of one's tokens."""
    await request.app[ACCOUNTS].drop_token(current_caller(), number_of(request))
    return Nothing()


async def list_accounts(request: web.Request) -> list[AccountAnswer]:
    """The accounts that one looks after, by name: of lower roles; for a host all."""
    found = await request.app[ACCOUNTS].listed(current_caller())
    return [AccountAnswer.model_validate(row) for row in found]


async def change_account(request: web.Request, body: AccountRequest) -> AccountAnswer:
    """Lock an account, open it again, or give it another role; what was open of it ends."""
    row = await request.app[ACCOUNTS].change(number_of(request), body.role, body.is_locked)
    return AccountAnswer.model_validate(row)


async def offer_reset(request: web.Request) -> KeyAnswer:
    """A key for `/join?key=KEY`, by which an account gets a new password, once in two days."""
    number = number_of(request)
    key = await request.app[INVITATIONS].offer_reset(current_caller(), number)
    return KeyAnswer(id=number, key=key)


def logged_in(request: web.Request, key: str) -> web.Response:
    """The answer that a browser keeps a session by, or forgets it (empty)."""
    response = web.json_response({})
    remember(request, response, key)
    return response


ROUTES = (
    Route("POST", "/login", log_in, "Log in.", streamed=Nothing, right=Right.ENTER),
    Route("POST", "/logout", log_out, "Log out.", streamed=Nothing, right=Right.ACCOUNT),
    Route("GET", "/me", show_account, "One's own account.", right=Right.ACCOUNT),
    Route(
        "POST",
        "/me/password",
        change_password,
        "Change one's password.",
        streamed=Nothing,
        right=Right.ACCOUNT,
    ),
    Route("GET", "/me/tokens", list_tokens, "One's tokens.", right=Right.ACCOUNT),
    Route("POST", "/me/tokens", make_token, "A new token.", status=201, right=Right.ACCOUNT),
    Route("DELETE", "/me/tokens/{number}", drop_token, "End a token.", right=Right.ACCOUNT),
    Route("GET", "/accounts", list_accounts, "Accounts that one looks after.", right=Right.TEACH),
    Route(
        "POST",
        "/accounts/{number}",
        change_account,
        "Lock it, or another role.",
        right=Right.ADMINISTER,
    ),
    Route(
        "POST",
        "/accounts/{number}/reset",
        offer_reset,
        "A link to a new password.",
        201,
        right=Right.TEACH,
    ),
)
