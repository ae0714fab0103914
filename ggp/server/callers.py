"""The sender of a message: which manager, and whether it is a page that a browser shows.

A page may be a manager: Gamemaster is one. But any page may send messages to a server that the
browser can reach, so it may not touch the matches of others; see `docs/decisions`.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from aiohttp import hdrs, web

from ggp.listener.bounds import home_of
from ggp.server.config import ANY_PAGE, ServerConfig
from ggp.server.replies import RefusalError

MAX_PAGE_CHARACTERS = 300
BLIND_MODES = frozenset({"navigate", "no-cors"})
"""In which a browser does not show the reply to the page that asked."""
FOREIGN_SITES = frozenset({"cross-site", "same-site"})


@dataclass(frozen=True, slots=True)
class Caller:
    """Whose message it is; only who began a match may speak of it."""

    address: str = ""
    """The client's address, or the network of addresses that are one manager."""
    page: str = ""
    """The origin of the page that sends it; empty if no page of another site does."""
    is_blind: bool = field(default=False, compare=False)
    """Whether the page that sends it cannot read the reply, and so is no manager."""

    def __str__(self) -> str:
        return f"{self.page} at {self.address}" if self.page else self.address


NOBODY = Caller()
"""A caller without a network in between."""


def caller_of(request: web.BaseRequest, config: ServerConfig) -> Caller:
    """The caller that sends a request.

    Raises:
        RefusalError: It is a page that may not.
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
