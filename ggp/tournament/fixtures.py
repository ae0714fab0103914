"""Fixtures: who meets whom, in which game and in which seats.

A tournament is played in rounds, and `next_round` returns the fixtures of the next one. A round
robin and a gauntlet consist of a single round, so all their fixtures are known in advance.
"""

from __future__ import annotations

import itertools
import math
import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from ggp.tournament import knockout
from ggp.tournament.draw import draw, find_pauses, num_pauses
from ggp.tournament.fixture import Fixture, Result
from ggp.tournament.plan import PlanError, TournamentPlan

SEED_RANGE = 2**31
MAX_FIXTURES = 20_000
"""Maximum number of fixtures in one tournament: years of play, if each match takes an hour."""


def next_round(
    plan: TournamentPlan, num_roles: Mapping[str, int], played: Sequence[Result]
) -> Iterator[Fixture]:
    """Return an iterator over the next round's fixtures. It is empty if the last round is over.

    Args:
        plan: The tournament.
        num_roles: Number of players in each of its games.
        played: All results so far, of complete rounds.

    Raises:
        PlanError: A game takes more players than there are, or there are too many fixtures.
    """
    check(plan, num_roles)
    number = 1 + max((result.fixture.round for result in played), default=-1)
    groups: Iterable[tuple[str, tuple[str, ...]]] = ()
    legs: Iterable[tuple[str, tuple[str, ...], int]] = ()
    if plan.form in {"round-robin", "gauntlet"}:
        groups = _whole_groups(plan, num_roles) if number == 0 else ()
    elif plan.form == "knockout":
        legs = knockout.next_legs(plan, played)
    elif number < plan.rounds:
        groups = _drawn_groups(plan, num_roles, played)
    first = len(played)
    fixtures = itertools.chain.from_iterable(
        _seatings(game, group, num) for game, group, num in legs or _turns(plan, groups)
    )
    return (
        Fixture(first + index, number, game, players, match_seed(plan.seed, first + index))
        for index, (game, players) in enumerate(fixtures)
    )


def check(plan: TournamentPlan, num_roles: Mapping[str, int]) -> None:
    """Check that a tournament with these games and players is possible and not too long.

    Raises:
        PlanError: The tournament is not possible.
    """
    if plan.form == "continuous":  # more players may join later
        return
    for game in plan.games:
        if num_roles[game] > len(plan.players):
            raise PlanError(
                f"games: {game} takes {num_roles[game]} players, "
                f"but only {len(plan.players)} take part"
            )

        is_for_pairs = plan.stop is not None or plan.form == "knockout"
        if is_for_pairs and num_roles[game] != 2:
            what = "stop" if plan.stop is not None else "form"
            raise PlanError(
                f"{what}: expected games for two players; {game} takes {num_roles[game]}"
            )

    planned = num_fixtures(plan, num_roles)
    if planned > MAX_FIXTURES:
        rounds = f", {plan.rounds} rounds" if plan.form in {"swiss", "ladder"} else ""
        raise PlanError(
            f"games, players, matches: {len(plan.games)} games, {len(plan.players)} players"
            f"{rounds} and {plan.matches} matches of each pairing are {planned:,} matches in all; "
            f"expected at most {MAX_FIXTURES:,}"
        )


