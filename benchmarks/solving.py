"""Measure how soon the search on lanes solves positions made by a textbook solver.

python benchmarks/solving.py                    # the table, from positions.json
python benchmarks/solving.py --make 40          # make the positions anew

`positions.json` has forced wins of three and five plies in several games, and positions of
connectFour 12 plies from the end with their values. They come from random play (fixed seeds) and
were judged by plain recursion over all moves.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from functools import cache
from pathlib import Path

import gdl
from ggp import games
from ggp.clock import Deadline
from ggp.search.core.result import BEST, SearchResult
from ggp.search.fast.lanes import LaneSettings
from ggp.search.fast.tree.search import LaneSearch
from ggp.warming.kernels import warm_up_tree

POSITIONS = Path(__file__).with_name("positions.json")
WIN_GAMES = (
    "ticTacToe",
    "chomp",
    "connectFour",
    "threePlayerTicTacToe",
)
LONGEST_WIN = 5
SHORT = 0.3  # share of the wins in three plies that are taken
PLIES_LEFT = 12
SETTINGS = LaneSettings(memory=128 << 20, rounds=2)


@dataclass(frozen=True)
class Position:
    """A position of a bundled game, and the textbook's judgement of it."""

    game: str
    role: int  # who moves
    value: float  # the goal of that role
    plies: int  # to the end; of a forced win, if both play as well as they can
    moves: list[str]  # the joint moves that lead there, each with a space between the roles


@cache
def machine_of(game: str) -> gdl.Game:
    """Return a bundled game, compiled."""
    return gdl.load(games.text(game), "lanes")


@cache
def positions() -> tuple[Position, ...]:
    """Return all stored positions."""
    return tuple(Position(**each) for each in json.loads(POSITIONS.read_text("utf-8")))


def state_of(position: Position) -> gdl.State:
    """Return the state of the position."""
    machine = machine_of(position.game)
    state = machine.initial_state()
    for text in position.moves:
        joints = list(joints_in(machine, state))
        state = machine.next_state(state, next(j for j in joints if text_of(j) == text))
    return state


def text_of(joint: tuple[gdl.Move, ...]) -> str:
    """Return a joint move as one line."""
    return " ".join(map(str, joint))


def joints_in(machine: gdl.StateMachine, state: gdl.State) -> Iterator[tuple[gdl.Move, ...]]:
    """Return the joint moves if at most one role has a choice."""
    choices = [machine.legal_moves(state, role) for role in machine.roles]
    decider = decider_of(choices)
    for move in choices[decider]:
        yield tuple(move if r == decider else moves[0] for r, moves in enumerate(choices))


def decider_of(choices: list[tuple[gdl.Move, ...]]) -> int:
    """Return the role with the most moves."""
    return max(range(len(choices)), key=lambda role: len(choices[role]))


# --- The textbook ---------------------------------------------------------------------------------


class Textbook:
    """Plain recursion over a turn-taking game, with a memory of earlier results."""

    def __init__(self, machine: gdl.StateMachine) -> None:
        self._machine = machine
        self._wins: dict[tuple[gdl.State, int, int], bool] = {}
        self._values: dict[gdl.State, float] = {}

    def wins_within(self, state: gdl.State, role: int, plies: int) -> bool:
        """Return whether a role can force the best goal within `plies`, against all others."""
        machine = self._machine
        if machine.is_terminal(state):
            return machine.goal(state, machine.roles[role]) == BEST
        if plies == 0:
            return False
        key = state, role, plies
        if key not in self._wins:
            choices = [machine.legal_moves(state, each) for each in machine.roles]
            quantifier = any if decider_of(choices) == role else all
            self._wins[key] = quantifier(
                self.wins_within(machine.next_state(state, joint), role, plies - 1)
                for joint in joints_in(machine, state)
            )
        return self._wins[key]

    def value(self, state: gdl.State) -> float:
        """Return the minimax value: the goal of the first of two roles that share 100."""
        machine = self._machine
        if machine.is_terminal(state):
            return machine.goal(state, machine.roles[0])
        if state not in self._values:
            choices = [machine.legal_moves(state, each) for each in machine.roles]
            best = max if decider_of(choices) == 0 else min
            self._values[state] = best(
                self.value(machine.next_state(state, joint)) for joint in joints_in(machine, state)
            )
        return self._values[state]


