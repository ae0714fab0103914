"""Two who have to meet, in a game that has no last turn: they go, and do not stand still."""

from __future__ import annotations

import pytest

import gdl
from ggp.clock import Deadline
from ggp.search.fast.lanes import LaneSettings
from ggp.search.fast.tree.search import LaneSearch

pytestmark = pytest.mark.usefixtures("kernels")

SMALL = LaneSettings(memory=8 << 20, rounds=2)
LAST_CELL = 7
FEWEST = 3  # turns
ROUNDS = 2000

RULES = f"""
(role ann) (role bob) (init (at ann 1)) (init (at bob {LAST_CELL}))
{" ".join(f"(succ {n} {n + 1})" for n in range(1, LAST_CELL))}
(<= (legal ?r stay) (role ?r))
(<= (legal ?r right) (true (at ?r ?x)) (succ ?x ?y))
(<= (legal ?r left) (true (at ?r ?y)) (succ ?x ?y))
(<= (next (at ?r ?x)) (does ?r stay) (true (at ?r ?x)))
(<= (next (at ?r ?y)) (does ?r right) (true (at ?r ?x)) (succ ?x ?y))
(<= (next (at ?r ?x)) (does ?r left) (true (at ?r ?y)) (succ ?x ?y))
(<= met (true (at ann ?x)) (true (at bob ?x)))
(<= terminal met)
(<= (goal ?r 100) (role ?r) met)
(<= (goal ?r 0) (role ?r) (not met))
"""


@pytest.mark.parametrize("seed", range(3))
def test_two_who_have_to_meet_do_so(seed: int) -> None:
    """Though it is worth as much later: each turn that they wait they could wait for ever."""
    machine = gdl.load(RULES, "lanes")
    state, turns = machine.initial_state(), 0
    searches = [
        LaneSearch(machine, state, role, 2 * seed + place, SMALL)
        for place, role in enumerate(machine.roles)
    ]

    while not machine.is_terminal(state):
        moves = tuple(chosen(search) for search in searches)
        state, turns = machine.next_state(state, moves), turns + 1
        assert turns <= 4 * FEWEST
        if not machine.is_terminal(state):
            for search in searches:
                search.advance(moves, state)


def chosen(search: LaneSearch) -> gdl.Move:
    """The move after so many rounds more."""
    last = search.effort.num_iterations + ROUNDS
    while search.effort.num_iterations < last and search.step(Deadline.never()):
        pass
    return search.result().move
