"""A state as text: its boards, if any, and the other facts in columns."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterable, Mapping, Sequence

import gdl
from ggp.boards.board import Board, Place
from ggp.boards.finding import find_clearest
from ggp.boards.overlays import Edges
from ggp.boards.plain_names import NO_NAMES, PlaceNames
from ggp.boards.text import (
    SURE_SHARE,
    BoardText,
    Line,
    LineText,
    TextPiece,
    percentage,
    plain_text,
)
from ggp.clock import Deadline

MAX_LINES = 12
SURVEY_SECONDS = 0.3
MAX_MARKED = 0.5  # share of a board's places; if more have changed, marks are useless
MAX_STATES = 500  # number of states to search while no board has been found
_GAP = 2
_BOARD_GAP = 4


class StateView:
    """View that shows the states of a game, always with the same layout.

    The layout of a board depends on the states that the view has seen. Create it with the states
    from `survey`, because some boards are empty at the start. If a later state has more places, the
    board grows.

    Attributes:
        edges: If there is only one board, the lines around its places, or walls between them.
    """

    edges: tuple[Edges, ...]

    def __init__(
        self, states: Sequence[Sequence[str]], width: int = 80, names: PlaceNames = NO_NAMES
    ) -> None:
        """Find the boards in some states, and lay out the view.

        Args:
            states: Facts of some states of the game, the initial one first.
            names: Names of places in the rules.
        """
        self._names = names
        self._states = [tuple(facts) for facts in states]
        self._width = width
        self._find()

    @property
    def boards(self) -> tuple[Board, ...]:
        """The boards found so far."""
        return tuple(text.board for text in self._texts)

    def lines(self, facts: Sequence[str], before: Sequence[str] | None = None) -> list[str]:
        """Return the lines that show a state as plain text; see `pieces`."""
        return [plain_text(line) for line in self.pieces(facts, before)]

    def pieces(self, facts: Sequence[str], before: Sequence[str] | None = None) -> list[Line]:
        """Return the lines that show a state, at most `MAX_LINES` of them for facts on no board.

        Args:
            before: Facts of an earlier state. Mark the places that have changed since then.
        """
        self._widen(facts)
        drawn = [text.lines(facts, _changed(text.board, facts, before)) for text in self._texts]
        crowded = {fact for text in self._texts for fact in text.board.crowded(facts)}
        others = sorted(fact for fact in facts if fact in crowded or not self._is_drawn(fact))
        columns = in_columns(others, self._width)
        return [*self._beside_each_other(drawn), *((TextPiece(line),) for line in columns)]

    def belief_pieces(self, facts: Mapping[str, float], *, has_others: bool = True) -> list[Line]:
        """Return the lines that show which facts may be true, and how probable they are.

        A board shows the certain contents, and question marks in uncertain places. Next to it,
        other boards show the probability of each content. Facts that are on no board follow, the
        certain ones first.

        Args:
            facts: Probability of each fact that may be true.
            has_others: Whether to list the uncertain facts that are on no board.
        """
        certain = sorted(fact for fact, share in facts.items() if share >= SURE_SHARE)
        self._widen(list(facts))
        drawn = [
            lines
            for text in self._texts
            for lines in _believed(
                text,
                certain,
                _unsure(text.board, facts),
                is_titled=len(self._texts) > 1,
            )
        ]
        off = [fact for fact in certain if not self._is_drawn(fact)]
        unsure = sorted(
            ((share, fact) for fact, share in facts.items() if share < SURE_SHARE),
            key=lambda pair: (-pair[0], pair[1]),
        )
        likely = [
            f"{percentage(share)}% {fact}"
            for share, fact in unsure
            if has_others and not any(board.holds(fact) for board in self.boards)
        ]
        width = max((_width(line) for lines in drawn for line in lines), default=0)
        return [
            *self._in_rows(drawn, width),
            *((TextPiece(line),) for line in in_columns(off, self._width)),
            *((TextPiece(line, is_faint=True),) for line in in_columns(likely, self._width)),
        ]

    def _find(self) -> None:
        found = find_clearest(self._states, self._names)
        self.edges = found.edges
        self._texts = [
            LineText(board, found.edges) if found.edges else BoardText(board)
            for board in found.boards
        ]

    def _is_drawn(self, fact: str) -> bool:
        is_on_board = any(board.holds(fact) for board in self.boards)
        return is_on_board or any(edges.ends(fact) for edges in self.edges)

    def _widen(self, facts: Sequence[str]) -> None:
        cells = [(board, fact) for board in self.boards for fact in facts if board.is_cell(fact)]
        is_searching = not self._texts and len(self._states) < MAX_STATES
        if is_searching or not all(board.holds(fact) for board, fact in cells):
            self._states.append(tuple(facts))
            self._find()

    def _beside_each_other(self, drawn: Sequence[list[Line]]) -> list[Line]:
        """Arrange boards in rows of as many as fit, with their names if there are several."""
        if len(drawn) < 2:
            return [line for lines in drawn for line in lines]
        titled = [
            [(TextPiece(text.board.layout.name),), *lines]
            for text, lines in zip(self._texts, drawn, strict=True)
        ]
        return self._in_rows(titled, max(text.width for text in self._texts))

    def _in_rows(self, drawn: Sequence[Sequence[Line]], width: int) -> list[Line]:
        """Arrange drawings in rows of as many as fit, aligned at the bottom."""
        width += _BOARD_GAP
        across = max(1, self._width // width)
        found: list[Line] = []
        for start in range(0, len(drawn), across):
            row = drawn[start : start + across]
            height = max(map(len, row))
            filled = [[(TextPiece(""),)] * (height - len(lines)) + list(lines) for lines in row]
            found += [tuple(_padded(lines, width)) for lines in zip(*filled, strict=True)]
        return found


def survey(machine: gdl.StateMachine, seconds: float = SURVEY_SECONDS) -> list[list[str]]:
    """Play random games for `seconds`. Return the facts of some states, the initial one first."""
    deadline = Deadline.after(seconds)
    rng = random.Random(0)
    state = machine.initial_state()
    seen = [_facts(machine, state)]
    while not deadline.is_over():
        legal = [machine.legal_moves(state, role) for role in machine.roles]
        if machine.is_terminal(state) or not all(legal):
            seen.append(_facts(machine, state))
            state = machine.initial_state()
            if len(seen) > 1 and seen[-1] == seen[0]:
                break
        else:
            state = machine.next_state(state, [rng.choice(moves) for moves in legal])
    return [*seen, _facts(machine, state)]


def in_columns(
    words: Sequence[str], width: int, max_lines: int = MAX_LINES, what: str = "facts"
) -> list[str]:
    """Arrange words in columns, each read downwards, in as few lines as the width allows."""
    if not words:
        return []
    cell = max(map(len, words)) + _GAP
    across = max(1, (width + _GAP) // cell)
    height = -(-len(words) // across)
    lines = [
        "".join(word.ljust(cell) for word in words[line::height]).rstrip()
        for line in range(min(height, max_lines))
    ]
    if height > max_lines:
        hidden = sum(len(words[line::height]) for line in range(max_lines, height))
        lines.append(f"... and {hidden} more {what}")
    return lines


def _changed(board: Board, facts: Sequence[str], before: Sequence[str] | None) -> Collection[Place]:
    """Return the places whose content has changed, or none if most places have changed."""
    if before is None:
        return ()
    old, new = board.cells(before), board.cells(facts)
    blank = [] if board.blank is None else [board.blank]
    changed = {
        place
        for place in {*old, *new}
        if sorted(old.get(place, blank)) != sorted(new.get(place, blank))
    }
    return () if len(changed) > MAX_MARKED * len(board.columns) * len(board.rows) else changed


def _unsure(board: Board, facts: Mapping[str, float]) -> dict[str, dict[Place, float]]:
    """Return, for each uncertain content, its probability in each place.

    The blank content is included. `_believed` leaves it out, because it follows from the others.
    """
    found: dict[str, dict[Place, float]] = {}
    for fact, share in facts.items():
        if share < SURE_SHARE and board.holds(fact):
            [(place, [content])] = board.cells([fact]).items()
            found.setdefault(content, {})[place] = share
    return found


def _believed(
    text: BoardText,
    certain: Sequence[str],
    shares: Mapping[str, Mapping[Place, float]],
    *,
    is_titled: bool,
) -> list[list[Line]]:
    """Draw a board with the certain contents, then for each content a board of probabilities."""
    places = {place for known in shares.values() for place in known}
    own = text.lines(certain, unsure=places)
    sure = text.board.cells(certain)
    found = [[(TextPiece(text.board.layout.name),), *own] if shares or is_titled else own]
    for content in sorted(set(shares) - {text.board.blank}):
        known = {place: 1.0 for place, contents in sure.items() if content in contents}
        found.append(text.likelihoods(content, known | dict(shares[content])))
    return found


def _width(line: Line) -> int:
    return sum(len(piece.text) for piece in line)


def _padded(lines: Iterable[Line], width: int) -> Iterable[TextPiece]:
    for line in lines:
        yield from line
        yield TextPiece(" " * (width - _width(line)))


def _facts(machine: gdl.StateMachine, state: gdl.State) -> list[str]:
    return [str(fact) for fact in machine.facts(state)]
