"""Contents of requests and answers. Clocks are seconds, times milliseconds since 1970."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from ggp.manager.api.route import Model
from ggp.manager.api.wording import GAME_PATTERN, NAME_PATTERN

GAME = (
    "(role me) (init waiting) (legal me go) (<= (next done) (does me go)) "
    "(<= terminal (true done)) (goal me 100)"
)
ENTRANTS = [{"name": "a", "player": "mcts"}, {"name": "b", "player": "random"}]
"""Examples."""
Name = Annotated[str, Field(min_length=1, max_length=60, pattern=NAME_PATTERN, examples=["mine"])]
GameName = Annotated[
    str, Field(min_length=1, max_length=100, pattern=GAME_PATTERN, examples=["ticTacToe"])
]
Clock = Annotated[int, Field(ge=1, le=3600)]
Rules = Annotated[str, Field(min_length=1, max_length=1_000_000, examples=[GAME])]
Role = Annotated[str, Field(min_length=1, max_length=100, examples=["xplayer"])]
Dialect = Literal["ggp-base", "dresden", "gdl-ii", "gamemaster"]
"""In which a player elsewhere is spoken to, as in `ggp.protocol.dialects`."""


class PlayerRequest(Model):
    """A player to register."""

    name: Name
    source: Annotated[str, Field(min_length=1, max_length=500, examples=["http://127.0.0.1:9147"])]
    """`http://HOST:PORT` of a running player, or a spec such as `mcts:c=0.7`."""
    dialect: Dialect = "ggp-base"


class MatchRequest(Model):
    """A match to set up."""

    game: GameName
    players: Annotated[
        list[Annotated[str, Field(min_length=1, max_length=500)]],
        Field(max_length=64, examples=[["mcts", "random"]]),
    ]
    """One for each role but `random`, in role order: a name, a spec, or `person`."""
    startclock: Clock = 10
    playclock: Clock = 5
    dialect: Annotated[Literal["", Dialect], Field(examples=["ggp-base"])] = ""
    """In which players elsewhere are spoken to; empty: to each in the one it is registered with."""
    scrambled: bool = False
    seed: Annotated[int | None, Field(ge=0, lt=2**31, examples=[1])] = None
    move_limit: Annotated[int | None, Field(ge=1, le=100_000, examples=[200])] = None


class MatchQuery(Model):
    """Which matches to list."""

    game: Annotated[str, Field(examples=["ticTacToe"])] = ""
    player: Annotated[str, Field(examples=["mcts"])] = ""
    status: Annotated[
        Literal["", "waiting", "running", "completed", "aborted", "interrupted"],
        Field(examples=["completed"]),
    ] = ""
    tournament: Annotated[int | None, Field(ge=1, lt=2**31, examples=[1])] = None
    before: Annotated[int | None, Field(ge=1, lt=2**31, examples=[100])] = None
    limit: Annotated[int, Field(ge=1, le=200)] = 50


class TurnQuery(Model):
    """From which turn on."""

    first: Annotated[int, Field(ge=0, le=1_000_000)] = 0


class MoveRequest(Model):
    """A person's move."""

    role: Role
    move: Annotated[str, Field(min_length=1, max_length=1000, examples=["(mark 2 2)"])]
    turn: Annotated[int, Field(ge=1, le=1_000_000, examples=[1])]
    """The turn it is meant for, from 1: a click that comes late moves nothing."""


class TakeBackRequest(Model):
    """A person's wish to go back."""

    role: Role
    turns: Annotated[int, Field(ge=0, le=1_000_000, examples=[0])]
    """Number of turns that remain."""


class HintRequest(Model):
    """A person's wish for a hint."""

    role: Role
    seconds: Annotated[float, Field(gt=0, le=10)] = 2.0
    """Time to search."""


class Hint(Model):
    """The move that a short search found."""

    move: str
    value: float | None
    """The goal that it expects."""


class Candidate(Model):
    """A move, as a search sees it."""

    move: str
    visits: int
    """Number of times that the search looked at it."""
    value: float | None
    """The goal that it expects; null if it never looked."""
    proven: str
    """The proven result, in words; empty if the value is an estimate."""


class Analysis(Model):
    """The moves that a short search found, and what it expects."""

    move: str
    value: float | None
    proven: str
    line: list[list[str]]
    """The joint moves that it expects."""
    moves: list[Candidate]
    """The best five, the best first; empty if the player does not tell."""


class ImportRequest(Model):
    """A match that was played elsewhere."""

    game: GameName
    record: Annotated[
        Annotated[str, Field(min_length=1, max_length=4_000_000)] | dict[str, Any],
        Field(examples=["<match><matchId>...</matchId>...</match>"]),
    ]
    """As GGP-Base writes it: the JSON object, or a text with the JSON or the XML."""


class RulesRequest(Model):
    """A rulesheet as it stands in an editor."""

    text: Rules
    play: bool = False
    """Whether some random games are played, to find what the text does not show."""


class GameRequest(Model):
    """A rulesheet to keep under a name."""

    name: Annotated[GameName, Field(examples=["myGame"])]
    text: Rules


class Faults(Model):
    """Numbers of a player's answers that were replaced, because they did not count."""

    timeouts: int
    """Late: `TO`."""
    illegal: int
    """`IL`."""
    connection: int
    """It could not be reached, or broke off: `CE`."""


