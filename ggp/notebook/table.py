"""A table that a notebook shows as HTML and a terminal as text."""

from __future__ import annotations

import io
from collections.abc import Sequence
from html import escape
from typing import Final

from ggp.drawing.sheet import plain_name
from ggp.drawing.svg import clipped
from ggp.terminal.console import PLAIN_WIDTH, table

MAX_LETTERS, MAX_ROWS = 200, 1000
"""Of a text in a table, and of a table; what is more is not shown."""
MAX_LINE = 2000
_STYLE: Final = (
    "<style>.ggp-table.ggp-table{border-collapse:collapse;margin:.3rem 0}"
    # Twice the class: the style sheets of notebooks align all tables at the right.
    ".ggp-table.ggp-table :is(th,td){border-bottom:1px solid #8886;text-align:left;"
    "padding:.15rem .9rem .15rem 0}"
    ".ggp-table.ggp-table .n{text-align:right;font-variant-numeric:tabular-nums}</style>"
)


class Table:
    """A table of texts, one a column in each row, with lines below it."""

    def __init__(
        self,
        headings: Sequence[str],
        rows: Sequence[Sequence[str]],
        numbers: str = "",
        lines: Sequence[str] = (),
    ) -> None:
        """A table; `numbers` has the headings of columns to align at the right, with commas."""
        self.headings = tuple(headings)
        self.rows = tuple(tuple(row) for row in rows)
        self.lines = tuple(lines)
        self._numbers = numbers

    def __repr__(self) -> str:
        from rich.console import Console

        written = io.StringIO()
        console = Console(
            file=written, width=PLAIN_WIDTH, highlight=False, markup=False, force_jupyter=False
        )
        console.print(table(self.headings, self._shown(), self._numbers))
        for line in self._below():
            console.print(line, soft_wrap=True)
        return written.getvalue().rstrip("\n")

    def _repr_html_(self) -> str:
        right = {name.strip() for name in self._numbers.split(",")}
        kinds = [' class="n"' if one in right else "" for one in self.headings]
        heads = "".join(
            f'<th scope="col"{kind}>{escape(one)}</th>'
            for one, kind in zip(self.headings, kinds, strict=True)
        )
        rows = "".join(
            "<tr>"
            + "".join(
                f"<td{kind}>{html_text(text)}</td>" for text, kind in zip(row, kinds, strict=True)
            )
            + "</tr>"
            for row in self._shown()
        )
        below = "\n".join(html_text(line, MAX_LINE) for line in self._below())
        lines = f'<div style="white-space:pre-line">{below}</div>' if below else ""
        return (
            f'{_STYLE}<table class="ggp-table"><thead><tr>{heads}</tr></thead>'
            f"<tbody>{rows}</tbody></table>{lines}"
        )

    def _shown(self) -> Sequence[Sequence[str]]:
        return [[clipped(text, MAX_LETTERS) for text in row] for row in self.rows[:MAX_ROWS]]

    def _below(self) -> list[str]:
        num_more = len(self.rows) - MAX_ROWS
        more = [f"and {num_more:,} rows more"] if num_more > 0 else []
        return [*more, *self.lines]


def html_text(text: str, most: int = MAX_LETTERS) -> str:
    """Any text as a part of HTML: escaped, and cut to a number of letters."""
    return escape(plain_name(clipped(text, most)))
