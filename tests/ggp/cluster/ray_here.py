"""A stand-in for Ray: this process does the work of all machines.

It has as much of Ray's interface as `ggp.cluster.tasks` uses, and costs nothing to start. The
thorough tests show the same properties with Ray itself.
"""

from __future__ import annotations

import pickle
import random
import sys
from collections.abc import Callable
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest


class RayError(Exception):
    """A task could not be done."""


class RayTaskError(RayError):
    """A task raised an error, its `cause`."""

    def __init__(self, cause: Exception) -> None:
        super().__init__(str(cause))
        self.cause = cause


class Task:
    """A call that some machine will make; stands for the reference to its result, too."""

    def __init__(self, call: Callable[[], Any], max_retries: int) -> None:
        self.call = call
        self.num_attempts = max_retries + 1


class RayHere:
    """What `import ray` finds.

    Attributes:
        num_cpus: CPUs of all machines.
        num_lost: How many of the next attempts at a task end because their machine is lost.
        cancelled: The tasks that were cancelled.
    """

    cloudpickle = pickle

    def __init__(self, num_cpus: int) -> None:
        self.num_cpus = num_cpus
        self.num_lost = 0
        self.cancelled: list[Task] = []
        self._random = random.Random(1)

    def cluster_resources(self) -> dict[str, float]:
        """Return what all machines have."""
        return {"CPU": float(self.num_cpus)} if self.num_cpus else {}

    def put(self, value: bytes) -> bytes:
        """Return a reference to the value: itself."""
        return value

    def remote(self, *, num_cpus: int, max_retries: int) -> Callable[[Callable[..., Any]], Any]:
        """Return a decorator; its functions have a method `remote` that makes a task of a call."""
        assert num_cpus == 1

        def decorate(function: Callable[..., Any]) -> SimpleNamespace:
            return SimpleNamespace(
                remote=lambda *arguments: Task(lambda: function(*arguments), max_retries)
            )

        return decorate

    def wait(
        self, tasks: list[Task], *, num_returns: int, timeout: float
    ) -> tuple[list[Task], list[Task]]:
        """Return a task that is done, chosen at random, and the others; none without a CPU."""
        assert num_returns == 1
        assert timeout > 0
        done = [self._random.choice(tasks)] if self.num_cpus else []
        return done, [task for task in tasks if task not in done]

    def get(self, task: Task) -> Any:
        """Return the result of a task.

        Raises:
            RayTaskError: The task raised an error.
            RayError: Its machine was lost too often.
        """
        for _ in range(task.num_attempts):
            try:
                found = task.call()
            except Exception as error:
                raise RayTaskError(error) from error
            if not self.num_lost:
                return found
            self.num_lost -= 1
        raise RayError("the machine was lost\nwith details")

    def cancel(self, task: Task) -> None:
        """Note that nobody needs the result."""
        self.cancelled.append(task)


def install(patch: pytest.MonkeyPatch, num_cpus: int) -> RayHere:
    """Let `import ray` find a stand-in."""
    found = RayHere(num_cpus)
    exceptions = ModuleType("ray.exceptions")
    vars(exceptions).update(RayError=RayError, RayTaskError=RayTaskError)
    patch.setitem(sys.modules, "ray", found)
    patch.setitem(sys.modules, "ray.exceptions", exceptions)
    return found
