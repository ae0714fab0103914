"""Drawing of the positions of a game in a consistent style."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from ggp.boards.board import EMPTY, Board, Cells, Place
from ggp.boards.finding import FoundBoards, find_all, steady_facts
from ggp.boards.plain_names import NO_NAMES, PlaceNames, read_names
from ggp.boards.stacks import find_stacks
from ggp.drawing.board import NAMES, SIDE, Doubts, Frame, draw_board, draw_names, pin, size_of
from ggp.drawing.cards import Ranges, Style, draw_cards, good_width
from ggp.drawing.edges import ROOM, draw_dots, draw_edges, sides_of
from ggp.drawing.piece_style import GREY, PieceStyle, role_colours, styles_of
from ggp.drawing.piles import draw_piles, draw_stacks
from ggp.drawing.svg import clipped, label, picture, tag
from ggp.drawing.views import DrawingView, own_view, view_of
from ggp.match.rulebook import MachineRulebook, played, sample_positions
from ggp.rulesheets import NamedGame
from ggp.term_text import words_of

GAP = SIDE / 2
NARROWEST, MIN_WIDTH, MAX_WIDTH = 150.0, 240.0, 720.0
CAPTION, MAX_CAPTION = 18.0, 30
"""Height of a board's caption, and its maximum number of letters.

Boards have captions if they belong to several relations.
"""
NOTHING_HEIGHT = 60.0
MAX_ACROSS = 4
"""Maximum number of boards next to each other, unless the boards form a larger square."""
MAX_MARKED = 0.5
"""Maximum share of a board's places that are marked. If more have changed, none are marked."""
MEN_LETTERS, OTHER_LETTERS = frozenset("wkqnp"), frozenset("wkqnpryg")
"""If one of these is also a content, `b` may be a colour or a chess piece, so it is not blank."""
MAX_SHOWN, MAX_SEEN = 3000, 20_000
"""Maximum number of facts to draw in a position, and to examine in all positions."""
MAX_FACT, MAX_RELATIONS = 1000, 40
"""Maximum number of characters of a fact to examine, and maximum number of relations."""
MIN_CHECKERED = 16
MAX_BELOW, MAX_SHRINKS = 0.5, 4
"""Limits on the cards below boards: height as a share of the boards, and how often to shrink it."""
MAX_BESIDE, MAX_ALONE = 16, 60
"""Maximum number of cards in a picture with boards, and in one without boards."""
Box = tuple[list[str], float, float]
"""Parts of a picture, and its width and height."""


