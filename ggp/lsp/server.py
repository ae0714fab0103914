"""The language server: open texts, checks of them, and explanations of facts."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import hashlib
import re
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO, Final

from lsprotocol import types
from pygls import uris
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol

from ggp import __version__
from ggp.lsp.descriptions import findings_of, remark
from ggp.lsp.open_document import (
    MAX_CHARACTERS,
    OpenDocument,
    OutdatedError,
    RequestError,
    Version,
)
from ggp.processes.tasks import cancel
from ggp.sandbox import Sandbox, SandboxBounds, SandboxError, position_questions, questions

MAX_MESSAGE_BYTES: Final = 64 << 20
MAX_HEADER_BYTES: Final = 1 << 16
MAX_LENGTH_HEADER_BYTES: Final = 64
_LENGTH_HEADER: Final = re.compile(rb"Content-Length: \d{1,20}\r\n\Z")
_REFUSED: Final = object()
_TOO_LONG: Final = b'"a message of more than 64 MB"'


class Protocol(LanguageServerProtocol):
    """The pygls protocol, extended so that every request gets an answer."""

    def structure_message(self, data: dict[str, Any]) -> Any:
        """Parse a message. Reply to an invalid request with an error."""
        try:
            return super().structure_message(data)
        except JsonRpcException as error:
            if isinstance(data.get("id"), int | str) and "method" in data:
                self._refuse(data["id"], types.ErrorCodes.InvalidParams, str(error))
            return _REFUSED

    def handle_message(self, message: Any) -> None:
        """Handle a message. If it is invalid, or a request after the shutdown, reply with an error.

        `structure_message` cannot check this, because pygls also calls it for each nested object.
        """
        if message is _REFUSED:
            return
        if not hasattr(message, "jsonrpc"):
            number = message.get("id") if isinstance(message, dict) else None
            self._refuse(number, types.ErrorCodes.InvalidRequest, "expected a message of JSON-RPC")
        elif self._shutdown and hasattr(message, "id") and hasattr(message, "method"):
            self._refuse(message.id, types.ErrorCodes.InvalidRequest, "the server was shut down")
        else:
            super().handle_message(message)

    def _refuse(self, number: Any, code: types.ErrorCodes, text: str) -> None:
        number = number if isinstance(number, int | str) else None
        error = types.ResponseError(code=code.value, message=text)
        self._send_data(types.ResponseErrorMessage(id=number, error=error))


class BoundedInput:
    """Standard input with a limit on the size of a message.

    If the length of a message is unreadable or too large, skip the input up to the next header that
    contains a length. A message in JSON cannot contain such a header.
    """

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._before = b""

    def readline(self) -> bytes:
        """Return a line, a chunk of a long line, or a length header found at the end of a line."""
        line = self._stream.readline(MAX_HEADER_BYTES)
        whole = self._before + line
        self._before = b"" if line.endswith(b"\n") else whole[-MAX_LENGTH_HEADER_BYTES:]
        found = _LENGTH_HEADER.search(whole)
        return found[0] if found else line

    def read(self, count: int) -> bytes:
        """Return at most `count` bytes. If `count` exceeds the limit, return an invalid message."""
        return self._stream.read(count) if count <= MAX_MESSAGE_BYTES else _TOO_LONG


HOVER_SECONDS: Final = 0.12
"""Time limit of the answer to a hover. If its explanation is late, the next hover can show it."""
_BOUNDS: Final = SandboxBounds(seconds=10.0)
CHECK_PAUSE = 0.005
"""Seconds between a change and the check of the text, to avoid delaying fast typing."""
LONG_CHECK = 0.25
"""A check that takes at least this long delays the next check by the same time.

