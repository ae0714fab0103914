"""A metric: its name, its meaning, and a function that reads it.

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
    """A histogram of non-negative values: for each bound, the number of values up to it.

    Attributes:
        total: The sum of all values.
    """

    def __init__(self, bounds: Sequence[float]) -> None:
        """Create an empty histogram with `bounds` in ascending order."""
        self._bounds = tuple(bounds)
        self._counts = [0] * (len(self._bounds) + 1)
        self.total = 0.0

    def note(self, value: float) -> None:
        """Count a value."""
        self._counts[bisect_left(self._bounds, value)] += 1
        self.total += value

    def buckets(self) -> list[tuple[str, float]]:
        """Return each bound as text, with the number of values up to it. The last is `+Inf`."""
        names = [*(str(float(bound)) for bound in self._bounds), "+Inf"]
        return list(zip(names, accumulate(self._counts), strict=True))


Value = float | Histogram


@dataclass(frozen=True, slots=True)
class Metric:
    """A measurement of this program that Prometheus can read."""

    name: str
    """Name of the metric. The name of a counter ends in `_total`."""
    text: str
    read: Callable[[], Value | Mapping[str, Value]]
    """Returns the value, or a value for each value of the label."""
    label: str = ""
    """Name of the label. Empty if there is a single value."""
