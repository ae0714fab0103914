"""A stand-in for Ray that holds matches: threads of this process are the machines.

It has as much of Ray's interface as `ggp.manager.hosting.match_cluster` uses. Each step of a match
is taken when the manager asks for it, so that a test says after which turn a machine is lost.
"""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from ggp.manager.hosting import cluster_node, match_cluster
from ggp.manager.store.matches import PlayedTurn
from tests.ggp.cluster.ray_here import RayError, RayTaskError

END = object()


class TaskCancelledError(RayTaskError):
    """A task was cancelled."""


class Task:
    """A match on a machine; stands for the stream of references to its news, too."""

    def __init__(self, machines: Machines, steps: Iterator[Any]) -> None:
        self._machines = machines
        self._steps = steps
        self._is_ended = False
        self._step = asyncio.get_running_loop().create_future()
        self._step.set_result(None)

    async def __anext__(self) -> asyncio.Future[Any]:
        """Return the result of the next step.

        Raises:
            StopAsyncIteration: The match is over, or its machine was lost.
        """
        machines = self._machines
        if 0 <= machines.stops_after <= machines.num_turns:
            machines.has_stopped.set()
            await machines.may_go_on.wait()
        if 0 <= machines.lost_after <= machines.num_turns:
            machines.lost_after = -1
            self.end()
            if machines.loss is not None:
                raise machines.loss
            raise StopAsyncIteration
        self._step = asyncio.ensure_future(asyncio.to_thread(next, self._steps, END))
        found = await asyncio.shield(self._step)
        if found is END:
            raise StopAsyncIteration
        machines.num_turns += isinstance(found, PlayedTurn)
        return self._step

    def end(self) -> None:
        """Let the task end after the step that it takes just now."""

        async def close() -> None:
            await asyncio.wait([self._step])
            await asyncio.to_thread(self._steps.close)  # type: ignore[attr-defined]

        if not self._is_ended:
            self._is_ended = True
            self._machines.endings.append(asyncio.ensure_future(close()))


class Machines:
    """What `import ray` finds.

    Attributes:
        num_turns: Turns that have been played on all machines.
        lost_after: The machine that plays is lost after this number of turns.
        loss: What Ray raises then; None if the stream ends.
        stops_after: After this number of turns `has_stopped` is set, and all wait for `may_go_on`.
        cancelled: For each task that was cancelled, whether its process was to be killed.
        endings: What waits for the end of tasks.
    """

    def __init__(self) -> None:
        self.address = "127.0.0.1:6379"
        self.num_turns = 0
        self.lost_after = self.stops_after = -1
        self.loss: Exception | None = None
        self.has_stopped, self.may_go_on = asyncio.Event(), asyncio.Event()
        self.cancelled: list[bool] = []
        self.endings: list[asyncio.Future[None]] = []
        self._loop = asyncio.get_running_loop()

    def get_runtime_context(self) -> SimpleNamespace:
        """Return where the head is."""
        return SimpleNamespace(gcs_address=self.address)

    def nodes(self) -> list[dict[str, Any]]:
        """Return a head without CPUs, two machines with one, and one that has left."""
        cpus: list[dict[str, float]] = [{}, {"CPU": 1.0}, {"CPU": 1.0}]
        here = [{"Alive": True, "Resources": resources} for resources in cpus]
        return [*here, {"Alive": False, "Resources": {"CPU": 8.0}}]

    def remote(self, **options: Any) -> Callable[[Callable[..., Any]], Any]:
        """Return a decorator; its functions have a method `remote` that begins a task."""
        assert options["num_cpus"] == 1  # no machine has more
        assert options["num_returns"] == "streaming"
        assert options["max_retries"] == 0

        def decorate(function: Callable[..., Any]) -> SimpleNamespace:
            return SimpleNamespace(remote=lambda *given: self._begun(function(*given)))

        return decorate

    def _begun(self, steps: Iterator[Any]) -> Task:
        async def make() -> Task:
            return Task(self, steps)

        return asyncio.run_coroutine_threadsafe(make(), self._loop).result()

    def cancel(self, task: Task, *, force: bool) -> None:
        """End a task."""
        self.cancelled.append(force)
        task.end()

    def shutdown(self) -> None:
        """Leave."""


@contextmanager
def installed() -> Iterator[Machines]:
    """Let `import ray` find a stand-in inside the `with`."""
    machines = Machines()
    exceptions = ModuleType("ray.exceptions")
    vars(exceptions).update(
        RayError=RayError, RayTaskError=RayTaskError, TaskCancelledError=TaskCancelledError
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "ray", machines)
        patch.setitem(sys.modules, "ray.exceptions", exceptions)
        patch.setattr(match_cluster, "connect", lambda _: None)
        patch.setattr(match_cluster, "PAUSE_SECONDS", 0.0)
        before = set(threading.enumerate())
        patch.setattr(cluster_node._Workshop, "_only", workshop := cluster_node._Workshop())
        [thread] = set(threading.enumerate()) - before
        try:
            yield machines
        finally:
            workshop.loop.call_soon_threadsafe(workshop.loop.stop)
            thread.join()
            workshop.loop.close()
