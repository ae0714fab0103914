"""Forced wins and endings that the textbook solved: the search proves them, and in few rounds."""

from __future__ import annotations

import pytest
import solving

from ggp.search.core.result import BEST
from tests.thorough import all_but

pytestmark = pytest.mark.usefixtures("kernels")

STEPS = 400
POSITIONS = solving.positions()


@pytest.mark.parametrize(
    "position",
    all_but(POSITIONS[::4], POSITIONS),
    ids=lambda p: f"{p.game} {len(p.moves)} {p.plies}",
)
def test_what_the_textbook_solved_is_proven(position: solving.Position) -> None:
    """The value is exact, and a win is played."""
    solved = solving.solve(position, steps=STEPS)

    assert solving.is_right(position, solved.result)


@pytest.mark.parametrize("game", sorted({p.game for p in POSITIONS}))
def test_the_textbook_stands_by_what_it_said(game: str) -> None:
    """One win of each game is looked at again, by plain recursion."""
    position = next(p for p in POSITIONS if p.game == game and p.value == BEST)
    book = solving.Textbook(solving.machine_of(game))
    state = solving.state_of(position)

    assert book.wins_within(state, position.role, position.plies)
    assert not book.wins_within(state, position.role, 1)


def test_tic_tac_toe_is_solved_from_its_first_position() -> None:
    """It is a draw, known after some thousand rounds."""
    solved = solving.solve(solving.Position("ticTacToe", 0, 50, 9, []), steps=STEPS)

    assert (solved.result.lower, solved.result.upper) == (50, 50)
