"""A seat for a submission in a match, and notes on its play."""

from __future__ import annotations

import asyncio
from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, Final

from ggp.errors import GgpError
from ggp.match.errors import SeatError
from ggp.match.seat import Answer, Invitation, OwnSeat, TurnReport
from ggp.submission.circuits import NotCompiledError
from ggp.submission.process import (
    ENTER_SECONDS,
    Fault,
    Loaded,
    Submission,
    SubmissionLostError,
    SubmissionProcess,
    UnconfinedError,
    one_line,
    without_folders,
)
from ggp.submission.starter import Starter, StarterError
from ggp.submission.thoughts import bounded

MAX_CHARACTERS: Final = 500
GRACE_SECONDS: Final = 1.0
"""Time after the end of a clock until a silent process is ended. An answer in this time is late."""
MAX_REPLACED: Final = 3
"""Maximum number of times that an uploaded player's process is replaced in a match."""
REPLACING_SECONDS: Final = 10
"""Time limit for a replacement to get ready, before its first move is requested."""
MARGIN_SECONDS: Final = 0.1
"""The player's own deadline is this much earlier than the end of the clock."""
_LOST: Final = (SubmissionLostError, StarterError, UnconfinedError)


class Mistake(StrEnum):
    """A kind of mistake in a turn. The match continues with a random legal move."""

    ERROR = "errors"
    LATE = "late moves"
    ILLEGAL = "illegal moves"


@dataclass(frozen=True, slots=True)
class Incident:
    """A mistake in a turn. Turns count from 1; turn 0 is the time before the first turn."""

    mistake: Mistake
    turn: int
    text: str


@dataclass(slots=True)
class SeatNotes:
    """Notes on a submission in one match.

    Attributes:
        seconds: How long each move took, for turns in which the player had a choice.
        uses_clock: Whether the player asked for the remaining time or ran out of it, as its process
            reports.
        reasoner: Why the interpreter plays although the player asked for the compiled game. Empty
            if it does not.
    """

    incidents: list[Incident] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    uses_clock: bool = False
    attempts: tuple[str, ...] = ()
    output_bytes: int = 0
    output: str = ""
    reasoner: str = ""


