"""Practice in the startclock: a network that has won is used, and the clock is kept."""

from __future__ import annotations

import time

import pytest

from ggp.clock import Deadline
from ggp.players import practising
from ggp.players.mcts import MctsPlayer
from ggp.players.registry import create
from ggp.training.arena.network_gate import GateRecord
from ggp.training.network import practice
from ggp.training.network.batch_play import PracticeError
from ggp.training.network.practice import Practice
from tests.ggp.search.evaluation.network.random_networks import game_of


@pytest.fixture(autouse=True)
def _no_networks(tmp_path: object, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is found, and a short startclock is enough."""
    monkeypatch.setenv("GGP_NETWORKS", str(tmp_path))
    monkeypatch.setattr(practice, "LEAST_SECONDS", 1.0)


def prepared(seconds: float, options: str = "practise=yes") -> MctsPlayer:
    """A player after a startclock, which it has kept."""
    game = game_of("ticTacToe")
    player = create(f"mcts:{options}", game, game.roles[0], {}, 1)
    assert isinstance(player, MctsPlayer)
    deadline = Deadline.after(seconds)
    player.prepare(game.initial_state(), deadline)
    assert time.monotonic() - deadline.moment < 1
    return player


@pytest.mark.parametrize("is_passed", [True, False])
def test_the_gate_says_whether_it_is_used(is_passed: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """A player with a network says so with its move."""
    verdict = GateRecord(5, 6, is_passed)
    monkeypatch.setattr(practising, "quick_gate", lambda *_: verdict)
    player = prepared(5)
    player.choose(player.game.initial_state(), Deadline.after(0.2))
    assert player.thoughts.get("network") == ("practised" if is_passed else None)


def test_the_clock_is_kept_with_the_gate() -> None:
    """Whatever it says."""
    prepared(4)


def test_practice_ends_when_the_deadline_is_brought_forward(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Another thread may do that at any moment, such as when the first turn begins early."""
    deadline = Deadline.after(60)
    monkeypatch.setattr(Practice, "step", lambda *_: deadline.end())
    start = time.monotonic()
    practice.practise_until(game_of("ticTacToe"), deadline, seed=1)
    assert time.monotonic() - start < 20


@pytest.mark.parametrize(
    "options", ["practise=no", "practise=yes,network=none", "practise=yes,share=0"]
)
def test_who_is_not_to_practise_does_not(options: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """It searches all the time."""

    def refuse(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr(practising, "practise_until", refuse)
    prepared(1.5, options)


def test_a_short_startclock_is_no_practice() -> None:
    """The search has it for itself."""
    with pytest.raises(PracticeError, match="expected 1 s"):
        practice.practise_until(game_of("ticTacToe"), Deadline.after(0.9), seed=1)


def test_a_game_that_is_too_large_is_refused_beforehand(monkeypatch: pytest.MonkeyPatch) -> None:
    """A few random games tell how long many take."""
    game = game_of("ticTacToe")
    monkeypatch.setattr(practice, "TRAINING", 1e9)
    with pytest.raises(PracticeError, match="but they take about"):
        practice.practise_until(game, Deadline.after(10), seed=1)
    monkeypatch.setattr(practice, "PROBE_SECONDS", 0.0)
    with pytest.raises(PracticeError, match="1 random games take"):
        practice.practise_until(game, Deadline.after(10), seed=1)
