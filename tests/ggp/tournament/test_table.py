"""The table of a tournament ranks players who have played different numbers of matches."""

from __future__ import annotations

from ggp.tournament.fixture import Fixture, Result
from ggp.tournament.table import make_table, ranked


def result(players: str, *goals: int) -> Result:
    """A match of players with names of one letter."""
    return Result(Fixture(0, 0, "duel", tuple(players), seed=0), goals)


GAUNTLET = [result(f"a{other}", *goals) for other in "bc" for goals in [(100, 0), (0, 100)] * 2]
"""`a` has 4 points of 8 matches, `b` and `c` have 2 of 4."""


def test_players_are_ranked_by_their_mean() -> None:
    """More matches do not bring a higher place; a player without a match is the last."""
    one_more = [*GAUNTLET, result("ab", 0, 100)]

    rows = make_table(["d", "a", "b", "c"], one_more, pauses={"c": 2}).rows

    assert [(row.name, row.points, row.matches) for row in rows] == [
        ("b", 3, 5),
        ("c", 2, 4),
        ("a", 4, 9),
        ("d", 0, 0),
    ]
    assert [row.paused for row in rows] == [0, 2, 0, 0]


def test_players_without_a_rating_are_ranked_by_their_mean_too() -> None:
    """Those who play alone meet nobody, so in a continuous tournament they have no Elo."""
    rows = make_table(["a", "b"], [result("a", 50), result("a", 50), result("b", 90)]).rows

    assert [row.name for row in ranked(rows)] == [row.name for row in rows] == ["b", "a"]
