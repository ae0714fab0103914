"""Seats that follow a script, so that a test reads as a conversation."""

from __future__ import annotations

import asyncio
import errno
from collections.abc import Sequence

from ggp.match.errors import AdjournedError, SeatError, TakeBackError
from ggp.match.seat import Answer, Invitation, TurnReport

# Answers that are none: one that never comes, a broken connection. `!text` is a program's error.
LATE = "LATE"
GONE = "GONE"
SHORT = "SHORT"
"""This process has no file left to ask the player with."""
AWAY = "AWAY"
"""The player wants the match to rest."""


class ScriptedSeat:
    """Answers START and PLAY by script, and remembers what it was told."""

    def __init__(self, *answers: str, start: str = "ready", end: str = "done") -> None:
        self.name = "scripted"
        self.messages: list[object] = []
        self._answers = list(answers) or ["noop"]
        self._start = start
        self._end = end

    async def start(self, invitation: Invitation) -> None:
        """Get ready, or not."""
        self.messages.append(("start", invitation))
        await _perform(self._start)

    async def resume(self, invitation: Invitation, history: Sequence[TurnReport]) -> None:
        """Get ready in the middle of a match, or not."""
        self.messages.append(("resume", tuple(report.moves for report in history)))
        await _perform(self._start)

    async def play(self, report: TurnReport) -> Answer:
        """The next answer of the script."""
        self.messages.append(("play", report.moves))
        answer = self._answers[0] if len(self._answers) == 1 else self._answers.pop(0)
        return Answer(await _perform(answer), {"value": 50})

    async def stop(self, report: TurnReport) -> None:
        """Remember it."""
        self.messages.append(("stop", report.moves))
        await _perform(self._end)

    async def abort(self) -> None:
        """Remember it."""
        self.messages.append(("abort",))
        await _perform(self._end)

    async def adjourn(self) -> None:
        """Remember it."""
        self.messages.append(("adjourn",))

    @property
    def words(self) -> list[str]:
        """The kinds of message it got, in order."""
        return [message[0] for message in self.messages if isinstance(message, tuple)]


class PatientScriptedSeat(ScriptedSeat):
    """Goes back when it is asked to; `<2` in its script asks to go back to after two turns."""

    async def play(self, report: TurnReport) -> Answer:
        """The next answer of the script, or the wish to go back."""
        answer = await super().play(report)
        if answer.text.startswith("<"):
            raise TakeBackError(int(answer.text[1:]))
        return answer

    async def go_back(self, num_turns: int) -> None:
        """Remember it."""
        self.messages.append(("go back", num_turns))


async def _perform(answer: str) -> str:
    if answer == LATE:
        await asyncio.get_running_loop().create_future()
    if answer == GONE:
        raise SeatError("the connection broke")
    if answer == SHORT:
        raise SeatError("cannot connect") from OSError(errno.EMFILE, "too many open files")
    if answer == AWAY:
        raise AdjournedError("nobody is there")
    if answer.startswith("!"):
        raise ZeroDivisionError(answer)
    return answer
