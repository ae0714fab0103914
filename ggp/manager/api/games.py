"""/games: the catalogue and what was added to it; /rules: a rulesheet in the making."""

from __future__ import annotations

from aiohttp import web

from ggp.manager.api.answers import CreatedAnswer, GameAnswer
from ggp.manager.api.requests import (
    GameRequest,
    PositionRequest,
    RulesRequest,
    SymbolQuestion,
    SymbolRequest,
    WhyRequest,
)
from ggp.manager.api.route import Route
from ggp.manager.api.rules_answers import (
    FindingAnswer,
    RulesPositionAnswer,
    SymbolAnswer,
    WhyAnswer,
    WordsAnswer,
)
from ggp.manager.domain.rights import Right
from ggp.manager.web.app_keys import CATALOGUE, EDITORS, POSITIONS
from ggp.manager.web.request_parts import name_of


async def list_games(request: web.Request) -> list[GameAnswer]:
    """The bundled games, then those that were added here."""
    return [GameAnswer.model_validate(game) for game in await request.app[CATALOGUE].entries()]


async def show_rules(request: web.Request) -> web.Response:
    """The rules of a game as they were written."""
    return web.Response(text=(await request.app[CATALOGUE].rules_of(name_of(request))).text)


async def add_game(request: web.Request, body: GameRequest) -> CreatedAnswer:
    """Keep a rulesheet under a name, if it can be played; a later one of the name replaces it."""
    return CreatedAnswer(number=await request.app[CATALOGUE].add(body.name, body.text))


async def list_roles(request: web.Request) -> list[str]:
    """The roles of a game, `random` too."""
    return list(await request.app[CATALOGUE].roles_of(name_of(request)))


async def show_picture(request: web.Request) -> web.Response:
    """The first position, drawn."""
    rules = await request.app[CATALOGUE].rules_of(name_of(request))
    svg = await request.app[POSITIONS].first_picture(rules)
    return web.Response(text=svg, content_type="image/svg+xml")


async def try_rules(request: web.Request, body: RulesRequest) -> dict[str, object]:
    """Statistics of random playouts of a rulesheet."""
    async with request.app[EDITORS].lent() as sandbox:
        return await sandbox.statistics(body.text)


async def check_rules(request: web.Request, body: RulesRequest) -> list[FindingAnswer]:
    """Problems in a rulesheet, and their places."""
    async with request.app[EDITORS].lent() as sandbox:
        found = await sandbox.check(body.text, is_played=body.play)
    return [FindingAnswer.model_validate(one) for one in found]


async def show_symbol(request: web.Request, body: SymbolQuestion) -> SymbolAnswer:
    """What a symbol is, where it is defined, and all its places."""
    async with request.app[EDITORS].lent() as sandbox:
        found = await sandbox.symbol(body.text, body.line, body.column, body.sound)
    return SymbolAnswer.model_validate(found)


async def complete_word(request: web.Request, body: SymbolRequest) -> WordsAnswer:
    """Words that may stand at a place."""
    async with request.app[EDITORS].lent() as sandbox:
        found = await sandbox.completions(body.text, body.line, body.column)
    return WordsAnswer.model_validate(found)


async def show_position(request: web.Request, body: PositionRequest) -> RulesPositionAnswer:
    """The position after moves: what is true, and what each role may do."""
    async with request.app[EDITORS].lent() as sandbox:
        found = await sandbox.position(body.text, body.moves)
    return RulesPositionAnswer.model_validate(found)


async def explain(request: web.Request, body: WhyRequest) -> WhyAnswer:
    """Why a fact holds in a position, or what is missing for it."""
    async with request.app[EDITORS].lent() as sandbox:
        found = await sandbox.why(body.text, body.fact, body.moves, body.next, depth=body.depth)
    return WhyAnswer.model_validate(found)


async def format_rules(request: web.Request, body: RulesRequest) -> dict[str, str]:
    """The rulesheet in an even layout."""
    async with request.app[EDITORS].lent() as sandbox:
        return {"text": await sandbox.format(body.text)}


async def show_statistics(request: web.Request) -> dict[str, object]:
    """Statistics of random playouts of a game."""
    return await request.app[CATALOGUE].statistics_of(name_of(request))


ROUTES = (
    Route("GET", "/games", list_games, "The catalogue.", right=Right.LOOK),
    Route(
        "POST", "/games", add_game, "Keep a rulesheet under a name.", status=201, right=Right.HOLD
    ),
    Route(
        "GET",
        "/games/{name}/rules",
        show_rules,
        "The rules as written.",
        media="text/plain",
        right=Right.LOOK,
    ),
    Route(
        "GET",
        "/games/{name}/statistics",
        show_statistics,
        "What random playouts show.",
        right=Right.LOOK,
    ),
    Route("GET", "/games/{name}/roles", list_roles, "Its roles.", right=Right.LOOK),
    Route(
        "GET",
        "/games/{name}/picture",
        show_picture,
        "The first position.",
        media="image/svg+xml",
        right=Right.LOOK,
    ),
    Route(
        "POST",
        "/rules/try",
        try_rules,
        "What random playouts show of a rulesheet.",
        right=Right.PLAY,
    ),
    Route(
        "POST",
        "/rules/check",
        check_rules,
        "What is wrong with a rulesheet, and where.",
        right=Right.PLAY,
    ),
    Route(
        "POST",
        "/rules/symbol",
        show_symbol,
        "What is known of a symbol of a rulesheet.",
        right=Right.PLAY,
    ),
    Route(
        "POST",
        "/rules/complete",
        complete_word,
        "Words that may stand at a place.",
        right=Right.PLAY,
    ),
    Route("POST", "/rules/position", show_position, "A position of a rulesheet.", right=Right.PLAY),
    Route(
        "POST",
        "/rules/why",
        explain,
        "Why a fact holds in a position, or why not.",
        right=Right.PLAY,
    ),
    Route("POST", "/rules/format", format_rules, "An even layout.", right=Right.PLAY),
)
