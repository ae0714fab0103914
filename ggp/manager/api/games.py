"""/games: the catalogue and what was added to it; /rules: a rulesheet in the making."""

from __future__ import annotations

from aiohttp import web

from ggp import games
from ggp.clock import milliseconds_since_1970
from ggp.manager.api import schemas
from ggp.manager.api.route import Route, body_of, name_of
from ggp.manager.catalogue import all_games
from ggp.manager.keys import service_of
from ggp.manager.problems import ConflictError
from ggp.manager.store import rulesheets
from ggp.manager.views import game_view
from ggp.sandbox import SandboxRulebook


async def list_games(request: web.Request) -> web.Response:
    """The bundled games, then those that were added here."""
    found = await all_games(service_of(request))
    return web.json_response([game_view(game) for game in found])


async def show_rules(request: web.Request) -> web.Response:
    """The rules of a game as they were written."""
    text, _ = await service_of(request).rules_of(name_of(request))
    return web.Response(text=text)


async def add_game(request: web.Request) -> web.Response:
    """Keep a rulesheet under a name, if it can be played; a later one of the name replaces it."""
    body = await body_of(request, schemas.GameRequest)
    if body.name in games.names():
        raise ConflictError(f"{body.name} is a bundled game; expected another name")
    book = await SandboxRulebook.open(body.text, body.name, service_of(request).sandboxes.editors)
    await book.close()
    now = milliseconds_since_1970()
    async with service_of(request).database.writing() as session:
        number = await rulesheets.keep(session, body.name, body.text, now)
        await rulesheets.prefer(session, number)
    return web.json_response({"number": number}, status=201)


async def list_roles(request: web.Request) -> web.Response:
    """The roles of a game, `random` too."""
    return web.json_response(list(await service_of(request).roles_of(name_of(request))))


async def show_picture(request: web.Request) -> web.Response:
    """The first position, drawn."""
    service, name = service_of(request), name_of(request)
    text, is_bundled = await service.rules_of(name)
    svg = await service.positions.first_picture(name, text, is_bundled=is_bundled)
    return web.Response(text=svg, content_type="image/svg+xml")


async def try_rules(request: web.Request) -> web.Response:
    """Statistics of random playouts of a rulesheet."""
    body = await body_of(request, schemas.RulesRequest)
    async with service_of(request).sandboxes.editors.lent() as sandbox:
        return web.json_response(await sandbox.statistics(body.text))


async def check_rules(request: web.Request) -> web.Response:
    """Problems in a rulesheet, and their places."""
    body = await body_of(request, schemas.RulesRequest)
    async with service_of(request).sandboxes.editors.lent() as sandbox:
        return web.json_response(await sandbox.check(body.text, is_played=body.play))


async def format_rules(request: web.Request) -> web.Response:
    """The rulesheet in an even layout."""
    body = await body_of(request, schemas.RulesRequest)
    async with service_of(request).sandboxes.editors.lent() as sandbox:
        return web.json_response({"text": await sandbox.format(body.text)})


async def show_statistics(request: web.Request) -> web.Response:
    """Statistics of random playouts of a game."""
    service = service_of(request)
    text, _ = await service.rules_of(name_of(request))
    async with service.sandboxes.pages.lent() as sandbox:
        return web.json_response(await sandbox.statistics(text))


ROUTES = (
    Route("GET", "/games", list_games, "The catalogue.", answer=list[schemas.Game]),
    Route(
        "POST",
        "/games",
        add_game,
        "Keep a rulesheet under a name.",
        body=schemas.GameRequest,
        answer=schemas.Created,
        status=201,
    ),
    Route("GET", "/games/{name}/rules", show_rules, "The rules as written.", media="text/plain"),
    Route(
        "GET",
        "/games/{name}/statistics",
        show_statistics,
        "What random playouts show.",
        answer=dict[str, object],
    ),
    Route("GET", "/games/{name}/roles", list_roles, "Its roles.", answer=list[str]),
    Route(
        "GET",
        "/games/{name}/picture",
        show_picture,
        "The first position.",
        media="image/svg+xml",
    ),
    Route(
        "POST",
        "/rules/try",
        try_rules,
        "What random playouts show of a rulesheet.",
        body=schemas.RulesRequest,
        answer=dict[str, object],
    ),
    Route(
        "POST",
        "/rules/check",
        check_rules,
        "What is wrong with a rulesheet, and where.",
        body=schemas.RulesRequest,
        answer=list[schemas.Finding],
    ),
    Route(
        "POST",
        "/rules/format",
        format_rules,
        "An even layout.",
        body=schemas.RulesRequest,
        answer=dict[str, str],
    ),
)
