"""The view of a game: settings for its drawing that cannot be guessed from its names.

The view of a bundled game is `games/views/NAME.toml`. For your own game it is `NAME.view.toml` next
to the rules.

frame = { checkered = true, hexagons = true, points = true, upside_down = true, block = 3 }
sides = ["#c8372d", "#2f6fd0"]            # of hexagons: left and right edge, upper and lower one
hidden = ["step"]                         # relations that are not shown as cards
pins = ["at"]                             # (at WHO COLUMN ROW): a ring there, in WHO's colour

[things.white]                            # by the content of the cell
shape = "disc"                            # disc, cross, ring, triangle, tile, block, dot, text
fill = "#fbfaf5"
text = "W"

[walk]                                    # for (at COLUMN ROW) of a walker, without cells
relation = "at"
columns = 6
rows = 6
always = { wall = ["1 5", "2 1"] }        # things that are not in the state

[piles]                                   # (heap PLACE NUMBER), or towers of (on THING PLACE)
relation = "heap"
kind = "heaps"
places = ["a", "b"]
most = 7
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Any, get_args

import gdl
from ggp import games
from ggp.boards.walk import Walk
from ggp.drawing.board import Frame
from ggp.drawing.piece_style import GREY, PieceStyle, Shape
from ggp.drawing.piles import Piles
from ggp.errors import WrongUseError
from ggp.rulesheets import NamedGame

SUFFIX = ".view.toml"
MAX_BYTES, MAX_FIELDS, MAX_SIDE = 100_000, 1000, 50
_COLOUR = re.compile(r"#[0-9a-fA-F]{3,8}|[a-z]{3,20}")
_REQUIRED = object()


class ViewError(WrongUseError):
    """A view file cannot be used."""


@dataclass(frozen=True, slots=True)
class DrawingView:
    """View of a game: settings for drawing it."""

    frame: Frame = field(default_factory=Frame)
    things: Mapping[str, PieceStyle] = field(default_factory=dict)
    hidden: frozenset[str] = frozenset()
    pins: frozenset[str] = frozenset()
    walk: Walk | None = None
    piles: Piles | None = None


@cache
def view_of(game: str) -> DrawingView:
    """Return the view of a bundled game, or a view without settings."""
    file = games.folder() / "views" / f"{game}.toml"
    # Check the name first: `game` is untrusted and must not lead to other files.
    if game not in games.names() or not file.is_file():
        return DrawingView()
    return read_view(file.read_text(encoding="utf-8"), str(file))


def view_file(rules: Path) -> Path:
    """Return where the view file for a file of rules has to be."""
    return rules.with_suffix(SUFFIX)


def view_beside(rules: Path | None) -> DrawingView | None:
    """Read the view file next to a file of rules. Return None if there is no view file.

    Raises:
        ViewError: The view is invalid.
    """
    file = view_file(rules) if rules is not None else None
    if file is None or not file.is_file():
        return None
    try:
        if file.stat().st_size > MAX_BYTES:
            raise ViewError(f"{file}: expected a view of at most {MAX_BYTES:,} bytes")
        return read_view(file.read_text(encoding="utf-8"), str(file))
    except (OSError, UnicodeDecodeError) as error:
        raise ViewError(f"{file}: {error}") from error


def own_view(game: NamedGame) -> DrawingView | None:
    """Return the view next to the rules of a game that is not bundled, or None if there is no view.

    Raises:
        ViewError: The view is invalid, or has names that are not in the rules.
    """
    if game.bundled or game.path is None:
        return None
    view = view_beside(game.path)
    if view is not None:
        expect_names(view, game.rulesheet, str(view_file(game.path)))
    return view


def expect_names(view: DrawingView, rules: gdl.Rulesheet, place: str) -> None:
    """Check that a view uses only names of facts and things in the rules.

    Raises:
        ViewError: The view uses a name that is not in the rules and so would have no effect.
    """
    kinds = rules.fluents
    facts = rules.symbols if None in kinds else {kind.name for kind in kinds if kind is not None}
    relations = [("hidden", name) for name in sorted(view.hidden)]
    relations += [("pins", name) for name in sorted(view.pins)]
    relations += [("walk: relation", view.walk.relation)] if view.walk else []
    relations += [("piles: relation", view.piles.relation)] if view.piles else []
    for where, name in relations:
        if name not in facts:
            raise ViewError(f"{place}: {where}: no fact is called '{name}'{_nearest(name, facts)}")
    known = rules.symbols | set(view.walk.always.values() if view.walk else ())
    for thing in view.things:
        words = gdl.tokens.WORD.findall(thing)
        if not all(word in known or word.isdecimal() for word in words):
            hint = _nearest(thing, known)
            raise ViewError(f"{place}: things: nothing is called '{thing}'{hint}")


def _nearest(name: str, known: Collection[str]) -> str:
    near = get_close_matches(name, sorted(known), n=1)
    return f"; did you mean '{near[0]}'?" if near else ""


def read_view(text: str, name: str) -> DrawingView:
    """Parse the text of a view file.

    Raises:
        ViewError: The text is not TOML, or has an unknown or invalid field; the message says which.
    """
    try:
        fields = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ViewError(f"{name}: {error}") from error
    found = _Section(fields, name)
    things = found.tables("things")
    view = DrawingView(
        _frame(found),
        {content: _style(style) for content, style in things.items()},
        frozenset(found.texts("hidden")),
        frozenset(found.texts("pins")),
        _walk(found.table("walk")),
        _piles(found.table("piles")),
    )
    found.expect_no_more()
    return view


class _Section:
    """Section of a view. Reading a field removes it, so the fields left at the end are unknown."""

    def __init__(self, fields: Mapping[str, Any], place: str) -> None:
        self.left = dict(fields)
        self._known: list[str] = []
        self._place = place

    def take(self, name: str, kind: type, expected: str, default: Any = _REQUIRED) -> Any:
        self._known.append(name)
        value = self.left.pop(name, default)
        if value is _REQUIRED:
            raise ViewError(f"{self._place}: the field '{name}' is missing; expected {expected}")
        is_right = isinstance(value, kind) and (kind is bool or not isinstance(value, bool))
        if value is not default and not is_right:
            raise ViewError(f"{self._place}: {name}: expected {expected}, got {value!r}")
        return value

    def number(self, name: str, most: int, default: Any = _REQUIRED) -> int:
        expected = f"a number from 0 to {most}"
        found: int = self.take(name, int, expected, default)
        if not 0 <= found <= most:
            raise ViewError(f"{self._place}: {name}: expected {expected}, got {found}")
        return found

    def word(self, name: str, allowed: Sequence[str]) -> Any:
        expected = f"one of {', '.join(allowed)}"
        found = self.take(name, str, expected)
        if found not in allowed:
            raise ViewError(f"{self._place}: {name}: expected {expected}, got {found!r}")
        return found

    def texts(self, name: str, default: Any = ()) -> tuple[str, ...]:
        found = self.take(name, list, "a list of texts", default)
        if not all(isinstance(text, str) for text in found) or len(found) > MAX_FIELDS:
            raise ViewError(
                f"{self._place}: {name}: expected a list of at most {MAX_FIELDS} texts, "
                f"got {found!r:.200}"
            )
        return tuple(found)

    def colour(self, text: str, name: str) -> str:
        if not _COLOUR.fullmatch(text):
            raise ViewError(
                f"{self._place}: {name}: expected a colour such as #c8372d, got {text!r}"
            )
        return text

    def two_colours(self, name: str) -> list[str]:
        """Return the colours in a field, which must be two, or [] if there is no such field."""
        colours = self.texts(name)
        if colours and len(colours) != 2:
            raise ViewError(f"{self._place}: {name}: expected two colours, got {len(colours)}")
        return [self.colour(colour, name) for colour in colours]

    def table(self, name: str) -> _Section | None:
        fields = self.take(name, dict, f"a table [{name}]", None)
        return None if fields is None else _Section(fields, f"{self._place}: {name}")

    def tables(self, name: str) -> dict[str, _Section]:
        inner = self.table(name)
        names = list(inner.left) if inner is not None else []
        found = {one: inner.table(one) for one in names} if inner is not None else {}
        return {one: section for one, section in found.items() if section is not None}

    def expect_no_more(self) -> None:
        for name in self.left:
            near = get_close_matches(name, self._known, n=1)
            hint = f"did you mean '{near[0]}'?" if near else f"there are {', '.join(self._known)}"
            raise ViewError(f"{self._place}: unknown field '{name}'; {hint}")


def _style(fields: _Section) -> PieceStyle:
    shape: Shape = fields.word("shape", get_args(Shape))
    fill = fields.colour(fields.take("fill", str, "a colour", GREY), "fill")
    style = PieceStyle(shape, fill, fields.take("text", str, "a text", ""))
    fields.expect_no_more()
    return style


def _frame(fields: _Section) -> Frame:
    colours = fields.two_colours("sides")
    frame = fields.table("frame") or _Section({}, "frame")
    found = Frame(
        is_checkered=frame.take("checkered", bool, "true or false", None),
        is_upside_down=frame.take("upside_down", bool, "true or false", False),
        has_hexagons=frame.take("hexagons", bool, "true or false", False),
        has_points=frame.take("points", bool, "true or false", False),
        sides=(colours[0], colours[1]) if colours else None,
        block=frame.number("block", MAX_SIDE, 0),
    )
    frame.expect_no_more()
    return found


def _walk(fields: _Section | None) -> Walk | None:
    if fields is None:
        return None
    always = fields.table("always")
    found: dict[tuple[str, str], str] = {}
    for thing in list(always.left) if always is not None else ():
        assert always is not None
        for place in always.texts(thing):
            column, _, row = place.partition(" ")
            found[column, row] = thing
    walk = Walk(
        fields.take("relation", str, "the name of a relation"),
        fields.number("columns", MAX_SIDE),
        fields.number("rows", MAX_SIDE),
        found,
    )
    fields.expect_no_more()
    return walk


def _piles(fields: _Section | None) -> Piles | None:
    if fields is None:
        return None
    relation = fields.take("relation", str, "the name of a relation")
    kind = fields.word("kind", ("heaps", "towers"))
    piles = Piles(relation, kind, fields.texts("places"), fields.number("most", MAX_SIDE))
    fields.expect_no_more()
    return piles
