"""The manager's side of a cluster that holds matches: it assigns matches and stores the turns.

If the machine that holds a match is lost, the match begins again on another machine. A match with a
player at an address continues after its last turn instead. If the head of the cluster is lost,
matches pause.
"""

from __future__ import annotations

import asyncio
import atexit
import logging
import pickle
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext, suppress
from functools import partial
from typing import Any, Final, Self, TypeVar, cast
from urllib.parse import urlsplit

import ggp
from ggp.cluster.connection import ClusterError, connect, cpus_of_machines
from ggp.listener.bounds import is_loopback
from ggp.manager.hosting.cluster_node import (
    FailureKind,
    MatchBegun,
    MatchCompleted,
    MatchFailed,
    News,
)
from ggp.manager.hosting.cores import Cores
from ggp.manager.hosting.match_table import MatchOrder
from ggp.manager.hosting.match_writer import MatchWriter
from ggp.manager.store.tables import Status, is_upload
from ggp.match.errors import AdjournedError, ForgottenError, MatchError
from ggp.players import registry
from ggp.processes.tasks import cancel
from ggp.protocol.addresses import is_address
from ggp.records.record import MatchRecord

T = TypeVar("T")

_log = logging.getLogger(__name__)

MAX_REPEATS: Final = 50
"""Largest number of times that a match is repeated because its machine was lost."""
PAUSE_SECONDS: Final = 0.5
WATCH_SECONDS: Final = 2.0
MAX_MISSED: Final = 3
"""Number of unanswered checks after which the head counts as lost."""


class NodeLostError(ClusterError):
    """The machine that held a match was lost, or the process on it died."""


class MatchStream:
    """The news from a match that a machine of the cluster holds."""

    def __init__(self, references: Any) -> None:  # a generator from Ray
        self._references = references

    @classmethod
    async def open(cls, packed: bytes, num_cpus: int) -> Self:
        """Assign a match to the cluster. It takes `num_cpus` CPUs of one machine."""
        return cls(await called(partial(_handed_over, packed, num_cpus)))

    async def next(self) -> News | None:
        """Wait for the next news and return it."""
        from ray.exceptions import RayError, RayTaskError, TaskCancelledError

        try:
            found: News | None = await (await anext(self._references))
        except StopAsyncIteration:
            raise NodeLostError("a machine left the cluster in the middle of a match") from None
        except RayTaskError as error:
            if isinstance(error, TaskCancelledError):
                raise NodeLostError("the task of a match was cancelled") from error
            raise ClusterError(
                "a machine of the cluster cannot run matches: "
                f"{_first_line(error.cause)}; each machine needs ggp-agent "
                f"{ggp.__version__} with its extra [cluster]"
            ) from error
        except RayError as error:
            raise NodeLostError(_first_line(error)) from error
        return found

    def cancel(self, *, is_killed: bool) -> None:
        """Cancel the match, which notifies its players, or kill its process if `is_killed`."""
        import ray

        with suppress(Exception):  # match over or unreachable; Ray raises many kinds of errors
            ray.cancel(self._references, force=is_killed)


async def called(function: Callable[[], T]) -> T:
    """Call a Ray function in a daemon thread, because the call may hang if the head is lost."""
    loop = asyncio.get_running_loop()
    given: asyncio.Future[T] = loop.create_future()

    def settle(result: T | None, error: Exception | None) -> None:
        if given.done():
            return
        if error is None:
            given.set_result(cast(T, result))
        else:
            given.set_exception(error)

    def call() -> None:
        result, failure = None, None
        try:
            result = function()
        except Exception as error:  # noqa: BLE001  # raised in the coroutine that waits
            failure = error
        with suppress(RuntimeError):  # the loop is closed
            loop.call_soon_threadsafe(settle, result, failure)

    threading.Thread(target=call, daemon=True).start()
    return await given


def _handed_over(packed: bytes, num: int) -> Any:  # a Ray stream
    import ray

    from ggp.manager.hosting.cluster_node import hold

    options: dict[str, Any] = {
        "num_cpus": num,
        "num_returns": "streaming",
        "max_retries": 0,
        "scheduling_strategy": "SPREAD",
        "_generator_backpressure_num_objects": 1,
    }
    return ray.remote(**options)(hold).remote(ggp.__version__, packed)


def _first_line(error: BaseException) -> str:
    text = str(error).strip().partition("\n")[0].partition(". ")[0]
    return f"{type(error).__name__}: {text}"[:200] if text else type(error).__name__


class HeadLostError(AdjournedError):
    """The head of the cluster is lost, so the matches on it pause."""


