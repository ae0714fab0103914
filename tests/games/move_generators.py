"""Hand-written move generators of some bundled games: a second opinion on the rulesheets.

They share nothing with the reasoners and nothing with the rulesheets but the rules in words. A
position is any hashable value; `successors` gives the positions after each legal move, none when
the game is over. Two moves that lead to the same position give it twice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

from tests.games import go_rules

Square = tuple[int, int]
Stones = frozenset[Square]
Hidden = tuple[Stones, Stones, Stones, Stones, int, bool]

DIRECTIONS = tuple((dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if (dx, dy) != (0, 0))
HEX_NEIGHBOURS = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1))
STRAIGHT = ((1, 0), (-1, 0), (0, 1), (0, -1))


@dataclass(frozen=True)
class Game:
    """A first position and the positions that follow from a position."""

    start: Hashable
    successors: Callable[[Any], Iterator[Hashable]]


@dataclass(frozen=True)
class Layer:
    """One depth of a game, with all that lies there."""

    num_sequences: int
    """Sequences of moves that lead here."""
    num_positions: int
    """Distinct positions that they lead to."""


def layers(game: Game, max_positions: int) -> Iterator[Layer]:
    """Depth 1, 2, ... of a game, down to the first depth with more positions than that."""
    layer: Counter[Hashable] = Counter([game.start])
    while len(layer) <= max_positions:
        following: Counter[Hashable] = Counter()
        for position, num_sequences in layer.items():
            for successor in game.successors(position):
                following[successor] += num_sequences
        if not following:
            return
        yield Layer(following.total(), len(following))
        layer = following


def board(columns: int, rows: int) -> list[Square]:
    """All squares of a board, counted from 0."""
    return list(product(range(columns), range(rows)))


def has_line(stones: Stones, length: int) -> bool:
    """Whether so many stones lie next to each other in a row, a column or a diagonal."""
    return any(
        all((x + i * dx, y + i * dy) in stones for i in range(length))
        for x, y in stones
        for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1))
    )


def tic_tac_toe() -> Game:
    """A position is (stones of the mover, stones of the opponent)."""

    def successors(position: tuple[Stones, Stones]) -> Iterator[Hashable]:
        mine, theirs = position
        if not has_line(theirs, 3):
            for square in set(board(3, 3)) - mine - theirs:
                yield theirs, mine | {square}

    return Game((frozenset(), frozenset()), successors)


def three_player_tic_tac_toe() -> Game:
    """A position is the stones of the three players, the mover's first."""

    def successors(position: tuple[Stones, Stones, Stones]) -> Iterator[Hashable]:
        mine, following, last = position
        if not has_line(last, 3):
            for square in set(board(4, 4)) - mine - following - last:
                yield following, last, mine | {square}

    return Game((frozenset(), frozenset(), frozenset()), successors)


def connect_four() -> Game:
    """A position is (discs of the mover, discs of the opponent)."""

    def successors(position: tuple[Stones, Stones]) -> Iterator[Hashable]:
        mine, theirs = position
        if has_line(theirs, 4):
            return
        for column in range(7):
            height = sum(x == column for x, _ in mine | theirs)
            if height < 6:
                yield theirs, mine | {(column, height)}

    return Game((frozenset(), frozenset()), successors)


def seen_from_above(stones: Stones, size: int) -> Stones:
    """The stones as who sits at the other side of the board sees them."""
    return frozenset((x, size - 1 - y) for x, y in stones)


def breakthrough(size: int) -> Game:
    """A position is (pieces of the mover, of the opponent), seen from the mover's side."""

    def steps(mine: Stones, theirs: Stones) -> Iterator[tuple[Square, Square]]:
        for (x, y), dx in product(mine, (-1, 0, 1)):
            to = (x + dx, y + 1)
            is_barred = to in mine or (dx == 0 and to in theirs)
            if 0 <= to[0] < size and not is_barred:
                yield (x, y), to

    def successors(position: tuple[Stones, Stones]) -> Iterator[Hashable]:
        mine, theirs = position
        if not mine or any(y == 0 for _, y in theirs):
            return
        for source, to in steps(mine, theirs):
            left, moved = theirs - {to}, mine - {source} | {to}
            yield seen_from_above(left, size), seen_from_above(moved, size)

    home = frozenset(product(range(size), (0, 1)))
    return Game((home, seen_from_above(home, size)), successors)


def knight_through() -> Game:
    """A position is (knights of the mover, of the opponent), seen from the mover's side."""
    home = frozenset(product(range(8), (0, 1)))

    def successors(position: tuple[Stones, Stones]) -> Iterator[Hashable]:
        mine, theirs = position
        if not mine or any(y == 0 for _, y in theirs):
            return
        for (x, y), (dx, dy) in product(mine, ((-2, 1), (-1, 2), (1, 2), (2, 1))):
            to = (x + dx, y + dy)
            if to in set(board(8, 8)) - mine:
                left, moved = theirs - {to}, mine - {(x, y)} | {to}
                yield seen_from_above(left, 8), seen_from_above(moved, 8)

    return Game((home, seen_from_above(home, 8)), successors)