Checks of texts with 200 kB or more take that long.
"""
PLAY_PAUSE = 1.0
"""Seconds between a change and playing the game, unless the file is saved earlier."""
_COLLECTED_AFTER = (100_000, 50, 50)


class Explanations:
    """Explains facts, one at a time, in a separate process. `of` gives up after `HOVER_SECONDS`."""

    def __init__(self) -> None:
        self._sandbox = Sandbox(_BOUNDS)
        self._asked: tuple[str, str] = "", ""
        self._task: asyncio.Task[str] | None = None

    def prepare(self, text: str) -> None:
        """Start the process and let it read `text`, unless the process has been used before."""
        if self._task is None:
            self._ask(text, "terminal")

    async def of(self, text: str, fact: str, begin: float) -> str:
        """Return a Markdown explanation of why a fact holds in the initial state, or why not.

        Return "" if the explanation is not ready in time.

        Args:
            fact: The fact, or "" for none.
            begin: Time of the request, by the monotonic clock.
        """
        if not fact:
            return ""
        if self._asked != (text, fact):
            if self._task is not None and not self._task.done():
                return ""  # the previous explanation is not ready yet
            self._ask(text, fact)
        task = self._task
        assert task is not None
        await asyncio.wait([task], timeout=max(0.0, begin + HOVER_SECONDS - time.monotonic()))
        return task.result() if task.done() and not task.cancelled() else ""

    async def why(self, text: str, fact: str, moves: str) -> str:
        """Return a text that explains why a fact holds after `moves`, or why not."""
        return await self._sandbox.ask(position_questions.why_text, text, fact, moves)

    async def close(self) -> None:
        """End the process."""
        await cancel(self._task)
        await self._sandbox.close()

    def _ask(self, text: str, fact: str) -> None:
        self._asked = text, fact
        self._task = asyncio.create_task(self._explained(text, fact))

    async def _explained(self, text: str, fact: str) -> str:
        try:
            return await self._sandbox.ask(questions.explanation, text, fact)
        except SandboxError:
            if self._asked == (text, fact):
                self._asked = "", ""  # allow a retry, because the machine may be less busy then
            return ""


def _judged(version: Version) -> tuple[list[types.Diagnostic], bool]:
    """Return the findings of a version without playing it, and whether any of them is an error."""
    return list(findings_of(version, [])), version.document.has_errors


class GdlServer(LanguageServer):
    """A language server for rulesheets.

    Args:
        is_playing: Whether to play games, to find errors that only playing reveals.
        play_pause: Seconds without a change before a game is played.
    """

    def __init__(self, *, is_playing: bool = True, play_pause: float = PLAY_PAUSE) -> None:
        super().__init__(
            "ggp",
            __version__,
            text_document_sync_kind=types.TextDocumentSyncKind.Full,
            protocol_cls=Protocol,
        )
        self.is_playing = is_playing
        self._play_pause = play_pause
        self._documents: dict[str, OpenDocument] = {}
        self.explanations = Explanations()
        self._sandbox = Sandbox()
        self._folder: tempfile.TemporaryDirectory[str] | None = None

    def report_server_error(self, error: Exception, source: Any) -> None:
        """Log an error at the client. Errors of requests are already part of the answers."""
        if isinstance(error, JsonRpcException):
            return
        self.window_log_message(
            types.LogMessageParams(type=types.MessageType.Error, message=f"ggp lsp: {error}")
        )

    # --- Texts ------------------------------------------------------------------------------

    def opened(self, uri: str) -> OpenDocument:
        """Return the open text with a URI, or the content of its file if it is not open.

        Raises:
            RequestError: There is no such file, or it is too large or not a text.
        """
        if uri in self._documents:
            return self._documents[uri]
        try:
            path = Path(uris.to_fs_path(uri) or "")
            if not path.is_file() or path.stat().st_size > 4 * MAX_CHARACTERS:
                raise ValueError
            text = self.workspace.get_text_document(uri).source
        except (OSError, ValueError, TypeError, AttributeError) as error:
            raise RequestError(f"{uri[:200]}: expected an open document or a text file") from error
        return self._made(uri, text, None)

    def open(self, uri: str, text: str, number: int) -> None:
        """Add a text that the editor has opened."""
        self.close(uri)
        self._documents[uri] = self._made(uri, text, number)
        self._later(self._documents[uri], 0.0)

    def replace(self, uri: str, text: str, number: int | None) -> None:
        """Accept the next version of a text."""
        if uri not in self._documents:
            self._documents[uri] = self._made(uri, text, number)
        else:
            self._documents[uri].replace(text, number)
        self._later(self._documents[uri], max(CHECK_PAUSE, self._documents[uri].check_seconds))

    def saved(self, uri: str) -> None:
        """Play the game of a file that was saved."""
        opened = self._documents.get(uri)
        if opened is not None:
            self._play(opened, 0.0)

    def close(self, uri: str) -> None:
        """Discard a text that the editor has closed."""
        opened = self._documents.pop(uri, None)
        if opened is not None:
            opened.close()

    def _made(self, uri: str, text: str, number: int | None) -> OpenDocument:
        name = Path(uris.to_fs_path(uri) or uri).name
        encoding = types.PositionEncodingKind(self.workspace.position_encoding)
        return OpenDocument(uri, Version(name, text, encoding, number))

    # --- Checks -----------------------------------------------------------------------------

    def _later(self, opened: OpenDocument, seconds: float) -> None:
        opened.stop_playing()
        loop = asyncio.get_running_loop()
        opened.wait(loop.call_later(seconds, self._check, opened))

    def _check(self, opened: OpenDocument) -> None:
        opened.check(asyncio.create_task(self._checked(opened)))

    async def _checked(self, opened: OpenDocument) -> None:
        begin = time.monotonic()
        version = opened.version
        try:
            found, has_errors = await opened.ask(_judged)
        except OutdatedError:
            return
        except RequestError:
            self._send_findings(opened.uri, version, [remark(version.trouble)])
            return
        if not has_errors:  # set this before the client receives the findings and the user types on
            opened.sound = version
            self.explanations.prepare(version.text)
        self._send_findings(opened.uri, version, found)
        seconds = time.monotonic() - begin
        opened.check_seconds = seconds if seconds > LONG_CHECK else 0.0
        self._play(opened, self._play_pause)

    def _play(self, opened: OpenDocument, pause: float) -> None:
        if self.is_playing:
            opened.work(asyncio.create_task(self._played(opened, pause)))

    async def _played(self, opened: OpenDocument, pause: float) -> None:
        await asyncio.sleep(pause)
        version = opened.version
        try:
            if not await opened.ask(lambda one: one.document.is_sound):
                return
            seen = await self._sandbox.ask(questions.values, version.text)
            played = await self._sandbox.ask(questions.check_play, version.text)
        except SandboxError as error:
            text = f"{opened.uri}: {error}"
            self.window_log_message(types.LogMessageParams(types.MessageType.Info, text))
            return
        except (OutdatedError, RequestError):
            return
        opened.seen = seen or opened.seen
        opened.played = played
        with contextlib.suppress(OutdatedError, RequestError):
            await self._publish(opened)

    async def _publish(self, opened: OpenDocument) -> None:
        version, played = opened.version, opened.played
        found = await opened.ask(lambda one: list(findings_of(one, played)))
        self._send_findings(opened.uri, version, found)

    def _send_findings(self, uri: str, version: Version, found: list[types.Diagnostic]) -> None:
        self.text_document_publish_diagnostics(
            types.PublishDiagnosticsParams(uri, found, version.number)
        )

    # --- Start and end ----------------------------------------------------------------------

    def add(self, method: str, answer: Callable[..., Any], options: object = None) -> None:
        """Register a function as handler of a method. Its first argument is this server."""
        self.feature(method, options)(answer)

    def run(self) -> None:
        """Serve on standard input and output until the input ends.

        Each version of a text has thousands of objects that are not cyclic garbage, so the garbage
        collector is set to run rarely. Ctrl-C ends the process at once, because the thread that
        waits for input would not notice it.
        """
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        gc.collect()
        gc.freeze()
        gc.set_threshold(*_COLLECTED_AFTER)
        self.start_io(BoundedInput(sys.stdin.buffer))  # type: ignore[arg-type]  # acts like a stream

    def folder_of(self, uri: str) -> Path:
        """Return a folder for files that belong to a text. It is deleted when the server ends."""
        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory(prefix="ggp-lsp-")
        digest = hashlib.sha256(uri.encode(errors="replace")).hexdigest()[:16]
        folder = Path(self._folder.name) / digest
        folder.mkdir(exist_ok=True)
        return folder

    async def end(self) -> None:
        """Cancel the work on all texts, and end the processes."""
        for uri in list(self._documents):
            self.close(uri)
        await self._sandbox.close()
        await self.explanations.close()
        if self._folder is not None:
            self._folder.cleanup()
