"""Pauses: players without a match in a game of a round, because its seats do not come out even.

Nobody pauses again before all have paused as often. Of those who have paused least, the last in the
order pause: in a Swiss tournament the players with the fewest points, on a ladder the lowest.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from ggp.tournament.fixture import Fixture
from ggp.tournament.plan import TournamentPlan

Pauses = Counter[tuple[str, str]]
"""Number of pauses of a player in a game, by the names of both."""


def find_pauses(plan: TournamentPlan, fixtures: Iterable[Fixture]) -> Pauses:
    """Return the pauses in the rounds of a Swiss tournament or a ladder; other forms have none.

    A round that is only partly drawn counts when the rest of it is drawn.
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


def next_to_pause(order: Sequence[str], num: int, game: str, pauses: Pauses) -> list[str]:
    """Return the `num` players who pause next in a game.

    Args:
        order: All players, from the top.
        num: Number of players who find no seat.
        game: The game; players who have paused equally often pause where they have done so least.
        pauses: Their pauses so far.
    """
    totals, from_below = num_pauses(pauses), order[::-1]
    return sorted(from_below, key=lambda name: (totals[name], pauses[name, game]))[:num]