class SubmissionSeat(OwnSeat):
    """A seat for a submission, which runs in its own process until the match ends.

    The seat keeps the clocks itself. It accepts only legal moves from the process.

    Attributes:
        notes: Notes on the player. They are complete when the match is over.
    """

    overtime_seconds: float = ENTER_SECONDS + GRACE_SECONDS

    def __init__(self, starter: Starter, submission: Submission, name: str, seed: int) -> None:
        self.name = name
        self.notes = SeatNotes()
        self._starter = starter
        self._submission = submission
        self._seed = seed
        self._process: SubmissionProcess | None = None
        self._playclock = 0.0
        self._unready = ""
        """Why there is no player in the process. Empty if there is one."""

    async def start(self, invitation: Invitation) -> None:
        """Start the process, and let the player prepare.

        Raises:
            SubmissionLostError: The process is lost, and the match cannot continue.
            StarterError: No process could be started, or it is not confined. No player is at fault.
        """
        await self._start(invitation, prepares=True)

    async def _start(self, invitation: Invitation, *, prepares: bool) -> None:
        self._playclock = invitation.playclock
        startclock = invitation.startclock
        self._process = await SubmissionProcess.start(self._starter, self._submission, self._seed)
        loaded = await self._load(startclock)
        if loaded.wrong:
            self._unready = loaded.wrong
            return
        circuit = None
        if loaded.engine != "interpreter":
            circuit = await self._circuit(invitation)
        found, seconds = await self._ask(
            "begin",
            startclock,
            rules=invitation.rules,
            role=invitation.role,
            seed=self._seed,
            engine=loaded.engine,
            circuit=circuit,
            prepares=prepares,
        )
        self._take(found)
        if circuit is not None and found.get("engine") == "interpreter":
            self.notes.reasoner = _text(found.get("reason"))
        if "error" in found:
            self._unready = _text(found["error"])
            self._note(Mistake.ERROR, 0, self._unready)
        elif seconds > startclock:
            self._note(Mistake.LATE, 0, f"ready after {seconds:.2f} s")

    async def _load(self, startclock: float) -> Loaded:
        assert self._process is not None
        found = await self._process.load(self._submission.class_name, startclock, GRACE_SECONDS)
        if found.wrong:
            self._note(Mistake.ERROR, 0, found.wrong)
        return found

    async def _circuit(self, invitation: Invitation) -> str | None:
        """Return the compiled rules, or None if the interpreter has to play.

        This also replaces the process by one that has loaded the kernels. The first process is
        already confined and may not load them.
        """
        first, able = self._process, self._starter.compiled
        assert first is not None
        try:
            async with asyncio.timeout(self._patience(invitation)):
                # Keep this order, because loading the kernels also makes sure that they exist.
                second = await SubmissionProcess.start(able, self._submission, self._seed)
                self._process = second
                circuit = await self._starter.circuits.of(invitation.rules)
        except (TimeoutError, NotCompiledError) as error:
            reason = str(error) or "the game was not compiled within half of the startclock"
            self.notes.reasoner = one_line(reason[:MAX_CHARACTERS])
            unused, self._process = self._process, first
        except BaseException:
            await first.close()
            raise
        else:
            unused = first
        if unused is not None and unused is not self._process:
            await unused.close()
        if self.notes.reasoner:
            return None
        loaded = await self._load(invitation.startclock)
        return None if loaded.wrong else b64encode(circuit).decode()

    def _patience(self, invitation: Invitation) -> float | None:
        """Return how many seconds starting the second process and compiling may take, or None."""
        return None

    async def resume(self, invitation: Invitation, history: Sequence[TurnReport]) -> None:
        """Start the process, and replay the turns so far."""
        await self.start(invitation)
        await self._play_over(history[:-1])  # the last turn comes with PLAY

    async def _play_over(self, history: Sequence[TurnReport]) -> None:
        for report in history:
            await self._ask("play", self._playclock, **_news(report), is_asked=False)

    async def play(self, report: TurnReport) -> Answer:
        """Return the player's move, or the reason why there is none.

        Raises:
            SeatError: The player has not started.
            SubmissionLostError: The process is lost, and the match cannot continue.
        """
        turn = report.turn + 1
        is_asked = len(report.legal) > 1
        found, seconds = await self._ask(
            "play", self._playclock, **_news(report), is_asked=is_asked
        )
        self._take(found)
        if "error" in found:
            text = self._unready or _text(found["error"])
            self._note(Mistake.ERROR, turn, text)
            return self._missing(text, "CE")
        if not is_asked:
            return Answer(report.legal[0])
        self.notes.seconds.append(seconds)
        if seconds > self._playclock:
            text = f"answered after {seconds:.2f} s"
            self._note(Mistake.LATE, turn, text)
            return self._missing(text, "TO")
        move = found.get("move")
        if isinstance(move, str) and move in report.legal:
            return Answer(move, self._thoughts(found))
        wrong = _text(found.get("wrong", move))
        self._note(Mistake.ILLEGAL, turn, wrong)
        return Answer("", fallback=wrong)

    async def abort(self) -> None:
        """End the process and complete the notes."""
        process = self._process
        if process is None:
            return
        try:
            await process.close()
        finally:  # the starter may be gone too
            notes = self.notes
            notes.attempts = tuple(process.attempts)
            notes.output_bytes, notes.output = process.output.num_bytes, process.output.text

    async def _ask(
        self, what: str, seconds: float, **fields: object
    ) -> tuple[Mapping[str, Any], float]:
        if self._process is None:
            raise SeatError(f"{self.name} has not started")
        own = max(seconds / 2, seconds - MARGIN_SECONDS)
        return await self._process.ask(what, seconds, grace=GRACE_SECONDS, **fields, seconds=own)

    def _missing(self, why: str, mark: str) -> Answer:
        """Return an answer marked as missing. Its move is the last one that the player reported."""
        reported = self._process.reported if self._process is not None else ""
        return Answer(reported, fallback=why, missing=mark)

    def _thoughts(self, found: Mapping[str, Any]) -> dict[str, object]:
        """Return the player's search info. If the interpreter had to play, add the reason."""
        said = {one_line(name): value for name, value in bounded(found.get("thoughts")).items()}
        told = {name: one_line(one) if isinstance(one, str) else one for name, one in said.items()}
        if self.notes.reasoner:
            told["reasoner"] = f"interpreter: {self.notes.reasoner}"
        return told

    def _take(self, found: Mapping[str, Any]) -> None:
        self.notes.uses_clock |= found.get("was_felt") is True

    def _note(self, mistake: Mistake, turn: int, text: str) -> None:
        self.notes.incidents.append(Incident(mistake, turn, text))


