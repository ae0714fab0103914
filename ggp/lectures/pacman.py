"""Assumptions and reality: what Pac-Man assumes about the ghost, and how the ghost really behaves.

In the lecture "Search in Games", Pac-Man plays by minimax, which assumes an adversary, or by
expectimax, which assumes chance. The ghost either chases Pac-Man or moves at random. The lecture
uses a different game with its own scores. Here the game is `games/pacMan.kif`, with goals from 0 to
100. The depths are those of the lecture, 4 for Pac-Man and 2 for the ghost, but counted in plies.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache, partial
from math import sqrt
from statistics import fmean, stdev

import gdl
from ggp import games
from ggp.clock import Deadline
from ggp.lectures.report import Claim, LectureReport, Picture, ReportTable
from ggp.search.core.result import DepthResult
from ggp.search.textbook.adversarial import minimax
from ggp.search.textbook.chance import expectimax
from ggp.search.textbook.chance.models import uniform

Square = tuple[int, int]

COLUMNS, ROWS = 7, 4
TROUBLE_DISTANCE = 5
"""Number of steps at which the ghost is far enough away to be harmless."""
TROUBLE = 0.5
"""Points lost for each step by which the ghost is closer. A dot is worth 8, a step towards it 1."""
SEEKING = 6
"""Points that the ghost gains per step towards Pac-Man. Catching Pac-Man is worth 95 or more."""


@dataclass(frozen=True, slots=True)
class MazeSquares:
    """The squares of Pac-Man, the ghost, the dots and the walls in a state."""

    pacman: Square
    ghost: Square
    dots: frozenset[Square]
    walls: frozenset[Square]

    def distance(self, start: Square, end: Square) -> int:
        """Return the number of steps from one square to another."""
        return distances(start, self.walls)[end]


def look(facts: Iterable[gdl.Term]) -> MazeSquares:
    """Find the squares of Pac-Man, the ghost, the dots and the walls among the facts of a state."""
    things: dict[str, set[Square]] = {"wall": set(), "dot": set(), "pacman": set(), "ghost": set()}
    for fact in facts:
        if isinstance(fact, gdl.Compound) and fact.name == "cell":
            column, row, thing = map(str, fact.args)
            things[thing].add((int(column), int(row)))
    [pacman], [ghost] = things["pacman"], things["ghost"]
    return MazeSquares(pacman, ghost, frozenset(things["dot"]), frozenset(things["wall"]))


def drawn(sight: MazeSquares) -> tuple[str, ...]:
    """Draw the maze as lines from the top: `#` wall, `.` dot, `P` Pac-Man, `G` ghost."""
    signs = dict.fromkeys(sight.walls, "#") | dict.fromkeys(sight.dots, ".")
    signs |= {sight.ghost: "G", sight.pacman: "P"}
    return tuple(
        " ".join(signs.get((column, row), " ") for column in range(1, COLUMNS + 1)).rstrip()
        for row in range(ROWS, 0, -1)
    )


@cache
def distances(start: Square, walls: frozenset[Square]) -> dict[Square, int]:
    """Return the number of steps from a square to every reachable square."""
    found = {start: 0}
    waiting = [start]
    for column, row in waiting:
        for step in ((column + 1, row), (column - 1, row), (column, row + 1), (column, row - 1)):
            is_inside = 1 <= step[0] <= COLUMNS and 1 <= step[1] <= ROWS
            if is_inside and step not in walls and step not in found:
                found[step] = found[column, row] + 1
                waiting.append(step)
    return found


class AvoidingTrouble:
    """Pac-Man's evaluation: the goal so far, less if the next dot is far or the ghost is near."""

    def __init__(self, machine: gdl.StateMachine) -> None:
        self._machine = machine

    def __call__(self, state: gdl.State) -> tuple[float, ...]:
        """Return the goal that Pac-Man expects, and the rest to 100 for the ghost."""
        sight = look(self._machine.facts(state))
        [pacman] = [role for role in self._machine.roles if role.name == "pacman"]
        way = min(sight.distance(sight.pacman, dot) for dot in sight.dots)
        nearness = max(0, TROUBLE_DISTANCE - sight.distance(sight.pacman, sight.ghost))
        value = self._machine.goal(state, pacman) - way - TROUBLE * nearness
        return as_goals(self._machine, max(0.0, value))


