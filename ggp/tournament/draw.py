"""The draw for a round of a Swiss tournament or a ladder: who pauses, and who meets whom.

No player pauses again before all have paused equally often. Among the players with the fewest
pauses, those at the end of the order pause: in a Swiss tournament those with the fewest points, on
a ladder the lowest. Neighbours in the order meet. To avoid repeated meetings, the draw may depart
from the order: then other players with the fewest pauses pause, or a player meets one further away.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from ggp.tournament.fixture import Fixture
from ggp.tournament.plan import TournamentPlan

Group = tuple[str, ...]
Pauses = Counter[tuple[str, str]]
"""Number of pauses by player and game: the keys are pairs of their names."""
MAX_TRIES: Final = 2_000
"""Number of groups to try for a round before the limit on repeated meetings is raised by 1."""
MAX_CHOICES: Final = 10_000
"""Number of groups to consider for the first player in the order."""


def draw(
    order: Sequence[str], size: int, game: str, pauses: Pauses, met: Counter[frozenset[str]]
) -> list[Group]:
    """Return the groups that play `game` in the next round. All other players pause.

    Args:
        order: All players, from the top of the order.
        size: Number of players in a group.
        pauses: Pauses so far. The pauses from this draw are added to it.
        met: How often each group has already played `game`.
    """
    num_paused = len(order) % size
    for most in itertools.count():
        tries = iter(range(MAX_TRIES))
        for paused in _pausing(order, num_paused, game, pauses):
            waiting = [name for name in order if name not in paused]
            groups = _groups(waiting, size, met, most, tries)
            if groups is not None:
                pauses.update((name, game) for name in paused)
                return groups
    raise AssertionError("no groups were found, although players may meet any number of times")


def _pausing(
    order: Sequence[str], num: int, game: str, pauses: Pauses
) -> Iterator[tuple[str, ...]]:
    """Yield the sets of `num` players who may pause, the best choice first."""
    totals, from_below = num_pauses(pauses), order[::-1]
    line = sorted(from_below, key=lambda name: (totals[name], pauses[name, game]))
    most = totals[line[num - 1]] if num else 0
    certain = tuple(name for name in line[:num] if totals[name] < most)
    equal = [name for name in line if totals[name] == most]
    for others in itertools.combinations(equal, num - len(certain)):
        yield certain + others


def _groups(
    waiting: Sequence[str],
    size: int,
    met: Counter[frozenset[str]],
    most: int,
    tries: Iterable[int],
) -> list[Group] | None:
    """Return groups that have met at most `most` times, or None if none are found.

    Prefer groups that have met less often, then players who are close to each other in the order.

    Args:
        waiting: The players to divide into groups, in order.
        tries: An iterator that ends when no further group may be tried.
    """
    if not waiting:
        return []
    first, others = waiting[0], waiting[1:]
    for times in range(most + 1):
        choices = itertools.islice(itertools.combinations(others, size - 1), MAX_CHOICES)
        fitting = (some for some in choices if met[frozenset((first, *some))] == times)
        for some, _ in zip(fitting, tries, strict=False):
            rest = _groups([n for n in others if n not in some], size, met, most, tries)
            if rest is not None:
                return [(first, *some), *rest]
    return None


def find_pauses(plan: TournamentPlan, fixtures: Iterable[Fixture]) -> Pauses:
    """Return the pauses in the rounds of a Swiss tournament or a ladder. Other forms have none.

    A round that is only partly drawn does not count until the rest of it is drawn.
    """
    pauses: Pauses = Counter()
    if plan.form not in {"swiss", "ladder"}:
        return pauses
    names = [entrant.name for entrant in plan.players]
    seated: dict[tuple[int, str], set[str]] = {}
    sizes: dict[str, int] = {}
    for fixture in fixtures:
        seated.setdefault((fixture.round, fixture.game), set()).update(fixture.players)
        sizes[fixture.game] = len(fixture.players)
    for (_, game), players in seated.items():
        if len(players) == len(names) - len(names) % sizes[game]:
            pauses.update((name, game) for name in names if name not in players)
    return pauses


def num_pauses(pauses: Pauses) -> Counter[str]:
    """Return how often each player paused, in all games together."""
    found: Counter[str] = Counter()
    for (name, _), number in pauses.items():
        found[name] += number
    return found
