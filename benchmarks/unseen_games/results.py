"""A file of results, one line of JSON each. A resumed run adds the missing ones."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from unseen_games.rulesheets import UnseenError

Row = dict[str, Any]


class ResultFile:
    """Results by question. Without a file they are kept in memory only.

    Attributes:
        keys: The fields of the question; all others are the answer.
    """

    def __init__(self, file: Path | None, keys: tuple[str, ...]) -> None:
        """Read existing results.

        Raises:
            UnseenError: A line before the last one is no result.
        """
        self.keys = keys
        self._file = file
        self._rows: dict[str, Row] = {}
        if file is not None and file.exists():
            for row in _rows_of(file, keys):
                self._rows[self._key(row)] = row

    def find(self, asked: Row) -> Row | None:
        """Return the result of a question; None if there is none yet."""
        return self._rows.get(self._key(asked))

    def all_of(self, asked: Sequence[Row]) -> list[Row]:
        """Return the existing results of all these questions, in order."""
        return [row for each in asked if (row := self.find(each)) is not None]

    def add(self, row: Row) -> None:
        """Keep a result, and write it to the file at once."""
        self._rows[self._key(row)] = row
        if self._file is not None:
            with self._file.open("a", encoding="utf-8") as opened:
                opened.write(json.dumps(row) + "\n")

    def _key(self, row: Row) -> str:
        return json.dumps([row[key] for key in self.keys])


def _rows_of(file: Path, keys: tuple[str, ...]) -> Iterator[Row]:
    """Give the rows of a file. A last line that was not written to its end is cut off."""
    text = file.read_text(encoding="utf-8")
    complete, end, rest = text.rpartition("\n")
    if rest:
        file.write_text(complete + end, encoding="utf-8")
    for number, line in enumerate(complete.splitlines(), start=1):
        try:
            row = json.loads(line)
            if not all(key in row for key in keys):
                raise ValueError
        except ValueError as error:
            raise UnseenError(
                f"{file}:{number}: expected a result with {', '.join(keys)}. "
                "Give another file to --output."
            ) from error
        yield row
