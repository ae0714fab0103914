"""Work in many parts, done on all machines of a cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any, Final, TypeVar

from ggp.cluster.connection import ClusterError, num_cpus

Shared = TypeVar("Shared")
Item = TypeVar("Item")
Result = TypeVar("Result")

AHEAD: Final = 2
"""Tasks handed over for each CPU, so that none waits for the next."""
MOST_REPEATS: Final = 20
"""Times that a task is begun again because its machine was lost."""


def done_on_cluster(
    function: Callable[[Shared, Item], Result], shared: Shared, items: Sequence[Item]
) -> Iterator[tuple[int, Result]]:
    """What a function makes of each item, as it comes, each with the index of its item.

    A task needs one CPU. One whose machine is lost is done again on another, so a function should
    make the same of the same item.

    Args:
        function: Of a module that the machines have as well.
        shared: Sent to each machine once.
        items: The parts of the work.

    Raises:
        Exception: Whatever the function raised.
        ClusterError: The machines were lost too often.
    """
    import ray

    task = ray.remote(num_cpus=1, max_retries=MOST_REPEATS)(function)
    reference = ray.put(shared)
    left = iter(range(len(items)))
    running: dict[Any, int] = {}  # Any: a reference of Ray's
    try:
        while True:
            for index in islice(left, max(0, AHEAD * max(1, num_cpus()) - len(running))):
                running[task.remote(reference, items[index])] = index
            if not running:
                return
            done, _ = ray.wait(list(running), num_returns=1)
            yield running.pop(done[0]), _fetched(done[0])
    finally:
        for each in running:
            ray.cancel(each)


# Any: a reference of Ray's, and what its task returned.
def _fetched(reference: Any) -> Any:
    import ray
    from ray.exceptions import RayError, RayTaskError

    try:
        return ray.get(reference)
    except RayTaskError as error:
        raise error.as_instanceof_cause() from None
    except RayError as error:
        raise ClusterError(f"a part of the work was lost {MOST_REPEATS} times: {error}") from error
