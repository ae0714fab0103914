"""Keys under which handlers find the parts of the manager that they need: `request.app[HOST]`."""

from __future__ import annotations

from typing import Final

from aiohttp import web

from ggp.manager.config import ManagerConfig
from ggp.manager.domain.accounts import Accounts
from ggp.manager.domain.continuous import ContinuousPool
from ggp.manager.domain.games import Catalogue
from ggp.manager.domain.invitations import Invitations
from ggp.manager.domain.match_import import MatchImport
from ggp.manager.domain.players import PlayerRegistry
from ggp.manager.hosting.clocks import ClockCheck
from ggp.manager.hosting.hints import Hints
from ggp.manager.hosting.host import MatchHost
from ggp.manager.hosting.match_table import MatchTables
from ggp.manager.hosting.positions import Positions
from ggp.manager.hosting.reasons import Reasons
from ggp.manager.hosting.reports import Reports
from ggp.manager.hosting.spectators import Spectators
from ggp.manager.hosting.tournament_runner import TournamentRunner
from ggp.manager.store.database import Database
from ggp.sandbox import SandboxPool

CONFIG: Final = web.AppKey("config", ManagerConfig)
DATABASE: Final = web.AppKey("database", Database)
CATALOGUE: Final = web.AppKey("catalogue", Catalogue)
EDITORS: Final = web.AppKey("editors", SandboxPool)
"""Sandboxes for rules in the making."""
ACCOUNTS: Final = web.AppKey("accounts", Accounts)
"""There where the manager has accounts; likewise the next."""
INVITATIONS: Final = web.AppKey("invitations", Invitations)
PLAYERS: Final = web.AppKey("players", PlayerRegistry)
HOST: Final = web.AppKey("host", MatchHost)
MATCH_IMPORT: Final = web.AppKey("match_import", MatchImport)
MATCH_TABLES: Final = web.AppKey("match_tables", MatchTables)
POSITIONS: Final = web.AppKey("positions", Positions)
REASONS: Final = web.AppKey("reasons", Reasons)
HINTS: Final = web.AppKey("hints", Hints)
REPORTS: Final = web.AppKey("reports", Reports)
SPECTATORS: Final = web.AppKey("spectators", Spectators)
TOURNAMENTS: Final = web.AppKey("tournaments", TournamentRunner)
POOL: Final = web.AppKey("pool", ContinuousPool)
CLOCK_CHECK: Final = web.AppKey("clock_check", ClockCheck)
