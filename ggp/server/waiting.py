"""The clients that wait for an answer in one match."""

from __future__ import annotations

import contextlib
from asyncio import CancelledError
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from ggp import clock
from ggp.protocol import Play, Start
from ggp.server.replies import RefusalError

ASKED_AGAIN = "another client asks for the same answer"


class Client(Protocol):
    """The connection of a waiting client."""

    @property
    def ended_at(self) -> float | None:
        """When the client closed its sending side, as a time of `ggp.clock.now()`, else None.

        It may still be reading.
        """
        ...

    def give_up(self, reason: str) -> None:
        """Close the connection, which cancels its request."""
        ...


class _Here:
    """A caller in this process. It stays until it has its answer."""

    ended_at = None

    def give_up(self, reason: str) -> None:
        """Do nothing."""


HERE: Client = _Here()


@dataclass(eq=False, frozen=True, slots=True)
class _Place:
    message: Start | Play
    client: Client


class WaitingClients:
    """The clients that wait for an answer in one match."""

    def __init__(self, max_copies: int, max_waiting: int) -> None:
        """Create `max_waiting` places, at most `max_copies` of them for the same message."""
        self._max_copies, self._max_waiting = max_copies, max_waiting
        self._places: list[_Place] = []
        self._left_at: float | None = None

    @property
    def left_at(self) -> float | None:
        """When the last client left without an answer.

        None if a client is waiting, or if the last client got its answer.

        A client that has closed its sending side may be gone, so it counts as having left.
        """
        if not self._places:
            return self._left_at
        ends = [place.client.ended_at for place in self._places]
        latest = [end for end in ends if end is not None]
        return max(latest) if len(latest) == len(ends) else None

    @contextlib.contextmanager
    def place(self, message: Start | Play, client: Client) -> Iterator[None]:
        """Return a context in which the client has a place.

        Raises:
            RefusalError: Too many clients wait already, and none has closed its sending side.
        """
        self._make_room(message)
        place = _Place(message, client)
        self._places.append(place)
        self._left_at = None
        try:
            yield
        except CancelledError:
            if self._places == [place]:
                self._left_at = clock.now()
            raise
        finally:
            if place in self._places:
                self._places.remove(place)

    def _make_room(self, message: Start | Play) -> None:
        copies = [place for place in self._places if place.message == message]
        is_copied = len(copies) >= self._max_copies
        if not is_copied and len(self._places) < self._max_waiting:
            return
        crowd = copies if is_copied else self._places
        ended = next((place for place in crowd if place.client.ended_at is not None), None)
        if ended is None:
            held = f"{len(copies)} for this message, {len(self._places)} for this match"
            raise RefusalError(503, f"too many clients wait for an answer: {held}")
        self._places.remove(ended)
        ended.client.give_up(ASKED_AGAIN)