class Seat(Faults):
    """A role, and the player that plays it."""

    role: str
    player: str
    dialect: str
    """In which it is spoken to, if it runs elsewhere; else empty."""
    goal: int | None


class Match(Model):
    """A match without its turns."""

    number: int
    match_id: str
    game: str
    roles: list[str]
    startclock: int
    playclock: int
    dialect: str
    scrambled: bool
    seed: int | None
    move_limit: int | None
    status: str
    reason: str
    goals: list[int] | None
    created: int
    ended: int | None
    tournament: int | None
    annulled: bool
    """Whether it counts no more for its tournament, and for ratings."""
    turns: int
    seats: list[Seat]


class Turn(Model):
    """A turn that is over; number 0 is the START phase."""

    number: int
    moves: list[str]
    facts: list[str]
    errors: list[str]
    replies: list[dict[str, Any]]
    time: int


class Position(Model):
    """A position as a page shows it."""

    svg: str
    legal: dict[str, list[str]]
    terminal: bool


class Player(Model):
    """A registered player."""

    name: str
    source: str
    dialect: str
    created: int


class Status(Model):
    """A player's answer to INFO."""

    name: str
    status: str
    seconds: float
    problem: str


class Game(Model):
    """A game in the catalogue."""

    name: str
    title: str
    roles: list[str]
    rules: str
    bundled: bool


class Finding(Model):
    """A problem in a rulesheet, and its place: lines and columns count from 1."""

    severity: str
    code: str
    message: str
    line: int
    column: int
    length: int


class Entrant(Model):
    """One who takes part in a tournament."""

    name: Name
    player: Annotated[str, Field(min_length=1, max_length=500)]
    dialect: Annotated[Literal["", Dialect], Field(examples=["ggp-base"])] = ""
    """In which it is spoken to if it runs elsewhere; empty: in the one it is registered with."""


class TournamentRequest(Model):
    """A tournament to hold."""

    name: Name
    games: Annotated[list[GameName], Field(min_length=1, max_length=64, examples=[["ticTacToe"]])]
    players: Annotated[list[Entrant], Field(min_length=1, max_length=64, examples=[ENTRANTS])]
    form: Literal["round-robin", "gauntlet", "swiss", "ladder"] = "round-robin"
    startclock: Clock = 10
    playclock: Clock = 5
    matches: Annotated[int, Field(ge=1, le=1000)] = 2
    rounds: Annotated[int, Field(ge=1, le=100)] = 3
    seed: Annotated[int, Field(ge=0, lt=2**31)] = 0
    move_limit: Annotated[int | None, Field(ge=1, le=100_000, examples=[200])] = None
    jobs: Annotated[int, Field(ge=0, le=64)] = 0


class Warnings(Model):
    """Things that may go wrong, a line each."""

    warnings: list[str]


class AnnulRequest(Model):
    """A match that is to count no more."""

    match: Annotated[int, Field(ge=1, lt=2**31, examples=[1])]


class Rating(Model):
    """The strength of a player, against the average of all."""

    name: str
    elo: float
    low: float
    high: float
    """Ends of the 95 % interval."""
    meetings: int


class Tally(Model):
    """A player's results in a game, or against an opponent."""

    name: str
    """Of the game or the opponent."""
    matches: int
    wins: int
    """Meetings with other players of which it got the higher goal."""
    draws: int
    losses: int
    points_percent: float | None
    """Share of the points; null if it met nobody."""
    mean_goal: float


class SeatResult(Model):
    """A role of a match, its player, and the goal that came of it."""

    role: str
    player: str
    goal: int


class Result(Model):
    """A match that was played to its end."""

    number: int
    game: str
    ended: int
    seats: list[SeatResult]


class PlayerRecord(Model):
    """A player's record, from its last matches that were played to their end."""

    name: str
    rating: Rating | None
    """Null if it met nobody."""
    games: list[Tally]
    opponents: list[Tally]
    results: list[Result]
    """The latest first."""


class Tournament(Model):
    """A tournament without its fixtures."""

    number: int
    name: str
    plan: dict[str, Any]
    status: str
    reason: str
    created: int
    ended: int | None


class Fixture(Model):
    """A match that a tournament wants, and what has become of it."""

    number: int
    round: int
    game: str
    players: list[str]
    match: int | None
    status: str
    goals: list[int] | None
    faults: list[Faults]
    """Of its players, so far."""
    annulled: list[int]
    """The numbers of its matches that do not count any more."""


class TableRow(Faults):
    """One player's place."""

    name: str
    matches: int
    points: float
    wins: int
    draws: int
    losses: int
    elo: float | None
    low: float | None
    high: float | None


class TableCell(Model):
    """The result of a player's meetings with another."""

    player: str
    opponent: str
    score: float
    meetings: int


class Table(Model):
    """The best first."""

    rows: list[TableRow]
    cells: list[TableCell]


class TournamentState(Model):
    """A tournament with all that has come of it."""

    tournament: Tournament
    fixtures: list[Fixture]
    table: Table


class Created(Model):
    """The number of the thing that has been written down."""

    number: int


class Problem(Model):
    """The fault in one line, and where that can be said, what would be right."""

    error: str
    field: str = ""
    """The one that is wrong."""
    example: dict[str, Any] = {}  # noqa: RUF012  # pydantic copies it
    """Of that field, or of the fields that there must be."""
