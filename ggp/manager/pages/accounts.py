"""The pages that exist only on a manager with accounts: login, own account, and other accounts."""

from __future__ import annotations

from aiohttp import web

from ggp.clock import milliseconds_since_1970
from ggp.manager.domain.accounts import days_left, is_below
from ggp.manager.domain.calendar import NAMES
from ggp.manager.domain.passwords import MAX_PASSWORD, MIN_PASSWORD
from ggp.manager.domain.rights import Right, Role, current_caller
from ggp.manager.domain.students import students_of
from ggp.manager.hosting.scrimmages import Accepts
from ggp.manager.service import ACCOUNTS, INVITATIONS, MESSAGES, SERVICE, TEAMS
from ggp.manager.store import versions
from ggp.manager.store.accounts import KeyKind
from ggp.manager.store.tables import digest_of
from ggp.manager.web.responses import page
from ggp.protocol.dialects import DIALECTS

FIRST_PAGE = "/matches"
CHOOSING = {"min_password": MIN_PASSWORD, "max_password": MAX_PASSWORD}


async def show_login(request: web.Request) -> web.Response:
    """Show the login form. After logging in, the user gets to the page that the query names."""
    return page("login.html", section="/login", next=_own_page(request.query.get("next", "")))


async def show_join(request: web.Request) -> web.Response:
    """Show the form that a link opens, which creates an account or sets a new password."""
    key = request.query.get("key", "")
    link = await request.app[INVITATIONS].read(key)
    is_reset = link.kind == KeyKind.RESET
    return page("join.html", section="/join", key=key, link=link, is_reset=is_reset, **CHOOSING)


async def show_me(request: web.Request) -> web.Response:
    """Show the caller's account: password, tokens, players and files."""
    caller = current_caller()
    visible = await request.app[SERVICE].players.visible(caller)
    own = [row for row in visible if row.owner_id in caller.owners]
    files = await request.app[SERVICE].players.uploads.listed(caller)
    used = {
        row.name: {
            digest_of(version.source)
            for version in await request.app[SERVICE].database.read(versions.listed, row.id)
        }
        for row in own
    }
    subscription, messages = await request.app[MESSAGES].of(caller)
    return page(
        "me.html",
        section="/me",
        tokens=await request.app[ACCOUNTS].tokens(caller),
        players=own,
        files=[
            (file, [name for name, digests in used.items() if file.digest in digests])
            for file in files
        ],
        registers=caller.may(Right.REGISTER) and not caller.may(Right.HOLD),
        at_addresses=bool(request.app[SERVICE].config.player_networks),
        uploads=request.app[SERVICE].config.submissions is not None,
        dialects=list(DIALECTS),
        calendar=request.app[SERVICE].calendar,
        webhooks=bool(request.app[SERVICE].config.webhook_networks),
        mails=bool(request.app[SERVICE].config.mail_server),
        trials=await request.app[SERVICE].pass_marks.trials(caller),
        subscription=subscription,
        messages=messages,
        team=await request.app[TEAMS].of(caller),
        team_size=request.app[TEAMS].max_members,
        **CHOOSING,
    )


async def show_scrimmages(request: web.Request) -> web.Response:
    """Show the caller's requests for scrimmages, and a form for a new one."""
    service, caller = request.app[SERVICE], current_caller()
    is_student = caller.owner is not None
    visible = await service.players.visible(caller)
    return page(
        "scrimmages.html",
        section="/scrimmages",
        is_student=is_student,
        rows=[
            (row, row.status_at(milliseconds_since_1970()), row.owner_id in caller.owners)
            for row in await service.scrimmages.listed(caller)
        ],
        accepts=await service.scrimmages.accepts(caller) if is_student else "",
        choices=list(Accepts),
        own=[row.name for row in visible if row.owner_id in caller.owners],
        opponents=await service.scrimmages.opponents(caller),
        games=await service.catalogue.entries(),
    )


async def show_accounts(request: web.Request) -> web.Response:
    """Show the accounts that the caller manages, and the caller's invitations."""
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
    """Show the table of students."""
    service = request.app[SERVICE]
    return page(
        "students.html",
        section="/students",
        students=await students_of(service.database, service.ratings),
        calendar=service.calendar,
        kinds=NAMES,
        marks=await service.pass_marks.listed(),
        trials=await service.pass_marks.trials(current_caller()),
        games=[game for game in await service.catalogue.entries() if len(game.roles) == 2],
        teams=await request.app[TEAMS].listed(),
        team_size=request.app[TEAMS].max_members,
        now=milliseconds_since_1970(),
    )


def _own_page(place: str) -> str:
    is_own = place.startswith("/") and not place.startswith(("//", "/\\", "/login", "/join"))
    return place if is_own and place.isprintable() else FIRST_PAGE