def _news(report: TurnReport) -> dict[str, object]:
    """Return what the player may know about the last turn, without hidden moves of other roles."""
    if report.percepts is None:
        return {"moves": report.moves, "own_move": None, "percepts": None}
    return {"moves": None, "own_move": report.own_move, "percepts": report.percepts}


def _text(value: object) -> str:
    if not isinstance(value, str):
        return "the answer is not a move"
    return one_line(value[:MAX_CHARACTERS])


class UploadedSeat(SubmissionSeat):
    """A seat for a submission whose process is replaced a few times if it hangs or crashes.

    The new process replays the turns so far and does not prepare. After the last replacement has
    failed too, all further answers are missing.
    """

    def __init__(self, starter: Starter, submission: Submission, name: str, seed: int) -> None:
        super().__init__(starter, submission, name, seed)
        self._invitation: Invitation | None = None
        self._told: list[TurnReport] = []
        self._num_replaced = 0
        self._end = ""
        """How and when the last process ended. Empty as long as there is a process."""
        self._is_over = False
        """Whether the last process ended in a way that allows no replacement."""

    def _patience(self, invitation: Invitation) -> float | None:
        """Return half of the startclock, so that the rest is left to the player."""
        return invitation.startclock / 2

    async def start(self, invitation: Invitation) -> None:
        """Start the process, and let the player prepare.

        Raises:
            SeatError: No process could be started, or it was lost.
            TimeoutError: The process did not answer in time.
        """
        self._invitation = invitation
        with self._begins():
            await super().start(invitation)

    async def resume(self, invitation: Invitation, history: Sequence[TurnReport]) -> None:
        """Start the process and replay the turns so far."""
        self._told = list(history[:-1])
        with self._begins():
            await super().resume(invitation, history)

    async def play(self, report: TurnReport) -> Answer:
        """Return the player's move, or the reason why there is none."""
        self._told.append(report)
        may_replace = not self._is_over and self._num_replaced < MAX_REPLACED
        if self._end and may_replace and len(report.legal) == 1:
            return Answer(report.legal[0])
        if self._end and not may_replace:
            return Answer("", fallback=self._end, missing="CE")
        before = self._num_replaced
        try:
            if self._end:
                await self._replace()
            answer = await super().play(report)
        except _LOST as error:
            is_late = self._note_end(error, f"turn {report.turn + 1}")
            answer = self._missing(str(error), "TO" if is_late else "CE")
        # The file's name is a hash, which means nothing to users.
        named = answer.fallback.replace(self._submission.file.name, self.name)
        named = without_folders(named)
        return replace(answer, fallback=named, replaced=self._num_replaced - before)

    async def _replace(self) -> None:
        """Start another process and replay the turns so far.

        Raises:
            SubmissionLostError: The new process is lost as well.
            StarterError: No process could be started.
            UnconfinedError: The new process is not confined.
        """
        assert self._invitation is not None
        self._num_replaced += 1
        self._unready = ""
        try:
            async with asyncio.timeout(REPLACING_SECONDS):
                hurried = replace(self._invitation, startclock=REPLACING_SECONDS)
                await self._start(hurried, prepares=False)
                await self._play_over([one for one in self._told[:-1] if one.turn])
        except TimeoutError:
            await self.abort()
            text = f"not ready again within {REPLACING_SECONDS} s; its process was ended"
            raise SubmissionLostError(Fault.HUNG, text) from None
        self._end = ""

    @contextmanager
    def _begins(self) -> Iterator[None]:
        """Return a context that raises a TimeoutError or SeatError if the process is lost in it."""
        try:
            yield
        except _LOST as error:
            text = f"{self.name}: {error}"
            raise (TimeoutError if self._note_end(error, "START") else SeatError)(text) from error

    def _note_end(self, error: GgpError, when: str) -> bool:
        """Store how the process ended. Return whether it was ended for not answering in time."""
        fault = error.fault if isinstance(error, SubmissionLostError) else None
        self._is_over = fault in {Fault.PRINTED, Fault.FORGED}
        self._end = f"its process {'ended' if fault is Fault.CRASHED else 'was ended'} in {when}"
        return fault is Fault.HUNG
