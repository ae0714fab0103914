"""The parts of a running manager: `open_service` creates them, and closes them at the end."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import Final

from aiohttp import web

from ggp.engine import EnginePool
from ggp.manager.config import ManagerConfig
from ggp.manager.domain.accounts import Accounts, Invitations
from ggp.manager.domain.calendar import CourseCalendar
from ggp.manager.domain.continuous import ContinuousPool
from ggp.manager.domain.games import Catalogue
from ggp.manager.domain.held_results import HeldResults
from ggp.manager.domain.local_time import LocalTime
from ggp.manager.domain.match_records import MatchImport
from ggp.manager.domain.matches import MatchMaker
from ggp.manager.domain.passwords import LoginBounds, Passwords
from ggp.manager.domain.players import PlayerRegistry
from ggp.manager.domain.ratings import Ratings
from ggp.manager.domain.sign_up import SignUp
from ggp.manager.domain.teams import Teams
from ggp.manager.domain.tournaments import TournamentMaker
from ggp.manager.domain.versions import Versions
from ggp.manager.hosting.agreements import Agreements
from ggp.manager.hosting.clocks import ClockCheck
from ggp.manager.hosting.cores import Cores
from ggp.manager.hosting.host import MatchHost, Venues
from ggp.manager.hosting.live import Hub, Spectators
from ggp.manager.hosting.lobby import Lobby
from ggp.manager.hosting.match_cluster import MatchCluster, opened_cluster
from ggp.manager.hosting.match_table import MatchTables
from ggp.manager.hosting.messages import Messages
from ggp.manager.hosting.pass_marks import PassMarks
from ggp.manager.hosting.people import People
from ggp.manager.hosting.position_search import Analyses, Hints, PositionSearch
from ggp.manager.hosting.positions import MAX_BELIEVERS, MatchBeliefs, Positions, Reasons
from ggp.manager.hosting.reports import Reports
from ggp.manager.hosting.scrimmages import Scrimmages
from ggp.manager.hosting.tournament_runner import TournamentRunner
from ggp.manager.store import matches
from ggp.manager.store.database import Database, opened
from ggp.sandbox import SandboxPool
from ggp.submission.starter import Starter

_log = logging.getLogger(__name__)

ACCOUNTS: Final = web.AppKey("accounts", Accounts)
"""The accounts. This key and the next three are set only if the manager has accounts."""
INVITATIONS: Final = web.AppKey("invitations", Invitations)


TEAMS: Final = web.AppKey("teams", Teams)
MESSAGES: Final = web.AppKey("messages", Messages)


@dataclass(frozen=True, slots=True, kw_only=True)
class ManagerService:
    """The parts of a running manager. Handlers get this object as `request.app[SERVICE]`."""

    config: ManagerConfig
    database: Database
    calendar: CourseCalendar
    held: HeldResults
    ratings: Ratings
    catalogue: Catalogue
    players: PlayerRegistry
    versions: Versions
    hub: Hub
    people: People
    tables: MatchTables
    host: MatchHost
    agreements: Agreements
    lobby: Lobby
    scrimmages: Scrimmages
    pass_marks: PassMarks
    cores: Cores
    cluster: MatchCluster | None
    match_import: MatchImport
    tournament_maker: TournamentMaker
    sign_up: SignUp
    pool: ContinuousPool
    tournaments: TournamentRunner
    clock_check: ClockCheck
    positions: Positions
    reasons: Reasons
    hints: Hints
    analyses: Analyses
    reports: Reports
    spectators: Spectators
    editors: SandboxPool
    trials: SandboxPool
    """Sandboxes that play random games by the rules in the editor, which takes seconds."""
    accounts: Accounts | None
    """None if the manager has no accounts. The same holds for the next three."""
    invitations: Invitations | None
    teams: Teams | None
    messages: Messages | None


SERVICE: Final = web.AppKey("service", ManagerService)


NUM_OF_MATCHES = 24
"""Number of sandboxes for matches. With more matches, some restart their process each turn."""
NUM_OF_PAGES = 4
NUM_OF_EDITORS = 2
NUM_OF_TRIALS = 2
PATIENCE_SECONDS = 15.0
"""Longest time that a page or a program waits for a sandbox. Matches wait without limit."""


@asynccontextmanager
async def open_service(config: ManagerConfig) -> AsyncIterator[ManagerService]:
    """Open everything that a manager needs, and close it at the end of the `async with`.

    Mark the matches that were running when the last manager died as interrupted.

    Raises:
        ClusterError: The cluster cannot be used.
        InUseError: Another manager is using the database.
    """
    async with AsyncExitStack() as stack:
        database = await stack.enter_async_context(opened(config.database, alone=True))
        engines = await stack.enter_async_context(EnginePool(_log.warning))
        # The pools are separate, so that no kind of work waits for another kind.
        of_matches = await stack.enter_async_context(SandboxPool(NUM_OF_MATCHES))
        of_pages, of_editors, of_trials, of_beliefs = [
            await stack.enter_async_context(SandboxPool(number, patience=PATIENCE_SECONDS))
            for number in (NUM_OF_PAGES, NUM_OF_EDITORS, NUM_OF_TRIALS, MAX_BELIEVERS)
        ]
        cluster = (
            await stack.enter_async_context(opened_cluster(config.cluster, config.max_on_cluster))
            if config.cluster
            else None
        )
        await database.write(matches.interrupt_all, "the manager stopped")
        calendar, held = await _course_parts(config, database)
        hub, cores = Hub(), Cores(config.num_cores)
        people = People(hub, config.person_seconds)
        catalogue = Catalogue(database, of_pages, of_editors)
        starter = await stack.enter_async_context(Starter())
        players = PlayerRegistry(database, config, starter)
        matchmaker = MatchMaker(database, catalogue, players, config.max_waiting)
        tables = MatchTables(database, players, engines, of_matches, people, starter)
        venues = Venues(tables, cores, cluster)
        reports = Reports(database, cores, unasked=config.reports)
        host = MatchHost(database, matchmaker, hub, venues, config.max_match_bytes, reports.follow)
        tournament_maker = TournamentMaker(database, catalogue, players)
        pool = ContinuousPool(database, players)
        tournaments = TournamentRunner(
            database,
            tournament_maker,
            matchmaker,
            host,
            pool,
            lambda: config.num_cores if cluster is None else cluster.most_searching,
        )
        positions = Positions(database, of_pages, MatchBeliefs(of_beliefs))
        search = PositionSearch(engines)
        messages = Messages(database, config, held, people)
        of_accounts = _account_parts(stack, config, database, messages)
        pass_marks = PassMarks(database, catalogue, players, host, cores)
        if config.has_accounts:
            pass_marks.start()
        reports.start()
        try:
            yield ManagerService(
                config=config,
                database=database,
                calendar=calendar,
                held=held,
                ratings=Ratings(database, held),
                catalogue=catalogue,
                players=players,
                versions=Versions(database, players),
                hub=hub,
                people=people,
                tables=tables,
                host=host,
                lobby=Lobby(database, catalogue, players, host, of_accounts.messages),
                scrimmages=Scrimmages(database, catalogue, players, host, of_accounts.messages),
                pass_marks=pass_marks,
                agreements=Agreements(database, matchmaker, host, tables, people),
                cores=cores,
                cluster=cluster,
                match_import=MatchImport(database, catalogue, of_pages),
                tournament_maker=tournament_maker,
                sign_up=SignUp(database, players, tournament_maker),
                pool=pool,
                tournaments=tournaments,
                clock_check=ClockCheck(catalogue, players, of_pages, config.num_cores),
                positions=positions,
                reasons=Reasons(database, of_pages),
                hints=Hints(database, tables, search),
                analyses=Analyses(of_editors, search),
                reports=reports,
                spectators=Spectators(database, hub, config.max_spectators),
                editors=of_editors,
                trials=of_trials,
                accounts=of_accounts.accounts,
                invitations=of_accounts.invitations,
                teams=of_accounts.teams,
                messages=of_accounts.messages,
            )
        finally:
            await pass_marks.close()
            await reports.close()
            await tournaments.close()
            await host.close()
            await positions.close()


@dataclass(frozen=True, slots=True)
class _AccountParts:
    """The parts that only a manager with accounts has."""

    accounts: Accounts | None = None
    invitations: Invitations | None = None
    teams: Teams | None = None
    messages: Messages | None = None


def _account_parts(
    stack: AsyncExitStack, config: ManagerConfig, database: Database, messages: Messages
) -> _AccountParts:
    """Create the parts. `stack` closes them. All are None without accounts."""
    if not config.has_accounts:
        return _AccountParts()
    passwords = Passwords()
    stack.callback(passwords.close)
    accounts = Accounts(database, passwords, LoginBounds())
    messages.start()
    stack.push_async_callback(messages.close)
    invitations = Invitations(database, passwords, accounts)
    return _AccountParts(
        accounts, invitations, Teams(database, accounts, config.team_size), messages
    )


async def _course_parts(
    config: ManagerConfig, database: Database
) -> tuple[CourseCalendar, HeldResults]:
    """Create the calendar and what depends on it."""
    calendar = CourseCalendar(database, LocalTime.of(config.time_zone))
    held = HeldResults(database, calendar)
    await calendar.load()
    await held.load()
    return calendar, held
