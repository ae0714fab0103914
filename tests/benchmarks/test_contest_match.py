"""Matches of a contest, with players that need no time."""

from __future__ import annotations

import sys

import pytest
from contest.errors import ContestError
from contest.match import Fixture, play


def fixture(**changes: object) -> Fixture:
    """The first match of two players that move at random."""
    values = {
        "game": "nim",
        "contestants": ("random", "legal"),
        "number": 0,
        "seconds": 1.0,
        "seed": 1,
        "opening": 0,
        "python": sys.executable,
        "engine": "interpreter",
    }
    return Fixture(**{**values, **changes})  # type: ignore[arg-type]  # of many types


def test_seats_are_swapped_in_odd_matches() -> None:
    """The side that begins makes the first move that is chosen from several."""
    first, second = play(fixture()), play(fixture(number=1))

    assert (first.first, second.first) == (0, 1)
    assert len(first.seconds[0]) + len(first.seconds[1]) <= first.plies


def test_swapped_matches_have_the_same_opening() -> None:
    """So that luck with it is no advantage; other pairs have others."""
    game = "connectFour"
    [one, swapped, other] = [
        play(fixture(game=game, number=number, opening=6)).moves[:6] for number in (0, 1, 2)
    ]

    assert one == swapped != other


def test_the_same_seed_gives_the_same_match() -> None:
    """And another one another."""
    one, again, other = (play(fixture(game="connectFour", seed=seed)) for seed in (1, 1, 2))

    assert one.moves == again.moves != other.moves


def test_who_makes_no_legal_move_has_lost() -> None:
    """The match ends there, and says why."""
    cheat = "tests.ggp.engine.odd_players:Cheating"

    outcome = play(fixture(contestants=("random", cheat), number=1))

    assert outcome.points == 1
    assert outcome.fault == f"{cheat}: the illegal move cheat"


def test_a_game_must_be_for_two() -> None:
    """The count is named."""
    with pytest.raises(ContestError, match="maze: expected a game for two, it is for 1"):
        play(fixture(game="maze"))
