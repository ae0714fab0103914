"""Positions with known outcomes: those in `outcomes/`, and how to make more of them.

Positions come from random play. In connectFour the perfect solver of the package `bitbully` judges
each move, in other games our alpha-beta search to the end of the game.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from itertools import chain, count
from pathlib import Path
from typing import Any

from contest.match import load

import gdl
from ggp.clock import Deadline
from ggp.cluster.tasks import crew, done_in_order
from ggp.search.core.result import OutOfTime
from ggp.search.evaluation import EvenEvaluation
from ggp.search.fast.alphabeta.search import make_search

OUTCOMES = Path(__file__).with_name("outcomes")
CONNECT_FOUR = "connectFour"
BATCH = 8  # positions that are made together


@dataclass(frozen=True, slots=True)
class Question:
    """A position, and the value of each move there.

    Attributes:
        moves: The joint moves that lead to it, the roles' parted by a space.
        role: Index of the role that chooses.
        values: What that role gets after each of its moves, if all play perfectly from there.
    """

    moves: list[str]
    role: int
    values: dict[str, float]

    def is_kept_by(self, move: str) -> bool:
        """Return whether a move keeps the outcome."""
        return self.values[move] == max(self.values.values())


def questions_of(game: str) -> list[Question]:
    """Return the positions of a game."""
    lines = (OUTCOMES / f"{game}.json").read_text(encoding="utf-8").splitlines()
    return [Question(**json.loads(line)) for line in lines]


def joints_of(question: Question) -> list[tuple[gdl.Move, ...]]:
    """Return the joint moves that lead to a position, each read as the arguments of one term."""
    terms = [gdl.read_term(f"(joint {moves})") for moves in question.moves]
    return [term.args for term in terms if isinstance(term, gdl.Compound)]


def states_to(game: str, question: Question) -> list[gdl.State]:
    """Return the states on the way to a position, including its own."""
    machine = load(game)
    states = [machine.initial_state()]
    for moves in joints_of(question):
        states.append(machine.next_state(states[-1], moves))
    return states


@dataclass(frozen=True, slots=True)
class Making:
    """How positions of a game are made.

    Attributes:
        game: The game.
        plies: Of random play that leads to one.
        most_seconds: To solve one.
        seed: Of the random play; positions are numbered, and each depends on it and its number.
    """

    game: str
    plies: range
    most_seconds: float
    seed: int


def made(making: Making, number: int, *, is_on_cluster: bool = False) -> Iterator[Question]:
    """Return `number` different positions of a game from random play."""
    seen: set[gdl.State] = set()
    batches = (range(first, first + BATCH) for first in count(0, BATCH))
    with crew(questions_among, making, is_on_cluster=is_on_cluster) as workers:
        found = done_in_order(workers, batches)
        for line in chain.from_iterable(lines.splitlines() for lines in found):
            question = Question(**json.loads(line))
            state = states_to(making.game, question)[-1]
            if state in seen:
                continue
            seen.add(state)
            yield question
            if len(seen) == number:
                return


def questions_among(making: Making, numbers: range) -> bytes:
    """Return those of some positions in which the choice matters, as lines of JSON."""
    found = [_question(making, random.Random(f"{making.seed} {number}")) for number in numbers]
    return "\n".join(json.dumps(asdict(one)) for one in found if one).encode()


def _question(making: Making, rng: random.Random) -> Question | None:
    """Return a position of random play if one role chooses there and its choice matters."""
    machine = load(making.game)
    judge = _bitbully_values if making.game == CONNECT_FOUR else _solved_values
    state, moves = machine.initial_state(), list[str]()
    for _ in range(rng.choice(making.plies)):
        if machine.is_terminal(state):
            return None
        joint = tuple(rng.choice(machine.legal_moves(state, role)) for role in machine.roles)
        state = machine.next_state(state, joint)
        moves.append(" ".join(map(str, joint)))
    choosers = [] if machine.is_terminal(state) else _choosers(machine, state)
    if len(choosers) != 1:
        return None
    values = judge(making.game, state, choosers[0], moves, making.most_seconds)
    return Question(moves, choosers[0], values) if len(set(values.values())) > 1 else None


def _choosers(machine: gdl.StateMachine, state: gdl.State) -> list[int]:
    legal = [machine.legal_moves(state, role) for role in machine.roles]
    return [role for role, moves in enumerate(legal) if len(moves) > 1]


@cache
def _bitbully() -> Any:
    import bitbully

    return bitbully, bitbully.BitBully()


def _bitbully_values(
    game: str, state: gdl.State, role: int, moves: Sequence[str], most_seconds: float
) -> dict[str, float]:
    """Judge each move by a perfect solver. Red is the first role in both programs."""
    package, solver = _bitbully()
    board = package.Board()
    for joint in moves:
        board.play(int("".join(filter(str.isdigit, joint))) - 1)  # (drop 3) noop
    scores = solver.score_all_moves(board)
    return {
        f"(drop {column + 1})": 50.0 + 50.0 * ((score > 0) - (score < 0))
        for column, score in sorted(scores.items())
    }


def _solved_values(
    game: str, state: gdl.State, role: int, moves: Sequence[str], most_seconds: float
) -> dict[str, float]:
    """Judge each move by alpha-beta to the end of the game; return nothing if it takes too long."""
    machine, values = load(game), {}
    own = machine.roles[role]
    search = make_search(machine, own, EvenEvaluation(machine))
    assert search is not None
    deadline = Deadline.after(most_seconds)
    for move in machine.legal_moves(state, own):
        joint = [machine.legal_moves(state, other)[0] for other in machine.roles]
        joint[role] = move
        following = machine.next_state(state, tuple(joint))
        if machine.is_terminal(following):
            values[str(move)] = float(machine.goal(following, own))
            continue
        try:
            values[str(move)] = search.look(following, depth=None, deadline=deadline).value
        except OutOfTime:
            return {}
    return values
