"""The parts of an open manager, and the keys under which handlers find them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from aiohttp import web

from ggp.manager.config import ManagerConfig
from ggp.manager.domain.accounts import Accounts, Invitations
from ggp.manager.domain.continuous import ContinuousPool
from ggp.manager.domain.games import Catalogue
from ggp.manager.domain.match_records import MatchImport
from ggp.manager.domain.players import PlayerRegistry
from ggp.manager.domain.tournaments import TournamentMaker
from ggp.manager.hosting.clocks import ClockCheck
from ggp.manager.hosting.cluster.match_cluster import MatchCluster
from ggp.manager.hosting.hints import Hints
from ggp.manager.hosting.host import MatchHost
from ggp.manager.hosting.live import Hub, Spectators
from ggp.manager.hosting.match_table import MatchTables
from ggp.manager.hosting.positions import Positions, Reasons
from ggp.manager.hosting.reports import Reports
from ggp.manager.hosting.tournament_runner import TournamentRunner
from ggp.manager.store.database import Database
from ggp.sandbox import SandboxPool

ACCOUNTS: Final = web.AppKey("accounts", Accounts)
"""There where the manager has accounts; likewise the next."""
INVITATIONS: Final = web.AppKey("invitations", Invitations)


@dataclass(frozen=True, slots=True, kw_only=True)
class ManagerService:
    """The parts of an open manager, for who opens it and for handlers: `request.app[SERVICE]`."""

    config: ManagerConfig
    database: Database
    catalogue: Catalogue
    players: PlayerRegistry
    hub: Hub
    tables: MatchTables
    host: MatchHost
    cluster: MatchCluster | None
    match_import: MatchImport
    tournament_maker: TournamentMaker
    pool: ContinuousPool
    tournaments: TournamentRunner
    clock_check: ClockCheck
    positions: Positions
    reasons: Reasons
    hints: Hints
    reports: Reports
    spectators: Spectators
    editors: SandboxPool
    accounts: Accounts | None
    """None for a manager without them; likewise the next."""
    invitations: Invitations | None


SERVICE: Final = web.AppKey("service", ManagerService)
