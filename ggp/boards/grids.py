"""Boards whose columns and rows have arbitrary names: ordered by the rules, or always full.

>>> find_orders("(role me) (nextcol a b) (nextcol b c) (beats rock scissors)")
(('a', 'b', 'c'),)
>>> state = [f"(p {x} {y} q)" for x in ("uno", "due", "tre") for y in ("uno", "due", "tre")]
>>> [board] = find_grids([state], [("uno", "due", "tre")])
>>> board.columns
('uno', 'due', 'tre')

`ggp.boards.board` finds boards with numbers or letters. Here names are arbitrary, so there must be
better evidence that they are places. Orders of names are chains of facts such as `(succ a b) (succ
b c)`. They survive the scrambling of names.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise, permutations
from operator import itemgetter

import gdl
from ggp.boards.board import Board, Cells, Layout, Words, blank_of, facts_by_relation, split_facts
from ggp.boards.walk import WalkLayout

MIN_LENGTH, MAX_LENGTH = 3, 200
MAX_ORDERS = 40
MAX_RULES = 1_000_000
"""Maximum number of characters of a rulesheet to search."""

Order = tuple[str, ...]
Pair = tuple[str, str]


def find_orders(rules: str) -> tuple[Order, ...]:
    """Find relations that map each name to the next one. Return the names of each, in order.

    Leave out numbers in their usual order.

    Args:
        rules: A rulesheet in KIF. It may be invalid, because it is searched and not parsed.
    """
    pairs: dict[str, dict[Pair, None]] = {}
    for relation, first, second in _facts(rules):
        pairs.setdefault(relation, {})[first, second] = None
    found = dict.fromkeys(_order(tuple(mine)) for mine in pairs.values())
    return tuple(order for order in found if order)[:MAX_ORDERS]


def _facts(rules: str) -> Iterator[tuple[str, ...]]:
    """Yield the facts that consist of three plain words and are not in rules."""
    words: list[str] = []
    depth, is_flat = 0, True
    for match in gdl.tokens.TOKEN.finditer(rules, 0, MAX_RULES):
        word = match.group()
        if word == "(":
            depth += 1
            words, is_flat = ([], True) if depth == 1 else (words, False)
        elif word == ")":
            depth = max(0, depth - 1)
            if depth == 0 and is_flat and len(words) == 3 and not words[0].startswith("<"):
                yield tuple(words)
        elif depth == 1 and not word.startswith(";"):
            words.append(word)


def _order(pairs: Sequence[Pair]) -> Order:
    """Join pairs into a chain of names. Return () if they do not form a single chain."""
    after = dict(pairs)
    if not MIN_LENGTH - 1 <= len(pairs) <= MAX_LENGTH or len(after) < len(pairs):
        return ()
    if len(set(after.values())) < len(pairs):
        return ()
    starts = [first for first, _ in pairs if first not in after.values()]
    # A cycle, as on a board without edges, starts with the name that is written first.
    name = starts[0] if starts else pairs[0][0]
    chain = [name]
    while name in after and after[name] != chain[0]:
        name = after[name]
        chain.append(name)
    is_whole = len(chain) == len(pairs) + (1 if starts else 0)
    is_whole = is_whole and len(chain) >= MIN_LENGTH and not _is_usual(chain, is_circle=not starts)
    return tuple(chain) if len(starts) <= 1 and is_whole else ()


def are_swapped(orders: Sequence[Order]) -> bool:
    """Return whether the rules order numbers in an unusual way, so that they are mere names."""
    return any(_num_turns([name for name in order if name.isdecimal()]) > 1 for order in orders)


def _is_usual(chain: Sequence[str], *, is_circle: bool) -> bool:
    """Return whether a chain consists of numbers in ascending or descending order.

    In a cycle, the order may wrap around once.
    """
    return all(map(str.isdecimal, chain)) and _num_turns(chain) <= is_circle


def _num_turns(numbers: Sequence[str]) -> int:
    """Return how many steps go against the prevailing direction."""
    rises = [natural(name) < natural(after) for name, after in pairwise(numbers)]
    return min(rises.count(True), rises.count(False))


MIN_PLACES, MAX_SIDE, MAX_NAME = 9, 40, 40
MAX_DIGITS = 18
"""Limit on the digits of a number, because Python refuses to convert thousands of digits.

