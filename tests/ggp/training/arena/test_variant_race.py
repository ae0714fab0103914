"""The race of variants: who wins short matches plays, and in doubt the plain search."""

from __future__ import annotations

import pytest

import gdl
from ggp import games
from ggp.clock import Deadline
from ggp.players import create
from ggp.search.fast.lanes import BIASED, PLAIN
from ggp.training.arena import variant_race
from ggp.training.arena.duels import BrokenOffError, DuelTerms, Searcher
from ggp.training.arena.variant_race import can_race, race, race_within
from tests.ggp.search.fast.tree.test_search import machine_of

pytestmark = pytest.mark.usefixtures("kernels")


def let_win(monkeypatch: pytest.MonkeyPatch, points: float, most: int = 1000) -> list[str]:
    """Rounds that bring biased playouts so many points, at most so many; who plays them."""
    played: list[str] = []

    def play(
        game: gdl.Game, own: Searcher, other: Searcher, terms: DuelTerms, number: int
    ) -> float:
        if len(played) == most:
            raise BrokenOffError
        played.append(f"{own.variant}, {other.variant}")
        return points

    monkeypatch.setattr(variant_race, "play_round", play)
    return played


@pytest.mark.parametrize(("points", "winner"), [(1.0, BIASED), (0.5, PLAIN), (0.0, PLAIN)])
def test_who_wins_plays(monkeypatch: pytest.MonkeyPatch, points: float, winner: str) -> None:
    """And the test ends before all rounds are played."""
    played = let_win(monkeypatch, points)

    found = race(machine_of("ticTacToe"), DuelTerms())

    assert found.variant == winner
    assert set(played) == {"biased, plain"}
    assert found.rounds == len(played) < variant_race.MAX_ROUNDS


@pytest.mark.parametrize(
    ("points", "rounds", "winner"), [(0.75, 8, BIASED), (0.5, 8, PLAIN), (1.0, 3, PLAIN)]
)
def test_where_it_does_not_become_clear_what_is_likelier_counts(
    monkeypatch: pytest.MonkeyPatch, points: float, rounds: int, winner: str
) -> None:
    """But not after a few rounds."""
    let_win(monkeypatch, points, rounds)

    found = race(machine_of("ticTacToe"), DuelTerms())

    assert (found.variant, found.rounds) == (winner, rounds)


def test_a_race_ends_with_the_time_that_is_given() -> None:
    """Also if somebody brings it forward; then the plain search plays."""
    deadline = Deadline.after(60)
    deadline.end()
    assert race(machine_of("connectFour"), DuelTerms(is_over=deadline.is_over)).variant == PLAIN

    assert race_within(machine_of("connectFour"), Deadline.after(0.1), 0.5, seed=1) == PLAIN


@pytest.mark.parametrize(
    ("name", "is_possible"), [("connectFour", True), ("lightsOut", False), ("pig", False)]
)
def test_a_race_needs_an_opponent_and_no_luck(name: str, is_possible: bool) -> None:
    """Alone there is nobody to play with, and dice decide too much."""
    assert can_race(machine_of(name)) == is_possible


@pytest.mark.parametrize(
    ("spec", "variant"),
    [
        ("mcts", BIASED),
        (f"mcts:variant={PLAIN}", None),
        ("mcts:rounds=1", None),
        ("mcts:network=none,tree=python,iterations=5", None),
    ],
)
def test_the_player_takes_the_winner(
    monkeypatch: pytest.MonkeyPatch, spec: str, variant: str | None
) -> None:
    """Unless it is told which, or its rounds are counted, or it is not on lanes."""
    monkeypatch.setattr(variant_race, "race_within", lambda *_: BIASED)
    game = gdl.load(games.text("ticTacToe"), "lanes")
    player = create(spec, game, game.roles[0], {}, seed=1)
    player.prepare(game.initial_state(), Deadline.after(0.3))
    player.choose(game.initial_state(), Deadline.after(0.3))

    assert player.thoughts.get("variant") == variant