class SeekingPacman:
    """The ghost's evaluation: the nearer to Pac-Man, the better."""

    def __init__(self, machine: gdl.StateMachine) -> None:
        self._machine = machine

    def __call__(self, state: gdl.State) -> tuple[float, ...]:
        """Return a value that grows with the distance, and the rest to 100 for the ghost."""
        sight = look(self._machine.facts(state))
        way = sight.distance(sight.pacman, sight.ghost)
        return as_goals(self._machine, min(100.0, float(SEEKING * way)))


def as_goals(machine: gdl.StateMachine, value: float) -> tuple[float, ...]:
    """Convert a value for Pac-Man to goals of both roles."""
    return tuple(value if role.name == "pacman" else 100 - value for role in machine.roles)


PACMAN_DEPTH = 4
GHOST_DEPTH = 2
NUM_GAMES = 400
PACMANS = ("minimax", "expectimax")
GHOSTS = ("adversarial", "random")
LECTURE = {
    ("minimax", "adversarial"): (5, 483),
    ("minimax", "random"): (5, 493),
    ("expectimax", "adversarial"): (1, -303),
    ("expectimax", "random"): (5, 503),
}
"""The lecture's result for each pairing: games won out of 5, and average score in its own game."""

Pairing = tuple[str, str]
"""The kinds of Pac-Man and of the ghost."""


@dataclass(frozen=True, slots=True)
class PacmanOutcome:
    """Results of the games of one pairing."""

    goals: tuple[int, ...]
    """Pac-Man's goal in each game."""
    num_won: int
    """Number of games in which Pac-Man ate all dots."""
    num_caught: int

    @property
    def mean(self) -> float:
        """The average goal."""
        return fmean(self.goals)

    @property
    def margin(self) -> float:
        """Half the width of the 95 % interval of the average."""
        return 1.96 * stdev(self.goals) / sqrt(len(self.goals))


def run(num_games: int = NUM_GAMES) -> LectureReport:
    """Play `num_games` games of every pairing."""
    machine = gdl.Interpreter(gdl.read_kif(games.text("pacMan"), "pacMan"))
    found = play_all(machine, num_games)
    maze = drawn(look(machine.facts(machine.initial_state())))
    return LectureReport(
        title="Assumptions against reality",
        source="Search in Games: Assumptions vs. Reality",
        claims=_claims(found, num_games),
        parts=(Picture("The maze", lines=maze), _table(found, num_games)),
        notes=(NOTE,),
    )


NOTE = (
    "The lecture's scores are those of its own game and cannot be compared with goals from 0 to "
    "100; only the order can. ± is half of the 95 % interval. The maze was chosen from random ones "
    "because it punishes optimism. The ghost rests every other turn; otherwise Pac-Man could "
    "hardly win against one that seeks it. Here, depth counts plies of both sides."
)


def play_all(machine: gdl.StateMachine, num_games: int) -> dict[Pairing, PacmanOutcome]:
    """Return the outcome of every pairing. Game number N uses seed N."""
    return {
        (pacman, ghost): _play_series(machine, (pacman, ghost), num_games)
        for pacman in PACMANS
        for ghost in GHOSTS
    }


def _play_series(machine: gdl.StateMachine, pairing: Pairing, num_games: int) -> PacmanOutcome:
    habits = Habits(machine, pairing)
    ends = [play(machine, habits, random.Random(seed)) for seed in range(num_games)]
    phases = [phase(machine, end) for end in ends]
    return PacmanOutcome(
        goals=tuple(machine.goal(end, machine.roles[0]) for end in ends),
        num_won=phases.count("won"),
        num_caught=phases.count("caught"),
    )


def play(machine: gdl.StateMachine, habits: Habits, rng: random.Random) -> gdl.State:
    """Play one game and return its final state."""
    state = machine.initial_state()
    while not machine.is_terminal(state):
        state = machine.next_state(state, (habits.pacman(state), rng.choice(habits.ghost(state))))
    return state


def phase(machine: gdl.StateMachine, end: gdl.State) -> str:
    """Return how a game ended: `won`, `caught`, or `out of time`."""
    goal = machine.goal(end, machine.roles[0])
    if goal < min(ALIVE):
        return "caught"
    left = any(str(fact).endswith(" dot)") for fact in machine.facts(end))
    return "out of time" if left else "won"


