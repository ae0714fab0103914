r"""The names of places in rules: their orders, and the plain names that they stand for.

>>> names = read_names(";;@places fidol=1 nomak=2 tirup=3\n(role me) (nextcol a c) (nextcol c b)")
>>> names.orders, names.as_plain("(cell nomak fidol b)")
((('a', 'c', 'b'),), '(cell 2 1 b)')

Comments of a scrambled rulesheet say which of its names stand for numbers, letters or squares.
Boards are found with the plain names, which are then replaced by those of the rules.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import gdl
from ggp.boards.board import Board, Cell, Layout, Words
from ggp.boards.grids import Order, find_orders
from ggp.boards.lines import RowBoard
from ggp.boards.overlays import Edges
from ggp.boards.switches import SwitchLayout

MAX_RULES, MAX_NAMES = 1_000_000, 2_000
"""Maximum number of characters of a rulesheet to search, and maximum number of names to read."""
_LINE = re.compile(r"^;;@places[ \t]+(.*)$", re.MULTILINE)
_SQUARE = re.compile(r"([a-z])(\d{1,2})")
_ROLE = re.compile(r"\(\s*role\s+([^\s()]+)\s*\)|\brole\(\s*([^\s(),]+)\s*\)", re.IGNORECASE)


@dataclass(frozen=True)
class PlaceNames:
    """Names in the rules of places, pieces and roles, and what they mean.

    Attributes:
        orders: Orders of plain names; see `ggp.boards.grids`.
        plain: The plain name of each name in the rules that has one.
        roles: Plain names of the roles.
    """

    orders: tuple[Order, ...] = ()
    plain: Mapping[str, str] = field(default_factory=dict)
    roles: frozenset[str] = frozenset()

    def as_plain(self, text: str) -> str:
        """Replace the names in a text, such as a fact or rules, with plain names."""
        return gdl.renamed(text, self.plain) if self.plain else text

    def as_written(self, text: str) -> str:
        """Replace the plain names in a text with those of the rules."""
        return gdl.renamed(text, self._written)

    @cached_property
    def _written(self) -> Mapping[str, str]:
        return {plain: name for name, plain in self.plain.items()}

    def written_board(self, board: Board) -> Board:
        """Return a board with its plain names replaced by those of the rules."""
        if not self.plain:
            return board
        is_row = isinstance(board, RowBoard)
        is_square = type(board.layout) is Layout and board.layout.column == board.layout.row
        keeps_names = is_row or is_square  # the columns and rows are not names in the rules
        return replace(
            board,
            layout=self.written_layout(board.layout),
            columns=board.columns if keeps_names else self._written_line(board.columns),
            rows=board.rows if keeps_names else self._written_line(board.rows),
            contents=frozenset(map(self.as_written, board.contents)),
            blank=None if board.blank is None else self.as_written(board.blank),
        )

    def written_layout(self, layout: Layout) -> Layout:
        """Return a layout with its plain names replaced by those of the rules."""
        relation, name = self.as_written(layout.relation), self.as_written(layout.board_name)
        if isinstance(layout, SwitchLayout):
            relations = frozenset(map(self.as_written, layout.relations))
            return replace(layout, relation=relation, relations=relations)
        if type(layout) is Layout and layout.column == layout.row:
            return SquareLayout(
                relation, layout.num_words, layout.column, layout.row, plain=self.plain
            )
        return replace(layout, relation=relation, board_name=name)

    def written_edges(self, edges: Edges) -> Edges:
        """Return edges with their plain names replaced by those of the rules."""
        return replace(
            edges,
            relation=self.as_written(edges.relation),
            columns=self._written_line(edges.columns),
            rows=self._written_line(edges.rows),
        )

    def _written_line(self, names: Order) -> Order:
        return tuple(map(self.as_written, names))


NO_NAMES = PlaceNames()


@dataclass(frozen=True, slots=True)
class SquareLayout(Layout):
    """Layout of facts in which squares such as `h2` have other names."""

    plain: Mapping[str, str] = field(default_factory=dict)

    def _cell(self, words: Words) -> Cell | None:
        square = _SQUARE.fullmatch(self.plain.get(words[self.column], words[self.column]))
        rest = [word for at, word in enumerate(words) if at not in {0, self.column}]
        return Cell(square[1], square[2], " ".join(rest)) if square else None


def without_names(text: str) -> str:
    """Return rules without the comments on names, because players must not see these comments."""
    return _LINE.sub("", gdl.with_line_feeds(text)).lstrip("\r\n")


def read_names(rules: str, comments: str = "") -> PlaceNames:
    """Find the names of places in rules, and what they mean.

    Args:
        rules: A rulesheet. It may be invalid, because it is searched and not parsed. Orders are
            found only in KIF.
        comments: A text with the comments on names, if `rules` has none.
    """
    written = gdl.with_line_feeds((comments or rules)[:MAX_RULES])
    pairs = " ".join(_LINE.findall(written)).split()[:MAX_NAMES]
    plain = dict(pair.split("=", 1) for pair in pairs if "=" in pair)
    are_words = all(map(gdl.tokens.WORD.fullmatch, plain.values()))
    is_fit = are_words and len(set(plain.values())) == len(plain)
    known = PlaceNames(plain=plain if is_fit else {})
    plain_rules = known.as_plain(rules)
    roles = (found[1] or found[2] for found in _ROLE.finditer(plain_rules, 0, MAX_RULES))
    return PlaceNames(find_orders(plain_rules), known.plain, frozenset(roles))


def names_of_game(game: gdl.Game) -> PlaceNames:
    """Return the names of places in the rules of a game, and what they mean."""
    forms = game.rulesheet.forms if game.rulesheet else ()
    return read_names("\n".join(map(str, forms)), forms[0].span.source.text if forms else "")
