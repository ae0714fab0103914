"""Boards that do not touch each other are found apart."""

from __future__ import annotations

import numpy as np
import pytest

from gdl.structure.dependence import NONE
from gdl.structure.structure import Structure
from tests.gdl.structure.boards import (
    GAMES,
    QUICK,
    after,
    boards,
    names,
    of_game,
    random_moves,
    random_states,
)
from tests.thorough import all_but

pytestmark = pytest.mark.usefixtures("kernels")

NUM = 60


def test_each_board_is_a_part() -> None:
    """The boards, and the fuse, are parts; the step counter belongs to none."""
    structure = boards()

    assert sorted(map(sorted, _parts(structure))) == [
        ["(lit a 1)", "(lit a 2)"],
        ["(lit b 1)", "(lit b 2)"],
        ["blown"],
    ]
    assert "(step 4)" in names(structure, structure.is_autonomous)


def test_decoys_are_parts_of_their_own() -> None:
    """The dial is the one part that makes no difference."""
    decoys = boards().decoys

    assert decoys.sizes() == [(3, 1)]


@pytest.mark.parametrize(
    ("name", "sizes"),
    [
        pytest.param("dualConnect4", [(96, 16), (96, 16)], marks=pytest.mark.thorough),
        ("lightsOnParallel", [(16, 4)] * 4),
        ("factoringEasyTurtleBrain", [(17, 4)] * 3),
        ("blocksWorldSerial", [(12, 12)] * 2),
    ],
)
def test_known_games_fall_apart(name: str, sizes: list[tuple[int, int]]) -> None:
    """Games that were made of several boards have as many parts, of so many bases and moves."""
    assert of_game(name).parts.sizes() == sizes


@pytest.mark.parametrize(
    "name",
    all_but(["ticTacToe", "lightsOut"], ["ticTacToe", "connectFour", "eightPuzzle", "lightsOut"]),
)
def test_one_board_is_one_part(name: str) -> None:
    """Cells that meet only in the goal are one board."""
    assert of_game(name).parts.num_parts == 1


@pytest.mark.parametrize("name", all_but(QUICK, GAMES, is_whole=True))
def test_a_move_touches_its_part_only(name: str) -> None:
    """Of moves of the same role, those of other parts all lead to the same bases in this part."""
    structure = of_game(name)
    parts = structure.parts
    states, moves = random_states(structure, NUM), random_moves(structure, NUM)
    others = random_moves(structure, NUM, seed=9)

    for part in range(min(4, parts.num_parts)):
        is_alien = parts.part_of_input != part
        rows = [
            row
            for row in range(NUM)
            if is_alien[np.flatnonzero(moves[row])].all()
            and is_alien[np.flatnonzero(others[row])].all()
        ]
        one = after(structure, states[rows], moves[rows])
        other = after(structure, states[rows], others[rows])
        bases = parts.part_of_base == part
        assert (one[:, bases] == other[:, bases]).all()


def _parts(structure: Structure) -> list[set[str]]:
    parts = structure.parts
    assert (parts.part_of_base[structure.is_autonomous] == NONE).all()
    return [names(structure, parts.part_of_base == part) for part in range(parts.num_parts)]
