"""The table of a tournament: points, ratings, and the results of each pair of players.

Players may have played different numbers of matches, for example the first player of a gauntlet or
players who have paused. So the table ranks them by their mean points per match, not by sums. In a
knockout it ranks them by pairings won, and in a continuous tournament by ratings.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import compress

from ggp.rating.ratings import Rating, meetings_of, rate
from ggp.rating.sprt import Sprt
from ggp.tournament.fixture import Faults, Result
from ggp.tournament.knockout import Bracket


@dataclass(frozen=True, slots=True)
class TableRow:
    """The row of one player in the table."""

    name: str
    matches: int
    points: float
    """Points. A goal of 100 is one point."""
    wins: int
    draws: int
    losses: int
    """Number of losses. Wins, draws and losses count each opponent in each match."""
    rating: Rating | None
    """The rating. None until the player has met another player."""
    faults: Faults
    """The player's replaced answers, in all matches."""
    absent: int = 0
    """Number of matches in which the player was absent. It gets no points for them."""
    paused: int = 0
    """Number of pauses, counted for each round and game without a match."""

    @property
    def mean(self) -> float | None:
        """Mean points per match. None for a player without a match."""
        return self.points / self.matches if self.matches else None


@dataclass(frozen=True, slots=True)
class CrosstableCell:
    """The result of all meetings of a player with one opponent.

    Attributes:
        score: Points of the player: 1 for each meeting won, 0.5 for each one drawn.
    """

    score: float
    meetings: int


@dataclass(frozen=True, slots=True)
class Crosstable:
    """A table with the results of all pairs of players, the best player first."""

    rows: tuple[TableRow, ...]
    cells: dict[tuple[str, str], CrosstableCell]
    """Cells by the names of the player and its opponent."""
    test: Sprt | None = None
    """The test in a tournament with a stop rule."""


def make_table(
    names: Sequence[str],
    results: Sequence[Result],
    test: Sprt | None = None,
    pauses: Mapping[str, int] | None = None,
) -> Crosstable:
    """Return the table of the results so far, best mean first. Every name has a row."""
    meetings = [one for r in results for one in meetings_of(r.fixture.players, r.goals, r.absent)]
    ratings = {rating.name: rating for rating in rate(meetings)}
    points: dict[str, float] = defaultdict(float)
    matches: dict[str, int] = defaultdict(int)
    faults: dict[str, list[Faults]] = defaultdict(list)
    absent: Counter[str] = Counter()
    for result in results:
        for name, goal in zip(result.fixture.players, result.goals, strict=True):
            points[name] += goal / 100
            matches[name] += 1
        for name, some in zip(result.fixture.players, result.faults, strict=False):
            faults[name].append(some)
        absent.update(compress(result.fixture.players, result.absent))
    scores: dict[tuple[str, str], list[float]] = defaultdict(list)
    for one in meetings:
        scores[one.first, one.second].append(one.score)
        scores[one.second, one.first].append(1 - one.score)
    own = {
        name: [score for pair, some in scores.items() if pair[0] == name for score in some]
        for name in names
    }
    rows = [
        TableRow(
            name,
            matches[name],
            points[name],
            own[name].count(1.0),
            own[name].count(0.5),
            own[name].count(0.0),
            ratings.get(name),
            Faults.all(faults[name]),
            absent[name],
            (pauses or {}).get(name, 0),
        )
        for name in names
    ]
    cells = {pair: CrosstableCell(sum(some), len(some)) for pair, some in scores.items()}
    by_mean = sorted(rows, key=lambda row: (-_mean(row), -_elo(row)))
    return Crosstable(tuple(by_mean), cells, test)


def by_progress(table: Crosstable, bracket: Bracket) -> Crosstable:
    """Return the table of a knockout, ranked by pairings won instead of points."""
    won = Counter(pairing.winner for pairings in bracket.rounds for pairing in pairings)
    return replace(table, rows=tuple(sorted(table.rows, key=lambda row: -won[row.name])))


def ranked(rows: Iterable[TableRow]) -> tuple[TableRow, ...]:
    """Return the rows in order of rating, then those without a rating in order of mean points."""
    return tuple(sorted(rows, key=lambda row: (row.rating is None, -_elo(row), -_mean(row))))


def _mean(row: TableRow) -> float:
    return -1.0 if row.mean is None else row.mean


def _elo(row: TableRow) -> float:
    return row.rating.elo if row.rating else 0.0
