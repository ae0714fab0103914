"""Contents of requests and answers. Clocks are seconds, times milliseconds since 1970."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, ConfigDict, Field

from ggp.manager.domain.matches import BranchPlan, MatchPlan
from ggp.manager.domain.people import PersonClock
from ggp.manager.domain.rights import is_closed
from ggp.manager.hosting.position_search import Hint
from ggp.manager.store.tables import OVER, MatchRow
from ggp.manager.web.request_parts import ApiModel, RequestModel
from ggp.manager.web.responses import GAME_PATTERN, NAME_PATTERN
from ggp.match.search_info import bounds, verdict

Figure = Annotated[float, AfterValidator(lambda figure: round(figure, 3))]
Rounded = Annotated[float, AfterValidator(lambda figure: round(figure, 1))]
Name = Annotated[str, Field(min_length=1, max_length=60, pattern=NAME_PATTERN, examples=["mine"])]
PersonName = Annotated[
    str, Field(min_length=1, max_length=60, pattern=NAME_PATTERN, examples=["Ann"])
]
GameName = Annotated[
    str, Field(min_length=1, max_length=100, pattern=GAME_PATTERN, examples=["ticTacToe"])
]
Clock = Annotated[int, Field(ge=1, le=3600)]
Role = Annotated[str, Field(min_length=1, max_length=100, examples=["xplayer"])]
Dialect = Literal["ggp-base", "dresden", "gdl-ii", "gamemaster"]
"""In which a player elsewhere is spoken to, as in `ggp.protocol.dialects`."""


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
    reasoner: str
    """The reasoner that was searched on, and why: after an install it is slow for a minute."""

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
            reasoner=found.reasoner,
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
    person: Annotated[bool, Field(validation_alias="is_person")]
    """Whether a person plays by hand."""
    dialect: Annotated[str, Field(validation_alias="network_dialect")]
    """In which it is spoken to, if it runs elsewhere; else empty."""
    goal: int | None
    timeouts: int
    illegal: int
    connection: int
    absent: Annotated[bool, Field(validation_alias="is_absent")]
    """Whether so many answers were replaced that tables and ratings count the match as lost."""


class ClockPart(RequestModel):
    """The time of each person: for each move, or for the game and more with each move."""

    model_config = ConfigDict(from_attributes=True)

    kind: Annotated[Literal["move", "game"], Field(examples=["game"])]
    seconds: Annotated[int, Field(ge=1, le=86_400, examples=[300])]
    increment: Annotated[int, Field(ge=0, le=600)] = 0
    """Seconds that a move adds to the clock of a game."""


class WaitAnswer(AnswerModel):
    """A move that is waited for."""

    role: str
    player: str
    since: int
    until: int | None


class RunningClockAnswer(AnswerModel):
    """The clock of a person's game."""

    left: int
    """Milliseconds, as of when it was last started or stopped: since `since` of the wait."""
    runs: bool


class PresenceAnswer(AnswerModel):
    """Whether a person looks at the match."""

    status: Literal["connected", "away"]
    since: int


class OfferAnswer(AnswerModel):
    """A thing to which the other people have yet to agree."""

    kind: str
    role: str
    turns: int | None
    """Number of turns that would remain, of an offer to take moves back."""


class DeclinedAnswer(AnswerModel):
    """An offer that another person has declined."""

    kind: str
    role: str
    """That had offered it."""


class PeopleAnswer(AnswerModel):
    """The people of a match, as the event `people` tells of them.

    As long as something is hidden, only one's own role is waited for, and has a clock.
    """

    turn: int
    """That is played; 0 while none is."""
    waiting: list[WaitAnswer]
    clocks: dict[str, RunningClockAnswer]
    """Of people, where the clock is one of a game."""
    time: int
    """When this was so."""
    presence: dict[str, PresenceAnswer]
    offers: list[OfferAnswer]
    declined: list[DeclinedAnswer]
    """Until the turn is over, or the same is offered again."""


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
    """Null until it is over."""
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
    annulled: Annotated[bool, Field(validation_alias="is_annulled")]
    """Whether it counts no more for its tournament, and for ratings."""
    unrated: str
    """Why it counts for no rating, in words; empty if nobody asked for that or was helped."""
    origin: int | None
    """The match from a position of which this one goes on; it counts for no rating."""
    origin_turn: int | None
    """The last turn that was taken over from there."""
    clock: ClockPart | None
    """Of the people."""
    ending: str
    """Of a completed match: `rules`, or `resigned`, `time` or `agreed`, where people ended it."""
    rematch: int | None
    """The match that its people agreed to play after it."""
    revealed: Annotated[bool, Field(validation_alias="is_revealed")]
    """Whether its people agreed to show all of it, though it was broken off."""
    turns: Annotated[int, Field(validation_alias="num_turns")]
    seats: list[SeatAnswer]
    """As long as something is hidden, without what went wrong there."""
    people: Annotated[PeopleAnswer | None, Field(validation_alias="people_told")] = None
    """Of one match that is asked for; null where no person plays, and in lists."""

    @classmethod
    def of(cls, match: MatchRow, people: Mapping[str, Any] | None = None) -> MatchAnswer:
        """A match, as far as everybody may know of it, and the people as the caller sees them."""
        answer = cls.model_validate(match)
        if people is not None:
            known = PeopleAnswer.model_validate(people)
            answer = answer.model_copy(update={"people": known})
        if match.status not in OVER:  # it would tell what chance is going to do
            answer = answer.model_copy(update={"seed": None})
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
    """In role order: `TO`, `IL <answer>`, `CE`, `FB <why>` as in a record, or empty."""
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
    readable: dict[str, list[str]]
    """The names of the same moves, for people."""
    terminal: Annotated[bool, Field(validation_alias="is_terminal")]
    belief: BeliefAnswer | None
    """Where not all is shown: what is."""


