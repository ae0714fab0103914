"""Tournaments: creating them, planning their rounds, and their state, tables and CSV files."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from dataclasses import astuple, dataclass, replace
from typing import Any

from ggp.clock import milliseconds_since_1970
from ggp.csv_text import csv_lines
from ggp.manager.domain import names
from ggp.manager.domain.continuous import is_continuous, pool_table
from ggp.manager.domain.games import Catalogue
from ggp.manager.domain.matches import MatchPlan
from ggp.manager.domain.people import PersonClock, Sitter, new_key
from ggp.manager.domain.players import PERSON, PlayerRegistry, check_addresses
from ggp.manager.domain.rights import Right, current_caller
from ggp.manager.errors import ConflictError
from ggp.manager.store import entrants, players, tournaments
from ggp.manager.store.database import Database, Session
from ggp.manager.store.entrants import PERSON_OF, EntrantRow
from ggp.manager.store.tables import Status, TournamentRow
from ggp.manager.store.tournaments import FixtureEntry, Terms
from ggp.match.referee import is_played
from ggp.rating.ratings import meetings_of
from ggp.rating.sprt import Sprt
from ggp.tournament.draw import find_pauses, num_pauses
from ggp.tournament.fixture import Fixture, Result
from ggp.tournament.fixtures import check, next_round
from ggp.tournament.knockout import Bracket, bracket
from ggp.tournament.plan import Entrant, PlanError, TournamentPlan
from ggp.tournament.table import Crosstable, by_progress, make_table

PART = 500
"""Number of fixtures to store, or of matches to read, at a time."""
MILLISECONDS_A_MINUTE = 60_000
MAX_OPEN = 100
"""Number of tournaments that may be unfinished at the same time."""
RECENT = 50
"""Number of a continuous tournament's latest matches to show."""
TABLE_HEADINGS = (
    *("place", "player", "points", "matches", "won", "drawn", "lost", "elo", "low", "high"),
    *("timeouts", "illegal", "connection", "absent", "mean", "paused"),
)
MATCH_HEADINGS = (
    *("number", "round", "game", "match", "status", "seat", "player", "goal"),
    *("timeouts", "illegal", "connection", "counted"),
)


class TournamentMaker:
    """The maker of tournaments: it checks and stores them, and the fixtures of their rounds."""

    def __init__(self, database: Database, catalogue: Catalogue, players: PlayerRegistry) -> None:
        self._database = database
        self._catalogue = catalogue
        self._players = players

    async def write_down(self, plan: TournamentPlan, terms: Terms | None = None) -> int:
        """Store a tournament and return its number. The caller starts the tournament.

        Args:
            terms: By default, it begins at once, and everyone may see its results.
        """
        is_open = terms is not None and terms.is_open
        plan = replace(plan, name=names.shown(plan.name))
        if is_open:
            await self.num_roles(plan)  # which names games that do not exist
        else:
            await self.check(plan)
        async with self._database.writing() as session:
            num_open = await tournaments.num_unfinished(session)
            if num_open >= MAX_OPEN:
                raise ConflictError(
                    f"{num_open} tournaments are not over; wait until one of them has ended"
                )
            now = milliseconds_since_1970()
            number = await tournaments.create(session, plan, now, terms)
            if plan.form == "continuous" or is_open:
                await _open_pool(session, number, plan, now)
            return number

    async def check(self, plan: TournamentPlan) -> None:
        """Check that a tournament can be played by its players.

        Raises:
            PlanError: It has too few players or too many matches.
        """
        num_roles = await self.num_roles(plan)
        sources = [
            (entrant.name, await self._players.entrant_source(entrant.player))
            for entrant in plan.players
            if not entrant.player.startswith(PERSON_OF)
        ]
        if not plan.players and plan.form != "continuous":
            raise PlanError("players: expected at least one")
        if max(num_roles.values()) > 1:
            check_addresses(sources)
        check(plan, num_roles)

    async def find_or_write_down(self, plan: TournamentPlan) -> int:
        """Return the number of the tournament with this plan. Store the tournament if it is new."""
        plan = replace(plan, name=names.shown(plan.name))
        return await number_of(self._database, plan) or await self.write_down(plan)

    async def plan_round(
        self, number: int, plan: TournamentPlan, num_roles: dict[str, int]
    ) -> bool:
        """Store the missing fixtures of the current round or else the fixtures of the next round.

        Return whether there were any. Store them in parts, so that matches can write their turns in
        between and the manager can stop without waiting for the rest.
        """
        found = await self._database.read(tournaments.entries, number)
        fixtures = await asyncio.to_thread(_still_to_plan, plan, num_roles, found)
        is_any = False
        while part := await asyncio.to_thread(list, itertools.islice(fixtures, PART)):
            await self._database.write(tournaments.add_fixtures, number, part)
            is_any = True
        return is_any

    async def num_roles(self, plan: TournamentPlan) -> dict[str, int]:
        """Return the number of players that each game of a tournament takes."""
        return {
            game: sum(map(is_played, await self._catalogue.roles_of(game))) for game in plan.games
        }


