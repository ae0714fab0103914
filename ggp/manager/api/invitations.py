"""/invitations: to accounts of lower roles; /join and /reset: what comes of a link."""

from __future__ import annotations

from aiohttp import web

from ggp.manager.api.account_parts import (
    InvitationAnswer,
    InvitationRequest,
    KeyAnswer,
    NewAccountRequest,
    NewPasswordRequest,
)
from ggp.manager.api.accounts import logged_in
from ggp.manager.api.answers import Nothing
from ggp.manager.api.route import Route
from ggp.manager.domain.rights import Right
from ggp.manager.web.app_keys import INVITATIONS
from ggp.manager.web.callers import current_caller
from ggp.manager.web.request_parts import number_of


async def list_invitations(request: web.Request) -> list[InvitationAnswer]:
    """One's own that are good for something, the newest first."""
    found = await request.app[INVITATIONS].listed(current_caller())
    return [InvitationAnswer.model_validate(row) for row in found]


async def invite(request: web.Request, body: InvitationRequest) -> KeyAnswer:
    """A key for `/join?key=KEY`, by which accounts of a lower role are made."""
    row, key = await request.app[INVITATIONS].invite(
        current_caller(), body.role, body.accounts, body.days
    )
    return KeyAnswer(id=row.id, key=key)


async def withdraw(request: web.Request) -> Nothing:
    """End one of one's invitations; accounts that were made with it stay."""
    await request.app[INVITATIONS].withdraw(current_caller(), number_of(request))
    return Nothing()


async def join(request: web.Request, body: NewAccountRequest) -> web.Response:
    """Make an account by a link, and log in: the answer sets a cookie."""
    key = await request.app[INVITATIONS].join(body.key, body.name, body.password)
    return logged_in(request, key)


async def reset(request: web.Request, body: NewPasswordRequest) -> web.Response:
    """Choose a new password by a link, and log in: the answer sets a cookie."""
    return logged_in(request, await request.app[INVITATIONS].reset(body.key, body.password))


ROUTES = (
    Route("GET", "/invitations", list_invitations, "One's invitations.", right=Right.TEACH),
    Route("POST", "/invitations", invite, "Invite.", status=201, right=Right.TEACH),
    Route("DELETE", "/invitations/{number}", withdraw, "End an invitation.", right=Right.TEACH),
    Route("POST", "/join", join, "Make an account.", streamed=Nothing, right=Right.ENTER),
    Route("POST", "/reset", reset, "A new password.", streamed=Nothing, right=Right.ENTER),
)
