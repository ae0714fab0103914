"""The models of requests and answers. Clocks are in seconds, times in milliseconds since 1970."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, ConfigDict, Field

from ggp.manager.domain.matches import BranchPlan, MatchPlan
from ggp.manager.domain.people import PersonClock
from ggp.manager.domain.rights import is_closed
from ggp.manager.store.tables import OVER, MatchRow
from ggp.manager.web.request_parts import ApiModel, RequestModel
from ggp.manager.web.responses import GAME_PATTERN, NAME_PATTERN
from ggp.rulesheets import one_line_end

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
"""The dialect for a player elsewhere, as in `ggp.protocol.dialects`."""
Player = Annotated[str, Field(min_length=1, max_length=500)]
Players = Annotated[list[Player], Field(max_length=64)]
Seed = Annotated[int | None, Field(ge=0, lt=2**31, examples=[1])]
MoveLimit = Annotated[int | None, Field(ge=1, le=100_000, examples=[200])]
Spectators = Annotated[Literal["nothing", "all"], Field(examples=["nothing"])]
"""What spectators see of a game with hidden information before it ends."""
LinkKey = Annotated[str, Field(max_length=100, examples=["KEY"], repr=False)]
"""The key in a link. Error messages do not repeat the value of a field with `repr=False`."""
GAME = (
    "(role me) (init waiting) (legal me go) (<= (next done) (does me go)) "
    "(<= terminal (true done)) (goal me 100)"
)
Rules = Annotated[
    str, Field(min_length=1, max_length=1_000_000, examples=[GAME]), AfterValidator(one_line_end)
]
"""A rulesheet."""


class AnswerModel(ApiModel):
    """The base of all answers, which can be created from objects with the same attributes."""

    model_config = ConfigDict(from_attributes=True)

    @classmethod
    def each(cls, found: Iterable[object]) -> list[Self]:
        """Create an answer from each object."""
        return [cls.model_validate(one) for one in found]


class Nothing(AnswerModel):
    """A request without a body, or an answer that only confirms success."""


class SeatAnswer(AnswerModel):
    """A role, and the player that plays it."""

    role: str
    player: Annotated[str, Field(validation_alias="player_name")]
    person: Annotated[bool, Field(validation_alias="is_person")]
    """Whether a person plays the role by hand."""
    dialect: Annotated[str, Field(validation_alias="network_dialect")]
    """The dialect of a player at an address. Empty for other players."""
    version: int | None
    """The version of a registered player. Null for other players, and in old matches."""
    goal: int | None
    timeouts: int
    illegal: int
    connection: int
    absent: Annotated[bool, Field(validation_alias="is_absent")]
    """Whether the player counts as absent. Then tables and ratings count the match as lost."""


class ClockPart(RequestModel):
    """The time of each person: per move, or for the whole game with an increment."""

    model_config = ConfigDict(from_attributes=True)

    kind: Annotated[Literal["move", "game"], Field(examples=["game"])]
    seconds: Annotated[int, Field(ge=1, le=86_400, examples=[300])]
    increment: Annotated[int, Field(ge=0, le=600)] = 0
    """Seconds that each move adds to a clock for the whole game."""


WantedClock = Annotated[ClockPart | None, Field(examples=[{"kind": "game", "seconds": 300}])]


class WaitAnswer(AnswerModel):
    """A pending move of a person or a program."""

    role: str
    player: str
    since: int
    until: int | None


class RunningClockAnswer(AnswerModel):
    """A person's clock for the whole game."""

    left: int
    """Milliseconds left when the clock last started or stopped. A running clock started at `since`
    of the role's entry in `waiting`."""
    runs: bool


class PresenceAnswer(AnswerModel):
    """Whether a person is watching the match."""

    status: Literal["connected", "away"]
    since: int


class OfferAnswer(AnswerModel):
    """An offer to which the other people have not agreed yet."""

    kind: str
    role: str
    turns: int | None
    """Number of turns that would remain, for an offer to take moves back."""


class DeclinedAnswer(AnswerModel):
    """An offer that another person has declined."""

    kind: str
    role: str
    """The role that made the offer."""


