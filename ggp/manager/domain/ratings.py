"""Ratings of players: one per game, and an overall rating in which every game counts the same.

`ggp.rating.ratings` computes both. Results that are held back count for no rating.
"""

from __future__ import annotations

import asyncio
import itertools
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from ggp.clock import milliseconds_since_1970
from ggp.csv_text import csv_lines
from ggp.manager.domain.held_results import HeldResults
from ggp.manager.domain.players import PERSON
from ggp.manager.store import players
from ggp.manager.store.database import Database
from ggp.manager.store.players import OVERALL, MatchOutcome, RatingRow, SeatOutcome
from ggp.rating.ratings import Fit, Rating, fit_scores, meetings_of, rate_equally

NUM_POINTS: Final = 40
"""Largest number of points in the curve of a player's rating."""
RATING_HEADINGS = (
    *("player", "elo", "low", "high", "meetings", "computed"),
    *("kind", "provisional", "game"),
)


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """A player's overall rating after all matches that had ended at a time.

    Attributes:
        time: In milliseconds since 1970.
    """

    time: int
    elo: float
    low: float
    high: float


class Ratings:
    """The ratings of all people and programs. They are computed when they are out of date."""

    def __init__(self, database: Database, held: HeldResults) -> None:
        self._database = database
        self._held = held
        self._curves: dict[str, list[CurvePoint]] = {}
        self._curves_of = 0  # when the ratings were computed to which the curves belong
        self._drawing = asyncio.Lock()

    async def current(self, game: str = OVERALL) -> list[RatingRow]:
        """Return the ratings in a game or, by default, the overall ratings, strongest first."""
        while True:
            held = self._held.held()
            async with self._database.reading() as session:
                if await players.are_ratings_fresh(session, self._held.last_release()):
                    return await players.rated(session, game)
                # Read the clock before the matches. Then a match that ends now makes the ratings
                # stale.
                now = milliseconds_since_1970()
                found = await players.outcomes(session, held)
            rated = await asyncio.to_thread(ratings_of, found, now)
            async with self._database.writing() as session:
                if self._held.held() == held:
                    await players.keep_ratings(session, rated)
                    return await players.rated(session, game)

    async def of_player(self, name: str) -> list[RatingRow]:
        """Return a player's ratings, the overall one first, then by game."""
        await self.current()
        return await self._database.read(players.ratings_of, name)

    async def curve(self, row: RatingRow) -> list[CurvePoint]:
        """Return the curve of a player's overall rating, given the current one."""
        async with self._drawing:
            if self._curves_of != row.computed:
                held = self._held.held()
                found = await self._database.read(players.outcomes, held)
                self._curves = await asyncio.to_thread(curves_of, found)
                self._curves_of = row.computed
        return self._curves.get(_key(row.player_name, row.account_id), [])


class _Tally:
    """The scores of all players in each game so far.

    Identify a person by the account, and show the person under the latest name. People without
    an account are guests, and meetings with guests do not count. Meetings with a program of the
    same account do not count either, because the program could lose on purpose. An absent player
    loses to one that is present, whatever its replacement moves achieved.
    """

    def __init__(self) -> None:
        self.scores: dict[str, dict[tuple[str, str], float]] = {}
        self.called: dict[str, tuple[str, int]] = {}
        """Maps identities to names and accounts. The account is 0 for programs."""
        self._fits: dict[str, Fit] = {}

    def add(self, match: MatchOutcome) -> None:
        """Count a match."""
        rated = [(_identity(seat), seat) for seat in match.seats if not _is_guest(seat)]
        for who, seat in rated:
            self.called[who] = (seat.name, (seat.account or 0) if seat.is_person else 0)
        for (one, first), (other, second) in itertools.combinations(rated, 2):
            if _is_own(first, second):
                continue
            goals, absent = [first.goal, second.goal], [first.is_absent, second.is_absent]
            for met in meetings_of([one, other], goals, absent):
                scores = self.scores.setdefault(match.game, defaultdict(float))
                scores[met.first, met.second] += met.score
                scores[met.second, met.first] += 1 - met.score
                self._fits.pop(match.game, None)

    def ratings(self) -> Iterator[tuple[str, list[Rating]]]:
        """Yield the overall ratings, then each game with its ratings."""
        for game in self.scores.keys() - self._fits.keys():
            self._fits[game] = fit_scores(self.scores[game])
        yield OVERALL, rate_equally(self._fits.values()).ratings()
        for game, fit in sorted(self._fits.items()):
            yield game, fit.ratings()


def ratings_of(matches: Iterable[MatchOutcome], now: int) -> list[RatingRow]:
    """Compute the ratings of people and programs, overall and in each game."""
    tally = _Tally()
    for match in matches:
        tally.add(match)
    return [
        RatingRow(
            player_name=tally.called[one.name][0],
            account_id=tally.called[one.name][1],
            game=game,
            elo=one.elo,
            low=one.low,
            high=one.high,
            meetings=one.meetings,
            computed=now,
        )
        for game, ratings in tally.ratings()
        for one in ratings
    ]


def curves_of(matches: Sequence[MatchOutcome]) -> dict[str, list[CurvePoint]]:
    """Return the curve of the overall rating for each player, by `_key`.

    The points are after equal numbers of matches.
    """
    ordered = sorted(matches, key=lambda match: match.ended)
    step = max(1, -(-len(ordered) // NUM_POINTS))
    tally, curves = _Tally(), defaultdict[str, list[CurvePoint]](list)
    for number, match in enumerate(ordered, start=1):
        tally.add(match)
        if number % step and number < len(ordered):
            continue
        _, overall = next(tally.ratings())
        for one in overall:
            point = CurvePoint(match.ended, one.elo, one.low, one.high)
            curves[_key(*tally.called[one.name])].append(point)
    return dict(curves)


def _key(name: str, account: int) -> str:
    return f"person {account}" if account else f"program {name}"


def _is_guest(seat: SeatOutcome) -> bool:
    """Return whether a person without an account plays.

    In old matches, a person's seat has no key, but the name `PERSON`.
    """
    return (seat.is_person and seat.account is None) or seat.name == PERSON


def _identity(seat: SeatOutcome) -> str:
    return _key(seat.name, (seat.account or 0) if seat.is_person else 0)


def _is_own(first: SeatOutcome, second: SeatOutcome) -> bool:
    """Return whether both players belong to the same account or team, as people or programs."""
    owners = [{seat.account, seat.team} - {None} for seat in (first, second)]
    return not owners[0].isdisjoint(owners[1])


def by_name(ratings: Iterable[RatingRow]) -> dict[str, RatingRow]:
    """Map names to ratings. If a person and a program share a name, use the program's rating."""
    return {row.player_name: row for row in sorted(ratings, key=lambda row: -row.account_id)}


def ratings_csv(rows: Sequence[RatingRow]) -> str:
    """Return ratings as CSV, one player per line."""
    return csv_lines(
        [
            RATING_HEADINGS,
            *(
                (
                    *(row.player_name, row.elo, row.low, row.high, row.meetings),
                    *(_moment(row.computed), row.kind, row.is_provisional),
                    row.game,
                )
                for row in rows
            ),
        ]
    )


def _moment(milliseconds: int) -> str:
    return datetime.fromtimestamp(milliseconds / 1000, UTC).isoformat(timespec="seconds")
