"""/games: the catalogue and what was added to it; /rules: a rulesheet in the making.

Lines and columns count from 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from aiohttp import web
from pydantic import AfterValidator, Field, field_validator

from ggp.manager.api.models import AnalysisAnswer, AnswerModel, CreatedAnswer, GameName, Role
from ggp.manager.api.route import Routes
from ggp.manager.domain.people import check_plays_nothing_rated
from ggp.manager.domain.rights import Right, current_caller
from ggp.manager.errors import WrongRequestError
from ggp.manager.hosting.position_search import Hint
from ggp.manager.service import SERVICE
from ggp.manager.web.request_parts import RequestModel, name_of
from ggp.manager.web.responses import unless_left
from ggp.rulesheets import one_line_end
from ggp.sandbox import position_questions, questions
from ggp.sandbox.position_questions import MAX_TURNS

GAME = (
    "(role me) (init waiting) (legal me go) (<= (next done) (does me go)) "
    "(<= terminal (true done)) (goal me 100)"
)
MOST_DEPTH = 12
"""Rules one under the other in an explanation."""
Rules = Annotated[
    str, Field(min_length=1, max_length=1_000_000, examples=[GAME]), AfterValidator(one_line_end)
]
Joint = Annotated[
    list[Annotated[str, Field(min_length=1, max_length=1000)]],
    Field(max_length=64, examples=[["(mark 2 2)", "noop"]]),
]
Moves = Annotated[list[Joint], Field(max_length=MAX_TURNS, examples=[[["(mark 2 2)", "noop"]]])]
Fact = Annotated[str, Field(min_length=1, max_length=1000, examples=["terminal"])]
"""Which is asked about: `(legal white noop)`, `(not terminal)`, `(goal white ?n)`."""
Depth = Annotated[int, Field(ge=1, le=MOST_DEPTH)]
"""How many rules deep it is explained."""


class RulesRequest(RequestModel):
    """A rulesheet as it stands in an editor."""

    text: Rules


class CheckRequest(RulesRequest):
    """A rulesheet that is to be checked."""

    play: bool = True
    """Whether some random games are played, to find what the text does not show."""


class SymbolRequest(RequestModel):
    """A place in a rulesheet as it stands in an editor; lines and columns count from 1."""

    text: Rules
    line: Annotated[int, Field(ge=1, examples=[1])]
    column: Annotated[int, Field(ge=1, examples=[2])]


class SymbolQuestion(SymbolRequest):
    """A symbol that is asked about."""

    sound: Rules | None = None
    """An earlier text without errors, by which the first state is explained."""


class PositionRequest(RequestModel):
    """A position of a rulesheet as it stands in an editor, or of a game that is kept."""

    text: Annotated[Rules | None, Field(examples=[GAME])] = None
    game: GameName | None = None
    """The name of a game, in place of a text."""
    moves: Moves = Field(default_factory=list)
    """The joint moves that lead there, each with a move of each role; the outer parentheses of a
    move may be left out."""


class DrawnPositionRequest(PositionRequest):
    """Such a position, also after turns that are played at random, and its picture."""

    random: Annotated[int, Field(ge=0, le=MAX_TURNS)] = 0
    """Turns at random after the moves; fewer where the game ends, or takes too long."""
    seed: int | None = None
    """The same one plays the same; without one it is other turns each time."""
    picture: bool = False
    """Whether it is drawn."""


class AnalysisRequest(PositionRequest):
    """Such a position, which is to be searched."""

    role: Role | None = None
    """Whose moves are searched; null: those of each role that has a choice, for an equal time."""
    seconds: Annotated[float, Field(gt=0, le=10)] = 2.0
    """In all; where many moves lead there, making them takes more."""


class WhyQuery(RequestModel):
    """A question about a position."""

    fact: Fact
    depth: Depth = 4


class WhyRequest(PositionRequest):
    """A question about such a position."""

    fact: Fact
    next: Joint | None = None
    """What is done there, for facts that depend on it."""
    depth: Depth = 4


class GameRequest(RequestModel):
    """A rulesheet to keep under a name."""

    name: Annotated[GameName, Field(examples=["myGame"])]
    text: Rules
    with_errors: bool = False
    """Whether they are kept though `POST /rules/check`, without `play`, finds errors in them."""


class EditAnswer(AnswerModel):
    """Another text for a place of a rulesheet: lines and columns count from 1."""

    line: int
    column: int
    length: int
    text: str


class CureAnswer(AnswerModel):
    """A change of a rulesheet that does what a finding asks for."""

    title: str
    edits: list[EditAnswer]
    """They do not overlap; the places are those before any of them."""


class FindingAnswer(AnswerModel):
    """A problem in a rulesheet, and its place: lines and columns count from 1."""

    severity: str
    code: str
    message: str
    line: int
    column: int
    length: int
    cures: list[CureAnswer]
    """None where only the author can know what to do."""


class PlaceAnswer(AnswerModel):
    """A word of a rulesheet: lines and columns count from 1."""

    line: int
    column: int
    length: int


class SymbolAnswer(AnswerModel):
    """Information on a symbol."""

    text: str
    """In Markdown; empty where no symbol stands."""
    definitions: list[PlaceAnswer]
    uses: list[PlaceAnswer]
    """All places, those of its definitions too."""


class WordAnswer(AnswerModel):
    """A word that may stand somewhere."""

    word: str
    detail: str
    """Its arguments, as they are called or as many as there are."""
    kind: str


class WordsAnswer(AnswerModel):
    """Words that may stand at a place, the likeliest first."""

    begun: PlaceAnswer
    """Of what is there of the word."""
    words: list[WordAnswer]


class RulesPositionAnswer(AnswerModel):
    """A position of rules in the making."""

    moves: list[list[str]]
    """The joint moves that lead there, also those at random."""
    facts: list[str]
    legal: dict[str, list[str]]
    readable: dict[str, list[str]]
    """The names of the same moves, for people."""
    deciding: list[str]
    """The roles that have a choice."""
    goals: dict[str, int | None]
    """Null where the rules give none here, or several."""
    terminal: Annotated[bool, Field(validation_alias="is_terminal")]
    hides: bool
    """Whether roles see only what the rules let them see."""
    percepts: dict[str, list[str]]
    """What each role has seen of the last turn; empty where the rules hide nothing."""
    svg: str | None
    """The picture, if one was asked for."""


class RulesAnalysisAnswer(AnswerModel):
    """Expected goals and lines of a position of rules in the making."""

    terminal: Annotated[bool, Field(validation_alias="is_terminal")]
    goals: dict[str, int | None]
    """In the position itself; null where the rules give none there, or several."""
    forced: list[list[str]]
    """The joint moves after it in which nobody has a choice; what follows is searched."""
    deciding: list[str]
    """The roles that have one then, `random` too."""
    values: dict[str, float | None]
    """The goal that each role but `random` can expect; null where it was not searched for."""
    roles: Annotated[dict[str, AnalysisAnswer], Field(validation_alias="found")]
    """What was found for those that were searched for."""

    @field_validator("roles", mode="before")
    @classmethod
    def _as_answers(cls, found: Mapping[str, Hint]) -> dict[str, AnalysisAnswer]:
        return {role: AnalysisAnswer.of(hint) for role, hint in found.items()}


class WhyPlaceAnswer(PlaceAnswer):
    """A place in the rules."""

    file: str


class WhyLineAnswer(AnswerModel):
    """A line of an explanation."""

    level: int
    """How deep it stands in the tree, from 0."""
    kind: str
    """`fact`, `condition`, `rule` (that could make a fact; its conditions follow) or `note`."""
    holds: bool | None
    """Null where that is open."""
    text: str
    said: str
    """Of the fact or condition."""
    place: WhyPlaceAnswer | None
    """Of the rule or fact of the rules that it names."""


class WhyAnswer(AnswerModel):
    """The reasons why a fact holds in a position, or does not."""

    question: str
    holds: bool
    turn: int
    """Number of joint moves that lead there."""
    lines: list[WhyLineAnswer]
    more: int
    """Number of further facts that fit."""
    complete: Annotated[bool, Field(validation_alias="is_complete")]
    """Whether these are all lines."""


class GameAnswer(AnswerModel):
    """A game in the catalogue."""

    name: str
    title: str
    roles: list[str]
    rules: str
    bundled: Annotated[bool, Field(validation_alias="is_bundled")]


routes = Routes()


async def _rules(request: web.Request, body: PositionRequest) -> str:
    """The rules whose position is asked about."""
    if (body.text is None) == (body.game is None):
        raise WrongRequestError(
            "text: expected the text of the rules, or else game: the name of one in the catalogue"
        )
    if body.game is None:
        return body.text or ""
    return (await request.app[SERVICE].catalogue.rules_of(body.game)).text


@routes.add("GET /games", Right.LOOK)
async def list_games(request: web.Request) -> list[GameAnswer]:
    """The bundled games, then those that were added here."""
    return [
        GameAnswer.model_validate(game) for game in await request.app[SERVICE].catalogue.entries()
    ]


@routes.add("POST /games", Right.HOLD, status=201)
async def add_game(request: web.Request, body: GameRequest) -> CreatedAnswer:
    """Keep a rulesheet under a name, if it can be played; a later one of the name replaces it."""
    number = await request.app[SERVICE].catalogue.add(
        body.name, body.text, with_errors=body.with_errors
    )
    return CreatedAnswer(number=number)


@routes.add("GET /games/{name}/rules", Right.LOOK, media="text/plain")
async def show_rules(request: web.Request) -> web.Response:
    """The rules of a game as they were written."""
    return web.Response(text=(await request.app[SERVICE].catalogue.rules_of(name_of(request))).text)


@routes.add("GET /games/{name}/statistics", Right.LOOK)
async def show_statistics(request: web.Request) -> dict[str, object]:
    """Statistics of random playouts of a game."""
    return await request.app[SERVICE].catalogue.statistics_of(name_of(request))


@routes.add("GET /games/{name}/roles", Right.LOOK)
async def list_roles(request: web.Request) -> list[str]:
    """The roles of a game, `random` too."""
    return list(await request.app[SERVICE].catalogue.roles_of(name_of(request)))


@routes.add("GET /games/{name}/picture", Right.LOOK, media="image/svg+xml")
async def show_picture(request: web.Request) -> web.Response:
    """The first position, drawn."""
    rules = await request.app[SERVICE].catalogue.rules_of(name_of(request))
    svg = await request.app[SERVICE].positions.first_picture(rules)
    return web.Response(text=svg, content_type="image/svg+xml")


@routes.add("POST /rules/try", Right.PLAY)
async def try_rules(request: web.Request, body: RulesRequest) -> dict[str, object]:
    """Statistics of random playouts of a rulesheet."""
    return await request.app[SERVICE].trials.ask(questions.statistics, body.text)


@routes.add("POST /rules/check", Right.PLAY)
async def check_rules(request: web.Request, body: CheckRequest) -> list[FindingAnswer]:
    """Problems in a rulesheet, and their places: what `ggp check` finds, in a few seconds."""
    service = request.app[SERVICE]
    pool = service.trials if body.play else service.editors
    work = pool.ask(questions.check, body.text, is_played=body.play)
    found = await unless_left(request, work)
    return [FindingAnswer.model_validate(one) for one in found]


@routes.add("POST /rules/symbol", Right.PLAY)
async def show_symbol(request: web.Request, body: SymbolQuestion) -> SymbolAnswer:
    """The kind of a symbol, its definition, and all its places."""
    found = await request.app[SERVICE].editors.ask(
        questions.symbol, body.text, body.line, body.column, body.sound
    )
    return SymbolAnswer.model_validate(found)


@routes.add("POST /rules/complete", Right.PLAY)
async def complete_word(request: web.Request, body: SymbolRequest) -> WordsAnswer:
    """Words that may stand at a place."""
    found = await request.app[SERVICE].editors.ask(
        questions.completions, body.text, body.line, body.column
    )
    return WordsAnswer.model_validate(found)


@routes.add("POST /rules/position", Right.PLAY)
async def show_position(request: web.Request, body: DrawnPositionRequest) -> RulesPositionAnswer:
    """The position after moves: what is true, and what each role may do."""
    found = await request.app[SERVICE].editors.ask(
        position_questions.position,
        await _rules(request, body),
        body.moves,
        num_random=body.random,
        seed=body.seed,
        is_drawn=body.picture,
    )
    return RulesPositionAnswer.model_validate(found)


@routes.add("POST /rules/analysis", Right.PLAY)
async def analyze_position(request: web.Request, body: AnalysisRequest) -> RulesAnalysisAnswer:
    """The worths of the moves in a position to the roles that choose there, by a short search.

    Positions of games that hide something are refused, and all where who asks plays a rated match
    by hand that is not over. 503: ask again after `Retry-After` seconds.
    """
    await request.app[SERVICE].database.read(check_plays_nothing_rated, current_caller())
    analyses = request.app[SERVICE].analyses
    rules = await _rules(request, body)
    field = "text" if body.game is None else "game"
    work = analyses.analyze(rules, body.moves, body.role, body.seconds, field=field)
    return RulesAnalysisAnswer.model_validate(await unless_left(request, work))


@routes.add("POST /rules/why", Right.PLAY)
async def explain(request: web.Request, body: WhyRequest) -> WhyAnswer:
    """Why a fact holds in a position, or what is missing for it."""
    found = await request.app[SERVICE].editors.ask(
        position_questions.why,
        *(await _rules(request, body), body.fact, body.moves, body.next),
        depth=body.depth,
    )
    return WhyAnswer.model_validate(found)


@routes.add("POST /rules/format", Right.PLAY)
async def format_rules(request: web.Request, body: RulesRequest) -> dict[str, str]:
    """The rulesheet in an even layout."""
    return {"text": await request.app[SERVICE].editors.ask(questions.format_rules, body.text)}
