"""The order of a match: all that whoever holds it has to know, here or on another machine."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ggp.manager.domain.players import searches_here
from ggp.manager.store.tables import MatchRow, RulesheetRow
from ggp.match.referee import MatchSetup
from ggp.protocol.dialects import GAMEMASTER

if TYPE_CHECKING:
    from ggp.manager.hosting.match_table import MatchTable


@dataclass(frozen=True, slots=True)
class SeatOrder:
    """A seat, and who is to sit there."""

    role: str
    role_index: int
    name: str
    """Of the player, in records and tables."""
    source: str
    """Its address or spec; empty for a person."""
    dialect: str
    """In which it is spoken to, if it is a running one."""
    seed: int | None
    """Of the luck of a player that is started for the match."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchOrder:
    """A match to be held; players that are deterministic play the same each time."""

    match_id: str
    game: str
    rules: str
    is_bundled: bool
    """Whether the rules came with the program; others are read in a sandbox."""
    seats: tuple[SeatOrder, ...]
    """Of each role but `random`, in role order."""
    is_scrambled: bool
    startclock: int
    playclock: int
    move_limit: int | None
    seed: int | None

    @classmethod
    def of(cls, match: MatchRow) -> MatchOrder:
        """The order of a match that is written down, read with its seats and rules."""
        seats = [
            SeatOrder(
                role=row.role,
                role_index=row.role_index,
                name=row.player_name,
                source=row.source,
                dialect=row.dialect,
                seed=None if match.seed is None else match.seed + row.role_index,
            )
            for row in match.seats
        ]
        return cls(
            match_id=match.match_id,
            game=match.rulesheet.name,
            rules=match.rulesheet.text,
            is_bundled=match.rulesheet.is_bundled,
            seats=tuple(seats),
            is_scrambled=match.is_scrambled,
            startclock=match.startclock,
            playclock=match.playclock,
            move_limit=match.move_limit,
            seed=match.seed,
        )

    @property
    def sheet(self) -> RulesheetRow:
        """The rules as a row of no database."""
        return RulesheetRow(name=self.game, text=self.rules, is_bundled=self.is_bundled)

    @property
    def wants_epilog(self) -> bool:
        """Whether somebody is told the rules in Epilog."""
        return any(seat.dialect == GAMEMASTER for seat in self.seats)

    @property
    def num_searching(self) -> int:
        """Number of players that search on the machine where the match is held."""
        return sum(searches_here(seat.source) for seat in self.seats)

    @property
    def people(self) -> frozenset[str]:
        """The roles that people play: somebody waits there for the match to begin."""
        return frozenset(seat.role for seat in self.seats if not seat.source)

    def setup(
        self, table: MatchTable, will_go_on: Callable[[], bool] = lambda: False
    ) -> MatchSetup:
        """What the referee has to know, at the table of the match.

        Args:
            table: Where it is played.
            will_go_on: Whether a match that is cancelled now is to be taken up again later.
        """
        return MatchSetup(
            match_id=self.match_id,
            rulebook=table.rulebook,
            rules=table.rules,
            startclock=self.startclock,
            playclock=self.playclock,
            move_limit=self.move_limit,
            seed=self.seed,
            unhurried=self.people,
            epilog=table.epilog,
            will_go_on=will_go_on,
        )
