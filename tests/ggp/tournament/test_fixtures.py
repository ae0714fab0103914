"""Pairings: everybody meets fairly often, in every seat, and with equal seeds the same again."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from ggp.tournament.draw import find_pauses, num_pauses
from ggp.tournament.fixture import Fixture, Result
from ggp.tournament.fixtures import next_round as next_fixtures
from ggp.tournament.fixtures import num_fixtures
from ggp.tournament.plan import PlanError, TournamentPlan

ROLES = {"duel": 2, "trio": 3, "solo": 1}


def plan(**fields: Any) -> TournamentPlan:
    """A tournament of four players."""
    defaults = {"name": "t", "games": ["duel"], "players": ["a", "b", "c", "d"]}
    return TournamentPlan.read({**defaults, **fields})


def next_round(
    plan: TournamentPlan, num_roles: Mapping[str, int], played: Sequence[Result]
) -> list[Fixture]:
    """All fixtures of the next round."""
    return list(next_fixtures(plan, num_roles, played))


def results(fixtures: list[Fixture], strength: str = "abcd") -> list[Result]:
    """The earlier in `strength`, the better."""
    return [
        Result(one, tuple(100 - 10 * strength.index(name) for name in one.players))
        for one in fixtures
    ]


def test_in_a_round_robin_each_meets_each_in_every_seat() -> None:
    """Six pairings, two matches each with seats swapped."""
    fixtures = next_round(plan(matches=2), ROLES, [])

    assert len(fixtures) == 12
    assert set(Counter(one.players for one in fixtures).values()) == {1}
    assert [one.number for one in fixtures] == list(range(12))


def test_a_round_robin_is_over_after_its_round() -> None:
    """There is nothing left to play."""
    first = next_round(plan(), ROLES, [])

    assert next_round(plan(), ROLES, results(first)) == []


def test_games_of_several_sizes_go_together() -> None:
    """Three of four in a game for three; alone in a puzzle."""
    fixtures = next_round(plan(games=["duel", "trio", "solo"], matches=1), ROLES, [])

    counts = Counter(one.game for one in fixtures)
    assert counts == {"duel": 6, "trio": 4, "solo": 4}


def test_in_a_gauntlet_the_first_meets_each_other() -> None:
    """The others do not meet."""
    fixtures = next_round(plan(form="gauntlet", matches=1), ROLES, [])

    assert [set(one.players) for one in fixtures] == [{"a", "b"}, {"a", "c"}, {"a", "d"}]


def test_in_a_swiss_tournament_winners_meet_winners() -> None:
    """In the second round the two that won meet, and nobody meets the same one again."""
    swiss = plan(form="swiss", matches=1, rounds=3)
    first = next_round(swiss, ROLES, [])
    second = next_round(swiss, ROLES, results(first))
    third = next_round(swiss, ROLES, results(first + second))

    assert [set(one.players) for one in first] == [{"a", "b"}, {"c", "d"}]
    assert set(second[0].players) == {"a", "c"}
    pairs = [frozenset(one.players) for one in first + second + third]
    assert len(set(pairs)) == 6
    assert next_round(swiss, ROLES, results(first + second + third)) == []


@pytest.mark.parametrize("form", ["swiss", "ladder"])
@pytest.mark.parametrize("games", [["duel"], ["trio"], ["duel", "trio", "solo"]])
@pytest.mark.parametrize("num_players", [3, 5, 7, 10])
def test_nobody_pauses_again_before_all_have(form: str, games: list[str], num_players: int) -> None:
    """After each round pauses differ by one at most, and so do the matches of a single game."""
    names, rng = list("abcdefghij"[:num_players]), random.Random(num_players)
    described = plan(form=form, games=games, players=names, matches=2, rounds=11)
    played: list[Result] = []
    paused = Counter(dict.fromkeys(names, 0))
    while fixtures := next_round(described, ROLES, played):
        for game in games:
            seated = {name for one in fixtures if one.game == game for name in one.players}
            paused.update(set(names) - seated)
        assert max(paused.values()) - min(paused.values()) <= 1
        played += [
            Result(one, tuple(rng.choices(range(101), k=len(one.players)))) for one in fixtures
        ]

    found = num_pauses(find_pauses(described, [result.fixture for result in played]))
    assert found == +paused


@pytest.mark.parametrize("num_players", [7, 8, 9])
def test_in_a_swiss_tournament_nobody_meets_the_same_one_again(num_players: int) -> None:
    """Neighbours who have met meet others; so do those who would pause, if that helps."""
    rng = random.Random(num_players)
    swiss = plan(form="swiss", players=list("abcdefghi"[:num_players]), matches=1, rounds=5)
    played: list[Result] = []
    while fixtures := next_round(swiss, ROLES, played):
        played += [Result(one, rng.choice([(100, 0), (50, 50), (0, 100)])) for one in fixtures]

    met = Counter(frozenset(result.fixture.players) for result in played)
    assert set(met.values()) == {1}


def test_the_last_in_the_standings_pauses_and_is_paired_as_a_winner() -> None:
    """The player who paused meets the best winner, not a player who lost."""
    swiss = plan(form="swiss", players=list("abcde"), matches=1, rounds=2)
    first = next_round(swiss, ROLES, [])
    second = next_round(swiss, ROLES, results(first, "edcba"))  # a and c lose, and e has paused

    assert [set(one.players) for one in first] == [{"a", "b"}, {"c", "d"}]
    assert [set(one.players) for one in second] == [{"d", "e"}, {"b", "c"}]


def test_on_a_ladder_the_winner_climbs() -> None:
    """The best player starts at the bottom and is at the top after three rounds."""
    ladder = plan(form="ladder", players=list("dcba"), matches=1, rounds=5)
    played: list[Result] = []
    for _ in range(4):
        played += results(next_round(ladder, ROLES, played))

    last = next_round(ladder, ROLES, played)
    assert set(last[0].players) == {"a", "b"}


def test_equal_seeds_give_equal_fixtures() -> None:
    """And other seeds other luck."""
    assert next_round(plan(seed=1), ROLES, []) == next_round(plan(seed=1), ROLES, [])
    assert (
        next_round(plan(seed=1), ROLES, [])[0].seed != next_round(plan(seed=2), ROLES, [])[0].seed
    )


def test_a_game_for_more_players_than_take_part_is_refused() -> None:
    """The message names the game."""
    with pytest.raises(PlanError, match="trio takes 3 players, but only 2 take part"):
        next_round(plan(games=["trio"], players=["a", "b"]), ROLES, [])


@pytest.mark.parametrize("form", ["round-robin", "gauntlet", "swiss", "ladder"])
@pytest.mark.parametrize("num_players", [3, 4, 5])
def test_fixtures_are_counted_without_making_them(form: str, num_players: int) -> None:
    """As many as there are when all rounds have been made."""
    names = list("abcde"[:num_players])
    described = plan(form=form, games=["duel", "trio", "solo"], players=names, rounds=2, matches=3)
    played: list[Result] = []
    while fixtures := next_round(described, ROLES, played):
        played += results(fixtures, "abcde")

    assert len(played) == num_fixtures(described, ROLES)


@pytest.mark.parametrize("form", ["round-robin", "swiss"])
def test_far_too_many_fixtures_are_refused_at_once(form: str) -> None:
    """The error names the fields that make them so many."""
    games, players = ["trio"] * 64, [f"p{number}" for number in range(64)]
    huge = plan(form=form, games=games, players=players, matches=1000, rounds=100)

    with pytest.raises(PlanError, match=r"^games, players, matches: 64 games, 64 players.* 1000 "):
        next_fixtures(huge, ROLES, [])


def test_fixtures_are_made_as_they_are_asked_for() -> None:
    """The first of them without the others."""
    fixtures = next_fixtures(plan(matches=1000), ROLES, [])

    assert next(fixtures).number == 0
    assert next(fixtures).number == 1


def test_with_a_stop_rule_games_take_turns_pair_by_pair() -> None:
    """The test sees all games from the beginning; each is played as often as without it."""
    two = {"games": ["duel", "chess"], "players": ["a", "b"], "matches": 4}
    roles = {"duel": 2, "chess": 2}
    found = next_round(plan(**two, stop={"elo0": 0, "elo1": 20}), roles, [])

    assert [one.game for one in found] == ["duel", "duel", "chess", "chess"] * 2
    assert [one.players for one in found] == [("a", "b"), ("b", "a")] * 4
    assert Counter(one.game for one in found) == Counter(
        one.game for one in next_round(plan(**two), roles, [])
    )


def test_a_stop_rule_wants_games_for_two() -> None:
    """There is no pair of matches where one plays alone."""
    alone = plan(games=["solo"], players=["a", "b"], stop={"elo0": 0, "elo1": 20})

    with pytest.raises(PlanError, match="stop: expected games for two players; solo takes 1"):
        next_round(alone, ROLES, [])
