"""What was believed before earlier turns: where a belief that lost the true world starts anew."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from ggp.belief.worlds import Worlds

KEPT_OF_TURN: Final = 2048


class Snapshot(NamedTuple):
    """What was believed before a turn, or a part of it.

    Attributes:
        turn: How many turns there had been.
        worlds: The worlds.
        is_complete: Whether no other was possible.
    """

    turn: int
    worlds: Worlds
    is_complete: bool


class Past:
    """Snapshots of a belief, the first one always among them. Their number is bounded."""

    def __init__(self, room: int) -> None:
        """Nothing yet.

        Args:
            room: Worlds that may be kept.
        """
        self._room = room
        self.snapshots: list[Snapshot] = []
        self._complete: Snapshot | None = None

    def add(self, turn: int, worlds: Worlds, is_complete: bool, rng: np.random.Generator) -> None:
        """Note what is believed before a turn."""
        if is_complete:
            self._complete = Snapshot(turn, worlds, True)
        most = min(KEPT_OF_TURN, self._room)
        if worlds.num > most:
            worlds, is_complete = worlds.resampled(most, rng).normalised(), False
        self.snapshots.append(Snapshot(turn, worlds, is_complete))
        while len(self.snapshots) > 2 and sum(s.worlds.num for s in self.snapshots) > self._room:
            # Every second one of the older half goes: what is near is what is gone back to.
            del self.snapshots[1 : max(2, len(self.snapshots) // 2) : 2]

    def back_from(self, turn: int, num_turns: int) -> Snapshot:
        """The newest snapshot that is so many turns old or older; the oldest if there is none."""
        older = [s for s in self.snapshots if s.turn <= turn - num_turns]
        return older[-1] if older else self.snapshots[0]

    @property
    def newest_complete(self) -> Snapshot | None:
        """The newest one in which nothing was missing, whole."""
        return self._complete

    @property
    def parts(self) -> list[Worlds]:
        """All worlds that are kept."""
        kept = [snapshot.worlds for snapshot in self.snapshots]
        return kept if self._complete is None else [*kept, self._complete.worlds]
