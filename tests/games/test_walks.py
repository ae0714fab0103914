"""Along random games, to their ends, rulesheets allow what the hand-written move generators do.

Counts from the first state do not get as far as the captures, lines and ends that these see.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Hashable
from functools import partial

import pytest

import gdl
from ggp import games
from tests.games.move_generators import GAMES, Square, Stones, seen_from_above
from tests.thorough import all_but

NUM_GAMES = 3


def stones_of(machine: gdl.Interpreter, state: gdl.State) -> tuple[list[Stones], list[str]]:
    """The stones of each role, mover's first, and the words of `control`."""
    stones: dict[str, set[Square]] = {role.name: set() for role in machine.roles}
    control: list[str] = []
    for fact in machine.facts(state):
        relation, *words = str(fact).strip("()").split()
        if relation == "control":
            control = words
        else:
            column, row, owner = words
            stones[owner].add((int(column) - 1, int(row) - 1))
    mover = control[0]
    order = sorted(stones, key=lambda role: role != mover)
    return [frozenset(stones[role]) for role in order], control


def race(size: int, machine: gdl.Interpreter, state: gdl.State) -> Hashable:
    """A position of two sides that go towards each other, as the mover sees it."""
    (mine, theirs), [mover] = stones_of(machine, state)
    if mover == "white":
        return mine, theirs
    return seen_from_above(mine, size), seen_from_above(theirs, size)


def pentago(machine: gdl.Interpreter, state: gdl.State) -> Hashable:
    """A position of pentago."""
    (mine, theirs), [_, kind] = stones_of(machine, state)
    return mine, theirs, kind == "rotate"


POSITIONS: dict[str, Callable[[gdl.Interpreter, gdl.State], Hashable]] = {
    "breakthrough": partial(race, 8),
    "breakthroughSmall": partial(race, 6),
    "knightThrough": partial(race, 8),
    "pentago": pentago,
}


@pytest.mark.parametrize("name", all_but(["pentago"], POSITIONS, is_whole=True))
def test_random_games_go_where_the_move_generator_says(name: str) -> None:
    """The same positions may follow each position, and none where the game is over."""
    machine = gdl.Interpreter(gdl.read_kif(games.text(name), name))
    position_of = partial(POSITIONS[name], machine)
    rng = random.Random(3)

    for _ in range(NUM_GAMES):
        state = machine.initial_state()
        while not machine.is_terminal(state):
            moves = [machine.legal_moves(state, role) for role in machine.roles]
            joints = [(one, other) for one in moves[0] for other in moves[1]]
            following = [machine.next_state(state, joint) for joint in joints]
            expected = Counter(GAMES[name].successors(position_of(state)))
            assert Counter(map(position_of, following)) == expected
            state = rng.choice(following)
        assert not list(GAMES[name].successors(position_of(state)))
