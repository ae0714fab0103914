"""The Monte Carlo player takes the search that fits the game."""

from __future__ import annotations

import pytest

import gdl
from ggp import games
from ggp.clock import Deadline
from ggp.players import create
from ggp.search.fast.tree.search import LaneSearch
from ggp.search.textbook.mcts.search import MctsSearch
from tests.ggp.players.test_live_learning import Once
from tests.ggp.search.random_trees import RandomTree

pytestmark = pytest.mark.usefixtures("kernels")


def search_of(spec: str, engine: gdl.Engine) -> object:
    """The kind of search that a player begins in connectFour."""
    machine = gdl.load(games.text("connectFour"), engine)
    player = create(spec, machine, machine.roles[0], {}, seed=1)
    return player.new_search(machine.initial_state())  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("spec", "engine", "kind"),
    [
        ("mcts", "lanes", LaneSearch),
        ("mcts:tree=python", "lanes", MctsSearch),
        ("mcts:iterations=100", "lanes", MctsSearch),
        ("mcts", "scalar", MctsSearch),
        ("mcts", "interpreter", MctsSearch),
    ],
)
def test_the_search_fits_the_machine(spec: str, engine: gdl.Engine, kind: type) -> None:
    """Lanes where the game has them, unless the player is told or counts its rounds."""
    assert isinstance(search_of(spec, engine), kind)


def test_what_it_thinks_is_told() -> None:
    """The player on lanes says how it came to its move."""
    machine = gdl.load(games.text("connectFour"), "lanes")
    player = create("mcts", machine, machine.roles[0], {}, seed=1)
    state = machine.initial_state()

    move = player.choose(state, Once(20))

    assert move in machine.legal_moves(state, machine.roles[0])
    assert int(str(player.thoughts["visits"])) > 0
    assert player.thoughts["line"]
    assert {"playouts_per_second", "depth", "memory"} <= set(player.thoughts)


def test_a_value_that_is_known_but_not_proven_is_solved_and_not_forced() -> None:
    """In a game without a fixed sum another role could play badly, so the bounds stay apart."""
    tree = RandomTree(0, is_shared=False)
    machine = gdl.load(tree.rules, "lanes")
    player = create("mcts:rounds=1", machine, machine.roles[0], {}, seed=1)

    player.choose(machine.initial_state(), Deadline.never())

    assert player.thoughts["value"] == max(child.values[0] for child in tree.root.children)
    assert player.thoughts["solved"]
    assert player.thoughts["lower"] != player.thoughts["upper"]
    assert "forced" not in player.thoughts


def test_a_forced_win_is_told_with_its_length() -> None:
    """Whoever answers the middle at the edge loses: a threat, and then two at once."""
    machine = gdl.load(games.text("ticTacToe"), "lanes")
    state = machine.initial_state()
    x, o = machine.roles
    for text in ("(mark 2 2)", "(mark 1 2)"):  # an answer at the edge loses
        mover = machine.control(state)
        joint = [gdl.read_term(text if role is mover else "noop") for role in (x, o)]
        state = machine.next_state(state, joint)
    player = create("mcts:memory=16,prospects=off", machine, x, {}, seed=1)

    player.choose(state, Deadline.after(30))

    assert (player.thoughts["solved"], player.thoughts["plies"]) == (True, 5)