Numbers have fewer digits than this.
"""
MIN_USED = 0.25
"""Minimum share of a board's places that are used at some time, unless the board is always full."""
MAX_SHARED = 0.1
MAX_SHARED_ORDERED = 0.4
"""Maximum share of cells with several contents if the rules order the places.

Otherwise `MAX_SHARED` is the limit.
"""
LETTERS = "0123456789abcdefghijklmnopqrstuvwxyz"
MAX_RELATIONS = 60
_PARTS = re.compile(r"\d+|\D+")


def find_grids(
    states: Sequence[Collection[str]],
    orders: Sequence[Order] = (),
    roles: Collection[str] = (),
) -> tuple[Board, ...]:
    """Find the largest board of each relation that names cells. Sort the boards, the largest first.

    Two words of a fact name a place if two facts of a state hardly ever have both words in common.
    Also, either all places must be present in each state, or the rules must define an order of the
    columns and of the rows.

    Args:
        states: Facts of positions, the initial one first.
        orders: Orders of names; see `find_orders`.
        roles: Roles of the game. A role is never the content of an empty place.
    """
    split = split_facts(states)
    kinds = Counter((words[0], len(words)) for facts in split for words in facts)
    found = []
    for relation, num_words in sorted(kind for kind in kinds if 3 <= kind[1] <= 5)[:MAX_RELATIONS]:
        mine = [
            [words for words in facts if (words[0], len(words)) == (relation, num_words)]
            for facts in split
        ]
        boards = [
            board
            for layout in _layouts(relation, num_words)
            if (board := _board(layout, mine, orders, roles))
        ]
        if boards:
            board = max(boards, key=_num_places)
            num_cells = sum(len(board.layout.cells(facts)) for facts in mine)
            found.append(((_num_places(board), num_cells), board))
    return tuple(board for _, board in sorted(found, key=itemgetter(0), reverse=True))


MAX_BOARDS = 9


def find_twins(
    states: Sequence[Collection[str]],
    orders: Sequence[Order] = (),
    roles: Collection[str] = (),
) -> tuple[Board, ...]:
    """Find several boards that share one relation, and that are square and full in every state.

    Args:
        states: Facts of positions, the initial one first.
        orders: Orders of names; see `find_orders`.
        roles: Roles of the game. A role is never the content of an empty place.
    """
    for relation, mine in facts_by_relation(states, 5):
        for layouts in _twin_layouts(relation, mine):
            boards = [_full_square(layout, mine, orders, roles) for layout in layouts]
            if len(found := tuple(filter(None, boards))) == len(layouts):
                return found
    return ()


def _twin_layouts(relation: str, states: list[list[Words]]) -> Iterator[list[Layout]]:
    """Yield lists of layouts, one for each board: a word names the board, two words a place."""
    for at, column, row in permutations(range(1, 5), 3):
        names = sorted({words[at] for facts in states for words in facts}, key=natural)
        if column < row and 2 <= len(names) <= MAX_BOARDS:
            yield [Layout(relation, 5, column, row, at, name) for name in names]


def _full_square(
    layout: Layout, states: list[list[Words]], orders: Sequence[Order], roles: Collection[str]
) -> Board | None:
    board = _board(layout, states, orders, roles)
    if board is None or len(board.columns) != len(board.rows):
        return None
    is_full = all(len(layout.cells(facts)) == _num_places(board) for facts in states)
    return board if is_full else None


def natural(name: str) -> tuple[tuple[bool, int, str], ...]:
    """Return a sort key with which numbers within names are sorted by their values."""
    parts = [(one.isdecimal() and len(one) < MAX_DIGITS, one) for one in _PARTS.findall(name)]
    return tuple((not is_number, int(one) if is_number else 0, one) for is_number, one in parts)


def _num_places(board: Board) -> int:
    return len(board.columns) * len(board.rows)