ALIVE = range(10, 51)
"""Goals of a Pac-Man that was not caught and has not eaten all dots."""


class Habits:
    """Behaviour of Pac-Man and the ghost of a pairing. It depends only on the state."""

    def __init__(self, machine: gdl.StateMachine, pairing: Pairing) -> None:
        self._machine = machine
        self._pairing = pairing
        self._avoiding = AvoidingTrouble(machine)
        self._seeking = SeekingPacman(machine)
        self._moves: dict[tuple[gdl.State, gdl.Role], tuple[gdl.Move, ...]] = {}

    def pacman(self, state: gdl.State) -> gdl.Move:
        """Return Pac-Man's best move, or the first of equally good moves, as in the lecture."""
        return self._best(state, self._machine.roles[0])[0]

    def ghost(self, state: gdl.State) -> tuple[gdl.Move, ...]:
        """Return the moves among which the ghost chooses at random: the best moves, or all."""
        ghost = self._machine.roles[1]
        if self._pairing[1] == "random":
            return self._machine.legal_moves(state, ghost)
        return self._best(state, ghost)

    def _best(self, state: gdl.State, role: gdl.Role) -> tuple[gdl.Move, ...]:
        known = self._moves.get((state, role))
        if known is None:
            known = self._machine.legal_moves(state, role)
            if len(known) > 1:
                found = self._search(state, role)
                best = {one.move for one in found.result.moves if one.value == found.value}
                known = tuple(move for move in known if move in best)
            self._moves[state, role] = known
        return known

    def _search(self, state: gdl.State, role: gdl.Role) -> DepthResult:
        is_ghost = role is self._machine.roles[1]
        search = _SEARCHES["minimax" if is_ghost else self._pairing[0]]
        return search(
            self._machine,
            state,
            role,
            depth=GHOST_DEPTH if is_ghost else PACMAN_DEPTH,
            evaluate=self._seeking if is_ghost else self._avoiding,
            deadline=Deadline.never(),
        )


_SEARCHES: dict[str, Callable[..., DepthResult]] = {
    "minimax": minimax.search,
    "expectimax": partial(expectimax.search, model=uniform),
}


def _table(found: dict[Pairing, PacmanOutcome], num_games: int) -> ReportTable:
    rows = []
    for pairing, outcome in found.items():
        won, score = LECTURE[pairing]
        rows.append(
            (
                f"{pairing[0]} Pac-Man",
                f"{pairing[1]} ghost",
                f"{won}/5",
                str(score),
                f"{outcome.num_won}/{num_games}",
                f"{outcome.mean:.1f} ± {outcome.margin:.1f}",
                str(outcome.num_caught),
            )
        )
    columns = ("Pac-Man", "ghost", "won there", "score there", "won here", "goal here", "caught")
    return ReportTable("Won games and averages", columns, tuple(rows), columns[2:])


COMPARED: tuple[tuple[str, Pairing, Pairing], ...] = (
    (
        "against an adversary, minimax does better than expectimax",
        ("minimax", "adversarial"),
        ("expectimax", "adversarial"),
    ),
    (
        "against a random ghost, expectimax does better than minimax",
        ("expectimax", "random"),
        ("minimax", "random"),
    ),
    (
        "minimax does better against a random ghost than it fears",
        ("minimax", "random"),
        ("minimax", "adversarial"),
    ),
    (
        "expectimax loses most where it is wrong about the ghost",
        ("expectimax", "random"),
        ("expectimax", "adversarial"),
    ),
)
"""Statements of the lecture's table: the first pairing has a higher average than the second."""


def _claims(found: dict[Pairing, PacmanOutcome], num_games: int) -> tuple[Claim, ...]:
    claims = []
    for pairing, (won, _) in LECTURE.items():
        ours = found[pairing].num_won
        is_alike = (won >= 4) == (ours * 5 >= num_games * 4)
        what = f"{pairing[0]} Pac-Man, {pairing[1]} ghost: games won"
        claims.append(Claim(what, f"{won}/5", f"{ours}/{num_games}", is_alike))
    for what, better, worse in COMPARED:
        theirs = f"{LECTURE[better][1]} > {LECTURE[worse][1]}"
        one, other = found[better].mean, found[worse].mean
        sign = ">" if one > other else "≤"
        claims.append(Claim(what, theirs, f"{one:.1f} {sign} {other:.1f}", one > other))
    return tuple(claims)
