"""The console, and the output that all commands share: tables, counts, rates and JSON.

Rich itself leaves out colours and cursor movements if the output is not a terminal.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console

    from ggp.terminal.text_table import TextTable

PLAIN_WIDTH = 100
"""Line width in characters if the output is not a terminal and COLUMNS is not set."""
MEGABYTE = 1e6


def console() -> Console:
    """Return a rich console for standard output."""
    from rich.console import Console

    asked = os.environ.get("COLUMNS", "")
    plain_width = int(asked) if asked.isdecimal() and int(asked) else PLAIN_WIDTH
    width = None if sys.stdout.isatty() else plain_width
    return Console(width=width, highlight=False, markup=False, emoji=False)


def table(
    headings: Sequence[str], rows: Iterable[Sequence[object]], numbers: str = ""
) -> TextTable:
    """Create a table of texts.

    Args:
        headings: One heading for each column.
        rows: Rows with one value for each column.
        numbers: Headings of the right-aligned columns, separated by commas.
    """
    from ggp.terminal.text_table import TextTable

    right = frozenset(name.strip() for name in numbers.split(","))
    return TextTable(headings, [[str(value) for value in row] for row in rows], right)


def figure(number: float) -> str:
    """Return a rate with four significant digits: `53.72 M`, `848.1 k`, `12.30`."""
    for unit, size in (("G", 1e9), ("M", 1e6), ("k", 1e3)):
        if number >= 0.99995 * size:
            return f"{_four_digits(number / size)} {unit}"
    return _four_digits(number)


def or_dash(value: object) -> str:
    """Return the value as text, or a dash for None."""
    return "-" if value is None else str(value)


def megabytes(num_bytes: float) -> str:
    """Return an amount of memory as text: `52 MB`."""
    return f"{num_bytes / MEGABYTE:.0f} MB"


def plies(number: int) -> str:
    """Return a number of plies as text: `1 ply`, `12 plies`."""
    return f"{number} {'ply' if number == 1 else 'plies'}"


def print_json(value: Any) -> None:
    """Print a value as one line of JSON."""
    print(json.dumps(value, separators=(",", ":"), ensure_ascii=False), flush=True)


def _four_digits(number: float) -> str:
    for digits, bound in ((3, 10), (2, 100), (1, 1000)):
        if number < bound:
            return f"{number:.{digits}f}"
    return f"{number:.0f}"
