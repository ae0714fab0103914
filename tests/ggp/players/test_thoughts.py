"""A search's thoughts in figures."""

from __future__ import annotations

import json

import pytest

import gdl
from ggp import games
from ggp.clock import Deadline
from ggp.players import create
from ggp.players.thoughts import TurnEffort
from ggp.search.core import Effort

NEVER = Deadline.never()
FIGURES = {"seconds", "iterations", "iterations_per_second", "playouts", "playouts_per_second"}


@pytest.mark.parametrize("spec", ["mcts:iterations=40", "greedy:iterations=40"])
def test_a_player_tells_what_it_did_on_this_turn(spec: str) -> None:
    """Rounds of an earlier turn are not counted again; nodes and visits are those of the tree."""
    machine = gdl.load(games.text("ticTacToe"), "interpreter")
    player = create(spec, machine, machine.roles[0], {}, seed=1)
    state = machine.initial_state()
    player.prepare(state, NEVER)

    player.choose(state, NEVER)

    thoughts = player.thoughts
    assert {*FIGURES, "depth", "nodes", "solved", "value", "line", "moves"} <= set(thoughts)
    assert (thoughts["iterations"], thoughts["visits"]) == (40, 80)
    assert thoughts["solved"] is False
    assert int(str(thoughts["depth"])) >= 2
    assert json.loads(json.dumps(thoughts)) == thoughts


def test_a_rate_is_what_was_done_in_the_time() -> None:
    """Playouts of this turn by its seconds; what a search cannot know is left out."""
    turn = TurnEffort(Effort(num_iterations=10, num_playouts=100, num_nodes=5, depth=1))

    figures = turn.figures(Effort(num_iterations=20, num_playouts=400, num_nodes=9, depth=3))

    assert (figures["iterations"], figures["playouts"], figures["depth"]) == (10, 300, 3)
    assert 0 < int(str(figures["playouts_per_second"])) <= 300 / 0.001
    assert "memory" not in figures


def test_what_was_searched_before_a_turn_is_told_apart() -> None:
    """In the startclock, and since the last turn; not what that turn has told."""
    machine = gdl.load(games.text("ticTacToe"), "interpreter")
    player = create("mcts:tree=python", machine, machine.roles[0], {}, seed=1)
    state = machine.initial_state()
    player.prepare(state, Deadline.after(0.05))
    prepared = player.thoughts["iterations"]

    player.choose(state, Deadline.after(0.05))
    first = player.thoughts
    player.choose(state, Deadline.after(0.05))

    assert first["iterations_before"] == prepared
    assert player.thoughts["iterations_before"] == 0