def num_fixtures(plan: TournamentPlan, num_roles: Mapping[str, int]) -> int:
    """Return an upper bound for the number of fixtures in all rounds, without making them."""
    if plan.form == "knockout":
        return knockout.most_matches(plan)
    everybody = len(plan.players)
    groups = 0
    for game in plan.games:
        size = num_roles[game]
        if plan.form in {"swiss", "ladder"}:
            groups += plan.rounds * (everybody // size)
        elif plan.form == "gauntlet" and size > 1:
            groups += math.comb(everybody - 1, size - 1)
        else:
            groups += math.comb(everybody, size)
    return groups * plan.matches


def match_seed(seed: int, number: int) -> int:
    """Return the seed of a match, given the tournament's seed and the number of the fixture."""
    return random.Random(f"{seed}:{number}").randrange(SEED_RANGE)


def _whole_groups(
    plan: TournamentPlan, num_roles: Mapping[str, int]
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield a game and a group for each game of each group, one group after another."""
    names = [entrant.name for entrant in plan.players]
    for size in sorted(set(num_roles.values())):
        games = [game for game in plan.games if num_roles[game] == size]
        for group in itertools.combinations(names, size):
            if plan.form == "gauntlet" and size > 1 and names[0] not in group:
                continue
            yield from ((game, group) for game in games)


def _turns(
    plan: TournamentPlan, groups: Iterable[tuple[str, tuple[str, ...]]]
) -> Iterator[tuple[str, tuple[str, ...], int]]:
    """Yield a game, a group, and how many matches the group plays of this game in a row.

    With a stop rule, the only group is a pair. It repeatedly plays two matches of each game, so
    that the test has results from all games.
    """
    if plan.stop is None:
        yield from ((game, group, plan.matches) for game, group in groups)
        return
    groups = list(groups)
    for _ in range(plan.matches // 2):
        yield from ((game, group, 2) for game, group in groups)


def _seatings(
    game: str, group: Sequence[str], matches: int
) -> Iterator[tuple[str, tuple[str, ...]]]:
    for index in range(matches):
        shift = index % len(group)
        yield game, (*group[shift:], *group[:shift])


def _drawn_groups(
    plan: TournamentPlan, num_roles: Mapping[str, int], played: Sequence[Result]
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the groups of the next round of a Swiss tournament or a ladder, each with its game."""
    pauses = find_pauses(plan, (result.fixture for result in played))
    order = _order(plan, played, num_pauses(pauses))
    for game in plan.games:
        met = _met(plan, game, played)
        groups = draw(order, num_roles[game], game, pauses, met)
        yield from ((game, group) for group in groups)


def _met(plan: TournamentPlan, game: str, played: Sequence[Result]) -> Counter[frozenset[str]]:
    """Return in how many rounds each group has played `game`. On a ladder, count at most 1.

    Without this limit, the two best players on a ladder could only meet again after each of them
    had met all other players again.
    """
    fixtures = [result.fixture for result in played if result.fixture.game == game]
    rounds = {(one.round, frozenset(one.players)) for one in fixtures}
    met = Counter(group for _, group in rounds)
    return Counter(met.keys()) if plan.form == "ladder" else met


def _order(plan: TournamentPlan, played: Sequence[Result], pauses: Mapping[str, int]) -> list[str]:
    """Return the players from the top: by points in a Swiss tournament, by place on a ladder.

    A pause counts as winning the matches that it replaces, as in FIDE's rules (C.04.1). So all
    players are compared over the same number of matches.
    """
    names = [entrant.name for entrant in plan.players]
    if plan.form == "ladder":
        return _climbed(names, played)
    points = {name: 100 * plan.matches * pauses[name] for name in names}
    for result in played:
        for name, goal in zip(result.fixture.players, result.goals, strict=True):
            points[name] += goal
    return sorted(names, key=lambda name: (-points[name], names.index(name)))


def _climbed(names: list[str], played: Sequence[Result]) -> list[str]:
    """Return the ladder after the played rounds, from the top.

    After each round, the players of a group share out their places in order of their goals.
    """
    ladder = list(names)
    for _, results in itertools.groupby(played, key=lambda result: result.fixture.round):
        goals: dict[frozenset[str], dict[str, int]] = {}
        for result in results:
            group = goals.setdefault(frozenset(result.fixture.players), {})
            for name, goal in zip(result.fixture.players, result.goals, strict=True):
                group[name] = group.get(name, 0) + goal
        for group in goals.values():
            places = sorted(ladder.index(name) for name in group)
            best = sorted(group, key=lambda name: (-group[name], ladder.index(name)))
            for place, name in zip(places, best, strict=True):
                ladder[place] = name
    return ladder
