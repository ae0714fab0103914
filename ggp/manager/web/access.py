"""Access: who may come in, and what a page may do; checked on each request, said in each answer.

A manager on loopback is open to this machine's people, and to no page of another site that their
browser shows: the Host must be one of this machine's names, and what changes something must come
from our own pages or from no page at all. Nor may pages of others load anything from here, which
costs work even if they cannot read it; a link to one of our pages is all that they may have.
Elsewhere a token is asked for as well, or an account: `callers` sees to that.
"""

from __future__ import annotations

import hmac
from collections.abc import Awaitable, Callable
from typing import Final
from urllib.parse import urlsplit

from aiohttp import web
from aiohttp.typedefs import Middleware

from ggp.manager.config import ManagerConfig, is_loopback
from ggp.manager.web.app_keys import CONFIG
from ggp.manager.web.error_answers import error_answer
from ggp.manager.web.request_parts import PREFIX

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]

COOKIE: Final = "ggp_token"
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


def access_check(config: ManagerConfig) -> Middleware:
    """The middleware."""

    @web.middleware
    async def middleware(request: web.Request, handler: Handler) -> web.StreamResponse:
        refused = _refusal(request, config)
        if refused is not None:
            return refused
        if "token" in request.query and request.method in SAFE_METHODS and config.token:
            return _remember(request, config.token)
        return await handler(request)

    return middleware


async def add_headers(request: web.Request, response: web.StreamResponse) -> None:
    """Add the headers that say what our pages never do."""
    if request.app[CONFIG].has_accounts and not request.path.startswith("/static/"):
        # What is for one account is kept neither by a proxy nor for who uses the browser next.
        response.headers.setdefault("Cache-Control", "no-store")
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)


def _refusal(request: web.Request, config: ManagerConfig) -> web.Response | None:
    is_open = config.token is None and not config.has_accounts
    if is_open and not is_loopback(_host_of(request)):
        return error_answer(
            request, 403, f"expected the name of this machine as Host, got {request.host!r:.100}"
        )
    if config.token is not None and not _knows(request, config.token):
        return error_answer(
            request, 401, "expected the token: Authorization: Bearer TOKEN, or ?token=TOKEN once"
        )
    if _is_loaded_elsewhere(request):
        return error_answer(
            request, 403, "pages of other sites may link to this manager's pages only"
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
    given = (bearer, request.cookies.get(COOKIE, ""), request.query.get("token", ""))
    # Whatever bytes came: a header that is no UTF-8 has stray halves of surrogates in it.
    return any(hmac.compare_digest(_bytes_of(one), _bytes_of(token)) for one in given)


def _bytes_of(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _is_own(request: web.Request) -> bool:
    """Whether a change comes from our pages, or from a program, which sends neither header."""
    origin = request.headers.get("Origin")
    if origin is not None:
        return origin.partition("://")[2] == request.host
    return request.headers.get("Sec-Fetch-Site", "same-origin") in {"same-origin", "none"}


def _is_loaded_elsewhere(request: web.Request) -> bool:
    """Whether a page of another site asks for more than to go to one of our pages."""
    if request.headers.get("Sec-Fetch-Site", "none") in {"same-origin", "none"}:
        return False
    is_link = request.headers.get("Sec-Fetch-Dest") == "document"
    return not is_link or request.path.startswith(f"{PREFIX}/")


def _remember(request: web.Request, token: str) -> web.Response:
    """Take the token out of the address, where others may see it."""
    place = request.rel_url.without_query_params("token")
    response = web.Response(status=303, headers={"Location": str(place)})
    response.set_cookie(COOKIE, token, httponly=True, samesite="Strict", path="/")
    return response
