"""A metric: its name, what it means, and how it is read.

>>> seconds = Histogram((0.1, 1.0))
>>> for value in (0.05, 0.5, 0.7, 20):
...     seconds.note(value)
>>> seconds.buckets()
[('0.1', 1), ('1.0', 3), ('+Inf', 4)]
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate


class Histogram:
    """Counts of how often a quantity, at least 0, was up to each of some bounds.

    Attributes:
        total: The sum of all values.
    """

    def __init__(self, bounds: Sequence[float]) -> None:
        """Take the bounds in ascending order."""
        self._bounds = tuple(bounds)
        self._counts = [0] * (len(self._bounds) + 1)
        self.total = 0.0

    def note(self, value: float) -> None:
        """Count a value."""
        self._counts[bisect_left(self._bounds, value)] += 1
        self.total += value

    def buckets(self) -> list[tuple[str, float]]:
        """Each bound, and how many values were no greater."""
        names = [*(str(float(bound)) for bound in self._bounds), "+Inf"]
        return list(zip(names, accumulate(self._counts), strict=True))


Value = float | Histogram


@dataclass(frozen=True, slots=True)
class Metric:
    """A metric: what Prometheus can ask of a program."""

    name: str
    """Of a counter it ends in `_total`."""
    text: str
    read: Callable[[], Value | Mapping[str, Value]]
    """Gives the value, or one for each value of the label."""
    label: str = ""
    """The name of what tells several values apart; empty if there is one."""
