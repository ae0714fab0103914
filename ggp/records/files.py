"""Files that hold the record of one match."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from ggp.errors import WrongUseError, reason_of
from ggp.records.errors import RecordError
from ggp.records.record import MatchRecord
from ggp.records.xml import from_xml

MAX_BYTES: Final = 64_000_000


def read_record(file: Path) -> MatchRecord:
    """The match in a file, in the JSON or the XML of GGP-Base.

    Raises:
        WrongUseError: It cannot be read, or holds no match.
    """
    try:
        with file.open("rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except OSError as error:
        raise WrongUseError(f"{file}: {reason_of(error)}") from error
    if len(data) > MAX_BYTES:
        raise WrongUseError(f"{file}: expected at most {MAX_BYTES:,} bytes")
    try:
        text = data.decode()
        return from_xml(text) if text.lstrip().startswith("<") else MatchRecord.from_text(text)
    except UnicodeDecodeError as error:
        raise WrongUseError(f"{file}: expected text in UTF-8") from error
    except RecordError as error:
        raise WrongUseError(f"{file}: {error}") from error