async def number_of(database: Database, plan: TournamentPlan) -> int | None:
    """Return the number of the tournament with this plan, or None if there is none."""
    for row in await database.read(tournaments.listed):
        if row.name == plan.name:
            if TournamentPlan.read(row.plan) == plan:
                return row.id
            raise ConflictError(
                f"there is already a tournament {plan.name!r} with a different plan; use "
                "the same plan or choose another name"
            )
    return None


async def _open_pool(session: Session, number: int, plan: TournamentPlan, now: int) -> None:
    for entrant in plan.players:
        await entrants.join(session, number, entrant, now)
    if plan.minutes:
        await entrants.close(session, number, now + MILLISECONDS_A_MINUTE * plan.minutes)


def people_in(plan: TournamentPlan, fixture: Fixture) -> dict[str, int]:
    """Map the names of the people who play a fixture to their accounts."""
    return {
        one.name: int(one.player.removeprefix(PERSON_OF))
        for one in plan.players
        if one.name in fixture.players and one.player.startswith(PERSON_OF)
    }


def match_plan(
    number: int,
    plan: TournamentPlan,
    fixture: Fixture,
    entrants: Iterable[Entrant],
    clock: dict[str, Any] | None = None,
) -> MatchPlan:
    """Return the plan of the match for a fixture of tournament `number`.

    Args:
        clock: The clock of the people, as JSON.
    """
    named = {entrant.name: entrant for entrant in entrants}
    people = people_in(plan, fixture)
    return MatchPlan(
        game=fixture.game,
        players=tuple(PERSON if name in people else named[name].player for name in fixture.players),
        sitters=tuple(
            Sitter(name, people[name], new_key()) for name in fixture.players if name in people
        ),
        clock=PersonClock(**clock) if people and clock else None,
        names=fixture.players,
        dialects=tuple(named[name].dialect for name in fixture.players),
        startclock=plan.startclock,
        playclock=plan.playclock,
        seed=fixture.seed,
        move_limit=plan.move_limit,
        tournament=number,
        fixture=fixture.number,
    )


def _still_to_plan(
    plan: TournamentPlan, num_roles: dict[str, int], found: Sequence[FixtureEntry]
) -> Iterator[Fixture]:
    """Return an iterator over the fixtures to store next.

    They are the missing fixtures of the current round or, once all its matches are over, the
    fixtures of the next round. There are none while stored fixtures have to be played first.
    """
    last = max((entry.fixture.round for entry in found), default=0)
    before = [entry for entry in found if entry.fixture.round < last]
    if any(entry.result is None for entry in before):  # annulled: play it again first
        return iter(())
    rest = itertools.islice(
        next_round(plan, num_roles, _results(before)), len(found) - len(before), None
    )
    for fixture in rest:
        return itertools.chain([fixture], rest)
    if any(entry.result is None for entry in found):
        return iter(())
    return next_round(plan, num_roles, _results(found))


def _results(found: Sequence[FixtureEntry]) -> list[Result]:
    return [entry.result for entry in found if entry.result is not None]


def table_of(plan: TournamentPlan, found: Sequence[FixtureEntry]) -> Crosstable:
    """Return the table so far. In a knockout, the players who got furthest come first."""
    names = [entrant.name for entrant in plan.players]
    pauses = num_pauses(find_pauses(plan, (entry.fixture for entry in found)))
    table = make_table(names, _results(found), sprt_of(plan, found), pauses)
    knockout = bracket_of(plan, found)
    return table if knockout is None else by_progress(table, knockout)


def bracket_of(plan: TournamentPlan, found: Sequence[FixtureEntry]) -> Bracket | None:
    """Return the bracket of a knockout so far, or None for other forms."""
    return bracket(plan, _results(found)) if plan.form == "knockout" else None


def sprt_of(plan: TournamentPlan, found: Sequence[FixtureEntry]) -> Sprt | None:
    """Return the current state of the test that may stop a tournament, or None without stop rule.

    Count pairs in the order of play, up to the first pair that is not over. Otherwise short games
    would count before long ones and bias the result. So the decision depends only on the results,
    and not on the order in which they arrive.
    """
    if plan.stop is None:
        return None
    return Sprt.of(plan.stop, _points_of_pairs(plan.players[0].name, found))


