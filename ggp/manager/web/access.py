"""Access control: checks of each request, and security headers in each answer.

A manager on loopback is open to the people on this machine, but not to pages of other sites in
their browsers. The Host header must contain one of the manager's names, even with accounts.
Requests that change something must come from our own pages or from a program. Other sites may link
to our pages, but their pages may not load anything from the manager: even an answer that they
cannot read costs work. If the manager has another address than loopback, each request also needs a
token or an account.
"""

from __future__ import annotations

import hmac
import time
from collections.abc import AsyncIterator, Mapping
from typing import Final
from urllib.parse import quote, urlsplit

from aiohttp import web
from aiohttp.typedefs import Middleware

from ggp.manager.config import ManagerConfig
from ggp.manager.domain.accounts import Accounts
from ggp.manager.domain.rights import EVERYBODY, Caller, Right, acting, current_caller
from ggp.manager.errors import LoginError, NotAllowedError
from ggp.manager.service import ACCOUNTS, SERVICE
from ggp.manager.store.accounts import KeyKind
from ggp.manager.web.request_parts import PREFIX, number_of, seat_key
from ggp.manager.web.responses import Handler, error_answer

ACCESS_COOKIE: Final = "ggp_token"
HEALTH, READY = PROBES = ("/health", "/ready")
"""Paths at which programs without a secret can check whether the manager is alive and ready."""
SAFE_METHODS: Final = frozenset({"GET", "HEAD"})
HEADERS: Final = {
    "Content-Security-Policy": "; ".join(
        (
            "default-src 'none'",
            "script-src 'self'",
            "style-src 'self'",
            "img-src 'self' data:",
            "connect-src 'self'",
            "form-action 'self'",
            "base-uri 'none'",
            "frame-ancestors 'none'",
        )
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
Rights = Mapping[tuple[str, str], Right]
"""Maps each method and path, as aiohttp spells the path, to the right that it needs."""
SESSION_COOKIE: Final = "ggp_session"
BEARER: Final = "Bearer "
LOOK_SECONDS: Final = 3600.0
"""Longest time between two checks that the receiver of a stream is still logged in."""


def access_check(config: ManagerConfig) -> Middleware:
    """Return the middleware that checks host, token and origin of each request."""

    @web.middleware
    async def middleware(request: web.Request, handler: Handler) -> web.StreamResponse:
        refused = None if request.path in PROBES else _refusal(request, config)
        if refused is not None:
            return refused
        if "token" in request.query and request.method in SAFE_METHODS and config.token:
            return _remember(request, config.token)
        return await handler(request)

    return middleware


async def add_headers(request: web.Request, response: web.StreamResponse) -> None:
    """Add the headers that make browsers block everything that our pages never do."""
    if request.app[SERVICE].config.has_accounts and not request.path.startswith("/static/"):
        # Neither a proxy nor the browser's next user may get a cached page of an account.
        response.headers.setdefault("Cache-Control", "no-store")
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)


def _refusal(request: web.Request, config: ManagerConfig) -> web.Response | None:
    host = _host_of(request)
    if config.token is None and not config.is_named(host):
        hint = f"; start the manager with --name {host:.100}" if config.has_accounts else ""
        return error_answer(
            request,
            403,
            f"expected the name of this machine as Host, got {request.host!r:.100}{hint}",
        )
    if config.token is not None and not _knows(request, config.token):
        return error_answer(
            request, 401, "expected the token: Authorization: Bearer TOKEN, or ?token=TOKEN once"
        )
    if _is_loaded_elsewhere(request):
        return error_answer(
            request, 403, "pages of other sites may only link to this manager's pages"
        )
    if request.method not in SAFE_METHODS and not _is_own(request):
        return error_answer(request, 403, "a change must come from this manager's own pages")
    return None


def _host_of(request: web.Request) -> str:
    try:
        return urlsplit(f"//{request.host}").hostname or ""
    except ValueError:
        return ""


def _knows(request: web.Request, token: str) -> bool:
    bearer = request.headers.get("Authorization", "").removeprefix("Bearer ")
    given = (bearer, request.cookies.get(ACCESS_COOKIE, ""), request.query.get("token", ""))
    # A header that is not UTF-8 contains lone surrogates, which strict encoding rejects.
    return any(hmac.compare_digest(_bytes_of(one), _bytes_of(token)) for one in given)


def _bytes_of(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _is_own(request: web.Request) -> bool:
    """Return whether a change comes from our pages or from a program.

    Browsers send an `Origin` or `Sec-Fetch-Site` header, programs send neither.
    """
    origin = request.headers.get("Origin")
    if origin is not None:
        # A TLS proxy names the scheme in a header. A page of this host without TLS is not ours.
        scheme = request.headers.get("X-Forwarded-Proto", request.scheme)
        return origin == f"{scheme}://{request.host}"
    return request.headers.get("Sec-Fetch-Site", "same-origin") in {"same-origin", "none"}


def _is_loaded_elsewhere(request: web.Request) -> bool:
    """Return whether a page of another site loads something from us instead of linking to us."""
    if request.headers.get("Sec-Fetch-Site", "none") in {"same-origin", "none"}:
        return False
    is_link = request.headers.get("Sec-Fetch-Dest") == "document"
    return not is_link or request.path.startswith(f"{PREFIX}/")


def _remember(request: web.Request, token: str) -> web.Response:
    place = request.rel_url.without_query_params("token")
    response = web.Response(status=303, headers={"Location": str(place)})
    response.set_cookie(ACCESS_COOKIE, token, httponly=True, samesite="Strict", path="/")
    return response


def rights_check(accounts: Accounts | None, rights: Rights) -> Middleware:
    """Return the middleware that identifies the caller and checks the right for the request."""

    @web.middleware
    async def middleware(request: web.Request, handler: Handler) -> web.StreamResponse:
        caller = EVERYBODY if accounts is None else await _find(request, accounts)
        right = needed_right(request, rights)
        with acting(caller):
            if caller.may(right):
                await _check_held(request)
                return await handler(request)
            if caller.role is not None:
                raise NotAllowedError(
                    f"a {caller.role} may not do this; it needs the right to {right}"
                )
            if _is_page(request):
                return web.Response(
                    status=303, headers={"Location": f"/login?next={quote(request.path_qs)}"}
                )
            raise LoginError(
                "this request needs an account: log in at /login, or send Authorization: "
                "Bearer TOKEN with a token that you made at /me"
            )

    return middleware


async def _check_held(request: web.Request) -> None:
    """Check that the caller may see the match in the path of a request.

    This one check covers the pages, turns, events, records, pictures and reports of a match.
    """
    if _canonical(request).removeprefix(PREFIX).startswith("/matches/{number}"):
        await request.app[SERVICE].held.check_match(number_of(request), seat_key(request))


def needed_right(request: web.Request, rights: Rights) -> Right:
    """Return the right that a request needs. If no route fits the request, return `Right.LOOK`."""
    if request.match_info.http_exception is not None:
        return Right.LOOK
    method = "GET" if request.method == "HEAD" else request.method
    return rights.get((method, _canonical(request)), Right.ADMINISTER)


def _canonical(request: web.Request) -> str:
    """Return the path of a request with names in place of its numbers, or "" if there is none."""
    resource = request.match_info.route.resource
    return "" if resource is None else resource.canonical


def session_key(request: web.Request) -> str:
    """Return the key of the browser's session, or an empty string if there is none."""
    return request.cookies.get(SESSION_COOKIE, "")


def remember_session(request: web.Request, response: web.Response, key: str) -> None:
    """Make the browser store the key of a session. If `key` is empty, delete the stored key."""
    # Lax: users who follow a link in a message stay logged in. Forged changes fail in `_is_own`.
    is_secure = request.secure or request.headers.get("X-Forwarded-Proto", "") == "https"
    if key:
        response.set_cookie(
            SESSION_COOKIE, key, httponly=True, samesite="Lax", secure=is_secure, path="/"
        )
    else:
        response.del_cookie(
            SESSION_COOKIE, path="/", httponly=True, samesite="Lax", secure=is_secure
        )


async def _find(request: web.Request, accounts: Accounts) -> Caller:
    given = request.headers.get("Authorization", "")
    if given:  # a token has priority over the cookie
        return await accounts.caller(given.removeprefix(BEARER).strip(), KeyKind.TOKEN)
    return await accounts.caller(session_key(request), KeyKind.SESSION)


async def while_allowed(request: web.Request, chunks: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """Yield the chunks of a long answer about a match.

    Stop once the caller's login is no longer valid, or once the match is hidden from the caller.
    """
    accounts, caller = request.app.get(ACCOUNTS), current_caller()
    held = request.app[SERVICE].held
    number, looked, held_changes = -1, -LOOK_SECONDS, held.num_changes
    async for chunk in chunks:
        if accounts is not None and (
            accounts.num_ended != number or time.monotonic() > looked + LOOK_SECONDS
        ):
            number, looked = accounts.num_ended, time.monotonic()
            if await _find(request, accounts) != caller:
                return
        if held.num_changes != held_changes:
            held_changes = held.num_changes
            if await held.is_match_hidden(number_of(request), seat_key(request)):
                return
        yield chunk


def _is_page(request: web.Request) -> bool:
    wants_page = "text/html" in request.headers.get("Accept", "")
    return wants_page and request.method == "GET" and not request.path.startswith("/api/")
