"""/games: the catalogue of games. /rules: questions about a rulesheet in an editor.

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
MAX_DEPTH = 12
"""Largest depth of an explanation."""
Rules = Annotated[
    str, Field(min_length=1, max_length=1_000_000, examples=[GAME]), AfterValidator(one_line_end)
]
Joint = Annotated[
    list[Annotated[str, Field(min_length=1, max_length=1000)]],
    Field(max_length=64, examples=[["(mark 2 2)", "noop"]]),
]
Moves = Annotated[list[Joint], Field(max_length=MAX_TURNS, examples=[[["(mark 2 2)", "noop"]]])]
Fact = Annotated[str, Field(min_length=1, max_length=1000, examples=["terminal"])]
"""The fact to explain, such as `(legal white noop)`, `(not terminal)` or `(goal white ?n)`."""
Depth = Annotated[int, Field(ge=1, le=MAX_DEPTH)]
"""Depth of the explanation, in rules."""


class RulesRequest(RequestModel):
    """A rulesheet in an editor."""

    text: Rules


class CheckRequest(RulesRequest):
    """A rulesheet to check."""

    play: bool = True
    """Whether to play some random games, to find problems that the text alone does not show."""


class SymbolRequest(RequestModel):
    """A place in a rulesheet in an editor. Lines and columns count from 1."""

    text: Rules
    line: Annotated[int, Field(ge=1, examples=[1])]
    column: Annotated[int, Field(ge=1, examples=[2])]


class SymbolQuestion(SymbolRequest):
    """A question about a symbol."""

    sound: Rules | None = None
    """An earlier version of the text without errors, from which the first state is explained."""


class PositionRequest(RequestModel):
    """A position of a rulesheet in an editor, or of a game in the catalogue."""

    text: Annotated[Rules | None, Field(examples=[GAME])] = None
    game: GameName | None = None
    """The name of a game, instead of a text."""
    moves: Moves = Field(default_factory=list)
    """The joint moves that lead to the position, each with one move per role. The outer parentheses
    of a move may be omitted."""


class DrawnPositionRequest(PositionRequest):
    """A position, optionally after further random turns and with its picture."""

    random: Annotated[int, Field(ge=0, le=MAX_TURNS)] = 0
    """Number of random turns after the moves. Fewer if the game ends or they take too long."""
    seed: int | None = None
    """The same seed plays the same turns. Without a seed, the turns differ each time."""
    picture: bool = False
    """Whether to draw the position."""


class AnalysisRequest(PositionRequest):
    """A position to search."""

    role: Role | None = None
    """The role to search for. Null for all roles with a choice, with equal times."""
    seconds: Annotated[float, Field(gt=0, le=10)] = 2.0
    """Total search time. Replaying many moves takes extra time."""


class WhyQuery(RequestModel):
    """A question about a position."""

    fact: Fact
    depth: Depth = 4


class WhyRequest(PositionRequest):
    """A question about a position of a rulesheet or game."""

    fact: Fact
    next: Joint | None = None
    """The joint move made in the position, for facts that depend on the move."""
    depth: Depth = 4


class GameRequest(RequestModel):
    """A rulesheet to store under a name."""

    name: Annotated[GameName, Field(examples=["myGame"])]
    text: Rules
    with_errors: bool = False
    """Whether to store the rules even if `POST /rules/check` finds errors without playing."""


class EditAnswer(AnswerModel):
    """A replacement for a part of a rulesheet. Lines and columns count from 1."""

    line: int
    column: int
    length: int
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


class PlaceAnswer(AnswerModel):
    """The place of a word in a rulesheet. Lines and columns count from 1."""

    line: int
    column: int
    length: int


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


class RulesPositionAnswer(AnswerModel):
    """A position of rules in an editor."""

    moves: list[list[str]]
    """The joint moves that lead to the position, including random ones."""
    facts: list[str]
    legal: dict[str, list[str]]
    readable: dict[str, list[str]]
    """The same moves in a readable form."""
    deciding: list[str]
    """The roles that have a choice."""
    goals: dict[str, int | None]
    """The goal of each role. Null if the rules give the role no goal here, or several."""
    terminal: Annotated[bool, Field(validation_alias="is_terminal")]
    hides: bool
    """Whether the rules hide information from roles."""
    percepts: dict[str, list[str]]
    """What each role saw in the last turn. Empty if the rules hide no information."""
    svg: str | None
    """The picture, if it was requested."""


class RulesAnalysisAnswer(AnswerModel):
    """Expected goals and lines of a position of rules in an editor."""

    terminal: Annotated[bool, Field(validation_alias="is_terminal")]
    goals: dict[str, int | None]
    """Goals in the position itself. Null if the rules give a role no goal there, or several."""
    forced: list[list[str]]
    """The next joint moves, in which no role has a choice. The search begins after them."""
    deciding: list[str]
    """The roles that have a choice after the forced moves, including `random`."""
    values: dict[str, float | None]
    """The goal that each role except `random` can expect. Null if it was not searched for."""
    roles: Annotated[dict[str, AnalysisAnswer], Field(validation_alias="found")]
    """The results for each role that the search covered."""

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
    """Depth of the line in the tree, from 0."""
    kind: str
    """`fact`, `condition`, `rule` (one that could derive a fact, before its conditions), `note`."""
    holds: bool | None
    """Null if it is open whether the fact holds."""
    text: str
    said: str
    """What the line says about the fact or condition."""
    place: WhyPlaceAnswer | None
    """The place of the rule that the line names, or of the fact in the rules."""


class WhyAnswer(AnswerModel):
    """The reasons why a fact holds in a position, or does not."""

    question: str
    holds: bool
    turn: int
    """Number of joint moves that lead to the position."""
    lines: list[WhyLineAnswer]
    more: int
    """Number of further facts that match."""
    complete: Annotated[bool, Field(validation_alias="is_complete")]
    """Whether the explanation is complete."""


class GameAnswer(AnswerModel):
    """A game in the catalogue."""

    name: str
    title: str
    roles: list[str]
    rules: str
    bundled: Annotated[bool, Field(validation_alias="is_bundled")]


routes = Routes()


async def _rules(request: web.Request, body: PositionRequest) -> str:
    if (body.text is None) == (body.game is None):
        raise WrongRequestError(
            "text: expected either text with the rules, or game with the name of a game"
        )
    if body.game is None:
        return body.text or ""
    return (await request.app[SERVICE].catalogue.rules_of(body.game)).text


@routes.add("GET /games", Right.LOOK)
async def list_games(request: web.Request) -> list[GameAnswer]:
    """Return the bundled games, then the added ones."""
    return [
        GameAnswer.model_validate(game) for game in await request.app[SERVICE].catalogue.entries()
    ]


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
    found = await unless_left(request, work)
    return [FindingAnswer.model_validate(one) for one in found]


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


@routes.add("POST /rules/position", Right.PLAY)
async def show_position(request: web.Request, body: DrawnPositionRequest) -> RulesPositionAnswer:
    """Return the position after the moves: its facts, and what each role may do."""
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
    """Return the values of the moves in a position, for the roles that have a choice there.

    The values come from a short search. The request is refused for games with hidden information,
    and for callers who are playing a rated match by hand. On status 503, ask again after
    `Retry-After` seconds.
    """
    await request.app[SERVICE].database.read(check_plays_nothing_rated, current_caller())
    analyses = request.app[SERVICE].analyses
    rules = await _rules(request, body)
    field = "text" if body.game is None else "game"
    work = analyses.analyze(rules, body.moves, body.role, body.seconds, field=field)
    return RulesAnalysisAnswer.model_validate(await unless_left(request, work))


@routes.add("POST /rules/why", Right.PLAY)
async def explain(request: web.Request, body: WhyRequest) -> WhyAnswer:
    """Explain why a fact holds in a position, or what is missing for it."""
    found = await request.app[SERVICE].editors.ask(
        position_questions.why,
        *(await _rules(request, body), body.fact, body.moves, body.next),
        depth=body.depth,
    )
    return WhyAnswer.model_validate(found)


@routes.add("POST /rules/format", Right.PLAY)
async def format_rules(request: web.Request, body: RulesRequest) -> dict[str, str]:
    """Return the rulesheet in the standard layout."""
    return {"text": await request.app[SERVICE].editors.ask(questions.format_rules, body.text)}
