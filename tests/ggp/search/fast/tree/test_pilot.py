"""The pilot: which playouts suit a game, as its first playouts show."""

from __future__ import annotations

import numpy as np
import pytest

from ggp.clock import Deadline
from ggp.players import create
from ggp.search.fast.lanes import BIASED, PLAIN
from ggp.search.fast.tree import pilot
from ggp.search.fast.tree.move_history import MoveHistory
from ggp.search.fast.tree.pilot import suitable_variant
from tests.ggp.search.fast.tree.test_search import machine_of

pytestmark = pytest.mark.usefixtures("kernels")


def variant_of(name: str, seconds: float = 60.0) -> str:
    """What the pilot finds for the first role of a game."""
    game = machine_of(name)
    state = game.initial_state()
    return suitable_variant(game, state, game.roles[0], Deadline.after(60), seconds=seconds, seed=1)


@pytest.mark.parametrize(
    ("goals", "expected"),
    [([[100, 0], [50, 50]], 0.5), ([[100, 0], [100, 0]], 1.0), ([[50, 50], [50, 50]], 0.0)],
)
def test_moves_explain_what_their_means_differ_by(
    goals: list[list[float]], expected: float
) -> None:
    """Each role's moves are compared with each other only."""
    history = MoveHistory([0, 0, 1, 1])
    for number, mean in enumerate([mean for means in goals for mean in means]):
        history.counts[number] = 10, 10 * mean

    assert history.explained == pytest.approx(expected)


def test_moves_that_were_never_made_explain_nothing() -> None:
    """They have no mean."""
    history = MoveHistory([0, 0, 0])
    history.counts[:2] = [[10, 1000], [30, 0]]

    assert history.explained == pytest.approx(1.0)
    assert np.isfinite(MoveHistory([0]).explained)


QUICK = {"hex": BIASED, "breakthroughSmall": PLAIN}
OTHERS = {"othello": BIASED, "breakthrough": PLAIN, "knightThrough": PLAIN, "pentago": PLAIN}


@pytest.mark.parametrize(
    ("name", "variant"),
    [*QUICK.items(), *(pytest.param(*each, marks=pytest.mark.thorough) for each in OTHERS.items())],
)
def test_the_playouts_of_a_game_show_what_suits_it(name: str, variant: str) -> None:
    """In matches the one wins, or both do as well."""
    assert variant_of(name) == variant


@pytest.mark.parametrize("name", ["connectFour", "pig", "goofspiel", "lightsOut"])
def test_some_games_have_plain_playouts_whatever_they_show(name: str) -> None:
    """Few moves, dice, simultaneous moves, one role."""
    assert variant_of(name) == PLAIN


def test_without_time_the_playouts_are_plain() -> None:
    """The pilot has seen nothing."""
    assert variant_of("hex", seconds=0.0) == PLAIN


@pytest.mark.parametrize(
    ("spec", "variant"),
    [
        ("mcts", BIASED),
        (f"mcts:variant={PLAIN}", None),
        ("mcts:rounds=1", None),
        ("mcts:network=none,tree=python,iterations=5", None),
    ],
)
def test_the_player_takes_what_suits(
    monkeypatch: pytest.MonkeyPatch, spec: str, variant: str | None
) -> None:
    """Unless it is told which, or its rounds are counted, or it is not on lanes."""
    monkeypatch.setattr(pilot, "suitable_variant", lambda *_, **__: BIASED)
    game = machine_of("ticTacToe")
    player = create(spec, game, game.roles[0], {}, seed=1)
    player.prepare(game.initial_state(), Deadline.after(0.3))
    player.choose(game.initial_state(), Deadline.after(0.3))

    assert player.thoughts.get("variant") == variant
