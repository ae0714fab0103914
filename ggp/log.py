"""One line per event on standard error, as text for people or as JSON for programs.

    2026-03-01 12:00:00.123 INFO message match=m1 kind=PLAY seconds=4.002 reply="(mark 1 1)"

Values from the network are truncated and escaped, so that they cannot forge a second line. Nor can
they fill the disk, because a repeated warning or error is written only once a second, with the
number of repetitions that were left out.
"""

from __future__ import annotations

import json
import logging
import re
import time
import traceback
from collections.abc import Callable
from typing import Literal

from ggp.protocol import shown

LOGGER = logging.getLogger("ggp.events")
MAX_VALUE_CHARACTERS = 300
SAME_SECONDS = 1.0
MAX_KINDS = 1000  # number of different lines to remember
LogFormat = Literal["text", "json"]
ReportLine = Callable[[str], None]
"""A function that receives one line about what happens, such as `LOGGER.warning`."""
LogFunction = Callable[[int, str], None]
"""A function that receives a level and one line, such as `LOGGER.log`."""

_VARYING = re.compile(r"0x[0-9a-f]+|[0-9]+", re.IGNORECASE)
_PLAIN = re.compile(r"[\w.:/+@%-]+")


def log_event(level: int, event: str, **fields: object) -> None:
    """Write one log line. For an exception, write its message and place but no stack trace."""
    if not LOGGER.isEnabledFor(level):
        return
    known = {key: value for key, value in fields.items() if value is not None}
    if isinstance(error := known.get("error"), BaseException):
        known |= _described(error)
    LOGGER.log(level, event, extra={"fields": known})


def set_up_logging(log_format: LogFormat, level: str) -> None:
    """Send every log line of the process to standard error in the given format.

    Args:
        level: Lowest level to write: debug, info, warning or error. Messages of libraries are
            only written if they are warnings or errors.
    """
    handler = logging.StreamHandler()
    handler.setFormatter(JsonFormatter() if log_format == "json" else TextFormatter())
    handler.addFilter(OnceASecond())
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    logging.getLogger("ggp").setLevel(level.upper())


class OnceASecond(logging.Filter):
    """A filter that passes a repeated warning or error once a second and counts the dropped ones.

    A line repeats an earlier one if the two differ at most in numbers.
    """

    def __init__(self) -> None:
        super().__init__()
        self._last: dict[tuple[str, int, str], tuple[float, int]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether to write the record."""
        if record.levelno < logging.WARNING:
            return True
        said = " ".join([_event(record), *map(str, getattr(record, "fields", {}).values())])
        kind = (record.name, record.levelno, _VARYING.sub("#", said[:MAX_VALUE_CHARACTERS]))
        when, suppressed = self._last.get(kind, (-SAME_SECONDS, 0))
        if record.created - when < SAME_SECONDS:
            self._last[kind] = (when, suppressed + 1)
            return False
        self._last.pop(kind, None)
        self._last[kind] = (record.created, 0)
        if len(self._last) > MAX_KINDS:
            del self._last[next(iter(self._last))]
        if suppressed:
            record.fields = {**getattr(record, "fields", {}), "suppressed": suppressed}
        return True


class TextFormatter(logging.Formatter):
    """A formatter that writes time, level, event and `key=value` pairs."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the record as exactly one line."""
        moment = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(record.created))
        head = f"{moment}.{int(record.msecs):03d} {record.levelname} {_event(record)}"
        pairs = (f"{key}={_quoted(value)}" for key, value in _fields(record).items())
        return " ".join([head, *pairs])


class JsonFormatter(logging.Formatter):
    """A formatter that writes JSON objects with `time` (seconds since 1970), `level`, `event`."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the record as exactly one line."""
        head = {"time": round(record.created, 3), "level": record.levelname.lower()}
        fields = {key: _json_value(value) for key, value in _fields(record).items()}
        return json.dumps(head | {"event": _event(record)} | fields)


def _event(record: logging.LogRecord) -> str:
    return shown(record.getMessage(), MAX_VALUE_CHARACTERS)


def _fields(record: logging.LogRecord) -> dict[str, object]:
    fields = dict(getattr(record, "fields", {}))
    if record.exc_info and record.exc_info[1]:
        fields |= _described(record.exc_info[1])
    return fields


def _quoted(value: object) -> str:
    text = shown(str(value), MAX_VALUE_CHARACTERS)
    return text if _PLAIN.fullmatch(text) else json.dumps(text, ensure_ascii=False)


def _json_value(value: object) -> object:
    is_number = isinstance(value, int | float)
    return value if is_number else shown(str(value), MAX_VALUE_CHARACTERS)


def _described(error: BaseException) -> dict[str, object]:
    frames = traceback.extract_tb(error.__traceback__)
    described: dict[str, object] = {"error": f"{type(error).__name__}: {error}"}
    if frames:
        described["where"] = f"{frames[-1].filename}:{frames[-1].lineno}"
    return described