class MatchCluster:
    """A cluster that holds as many matches at the same time as its CPUs allow.

    Attributes:
        num_cpus: Number of CPUs of the whole cluster when they were last counted.
        num_of_largest: Number of CPUs of the largest machine.
    """

    def __init__(self, address: str, max_searching: int) -> None:
        """Use the cluster that this process is connected to. `max_searching` 0 means all CPUs."""
        import ray

        self._address = address
        self._head: str = ray.get_runtime_context().gcs_address
        self._max_searching = max_searching
        self._cores = Cores(max_searching) if max_searching else None
        self._is_lost = asyncio.Event()
        self._count()

    @property
    def is_lost(self) -> bool:
        """Whether the head has stopped answering."""
        return self._is_lost.is_set()

    @property
    def most_searching(self) -> int:
        """Number of players that can search at the same time."""
        return max(1, min(self.num_cpus, self._max_searching or self.num_cpus))

    async def hold(
        self,
        order: MatchOrder,
        record: MatchRecord | None,
        writer: MatchWriter,
        written: Callable[[], Awaitable[MatchRecord | None]],
        will_go_on: Callable[[], bool],
    ) -> None:
        """Hold a match to its end.

        Args:
            record: The record of a match that is resumed. None for a new match.
            written: Reads the stored record of the match.
            will_go_on: Returns whether the match will be resumed later if this call is cancelled.

        Raises:
            ClusterError: The match itself is fine, but it cannot be held now.
            HeadLostError: The head of the cluster is lost.
            ForgottenError: The match was resumed, but a player elsewhere no longer knows it.
        """
        # Players elsewhere would be confused if their match began again in the middle.
        goes_on = any(is_address(seat.source) for seat in order.seats)
        lost: NodeLostError | None = None
        for _ in range(1 + MAX_REPEATS):
            try:
                if self.is_lost:
                    raise self._loss()
                if not goes_on:
                    await writer.begin_anew()
                packed = pickle.dumps((order, record if goes_on else None))
                async with self._place(order):
                    await self._hold_once(order, packed, writer, will_go_on)
            except NodeLostError as error:
                _log.warning("match %d is repeated: %s", writer.number, error)
                lost = error
                await writer.set_status(Status.WAITING, f"repeated: {error}")
                await asyncio.sleep(PAUSE_SECONDS)  # time to notice the loss of the head
                record = await written()
            else:
                return
        raise MatchError(f"the machine of the match was lost {1 + MAX_REPEATS} times: {lost}")

    async def watch(self) -> None:
        """Watch the head and count the CPUs until the call is cancelled."""
        missed = 0
        while True:
            await asyncio.sleep(WATCH_SECONDS)
            missed = 0 if await _answers(self._head) else missed + 1
            if missed >= MAX_MISSED and not self.is_lost:
                _log.error("%s", self._loss())
                self._is_lost.set()
            if not missed and not self.is_lost:
                with suppress(Exception):  # Ray raises many kinds of errors; keep old counts
                    await self._unless_lost(called(self._count))

    def _count(self) -> None:
        cpus = cpus_of_machines()
        self.num_machines, self.num_cpus = len(cpus), sum(cpus)
        self.num_of_largest = max(cpus, default=0)

    def _place(self, order: MatchOrder) -> AbstractAsyncContextManager[object]:
        return self._cores.taken(order.num_searching) if self._cores else nullcontext()

    async def _hold_once(
        self,
        order: MatchOrder,
        packed: bytes,
        writer: MatchWriter,
        will_go_on: Callable[[], bool],
    ) -> None:
        num = max(1, min(order.num_searching, self.num_of_largest))
        is_over = False
        stream = await self._unless_lost(MatchStream.open(packed, num))
        try:
            while not is_over:
                is_over = await _take(await self._unless_lost(stream.next()), writer)
            with suppress(ClusterError, HeadLostError):  # read to the end, to free the machine
                while True:
                    await self._unless_lost(stream.next())
        finally:
            if not (is_over or self.is_lost):
                # If the match will be resumed, kill its process. Then no ABORT is sent, and players
                # elsewhere keep waiting for the match.
                stream.cancel(is_killed=will_go_on())

    async def _unless_lost(self, wanted: Awaitable[T]) -> T:
        task = asyncio.ensure_future(wanted)
        loss = asyncio.create_task(self._is_lost.wait())
        try:
            await asyncio.wait([task, loss], return_when=asyncio.FIRST_COMPLETED)
            if task.done():
                return task.result()
            raise self._loss()
        finally:
            task.cancel()
            loss.cancel()

    def _loss(self) -> HeadLostError:
        return HeadLostError(
            f"{self._address}: the head of the Ray cluster does not answer; restart it, "
            "and then this program"
        )


def goes_anywhere(order: MatchOrder) -> bool:
    """Return whether a match can be held on any machine.

    It cannot if a person plays, if a player has a loopback address, or if a player needs a file
    from this machine.
    """
    return all(_goes_anywhere(seat.source) for seat in order.seats)


@asynccontextmanager
async def opened_cluster(address: str, max_searching: int) -> AsyncIterator[MatchCluster]:
    """Connect to a cluster that holds matches, and disconnect at the end of the `async with`."""
    await asyncio.to_thread(connect, address)
    import ray

    cluster = MatchCluster(address, max_searching)
    watching = asyncio.create_task(cluster.watch(), name="cluster")
    try:
        yield cluster
    finally:
        await cancel(watching)
        if cluster.is_lost:  # Ray would wait for the head, even at the end of the program
            atexit.unregister(ray.shutdown)
        else:
            await asyncio.to_thread(ray.shutdown)


async def _answers(address: str) -> bool:
    host, _, port = address.rpartition(":")
    try:
        async with asyncio.timeout(WATCH_SECONDS):
            _, writer = await asyncio.open_connection(host.strip("[]"), int(port))
    except (OSError, TimeoutError):
        return False
    writer.close()
    return True


def _goes_anywhere(source: str) -> bool:
    if not source:
        return False
    if is_address(source):
        return not is_loopback(urlsplit(source).hostname or "")
    return not is_upload(source) and not registry.files_of(source)


async def _take(news: News | None, writer: MatchWriter) -> bool:
    """Store a piece of news, and return whether the match is over."""
    match news:
        case None:
            return False
        case MatchBegun():
            await writer.set_status(Status.RUNNING)
            return False
        case MatchCompleted():
            await writer.complete(news.goals)
            return True
        case MatchFailed(FailureKind.UNFIT):
            raise ClusterError(news.reason)
        case MatchFailed(FailureKind.ADJOURNED):
            raise AdjournedError(news.reason)
        case MatchFailed(FailureKind.FORGOTTEN):
            raise ForgottenError(news.reason)
        case MatchFailed():
            raise MatchError(news.reason)
        case _:
            await writer.write(news)
            return False