class PositionRenderer:
    """Renderer for positions of a game. The positions in `states` determine the style."""

    def __init__(
        self,
        game: str,
        states: Sequence[Collection[str]],
        roles: Sequence[str] = (),
        names: PlaceNames = NO_NAMES,
        view: DrawingView | None = None,
    ) -> None:
        """Find out how to draw the game.

        Args:
            game: Name of a bundled game, whose view is used. Other names have no effect.
            states: Facts of positions, the initial one first. More positions make the guesses more
                reliable. See `ggp.match.rulebook`.
            roles: Roles of the game, used to find the owners of things.
            names: Names of places, for boards whose columns are not numbers.
            view: View for rules that are not bundled.
        """
        states = _sample(states)
        self._view: DrawingView = view or view_of(game)
        self._roles = roles
        self._colours = role_colours(roles)
        self._ranges = Ranges(states)
        self._steady = steady_facts(states)
        self._stacks = None if self._view.piles or self._view.walk else find_stacks(states)
        found = self._find_boards(states, names)
        self._boards, self._edges = found.boards, found.edges
        self._layers = [one for one in found.layers if one.relation not in self._view.pins]
        self._has_captions = len({board.layout.relation for board in self._boards}) > 1
        self._frame = _with_checks(self._view.frame, self._boards, states)
        contents = {content for board in self._boards for content in board.contents}
        self._styles = {**styles_of(contents, roles), **self._view.things}
        self._blanks = {board.blank for board in self._boards} - self._view.things.keys()
        self._blanks |= _blanks(contents, roles) - self._view.things.keys()

    def knows(self, facts: Collection[str]) -> bool:
        """Return whether the boards have a place for every cell in a position's facts."""
        places = [(board, place) for board in self._boards for place in board.cells(facts)]
        return all(column in board.columns and row in board.rows for board, (column, row) in places)

    def svg(
        self,
        facts: Collection[str],
        before: Collection[str] | None = None,
        possible: Mapping[str, float] | None = None,
    ) -> str:
        """Draw a position as SVG.

        Args:
            before: Facts of the previous position. Mark what has changed since then.
            possible: Probability of each uncertain fact. Draw these facts faintly.
        """
        doubts = dict(list((possible or {}).items())[:MAX_SHOWN])
        num_left = max(0, len(facts) - MAX_SHOWN)
        facts = list(facts)[:MAX_SHOWN]
        boxes = [self._draw_board(board, facts, before, doubts) for board in self._boards]
        if self._view.piles is not None:
            boxes.append((draw_piles(self._view.piles, facts, before), *self._view.piles.size))
        if self._stacks is not None:
            boxes.append(draw_stacks(self._stacks, facts, before))
        parts, width, height = _arranged(boxes, self._across())
        rest = [fact for fact in facts if not self._is_elsewhere(fact)]
        changed = set(rest) - set(before) if before is not None else set()
        faint = {fact: share for fact, share in doubts.items() if not self._is_drawn_faintly(fact)}
        rest += faint
        if not parts:
            return self._cards_alone(rest, changed, num_left, faint)
        if width < MIN_WIDTH:
            parts = [tag("g", *parts, transform=f"translate({(MIN_WIDTH - width) / 2:g} 0)")]
            width = MIN_WIDTH
        scale = max(1.0, width / MIN_WIDTH / 1.2)
        style = Style(
            MAX_BESIDE, self._colours, self._ranges, num_left, is_running=True, likely=faint
        )
        for _ in range(MAX_SHRINKS):
            cards, _, low = draw_cards(rest, changed, width / scale, style)
            if low * scale <= MAX_BELOW * height:
                break
            scale *= 0.85
        if cards:
            top = height + GAP / 2
            parts.append(tag("g", *cards, transform=f"translate(0 {top:g}) scale({scale:.3g})"))
            height = top + low * scale
        return picture(width + 1, height + 1, "Position", parts)

    def _cards_alone(
        self,
        facts: Collection[str],
        changed: Collection[str],
        num_left: int,
        faint: Mapping[str, float],
    ) -> str:
        style = Style(MAX_ALONE, self._colours, self._ranges, num_left, likely=faint)
        room = min(MAX_WIDTH, max(MIN_WIDTH, good_width(facts, style)))
        parts, width, height = draw_cards(facts, changed, room, style)
        if not parts:
            width, height = MIN_WIDTH, NOTHING_HEIGHT
            parts = [label("no facts", width / 2, height / 2, 12, NAMES)]
        return picture(max(width, NARROWEST) + 1, height + 1, "Position", parts)

    def _find_boards(self, states: Sequence[Collection[str]], names: PlaceNames) -> FoundBoards:
        """Return the boards that the view defines, or else the boards found in the states."""
        if self._view.walk is not None:
            return FoundBoards((self._view.walk.board(),))
        if self._view.piles is not None:
            return FoundBoards()
        if self._view.pins:
            pins = self._view.pins
            states = [[one for one in facts if _relation(one) not in pins] for facts in states]
        stacks = self._stacks
        if stacks is not None:
            states = [[one for one in facts if not stacks.is_fact(one)] for facts in states]
        roles = names.roles.union(map(names.as_plain, self._roles))
        return find_all(states, self._steady, replace(names, roles=roles))

    def _across(self) -> int:
        if self._boards and all(board.rows == ("",) for board in self._boards):
            return 1
        return _across(len(self._boards))

    def _draw_board(
        self,
        board: Board,
        facts: Collection[str],
        before: Collection[str] | None,
        possible: Mapping[str, float],
    ) -> Box:
        cells = self._cells(board, facts)
        changed = _changed(cells, self._cells(board, before)) if before is not None else set()
        if len(changed) > MAX_MARKED * len(board.columns) * len(board.rows):
            changed = set()
        rings = self._lay_over(board, facts, cells)
        doubts = self._doubts(board, possible)
        contents = {place: list(shares) for place, shares in doubts.items()}
        self._known(contents)
        edges = self._edges if board is self._boards[0] else ()
        frame = replace(self._frame, lines=sides_of(board, edges))
        drawn = draw_board(board, cells, changed, self._known(cells), frame, doubts)
        drawn += draw_edges(edges, facts, before, frame)
        drawn += draw_dots(edges, frame) or draw_names(board, frame)
        for place, role in rings:
            colour = self._colours[role.lower()]
            drawn += pin(board, place, colour, frame, role)
        for fact in facts:
            words = words_of(fact)
            if len(words) == 4 and words[0] in self._view.pins:
                owner = self._styles.get(words[1], PieceStyle("ring", GREY))
                drawn += pin(board, (words[2], words[3]), owner.fill, frame, words[1])
        width, height = size_of(board, frame)
        if frame.lines:
            drawn = [tag("g", *drawn, transform=f"translate(0 {ROOM:g})")]
            width, height = width + ROOM, height + 2 * ROOM
        if not self._has_captions:
            return drawn, width, height
        name = clipped(board.layout.name, MAX_CAPTION)
        caption = label(name, width / 2, height + CAPTION / 2, 12, NAMES)
        return [*drawn, caption], width, height + CAPTION

    def _doubts(self, board: Board, possible: Mapping[str, float]) -> Doubts:
        found: Doubts = {}
        for fact, share in possible.items():
            for place, contents in board.cells([fact]).items():
                for content in contents:
                    found.setdefault(place, {})[content] = share
        return found

    def _is_drawn_faintly(self, fact: str) -> bool:
        relation = _relation(fact)
        return relation in self._view.hidden or any(board.is_cell(fact) for board in self._boards)

    def _cells(self, board: Board, facts: Collection[str]) -> Cells:
        cells = board.cells(facts)
        for place, thing in (self._view.walk.always if self._view.walk else {}).items():
            cells.setdefault(place, []).insert(0, thing)
        return cells

    def _lay_over(
        self, board: Board, facts: Collection[str], cells: Cells
    ) -> list[tuple[Place, str]]:
        """Add the contents from overlays to `cells`. In a filled place, a role becomes a ring.

        Returns:
            The place and the owner of each ring.
        """
        rings = []
        for layer in self._layers:
            for fact in facts:
                cell = layer.cell(words_of(fact))
                if cell is None:
                    continue
                place = (cell.column, cell.row)
                seen = [one for one in cells.get(place, ()) if one not in self._blanks]
                if seen and cell.content.lower() in self._colours:
                    rings.append((place, cell.content))
                else:
                    cells.setdefault(place, []).append(cell.content)
        return rings

    def _known(self, cells: Cells) -> Mapping[str, PieceStyle]:
        """Return the styles of all contents that are not blank, including new ones in `cells`."""
        contents = {one for some in cells.values() for one in some}
        unknown = contents - self._styles.keys()
        if unknown:
            self._styles.update(styles_of(unknown, self._roles))
        return {thing: style for thing, style in self._styles.items() if thing not in self._blanks}

    def _is_elsewhere(self, fact: str) -> bool:
        """Return whether a fact needs no card: it is drawn elsewhere, hidden, or never changes."""
        relation = _relation(fact)
        if relation in self._view.hidden or relation in self._view.pins or fact in self._steady:
            return True
        piles = [one for one in (self._stacks, self._view.piles) if one is not None]
        return (
            any(one.is_fact(fact) for one in piles)
            or any(layer.cell(words_of(fact)) for layer in self._layers)
            or any(edges.ends(fact) for edges in self._edges)
            or any(board.is_cell(fact) for board in self._boards)
        )


