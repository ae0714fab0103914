"""Ratings recover known strengths, and say how sure they are."""

from __future__ import annotations

import itertools
import random
from collections import Counter, defaultdict

import pytest

from ggp.rating.ratings import Meeting, fit_scores, meetings_of, rate, rate_equally
from ggp.tournament.fixture import Fixture, Result
from ggp.tournament.table import make_table


def played(strengths: dict[str, float], rounds: int, seed: int) -> list[Meeting]:
    """Each meets each so often, and wins as its strength in Elo says."""
    rng = random.Random(seed)
    pairs = itertools.combinations(strengths, 2)
    return [
        Meeting(one, other, float(rng.random() < 1 / (1 + 10 ** ((theirs - mine) / 400))))
        for one, other in pairs
        for mine, theirs in [(strengths[one], strengths[other])]
        for _ in range(rounds)
    ]


def test_known_strengths_are_found_again() -> None:
    """Within the interval, for nearly all of many players."""
    strengths = {f"p{i}": 60.0 * i - 270 for i in range(10)}

    ratings = rate(played(strengths, rounds=60, seed=1))

    inside = [one.low <= strengths[one.name] <= one.high for one in ratings]
    assert sum(inside) >= 8
    assert abs(sum(one.elo for one in ratings)) < 1e-6


def test_more_matches_make_the_interval_narrower() -> None:
    """Four times as many, about half as wide."""
    few, many = (rate(played({"a": 0, "b": 100}, rounds=n, seed=2))[0] for n in (100, 400))

    assert 1.7 < (few.high - few.low) / (many.high - many.low) < 2.3


def test_who_won_everything_is_not_infinitely_strong() -> None:
    """It is the strongest, with a wide interval."""
    best, worst = rate([Meeting("a", "b", 1.0)] * 10)

    assert best.name == "a"
    assert 200 < best.elo - worst.elo < 1500
    assert best.high - best.low > 300


def scores_of(meetings: list[Meeting]) -> dict[tuple[str, str], float]:
    """The points of each player against each other one."""
    scores: dict[tuple[str, str], float] = defaultdict(float)
    for one in meetings:
        scores[one.first, one.second] += one.score
        scores[one.second, one.first] += 1 - one.score
    return scores


def test_a_league_of_two_games_is_found_again() -> None:
    """600 matches of one game and 20 of another: each player is in its interval in 95 of 100."""
    strengths = {"a": -200.0, "b": -100.0, "c": 0.0, "d": 100.0, "e": 200.0}
    inside: Counter[str] = Counter()
    for seed in range(100):
        games = [played(strengths, rounds, 1000 * rounds + seed) for rounds in (60, 2)]
        for one in rate_equally(fit_scores(scores_of(game)) for game in games).ratings():
            inside[one.name] += one.low <= strengths[one.name] <= one.high

    assert [len(game) for game in games] == [600, 20]
    assert min(inside[name] for name in strengths) >= 95


def test_the_overall_rating_is_the_mean_over_games() -> None:
    """However many matches a game has, if all players have played all games."""
    many = fit_scores(scores_of(played({"a": 0, "b": 200, "c": 50}, 300, 1)))
    few = fit_scores(scores_of(played({"a": 100, "b": 0, "c": 50}, 3, 2)))

    overall = rate_equally([many, few])

    assert overall.elos == pytest.approx((many.elos + few.elos) / 2)
    assert overall.meetings.tolist() == (many.meetings + few.meetings).tolist()


def test_a_game_of_strong_players_makes_nobody_weak() -> None:
    """Average among strong players in one game, the strong player stays strong overall."""
    all_games = {f"p{n}": 100.0 * n for n in range(6)}
    strong = {name: elo for name, elo in all_games.items() if elo >= 300}
    fits = [fit_scores(scores_of(played(one, 400, 3))) for one in (all_games, strong)]

    found = {one.name: one for one in rate_equally(fits).ratings()}

    assert all(abs(found[name].elo - (elo - 250)) < 50 for name, elo in all_games.items())


def test_no_games_are_no_ratings() -> None:
    """Nor is a game that nobody has played."""
    assert rate_equally([]).ratings() == rate([]) == []


def test_a_match_of_three_is_three_meetings() -> None:
    """Each of them with each other; equal goals are a draw."""
    assert meetings_of(["a", "b", "c"], [100, 50, 50]) == [
        Meeting("a", "b", 1.0),
        Meeting("a", "c", 1.0),
        Meeting("b", "c", 0.5),
    ]


def test_nobody_meets_itself() -> None:
    """A player in both seats proves nothing."""
    assert meetings_of(["a", "a"], [100, 0]) == []


def test_the_table_has_points_and_meetings() -> None:
    """A goal of 100 is a point; who did not play is in the table too."""
    fixture = Fixture(0, 0, "g", ("a", "b"), 1)

    table = make_table(["a", "b", "c"], [Result(fixture, (75, 25)), Result(fixture, (50, 50))])

    assert [(row.name, row.points, row.wins, row.draws) for row in table.rows] == [
        ("a", 1.25, 1, 1),
        ("b", 0.75, 0, 1),
        ("c", 0.0, 0, 0),
    ]
    assert table.cells["a", "b"].score == 1.5
    assert table.rows[2].rating is None
