"""Why a fact holds in a position, or what is missing for it, as a tree."""

from __future__ import annotations

import io
from html import escape
from typing import TYPE_CHECKING

import gdl
from ggp.drawing.sheet import plain_name
from ggp.terminal.why_view import parts_of

WIDTH = 100
MAX_LETTERS = 500_000
"""Of the tree as HTML; a larger one is shown less deep."""
if TYPE_CHECKING:
    from rich.console import Console

_PRE = (
    '<pre style="background:none;font-family:monospace;line-height:1.35;overflow-x:auto">'
    "{code}</pre>"
)


class Explanation:
    """An answer of `gdl.Explainer`.

    Attributes:
        holds: Whether what was asked is true.
        answer: All of it, as data.
    """

    def __init__(self, answer: gdl.Answer, depth: int) -> None:
        self.answer = answer
        self.holds = answer.holds
        self._depth = depth

    def __repr__(self) -> str:
        return self._drawn(self._depth).export_text().rstrip("\n")

    def _repr_html_(self) -> str:
        for depth in range(self._depth, 0, -1):
            html = self._html(depth)
            if len(html) <= MAX_LETTERS:
                return html
        return _PRE.format(code=plain_lines(escape(repr(self)[: MAX_LETTERS // 6])))

    def _html(self, depth: int) -> str:
        from rich.terminal_theme import TerminalTheme

        # Of both a light and a dark page: green, red, and grey for what is dim.
        black, white = (128, 128, 128), (128, 128, 128)
        colours = [black, (207, 58, 58), (38, 148, 84), *[white] * 5]
        theme = TerminalTheme(white, black, colours)
        html = self._drawn(depth).export_html(theme=theme, code_format=_PRE, inline_styles=True)
        return plain_lines(html)

    def _drawn(self, depth: int) -> Console:
        from rich.console import Console

        console = Console(
            file=io.StringIO(),
            width=WIDTH,
            highlight=False,
            markup=False,
            record=True,
            force_terminal=True,
            force_jupyter=False,  # it would show what is meant for `export_html`
        )
        for part in parts_of(self.answer, depth):
            console.print(part)
        return console


def plain_lines(html: str) -> str:
    """Lines of HTML without what it cannot hold."""
    return "\n".join(map(plain_name, html.split("\n")))
