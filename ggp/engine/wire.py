r"""The messages between the server process and an engine process, as lines of JSON.

Commands go to the process, events come back. Each event names the request that it answers, so that
the server can ignore events of an earlier request. Times are seconds of `ggp.clock.now()`, which
all processes of a machine share.

    >>> encode(Failed(7, "moves", "expected 2 moves"))
    b'{"#":"Failed","request":7,"kind":"moves","message":"expected 2 moves"}\n'
    >>> decode(b'{"#":"Accepted","request":8}')
    Accepted(request=8)
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any, Final, get_args

from ggp.engine.answers import Choice, EnginePosition
from ggp.engine.config import EngineConfig
from ggp.match.steps import JointMove, Percepts, SingleMove, Step

MAX_LINE_BYTES: Final = 1 << 20
"""Maximum length of an event. A process that writes a longer line counts as broken."""
MAX_LEGAL_REPORTED: Final = 2000
"""Maximum number of legal moves that an event lists."""
MAX_LEGAL_CHARACTERS: Final = 200_000
"""Maximum number of characters in the legal moves that an event lists. The first move is always
listed.
"""
MAX_TEXT: Final = 10_000
"""Maximum length of a free text in an event (errors, log lines, search info), in characters."""


class WireError(ValueError):
    """A line is not a message of this protocol."""


@dataclass(frozen=True, slots=True)
class _Message:
    request: int
    """Number of the command, which `WorkerProcess.ask` assigns. 0 until then."""


@dataclass(frozen=True, slots=True)
class Begin(_Message):
    """Command: read the rules, take the role and prepare until `moment`."""

    rules: str
    notation: str | None
    role: str
    config: EngineConfig
    moment: float


@dataclass(frozen=True, slots=True)
class SearchCommand(_Message):
    """Command: make the steps, choose a move until `moment`, then ponder."""

    turn: int
    """Number of turns of the match after these steps."""
    steps: tuple[Step, ...]
    """All steps of the match. `WorkerProcess.ask` omits those that the process has made."""
    moment: float


@dataclass(frozen=True, slots=True)
class Follow(_Message):
    """Command: make the steps without choosing a move. With `is_last`, report the goals."""

    turn: int
    steps: tuple[Step, ...]
    is_last: bool


@dataclass(frozen=True, slots=True)
class Event(_Message):
    """A process's report on a request."""


@dataclass(frozen=True, slots=True)
class Awake(Event):
    """Event: the process takes commands, although it may still load modules and kernels."""

    pid: int


@dataclass(frozen=True, slots=True)
class Warming(Event):
    """Event: the process is not warm yet. The text describes the slow step that remains."""

    text: str


@dataclass(frozen=True, slots=True)
class Warm(Event):
    """Event: the process has loaded the machine code of the reasoner and the searches."""

    pid: int


@dataclass(frozen=True, slots=True)
class Accepted(Event):
    """Event: the command has been read, even if the player is busy."""


@dataclass(frozen=True, slots=True)
class Begun(Event):
    """Event: the process has begun to carry out the command. A hanging player delays this."""


@dataclass(frozen=True, slots=True)
class Ready(Event):
    """Event: the rules have been read; preparation begins."""

    roles: tuple[str, ...]
    role: str
    has_percepts: bool


@dataclass(frozen=True, slots=True)
class Equipped(Event):
    """Event: the reasoner used from now on, and the reason for it."""

    reasoner: str
    timings: Mapping[str, float] = field(default_factory=dict)
    """Seconds that each stage of compiling took."""


@dataclass(frozen=True, slots=True)
class Searching(Event):
    """Event: the player has evaluated its first leaves on the compiled game."""


@dataclass(frozen=True, slots=True)
class MovedReply(Event):
    """Event: the state is up to date. Sent before any search, so that a legal move is known."""

    position: EnginePosition


@dataclass(frozen=True, slots=True)
class Best(Event):
    """Event: the player has reported its best move so far."""

    choice: Choice


@dataclass(frozen=True, slots=True)
class Done(Event):
    """Event: the command has been carried out."""

    choice: Choice | None = None
    prepared: str = "{}"
    """For `Begin`: the player's search info at the end of the startclock, as a JSON object."""
    goals: tuple[int, ...] | None = None
    is_terminal: bool = False
    is_exhausted: bool = False
    """Whether the player ran out of memory and the process should be replaced."""


@dataclass(frozen=True, slots=True)
class Failed(Event):
    """Event: the command cannot be carried out. If `kind` is `moves`, the state is unchanged."""

    kind: str
    """What cannot be used: `rules` or `moves`."""
    message: str


@dataclass(frozen=True, slots=True)
class Said(Event):
    """Event: a line for the log."""

    level: int
    text: str


@dataclass(frozen=True, slots=True)
class Printed(Event):
    """Event: the player has printed something."""

    text: str
    """The part of the output that is kept, in whole lines."""
    num_lines: int
    """Number of lines printed since the last such event, kept or not."""
    num_bytes: int
    """Number of bytes printed since the last such event, kept or not."""


Command = Begin | SearchCommand | Follow

_CLASSES: Final[dict[str, type[Any]]] = {
    cls.__name__: cls
    for cls in (
        *get_args(Command),
        *(Awake, Warming, Warm, Accepted, Begun, Ready, Equipped, Searching, MovedReply),
        *(Best, Done, Failed, Said, Printed),
        *(Choice, EnginePosition, EngineConfig, JointMove, SingleMove, Percepts),
    )
}


def encode(message: Command | Event) -> bytes:
    """Return the line for a message, with its line end."""
    return json.dumps(_plain(message), separators=(",", ":")).encode() + b"\n"


def decode(line: bytes) -> Command | Event:
    """Parse the message in a line.

    Raises:
        WireError: The line is not a message.
    """
    try:
        message = _built(json.loads(line))
    except (ValueError, TypeError, RecursionError) as error:
        raise WireError(f"expected a message, got {line[:80]!r}") from error
    if not isinstance(message, Command | Event):
        raise WireError(f"expected a message, got {line[:80]!r}")
    return message


def _plain(value: object) -> object:
    if is_dataclass(value) and not isinstance(value, type):
        content = {one.name: _plain(getattr(value, one.name)) for one in fields(value)}
        return {"#": type(value).__name__} | content
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return dict(value) if isinstance(value, Mapping) else value


def _built(value: object) -> object:
    if isinstance(value, list):
        return tuple(map(_built, value))
    if isinstance(value, dict) and value.get("#") in _CLASSES:
        content = {key: _built(item) for key, item in value.items() if key != "#"}
        return _CLASSES[value["#"]](**content)
    return value
