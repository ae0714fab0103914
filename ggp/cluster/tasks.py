"""Work that consists of many parts: a crew applies one function to many items.

A crew is the machines of a cluster, or this process, which does one part after the other.

with crew(function, shared, is_on_cluster=True) as workers:
    for index, result in done(workers, items): ...
"""

from __future__ import annotations

import pickle
import time
from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from itertools import islice
from typing import Any, Final, Generic, TypeVar

import gdl
from ggp.cluster.connection import ClusterError, num_cpus
from ggp.errors import GgpError

Shared = TypeVar("Shared")
Item = TypeVar("Item")
Result = TypeVar("Result")

PACKAGE: Final = "ggp-agent"
AHEAD: Final = 2
"""Tasks submitted per CPU, so that no CPU has to wait for its next task."""
MAX_REPEATS: Final = 20
"""How often to restart a task because its machine was lost."""
LOOK_SECONDS: Final = 5.0
WITHOUT_CPU_SECONDS: Final = 60.0
"""How long to wait for a machine if no machine in the cluster has a CPU."""


class SentGame:
    """A game to send to other machines. Its rules are pickled, and each machine loads them."""

    def __init__(self, game: gdl.Game) -> None:
        self.game = game

    def __reduce__(self) -> tuple[Callable[..., SentGame], tuple[gdl.Rulesheet, gdl.Engine]]:
        assert self.game.rulesheet is not None, "a part of another game has no rules"
        return _loaded, (self.game.rulesheet, self.game.engine)


def _loaded(rulesheet: gdl.Rulesheet, engine: gdl.Engine) -> SentGame:
    return SentGame(gdl.load(rulesheet, engine))


class OwnCrew(Generic[Shared, Item, Result]):
    """A crew that works in this process. It computes a result only when `next` asks for it."""

    def __init__(self, function: Callable[[Shared, Item], Result], shared: Shared) -> None:
        self._function, self._shared = function, shared
        self._waiting: deque[tuple[Hashable, Item]] = deque()

    def __len__(self) -> int:
        """Return the number of parts that were submitted and have not been returned yet."""
        return len(self._waiting)

    def capacity(self) -> int:
        """Return how many parts should be submitted at once: 1, because `next` does the work."""
        return 1

    def add(self, key: Hashable, item: Item) -> None:
        """Submit a part. Its result is returned together with `key`."""
        self._waiting.append((key, item))

    def next(self) -> tuple[Any, Result]:
        """Return the key and the result of a part. Raise any exception that the function raises."""
        key, item = self._waiting.popleft()
        return key, self._function(self._shared, item)


class ClusterCrew(Generic[Shared, Item, Result]):
    """A crew made of the machines of a cluster. Each part uses one CPU of some machine."""

    def __init__(self, function: Callable[[Shared, Item], Result], shared: Shared) -> None:
        import ray

        self._task = ray.remote(num_cpus=1, max_retries=MAX_REPEATS)(_work_elsewhere())
        # `Any` stands for a reference of Ray.
        self._work: Any = ray.put(ray.cloudpickle.dumps((function, shared)))
        self._version = version_here()
        self._running: dict[Any, Hashable] = {}

    def __len__(self) -> int:
        return len(self._running)

    def capacity(self) -> int:
        """Return how many parts may be submitted and unfinished at once: `AHEAD` for each CPU."""
        return AHEAD * max(1, num_cpus())

    def add(self, key: Hashable, item: Item) -> None:
        """Send a part to the cluster."""
        import ray

        packed = ray.cloudpickle.dumps(item)
        self._running[self._task.remote(self._version, self._work, packed)] = key

    def next(self) -> tuple[Any, Result]:
        """Return the key and the result of a finished part. Wait while some machine has a CPU.

        Raises:
            Exception: Any exception that the function raised.
            ClusterError: Machines were lost too often, none has a CPU, or one has another version.
        """
        import ray

        idle = time.monotonic()
        while True:
            finished, _ = ray.wait(list(self._running), num_returns=1, timeout=LOOK_SECONDS)
            if finished:
                return self._running.pop(finished[0]), self._fetched(finished[0])
            if num_cpus():
                idle = time.monotonic()
            elif time.monotonic() - idle > WITHOUT_CPU_SECONDS:
                raise ClusterError(
                    f"the cluster has had no machine with a CPU for {WITHOUT_CPU_SECONDS:g} "
                    "s; to add a machine, run `ray start --address=HOST:PORT` on it"
                )

    def dismiss(self) -> None:
        """Cancel all unfinished parts."""
        import ray

        for each in self._running:
            ray.cancel(each)
        self._running.clear()

    # `Any` stands for a reference of Ray, and for the result of its task.
    def _fetched(self, reference: Any) -> Any:
        import ray
        from ray.exceptions import RayError, RayTaskError

        try:
            is_done, found = ray.get(reference)
        except RayTaskError as error:
            raise error.cause from error
        except RayError as error:
            first_line = str(error).strip().partition("\n")[0]
            raise ClusterError(
                f"a part of the work was started {MAX_REPEATS + 1} times, but each time "
                f"the cluster lost the machine that did it: {first_line}"
            ) from error
        if not is_done:
            raise ClusterError(
                f"{found}, but this machine has {self._version}; install the same version "
                "on all machines"
            )
        return found


