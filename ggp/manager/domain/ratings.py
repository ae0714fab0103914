"""Ratings of players, their results by game and by opponent, and the table of students."""

from __future__ import annotations

import asyncio
import itertools
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass, field, fields
from datetime import UTC, datetime

from ggp.clock import milliseconds_since_1970
from ggp.csv_text import csv_lines
from ggp.errors import UnknownNameError
from ggp.manager.domain.players import PERSON
from ggp.manager.domain.rights import Role
from ggp.manager.store import accounts, attempts, matches, players
from ggp.manager.store.accounts import AccountRow
from ggp.manager.store.database import Database
from ggp.manager.store.players import PlayerHistory, RatingRow, SeatOutcome
from ggp.manager.store.tables import MatchRow, digest_of, is_upload
from ggp.rating.ratings import meetings_of, rate
from ggp.tournament.fixture import counted_goals

NUM_RESULTS = 1000
"""Number of latest matches in a player's record. Earlier ones count only for the rating."""
RATING_HEADINGS = (
    *("player", "elo", "low", "high", "meetings", "computed"),
    *("kind", "provisional"),
)


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


async def current_ratings(database: Database) -> list[RatingRow]:
    """Return the ratings, strongest first. If the stored ones are out of date, compute new ones."""
    async with database.reading() as session:
        if await players.are_ratings_fresh(session):
            return await players.rated(session)
        # Read the clock before the matches. Then a match that ends now makes the ratings stale.
        now = milliseconds_since_1970()
        found = await players.outcomes(session)
    rated = await asyncio.to_thread(ratings_of, found, now)
    async with database.writing() as session:
        await players.keep_ratings(session, rated)
        return await players.rated(session)


def ratings_of(matches: Iterable[Sequence[SeatOutcome]], now: int) -> list[RatingRow]:
    """Compute the ratings of people and programs in one table, strongest first.

    Identify a person by the account, and show the person under the latest name. People without
    an account are guests, and meetings with guests do not count. Meetings with a program of the
    same account do not count either, because the program could lose on purpose. An absent player
    loses to one that is present, whatever its replacement moves achieved.
    """
    called: dict[str, tuple[str, int]] = {}
    meetings = []
    for seats in matches:
        rated = [(_identity(seat), seat) for seat in seats if not _is_guest(seat)]
        for who, seat in rated:
            called[who] = (seat.name, (seat.account or 0) if seat.is_person else 0)
        for (one, first), (other, second) in itertools.combinations(rated, 2):
            if not _is_own(first, second):
                goals, absent = [first.goal, second.goal], [first.is_absent, second.is_absent]
                meetings += meetings_of([one, other], goals, absent)
    return [
        RatingRow(
            player_name=called[one.name][0],
            account_id=called[one.name][1],
            elo=one.elo,
            low=one.low,
            high=one.high,
            meetings=one.meetings,
            computed=now,
        )
        for one in rate(meetings)
    ]


def _is_guest(seat: SeatOutcome) -> bool:
    """Return whether a person without an account plays.

    In old matches, a person's seat has no key, but the name `PERSON`.
    """
    return (seat.is_person and seat.account is None) or seat.name == PERSON


def _identity(seat: SeatOutcome) -> str:
    return f"person {seat.account}" if seat.is_person else f"program {seat.name}"


def _is_own(first: SeatOutcome, second: SeatOutcome) -> bool:
    """Return whether both players belong to the same account, as its person or its programs."""
    return first.account == second.account is not None


async def record_of(database: Database, player: str) -> PlayerRecord:
    """Return the record of a player, registered or not."""
    rated = _by_name(await current_ratings(database))
    async with database.reading() as session:
        results = await matches.completed_of(session, player, NUM_RESULTS)
        known = [row.name for row in await players.listed(session)]
    if not results and player not in known:
        raise UnknownNameError("player", player, {*known, *rated})
    games, opponents = by_game(player, results), by_opponent(player, results)
    return PlayerRecord(player, rated.get(player), games, opponents, results)


