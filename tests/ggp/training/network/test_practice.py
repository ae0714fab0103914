"""Practice: games in batches, what their states were worth, and what a network learns of them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import gdl
from ggp import games
from ggp.players.registry import create
from ggp.search.evaluation.network.file import write_network
from ggp.training.network.batch_play import BatchPlay, BatchPlaySettings, PracticeError
from ggp.training.network.practice import Practice, PracticeSettings
from tests.ggp.players.test_live_learning import Once
from tests.ggp.search.fast.tree.test_search import machine_of

pytestmark = pytest.mark.usefixtures("kernels")

SMALL = PracticeSettings(units=16, rate=0.01, games=BatchPlaySettings(games=32, opening_plies=2))


def practised(name: str, steps: int) -> Practice:
    """A network after so many batches."""
    practice = Practice(machine_of(name), SMALL)
    for step in range(steps):
        practice.step(step / steps)
    return practice


def test_random_games_tell_how_they_end() -> None:
    """Each state is worth the goals at the end of its game; nothing is known of the values."""
    play = BatchPlay(machine_of("ticTacToe"), BatchPlaySettings(games=20, opening_plies=0), 1)

    found = play.play(None)

    assert 60 <= len(found.states) <= 180
    assert set(found.values[:, 0]) <= {0, 50, 100}
    assert (found.values.sum(1) == 100).all()
    assert set(found.phases) == {0, 1}


def test_states_are_worth_what_their_best_child_is() -> None:
    """Who may win at once expects to, and without a trace nothing else matters."""
    settings = BatchPlaySettings(games=50, opening_plies=5, trace=0.0)
    play = BatchPlay(machine_of("ticTacToe"), settings, 1)

    class Even:
        share = 1.0

        def values(self, states: np.ndarray, phase: int) -> np.ndarray:
            return np.full((len(states), 2), 50.0)

    found = play.play(Even())

    wins = found.values[found.values[:, 0] != 50]
    assert len(wins) > 0
    assert {tuple(row) for row in wins} <= {(100, 0), (0, 100)}


def test_the_same_seed_gives_the_same_network() -> None:
    """Where batches are counted, and not the time."""
    one, other = practised("ticTacToe", 3).network(), practised("ticTacToe", 3).network()

    assert (one.rows == other.rows).all()
    assert (one.output == other.output).all()


def test_it_learns_who_wins() -> None:
    """Values come nearer to what is found out about the next games."""
    practice = Practice(machine_of("ticTacToe"), SMALL)

    errors = [practice.step(0.0).error for _ in range(60)]

    assert sum(errors[-20:]) / 20 < 0.8 * sum(errors[:5]) / 5


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("goofspiel", "one role moves at a time"),
        ("pig", "without the role random"),
    ],
)
def test_some_games_cannot_be_practised(name: str, reason: str) -> None:
    """The error says what kind of game it takes."""
    with pytest.raises(PracticeError, match=reason):
        Practice(gdl.load(games.text(name), "lanes"), SMALL)


def test_a_player_uses_what_was_practised(tmp_path: Path) -> None:
    """No playouts, a value of its own, a legal move."""
    game = machine_of("ticTacToe")
    practice = Practice(game, SMALL)
    practice.step(share=0)
    write_network(practice.network(), tmp_path / "one.network")
    spec = f"mcts:network={tmp_path / 'one.network'}"
    player = create(spec, game, game.roles[0], {}, 1)

    move = player.choose(game.initial_state(), Once(20))

    assert move in game.legal_moves(game.initial_state(), game.roles[0])
    assert player.thoughts["playouts"] == 0
    assert player.thoughts["visits"]
