"""Contents of answers. Clocks are seconds, times milliseconds since 1970."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, ConfigDict, Field

from ggp.manager.domain.sight import is_closed
from ggp.manager.hosting.hints import Hint
from ggp.manager.store.tables import MatchRow
from ggp.manager.web.request_parts import ApiModel
from ggp.match.search_info import bounds, verdict

Figure = Annotated[float, AfterValidator(lambda figure: round(figure, 3))]
Rounded = Annotated[float, AfterValidator(lambda figure: round(figure, 1))]


class AnswerModel(ApiModel):
    """The content of an answer, which can be made from an object with such attributes."""

    model_config = ConfigDict(from_attributes=True)


class Nothing(AnswerModel):
    """A request without a body, or an answer that says only that it is done."""


class HintAnswer(AnswerModel):
    """The move that a short search found."""

    move: str
    value: float | None


class CandidateAnswer(AnswerModel):
    """A move, as a search sees it."""

    move: str
    visits: int
    value: float | None
    """The goal that it expects; null if it never looked."""
    proven: str
    """The proven result, in words; empty if the value is an estimate."""

    @classmethod
    def of(cls, thoughts: Mapping[str, Any]) -> CandidateAnswer:
        """From what a player reports of the move."""
        proven = verdict(thoughts).removeprefix("proven").lstrip(": ") or bounds(thoughts)
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
    """The best five, the best first; empty if the player reports none."""

    @classmethod
    def of(cls, found: Hint) -> AnalysisAnswer:
        """From what a search found."""
        moves, line = found.thoughts.get("moves"), found.thoughts.get("line")
        return cls(
            move=found.move,
            value=found.value,
            proven=verdict(found.thoughts),
            line=line if isinstance(line, list) else [],
            moves=[CandidateAnswer.of(one) for one in moves] if isinstance(moves, list) else [],
        )


class FaultsAnswer(AnswerModel):
    """Numbers of a player's answers that were replaced, because they did not count."""

    timeouts: int
    """Late: `TO`."""
    illegal: int
    """`IL`."""
    connection: int
    """It could not be reached, or broke off: `CE`."""


class SeatAnswer(AnswerModel):
    """A role, and the player that plays it."""

    role: str
    player: Annotated[str, Field(validation_alias="player_name")]
    dialect: Annotated[str, Field(validation_alias="network_dialect")]
    """In which it is spoken to, if it runs elsewhere; else empty."""
    goal: int | None
    timeouts: int
    illegal: int
    connection: int


class MatchAnswer(AnswerModel):
    """A match without its turns."""

    number: Annotated[int, Field(validation_alias="id")]
    match_id: str
    game: str
    roles: list[str]
    startclock: int
    playclock: int
    dialect: str
    scrambled: Annotated[bool, Field(validation_alias="is_scrambled")]
    seed: int | None
    """Null as long as something is hidden: the random choices of others follow from it."""
    move_limit: int | None
    hides: bool
    """Whether roles see only what the rules let them see."""
    spectators: str
    """What others see of such a match before it is over."""
    status: str
    reason: str
    goals: list[int] | None
    created: int
    ended: int | None
    tournament: Annotated[int | None, Field(validation_alias="tournament_id")]
    annulled: Annotated[bool, BeforeValidator(lambda fixture: fixture is not None)]
    """Whether it counts no more for its tournament, and for ratings."""
    origin: int | None
    """The match from a position of which this one goes on; it counts for no rating."""
    origin_turn: int | None
    """The last turn that was taken over from there."""
    turns: Annotated[int, Field(validation_alias="num_turns")]
    seats: list[SeatAnswer]
    """As long as something is hidden, without what went wrong there."""

    @classmethod
    def of(cls, match: MatchRow) -> MatchAnswer:
        """A match, as far as everybody may know of it."""
        answer = cls.model_validate(match)
        if not is_closed(match):
            return answer
        unsaid = {"timeouts": 0, "illegal": 0, "connection": 0}
        seats = [seat.model_copy(update=unsaid) for seat in answer.seats]
        return answer.model_copy(update={"seed": None, "seats": seats})


class TurnAnswer(AnswerModel):
    """A turn that is over; number 0 is the START phase.

    In a match of hidden information that is not over, all that is another role's is left out.
    """

    number: int
    moves: list[str | None]
    """In role order; null for one that is not told."""
    facts: list[str]
    errors: list[str]
    replies: list[dict[str, Any]]
    percepts: list[list[str] | None]
    """What each role saw, null where that is not told; empty where nothing is hidden."""
    time: int


class BeliefAnswer(AnswerModel):
    """A position as a role knows it."""

    likely: dict[str, float]
    """How likely each fact is that may be true, if others move at random; 1: it is certain."""
    worlds: int
    """How many agree with what the role did and saw."""
    complete: Annotated[bool, Field(validation_alias="is_complete")]
    consistent: Annotated[bool, Field(validation_alias="is_consistent")]
    """Whether there are any; else one was made up."""


class PositionAnswer(AnswerModel):
    """A position as a page shows it."""

    svg: str
    legal: dict[str, list[str]]
    """Of the roles of which that is told."""
    terminal: Annotated[bool, Field(validation_alias="is_terminal")]
    belief: BeliefAnswer | None
    """Where not all is shown: what is."""


class CreatedAnswer(AnswerModel):
    """The number of the thing that has been written down."""

    number: int


class SetUpAnswer(CreatedAnswer):
    """The number of a match, and how people are known there."""

    keys: dict[str, str]
    """Of each role that a person plays, where something is hidden: its key, `?seat=KEY`."""


class ProblemAnswer(AnswerModel):
    """The fault in one line, and where that can be said, what would be right."""

    error: str
    field: str = ""
    example: dict[str, Any] = {}  # noqa: RUF012  # pydantic copies it
    """Of that field, or of the fields that there must be."""
