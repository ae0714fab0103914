"""A player of our own that has not chosen in time: whose fault that was."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

import pytest

from ggp.clock import Deadline
from ggp.engine import Choice, EngineConfig, EnginePool, MoveOrigin
from ggp.match.seat import TurnReport
from ggp.seating.local import LocalSeat


class LateEngine:
    """Never chooses, and has asked its player for some seconds."""

    reasoner = ""
    num_replaced = 0

    def __init__(self, asked_for: float) -> None:
        self._asked_for = asked_for

    async def play(
        self,
        happened: object,
        deadline: Deadline,
        *,
        legal: Sequence[str],
        on_late: Callable[[float], None],
    ) -> Choice:
        """The first legal move."""
        on_late(self._asked_for)
        return Choice(legal[0], MoveOrigin.FIRST_LEGAL)

    def take_printed(self) -> str:
        """Nothing."""
        return ""

    async def abort(self) -> None:
        """Nothing to end."""


@pytest.mark.parametrize(
    ("asked_for", "said"),
    [
        (1.7, "me took longer than the playclock of 2 s in 1 turn"),
        (0.1, "this machine was too busy"),
    ],
)
def test_a_player_is_blamed_for_its_own_time_only(
    monkeypatch: pytest.MonkeyPatch, asked_for: float, said: str
) -> None:
    """Not for that in which its process was given the compiled game, or no core."""
    warned: list[str] = []
    seat = LocalSeat(EnginePool(), EngineConfig(), "me", warned.append, warn=warned.append)
    monkeypatch.setattr(seat, "_engine", LateEngine(asked_for))
    monkeypatch.setattr(seat, "_playclock", 2.0)

    async def play() -> None:
        await seat.play(TurnReport(0, None, legal=("a", "b")))
        await seat.abort()

    asyncio.run(play())

    assert len(warned) == 1
    assert warned[0].startswith(said)
