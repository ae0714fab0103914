"""/rules/position, /rules/analysis and /rules/why: questions about a position of any rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from aiohttp import web
from pydantic import Field, field_validator

from ggp.manager.api.models import GAME, AnswerModel, GameName, PlaceAnswer, Role, Rules
from ggp.manager.api.route import Routes
from ggp.manager.domain.people import check_plays_nothing_rated
from ggp.manager.domain.rights import Right, current_caller
from ggp.manager.errors import WrongRequestError
from ggp.manager.hosting.position_search import Hint
from ggp.manager.service import SERVICE
from ggp.manager.web.request_parts import RequestModel
from ggp.manager.web.responses import unless_left
from ggp.match.search_info import proof, verdict
from ggp.sandbox import position_questions
from ggp.sandbox.position_questions import MAX_TURNS

MAX_DEPTH = 12
"""Largest depth of an explanation."""
Joint = Annotated[
    list[Annotated[str, Field(min_length=1, max_length=1000)]],
    Field(max_length=64, examples=[["(mark 2 2)", "noop"]]),
]
Moves = Annotated[list[Joint], Field(max_length=MAX_TURNS, examples=[[["(mark 2 2)", "noop"]]])]
Fact = Annotated[str, Field(min_length=1, max_length=1000, examples=["terminal"])]
"""The fact to explain, such as `(legal white noop)`, `(not terminal)` or `(goal white ?n)`."""
Depth = Annotated[int, Field(ge=1, le=MAX_DEPTH)]
"""Depth of the explanation, in rules."""


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
    """Number of random turns to play after `moves`. Fewer are played if the game ends or if they
    take too long."""
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


class RulesPositionAnswer(AnswerModel):
    """A position of a rulesheet or game."""

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


class HintAnswer(AnswerModel):
    """The move that a short search found."""

    move: str
    value: float | None


class CandidateAnswer(AnswerModel):
    """A move with the search's results for it."""

    move: str
    visits: int
    value: float | None
    """The goal that the search expects. Null if the search never tried the move."""
    proven: str
    """The proven result, as text. Empty if the value is an estimate."""

    @classmethod
    def of(cls, thoughts: Mapping[str, Any]) -> CandidateAnswer:
        """Create the answer from a player's report on a move."""
        proven = proof(thoughts)
        return cls(
            move=thoughts["move"],
            visits=thoughts["visits"],
            value=thoughts["value"] if thoughts["visits"] or proven else None,
            proven=proven,
        )


class AnalysisAnswer(HintAnswer):
    """The moves that a short search found, and what it expects."""

    proven: str
    line: list[list[str]]
    moves: list[CandidateAnswer]
    """The five best moves, best first. Empty if the player reports no moves."""
    reasoner: str
    """The reasoner that was used, and why. For a minute after an install, it is a slow one."""

    @classmethod
    def of(cls, found: Hint) -> AnalysisAnswer:
        """Create the answer from the result of a search."""
        moves, line = found.thoughts.get("moves"), found.thoughts.get("line")
        return cls(
            move=found.move,
            value=found.value,
            proven=verdict(found.thoughts),
            line=line if isinstance(line, list) else [],
            moves=[CandidateAnswer.of(one) for one in moves] if isinstance(moves, list) else [],
            reasoner=found.reasoner,
        )


class RulesAnalysisAnswer(AnswerModel):
    """Expected goals and lines in a position of a rulesheet or game."""

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
    """`fact`, `condition`, `rule` or `note`. A `rule` could derive a fact, and its conditions
    follow."""
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
    """Number of further facts that match the question but are not explained."""
    complete: Annotated[bool, Field(validation_alias="is_complete")]
    """Whether the explanation is complete."""


routes = Routes()


async def _rules(request: web.Request, body: PositionRequest) -> str:
    if (body.text is None) == (body.game is None):
        raise WrongRequestError(
            "text: expected either text with the rules, or game with the name of a game"
        )
    if body.game is None:
        return body.text or ""
    return (await request.app[SERVICE].catalogue.rules_of(body.game)).text


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
