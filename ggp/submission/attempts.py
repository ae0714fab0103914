"""Detect forbidden actions of a submission when it attempts them.

Python's audit hook sees an action before it happens. The Linux kernel denies the action a moment
later. If an attempt bypasses Python, `ggp.submission.supervision` may still report it.
"""

from __future__ import annotations

import inspect
import os
import re
import sys
import sysconfig
from collections.abc import Callable, Sequence
from pathlib import Path
from types import FrameType
from typing import Any, Final

from ggp.submission.confinement import is_within

MAX_ATTEMPTS: Final = 20
MAX_CHARACTERS: Final = 200
MAX_REPORTS: Final = 10_000
"""Number of best moves that a player may report in one answer. Further reports are ignored."""

_EVENTS: Final = {
    "open a socket": "socket.__new__",
    "open a connection": "socket.connect",
    "listen on a port": "socket.bind",
    "look up a machine's address": "socket.getaddrinfo socket.gethostbyname",
    "fork": "os.fork os.forkpty",
    "run a program": "os.exec os.posix_spawn os.spawn os.system subprocess.Popen pty.spawn",
    "send a signal": "os.kill os.killpg signal.pthread_kill",
    "remove a file in": "os.remove",
    "rename a file in": "os.rename",
    "make a folder in": "os.mkdir",
    "remove a folder in": "os.rmdir",
    "make a link": "os.link os.symlink",
    "shorten a file in": "os.truncate",
    "change the permissions of a file in": "os.chmod",
    "change the owner of a file in": "os.chown",
    "change its limits": "resource.setrlimit resource.prlimit",
}
"""Events of the audit hook, by their meaning."""
_NAMES: Final = {event: what for what, events in _EVENTS.items() for event in events.split()}
_WITH_PATH: Final = frozenset(event for event, what in _NAMES.items() if what.endswith(" in"))
_LOOKS: Final = frozenset({"open", "os.listdir"})
_STANDARD: Final = sysconfig.get_path("stdlib")
_INSTALLED: Final = "-packages/"
"""Part of the path of packages that pip has installed, even below the standard library."""
_PROCESS: Final = re.compile(r"/proc/\d+")
_IMPORT_SYSTEM: Final = "<frozen importlib._bootstrap"


class AttemptWatch:
    """A watcher of this process's submission. It reports each kind of forbidden action once."""

    def __init__(
        self,
        file: Path,
        is_folder: bool,
        readable: Sequence[Path],
        writable: Sequence[Path],
        report: Callable[[str], None],
    ) -> None:
        """Create an inactive watch.

        Args:
            is_folder: Whether the files next to `file` belong to the submission.
            report: Called with a description of each attempt.
        """
        self._file = str(file)
        self._folder = f"{file.parent}/" if is_folder else None
        self._readable = [Path(_real(path)) for path in readable]
        self._writable = {_real(path) for path in writable}
        self._report = report
        self._reported: set[str] = set()
        self._is_reporting = False

    def start(self) -> None:
        """Start watching. The watch cannot be stopped."""
        sys.addaudithook(self._hear)

    def _hear(self, event: str, values: tuple[Any, ...]) -> None:
        if self._is_reporting or (event not in _NAMES and event not in _LOOKS):
            return
        self._is_reporting = True
        try:
            what = self._named(event, values)
            is_new = what and what not in self._reported and len(self._reported) < MAX_ATTEMPTS
            is_file = event in _WITH_PATH or event in _LOOKS
            if is_new and self._is_own(inspect.currentframe(), is_file=is_file):
                self._reported.add(what)
                self._report(what)
        finally:
            self._is_reporting = False

    def _named(self, event: str, values: tuple[Any, ...]) -> str:
        if event == "open":
            return self._opening(values[0], values[2])
        if event == "os.listdir":
            path = _real(values[0] if values[0] is not None else ".")
            return "" if is_within(path, self._readable) else _with("list the folder", path)
        if event in _WITH_PATH:
            return _with(_NAMES[event], _folder(_text(values[0])))
        if event == "os.kill" and values[:1] == (os.getpid(),):
            return ""
        return _NAMES[event]

    def _opening(self, path: Any, flags: Any) -> str:
        if not isinstance(path, str | bytes | os.PathLike):  # a descriptor that is already open
            return ""
        place = _real(path)
        if place in self._writable:
            return ""
        if isinstance(flags, int) and flags & (os.O_ACCMODE | os.O_CREAT | os.O_TRUNC):
            return _with("write a file in", _folder(place))
        return "" if is_within(place, self._readable) else _with("read the file", place)

    def _is_own(self, frame: FrameType | None, *, is_file: bool) -> bool:
        """Return whether the submission causes an event, and not a library of its own accord.

        Events during an import do not count. Nor do accesses to files by installed libraries,
        because they look for files that may be missing. Accesses by modules of Python itself count.
        """
        while frame is not None:
            code = frame.f_code.co_filename
            if self._is_of_submission(code):
                return True
            if code.startswith(_IMPORT_SYSTEM) or (is_file and _is_library(code)):
                return False
            frame = frame.f_back
        return False

    def _is_of_submission(self, code: str) -> bool:
        return code == self._file or (self._folder is not None and code.startswith(self._folder))


def _with(what: str, path: str) -> str:
    # Process ids differ each time and do not matter.
    return f"{what} {_PROCESS.sub('/proc/PID', path)}"[:MAX_CHARACTERS]


def _folder(path: str) -> str:
    """Return the folder of a file, to report in place of the file: its name may be random."""
    return str(Path(_real(path)).parent)


def _is_library(code: str) -> bool:
    if code == __file__ or code.startswith("<"):
        return False
    return not code.startswith(_STANDARD) or _INSTALLED in code


def _text(path: Any) -> str:
    return os.fsdecode(path) if isinstance(path, str | bytes | os.PathLike) else "(open)"


def _real(path: Any) -> str:
    return os.path.realpath(_text(path))