def _by_name(ratings: Iterable[RatingRow]) -> dict[str, RatingRow]:
    """Map names to ratings. If a person and a program share a name, use the program's rating."""
    return {row.player_name: row for row in sorted(ratings, key=lambda row: -row.account_id)}


def by_game(player: str, results: Iterable[MatchRow]) -> list[Tally]:
    """Return one tally for each game, sorted by name."""
    tallies: dict[str, Tally] = {}
    for one in results:
        tally = tallies.setdefault(one.game, Tally(one.game))
        _count(tally, player, one, _scores(player, one))
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


def ratings_csv(rows: Sequence[RatingRow]) -> str:
    """Return the ratings of all players as CSV, one player per line."""
    return csv_lines(
        [
            RATING_HEADINGS,
            *(
                (
                    *(row.player_name, row.elo, row.low, row.high, row.meetings),
                    *(_moment(row.computed), row.kind, "yes" if row.is_provisional else "no"),
                )
                for row in rows
            ),
        ]
    )


def _moment(milliseconds: int) -> str:
    return datetime.fromtimestamp(milliseconds / 1000, UTC).isoformat(timespec="seconds")


@dataclass(frozen=True, slots=True)
class StudentRow:
    """A row of the table of students: a student's player, or a student who has no player."""

    account: int
    student: str
    player: str = ""
    is_retired: bool = False
    matches: int = 0
    elo: float | None = None
    low: float | None = None
    high: float | None = None
    swapped: int = 0
    """Number of matches that were played by another file or address than the current one."""
    swap: str = ""
    """A sentence about these matches, with the time when the last one ended. Empty if none."""
    attempts: int = 0
    """Number of matches in which the player tried something forbidden."""
    same_file: str = ""
    """Other students' players that use the same file, with their owners. Empty if none do."""
    is_locked: bool = False
    """Whether the account is locked."""


async def students_of(database: Database) -> list[StudentRow]:
    """Return the table of students, sorted by the names of students and then of players."""
    ratings = _by_name(await current_ratings(database))
    async with database.reading() as session:
        known = await accounts.listed(session, [Role.STUDENT])
        owned = await players.owned(session, [row.id for row in known])
        tried = await attempts.num_matches(session, [one.player.id for one in owned])
    files = _files(known, owned)
    table = []
    for account in known:
        of_account = [one for one in owned if one.player.owner_id == account.id]
        if not of_account:
            table.append(StudentRow(account.id, account.name, is_locked=account.is_locked))
        for one in of_account:
            player, rating = one.player, ratings.get(one.player.name)
            same = [
                f"{name} of {student}"
                for name, student in files.get(digest_of(player.source), ())
                if student != account.name
            ]
            figures = (None,) * 3 if rating is None else (rating.elo, rating.low, rating.high)
            marks = tried.get(player.id, 0), ", ".join(same), account.is_locked
            table.append(
                StudentRow(
                    *(account.id, account.name, player.name, player.is_retired, one.matches),
                    *(*figures, one.swapped, one.swap, *marks),
                )
            )
    return table


def _files(
    students: Iterable[AccountRow], owned: Iterable[PlayerHistory]
) -> dict[str, list[tuple[str, str]]]:
    """Map the hash of each uploaded file to the names of its players and their students."""
    named = {row.id: row.name for row in students}
    found: dict[str, list[tuple[str, str]]] = {}
    for player in (one.player for one in owned):
        if is_upload(player.source):
            student = named[player.owner_id or 0]
            found.setdefault(digest_of(player.source), []).append((player.name, student))
    return found


def students_csv(table: Iterable[StudentRow]) -> str:
    """Return the table as CSV. Names are escaped, so that spreadsheets read none as a formula."""
    heads = [field.name for field in fields(StudentRow)]
    return csv_lines([heads, *map(astuple, table)])