def _points_of_pairs(first: str, found: Sequence[FixtureEntry]) -> Iterator[float]:
    """Yield the mean points of player `first` in each pair of matches, until a pair is not over.

    Skip a pair if one of its matches was broken off, or if both players were absent from a match.
    """
    for pair in zip(found[::2], found[1::2], strict=False):
        results = _results(pair)
        if len(results) < 2:
            return
        met = [
            meeting
            for result in results
            for meeting in meetings_of(result.fixture.players, result.goals, result.absent)
        ]
        if len(met) == 2 and all(entry.status is Status.COMPLETED for entry in pair):
            yield sum(one.score if one.first == first else 1 - one.score for one in met) / 2


@dataclass(frozen=True, slots=True)
class TournamentState:
    """A tournament with its fixtures, table and entrants."""

    row: TournamentRow
    plan: TournamentPlan
    fixtures: Sequence[FixtureEntry]
    """In the order of play. Only the last `RECENT` for a continuous tournament."""
    planned: int
    table: Crosstable
    bracket: Bracket | None
    pool: Sequence[EntrantRow]
    """Current and former entrants of a continuous tournament."""

    def can_annul(self, entry: FixtureEntry) -> bool:
        """Return whether the match of a fixture counts and may be annulled."""
        if entry.match is None or entry.status == tournaments.ANNULLED:
            return False
        # In a knockout, the winners of all rounds but the last have already advanced.
        is_passed = entry.fixture.round < self.fixtures[-1].fixture.round
        return self.row.status != Status.ABORTED and not (self.bracket and is_passed)


async def state_of(database: Database, number: int) -> TournamentState:
    """Return the current state of a tournament."""
    async with database.reading() as session:
        row = await tournaments.find(session, number)
        plan = TournamentPlan.read(row.plan)
        if is_continuous(row):
            planned = await entrants.num_fixtures(session, number)
            first = max(0, planned - RECENT)
            found = await tournaments.between(session, number, first, planned)
            listed = await entrants.listed(session, number)
            met = await entrants.encounters(session, number)
        else:
            found = await tournaments.entries(session, number)
            planned = len(found)
            listed, met = await entrants.listed(session, number) if row.is_open else [], []
    caller = current_caller()
    if listed and not caller.may(Right.HOLD):
        entrants.shorten_reasons(listed, await database.read(players.names_of, caller.owners))
    if is_continuous(row):
        table = await asyncio.to_thread(pool_table, listed, met)
    else:
        table = table_of(plan, found)
    return TournamentState(row, plan, found, planned, table, bracket_of(plan, found), listed)


@dataclass(frozen=True, slots=True)
class TournamentProgress:
    """The progress of a tournament: how many matches are over."""

    done: int
    planned: int | None
    """Number of planned matches. None for a continuous tournament."""
    test: Sprt | None


async def progress_of(database: Database, number: int, plan: TournamentPlan) -> TournamentProgress:
    """Return the progress of a tournament, with fewer queries than `state_of`."""
    async with database.reading() as session:
        if plan.form == "continuous":
            planned = await entrants.num_fixtures(session, number)
            return TournamentProgress(
                planned - len(await entrants.open_fixtures(session, number)), None, None
            )
        found = await tournaments.entries(session, number)
    done = sum(entry.goals is not None for entry in found)
    return TournamentProgress(done, len(found), sprt_of(plan, found))


def table_csv(table: Crosstable) -> str:
    """Return the table of a tournament as CSV, one player per line."""
    lines: list[Sequence[object]] = [TABLE_HEADINGS]
    for place, row in enumerate(table.rows, start=1):
        elo = row.rating
        figures = (elo.elo, elo.low, elo.high) if elo is not None else ("", "", "")
        counts = (row.matches, row.wins, row.draws, row.losses)
        troubles = (*astuple(row.faults), row.absent)
        mean = "" if row.mean is None else round(row.mean, 4)
        lines.append((place, row.name, row.points, *counts, *figures, *troubles, mean, row.paused))
    return csv_lines(lines)


async def matches_csv(database: Database, number: int, planned: int) -> AsyncIterator[bytes]:
    """Yield a tournament's first `planned` matches as CSV, in parts, with one line per seat."""
    yield csv_lines([MATCH_HEADINGS]).encode()
    for first in range(0, planned, PART):
        end = min(first + PART, planned)
        found = await database.read(tournaments.between, number, first, end)
        yield csv_lines([line for entry in found for line in _seats_of(entry)]).encode()


def _seats_of(entry: FixtureEntry) -> Iterable[Sequence[object]]:
    fixture = entry.fixture
    for seat, name in enumerate(fixture.players):
        goal = "" if entry.goals is None else entry.goals[seat]
        counted = "" if entry.counted is None else entry.counted[seat]
        is_known = seat < len(entry.faults)
        faults = astuple(entry.faults[seat]) if is_known else ("", "", "")
        match = "" if entry.match is None else entry.match
        yield (
            *(fixture.number, fixture.round, fixture.game, match, str(entry.status)),
            *(seat, name, goal, *faults, counted),
        )
