"""A player of our own that has not chosen in time: whose fault that was."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

import pytest

from ggp.clock import Deadline
from ggp.engine import Choice, EngineConfig, EnginePool, MoveOrigin
from ggp.match.seat import PrintedAmount, TurnReport
from ggp.seating.local import LocalSeat


class LateEngine:
    """Never chooses, and has asked its player for so many seconds in each turn."""

    reasoner = ""
    num_replaced = 0

    def __init__(self, *asked_for: float) -> None:
        self._asked_for = list(asked_for)

    async def play(
        self,
        happened: object,
        deadline: Deadline,
        *,
        legal: Sequence[str],
        on_late: Callable[[float], None],
    ) -> Choice:
        """The first legal move."""
        on_late(self._asked_for.pop(0))
        return Choice(legal[0], MoveOrigin.FIRST_LEGAL)

    def take_printed(self) -> tuple[str, PrintedAmount]:
        """Nothing."""
        return "", PrintedAmount()

    async def abort(self) -> None:
        """Nothing to end."""


@pytest.mark.parametrize(
    ("asked_for", "said"),
    [
        ([1.7], "me took longer than the playclock of 2 s in 1 turn"),
        ([0.1], "this machine was too busy"),
        ([1.7, 0.0, 0.0], "me took longer than the playclock of 2 s in 3 turns, 2 of them because"),
        ([0.0, 0.0], "this machine was too busy"),
    ],
)
def test_a_player_is_blamed_for_its_own_time_only(
    monkeypatch: pytest.MonkeyPatch, asked_for: list[float], said: str
) -> None:
    """Not for that in which its process was given the compiled game, or no core.

    Unless that was so since it was still busy with the turn before.
    """
    warned: list[str] = []
    seat = LocalSeat(EnginePool(), EngineConfig(), "me", warned.append, warn=warned.append)
    monkeypatch.setattr(seat, "_engine", LateEngine(*asked_for))
    monkeypatch.setattr(seat, "_playclock", 2.0)

    async def play() -> None:
        for turn in range(len(asked_for)):
            await seat.play(TurnReport(turn, None, legal=("a", "b")))
        await seat.abort()

    asyncio.run(play())

    assert len(warned) == 1
    assert warned[0].startswith(said)
