"""Control a submission process from outside. The process is untrusted and has limits."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import re
import signal
import socket
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

import gdl
from ggp.errors import GgpError
from ggp.processes import json_lines
from ggp.processes.children import pipe_reader
from ggp.processes.tasks import cancel, outlived
from ggp.submission.attempts import MAX_ATTEMPTS, MAX_CHARACTERS, MAX_REPORTS
from ggp.submission.confinement import Limits
from ggp.submission.starter import Starter

MAX_LINE_BYTES: Final = 1 << 16
MAX_OUTPUT_BYTES: Final = 1 << 20
"""A process that prints more than this is ended, because 100 MB would keep its grader busy."""
MUCH_OUTPUT_BYTES: Final = 1 << 16
"""A process that prints more than this may have missed its deadline because of printing."""
ENTER_SECONDS: Final = 60.0
"""Time limit for our own code in the process to confine it, long enough for a busy machine."""
REST_SECONDS: Final = 2.0
KEPT_BYTES: Final = 1024
_PATH: Final = re.compile(r"""(?<![\w:/.])/(?:[^\s/'"]+/)+([^\s/'"]*)""")
_REPLACEMENT: Final = "\N{REPLACEMENT CHARACTER}"
_CHUNK_BYTES: Final = 1 << 16
_UNDONE: Final = {"load": "not loaded", "make": "not made", "begin": "not ready"}
"""What to report if the answer to a request is late. For other requests, report "no answer"."""


class Fault(StrEnum):
    """A reason why a process ended, or was ended, before its match was over."""

    HUNG = "no answer in time"
    CRASHED = "crashed"
    PRINTED = "prints too much"
    FORGED = "writes into the talk with its grader"


class SubmissionLostError(GgpError):
    """A submission process ended, or had to be ended, before its match was over.

    The message says how, and `fault` is the kind of failure.
    """

    def __init__(self, fault: Fault, text: str) -> None:
        self.fault = fault
        super().__init__(text)

    @classmethod
    def by_printing(cls) -> SubmissionLostError:
        """Return the error for a process that printed too much."""
        return cls(Fault.PRINTED, f"it printed more than {MAX_OUTPUT_BYTES:,} bytes")


class UnconfinedError(GgpError):
    """This machine cannot confine a process."""


@dataclass(frozen=True, slots=True)
class Submission:
    """A player in a file, and the limits under which it runs.

    Attributes:
        file: Python source, with an absolute path.
        is_folder: Whether the player may read everything in the folder of the file.
        is_confined: Whether the Linux kernel confines the process. Set this to False only for a
            trusted file.
    """

    file: Path
    class_name: str = ""
    is_folder: bool = False
    limits: Limits = field(default_factory=Limits)
    is_confined: bool = True


@dataclass(frozen=True, slots=True)
class Loaded:
    """The outcome of loading a file. Parts of it may be forged.

    Attributes:
        wrong: Why the file cannot play. If this is empty, the other fields are set.
        engine: The reasoner that the player asks for.
        are_several: Whether the only problem is that the file has several players and no class name
            was given.
    """

    player: str = ""
    wrong: str = ""
    engine: gdl.Engine = "interpreter"
    are_several: bool = False


class Output:
    """The output of a process: its first and last bytes, and the total number of bytes."""

    def __init__(self) -> None:
        self.num_bytes = 0
        self.is_too_much = asyncio.Event()
        self._first = b""
        self._last = b""

    @property
    def text(self) -> str:
        """The beginning and the end, with the number of omitted bytes between them."""
        left_out = self.num_bytes - len(self._first) - len(self._last)
        middle = f"\n... {left_out:,} bytes left out ...\n".encode() if left_out else b""
        return printable((self._first + middle + self._last).decode(errors="replace"))

    async def follow(self, stream: asyncio.StreamReader) -> None:
        """Read a stream to its end and collect its bytes."""
        while chunk := await stream.read(_CHUNK_BYTES):
            self.take(chunk)

    def take(self, chunk: bytes) -> None:
        """Add bytes to the output."""
        self.num_bytes += len(chunk)
        if self.num_bytes > MAX_OUTPUT_BYTES:
            self.is_too_much.set()
        room = KEPT_BYTES - len(self._first)
        self._first += chunk[:room]
        self._last = (self._last + chunk[room:])[-KEPT_BYTES:]


class SubmissionProcess:
    """One submission process, from its start to its end.

    The process is stopped between requests, so it computes and prints only while an answer is
    pending.

    Attributes:
        gaps: Sentences that describe the missing protections, see `Confinement.gaps`.
        attempts: Descriptions of the forbidden actions that it attempted, each listed once.
        reported: The last move that the player has reported since the last request. It is untrusted
            and may be any text, even empty.
    """

    def __init__(
        self,
        starter: Starter,
        pid: int,
        talk: tuple[asyncio.StreamReader, asyncio.StreamWriter],
        printed: asyncio.StreamReader,
    ) -> None:
        self.gaps: tuple[str, ...] = ()
        self.attempts: list[str] = []
        self.reported = ""
        self.output = Output()
        self._starter, self._pid = starter, pid
        self._reader, self._writer = talk
        self._printing = asyncio.create_task(self.output.follow(printed))
        self._last_id = 0
        self._status: int | None = None
        self._closing: asyncio.Task[None] | None = None

    @classmethod
    async def start(cls, starter: Starter, submission: Submission, seed: int) -> SubmissionProcess:
        """Start a process, and confine it unless the file is trusted. The file is not read yet."""
        ours, theirs = socket.socketpair()
        printed, printing = os.pipe()
        try:
            with theirs:
                pid = await starter.start(theirs.fileno(), printing)
        except BaseException:
            ours.close()
            os.close(printed)
            raise
        finally:
            os.close(printing)
        talk = await asyncio.open_unix_connection(sock=ours, limit=MAX_LINE_BYTES)
        made = cls(starter, pid, talk, await pipe_reader(printed, MAX_LINE_BYTES))
        try:
            await made._enter(submission, seed)
        except BaseException:
            await made.close()
            raise
        return made

    async def load(self, class_name: str, seconds: float, grace: float = 0.0) -> Loaded:
        """Load the file and return what is known about the player in it.

        Raises:
            SubmissionLostError: Loading did not finish.
        """
        found, _ = await self.ask("load", seconds, grace=grace, **{"class": class_name})
        is_unnamed = found.get("are_several") is True
        loaded = Loaded(_text(found, "class"), _text(found, "error"), are_several=is_unnamed)
        for engine in gdl.ENGINES:
            if engine == found.get("engine"):
                return replace(loaded, engine=engine)
        return loaded

    async def ask(
        self, what: str, seconds: float, /, *, grace: float = 0.0, **fields: object
    ) -> tuple[Mapping[str, Any], float]:
        """Send a request to `ggp.submission.inside`. Return the answer and the seconds it took.

        The answer is a JSON object of limited size. Do not trust its content.

        Args:
            grace: Additional seconds to wait for an answer.

        Raises:
            SubmissionLostError: There is no answer, and the process was ended.
        """
        self._last_id += 1
        self.reported = ""
        began, printed = time.monotonic(), self.output.num_bytes
        question = {"id": self._last_id, "ask": what, **fields}
        self._send(signal.SIGCONT)
        try:
            async with asyncio.timeout(seconds + grace):
                found = await self._exchange(question)
            self._send(signal.SIGSTOP)
            return found, time.monotonic() - began
        except TimeoutError:
            await self.close()
            if self.prints_too_much:
                raise SubmissionLostError.by_printing() from None
            text = f"{_UNDONE.get(what, 'no answer')} within {seconds:g} s; its process was ended"
            if self.output.num_bytes - printed > MUCH_OUTPUT_BYTES:
                text += f"; it printed more than {MUCH_OUTPUT_BYTES:,} bytes in that time"
            raise SubmissionLostError(Fault.HUNG, text) from None
        except SubmissionLostError:
            raise
        except (OSError, EOFError, ValueError) as error:
            await self.close()
            raise self._lost(error) from error

    async def close(self) -> None:
        """End the process and read the rest of its output."""
        if self._closing is None:
            self._closing = asyncio.create_task(self._close())
        await outlived(self._closing)

    async def _close(self) -> None:
        try:
            self._status, denied = await self._starter.end(self._pid)
        finally:
            self._writer.close()
        for attempt in denied:
            self._note(attempt)
        with contextlib.suppress(TimeoutError):  # an unconfined child may still hold the pipe
            async with asyncio.timeout(REST_SECONDS):
                await self._printing

    def _send(self, number: signal.Signals) -> None:
        """Send a signal to the process and, if it is not confined, to its children."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._pid, number)

    @property
    def prints_too_much(self) -> bool:
        """Whether the process has printed more than is allowed."""
        return self.output.is_too_much.is_set()

    async def _enter(self, submission: Submission, seed: int) -> None:
        found, _ = await self.ask(
            "enter",
            ENTER_SECONDS,
            file=str(submission.file),
            is_folder=submission.is_folder,
            is_confined=submission.is_confined,
            limits=asdict(submission.limits),
            seed=seed,
        )
        # No code of the submission has run yet, so this answer can be trusted.
        if "error" in found:
            raise UnconfinedError(f"the process cannot be confined: {found['error']}")
        self.gaps = tuple(found["gaps"])
        if submission.is_confined and not (found["has_files"] or found["has_system_calls"]):
            raise UnconfinedError("; ".join(self.gaps))

    async def _exchange(self, question: Mapping[str, object]) -> Mapping[str, Any]:
        self._writer.write(json.dumps(question).encode() + b"\n")
        answer = asyncio.ensure_future(self._answer())
        watch = asyncio.ensure_future(self.output.is_too_much.wait())
        try:
            await asyncio.wait((answer, watch), return_when=asyncio.FIRST_COMPLETED)
            if not answer.done():
                await self.close()
                raise self._lost(None)
            return answer.result()
        finally:
            await cancel(answer, watch)

    async def _answer(self) -> Mapping[str, Any]:
        left = {"tried": MAX_ATTEMPTS, "reported": MAX_REPORTS}
        while True:
            found = await json_lines.answer(self._reader)
            if found.get("id") == self._last_id:
                return found
            kind = next(iter(found), "")
            text = found.get(kind)
            if len(found) != 1 or not left.get(kind) or not isinstance(text, str):
                raise ValueError("expected an answer")
            left[kind] -= 1
            if kind == "tried":
                self._note(text)
            else:
                self.reported = text

    def _note(self, attempt: str) -> None:
        text = one_line(attempt[:MAX_CHARACTERS])
        if text not in self.attempts and len(self.attempts) < MAX_ATTEMPTS:
            self.attempts.append(text)

    def _lost(self, error: Exception | None) -> SubmissionLostError:
        if self.prints_too_much:
            return SubmissionLostError.by_printing()
        if isinstance(error, ValueError):  # json.JSONDecodeError, or a line that is too long
            return SubmissionLostError(
                Fault.FORGED, "it wrote to the pipe that carries the answers to its grader"
            )
        return SubmissionLostError(Fault.CRASHED, f"its process ended: {_ending(self._status)}")


def _ending(status: int | None) -> str:
    if status is None or status == -signal.SIGKILL:
        return "it closed its end of the connection"
    if status < 0:
        try:
            return signal.Signals(-status).name
        except ValueError:
            return f"signal {-status}"
    return f"exit status {status}"


def _text(found: Mapping[str, Any], name: str) -> str:
    text = found.get(name)
    return one_line(text[:MAX_CHARACTERS]) if isinstance(text, str) else ""


def printable(text: str) -> str:
    """Return the text without control characters, which could move a terminal's cursor or worse."""
    return "".join(one if one.isprintable() or one == "\n" else _REPLACEMENT for one in text)


def without_folders(text: str) -> str:
    """Return the text with each path replaced by the file's name."""
    return _PATH.sub(r"\1", text)


def one_line(text: str) -> str:
    """Return the text as one line without control characters."""
    return printable(text).replace("\n", " ")