def _sample(states: Sequence[Collection[str]]) -> Sequence[Collection[str]]:
    """Reduce the states to what can be processed quickly. Keep the first state.

    Leave out long facts, uncommon relations, and some of the states.
    """
    short = [[one for one in facts if len(one) <= MAX_FACT][:MAX_SHOWN] for facts in states]
    total = sum(map(len, short))
    some = short[:: max(1, -(-total // MAX_SEEN))]
    kinds = Counter(_relation(fact) for facts in some for fact in facts)
    if len(kinds) <= MAX_RELATIONS:
        return some
    common = {relation for relation, _ in kinds.most_common(MAX_RELATIONS)}
    return [[fact for fact in facts if _relation(fact) in common] for facts in some]


def _relation(fact: str) -> str:
    return fact.strip("()").split(" ", 1)[0]


def _with_checks(frame: Frame, boards: Sequence[Board], states: Sequence[Collection[str]]) -> Frame:
    """Make large boards that start with pieces checkered, unless the view decides."""
    if frame.is_checkered is not None or not boards or not states:
        return frame
    board = boards[0]
    kinds = Counter(one for some in board.cells(states[0]).values() for one in some)
    is_set_up = sum(count for one, count in kinds.items() if one not in {board.blank, *EMPTY}) > 0
    is_large = len(board.columns) * len(board.rows) >= MIN_CHECKERED and len(board.rows) > 1
    return replace(frame, is_checkered=is_set_up and is_large)


def _blanks(contents: Collection[str], roles: Sequence[str]) -> set[str | None]:
    """Return the contents that mean "empty": such as `none`, or `b` if it cannot be a colour."""
    rest = {one.lower() for one in contents} - {"b"}
    found: set[str | None] = {one for one in contents if one.lower() in EMPTY}
    may_be = {role.lower() for role in roles if role[:1].lower() == "b"} | {"black", "blue"}
    is_named = may_be & rest or not any(role[:1].lower() == "b" for role in roles)
    letters = OTHER_LETTERS if may_be & rest or not roles else MEN_LETTERS
    if rest and is_named and not rest & letters:
        found |= {one for one in contents if one.lower() == "b"}
    return found - set(roles)


def _arranged(boxes: Sequence[Box], across: int) -> Box:
    parts: list[str] = []
    y, widest = 0.0, 0.0
    for start in range(0, len(boxes), across):
        x, highest = 0.0, 0.0
        for drawn, width, height in boxes[start : start + across]:
            parts.append(tag("g", *drawn, transform=f"translate({x:g} {y:g})"))
            x, highest = x + width + GAP, max(highest, height)
        y, widest = y + highest + GAP, max(widest, x - GAP)
    return parts, widest, max(0.0, y - GAP)


def _across(number: int) -> int:
    side = round(number**0.5)
    return max(1, side if side * side == number else min(number, MAX_ACROSS))


def _changed(now: Cells, then: Cells) -> set[Place]:
    return {place for place in now.keys() | then.keys() if now.get(place) != then.get(place)}


class Painter:
    """Painter that draws positions of one game. It creates the renderer on first use."""

    def __init__(self, game: NamedGame) -> None:
        self._game = game
        self._book = MachineRulebook(game.machine, has_percepts=game.has_percepts)
        self._seen: list[Sequence[str]] = []
        self._renderer: PositionRenderer | None = None

    async def svg(
        self, states: Sequence[Sequence[str]], before: Sequence[str] | None = None
    ) -> str:
        """Draw the last of `states` as SVG. The others show how the game can look.

        Args:
            before: Facts of an earlier position. Mark what has changed since then.
        """
        if self._renderer is None or not self._renderer.knows(states[-1]):
            self._seen = self._seen or await sample_positions(self._book)
            self._renderer = PositionRenderer(
                self._game.bundled,
                [*self._seen, *states],
                self._book.roles,
                read_names(self._game.rules, self._game.text),
                own_view(self._game),
            )
        return self._renderer.svg(states[-1], before)


async def random_picture(game: NamedGame, turns: int) -> str:
    """Draw a position after `turns` turns of a random match.

    Raises:
        GdlError: The rules cannot be evaluated.
    """
    facts, before = await played(MachineRulebook(game.machine), turns)
    return await Painter(game).svg([facts], before)