Crew = OwnCrew[Any, Item, Result] | ClusterCrew[Any, Item, Result]
"""A crew computes the results of items, in this process or on the machines of a cluster."""


@contextmanager
def crew(
    function: Callable[[Shared, Item], Result], shared: Shared, *, is_on_cluster: bool
) -> Iterator[Crew[Item, Result]]:
    """Provide a crew that applies a function to items. At exit, drop unfinished items.

    If a machine of a cluster is lost, another one repeats its part. So the function should return
    the same result for the same item.

    Args:
        function: A function of a module that is also installed on the machines.
        shared: Its first argument, sent to each machine once.
        is_on_cluster: Whether to use the cluster that this process is connected to.
    """
    if not is_on_cluster:
        yield OwnCrew(function, shared)
        return
    workers = ClusterCrew(function, shared)
    try:
        yield workers
    finally:
        workers.dismiss()


def done(workers: Crew[Item, Result], items: Iterable[Item]) -> Iterator[tuple[int, Result]]:
    """Yield the results of all items as they arrive, each with the index of its item."""
    left = enumerate(items)
    while True:
        for index, item in islice(left, max(0, workers.capacity() - len(workers))):
            workers.add(index, item)
        if not len(workers):
            return
        yield workers.next()


def done_in_order(workers: Crew[Item, Result], items: Iterable[Item]) -> Iterator[Result]:
    """Yield the results of all items in order. There may be infinitely many items."""
    early: dict[int, Result] = {}
    following = 0
    for index, result in done(workers, items):
        early[index] = result
        while following in early:
            yield early.pop(following)
            following += 1


def version_here() -> str:
    """Return the version of this program, which tasks on other machines compare with their own."""
    try:
        return f"{PACKAGE} {version(PACKAGE)}"
    except PackageNotFoundError:
        return f"no {PACKAGE}"


def work_here(work: bytes, item: bytes) -> Any:
    """Return the result of a pickled function for a pickled item. Raise only picklable errors."""
    function, shared = _unpacked(work)
    try:
        return function(shared, pickle.loads(item))  # noqa: S301  # as in `_unpacked`
    except Exception as error:  # noqa: BLE001  # the submitting machine raises it again
        raise _portable(error) from None


def _work_elsewhere() -> Callable[[str, bytes, bytes], tuple[bool, Any]]:
    """Return the function that a machine runs.

    Ray sends it as code, because the machine may have another version of this program.
    """

    def work(expected: str, work: bytes, item: bytes) -> tuple[bool, Any]:
        import socket
        from importlib.metadata import PackageNotFoundError, version

        try:
            found = f"ggp-agent {version('ggp-agent')}"
        except PackageNotFoundError:
            found = "no ggp-agent"
        if found != expected:
            return False, f"the machine {socket.gethostname()} has {found}"
        from ggp.cluster.tasks import work_here

        return True, work_here(work, item)

    return work


@lru_cache(maxsize=4)
def _unpacked(work: bytes) -> Any:
    return pickle.loads(work)  # noqa: S301  # the sender may run any code on this machine anyway


def _portable(error: Exception) -> Exception:
    """Return the error itself if it can be pickled, or else an error with the same message."""
    try:
        pickle.loads(pickle.dumps(error))  # noqa: S301  # pickled in this line
    except Exception:  # noqa: BLE001  # an error's own constructor may raise anything
        if isinstance(error, GgpError):
            return GgpError(str(error))
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error
