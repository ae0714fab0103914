"""Pages of accounts: log in, follow a link, one's own, those that one looks after, students."""

from __future__ import annotations

from aiohttp import web

from ggp.manager.domain.accounts import is_below
from ggp.manager.domain.accounts import number_of as account_of
from ggp.manager.domain.invitations import days_left
from ggp.manager.domain.passwords import MAX_PASSWORD, MIN_PASSWORD
from ggp.manager.domain.rights import Right, Role
from ggp.manager.domain.students import students_of
from ggp.manager.store.account_tables import KeyKind
from ggp.manager.web.app_keys import ACCOUNTS, CONFIG, DATABASE, INVITATIONS, PLAYERS
from ggp.manager.web.callers import current_caller
from ggp.manager.web.rendering import page
from ggp.protocol.dialects import MANNERS

FIRST_PAGE = "/matches"
CHOOSING = {"min_password": MIN_PASSWORD, "max_password": MAX_PASSWORD}


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
    visible = await request.app[PLAYERS].visible(caller)
    return page(
        "me.html",
        section="/me",
        tokens=await request.app[ACCOUNTS].tokens(caller),
        players=[row for row in visible if row.owner_id == number],
        registers=caller.may(Right.REGISTER) and not caller.may(Right.HOLD),
        uploads=request.app[CONFIG].submissions is not None,
        dialects=list(MANNERS),
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
    found = await students_of(request.app[DATABASE])
    return page("students.html", section="/students", students=found)


def _own_page(place: str) -> str:
    """Where to go after logging in: a page of this manager, whatever a link says."""
    is_own = place.startswith("/") and not place.startswith(("//", "/\\", "/login", "/join"))
    return place if is_own and place.isprintable() else FIRST_PAGE
