"""A table of texts that fits the console width without truncating any text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich.box import SIMPLE_HEAD
from rich.cells import cell_len
from rich.console import Console, ConsoleOptions
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

_EDGES = 2
_BETWEEN = 3


@dataclass(frozen=True)
class TextTable:
    """A table. Columns that do not fit move to another table below, which repeats the first column.

    Attributes:
        headings: One heading for each column.
        rows: Rows with one text for each column.
        numbers: Headings of the right-aligned columns. The texts of these columns and all headings
            are never wrapped. Other texts are wrapped between words.
    """

    headings: Sequence[str]
    rows: Sequence[Sequence[str]]
    numbers: frozenset[str]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Table]:
        """Yield the tables, one below the other."""
        least, most = self._bounds()
        width = options.max_width - _EDGES
        part = [0]
        for column in range(1, len(self.headings)):
            if len(part) > 1 and _total(least, [*part, column]) > width:
                yield self._part(part, _shared(width, part, least, most))
                part = [0]
            part.append(column)
        yield self._part(part, _shared(width, part, least, most))

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        """Return the minimum width of a single table (texts wrapped) and its maximum width."""
        columns = range(len(self.headings))
        least, most = (_EDGES + _total(widths, columns) for widths in self._bounds())
        return Measurement(least, most)

    def _bounds(self) -> tuple[list[int], list[int]]:
        """Return each column's minimum width (texts wrapped) and maximum width (unwrapped)."""
        least, most = [], []
        for heading, *texts in zip(self.headings, *self.rows, strict=True):
            kept = texts if heading in self.numbers else " ".join(texts).split()
            least.append(max(map(cell_len, [heading, *kept]), default=0))
            most.append(max(map(cell_len, [heading, *texts])))
        return least, most

    def _part(self, columns: Sequence[int], widths: Sequence[int]) -> Table:
        found = Table(box=SIMPLE_HEAD, pad_edge=False, header_style="bold")
        for column, width in zip(columns, widths, strict=True):
            heading = self.headings[column]
            found.add_column(
                heading,
                justify="right" if heading in self.numbers else "left",
                width=width,
                overflow="fold",
            )
        for row in self.rows:
            found.add_row(*(Text(row[column]) for column in columns))
        return found


def _total(widths: Sequence[int], columns: Sequence[int]) -> int:
    return sum(widths[column] for column in columns) + _BETWEEN * (len(columns) - 1)


def _shared(
    width: int, columns: Sequence[int], least: Sequence[int], most: Sequence[int]
) -> list[int]:
    """Return the column widths of one table. Give extra space to the narrowest columns first."""
    found = {column: least[column] for column in columns}
    for _ in range(width - _total(least, columns)):
        growing = [column for column in columns if found[column] < most[column]]
        if not growing:
            break
        found[min(growing, key=lambda column: found[column])] += 1
    return list(found.values())
