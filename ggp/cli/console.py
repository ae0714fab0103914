"""Printing that verbs share: consoles, tables and JSON.

Rich leaves colours and cursor movements out by itself when the output is no terminal.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console

    from ggp.cli.text_table import TextTable

PLAIN_WIDTH = 100
"""Characters of a line where there is no terminal to ask, and COLUMNS is not set."""


def console() -> Console:
    """Standard output as a rich console."""
    from rich.console import Console

    asked = os.environ.get("COLUMNS", "")
    plain_width = int(asked) if asked.isdecimal() and int(asked) else PLAIN_WIDTH
    width = None if sys.stdout.isatty() else plain_width
    return Console(width=width, highlight=False, markup=False)


def table(
    headings: Sequence[str], rows: Iterable[Sequence[object]], numbers: str = ""
) -> TextTable:
    """A table of texts.

    Args:
        headings: One a column.
        rows: One value a column each.
        numbers: Headings of the columns to align at the right, separated by commas.
    """
    from ggp.cli.text_table import TextTable

    right = frozenset(name.strip() for name in numbers.split(","))
    return TextTable(headings, [[str(value) for value in row] for row in rows], right)


def counted(count: int, word: str) -> str:
    """So many of something: `1 visit`, `2,000 visits`."""
    return f"{count:,} {word}{'' if count == 1 else 's'}"


def print_json(value: Any) -> None:
    """One line of JSON on standard output."""
    print(json.dumps(value, separators=(",", ":"), ensure_ascii=False), flush=True)