def make_wins(game: str, num: int) -> Iterator[Position]:
    """Return `num` forced wins of three or five plies from random play, one per match."""
    machine, rng = machine_of(game), random.Random(game)
    book = Textbook(machine)
    while num:
        state, moves = machine.initial_state(), list[str]()
        while not machine.is_terminal(state):
            position = judged(book, Position(game, 0, BEST, 0, list(moves)), state)
            if position is not None and (position.plies == LONGEST_WIN or rng.random() < SHORT):
                num -= 1
                yield position
                break
            joint = rng.choice(list(joints_in(machine, state)))
            moves.append(text_of(joint))
            state = machine.next_state(state, joint)


def judged(book: Textbook, position: Position, state: gdl.State) -> Position | None:
    """Return the position with its winner and the plies; None if no role wins soon, or at once."""
    machine = machine_of(position.game)
    choices = [machine.legal_moves(state, role) for role in machine.roles]
    role = decider_of(choices)
    if len(choices[role]) == 1 or book.wins_within(state, role, 1):
        return None
    for plies in range(3, LONGEST_WIN + 1, 2):
        if book.wins_within(state, role, plies):
            return replace(position, role=role, plies=plies)
    return None


def make_endings(num: int) -> Iterator[Position]:
    """Return `num` positions of connectFour, `PLIES_LEFT` plies before the board is full."""
    machine, rng = machine_of("connectFour"), random.Random("connectFour")
    book = Textbook(machine)
    while num:
        state, moves = machine.initial_state(), list[str]()
        while not machine.is_terminal(state) and len(moves) < 42 - PLIES_LEFT:
            joint = rng.choice(list(joints_in(machine, state)))
            moves.append(text_of(joint))
            state = machine.next_state(state, joint)
        if machine.is_terminal(state) or book.wins_within(state, 0, 1):
            continue
        num -= 1
        yield Position("connectFour", 0, book.value(state), PLIES_LEFT, moves)


# --- The search -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Solved:
    """The result of a search, and its cost."""

    result: SearchResult
    rounds: int
    seconds: float


def solve(position: Position, *, steps: int = 1 << 30, seconds: float = 60.0) -> Solved:
    """Search a position until its value is proven, for a limited number of steps or seconds.

    A player stops before that where only one move is left that may be the best.
    """
    machine = machine_of(position.game)
    role = machine.roles[position.role]
    search = LaneSearch(machine, state_of(position), role, seed=1, settings=SETTINGS)
    deadline, start = Deadline.after(seconds), time.perf_counter()
    for _ in range(steps):
        lows, highs = zip(*search.bounds, strict=True)
        if max(lows) >= max(highs) or deadline.is_over() or not search.step(deadline):
            break
    return Solved(search.result(), search.effort.num_iterations, time.perf_counter() - start)


def is_right(position: Position, result: SearchResult) -> bool:
    """Return whether the value is proven and equals the textbook's."""
    return result.lower == result.upper == position.value


def report(title: str, some: list[Position]) -> None:
    """Print a line of the table."""
    solved = [solve(position) for position in some]
    right = sum(is_right(p, s.result) for p, s in zip(some, solved, strict=True))
    times = [1000 * s.seconds for s in solved]
    rounds = [s.rounds for s in solved]
    print(
        f"| {title} | {right} of {len(some)} | {statistics.median(times):.0f} | {max(times):.0f} "
        f"| {statistics.median(rounds):.0f} | {max(rounds)} |"
    )


def main() -> None:
    """Print the table, or make the positions."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--make", type=int, metavar="N", help="make N forced wins and 20 endings")
    num = parser.parse_args().make
    if num:
        made = [p for game in WIN_GAMES for p in make_wins(game, -(-num // len(WIN_GAMES)))]
        made += make_endings(20)
        lines = ",\n".join(json.dumps(asdict(position)) for position in made)
        POSITIONS.write_text(f"[\n{lines}\n]\n", "utf-8")
        return
    warm_up_tree()
    print("| position | proven right | ms, median | ms, longest | rounds, median | most |")
    print("|---|---|---|---|---|---|")
    report("ticTacToe, first position", [Position("ticTacToe", 0, 50, 9, [])])
    report("nim, first position", [Position("nim", 0, 0, 12, [])])
    for game in WIN_GAMES:
        report(
            f"{game}, forced wins",
            [p for p in positions() if p.game == game and p.plies <= LONGEST_WIN],
        )
    report("connectFour, 12 plies left", [p for p in positions() if p.plies == PLIES_LEFT])


if __name__ == "__main__":
    main()
