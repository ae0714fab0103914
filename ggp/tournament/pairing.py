"""Continuous pairing: choose the next match among the free players while a tournament runs.

The player that has waited longest is seated first, so that no player waits long. Its opponent is
the one against whom a match is most informative. In the model of Bradley and Terry the information
is p * (1 - p), where p is the probability of winning, so it is greatest between equals. Information
has more weight if little is known about the two players. A quarter of the opponents are sampled
uniformly, because otherwise groups would form that are not compared with each other.

See Glickman and Jensen, Adaptive Paired Comparison Design, 2005, who maximize the same information.

Players of the same owner do not meet, because one could let the other win.

A player does not meet the players of its last match again as long as another player may become free
soon. Otherwise the two players of a match that has just ended would always be the free ones.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ggp.rating.sprt import expected_points

RANDOM_SHARE = 0.25
"""The share of opponents that are sampled uniformly."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A player who is free to play a match now."""

    name: str
    free_since: float
    """When the player's last match ended, in any unit. Less than all others if there was none."""
    matches: int = 0
    elo: float = 0.0
    last_met: frozenset[str] = frozenset()
    """The players that this player met in its last match."""
    seatings: Mapping[str, int] = field(default_factory=dict)
    """How often the player sat in each seat, by `seat_key`."""
    owner: int | None = None
    """The owner, or None if the player has no owner."""

    def may_meet(self, other: Candidate) -> bool:
        """Return whether the two players may meet in a match."""
        return self is not other and (self.owner is None or self.owner != other.owner)


@dataclass(frozen=True, slots=True)
class Choice:
    """A match that is to be played next."""

    game: str
    players: tuple[str, ...]
    """Names of the players, one for each role but `random`, in role order."""


def seat_key(game: str, seat: int) -> str:
    """Return the key of a seat in `Candidate.seatings`."""
    return f"{seat}:{game}"


def choose(
    num_roles: Mapping[str, int], free: Sequence[Candidate], num_in: int, rng: random.Random
) -> Choice | None:
    """Return the next match, or None if it has to wait until another player is free.

    Args:
        num_roles: Number of players in each game.
        free: The players who may play now.
        num_in: Number of all players now in the tournament: free, playing or pausing.
        rng: Used to sample opponents and to break ties.
    """
    waiting = sorted(free, key=lambda one: (one.free_since, one.matches, rng.random()))
    for first in waiting:
        group = _match_of(first, num_roles, free, num_in, rng)
        if group is not None:
            return group
    return None


def _match_of(
    first: Candidate,
    num_roles: Mapping[str, int],
    free: Sequence[Candidate],
    num_in: int,
    rng: random.Random,
) -> Choice | None:
    others = [one for one in free if one.may_meet(first)]
    owners = {one.name if one.owner is None else one.owner for one in others}
    games = [game for game, size in num_roles.items() if size <= 1 + len(owners)]
    if not games:
        return None
    game = min(games, key=lambda game: _times(first, game, num_roles[game]))
    if num_roles[game] == 1:
        return Choice(game, (first.name,))
    fresh = [one for one in others if one.name not in first.last_met]
    if not fresh and num_in > len(free):
        return None
    group = [first, _opponent(first, fresh or others, rng)]
    while len(group) < num_roles[game]:
        others = [one for one in others if one.may_meet(group[-1])]
        group.append(_opponent(first, others, rng))
    alike = [name for name in games if num_roles[name] == num_roles[game]]
    game = min(alike, key=lambda name: sum(_times(one, name, len(group)) for one in group))
    return Choice(game, _seated(game, group, rng))


def _times(one: Candidate, game: str, size: int) -> int:
    return sum(one.seatings.get(seat_key(game, seat), 0) for seat in range(size))


def _opponent(first: Candidate, others: Sequence[Candidate], rng: random.Random) -> Candidate:
    if rng.random() < RANDOM_SHARE:
        return rng.choice(others)
    return max(others, key=lambda one: (_information(first, one), rng.random()))


def _information(one: Candidate, other: Candidate) -> float:
    """Return how informative a match of two players would be."""
    chance = expected_points(one.elo - other.elo)
    return chance * (1 - chance) * (1 / (one.matches + 1) + 1 / (other.matches + 1))


def _seated(game: str, group: Sequence[Candidate], rng: random.Random) -> tuple[str, ...]:
    """Return the names in seat order, so that players get the seats that they had least often."""
    shuffled = list(group)
    rng.shuffle(shuffled)
    turns = [[*shuffled[shift:], *shuffled[:shift]] for shift in range(len(shuffled))]
    best = min(
        turns,
        key=lambda turn: sum(
            one.seatings.get(seat_key(game, seat), 0) for seat, one in enumerate(turn)
        ),
    )
    return tuple(one.name for one in best)
