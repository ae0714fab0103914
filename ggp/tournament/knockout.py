"""Knockout: a bracket of pairings whose winners meet in the next round until one player is left.

The players are seeded in the order of the plan. They are placed so that the first two can meet only
in the final, the first four only in the semifinals, and so on. If their number is not a power of
two, the highest-seeded players have a bye in the first round.

The player with more points in all matches of a pairing wins it. If the points are equal, two more
matches are played with the seats swapped, at most `MAX_REPLAYS` times. After that the higher-seeded
player wins.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from ggp.tournament.fixture import Result
from ggp.tournament.plan import TournamentPlan

MAX_REPLAYS = 3
"""How often a tied pairing is replayed, two matches each time."""

Decision = Literal["", "bye", "points", "seeding"]


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two players, one of whom reaches the next round.

    The players of later rounds may still be unknown.
    """

    first: str | None
    """The higher-seeded player. None until it is known."""
    second: str | None
    """The other player. None until it is known, and if the first player has a bye."""
    goals: tuple[int, int] = (0, 0)
    """Sums of goals over all matches so far."""
    matches: int = 0
    winner: str | None = None
    decision: Decision = ""
    """How the pairing was decided. Empty as long as there is no winner."""

    def __str__(self) -> str:
        if self.decision == "bye":
            return f"{self.first}: a bye"
        first, second = self.first or "?", self.second or "?"
        if not self.matches:
            return f"{first} - {second}"
        points = " : ".join(f"{goals / 100:g}" for goals in self.goals)
        end = {
            "points": f", {self.winner} wins",
            "seeding": f", {self.winner} wins, seeded higher",
        }
        return f"{first} - {second} {points}{end.get(self.decision, '')}"


@dataclass(frozen=True, slots=True)
class Bracket:
    """All pairings from the first round to the final. Future pairings have no players yet."""

    rounds: tuple[tuple[Pairing, ...], ...]

    @property
    def champion(self) -> str | None:
        """The winner of the final, or None until it is over."""
        return self.rounds[-1][0].winner

    def headings(self) -> tuple[str, ...]:
        """Return a heading for each round."""
        names = {1: "Final", 2: "Semifinals", 4: "Quarterfinals"}
        return tuple(
            names.get(len(pairings), f"Round of {2 * len(pairings)}") for pairings in self.rounds
        )


def bracket(plan: TournamentPlan, played: Sequence[Result]) -> Bracket:
    """Return the bracket with the results so far."""
    seeds = {entrant.name: place for place, entrant in enumerate(plan.players)}
    results: dict[frozenset[str], list[Result]] = {}
    for result in played:
        results.setdefault(frozenset(result.fixture.players), []).append(result)
    rounds = [
        [
            _judged(plan, (first, second), results)
            if second
            else Pairing(first, None, winner=first, decision="bye")
            for first, second in _first_round(list(seeds))
        ]
    ]
    while len(rounds[-1]) > 1:
        winners = iter([pairing.winner for pairing in rounds[-1]])
        pairs = (_by_seed(pair, seeds) for pair in zip(winners, winners, strict=True))
        rounds.append([_judged(plan, pair, results) for pair in pairs])
    return Bracket(tuple(map(tuple, rounds)))


def next_legs(
    plan: TournamentPlan, played: Sequence[Result]
) -> Iterator[tuple[str, tuple[str, ...], int]]:
    """Yield the next legs of all undecided pairings of the current round.

    A leg is a game, its players and a number of matches. Once there is a champion, there are no
    more legs.
    """
    for pairings in bracket(plan, played).rounds:
        open_ones = [pairing for pairing in pairings if pairing.winner is None]
        for pairing in open_ones:
            yield from _legs(plan, pairing)
        if open_ones:
            return


def most_matches(plan: TournamentPlan) -> int:
    """Return the number of matches if every pairing is replayed as often as possible."""
    return (len(plan.players) - 1) * (plan.matches * len(plan.games) + 2 * MAX_REPLAYS)


def _first_round(names: Sequence[str]) -> Iterator[tuple[str, str | None]]:
    """Yield the pairs of the first round, from the top of the bracket. None stands for a bye."""
    order = [0]
    while len(order) < max(2, len(names)):
        last = 2 * len(order) - 1
        order = [place for seed in order for place in (seed, last - seed)]
    places = iter(order)
    for one, other in zip(places, places, strict=True):
        high, low = sorted((one, other))
        yield names[high], names[low] if low < len(names) else None


def _by_seed(
    pair: tuple[str | None, str | None], seeds: dict[str, int]
) -> tuple[str | None, str | None]:
    one, other = pair
    if one is not None and other is not None and seeds[other] < seeds[one]:
        return other, one
    return pair


def _judged(
    plan: TournamentPlan,
    pair: tuple[str | None, str | None],
    results: dict[frozenset[str], list[Result]],
) -> Pairing:
    first, second = pair
    if first is None or second is None:
        return Pairing(first, second)
    goals = [0, 0]
    found = results.get(frozenset((first, second)), [])
    for result in found:
        for name, goal in zip(result.fixture.players, result.goals, strict=True):
            goals[name == second] += goal
    pairing = Pairing(first, second, (goals[0], goals[1]), len(found))
    replays = len(found) - plan.matches * len(plan.games)
    if replays < 0 or replays % 2:
        return pairing
    if goals[0] != goals[1]:
        winner = first if goals[0] > goals[1] else second
        return replace(pairing, winner=winner, decision="points")
    if replays >= 2 * MAX_REPLAYS:
        return replace(pairing, winner=first, decision="seeding")
    return pairing


def _legs(plan: TournamentPlan, pairing: Pairing) -> Iterator[tuple[str, tuple[str, ...], int]]:
    assert pairing.first is not None
    assert pairing.second is not None
    players = (pairing.first, pairing.second)
    replays = pairing.matches - plan.matches * len(plan.games)
    if replays < 0:
        yield from ((game, players, plan.matches) for game in plan.games)
    else:
        yield plan.games[replays // 2 % len(plan.games)], players, 2
