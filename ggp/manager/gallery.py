"""The limit on spectators at once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ggp.manager.problems import BusyError


class Gallery:
    """So many spectators at once, and no more."""

    def __init__(self, num_places: int) -> None:
        self._num_places = num_places
        self._num_taken = 0

    @contextmanager
    def place(self) -> Iterator[None]:
        """Take a place.

        Raises:
            BusyError: There is none left.
        """
        if self._num_taken >= self._num_places:
            raise BusyError(f"{self._num_taken} spectators are watching; come back later")
        self._num_taken += 1
        try:
            yield
        finally:
            self._num_taken -= 1
