"""Contents of requests. Clocks are seconds."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from ggp.manager.domain.matches import BranchPlan, MatchPlan
from ggp.manager.web.request_parts import RequestModel
from ggp.manager.web.responses import GAME_PATTERN, NAME_PATTERN
from ggp.tournament.plan import Entrant, Form, TournamentPlan

GAME = (
    "(role me) (init waiting) (legal me go) (<= (next done) (does me go)) "
    "(<= terminal (true done)) (goal me 100)"
)
PLAYER = """\
from ggp.players import Player


class First(Player):
    def choose(self, state, deadline):
        return self.legal_moves(state)[0]
"""
ENTRANTS = [{"name": "a", "player": "mcts"}, {"name": "b", "player": "random"}]
MOST_TURNS = 1000
"""Before a position of rules in the making."""
MOST_DEPTH = 12
"""Rules one under the other in an explanation."""
Name = Annotated[str, Field(min_length=1, max_length=60, pattern=NAME_PATTERN, examples=["mine"])]
GameName = Annotated[
    str, Field(min_length=1, max_length=100, pattern=GAME_PATTERN, examples=["ticTacToe"])
]
Clock = Annotated[int, Field(ge=1, le=3600)]
Rules = Annotated[str, Field(min_length=1, max_length=1_000_000, examples=[GAME])]
Joint = Annotated[
    list[Annotated[str, Field(min_length=1, max_length=1000)]],
    Field(max_length=64, examples=[["(mark 2 2)", "noop"]]),
]
Moves = Annotated[list[Joint], Field(max_length=MOST_TURNS, examples=[[["(mark 2 2)", "noop"]]])]
Fact = Annotated[str, Field(min_length=1, max_length=1000, examples=["terminal"])]
"""Which is asked about: `(legal white noop)`, `(not terminal)`, `(goal white ?n)`."""
Depth = Annotated[int, Field(ge=1, le=MOST_DEPTH)]
"""How many rules deep it is explained."""
Role = Annotated[str, Field(min_length=1, max_length=100, examples=["xplayer"])]
Elo = Annotated[float, Field(ge=-1000, le=1000, examples=[20])]
ErrorRate = Annotated[float, Field(ge=0.001, le=0.4)]
Dialect = Literal["ggp-base", "dresden", "gdl-ii", "gamemaster"]
"""In which a player elsewhere is spoken to, as in `ggp.protocol.dialects`."""


class PlayerRequest(RequestModel):
    """A player to register."""

    name: Name
    source: Annotated[str, Field(min_length=1, max_length=500, examples=["http://127.0.0.1:9147"])]
    """`http://HOST:PORT` of a running player, or a spec such as `mcts:c=0.7`."""
    dialect: Dialect = "ggp-base"


class SubmissionRequest(RequestModel):
    """A Python file with a player class."""

    text: Annotated[str, Field(min_length=1, max_length=262_144, examples=[PLAYER])]


class MatchRequest(RequestModel):
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
    spectators: Annotated[Literal["nothing", "all"], Field(examples=["nothing"])] = "nothing"
    """What they see before the end in a game of hidden information; so do players who look on."""

    def plan(self) -> MatchPlan:
        """The match that is asked for."""
        fields = self.model_dump(exclude={"players", "scrambled"})
        return MatchPlan(players=tuple(self.players), is_scrambled=self.scrambled, **fields)


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


class TurnQuery(RequestModel):
    """From which turn on."""

    first: Annotated[int, Field(ge=0, le=1_000_000)] = 0


class MoveRequest(RequestModel):
    """A person's move."""

    role: Role
    move: Annotated[str, Field(min_length=1, max_length=1000, examples=["(mark 2 2)"])]
    turn: Annotated[int, Field(ge=1, le=1_000_000, examples=[1])]
    """The turn it is meant for, from 1: a click that comes late moves nothing."""


class TakeBackRequest(RequestModel):
    """A person's wish to go back."""

    role: Role
    turns: Annotated[int, Field(ge=0, le=1_000_000, examples=[0])]
    """Number of turns that remain."""


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


class RulesRequest(RequestModel):
    """A rulesheet as it stands in an editor."""

    text: Rules
    play: bool = False
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
    """A position of a rulesheet as it stands in an editor."""

    text: Rules
    moves: Moves = Field(default_factory=list)
    """The joint moves that lead there, each with a move of each role."""


class WhyQuery(RequestModel):
    """What is asked about a position."""

    fact: Fact
    depth: Depth = 4


class WhyRequest(PositionRequest):
    """What is asked about such a position."""

    fact: Fact
    next: Joint | None = None
    """What is done there, for facts that depend on it."""
    depth: Depth = 4


class GameRequest(RequestModel):
    """A rulesheet to keep under a name."""

    name: Annotated[GameName, Field(examples=["myGame"])]
    text: Rules


class EntrantPart(RequestModel):
    """One who takes part in a tournament."""

    name: Name
    player: Annotated[str, Field(min_length=1, max_length=500)]
    dialect: Annotated[Literal["", Dialect], Field(examples=["ggp-base"])] = ""
    """In which it is spoken to if it runs elsewhere; empty: in the one it is registered with."""


class JoinRequest(EntrantPart):
    """A player who wants to take part in a continuous tournament."""

    player: Annotated[str, Field(max_length=500, examples=["http://127.0.0.1:9147"])] = ""
    """A registered name, a spec or an address; empty: as its name."""

    def entrant(self) -> Entrant:
        """Who takes part."""
        return Entrant(self.name, self.player or self.name, self.dialect)


class StopPart(RequestModel):
    """A sequential probability ratio test of the Elo of the first player over the second."""

    elo0: Elo
    elo1: Elo
    """At least 1 more than elo0."""
    alpha: ErrorRate = 0.05
    """Share of tests that may accept elo1 where elo0 is true."""
    beta: ErrorRate = 0.05
    """Share of tests that may accept elo0 where elo1 is true."""


class TournamentRequest(RequestModel):
    """A tournament to hold."""

    name: Name
    games: Annotated[list[GameName], Field(min_length=1, max_length=64, examples=[["ticTacToe"]])]
    players: Annotated[list[EntrantPart], Field(max_length=64, examples=[ENTRANTS])]
    """At least one; in a continuous tournament others may come later."""
    form: Form = "round-robin"
    startclock: Clock = 10
    playclock: Clock = 5
    matches: Annotated[int, Field(ge=1, le=20_000)] = 2
    rounds: Annotated[int, Field(ge=1, le=100)] = 3
    seed: Annotated[int, Field(ge=0, lt=2**31)] = 0
    move_limit: Annotated[int | None, Field(ge=1, le=100_000, examples=[200])] = None
    jobs: Annotated[int, Field(ge=0, le=64)] = 0
    minutes: Annotated[int, Field(ge=0, le=366 * 24 * 60)] = 0
    """After which a continuous tournament ends; 0: when somebody ends it."""
    pause: Annotated[int, Field(ge=0, le=3600)] = 0
    """Seconds between two matches of a player in a continuous tournament."""
    stop: Annotated[StopPart | None, Field(examples=[{"elo0": 0, "elo1": 20}])] = None
    """Of two players: no more matches begin once this test has decided."""

    def plan(self) -> TournamentPlan:
        """The tournament that is asked for."""
        return TournamentPlan.read(self.model_dump())


class AnnulRequest(RequestModel):
    """A match that is to count no more."""

    match: Annotated[int, Field(ge=1, lt=2**31, examples=[1])]
