"""Knockout: known brackets, byes and ties."""

from __future__ import annotations

import pytest

from ggp.tournament.fixture import Fixture, Result
from ggp.tournament.fixtures import next_round, num_fixtures
from ggp.tournament.knockout import MAX_REPLAYS, bracket
from ggp.tournament.plan import PlanError, TournamentPlan

ROLES = {"duel": 2, "chess": 2, "trio": 3}
FIRST_ROUNDS = {
    2: ["a-b"],
    3: ["a-", "b-c"],
    4: ["a-d", "b-c"],
    5: ["a-", "d-e", "b-", "c-"],
    6: ["a-", "d-e", "b-", "c-f"],
    7: ["a-", "d-e", "b-g", "c-f"],
    8: ["a-h", "d-e", "b-g", "c-f"],
    9: ["a-", "h-i", "d-", "e-", "b-", "g-", "c-", "f-"],
}


def plan(players: str = "abcd", **fields: object) -> TournamentPlan:
    """A knockout of players of one letter each, seeded in this order."""
    defaults = {"name": "t", "form": "knockout", "games": ["duel"], "players": list(players)}
    return TournamentPlan.read({**defaults, "matches": 1, **fields})


def results(fixtures: list[Fixture], strength: str) -> list[Result]:
    """The earlier in `strength`, the better; who is not there is as good as each other."""
    return [
        Result(one, tuple(100 - 10 * max(0, strength.find(name)) for name in one.players))
        for one in fixtures
    ]


def played(found: TournamentPlan, strength: str) -> list[Result]:
    """All matches to the end."""
    so_far: list[Result] = []
    while fixtures := list(next_round(found, ROLES, so_far)):
        so_far += results(fixtures, strength)
    return so_far


@pytest.mark.parametrize("num_players", FIRST_ROUNDS)
def test_the_first_round_is_as_the_seeds_say(num_players: int) -> None:
    """Those seeded highest have the byes, and the first two can meet in the final only."""
    found = bracket(plan("abcdefghi"[:num_players]), [])

    pairs = [f"{one.first}-{one.second or ''}" for one in found.rounds[0]]
    assert pairs == FIRST_ROUNDS[num_players]
    assert all(one.decision == "bye" for one in found.rounds[0] if one.second is None)


@pytest.mark.parametrize("num_players", FIRST_ROUNDS)
@pytest.mark.parametrize("is_turned", [False, True])
def test_the_best_player_wins_whatever_the_seeds(num_players: int, is_turned: bool) -> None:
    """Each match knocks one out; where seeds say the truth, the final is that of the first two."""
    names = "abcdefghi"[:num_players]
    found = plan(names)
    strength = names[::-1] if is_turned else names

    all_played = played(found, strength)
    end = bracket(found, all_played)

    assert end.champion == strength[0]
    assert len(all_played) == num_players - 1
    assert all(pairing.winner for pairings in end.rounds for pairing in pairings)
    if not is_turned:
        assert (end.rounds[-1][0].first, end.rounds[-1][0].second) == ("a", "b")


def test_a_tie_is_played_on_with_the_seats_swapped() -> None:
    """Only by those who are tied; the others wait for the next round."""
    found = plan(matches=2)
    first = list(next_round(found, ROLES, []))
    tied = results(first[:2], "") + results(first[2:], "cb")
    replay = list(next_round(found, ROLES, tied))
    after = tied + results(replay, "da")

    assert [one.players for one in replay] == [("a", "d"), ("d", "a")]
    assert [one.number for one in replay] == [4, 5]
    assert {one.round for one in replay} == {1}
    final = list(next_round(found, ROLES, after))
    assert [one.players for one in final] == [("c", "d"), ("d", "c")]
    assert str(bracket(found, after).rounds[0][0]) == "a - d 3.8 : 4, d wins"


def test_a_tie_that_stays_one_is_decided_by_seeding() -> None:
    """After so many replays; the tournament never plays more than it said."""
    found = plan("ab", games=["duel", "chess"], matches=2)

    all_played = played(found, "")
    [pairing] = bracket(found, all_played).rounds[0]

    assert (pairing.winner, pairing.decision) == ("a", "seeding")
    assert len(all_played) == 4 + 2 * MAX_REPLAYS == num_fixtures(found, ROLES)
    assert [one.fixture.game for one in all_played[4:8]] == ["duel", "duel", "chess", "chess"]


def test_a_pairing_is_not_decided_before_its_matches_are_over() -> None:
    """Nor in the middle of a replay."""
    found = plan("ab", matches=2)
    first = results(list(next_round(found, ROLES, [])), "ab")

    assert bracket(found, first[:1]).champion is None
    assert bracket(found, first).champion == "a"


def test_the_rounds_have_names() -> None:
    """From the last one."""
    assert bracket(plan("abcdefghi"), []).headings() == (
        *("Round of 16", "Quarterfinals", "Semifinals", "Final"),
    )


def test_games_must_be_for_two() -> None:
    """The error says which is not."""
    with pytest.raises(PlanError, match="form: expected games for two players; trio takes 3"):
        next_round(plan(games=["trio"]), ROLES, [])
