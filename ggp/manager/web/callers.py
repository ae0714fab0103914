"""Who asks: found before anything is answered, and known wherever the answer is made."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final
from urllib.parse import quote

from aiohttp import web
from aiohttp.typedefs import Middleware

from ggp.manager.domain.accounts import Accounts
from ggp.manager.domain.rights import EVERYBODY, NOBODY, Caller, Right
from ggp.manager.errors import LoginError, NotAllowedError
from ggp.manager.store.account_tables import KeyKind

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
Rights = Mapping[tuple[str, str], Right]
"""Of each method and place, as aiohttp spells it: the right that it needs."""

COOKIE: Final = "ggp_session"
BEARER: Final = "Bearer "
_caller: Final[ContextVar[Caller]] = ContextVar("caller", default=NOBODY)


def current_caller() -> Caller:
    """Whoever asks for what is answered now."""
    return _caller.get()


@contextmanager
def acting(caller: Caller) -> Iterator[None]:
    """Answer somebody inside the `with`."""
    before = _caller.set(caller)
    try:
        yield
    finally:
        _caller.reset(before)


def rights_check(accounts: Accounts | None, rights: Rights) -> Middleware:
    """The middleware that finds out who asks, and refuses what the role may not do.

    Args:
        accounts: None where everybody may do everything.
        rights: Of everything that is there; what is missing needs `Right.ADMINISTER`.
    """

    @web.middleware
    async def middleware(request: web.Request, handler: Handler) -> web.StreamResponse:
        caller = EVERYBODY if accounts is None else await _find(request, accounts)
        right = needed_right(request, rights)
        with acting(caller):
            if caller.may(right):
                return await handler(request)
            if caller.role is not None:
                raise NotAllowedError(f"a {caller.role} may not do this; it needs: to {right}")
            if _is_page(request):
                return web.Response(
                    status=303, headers={"Location": f"/login?next={quote(request.path_qs)}"}
                )
            raise LoginError(
                "expected an account: log in at /login, or Authorization: Bearer TOKEN with a "
                "token that you made at /me"
            )

    return middleware


def needed_right(request: web.Request, rights: Rights) -> Right:
    """The right that a request needs; what is not there may be looked for by all who may look."""
    if request.match_info.http_exception is not None:
        return Right.LOOK
    resource = request.match_info.route.resource
    place = "" if resource is None else resource.canonical
    method = "GET" if request.method == "HEAD" else request.method
    return rights.get((method, place), Right.ADMINISTER)


def session_key(request: web.Request) -> str:
    """The key of the session in which a browser asks; empty if there is none."""
    return request.cookies.get(COOKIE, "")


def remember(request: web.Request, response: web.Response, key: str) -> None:
    """Have the browser keep a session's key, or forget it (empty)."""
    # Lax: who follows a link in a message stays logged in; changes are asked for more (`access`).
    is_secure = request.secure or request.headers.get("X-Forwarded-Proto", "") == "https"
    if key:
        response.set_cookie(COOKIE, key, httponly=True, samesite="Lax", secure=is_secure, path="/")
    else:
        response.del_cookie(COOKIE, path="/", httponly=True, samesite="Lax", secure=is_secure)


async def _find(request: web.Request, accounts: Accounts) -> Caller:
    given = request.headers.get("Authorization", "")
    if given:  # whoever says a token means it, and no cookie
        return await accounts.caller(given.removeprefix(BEARER).strip(), KeyKind.TOKEN)
    return await accounts.caller(session_key(request), KeyKind.SESSION)


def _is_page(request: web.Request) -> bool:
    wants_page = "text/html" in request.headers.get("Accept", "")
    return wants_page and request.method == "GET" and not request.path.startswith("/api/")