def pentago() -> Game:
    """A position is (stones of the mover, of the opponent, whether the mover has to rotate)."""

    def turned(stones: Stones, left: int, bottom: int) -> Stones:
        """A quarter to the right of the quadrant that begins there."""
        inside = {(x, y) for x, y in stones if x // 3 * 3 == left and y // 3 * 3 == bottom}
        return (stones - inside) | {(left + y - bottom, bottom + 2 - x + left) for x, y in inside}

    def successors(position: tuple[Stones, Stones, bool]) -> Iterator[Hashable]:
        mine, theirs, is_to_rotate = position
        if has_line(mine, 5) or has_line(theirs, 5):
            return
        if not is_to_rotate:
            for square in set(board(6, 6)) - mine - theirs:
                yield mine | {square}, theirs, True
            return
        for left, bottom, times in product((0, 3), (0, 3), (1, 3)):
            here, there = mine, theirs
            for _ in range(times):
                here, there = turned(here, left, bottom), turned(there, left, bottom)
            yield there, here, False

    return Game((frozenset(), frozenset(), False), successors)


def othello() -> Game:
    """A position is (discs of the mover, discs of the opponent)."""

    def turned(mine: Stones, theirs: Stones, square: Square) -> Stones:
        found: set[Square] = set()
        for dx, dy in DIRECTIONS:
            x, y = square[0] + dx, square[1] + dy
            run = set()
            while (x, y) in theirs:
                run.add((x, y))
                x, y = x + dx, y + dy
            found |= run if (x, y) in mine else set()
        return frozenset(found)

    def places(mine: Stones, theirs: Stones) -> Iterator[tuple[Square, Stones]]:
        for square in set(board(8, 8)) - mine - theirs:
            if flips := turned(mine, theirs, square):
                yield square, flips

    def successors(position: tuple[Stones, Stones]) -> Iterator[Hashable]:
        mine, theirs = position
        found = list(places(mine, theirs))
        if not found and any(places(theirs, mine)):
            yield theirs, mine
        for square, flips in found:
            yield theirs - flips, mine | flips | {square}

    return Game((frozenset({(3, 4), (4, 3)}), frozenset({(3, 3), (4, 4)})), successors)


def hex_board(size: int) -> Game:
    """A position is (stones of the mover, of the opponent, axis along which the mover wins)."""

    def is_connected(stones: Stones, axis: int) -> bool:
        reached = {stone for stone in stones if stone[axis] == 0}
        border = list(reached)
        while border:
            x, y = border.pop()
            near = {(x + dx, y + dy) for dx, dy in HEX_NEIGHBOURS} & stones - reached
            reached |= near
            border.extend(near)
        return any(stone[axis] == size - 1 for stone in reached)

    def successors(position: tuple[Stones, Stones, int]) -> Iterator[Hashable]:
        mine, theirs, axis = position
        if not is_connected(theirs, 1 - axis):
            for square in set(board(size, size)) - mine - theirs:
                yield theirs, mine | {square}, 1 - axis

    return Game((frozenset(), frozenset(), 0), successors)


def dark_hex(size: int) -> Game:
    """A position is (mover's stones, stones of the other that it knows, the same of the other).

    A fifth value is the axis along which the mover wins.
    """
    is_over = hex_board(size).successors

    def successors(position: tuple[Stones, Stones, Stones, Stones, int]) -> Iterator[Hashable]:
        mine, found, theirs, found_by_them, axis = position
        if not any(is_over((mine, theirs, axis))):
            return
        for square in set(board(size, size)) - mine - found:
            if square in theirs:
                yield mine, found | {square}, theirs, found_by_them, axis
            else:
                yield theirs, found_by_them, mine | {square}, found, 1 - axis

    return Game((frozenset(), frozenset(), frozenset(), frozenset(), 0), successors)


def phantom_tic_tac_toe() -> Game:
    """A position is that of tic-tac-toe, what each has found, and what is left of a round.

    (mover's stones, stones of the other that it knows, the same of the other, turns of the mover
    that are left, whether it has marked).
    """

    def attempts(position: Hidden) -> Iterator[tuple[Stones, Stones, bool]]:
        mine, found, theirs, _, _, has_marked = position
        if has_marked:
            yield mine, found, True
            return
        for square in set(board(3, 3)) - mine - found:
            if square in theirs:
                yield mine, found | {square}, False
            else:
                yield mine | {square}, found, True

    def successors(position: Hidden) -> Iterator[Hashable]:
        theirs, found_by_them, num_left = position[2:5]
        if has_line(position[0], 3) or has_line(theirs, 3):
            return
        if len(position[0] | theirs) == 9:
            return
        for mine, found, has_marked in attempts(position):
            if num_left == 1:
                yield theirs, found_by_them, mine, found, len(mine) + 1, False
            else:
                yield mine, found, theirs, found_by_them, num_left - 1, has_marked

    nothing: Stones = frozenset()
    return Game((nothing, nothing, nothing, nothing, 1, False), successors)


def nim(*heaps: int) -> Game:
    """A position is the sizes of the heaps."""

    def successors(position: tuple[int, ...]) -> Iterator[Hashable]:
        for index, size in enumerate(position):
            for rest in range(size):
                yield (*position[:index], rest, *position[index + 1 :])

    return Game(heaps, successors)


def chomp(columns: int, rows: int) -> Game:
    """A position is the squares that are left."""

    def successors(position: Stones) -> Iterator[Hashable]:
        for left, bottom in position:
            yield frozenset((x, y) for x, y in position if x < left or y < bottom)

    return Game(frozenset(board(columns, rows)), successors)


def tron(size: int, first: Square, second: Square) -> Game:
    """A position is (the one cycle, the other cycle, all walls)."""

    def rides(cycle: Square, walls: Stones) -> list[Square]:
        near = [(cycle[0] + dx, cycle[1] + dy) for dx, dy in STRAIGHT]
        return [(x, y) for x, y in near if 0 <= x < size and 0 <= y < size and (x, y) not in walls]

    def successors(position: tuple[Square, Square, Stones]) -> Iterator[Hashable]:
        one, other, walls = position
        if one != other:
            for a, b in product(rides(one, walls), rides(other, walls)):
                yield a, b, walls | {a, b}

    return Game((first, second, frozenset({first, second})), successors)


def go_five() -> Game:
    """A position is (stones of the mover, of the opponent, moves made)."""

    def successors(position: tuple[Stones, Stones, int]) -> Iterator[Hashable]:
        mine, theirs, num_moves = position
        if go_rules.is_over(mine, theirs, num_moves):
            return
        places = go_rules.places(mine, theirs)
        if not places:
            yield theirs, mine, num_moves + 1
        for point in places:
            here, there = go_rules.after(mine, theirs, point)
            yield there, here, num_moves + 1

    return Game((frozenset(), frozenset(), 0), successors)


def pac_man(maze: tuple[str, ...], num_moves: int) -> Game:
    """A position is (Pac-Man, the ghost, dots, Pac-Man's moves so far, whether the ghost is next).

    `maze` has its upper row first: `#` wall, `.` dot, `P` and `G` where the two begin.
    """
    things = {
        (x, len(maze) - 1 - y): thing for y, row in enumerate(maze) for x, thing in enumerate(row)
    }
    free = {square for square, thing in things.items() if thing != "#"}

    def steps(square: Square) -> list[Square]:
        near = [(square[0] + dx, square[1] + dy) for dx, dy in STRAIGHT]
        return [one for one in near if one in free]

    def successors(position: tuple[Square, Square, Stones, int, bool]) -> Iterator[Hashable]:
        hero, ghost, dots, count, is_ghost_next = position
        if hero == ghost or not dots or count == num_moves:
            return
        if not is_ghost_next:
            for square in steps(hero):
                left = dots if square == ghost else dots - {square}
                yield square, ghost, left, count + 1, True
        elif count % 2 == 0:
            yield hero, ghost, dots, count, False
        else:
            for square in steps(ghost):
                yield hero, square, dots, count, False

    [hero], [ghost] = ([at for at, thing in things.items() if thing == who] for who in "PG")
    dots = frozenset(at for at, thing in things.items() if thing == ".")
    return Game((hero, ghost, dots, 0, False), successors)


GAMES = {
    "breakthrough": breakthrough(8),
    "breakthroughSmall": breakthrough(6),
    "chomp": chomp(7, 4),
    "connectFour": connect_four(),
    "darkHex3": dark_hex(3),
    "darkHex4": dark_hex(4),
    "goFive": go_five(),
    "hex": hex_board(7),
    "knightThrough": knight_through(),
    "nim": nim(1, 3, 5, 7),
    "othello": othello(),
    "pacMan": pac_man((" ##.## ", "  #.  .", "#.  .  ", " P ##G."), 40),
    "pentago": pentago(),
    "phantomTicTacToe": phantom_tic_tac_toe(),
    "threePlayerTicTacToe": three_player_tic_tac_toe(),
    "ticTacToe": tic_tac_toe(),
    "tron": tron(10, (2, 4), (7, 5)),
}
