"""Work on a real cluster, two machines of one CPU each: all of it, once, whatever goes wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import count, islice
from typing import Any

import pytest
from ray.cluster_utils import Cluster

import gdl
from ggp import games
from ggp.clock import Deadline
from ggp.cluster import tasks
from ggp.cluster.connection import ClusterError, connected
from ggp.cluster.tasks import crew, done, done_in_order
from ggp.errors import GgpError, WrongUseError
from ggp.training.books.building import BuildSettings, build
from ggp.training.books.exploring import ExploreLimits
from ggp.training.books.selfplay import SelfPlaySettings
from tests.ggp.cluster.jobs import asleep, times, wrong_at

pytestmark = pytest.mark.usefixtures("kernels")


@pytest.fixture(scope="module", autouse=True)
def connection(cluster: Cluster) -> Iterator[None]:
    """This process is connected to the cluster."""
    with connected(cluster.address):
        yield


def on_cluster(function: Callable[[Any, Any], Any], shared: object, items: Iterable[object]) -> Any:
    """The results by the machines of the cluster, each with the index of its item."""
    with crew(function, shared, is_on_cluster=True) as workers:
        yield from done(workers, items)


def test_each_result_comes_with_the_index_of_its_item() -> None:
    """In whatever order."""
    found = dict(on_cluster(times, 3, range(20)))

    assert found == {number: 3 * number for number in range(20)}


def test_order_can_be_that_of_the_items() -> None:
    """They may be without end: so many are taken as are needed."""
    with crew(times, 2, is_on_cluster=True) as workers:
        assert list(islice(done_in_order(workers, count()), 7)) == [2 * n for n in range(7)]


def test_error_of_a_task_arrives_as_itself() -> None:
    """One that cannot be sent says the same."""
    with pytest.raises(WrongUseError, match=r"^expected less than 3, got 3$"):
        list(on_cluster(wrong_at, 3, [1, 2, 3]))
    with pytest.raises(GgpError, match=r"^unknown number '3': expected one of 1$"):
        list(on_cluster(wrong_at, 1, [3]))


def test_other_version_is_refused_by_a_line_that_names_both(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It would unpack what it does not know."""
    monkeypatch.setattr(tasks, "version_here", lambda: "ggp-agent 9.9")

    with pytest.raises(ClusterError, match=r"has ggp-agent [\d.]+, and this one ggp-agent 9\.9;"):
        list(on_cluster(times, 1, [1]))


def test_same_seed_builds_the_same_book() -> None:
    """Here and there, if rounds are counted."""
    settings = BuildSettings(
        ExploreLimits(states=100), games=3, play=SelfPlaySettings(plies=2, rounds=10, seed=3)
    )
    game = gdl.load(games.text("connectFour"))

    here = build(game, "c4", Deadline.never(), settings)
    there = build(
        game,
        "c4",
        Deadline.never(),
        BuildSettings(settings.limits, settings.games, settings.play, is_on_cluster=True),
    )

    assert here.opening.entries
    assert list(here.opening.entries.items()) == list(there.opening.entries.items())
    assert here.endgame.keys.tolist() == there.endgame.keys.tolist()


def test_machine_that_is_lost_loses_no_work(cluster: Cluster) -> None:
    """What it was doing is done again."""
    found: dict[int, int] = {}
    lost = cluster.add_node(num_cpus=1)
    for index, number in on_cluster(asleep, 0.3, range(24)):
        assert index not in found
        found[index] = number
        if len(found) == 6:
            cluster.remove_node(lost, allow_graceful=False)

    assert found == {number: number for number in range(24)}


def test_without_a_machine_that_works_it_is_told_after_a_while(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Nobody waits for ever."""
    monkeypatch.setattr(tasks, "LOOK_SECONDS", 0.1)
    monkeypatch.setattr(tasks, "WITHOUT_CPU_SECONDS", 0.2)
    monkeypatch.setattr(tasks, "num_cpus", lambda: 0)

    with pytest.raises(ClusterError, match="no machine of the cluster has had a CPU"):
        list(on_cluster(asleep, 2.0, [1]))
