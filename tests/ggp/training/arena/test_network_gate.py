"""The gate: a network that makes the search stronger passes, and one that errs does not."""

from __future__ import annotations

from typing import Any

import pytest

import gdl
from ggp.search.core.result import SearchResult
from ggp.search.evaluation.network.file import network_bytes
from ggp.search.evaluation.network.network import ValueNetwork
from ggp.training.arena import network_gate
from ggp.training.arena import snapshot_ratings as network_ratings
from ggp.training.arena.duels import PLAIN, DuelTerms, Searcher, play_round
from ggp.training.arena.network_gate import (
    GateRecord,
    GateTerms,
    through_gate,
    trial,
)
from ggp.training.arena.snapshot_ratings import Result, SnapshotRater, rated
from ggp.training.network.practice import Practice
from tests.ggp.search.fast.tree.test_search import machine_of
from tests.ggp.training.network.test_practice import SMALL

pytestmark = pytest.mark.usefixtures("kernels")


@pytest.fixture(scope="module")
def game() -> gdl.Game:
    """A small game."""
    return machine_of("ticTacToe")


@pytest.fixture(scope="module")
def network(game: gdl.Game) -> ValueNetwork:
    """One that has seen only random games."""
    return Practice(game, SMALL).network()


class Points:
    """Rounds that end as somebody wants, without any search."""

    def __init__(self, by_share: dict[float, float], against: float = 0.5) -> None:
        self.by_share, self.against = by_share, against

    def __call__(
        self, game: gdl.Game, own: Searcher, other: Searcher, terms: DuelTerms, number: int
    ) -> float:
        return self.by_share[own.share] if other.network is None else self.against


@pytest.mark.parametrize(
    ("by_share", "share", "is_used", "matches"),
    [
        ({1.0: 1.0, 0.5: 0.0}, 1.0, True, 12),
        ({1.0: 0.25, 0.5: 0.75}, 0.5, True, 18),
        ({1.0: 0.5, 0.5: 0.25}, 1.0, False, 32),
        ({1.0: 0.0, 0.5: 0.0}, 1.0, False, 10),
    ],
)
def test_the_better_share_decides(
    monkeypatch: pytest.MonkeyPatch,
    game: gdl.Game,
    network: ValueNetwork,
    by_share: dict[float, float],
    share: float,
    is_used: bool,
    matches: int,
) -> None:
    """The test stops as soon as it is clear."""
    monkeypatch.setattr(network_gate, "play_round", Points(by_share))

    found = through_gate(game, network, GateTerms(matches=40))

    assert (found.share, found.is_used) == (share, is_used)
    assert found.figures["gate matches"] == matches
    assert found.figures["gate points"] == by_share[share] * matches


def test_without_matches_nothing_is_known(game: gdl.Game, network: ValueNetwork) -> None:
    """And the figures say so."""
    found = through_gate(game, network, GateTerms(matches=0))

    assert found.is_used
    assert found.figures["gate"] == "not tested"


def test_a_gate_that_stays_open_goes_by_what_is_likelier(
    monkeypatch: pytest.MonkeyPatch, game: gdl.Game, network: ValueNetwork
) -> None:
    """After the last match."""
    for points, is_passed in ((0.75, True), (0.5, False)):
        monkeypatch.setattr(network_gate, "play_round", Points({1.0: points}))

        record = trial(game, Searcher(network), PLAIN, GateTerms(matches=6), "")

        assert record == GateRecord(6 * points, 6, is_passed)


def test_no_more_matches_are_played_than_were_told(
    monkeypatch: pytest.MonkeyPatch, game: gdl.Game, network: ValueNetwork
) -> None:
    """The bound is reached where nothing is clear."""
    played = []
    terms = GateTerms(matches=20)

    def play(*given: object) -> float:
        played.append(given)
        return 0.5

    monkeypatch.setattr(network_gate, "play_round", play)
    through_gate(game, network, terms)

    assert 2 * len(played) == terms.most_matches(2, has_previous=False)


class Dropper(Searcher):
    """Takes the first column, again and again."""

    step = 0

    def search(self, game: gdl.Game, state: gdl.State, role: gdl.Role, seed: int) -> Any:
        """What takes every so many columns."""
        return DropperSearch(game, state, role, self.step)


class Spreader(Dropper):
    """Takes every other column, so that it never has four."""

    step = 2


class DropperSearch:
    """A search that has nothing to find out."""

    is_decided = True

    def __init__(self, game: gdl.Game, state: gdl.State, role: gdl.Role, step: int) -> None:
        self.game, self.state, self.role, self.step = game, state, role, step
        self.plies = 0

    def advance(self, moves: object, state: gdl.State) -> None:
        """Note the state."""
        self.state = state
        self.plies += 1

    def result(self) -> SearchResult:
        """The next column."""
        moves = self.game.legal_moves(self.state, self.role)
        return SearchResult(moves[self.plies // 2 * self.step % len(moves)], 50.0, 0)


def test_a_round_has_each_side_in_each_seat() -> None:
    """Whoever wins from both seats has all the points, and the other one none."""
    game, terms = machine_of("connectFour"), DuelTerms(opening_plies=0)

    assert play_round(game, Dropper(), Spreader(), terms, 1) == 1
    assert play_round(game, Spreader(), Dropper(), terms, 1) == 0
    assert play_round(game, Dropper(), Dropper(), terms, 1) == 0.5


def test_searches_play_a_round(game: gdl.Game, network: ValueNetwork) -> None:
    """With a network and without, after an opening."""
    points = play_round(game, Searcher(network, 0.5), PLAIN, DuelTerms(seconds=0.01), 1)

    assert points in {0, 0.25, 0.5, 0.75, 1}


def test_ratings_are_above_plain_mcts() -> None:
    """In the order of the snapshots; what nobody met is not rated."""
    results = [Result(0, None, 0.25), Result(2, None, 0.75), Result(2, 0, 1.0)]

    first, last = rated(results, num_roles=2)

    assert (first.number, last.number) == (0, 2)
    assert first.elo < 0 < last.elo
    assert last.matches == 4
    assert rated([], num_roles=2) == []


@pytest.mark.parametrize("cores", [1, pytest.param(2, marks=pytest.mark.thorough)])
def test_snapshots_are_rated_on_one_core_and_on_two(
    monkeypatch: pytest.MonkeyPatch, game: gdl.Game, network: ValueNetwork, cores: int
) -> None:
    """On one when the training is over; each plays the one before it, also after a resume."""
    monkeypatch.setattr(network_ratings, "num_cores", lambda: cores)
    monkeypatch.setattr(network_ratings, "SECONDS", 0.01)
    content = network_bytes(network)
    rater = SnapshotRater(game, 0.0, 1, [Result(0, None, 0.5)])
    try:
        rater.offer([content])
        rater.offer([content] * 2)
        found = rater.finish(60)
    finally:
        rater.close()

    assert [one.number for one in found] == [0, 1]
    assert {(one.snapshot, one.other) for one in rater.results} == {(0, None), (1, None), (1, 0)}