class CreatedAnswer(AnswerModel):
    """The number of the thing that has been written down."""

    number: int


class SetUpAnswer(CreatedAnswer):
    """The number of a match, and how people are known there."""

    keys: dict[str, str]
    """Of each role that a person plays: the key of the seat, `?seat=KEY`."""


class ProblemAnswer(AnswerModel):
    """The fault in one line, and where that can be said, what would be right."""

    error: str
    field: str = ""
    example: dict[str, Any] = {}  # noqa: RUF012  # pydantic copies it
    """Of that field, or of the fields that there must be."""


class MatchRequest(RequestModel):
    """A match to set up."""

    game: GameName
    players: Annotated[
        list[Annotated[str, Field(min_length=1, max_length=500)]],
        Field(max_length=64, examples=[["mcts", "random"]]),
    ]
    """One for each role but `random`, in role order: a name, a spec, or `person`."""
    name: PersonName | None = None
    """How the person who asks is called, where there are no accounts."""
    clock: Annotated[ClockPart | None, Field(examples=[{"kind": "game", "seconds": 300}])] = None
    """Of the people; null: an hour for a move, and then the match rests."""
    hold: Annotated[Literal["one", "all"], Field(examples=["one"])] = "one"
    """Whether who asks is the first person, or all of them; others are whoever has their keys."""
    startclock: Clock = 10
    playclock: Clock = 5
    dialect: Annotated[Literal["", Dialect], Field(examples=["ggp-base"])] = ""
    """In which players elsewhere are spoken to; empty: to each in the one it is registered with."""
    scrambled: bool = False
    seed: Annotated[int | None, Field(ge=0, lt=2**31, examples=[1])] = None
    move_limit: Annotated[int | None, Field(ge=1, le=100_000, examples=[200])] = None
    spectators: Annotated[Literal["nothing", "all"], Field(examples=["nothing"])] = "nothing"
    """What they see before the end in a game of hidden information; so do players who look on."""
    rated: bool = True
    """Whether it counts for ratings, if nothing else speaks against it."""

    def plan(self) -> MatchPlan:
        """The match that is asked for."""
        fields = self.model_dump(exclude={"players", "scrambled", "name", "clock", "hold", "rated"})
        return MatchPlan(
            players=tuple(self.players),
            is_scrambled=self.scrambled,
            is_rated=self.rated,
            clock=clock_of(self.clock),
            **fields,
        )


def clock_of(part: ClockPart | None) -> PersonClock | None:
    """The clock that is asked for."""
    return None if part is None else PersonClock(**part.model_dump())


class BranchRequest(RequestModel):
    """A wish to play on from a position of a match."""

    turn: Annotated[int, Field(ge=0, le=1_000_000, examples=[7])]
    """The last turn that stays as it was."""
    players: Annotated[
        list[Annotated[str, Field(min_length=1, max_length=500)]],
        Field(max_length=64, examples=[["person", "mcts"]]),
    ]
    playclock: Clock = 2

    def plan(self) -> BranchPlan:
        """The match that is asked for."""
        return BranchPlan(self.turn, tuple(self.players), self.playclock)


class NamedTurnAnswer(AnswerModel):
    """The names of the moves of a turn, for people, in role order; null for what is not told."""

    number: int
    moves: list[str | None]


class NamesQuery(RequestModel):
    """From which turn on."""

    first: Annotated[int, Field(ge=1, le=1_000_000)] = 1


class TurnQuery(RequestModel):
    """From which turn on."""

    first: Annotated[int, Field(ge=0, le=1_000_000)] = 0


class MoveRequest(RequestModel):
    """A person's move."""

    role: Role
    move: Annotated[str, Field(min_length=1, max_length=1000, examples=["(mark 2 2)"])]
    turn: Annotated[int, Field(ge=1, le=1_000_000, examples=[1])]
    """The turn it is meant for, from 1: a click that comes late moves nothing."""


class HintRequest(RequestModel):
    """A person's wish for a hint."""

    role: Role
    seconds: Annotated[float, Field(gt=0, le=10)] = 2.0


class ImportRequest(RequestModel):
    """A match that was played elsewhere."""

    game: GameName
    record: Annotated[
        Annotated[str, Field(min_length=1, max_length=4_000_000)] | dict[str, Any],
        Field(examples=["<match><matchId>...</matchId>...</match>"]),
    ]
    """As GGP-Base writes it: the JSON object, or a text with the JSON or the XML."""
