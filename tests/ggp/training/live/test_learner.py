"""The learner: when it tests its network, and what becomes of one that passes or does not."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import replace
from itertools import pairwise
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import pytest

from ggp.search.evaluation.network.file import network_of
from ggp.search.fast.lanes import BIASED
from ggp.training.arena.duels import Searcher
from ggp.training.arena.network_gate import GateRecord
from ggp.training.live import learner
from ggp.training.live.learner import Learner
from ggp.training.live.link import LearnerTerms
from ggp.training.live.quick_gate import QuickTest
from ggp.training.live.store import read_learned, write_learned
from ggp.training.network.batch_play import PracticeError
from tests.ggp.search.evaluation.network.random_networks import game_of
from tests.ggp.training.network.test_practice import SMALL

pytestmark = pytest.mark.usefixtures("kernels")

TWO_CORES = LearnerTerms(cores=2, seed=1)


class NoMoreError(Exception):
    """There are no more verdicts."""


class Verdicts:
    """A gate that has its verdicts ready, each after so many looks."""

    def __init__(self, *verdicts: bool, looks: int = 1) -> None:
        self.tests: list[tuple[Searcher, Searcher]] = []
        self.num_looks = 0
        self.has_waited = self.has_given_way = False
        self._verdicts = list(verdicts)
        self._looks = looks

    @property
    def is_busy(self) -> bool:
        return self.num_looks > 0

    def begin(self, test: QuickTest) -> None:
        if not self._verdicts:
            raise NoMoreError
        self.tests.append((test.own, test.other))
        self.num_looks = 1

    def record(self, *, waits: bool) -> GateRecord | None:
        self.has_waited |= waits
        self.num_looks += 1
        if self.num_looks <= self._looks and not waits:
            return None
        self.num_looks = 0
        is_passed = self._verdicts.pop(0)
        return GateRecord(6.0 if is_passed else 2.0, 8, is_passed)

    def give_way(self) -> None:
        self.has_given_way = True


@pytest.fixture(autouse=True)
def in_a_hurry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Batches are small, and the first test comes at once; the cache is empty."""
    monkeypatch.setenv("GGP_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(learner, "FIRST_SECONDS", 0.0)
    monkeypatch.setattr(learner, "set_niceness", lambda pid, niceness: None)
    monkeypatch.setattr(learner, "PracticeSettings", lambda: SMALL)


@pytest.fixture
def ends() -> Iterator[tuple[Connection, Connection]]:
    """The connection of the process that searches, and the learner's."""
    ours, theirs = Pipe()
    with ours, theirs:
        yield ours, theirs


def said(connection: Connection) -> Iterator[dict[str, Any]]:
    """The messages that wait; networks have their content as `data`."""
    while connection.poll():
        message = json.loads(connection.recv_bytes())
        if message["kind"] == "network":
            message["data"] = connection.recv_bytes()
        yield message


def test_what_passes_is_handed_over_and_is_the_next_rival(
    ends: tuple[Connection, Connection],
) -> None:
    """The first one has to beat the search without a network, the next one the network in use."""
    ours, theirs = ends
    game, gate = game_of("ticTacToe"), Verdicts(False, True, False)

    with pytest.raises(NoMoreError):
        Learner(game, TWO_CORES, theirs, gate).run()

    rivals = [other.network for _, other in gate.tests]
    assert rivals[:2] == [None, None]
    assert rivals[2] is not None
    samples = [int(own.network.figures["samples"]) for own, _ in gate.tests if own.network]
    assert all(later >= 1.6 * before for before, later in pairwise(samples))
    messages = list(said(ours))
    assert [message["kind"] for message in messages] == ["said", "said", "network", "said"]
    network = network_of(messages[2]["data"], "here")
    assert (network.figures["samples"], network.is_used) == (samples[1], True)
    assert messages[1]["text"] == (
        f"passed with share 0.5, {samples[1]} samples: "
        "6 points of 8 matches, 75% against plain mcts"
    )
    assert messages[3]["text"].endswith("against the network before")


def test_a_network_has_to_beat_the_playouts_that_suit_the_game(
    ends: tuple[Connection, Connection],
) -> None:
    """Others would be too weak a rival."""
    ours, theirs = ends
    gate = Verdicts(False)
    with pytest.raises(NoMoreError):
        Learner(game_of("ticTacToe"), TWO_CORES._replace(variant=BIASED), theirs, gate).run()

    assert [other.variant for _, other in gate.tests] == [BIASED]
    assert next(said(ours))["text"].endswith("against biased mcts")


def test_the_next_match_goes_on_from_what_has_passed(ends: tuple[Connection, Connection]) -> None:
    """It is the rival once it has beaten the plain search again, and its samples count."""
    _, theirs = ends
    game, gate = game_of("ticTacToe"), Verdicts(True, False)
    with pytest.raises(NoMoreError):
        Learner(game, TWO_CORES, theirs, gate).run()
    kept = read_learned(game)
    again, once_more = Verdicts(True, False), Verdicts(False)

    for verdicts in (again, once_more):
        with pytest.raises(NoMoreError):
            Learner(game, TWO_CORES, theirs, verdicts).run()

    assert kept is not None
    (known, plain), (own, rival) = again.tests
    assert plain.network is None
    assert known is rival
    assert own.network is not None
    assert rival.network is not None
    assert rival.network.figures["samples"] == kept.figures["samples"]
    assert int(own.network.figures["samples"]) > int(kept.figures["samples"])
    ((own, rival),) = once_more.tests  # it is not tested a third time
    assert own.network is not None
    assert rival.network is not None


def test_what_has_passed_by_chance_is_not_used_for_long(
    ends: tuple[Connection, Connection],
) -> None:
    """The player hears of it, and the next one has to beat the plain search."""
    ours, theirs = ends
    game = game_of("ticTacToe")
    for verdicts in (Verdicts(True), gate := Verdicts(False, False)):
        with pytest.raises(NoMoreError):
            Learner(game, TWO_CORES, theirs, verdicts).run()

    assert gate.tests[1][1].network is None
    assert [message["kind"] for message in said(ours)][-3:] == ["said", "plain", "said"]
    kept = read_learned(game)
    assert kept is not None
    assert not kept.is_used


@pytest.mark.parametrize(
    ("verdicts", "has_begun", "ends_itself"),
    [
        ((False, False, False), True, True),
        ((False, False, False), False, False),
        ((False, False, True, False), True, False),
    ],
)
def test_it_ends_when_no_share_of_a_network_helps(
    ends: tuple[Connection, Connection],
    monkeypatch: pytest.MonkeyPatch,
    verdicts: tuple[bool, ...],
    has_begun: bool,
    ends_itself: bool,
) -> None:
    """When the match has begun the search has a use for its core."""
    ours, theirs = ends
    monkeypatch.setattr(learner, "PATIENCE_SECONDS", 0.0)
    if has_begun:
        ours.send_bytes(b"match")
    own = Learner(game_of("ticTacToe"), TWO_CORES, theirs, Verdicts(*verdicts))

    with nullcontext() if ends_itself else pytest.raises(NoMoreError):
        own.run()


def test_what_has_not_passed_is_a_beginning(ends: tuple[Connection, Connection]) -> None:
    """As long as nothing has, the newest is kept, and no player uses it."""
    _, theirs = ends
    game = game_of("ticTacToe")
    kept = None
    for _ in range(2):
        with pytest.raises(NoMoreError):
            Learner(game, TWO_CORES, theirs, gate := Verdicts(False)).run()
        kept = read_learned(game)
        assert kept is not None
        assert not kept.is_used
        assert gate.tests[0][1].network is None
        assert gate.tests[0][0].network is not None
        assert kept.figures["samples"] == gate.tests[0][0].network.figures["samples"]
    assert kept is not None
    confirmed = {**kept.figures, learner.CONFIRMED: "yes"}
    write_learned(replace(kept, is_used=True, figures=confirmed), game)

    with pytest.raises(NoMoreError):
        Learner(game, TWO_CORES, theirs, Verdicts(False)).run()

    used = read_learned(game)
    assert used is not None
    assert used.is_used


def test_what_loses_alone_may_pass_as_a_part_of_the_value(
    ends: tuple[Connection, Connection],
) -> None:
    """The share falls with each test that is not passed, and what has passed keeps it."""
    _, theirs = ends
    game, gate = game_of("ticTacToe"), Verdicts(False, True, False, False)

    with pytest.raises(NoMoreError):
        Learner(game, TWO_CORES, theirs, gate).run()

    assert [own.share for own, _ in gate.tests] == [1.0, 0.5, 0.5, 0.25]
    assert gate.tests[2][1].share == 0.5
    kept = read_learned(game)
    assert kept is not None
    assert kept.share == 0.5


@pytest.mark.parametrize("has_begun", [True, False])
def test_on_one_core_together_it_waits_for_the_gate(
    ends: tuple[Connection, Connection], has_begun: bool
) -> None:
    """So it is when the match has begun; before that it trains meanwhile."""
    ours, theirs = ends
    gate = Verdicts(False, looks=3)
    if has_begun:
        ours.send_bytes(b"match")

    with pytest.raises(NoMoreError):
        Learner(game_of("ticTacToe"), TWO_CORES, theirs, gate).run()

    assert gate.has_waited == gate.has_given_way == has_begun


def test_a_game_that_cannot_be_practised_is_refused(ends: tuple[Connection, Connection]) -> None:
    """Several roles move at once."""
    with pytest.raises(PracticeError, match="one role moves at a time"):
        Learner(game_of("rockPaperScissors"), TWO_CORES, ends[1], Verdicts()).run()
