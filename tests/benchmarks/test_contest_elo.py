"""Elo numbers of a round robin: a column a game, the strongest player first."""

from __future__ import annotations

from contest.elo import ALL, elo_table
from contest.score import Outcome


def won(game: str, winner: str, loser: str) -> Outcome:
    """A match in which nothing is of interest but who won."""
    return Outcome(game, (loser, winner), 0, 0, 0.0, 9, ([], []), ({}, {}), "", [])


def test_who_wins_more_stands_higher() -> None:
    """In each game by its own matches, in all of them by all."""
    matches = [won("hex", "a", "b")] * 3 + [won("nim", "b", "a")]

    headings, first, second = elo_table(matches)

    assert headings[:4] == ["player", "hex", "nim", ALL]
    assert first[0] == "`a`"
    assert [cell[0] for cell in first[1:4]] == ["+", "-", "+"]
    assert [cell[0] for cell in second[1:4]] == ["-", "+", "-"]
    assert first[-1] == "3 of 4"
