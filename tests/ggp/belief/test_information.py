"""What a role knows, as a number."""

from __future__ import annotations

import numpy as np

from ggp.belief import first_information, information
from ggp.belief.information import informations, row_hashes


def test_what_is_known_follows_from_moves_and_percepts() -> None:
    """The order of percepts is none; all else makes a difference."""
    begun = first_information(0)
    known = {
        begun,
        first_information(1),
        information(begun, 0, []),
        information(begun, 1, []),
        information(begun, 0, [0]),
        information(begun, 0, [1, 70]),
        information(information(begun, 0, []), 1, []),
        information(information(begun, 1, []), 0, []),
    }

    assert len(known) == 8
    assert information(begun, 0, [70, 1]) == information(begun, 0, [1, 70])


def test_it_stays_the_same_number() -> None:
    """Others keep tables by it; splitmix64's first numbers are published."""
    assert first_information(0x9E3779B97F4A7C15 - 1) == 0xE220A8397B1DCDAF


def test_many_at_once_are_the_same_as_one_by_one() -> None:
    """Whatever words the percepts stand in."""
    rng = np.random.default_rng(1)
    previous = rng.integers(0, 1 << 63, 50).astype(np.uint64)
    moves = rng.integers(0, 30, 50)
    is_seen = rng.random((50, 128)) < 0.05
    words = np.packbits(is_seen, axis=1, bitorder="little").view(np.uint64)

    known = informations(previous, moves, words)

    expected = [
        information(int(before), int(move), np.flatnonzero(seen).tolist())
        for before, move, seen in zip(previous, moves, is_seen, strict=True)
    ]
    assert known.tolist() == expected


def test_rows_have_the_same_hash_if_they_are_the_same() -> None:
    """Wherever the numbers stand."""
    rows = np.array([[1, 2], [2, 1], [1, 2], [0, 0]], np.uint64)

    hashes = row_hashes(rows, rows[:, :1]).tolist()

    assert hashes[0] == hashes[2]
    assert len(set(hashes)) == 3
