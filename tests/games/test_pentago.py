"""pentago ends as its rules say: by a line before or after the rotation, of one side or of both."""

from __future__ import annotations

from functools import cache

import pytest

import gdl
from ggp import games

# Upper row first; X is white, O is black. A rotation of the left upper quadrant brings its middle
# column to row 5; clockwise, it brings its right column to row 4.
FOUR = """
. . . . . .
. X X X X .
. . . . . .
. . O . O .
. . . O . .
. . O . . .
"""
WHITE_APART = """
. X . . . .
. X . X X .
. X . . . .
. . O . O .
. . . O . .
. . O . . .
"""
BOTH_APART = """
. X O . . .
. X O X X .
. X O O O .
. . . . . .
. . . . . .
. . . . . .
"""
FULL = """
X X O O X X
O O X X O O
X X O O X X
O O X X O O
X X O O X X
O O X X O O
"""


@cache
def machine() -> gdl.Interpreter:
    """The plain reading of the rulesheet."""
    return gdl.Interpreter(gdl.read_kif(games.text("pentago"), "pentago"))


def state_of(diagram: str, control: str) -> gdl.State:
    """The state with these stones."""
    rows = [line.split() for line in reversed(diagram.strip().splitlines())]
    facts = [
        f"(cell {x} {y} {'white' if mark == 'X' else 'black'})"
        for y, row in enumerate(rows, start=1)
        for x, mark in enumerate(row, start=1)
        if mark != "."
    ]
    return machine().state_of(map(gdl.read_term, [*facts, f"(control {control})"]))


def after(state: gdl.State, move: str) -> gdl.State:
    """The position after a move of the one whose turn it is."""
    joint = [
        next(one for one in machine().legal_moves(state, role) if str(one) in {move, "noop"})
        for role in machine().roles
    ]
    return machine().next_state(state, joint)


def goals(state: gdl.State) -> list[int]:
    """The goals of white and black."""
    return [machine().goal(state, role) for role in machine().roles]


def test_a_line_wins_before_the_rotation() -> None:
    """Nobody need rotate, and could spoil it."""
    state = after(state_of(FOUR, "white place"), "(place 1 5)")

    assert machine().is_terminal(state)
    assert goals(state) == [100, 0]


@pytest.mark.parametrize("mover", ["white", "black"])
@pytest.mark.parametrize("direction", ["clockwise", "counterclockwise"])
def test_a_line_that_a_rotation_makes_wins_for_its_owner(mover: str, direction: str) -> None:
    """Also if it is the other who has rotated."""
    state = after(state_of(WHITE_APART, f"{mover} rotate"), f"(rotate left upper {direction})")

    assert machine().is_terminal(state)
    assert goals(state) == [100, 0]


def test_a_rotation_elsewhere_changes_nothing() -> None:
    """The game goes on with the other's stone."""
    state = after(state_of(WHITE_APART, "white rotate"), "(rotate left lower clockwise)")

    assert not machine().is_terminal(state)
    assert "(control black place)" in map(str, machine().facts(state))


def test_a_rotation_that_makes_lines_of_both_is_a_draw() -> None:
    """The other direction makes only one of them."""
    before = state_of(BOTH_APART, "white rotate")

    draw = after(before, "(rotate left upper clockwise)")
    win = after(before, "(rotate left upper counterclockwise)")

    assert machine().is_terminal(draw)
    assert goals(draw) == [50, 50]
    assert machine().is_terminal(win)
    assert goals(win) == [100, 0]


def test_the_last_stone_is_followed_by_a_rotation() -> None:
    """Only then a full board without a line is a draw."""
    before = state_of(FULL, "black rotate")

    state = after(before, "(rotate right lower clockwise)")

    assert not machine().is_terminal(before)
    assert machine().is_terminal(state)
    assert goals(state) == [50, 50]
