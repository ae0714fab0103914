"""Which playouts a game gets: biased ones where roles have many moves."""

from __future__ import annotations

import pytest

from ggp.clock import Deadline
from ggp.players import create
from ggp.search.fast.lanes import ALPHABETA, BIASED, PLAIN
from ggp.search.fast.tree import variant_choice
from ggp.search.fast.tree.variant_choice import suitable_variants
from tests.ggp.search.fast.tree.test_search import machine_of

pytestmark = pytest.mark.usefixtures("kernels")


@pytest.mark.parametrize("name", ["hex", "othello", "knightThrough"])
def test_games_with_many_moves_have_biased_playouts(name: str) -> None:
    """They win more matches."""
    assert suitable_variants(machine_of(name), seed=1) == (BIASED, PLAIN, ALPHABETA)


def test_too_many_moves_have_plain_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each would be too rare in playouts."""
    monkeypatch.setattr(variant_choice, "MAX_MOVES", 40)

    assert suitable_variants(machine_of("hex"), seed=1) == (PLAIN, ALPHABETA)


@pytest.mark.parametrize(
    ("name", "others"),
    [
        ("connectFour", (ALPHABETA,)),
        ("foxAndHounds", (ALPHABETA,)),
        ("goofspiel", ()),
        ("pig", ()),
        ("threePlayerTicTacToe", ()),
    ],
)
def test_others_have_plain_ones(name: str, others: tuple[str, ...]) -> None:
    """Few moves; one-sided playouts; simultaneous moves; dice; three roles."""
    assert suitable_variants(machine_of(name), seed=1) == (PLAIN, *others)


@pytest.mark.parametrize(
    ("spec", "variant"),
    [
        ("mcts", BIASED),
        (f"mcts:variant={PLAIN}", None),
        ("mcts:network=none,tree=python,iterations=5", None),
    ],
)
def test_the_player_takes_what_suits(
    monkeypatch: pytest.MonkeyPatch, spec: str, variant: str | None
) -> None:
    """An option can select the variant. Without lanes there is none."""
    monkeypatch.setattr(variant_choice, "suitable_variants", lambda *_: (BIASED,))
    game = machine_of("ticTacToe")
    player = create(spec, game, game.roles[0], {}, seed=1)
    player.choose(game.initial_state(), Deadline.after(0.3))

    assert player.thoughts.get("variant") == variant
