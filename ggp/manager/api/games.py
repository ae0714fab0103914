"""/games: the catalogue of games. /rules: questions about a rulesheet in an editor.

Lines and columns count from 1.
"""

from __future__ import annotations

from typing import Annotated

from aiohttp import web
from pydantic import Field

from ggp.manager.api.models import AnswerModel, CreatedAnswer, GameName, PlaceAnswer, Rules
from ggp.manager.api.route import Routes
from ggp.manager.domain.rights import Right
from ggp.manager.service import SERVICE
from ggp.manager.web.request_parts import RequestModel, name_of
from ggp.manager.web.responses import unless_left
from ggp.sandbox import questions


class RulesRequest(RequestModel):
    """A rulesheet in an editor."""

    text: Rules


class CheckRequest(RulesRequest):
    """A rulesheet to check."""

    play: bool = True
    """Whether to play some random games, to find problems that the text alone does not show."""


class SymbolRequest(RulesRequest):
    """A place in a rulesheet in an editor. Lines and columns count from 1."""

    line: Annotated[int, Field(ge=1, examples=[1])]
    column: Annotated[int, Field(ge=1, examples=[2])]


class SymbolQuestion(SymbolRequest):
    """A question about a symbol."""

    sound: Rules | None = None
    """An earlier version of the text without errors, used to explain the first state."""


class GameRequest(RequestModel):
    """A rulesheet to store under a name."""

    name: Annotated[GameName, Field(examples=["myGame"])]
    text: Rules
    with_errors: bool = False
    """Whether to store the rules even if `POST /rules/check` finds errors without playing."""


class EditAnswer(PlaceAnswer):
    """A replacement for a part of a rulesheet. Lines and columns count from 1."""

    text: str


class CureAnswer(AnswerModel):
    """A change of a rulesheet that resolves a finding."""

    title: str
    edits: list[EditAnswer]
    """The edits do not overlap. Their places refer to the text before any of the edits."""


class FindingAnswer(AnswerModel):
    """A problem in a rulesheet, and its place. Lines and columns count from 1."""

    severity: str
    code: str
    message: str
    line: int
    column: int
    length: int
    cures: list[CureAnswer]
    """Empty if only the author can know how to fix the problem."""


class SymbolAnswer(AnswerModel):
    """Information on a symbol."""

    text: str
    """Markdown. Empty if there is no symbol at this place."""
    definitions: list[PlaceAnswer]
    uses: list[PlaceAnswer]
    """All places of the symbol, including its definitions."""


class WordAnswer(AnswerModel):
    """A word that completes a rulesheet."""

    word: str
    detail: str
    """The names of the word's arguments, or their number."""
    kind: str


class WordsAnswer(AnswerModel):
    """Words that may stand at a place, most likely first."""

    begun: PlaceAnswer
    """The place of the part of the word that is already written."""
    words: list[WordAnswer]


class GameAnswer(AnswerModel):
    """A game in the catalogue."""

    name: str
    title: str
    roles: list[str]
    rules: str
    bundled: Annotated[bool, Field(validation_alias="is_bundled")]


routes = Routes()


@routes.add("GET /games", Right.LOOK)
async def list_games(request: web.Request) -> list[GameAnswer]:
    """Return the bundled games, then the added ones."""
    return GameAnswer.each(await request.app[SERVICE].catalogue.entries())


@routes.add("POST /games", Right.HOLD, status=201)
async def add_game(request: web.Request, body: GameRequest) -> CreatedAnswer:
    """Store a playable rulesheet under a name. It replaces an earlier one with the same name."""
    number = await request.app[SERVICE].catalogue.add(
        body.name, body.text, with_errors=body.with_errors
    )
    return CreatedAnswer(number=number)


@routes.add("GET /games/{name}/rules", Right.LOOK, media="text/plain")
async def show_rules(request: web.Request) -> web.Response:
    """Return the rules of a game as their author wrote them."""
    return web.Response(text=(await request.app[SERVICE].catalogue.rules_of(name_of(request))).text)


@routes.add("GET /games/{name}/statistics", Right.LOOK)
async def show_statistics(request: web.Request) -> dict[str, object]:
    """Return statistics of random playouts of a game."""
    return await request.app[SERVICE].catalogue.statistics_of(name_of(request))


@routes.add("GET /games/{name}/roles", Right.LOOK)
async def list_roles(request: web.Request) -> list[str]:
    """Return the roles of a game, including `random`."""
    return list(await request.app[SERVICE].catalogue.roles_of(name_of(request)))


@routes.add("GET /games/{name}/picture", Right.LOOK, media="image/svg+xml")
async def show_picture(request: web.Request) -> web.Response:
    """Return a picture of the game's first position."""
    rules = await request.app[SERVICE].catalogue.rules_of(name_of(request))
    svg = await request.app[SERVICE].positions.first_picture(rules)
    return web.Response(text=svg, content_type="image/svg+xml")


@routes.add("POST /rules/try", Right.PLAY)
async def try_rules(request: web.Request, body: RulesRequest) -> dict[str, object]:
    """Return statistics of random playouts of a rulesheet."""
    return await request.app[SERVICE].trials.ask(questions.statistics, body.text)


@routes.add("POST /rules/check", Right.PLAY)
async def check_rules(request: web.Request, body: CheckRequest) -> list[FindingAnswer]:
    """Return the problems that `ggp check` finds in a rulesheet within a few seconds."""
    service = request.app[SERVICE]
    pool = service.trials if body.play else service.editors
    work = pool.ask(questions.check, body.text, is_played=body.play)
    return FindingAnswer.each(await unless_left(request, work))


@routes.add("POST /rules/symbol", Right.PLAY)
async def show_symbol(request: web.Request, body: SymbolQuestion) -> SymbolAnswer:
    """Return the kind of a symbol, its definition, and all places where it occurs."""
    found = await request.app[SERVICE].editors.ask(
        questions.symbol, body.text, body.line, body.column, body.sound
    )
    return SymbolAnswer.model_validate(found)


@routes.add("POST /rules/complete", Right.PLAY)
async def complete_word(request: web.Request, body: SymbolRequest) -> WordsAnswer:
    """Return the words that may stand at a place."""
    found = await request.app[SERVICE].editors.ask(
        questions.completions, body.text, body.line, body.column
    )
    return WordsAnswer.model_validate(found)


@routes.add("POST /rules/format", Right.PLAY)
async def format_rules(request: web.Request, body: RulesRequest) -> dict[str, str]:
    """Return the rulesheet in the standard layout."""
    return {"text": await request.app[SERVICE].editors.ask(questions.format_rules, body.text)}
