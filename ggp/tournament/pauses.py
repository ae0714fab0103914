"""Pauses: players who have no match in a game of a round, because they do not fill a group.

`ggp.tournament.draw` decides who pauses.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from ggp.tournament.fixture import Fixture
from ggp.tournament.plan import TournamentPlan

Pauses = Counter[tuple[str, str]]
"""Number of pauses of a player in a game, by the names of both."""


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
