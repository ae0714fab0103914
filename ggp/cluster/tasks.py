"""Work in many parts, done on all machines of a cluster, or here one part after the other.

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
"""Tasks handed over for each CPU, so that none waits for the next."""
MOST_REPEATS: Final = 20
"""Times that a task is begun again because its machine was lost."""
LOOK_SECONDS: Final = 5.0
WITHOUT_CPU_SECONDS: Final = 60.0
"""How long to wait for a machine, if the cluster has none that could work."""


class SentGame:
    """A game that is sent as its rules, and loaded where it arrives."""

    def __init__(self, game: gdl.Game) -> None:
        self.game = game

    def __reduce__(self) -> tuple[Callable[..., SentGame], tuple[gdl.Rulesheet, gdl.Engine]]:
        assert self.game.rulesheet is not None, "a part of another game has no rules"
        return _loaded, (self.game.rulesheet, self.game.engine)


def _loaded(rulesheet: gdl.Rulesheet, engine: gdl.Engine) -> SentGame:
    return SentGame(gdl.load(rulesheet, engine))


class OwnCrew(Generic[Shared, Item, Result]):
    """This process makes the results: one part after the other, each when it is asked for."""

    def __init__(self, function: Callable[[Shared, Item], Result], shared: Shared) -> None:
        self._function, self._shared = function, shared
        self._waiting: deque[tuple[Hashable, Item]] = deque()

    def __len__(self) -> int:
        """Parts that were handed over and have not been given back."""
        return len(self._waiting)

    def capacity(self) -> int:
        """Parts that may be handed over without waiting long: one."""
        return 1

    def add(self, key: Hashable, item: Item) -> None:
        """Hand over a part; its result comes back with the key."""
        self._waiting.append((key, item))

    def next(self) -> tuple[Any, Result]:
        """The key and the result of a part; raises whatever the function does."""
        key, item = self._waiting.popleft()
        return key, self._function(self._shared, item)


class ClusterCrew(Generic[Shared, Item, Result]):
    """The machines of a cluster make them; a part needs one CPU. What is sent is packed here."""

    def __init__(self, function: Callable[[Shared, Item], Result], shared: Shared) -> None:
        import ray

        self._task = ray.remote(num_cpus=1, max_retries=MOST_REPEATS)(_work_elsewhere())
        # Any: references of Ray's.
        self._work: Any = ray.put(ray.cloudpickle.dumps((function, shared)))
        self._version = version_here()
        self._running: dict[Any, Hashable] = {}

    def __len__(self) -> int:
        return len(self._running)

    def capacity(self) -> int:
        """Parts for which the machines have CPUs, and some more."""
        return AHEAD * max(1, num_cpus())

    def add(self, key: Hashable, item: Item) -> None:
        """Send a part."""
        import ray

        packed = ray.cloudpickle.dumps(item)
        self._running[self._task.remote(self._version, self._work, packed)] = key

    def next(self) -> tuple[Any, Result]:
        """Wait for a part, for as long as there is a machine that may do it.

        Raises:
            Exception: Whatever the function raised.
            ClusterError: The machines were lost too often, or are not fit for the work.
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
                    f"no machine of the cluster has had a CPU to work with for "
                    f"{WITHOUT_CPU_SECONDS:g} s; `ray start --address=HOST:PORT` lets one join"
                )

    def dismiss(self) -> None:
        """Let nobody go on with what was not finished."""
        import ray

        for each in self._running:
            ray.cancel(each)
        self._running.clear()

    # Any: a reference of Ray's, and what its task returned.
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
                f"a part of the work was begun {MOST_REPEATS + 1} times, and its machine lost each "
                f"time: {first_line}"
            ) from error
        if not is_done:
            raise ClusterError(
                f"{found}, and this one {self._version}; install the same version on all machines"
            )
        return found


Crew = OwnCrew[Any, Item, Result] | ClusterCrew[Any, Item, Result]
"""Those who make results of items: this process, or the machines of a cluster."""


@contextmanager
def crew(
    function: Callable[[Shared, Item], Result], shared: Shared, *, is_on_cluster: bool
) -> Iterator[Crew[Item, Result]]:
    """Somebody who applies a function to items; what is not done in the end is left.

    On a cluster a part whose machine is lost is done again on another, so a function should make
    the same of the same item.

    Args:
        function: Of a module that the machines have as well.
        shared: Its first argument; sent to each machine once.
        is_on_cluster: Whether the cluster works to which this process is connected.
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
    """The results of all items, as they come, each with the index of its item."""
    left = enumerate(items)
    while True:
        for index, item in islice(left, max(0, workers.capacity() - len(workers))):
            workers.add(index, item)
        if not len(workers):
            return
        yield workers.next()


def done_in_order(workers: Crew[Item, Result], items: Iterable[Item]) -> Iterator[Result]:
    """The results of all items, in their order; they may be without end."""
    early: dict[int, Result] = {}
    following = 0
    for index, result in done(workers, items):
        early[index] = result
        while following in early:
            yield early.pop(following)
            following += 1


def version_here() -> str:
    """The version of this program, as the task of another machine compares it."""
    try:
        return f"{PACKAGE} {version(PACKAGE)}"
    except PackageNotFoundError:
        return f"no {PACKAGE}"


def work_here(work: bytes, item: bytes) -> Any:
    """The result of a packed function for a packed item; errors are made fit for the way back."""
    function, shared = _unpacked(work)
    try:
        return function(shared, pickle.loads(item))  # noqa: S301  # likewise
    except Exception as error:  # noqa: BLE001  # whatever it is, it is raised on the other machine
        raise _portable(error) from None


def _work_elsewhere() -> Callable[[str, bytes, bytes], tuple[bool, Any]]:
    """The function that a machine runs; sent as code, for there may be another version, or none."""

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
    return pickle.loads(work)  # noqa: S301  # of the process that may run what it likes here


def _portable(error: Exception) -> Exception:
    """The error itself, if it survives being sent, else one that says the same."""
    try:
        pickle.loads(pickle.dumps(error))  # noqa: S301  # our own
    except Exception:  # noqa: BLE001  # an error's own constructor may raise anything
        if isinstance(error, GgpError):
            return GgpError(str(error))
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error
