"""Tournaments: written down, planned round by round, where one stands, its table and CSV of it."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from dataclasses import astuple, dataclass, replace

from ggp.clock import milliseconds_since_1970
from ggp.csv_text import csv_lines
from ggp.manager.domain import names
from ggp.manager.domain.continuous import is_continuous, pool_table
from ggp.manager.domain.games import Catalogue
from ggp.manager.domain.matches import MatchPlan
from ggp.manager.domain.players import PlayerRegistry, check_addresses
from ggp.manager.domain.rights import Right, current_caller
from ggp.manager.errors import ConflictError
from ggp.manager.store import players, pool, tournaments
from ggp.manager.store.database import Database, Session
from ggp.manager.store.tables import EntrantRow, Status, TournamentRow
from ggp.manager.store.tournaments import FixtureEntry
from ggp.match.referee import is_played
from ggp.rating.ratings import meetings_of
from ggp.rating.sprt import Sprt
from ggp.tournament.fixture import Fixture, Result
from ggp.tournament.fixtures import check, next_round
from ggp.tournament.knockout import Bracket, bracket
from ggp.tournament.pauses import find_pauses, num_pauses
from ggp.tournament.plan import Entrant, TournamentPlan
from ggp.tournament.table import Crosstable, by_progress, make_table

PART = 500
"""Fixtures that are written down, or matches that are read, at once."""
MILLISECONDS_A_MINUTE = 60_000
MAX_OPEN = 100
"""Tournaments that are set up and not over."""
RECENT = 50
"""Matches of a continuous tournament that are shown."""
TABLE_HEADINGS = (
    *("place", "player", "points", "matches", "won", "drawn", "lost", "elo", "low", "high"),
    *("timeouts", "illegal", "connection", "absent", "mean", "paused"),
)
MATCH_HEADINGS = (
    *("number", "round", "game", "match", "status", "seat", "player", "goal"),
    *("timeouts", "illegal", "connection", "counted"),
)


class TournamentMaker:
    """Writes down tournaments that can be held, and the fixtures of their rounds."""

    def __init__(self, database: Database, catalogue: Catalogue, players: PlayerRegistry) -> None:
        self._database = database
        self._catalogue = catalogue
        self._players = players

    async def write_down(self, plan: TournamentPlan) -> int:
        """Write a tournament down that somebody will start; its number."""
        plan = replace(plan, name=names.shown(plan.name))
        num_roles = await self.num_roles(plan)
        sources = [
            (entrant.name, await self._players.check_entrant(entrant.player))
            for entrant in plan.players
        ]
        if max(num_roles.values()) > 1:
            check_addresses(sources)
        check(plan, num_roles)
        async with self._database.writing() as session:
            num_open = await tournaments.num_unfinished(session)
            if num_open >= MAX_OPEN:
                raise ConflictError(
                    f"{num_open} tournaments are held; expected fewer before a new one"
                )
            now = milliseconds_since_1970()
            number = await tournaments.create(session, plan, now)
            if plan.form == "continuous":
                await _open_pool(session, number, plan, now)
            return number

    async def find_or_write_down(self, plan: TournamentPlan) -> int:
        """The number of the tournament with this plan, which is written down if it is new."""
        plan = replace(plan, name=names.shown(plan.name))
        return await number_of(self._database, plan) or await self.write_down(plan)

    async def plan_round(
        self, number: int, plan: TournamentPlan, num_roles: dict[str, int]
    ) -> bool:
        """Write down the next round, or the rest of one that is not all there; whether any was.

        A part after the other: matches write their turns in between, and who stops the manager
        need not wait for all.
        """
        found = await self._database.read(tournaments.entries, number)
        fixtures = await asyncio.to_thread(_still_to_plan, plan, num_roles, found)
        is_any = False
        while part := await asyncio.to_thread(list, itertools.islice(fixtures, PART)):
            await self._database.write(tournaments.add_fixtures, number, part)
            is_any = True
        return is_any

    async def num_roles(self, plan: TournamentPlan) -> dict[str, int]:
        """The number of players that each game of a tournament takes."""
        return {
            game: sum(map(is_played, await self._catalogue.roles_of(game))) for game in plan.games
        }


async def number_of(database: Database, plan: TournamentPlan) -> int | None:
    """The number of the tournament with this plan; None if there is none."""
    for row in await database.read(tournaments.listed):
        if row.name == plan.name:
            if TournamentPlan.read(row.plan) == plan:
                return row.id
            raise ConflictError(
                f"another tournament is called {plan.name!r}; expected the same plan, or "
                "another name"
            )
    return None


async def _open_pool(session: Session, number: int, plan: TournamentPlan, now: int) -> None:
    for entrant in plan.players:
        await pool.join(session, number, entrant, now)
    if plan.minutes:
        await pool.close(session, number, now + MILLISECONDS_A_MINUTE * plan.minutes)


def match_plan(
    number: int, plan: TournamentPlan, fixture: Fixture, entrants: Iterable[Entrant]
) -> MatchPlan:
    """The match for a fixture of tournament `number`, whose players are among these."""
    named = {entrant.name: entrant for entrant in entrants}
    return MatchPlan(
        game=fixture.game,
        players=tuple(named[name].player for name in fixture.players),
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
    """The missing fixtures of the round that is planned; if none is missing, the next round."""
    last = max((entry.fixture.round for entry in found), default=0)
    before = [entry for entry in found if entry.fixture.round < last]
    if any(entry.result is None for entry in before):  # annulled, to be played again first
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
    """The table of what has been played so far; of a knockout, who came farthest stands first."""
    names = [entrant.name for entrant in plan.players]
    pauses = num_pauses(find_pauses(plan, (entry.fixture for entry in found)))
    table = make_table(names, _results(found), sprt_of(plan, found), pauses)
    knockout = bracket_of(plan, found)
    return table if knockout is None else by_progress(table, knockout)


def bracket_of(plan: TournamentPlan, found: Sequence[FixtureEntry]) -> Bracket | None:
    """The bracket of a knockout as far as it has been played; None for other forms."""
    return bracket(plan, _results(found)) if plan.form == "knockout" else None


def sprt_of(plan: TournamentPlan, found: Sequence[FixtureEntry]) -> Sprt | None:
    """The test by which a tournament may stop, as far as it has come; None without a stop rule.

    Pairs count in the order of play, up to the first that is not over: else games that are soon
    over would count before others, and those are not of the same kind. So what the test has
    decided follows from the results alone, whenever they came in.
    """
    if plan.stop is None:
        return None
    return Sprt.of(plan.stop, _points_of_pairs(plan.players[0].name, found))


def _points_of_pairs(first: str, found: Sequence[FixtureEntry]) -> Iterator[float]:
    """Mean points of a player in pairs of matches.

    A match that was broken off, or that neither played, leaves its pair out.
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
    """A tournament with all that has come of it."""

    row: TournamentRow
    plan: TournamentPlan
    fixtures: Sequence[FixtureEntry]
    """In the order of play; of a continuous tournament the last `RECENT`."""
    planned: int
    table: Crosstable
    bracket: Bracket | None
    pool: Sequence[EntrantRow]
    """Of a continuous tournament, who takes part or did."""

    def can_annul(self, entry: FixtureEntry) -> bool:
        """Whether the match of one of its fixtures counts and may be annulled."""
        if entry.match is None or entry.status == tournaments.ANNULLED:
            return False
        # In a knockout winners have gone on after all rounds but the last.
        is_passed = entry.fixture.round < self.fixtures[-1].fixture.round
        return self.row.status != Status.ABORTED and not (self.bracket and is_passed)


