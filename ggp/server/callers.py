"""The sender of a message: which manager it is, or which page in a browser.

A page may be a manager, for example Gamemaster. But any page can send messages to any server that
the browser can reach. So a page must not affect matches that other callers began. See
`docs/decisions`.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from aiohttp import hdrs, web

from ggp.listener.bounds import home_of
from ggp.server.config import ANY_PAGE, ServerConfig
from ggp.server.replies import RefusalError

MAX_PAGE_CHARACTERS = 300
BLIND_MODES = frozenset({"navigate", "no-cors"})
"""Request modes in which a browser hides the reply from the page that sent the request."""
FOREIGN_SITES = frozenset({"cross-site", "same-site"})


@dataclass(frozen=True, slots=True)
class Caller:
    """The sender of a message. Only the caller that began a match may send messages about it."""

    address: str = ""
    """The client's address, or the network of addresses that belongs to one manager."""
    page: str = ""
    """The origin of the page that sent the message. Empty if no page of another site sent it."""
    is_blind: bool = field(default=False, compare=False)
    """Whether the sender is a page that cannot read the reply, so it is not a manager."""

    def __str__(self) -> str:
        return f"{self.page} at {self.address}" if self.page else self.address


UNKNOWN_CALLER = Caller()
"""A caller in this process, with no network in between."""


def caller_of(request: web.BaseRequest, config: ServerConfig) -> Caller:
    """Return the caller that sent a request.

    Raises:
        RefusalError: The caller is a page that is not allowed.
    """
    client = request.remote or ""
    home = home_of(client, config.one_manager)
    page = request.headers.get(hdrs.ORIGIN, "")[:MAX_PAGE_CHARACTERS]
    is_foreign = request.headers.get("Sec-Fetch-Site", "") in FOREIGN_SITES
    if page and ANY_PAGE not in config.allowed_pages and page not in config.allowed_pages:
        expected = f"expected a page that --allow-page names, got: {page}"
        raise RefusalError(403, expected)
    is_blind = is_foreign and request.headers.get("Sec-Fetch-Mode", "") in BLIND_MODES
    return Caller(str(home or client), page, is_blind)
