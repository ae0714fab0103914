"""A cluster that holds matches, seen from the manager, which hands them over and writes them.

A match whose machine is lost is begun anew on another, one with players elsewhere goes on there.
If the head of the cluster is lost, matches rest.
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
from ggp.manager.hosting.cluster_node import Begun, Completed, Failed, FailureKind, News
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

MOST_REPEATS: Final = 50
"""Times that a match is begun again because its machine was lost."""
PAUSE_SECONDS: Final = 0.5
WATCH_SECONDS: Final = 2.0
MAX_MISSED: Final = 3
"""So often the head does not answer before it counts as lost."""


class NodeLostError(ClusterError):
    """The machine that held a match is gone, or the process there."""


class MatchStream:
    """A match that was handed over to the machines of a cluster."""

    def __init__(self, references: Any) -> None:  # a generator of Ray's
        self._references = references

    @classmethod
    async def open(cls, packed: bytes, num_cpus: int) -> Self:
        """Hand over a match that takes so many CPUs of one machine."""
        return cls(await called(partial(_handed_over, packed, num_cpus)))

    async def next(self) -> News | None:
        """The next that comes of it."""
        from ray.exceptions import RayError, RayTaskError, TaskCancelledError

        try:
            found: News | None = await (await anext(self._references))
        except StopAsyncIteration:
            raise NodeLostError("a machine left in the middle of a match") from None
        except RayTaskError as error:
            if isinstance(error, TaskCancelledError):
                raise NodeLostError("somebody cancelled the task of a match") from error
            raise ClusterError(
                f"a machine cannot hold matches: {_first_line(error.cause)}; each needs "
                f"ggp-agent {ggp.__version__} with its extra [cluster]"
            ) from error
        except RayError as error:
            raise NodeLostError(_first_line(error)) from error
        return found

    def cancel(self, *, is_killed: bool) -> None:
        """Break it off: it tells its players, or the process that holds it is killed."""
        import ray

        with suppress(Exception):  # it is over, or nobody can be told; Ray raises many kinds
            ray.cancel(self._references, force=is_killed)


async def called(function: Callable[[], T]) -> T:
    """The answer of Ray, in a thread that nobody waits for: it may hang where the head is gone."""
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
        except Exception as error:  # noqa: BLE001  # raised where it is waited for
            failure = error
        with suppress(RuntimeError):  # the loop is closed
            loop.call_soon_threadsafe(settle, result, failure)

    threading.Thread(target=call, daemon=True).start()
    return await given


def _handed_over(packed: bytes, num: int) -> Any:  # a stream of Ray's
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
    """The head of the cluster is gone: what it held rests."""


class MatchCluster:
    """Holds matches on the machines of a cluster, as many at once as there are CPUs.

    Attributes:
        num_cpus: Of the whole cluster, as it was a moment ago.
        num_of_largest: Of the machine that has most.
    """

    def __init__(self, address: str, max_searching: int) -> None:
        """Take a cluster that this process is connected to; `max_searching` 0 is for all CPUs."""
        import ray

        self._address = address
        self._head: str = ray.get_runtime_context().gcs_address
        self._max_searching = max_searching
        self._cores = Cores(max_searching) if max_searching else None
        self._is_lost = asyncio.Event()
        self._count()

    @property
    def is_lost(self) -> bool:
        """Whether the head does not answer any more."""
        return self._is_lost.is_set()

    @property
    def most_searching(self) -> int:
        """Number of players that can search at once."""
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
            record: Of a match that goes on; None if it begins.
            written: Reads what is written down of it.
            will_go_on: Whether the match, if this is cancelled, is to be taken up again later.

        Raises:
            ClusterError: It cannot be held now; nothing is wrong with it.
            HeadLostError: There is no cluster any more.
            ForgottenError: It goes on, and a player elsewhere does not know it any more.
        """
        # Who is told of a match that began anew, in the middle of it, would not understand.
        goes_on = any(is_address(seat.source) for seat in order.seats)
        lost: NodeLostError | None = None
        for _ in range(1 + MOST_REPEATS):
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
                await asyncio.sleep(PAUSE_SECONDS)  # the head may be lost: this is soon known
                record = await written()
            else:
                return
        raise MatchError(f"the machine of the match was lost {1 + MOST_REPEATS} times: {lost}")

    async def watch(self) -> None:
        """Look after the head, and count CPUs, until this is cancelled."""
        missed = 0
        while True:
            await asyncio.sleep(WATCH_SECONDS)
            missed = 0 if await _answers(self._head) else missed + 1
            if missed >= MAX_MISSED and not self.is_lost:
                _log.error("%s", self._loss())
                self._is_lost.set()
            if not missed and not self.is_lost:
                with suppress(Exception):  # Ray raises many kinds; the old numbers do
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
            with suppress(ClusterError, HeadLostError):  # to its end, which frees the machine
                while True:
                    await self._unless_lost(stream.next())
        finally:
            if not (is_over or self.is_lost):
                # A process that is killed sends no ABORT, so that players elsewhere wait.
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
            f"{self._address}: the head of the Ray cluster does not answer any more; start it, "
            "and then this program, again"
        )


def goes_anywhere(order: MatchOrder) -> bool:
    """Whether a match can be held on any machine.

    It cannot where a person plays, where a player has an address of this machine's own, or where
    one reads a file.
    """
    return all(_goes_anywhere(seat.source) for seat in order.seats)


@asynccontextmanager
async def opened_cluster(address: str, max_searching: int) -> AsyncIterator[MatchCluster]:
    """A cluster that holds matches, as long as the `async with` lasts."""
    await asyncio.to_thread(connect, address)
    import ray

    cluster = MatchCluster(address, max_searching)
    watching = asyncio.create_task(cluster.watch(), name="cluster")
    try:
        yield cluster
    finally:
        await cancel(watching)
        if cluster.is_lost:  # Ray would wait for it, also when the program ends
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
    """Write news down; whether the match is over with them."""
    match news:
        case None:
            return False
        case Begun():
            await writer.set_status(Status.RUNNING)
            return False
        case Completed():
            await writer.complete(news.goals)
            return True
        case Failed(FailureKind.UNFIT):
            raise ClusterError(news.reason)
        case Failed(FailureKind.ADJOURNED):
            raise AdjournedError(news.reason)
        case Failed(FailureKind.FORGOTTEN):
            raise ForgottenError(news.reason)
        case Failed():
            raise MatchError(news.reason)
        case _:
            await writer.write(news)
            return False
