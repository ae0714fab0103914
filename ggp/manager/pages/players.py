"""Pages of players and of accounts: who is how strong; logging in, one's own account, students."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from aiohttp import web

from ggp.manager.domain.accounts import days_left, is_below
from ggp.manager.domain.accounts import number_of as account_of
from ggp.manager.domain.passwords import MAX_PASSWORD, MIN_PASSWORD
from ggp.manager.domain.ratings import current_ratings, record_of, students_of
from ggp.manager.domain.rights import Right, Role, current_caller
from ggp.manager.store.accounts import KeyKind
from ggp.manager.store.tables import RatingRow
from ggp.manager.web.parts import ACCOUNTS, INVITATIONS, SERVICE
from ggp.manager.web.request_parts import name_of
from ggp.manager.web.responses import page
from ggp.players import registry
from ggp.protocol.dialects import DIALECTS

RECENT = 20
FIRST_PAGE = "/matches"
CHOOSING = {"min_password": MIN_PASSWORD, "max_password": MAX_PASSWORD}


@dataclass(frozen=True, slots=True)
class Bar:
    """A rating and its interval as a picture, 0..100 from left to right."""

    rating: RatingRow
    low: float
    middle: float
    high: float


def bars(ratings: Sequence[RatingRow]) -> list[Bar]:
    """All on one scale, from the lowest end of an interval to the highest."""
    if not ratings:
        return []
    lowest, highest = min(one.low for one in ratings), max(one.high for one in ratings)
    scale = 100 / max(highest - lowest, 1.0)
    return [
        Bar(one, *(round((elo - lowest) * scale, 1) for elo in (one.low, one.elo, one.high)))
        for one in ratings
    ]


async def show_players(request: web.Request) -> web.Response:
    """Registered players, how they are, a form for a new one, and how strong all are."""
    found = await request.app[SERVICE].players.visible(current_caller())
    return page(
        "players.html",
        section="/players",
        players=found,
        names=registry.names(),
        dialects=list(DIALECTS),
        uploads=request.app[SERVICE].config.submissions is not None,
        bars=bars(await current_ratings(request.app[SERVICE].database)),
    )


async def show_player(request: web.Request) -> web.Response:
    """One player: its rating, its results by game and by opponent, and its last matches."""
    name = name_of(request)
    record = await record_of(request.app[SERVICE].database, name)
    visible = await request.app[SERVICE].players.visible(current_caller())
    known = [row for row in visible if row.name == name]
    return page(
        "player.html",
        section="/players",
        player=known[0] if known else None,
        record=record,
        recent=record.results[:RECENT],
    )


async def show_login(request: web.Request) -> web.Response:
    """The form to log in, and to which page that leads."""
    return page("login.html", section="/login", next=_own_page(request.query.get("next", "")))


async def show_join(request: web.Request) -> web.Response:
    """What a link leads to: a new account, or a new password."""
    key = request.query.get("key", "")
    link = await request.app[INVITATIONS].read(key)
    is_reset = link.kind == KeyKind.RESET
    return page("join.html", section="/join", key=key, link=link, is_reset=is_reset, **CHOOSING)


async def show_me(request: web.Request) -> web.Response:
    """One's own account: password, tokens, players."""
    caller = current_caller()
    number = account_of(caller)
    visible = await request.app[SERVICE].players.visible(caller)
    return page(
        "me.html",
        section="/me",
        tokens=await request.app[ACCOUNTS].tokens(caller),
        players=[row for row in visible if row.owner_id == number],
        registers=caller.may(Right.REGISTER) and not caller.may(Right.HOLD),
        uploads=request.app[SERVICE].config.submissions is not None,
        dialects=list(DIALECTS),
        **CHOOSING,
    )


async def show_accounts(request: web.Request) -> web.Response:
    """The accounts that one looks after, and one's invitations."""
    caller = current_caller()
    invitations = await request.app[INVITATIONS].listed(caller)
    return page(
        "accounts.html",
        section="/accounts",
        accounts=await request.app[ACCOUNTS].listed(caller),
        invitations=[(row, days_left(row)) for row in invitations],
        below=[role for role in reversed(list(Role)) if is_below(role, caller)],
        is_below=lambda role: is_below(role, caller),
        roles=list(Role),
        administers=caller.may(Right.ADMINISTER),
    )


async def show_students(request: web.Request) -> web.Response:
    """The table of students."""
    found = await students_of(request.app[SERVICE].database)
    return page("students.html", section="/students", students=found)


def _own_page(place: str) -> str:
    is_own = place.startswith("/") and not place.startswith(("//", "/\\", "/login", "/join"))
    return place if is_own and place.isprintable() else FIRST_PAGE
