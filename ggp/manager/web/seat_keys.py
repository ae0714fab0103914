"""Keys of seats: by which a person is known who sees more of a match than others do.

Whoever sets a match of hidden information up is told a key for each person. The page of the match
is opened with it once, `?seat=KEY`; the browser keeps it in a cookie. Programs say it each time.
"""

from __future__ import annotations

from typing import Final

from aiohttp import web

from ggp.manager.domain.sight import is_seat_of
from ggp.manager.errors import NotAllowedError
from ggp.manager.store.tables import MatchRow
from ggp.manager.web.request_parts import SEAT, number_of

COOKIE_SECONDS: Final = 30 * 24 * 3600


def seat_key(request: web.Request) -> str:
    """The key with which somebody asks about a match; empty if there is none."""
    return request.query.get(SEAT, "") or request.cookies.get(_cookie(number_of(request)), "")


def check_seat(request: web.Request, match: MatchRow, role: str) -> None:
    """See that whoever asks may act for a role.

    Raises:
        NotAllowedError: Its seat has another key.
    """
    if not is_seat_of(match, role, seat_key(request)):
        raise NotAllowedError(
            f"the seat of {role:.100} has a key, which whoever set the match up was told; "
            f"expected ?{SEAT}=KEY"
        )


def remember(request: web.Request) -> web.Response:
    """Have the browser keep a key, out of the address, where others may see it."""
    place = request.rel_url.without_query_params(SEAT)
    response = web.Response(status=303, headers={"Location": str(place)})
    # Lax: who follows a link in a message is to sit there at once.
    response.set_cookie(
        _cookie(number_of(request)),
        request.query[SEAT],
        max_age=COOKIE_SECONDS,
        httponly=True,
        samesite="Lax",
        path="/",
    )
    return response


def _cookie(number: int) -> str:
    return f"ggp_seat_{number}"
