"""Lanes, the scalar machine and the interpreter say the same of every bundled game.

The lanes are those that play: the circuit without the facts that make no difference, in phases,
stepped by the kernel that makes playouts, so lanes that are over begin anew. After a few steps all
512 lanes are in different states.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from gdl.circuit.netlist import YES
from gdl.circuit.passes.split import split
from gdl.circuit.schedule import schedule
from tests.gdl.circuit.lanes.walks import GAMES, Walk, bundled
from tests.thorough import KINDS, all_but

pytestmark = pytest.mark.usefixtures("kernels", "lane_steps")

FOLLOWED = [0, 63, 64, 300, 511]


@pytest.mark.parametrize("game", all_but(KINDS, GAMES))
def test_lanes_play_by_the_rules(game: str) -> None:
    """Facts, legal moves, end and goals of some lanes are right in each of 20 steps."""
    walk = Walk(bundled(game), seed=1, followed=FOLLOWED)

    walk.go(steps=20)

    # Where the game is over a lane may wait for its phase; nothing is compared then.
    assert walk.num_compared >= 12 * len(FOLLOWED)


@pytest.mark.parametrize("game", all_but(KINDS, GAMES))
def test_tables_play_by_the_rules(game: str) -> None:
    """The same where no machine code can be run."""
    walk = Walk(bundled(game), seed=2, followed=[1, 510], by_table=True)

    walk.go(steps=10)

    assert walk.num_compared >= 12


def test_a_walk_finds_a_false_rule() -> None:
    """If one move were always legal, some step would show it."""
    game = bundled("ticTacToe")
    netlists = [phase.netlist for phase in game.circuit.phases]
    legal = netlists[0].legal.copy()
    legal[0] = YES
    phases = [replace(netlists[0], legal=legal), *netlists[1:]]
    plans = tuple(schedule(split(phase)) for phase in phases)
    false = replace(game, circuit=replace(game.circuit, phases=plans))

    with pytest.raises(AssertionError):
        Walk(false, seed=1, followed=FOLLOWED).go(steps=9)


def test_all_lanes_are_in_different_states() -> None:
    """The few lanes that are compared do not stand for all."""
    walk = Walk(bundled("breakthrough"), seed=1, followed=FOLLOWED)

    walk.go(steps=10)

    assert len({state.tobytes() for state in walk.lanes.read()}) == walk.lanes.num_lanes