def _layouts(relation: str, num_words: int) -> Iterator[Layout]:
    """Yield all layouts in which two words name the place. Prefer the first words of the fact."""
    if num_words == 3:
        yield WalkLayout(relation, 3, 1, 2)
        return
    for column, row in sorted(
        permutations(range(1, num_words), 2), key=lambda one: one[1] < one[0]
    ):
        if row > column:
            yield Layout(relation, num_words, column, row)


def _board(
    layout: Layout, states: list[list[Words]], orders: Sequence[Order], roles: Collection[str]
) -> Board | None:
    boards = list(map(layout.cells, states))
    places = set().union(*boards)
    names = [{place[at] for place in places} for at in (0, 1)]
    if len(places) < MIN_PLACES or any(len(name) > MAX_NAME for one in names for name in one):
        return None
    if not all(2 <= len(one) <= MAX_SIDE for one in names):
        return None
    if layout.num_words == 3 and not any(_is_spread(cells) for cells in boards):
        return None
    contents = {content for cells in boards for some in cells.values() for content in some}
    if layout.num_words == 5 and all(set(one.split()) <= names[0] | names[1] for one in contents):
        return None  # all words are places: the fact is about a thing between them, such as a wall
    columns, rows = _lines(layout, boards, names, orders)
    if not columns or not rows:
        return None
    is_full = all(len(cells) == len(places) for cells in boards)
    num_places = len(places) if is_full else len(columns) * len(rows)
    blank = blank_of(boards, num_places, roles) if len(contents) > 1 else None
    return Board(layout, columns, rows, frozenset(contents - {blank}), blank)


def _lines(
    layout: Layout, boards: list[Cells], names: list[set[str]], orders: Sequence[Order]
) -> tuple[Order, Order]:
    """Return the columns and rows in order, or two empty tuples if they seem not to be places."""
    # If a fact has only two numbers, they may mean anything. Names that the rules order are places.
    is_plain = layout.num_words > 3 and not are_swapped(orders)
    known = [*orders, *_plain_lines(names)] if is_plain else orders
    is_full = all(len(cells) == len(names[0]) * len(names[1]) for cells in boards)
    columns, rows = (in_order(one, known, has_gaps=not is_full) for one in names)
    num_places = len(set().union(*boards))
    shared = _shared(boards)
    if columns and rows and num_places >= MIN_USED * len(columns) * len(rows):
        return (columns, rows) if shared <= MAX_SHARED_ORDERED else ((), ())
    if layout.num_words == 3 or not is_full or shared > MAX_SHARED:
        return (), ()
    columns, rows = (tuple(sorted(one, key=natural)) for one in names)
    return columns, rows


def _shared(boards: list[Cells]) -> float:
    """Return the share of cells with several contents."""
    shared = sum(len(some) > 1 for cells in boards for some in cells.values())
    return shared / max(1, sum(map(len, boards)))


def _is_spread(cells: Cells) -> bool:
    """Return whether some column and some row have several places.

    Otherwise the cells are probably just a list of pairs.
    """
    return all(len({place[at] for place in cells}) < len(cells) for at in (0, 1))


def _plain_lines(names: list[set[str]]) -> Iterator[Order]:
    """Yield the usual orders of names that are numbers, or that are single digits or letters."""
    for mine in names:
        if all(name.isdecimal() and len(name) < 4 for name in mine):
            yield tuple(map(str, range(max(map(int, mine)) + 1)))
        elif all(len(name) == 1 and name in LETTERS for name in mine):
            yield tuple(LETTERS)


def in_order(names: Collection[str], orders: Sequence[Order], *, has_gaps: bool = True) -> Order:
    """Sort names as in the shortest chain of `orders` that contains all of them, if there is one.

    Return () if there is no such chain, or if it is too long.

    Args:
        has_gaps: Whether the result includes names of the chain that are between the given ones.
    """
    fitting = sorted((order for order in orders if set(names) <= set(order)), key=len)
    if not fitting:
        return ()
    places = sorted(fitting[0].index(name) for name in names)
    if has_gaps:
        places = list(range(places[0], places[-1] + 1))
    return tuple(fitting[0][place] for place in places) if len(places) <= MAX_SIDE else ()
