"""The stream of news that comes from the machine that holds a match."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any, Self, TypeVar, cast

import ggp
from ggp.cluster.connection import ClusterError
from ggp.manager.hosting.cluster.news import News

T = TypeVar("T")


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
        """The next that comes of it.

        Raises:
            NodeLostError: Its machine is gone.
            ClusterError: Its machine cannot hold matches.
        """
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
    """Hand a match over to the machines; needs so many CPUs of one."""
    import ray

    from ggp.manager.hosting.cluster.node import hold

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