class PeopleAnswer(AnswerModel):
    """The people of a match, as in the event `people`.

    While the match hides information, only the caller's role appears in `waiting` and `clocks`.
    """

    turn: int
    """The current turn. 0 if no turn is being played."""
    waiting: list[WaitAnswer]
    clocks: dict[str, RunningClockAnswer]
    """The clocks of the people, if they have time for the whole game."""
    time: int
    """The time of this snapshot."""
    presence: dict[str, PresenceAnswer]
    offers: list[OfferAnswer]
    declined: list[DeclinedAnswer]
    """Declined offers, kept until the turn is over or the same offer is made again."""


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
    """Null until the match is over and everything is shown, because it determines random moves."""
    move_limit: int | None
    hides: bool
    """Whether the game hides information from roles."""
    spectators: str
    """What spectators see of a match with hidden information before it is over."""
    status: str
    reason: str
    goals: list[int] | None
    created: int
    ended: int | None
    tournament: Annotated[int | None, Field(validation_alias="tournament_id")]
    annulled: Annotated[bool, Field(validation_alias="is_annulled")]
    """Whether the match no longer counts for its tournament and for ratings."""
    unrated: str
    """Why the match counts for no rating, as text. Empty if it was not excluded."""
    origin: int | None
    """The match in whose position this one began. If set, this one counts for no rating."""
    origin_turn: int | None
    """The last turn that was copied from `origin`."""
    clock: ClockPart | None
    """The clock of the people. Null if they have none."""
    ending: str
    """How a completed match ended: `rules`, `resigned`, `time` or `agreed`."""
    rematch: int | None
    """The rematch that the people agreed on."""
    revealed: Annotated[bool, Field(validation_alias="is_revealed")]
    """Whether the people agreed to show everything although the match was broken off."""
    turns: Annotated[int, Field(validation_alias="num_turns")]
    seats: list[SeatAnswer]
    """While the match hides information, all counts of faults are 0."""
    people: Annotated[PeopleAnswer | None, Field(validation_alias="people_told")] = None
    """Only in the answer for a single match. Null in lists, and if no person plays."""

    @classmethod
    def of(cls, match: MatchRow, people: Mapping[str, Any] | None = None) -> MatchAnswer:
        """Return what everybody may know of a match and, in `people`, what the caller may know."""
        answer = cls.model_validate(match)
        if people is not None:
            known = PeopleAnswer.model_validate(people)
            answer = answer.model_copy(update={"people": known})
        if match.status not in OVER:  # the seed would reveal future random moves
            answer = answer.model_copy(update={"seed": None})
        if not is_closed(match):
            return answer
        unsaid = {"timeouts": 0, "illegal": 0, "connection": 0}
        seats = [seat.model_copy(update=unsaid) for seat in answer.seats]
        return answer.model_copy(update={"seed": None, "seats": seats})


class TurnAnswer(AnswerModel):
    """A finished turn. Number 0 is the START phase.

    In an unfinished match with hidden information, the data of other roles is left out.
    """

    number: int
    moves: list[str | None]
    """In role order. Null stands for a hidden move."""
    facts: list[str]
    errors: list[str]
    """In role order: `TO`, `IL <answer>`, `CE`, `FB <why>` as in a record, or empty."""
    replies: list[dict[str, Any]]
    percepts: list[list[str] | None]
    """What each role saw. Null if that is hidden. Empty if the game hides no information."""
    time: int


class BeliefAnswer(AnswerModel):
    """A position as a role knows it."""

    likely: dict[str, float]
    """The probability of each possible fact if the others move at random. 1 means certain."""
    worlds: int
    """Number of worlds that agree with what the role did and saw."""
    complete: Annotated[bool, Field(validation_alias="is_complete")]
    consistent: Annotated[bool, Field(validation_alias="is_consistent")]
    """Whether any world agrees with what the role did and saw. If not, the position is made up."""


class PositionAnswer(AnswerModel):
    """A position with its picture."""

    svg: str
    legal: dict[str, list[str]]
    """The legal moves of those roles for which the caller may see them."""
    readable: dict[str, list[str]]
    """The same moves in a readable form."""
    terminal: Annotated[bool, Field(validation_alias="is_terminal")]
    belief: BeliefAnswer | None
    """What the caller's role knows of the position. Null if the position is fully shown."""


