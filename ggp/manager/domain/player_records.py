"""The record of a player: rating, results by game and by opponent, and latest matches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

from ggp.errors import UnknownNameError
from ggp.manager.domain.ratings import Ratings, by_name
from ggp.manager.errors import NotThereError
from ggp.manager.store import matches, players
from ggp.manager.store.database import Database
from ggp.manager.store.players import RatingRow
from ggp.manager.store.tables import MatchRow
from ggp.rating.ratings import meetings_of
from ggp.tournament.fixture import counted_goals

NUM_RESULTS = 1000
"""Number of latest matches in a player's record. Earlier ones count only for the rating."""


@dataclass(slots=True)
class Tally:
    """One player's results in some matches.

    Any two players in a match meet each other. The one with the higher goal wins the meeting.
    """

    name: str
    """The name of the game or the opponent."""
    matches: int = 0
    goals: list[int] = field(default_factory=list)
    """The player's own goals, one per seat."""
    scores: Counter[float] = field(default_factory=Counter)
    """Number of meetings won (1), drawn (0.5) and lost (0)."""

    @property
    def wins(self) -> int:
        """Number of meetings in which the player got the higher goal."""
        return self.scores[1.0]

    @property
    def draws(self) -> int:
        """Number of meetings with equal goals."""
        return self.scores[0.5]

    @property
    def losses(self) -> int:
        """Number of meetings in which the opponent got the higher goal."""
        return self.scores[0.0]

    @property
    def mean_goal(self) -> float:
        """Mean goal of the player's seats."""
        return sum(self.goals) / len(self.goals)

    @property
    def points_percent(self) -> float | None:
        """Share of the possible points in percent, or None without meetings. A draw counts half."""
        met = self.scores.total()
        return 100 * sum(score * num for score, num in self.scores.items()) / met if met else None


@dataclass(frozen=True, slots=True)
class PlayerRecord:
    """The rating and the results of a player."""

    name: str
    rating: RatingRow | None
    games: list[Tally]
    opponents: list[Tally]
    results: list[MatchRow]


async def record_of(
    database: Database, ratings: Ratings, hidden: Collection[int], player: str
) -> PlayerRecord:
    """Return the record of a player, registered or not.

    Args:
        hidden: The tournaments whose matches the caller may not see.
    """
    rated = by_name(await ratings.current())
    async with database.reading() as session:
        results = await matches.completed_of(session, player, NUM_RESULTS, hidden)
        known = [row.name for row in await players.listed(session)]
    if not results and player not in known:
        raise UnknownNameError("player", player, {*known, *rated})
    games, opponents = by_game(player, results), by_opponent(player, results)
    return PlayerRecord(player, rated.get(player), games, opponents, results)


def against(record: PlayerRecord, opponent: str) -> PlayerRecord:
    """Return the part of a record that says how the player did against an opponent.

    Raises:
        NotThereError: The two have not met in the latest matches.
    """
    results = [
        match
        for match in record.results
        if any(name == opponent for name, _ in _scores(record.name, match))
    ]
    if not results:
        raise NotThereError(f"{record.name} has no match against {opponent:.60}")
    met = [tally for tally in record.opponents if tally.name == opponent]
    games = by_game(record.name, results, opponent)
    return PlayerRecord(record.name, record.rating, games, met, results)


def by_game(player: str, results: Iterable[MatchRow], opponent: str = "") -> list[Tally]:
    """Return one tally for each game, sorted by name.

    Args:
        opponent: Count only meetings with this player. Empty to count all.
    """
    tallies: dict[str, Tally] = {}
    for one in results:
        tally = tallies.setdefault(one.game, Tally(one.game))
        met = _scores(player, one)
        _count(tally, player, one, [each for each in met if opponent in {"", each[0]}])
    return sorted(tallies.values(), key=lambda tally: tally.name)


def by_opponent(player: str, results: Iterable[MatchRow]) -> list[Tally]:
    """Return one tally for each opponent, sorted by name."""
    tallies: dict[str, Tally] = {}
    for one in results:
        met = _scores(player, one)
        for name in dict.fromkeys(opponent for opponent, _ in met):
            tally = tallies.setdefault(name, Tally(name))
            _count(tally, player, one, [each for each in met if each[0] == name])
    return sorted(tallies.values(), key=lambda tally: tally.name)


def _count(tally: Tally, player: str, match: MatchRow, met: list[tuple[str, float]]) -> None:
    tally.matches += 1
    goals = counted_goals(*_goals(match))
    of_seats = zip(match.seats, goals, strict=True)
    tally.goals += [goal for seat, goal in of_seats if seat.player_name == player]
    tally.scores.update(score for _, score in met)


def _scores(player: str, match: MatchRow) -> list[tuple[str, float]]:
    names = [seat.player_name for seat in match.seats]
    met = []
    for meeting in meetings_of(names, *_goals(match)):
        if meeting.first == player:
            met.append((meeting.second, meeting.score))
        elif meeting.second == player:
            met.append((meeting.first, 1 - meeting.score))
    return met


def _goals(match: MatchRow) -> tuple[list[int], list[bool]]:
    """Return the goals of all seats as played, and which seats were absent."""
    return [seat.goal or 0 for seat in match.seats], [seat.is_absent for seat in match.seats]