async def state_of(database: Database, number: int) -> TournamentState:
    """The present state of a tournament."""
    async with database.reading() as session:
        row = await tournaments.find(session, number)
        plan = TournamentPlan.read(row.plan)
        if is_continuous(row):
            planned = await pool.num_fixtures(session, number)
            first = max(0, planned - RECENT)
            found = await tournaments.between(session, number, first, planned)
            entrants = await pool.listed(session, number)
            met = await pool.encounters(session, number)
        else:
            found = await tournaments.entries(session, number)
            planned = len(found)
            entrants, met = [], []
    caller = current_caller()
    if entrants and not caller.may(Right.HOLD):
        pool.shorten_reasons(entrants, await database.read(players.names_of, caller.account))
    if is_continuous(row):
        table = await asyncio.to_thread(pool_table, entrants, met)
    else:
        table = table_of(plan, found)
    return TournamentState(row, plan, found, planned, table, bracket_of(plan, found), entrants)


@dataclass(frozen=True, slots=True)
class Progress:
    """Progress of a tournament."""

    done: int
    planned: int | None
    """Of how many; None of a continuous tournament."""
    test: Sprt | None


async def progress_of(database: Database, number: int, plan: TournamentPlan) -> Progress:
    """Progress of a tournament; asks for less than `state_of`."""
    async with database.reading() as session:
        if plan.form == "continuous":
            planned = await pool.num_fixtures(session, number)
            return Progress(planned - len(await pool.open_fixtures(session, number)), None, None)
        found = await tournaments.entries(session, number)
    done = sum(entry.goals is not None for entry in found)
    return Progress(done, len(found), sprt_of(plan, found))


def table_csv(table: Crosstable) -> str:
    """The table of a tournament, a line a player."""
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
    """The first matches of a tournament, a line a seat, a part after the other."""
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
