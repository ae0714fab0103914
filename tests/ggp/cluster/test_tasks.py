"""Work in many parts: all of it is done, once, whatever goes wrong.

Each property is shown on machines that this process stands for, by Ray's stand-in; the thorough
tests show it on a real cluster with two nodes of one CPU each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import count, islice
from typing import TYPE_CHECKING, Any

import pytest

import gdl
from ggp import games
from ggp.clock import Deadline
from ggp.cluster import tasks
from ggp.cluster.connection import ClusterError, connected
from ggp.cluster.tasks import MAX_REPEATS, crew, done, done_in_order
from ggp.errors import GgpError, WrongUseError
from ggp.training.books.building import BuildSettings, build
from ggp.training.books.exploring import ExploreLimits
from ggp.training.books.selfplay import SelfPlaySettings
from tests.ggp.cluster import ray_here
from tests.ggp.cluster.jobs import asleep, times, wrong_at
from tests.ggp.cluster.ray_here import RayHere

if TYPE_CHECKING:
    from ray.cluster_utils import Cluster

HERE_AND_ON_CLUSTER = ["here", pytest.param("cluster", marks=pytest.mark.thorough)]
BOOK = BuildSettings(
    ExploreLimits(states=20), games=2, play=SelfPlaySettings(plies=2, rounds=2, seed=3)
)


@pytest.fixture
def machines(monkeypatch: pytest.MonkeyPatch) -> RayHere:
    """Machines with two CPUs that this process stands for."""
    return ray_here.install(monkeypatch, num_cpus=2)


@pytest.fixture
def any_machines(request: pytest.FixtureRequest) -> Iterator[None]:
    """Such machines, or a connection to a real cluster, whichever the parameter says."""
    if request.param == "here":
        request.getfixturevalue("machines")
        yield
    else:
        with connected(request.getfixturevalue("cluster").address):
            yield


on_any_machines = pytest.mark.parametrize("any_machines", HERE_AND_ON_CLUSTER, indirect=True)
"""Show a property on machines here, and, as a thorough test, on a cluster."""


def on_cluster(function: Callable[[Any, Any], Any], shared: object, items: Iterable[object]) -> Any:
    """Yield the results by the machines of the cluster, each with the index of its item."""
    with crew(function, shared, is_on_cluster=True) as workers:
        yield from done(workers, items)


@on_any_machines
@pytest.mark.usefixtures("any_machines")
def test_each_result_comes_with_the_index_of_its_item() -> None:
    """The order of the results does not matter."""
    found = dict(on_cluster(times, 3, range(20)))

    assert found == {number: 3 * number for number in range(20)}


@on_any_machines
@pytest.mark.usefixtures("any_machines")
def test_order_can_be_that_of_the_items() -> None:
    """The items may be without end: only as many are taken as are needed."""
    with crew(times, 2, is_on_cluster=True) as workers:
        assert list(islice(done_in_order(workers, count()), 7)) == [2 * n for n in range(7)]


def test_work_that_nobody_waits_for_any_more_is_cancelled(machines: RayHere) -> None:
    """It was handed over ahead, two parts for each CPU."""
    with crew(times, 2, is_on_cluster=True) as workers:
        next(done(workers, count()))
        num_left = len(workers)

    assert len(machines.cancelled) == num_left == 3
    assert len(workers) == 0


@on_any_machines
@pytest.mark.usefixtures("any_machines")
def test_error_of_a_task_arrives_as_itself() -> None:
    """An error that cannot be sent is replaced by one that says the same."""
    with pytest.raises(WrongUseError, match=r"^expected less than 3, got 3$"):
        list(on_cluster(wrong_at, 3, [1, 2, 3]))
    with pytest.raises(GgpError, match=r"^unknown number '3': expected one of 1$"):
        list(on_cluster(wrong_at, 1, [3]))


@on_any_machines
@pytest.mark.usefixtures("any_machines")
def test_other_version_is_refused_by_a_line_that_names_both(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It would unpack what it does not know."""
    monkeypatch.setattr(tasks, "version_here", lambda: "ggp-agent 9.9")

    with pytest.raises(
        ClusterError, match=r"has ggp-agent [\d.]+, but this machine has ggp-agent 9\.9;"
    ):
        list(on_cluster(times, 1, [1]))


@on_any_machines
@pytest.mark.usefixtures("kernels", "any_machines")
def test_same_seed_builds_the_same_book() -> None:
    """Here and there, if rounds are counted."""
    game = gdl.load(games.text("connectFour"), "scalar")

    here = build(game, "c4", Deadline.never(), BOOK)
    there = build(game, "c4", Deadline.never(), replace(BOOK, is_on_cluster=True))

    assert here.opening.entries
    assert list(here.opening.entries.items()) == list(there.opening.entries.items())
    assert here.endgame.keys.tolist() == there.endgame.keys.tolist()


def test_machine_that_is_lost_loses_no_work(machines: RayHere) -> None:
    """What it was doing is done again."""
    workers = on_cluster(times, 1, range(12))
    found = dict(islice(workers, 3))
    machines.num_lost = 4

    rest = dict(workers)

    assert found | rest == {number: number for number in range(12)}
    assert not found.keys() & rest.keys()


@pytest.mark.thorough
@pytest.mark.parametrize("any_machines", ["cluster"], indirect=True)
@pytest.mark.usefixtures("any_machines")
def test_node_that_is_removed_loses_no_work(cluster: Cluster) -> None:
    """What it was doing is done again."""
    found: dict[int, int] = {}
    lost = cluster.add_node(num_cpus=1)
    for index, number in on_cluster(asleep, 0.3, range(24)):
        assert index not in found
        found[index] = number
        if len(found) == 6:
            cluster.remove_node(lost, allow_graceful=False)

    assert found == {number: number for number in range(24)}


def test_work_whose_machine_is_lost_each_time_is_given_up(machines: RayHere) -> None:
    """The message has one line, and the first of Ray's."""
    machines.num_lost = MAX_REPEATS + 1

    with pytest.raises(ClusterError, match=r"started 21 times, .*: the machine was lost$"):
        list(on_cluster(times, 1, [1]))


def test_without_a_machine_that_works_an_error_says_so_after_a_while(
    machines: RayHere, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody waits for ever."""
    monkeypatch.setattr(tasks, "WITHOUT_CPU_SECONDS", 0.0)
    machines.num_cpus = 0

    with pytest.raises(ClusterError, match="the cluster has had no machine with a CPU"):
        list(on_cluster(times, 2, [1]))


@pytest.mark.thorough
@pytest.mark.parametrize("any_machines", ["cluster"], indirect=True)
@pytest.mark.usefixtures("any_machines")
def test_without_a_node_that_works_an_error_says_so_after_a_while(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Nobody waits for ever."""
    monkeypatch.setattr(tasks, "LOOK_SECONDS", 0.1)
    monkeypatch.setattr(tasks, "WITHOUT_CPU_SECONDS", 0.2)
    monkeypatch.setattr(tasks, "num_cpus", lambda: 0)

    with pytest.raises(ClusterError, match="the cluster has had no machine with a CPU"):
        list(on_cluster(asleep, 2.0, [1]))