class PlaceAnswer(AnswerModel):
    """The place of a word in a rulesheet. Lines and columns count from 1."""

    line: int
    column: int
    length: int


class CreatedAnswer(AnswerModel):
    """The number of a new object."""

    number: int


class SetUpAnswer(CreatedAnswer):
    """The number of a new match, and the keys of its people."""

    keys: dict[str, str]
    """The key of each seat that a person takes, for use as `?seat=KEY`."""


class ProblemAnswer(AnswerModel):
    """The error in one line and, if possible, an example of a correct request."""

    error: str
    field: str = ""
    example: dict[str, Any] = {}  # noqa: RUF012  # pydantic copies it
    """A correct value of the faulty field, or of all required fields."""


class MatchRequest(RequestModel):
    """A match to set up."""

    game: GameName
    players: Annotated[Players, Field(examples=[["mcts", "random"]])]
    """The player of each role except `random`, in role order: a name, a spec, or `person`."""
    name: PersonName | None = None
    """The caller's name on a manager without accounts."""
    clock: WantedClock = None
    """The clock of the people. If null, a person has an hour per move, then the match pauses."""
    hold: Annotated[Literal["one", "all"], Field(examples=["one"])] = "one"
    """`one` if the caller takes the first seat of a person, `all` if the caller takes all of them.
    Other people take a seat with its key."""
    startclock: Clock = 10
    playclock: Clock = 5
    dialect: Annotated[Literal["", Dialect], Field(examples=["ggp-base"])] = ""
    """The dialect for all players elsewhere. Empty to use each one's registered dialect."""
    scrambled: bool = False
    seed: Seed = None
    move_limit: MoveLimit = None
    spectators: Spectators = "nothing"
    rated: bool = True
    """Whether the match counts for ratings, provided that nothing else excludes it."""

    def plan(self) -> MatchPlan:
        """Return the plan of the requested match."""
        fields = self.model_dump(exclude={"players", "scrambled", "name", "clock", "hold", "rated"})
        return MatchPlan(
            players=tuple(self.players),
            is_scrambled=self.scrambled,
            is_rated=self.rated,
            clock=clock_of(self.clock),
            **fields,
        )


def clock_of(part: ClockPart | None) -> PersonClock | None:
    """Return the requested clock, or None if the request has none."""
    return None if part is None else PersonClock(**part.model_dump())


class BranchRequest(RequestModel):
    """A match to begin in a position of another match."""

    turn: Annotated[int, Field(ge=0, le=1_000_000, examples=[7])]
    """The last turn to copy from the other match."""
    players: Annotated[Players, Field(examples=[["person", "mcts"]])]
    playclock: Clock = 2

    def plan(self) -> BranchPlan:
        """Return the plan of the requested match."""
        return BranchPlan(self.turn, tuple(self.players), self.playclock)


class NamedTurnAnswer(AnswerModel):
    """The moves of a turn in a readable form, in role order. Null for hidden moves."""

    number: int
    moves: list[str | None]


class NamesQuery(RequestModel):
    """The first turn whose moves to name. Turns count from 1."""

    first: Annotated[int, Field(ge=1, le=1_000_000)] = 1


class TurnQuery(RequestModel):
    """The first turn to return. 0 is the START phase."""

    first: Annotated[int, Field(ge=0, le=1_000_000)] = 0


class MoveRequest(RequestModel):
    """A move of a person."""

    role: Role
    move: Annotated[str, Field(min_length=1, max_length=1000, examples=["(mark 2 2)"])]
    turn: Annotated[int, Field(ge=1, le=1_000_000, examples=[1])]
    """The turn of the move, counted from 1. A move for another turn is refused."""


class HintRequest(RequestModel):
    """A person's request for a hint."""

    role: Role
    seconds: Annotated[float, Field(gt=0, le=10)] = 2.0


class ImportRequest(RequestModel):
    """A match that was played elsewhere."""

    game: GameName
    record: Annotated[
        Annotated[str, Field(min_length=1, max_length=4_000_000)] | dict[str, Any],
        Field(examples=["<match><matchId>...</matchId>...</match>"]),
    ]
    """The record in GGP-Base's format: a JSON object, or a text with the JSON or the XML."""
