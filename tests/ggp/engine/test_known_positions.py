"""Guesses of a legal move if the position of a turn is not known."""

from __future__ import annotations

import pytest

from ggp.engine.answers import EnginePosition
from ggp.engine.known_positions import KnownPositions


def none_made(turn: int) -> set[str]:
    """No move was made in this turn or after it."""
    return set()


def test_where_nothing_is_known_the_guess_is_nil() -> None:
    """As GGP-Base's own player answers; the manager puts a move in its place."""
    assert KnownPositions().guess(3, 2, none_made) == "nil"


@pytest.mark.parametrize(
    ("turn", "made", "guess"),
    [
        (3, {1: {"a"}}, "noop"),
        (4, {2: {"a", "noop"}}, "b"),
        (4, {2: {"a", "b", "c"}}, "a"),
        (5, {3: {"noop"}, 1: set()}, "noop"),
    ],
)
def test_a_guess_is_a_move_of_the_last_turn_in_which_the_same_role_moved(
    turn: int, made: dict[int, set[str]], guess: str
) -> None:
    """Moves that a role has made since then come last."""
    known = KnownPositions()
    for number, legal in enumerate([("a", "z"), ("noop",), ("a", "b", "c")]):
        known.learn(EnginePosition(number, legal, len(legal), True, False))

    assert known.guess(turn, 2, lambda since: made.get(since, set())) == guess


def test_where_roles_move_at_once_the_last_position_counts() -> None:
    """Positions of many turns before are forgotten."""
    known = KnownPositions()
    for number, legal in enumerate([("y", "z")] * 20 + [("a", "b")]):
        known.learn(EnginePosition(number, legal, 2, True, False))

    assert known.guess(21, 2, none_made) == "a"
    assert known.guess(4, 2, none_made) == "nil"
