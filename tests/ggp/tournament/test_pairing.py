"""Continuous pairing: fair, and such that ratings become certain."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from dataclasses import dataclass, field, replace

import pytest

from ggp.rating.ratings import Meeting, rate
from ggp.rating.sprt import expected_points
from ggp.tournament.pairing import Candidate, Choice, choose, seat_key
from tests.thorough import all_but

ROLES = {"duel": 2, "chess": 2}


@dataclass
class Simulation:
    """Matches of random length between players of known strength, so many at once."""

    elos: dict[str, float]
    jobs: int
    seed: int = 1
    choices: list[Choice] = field(default_factory=list)
    waits: list[float] = field(default_factory=list)
    meetings: list[Meeting] = field(default_factory=list)

    def run(self, num_matches: int) -> None:
        """Play so many matches; whoever is chosen is busy until its match is over."""
        rng = random.Random(self.seed)
        pool = {name: Candidate(name, 0.0) for name in self.elos}
        running: list[tuple[float, Choice]] = []
        now, rated = 0.0, dict[str, float]()
        while len(self.choices) < num_matches:
            busy = {name for _, choice in running for name in choice.players}
            if len(self.meetings) % 5 == 0:
                rated = {one.name: one.elo for one in rate(self.meetings)}
            free = [
                replace(one, elo=rated.get(name, 0.0))
                for name, one in pool.items()
                if name not in busy
            ]
            room = len(running) < self.jobs
            choice = choose(ROLES, free, len(pool), rng) if room else None
            if choice is not None:
                assert not busy & set(choice.players)
                self.choices.append(choice)
                self.waits += [now - pool[name].free_since for name in choice.players]
                running.append((now + rng.uniform(5, 15), choice))
                continue
            running.sort(key=lambda pair: pair[0])
            now, over = running.pop(0)
            self._end(over, pool, now, rng)

    def _end(
        self, choice: Choice, pool: dict[str, Candidate], now: float, rng: random.Random
    ) -> None:
        one, other = choice.players
        is_won = rng.random() < expected_points(self.elos[one] - self.elos[other])
        self.meetings.append(Meeting(one, other, float(is_won)))
        for seat, name in enumerate(choice.players):
            before = pool[name]
            key = seat_key(choice.game, seat)
            pool[name] = replace(
                before,
                free_since=now,
                matches=before.matches + 1,
                last_met=frozenset(choice.players) - {name},
                seatings={**before.seatings, key: before.seatings.get(key, 0) + 1},
            )


@pytest.mark.parametrize("size", all_but([(10, 1), (9, 4)], [(10, 1), (10, 4), (9, 4), (40, 12)]))
def test_two_hundred_matches_are_fair(size: tuple[int, int]) -> None:
    """Equally many matches, games and seats for each, and nobody waits long."""
    num_players, jobs = size
    elos = {f"p{place}": 40.0 * place for place in range(num_players)}
    held = Simulation(elos, jobs)
    held.run(200)

    played = Counter(name for one in held.choices for name in one.players)
    assert set(played) == set(elos)
    assert max(played.values()) - min(played.values()) <= max(3, 0.3 * 400 / num_players)
    for name in elos:
        games = Counter(one.game for one in held.choices if name in one.players)
        seats = Counter(one.players.index(name) for one in held.choices if name in one.players)
        assert abs(games["duel"] - games["chess"]) <= max(3, 0.2 * played[name])
        assert abs(seats[0] - seats[1]) <= max(3, 0.3 * played[name])
    fair_wait = 10 * num_players / (2 * jobs)
    assert max(held.waits) <= 3 * fair_wait


def test_near_ratings_meet_more_often_and_all_are_compared() -> None:
    """The ratings come out in the order of the strengths, and each meets several others."""
    elos = {f"p{place}": 150.0 * place for place in range(10)}
    held = Simulation(elos, 4)
    held.run(400)

    near = [abs(elos[one.players[0]] - elos[one.players[1]]) <= 300 for one in held.choices[100:]]
    assert sum(near) / len(near) > 0.5  # at random 17 of 45 pairs
    met: dict[str, set[str]] = {name: set() for name in elos}
    for one in held.choices:
        met[one.players[0]].add(one.players[1])
        met[one.players[1]].add(one.players[0])
    assert min(map(len, met.values())) >= 5
    found = [elos[one.name] for one in rate(held.meetings)]
    assert all(one > other - 301 for one, other in itertools.pairwise(found))


def test_equal_luck_gives_equal_pairs() -> None:
    """And other luck others."""
    elos = dict.fromkeys("abcdef", 0.0)
    one, same, other = Simulation(elos, 2), Simulation(elos, 2), Simulation(elos, 2, seed=2)
    for held in (one, same, other):
        held.run(30)

    assert one.choices == same.choices != other.choices


def test_those_of_the_last_match_wait_for_others() -> None:
    """Unless there is nobody else."""
    two = [
        Candidate("a", 1.0, last_met=frozenset("b")),
        Candidate("b", 1.0, last_met=frozenset("a")),
    ]

    assert choose(ROLES, two, 4, random.Random(1)) is None
    assert choose(ROLES, two, 2, random.Random(1)) is not None


def test_who_has_waited_longest_plays_first() -> None:
    """A newcomer before all others."""
    pool = [Candidate(name, since, 5) for name, since in zip("abc", (3.0, 1.0, 2.0), strict=True)]
    newcomer = Candidate("d", 0.0)

    first = choose(ROLES, pool, 3, random.Random(1))
    assert first is not None
    assert "b" in first.players
    second = choose(ROLES, [*pool, newcomer], 4, random.Random(1))
    assert second is not None
    assert "d" in second.players


def test_games_for_one_and_for_three() -> None:
    """As many players as the game takes; none for which there are too few."""
    pool = [Candidate(name, 0.0) for name in "abcd"]

    alone = choose({"solo": 1}, pool, 4, random.Random(1))
    three = choose({"trio": 3}, pool, 4, random.Random(1))

    assert alone is not None
    assert three is not None
    assert (len(alone.players), len(set(three.players))) == (1, 3)
    assert choose({"trio": 3}, pool[:2], 2, random.Random(1)) is None


def test_players_of_one_owner_never_meet() -> None:
    """Nor in a game for more than two, and they keep nobody else from playing."""
    own = [Candidate(name, 0.0, owner=1) for name in "abc"]
    one, other = Candidate("x", 1.0, owner=2), Candidate("y", 2.0)
    for seed in range(20):
        rng = random.Random(seed)
        assert choose(ROLES, own, 3, rng) is None
        found = choose(ROLES | {"three": 3}, [*own, one, other], 5, rng)
        alone = choose({"three": 3}, [*own, one], 4, rng)
        assert found is not None
        assert sum(name in "abc" for name in found.players) == 1
        assert alone is None
