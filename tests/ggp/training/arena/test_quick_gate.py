"""The quick gate passes what clearly wins, and nothing else."""

from __future__ import annotations

import time

import pytest

from ggp.clock import Deadline
from ggp.training.arena import network_gate as gate
from ggp.training.arena.duels import PLAIN, DuelTerms, Searcher, play_round
from ggp.training.arena.network_gate import LEAD, OPENING_PLIES, quick_gate
from tests.ggp.search.evaluation.network.random_networks import game_of, random_network


@pytest.mark.parametrize("is_better", [True, False])
def test_who_clearly_wins_passes(is_better: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """The other one does not; both are found out before the time is over."""
    monkeypatch.setattr(gate, "LEAST_SECONDS", 0.008)
    monkeypatch.setattr(gate, "MOST_SECONDS", 0.008)
    game = game_of("breakthroughSmall")
    foolish = Searcher(random_network(game))  # its values say nothing of a state
    sides = (PLAIN, foolish) if is_better else (foolish, PLAIN)

    found = quick_gate(game, sides[0], Deadline.after(60), 3, sides[1])

    assert found.is_passed == is_better
    assert abs(2 * found.points - found.matches) >= LEAD


def test_it_ends_in_time_and_passes_nothing_then() -> None:
    """Equals are not decided."""
    game = game_of("breakthroughSmall")
    play_round(game, PLAIN, PLAIN, DuelTerms(0.001, OPENING_PLIES), 0)  # what is made once
    start = time.monotonic()
    found = quick_gate(game, PLAIN, Deadline.after(0.7), seed=3)

    assert time.monotonic() - start < 2
    assert not found.is_passed
