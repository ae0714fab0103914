"""Continuous tournaments: joining and leaving, the table, and choosing the next match."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Collection, Mapping, Sequence

from ggp.clock import milliseconds_since_1970
from ggp.errors import GgpError
from ggp.manager.domain.players import PlayerRegistry, RetiredError, check_addresses
from ggp.manager.errors import ConflictError
from ggp.manager.store import entrants, tournaments
from ggp.manager.store.database import Database, Session
from ggp.manager.store.entrants import EncounterRow, EntrantRow, Presence
from ggp.manager.store.failures import LOCKED
from ggp.manager.store.tables import OVER, TournamentRow
from ggp.protocol.addresses import is_address
from ggp.protocol.client import info
from ggp.protocol.dialects import DIALECTS
from ggp.rating.ratings import rate_scores
from ggp.tournament.fixture import Faults
from ggp.tournament.pairing import Candidate, Choice, choose
from ggp.tournament.plan import Entrant, TournamentPlan
from ggp.tournament.table import Crosstable, CrosstableCell, TableRow, ranked

INFO_SECONDS = 2.0
"""Longest wait for an answer of an absent player, in seconds."""
BY_HAND = "by hand"
RETIRED = "retired by its owner or by a lecturer"


class ContinuousPool:
    """The entrants of continuous tournaments: joining, leaving, and checks that they can play."""

    def __init__(self, database: Database, players: PlayerRegistry) -> None:
        self._database = database
        self._players = players

    async def join(self, number: int, entrant: Entrant) -> None:
        """Let a player join a tournament."""
        source = await self._players.entrant_source(entrant.player)
        rows = await self._database.read(entrants.listed, number)
        sources = [(entrant.name, source)]
        others = [row for row in rows if row.name != entrant.name and row.state != Presence.LEFT]
        if is_address(source):
            sources += [(row.name, await self._source_of(row)) for row in others]
        check_addresses(sources)
        async with self._database.writing() as session:
            await _check_open(session, number)
            await entrants.join(session, number, entrant, milliseconds_since_1970())

    async def leave(self, number: int, name: str, reason: str = BY_HAND) -> None:
        """Remove an entrant. Keep its results, and let its running match continue to the end."""
        async with self._database.writing() as session:
            await _check_open(session, number)
            await entrants.leave(session, number, name, milliseconds_since_1970(), reason)

    async def end(self, number: int) -> None:
        """End a tournament: start no more matches, and let the running ones finish."""
        async with self._database.writing() as session:
            await _check_open(session, number)
            await entrants.close(session, number, milliseconds_since_1970())

    async def problem_of(self, player: str, dialect: str) -> str:
        """Return why a player cannot play, or "". A player at an address must answer INFO."""
        if await self._database.read(entrants.is_locked, player):
            return LOCKED
        try:
            seat = await self._players.seat(player, dialect=dialect)
            question = DIALECTS[seat.dialect].info
            if is_address(seat.source) and question:
                await info(seat.source, timeout=INFO_SECONDS, message=question)
        except GgpError as error:
            return str(error)
        return ""

    async def remove_misfits(self, number: int, rows: Sequence[EntrantRow]) -> bool:
        """Remove those of a match's entrants that cannot be seated. Return whether there were any.

        Such a player is retired, is no longer allowed, or has the same address as an earlier
        entrant of the match.
        """
        sources: list[tuple[str, str]] = []
        for row in rows:
            try:
                source = (row.name, await self._players.entrant_source(row.player))
                check_addresses([*sources, source])
            except GgpError as error:
                reason = RETIRED if isinstance(error, RetiredError) else str(error)
                with contextlib.suppress(ConflictError):  # another caller has just removed it
                    await self.leave(number, row.name, reason)
            else:
                sources.append(source)
        return len(sources) < len(rows)

    async def _source_of(self, row: EntrantRow) -> str:
        try:
            return await self._players.entrant_source(row.player)
        except GgpError:  # the player is removed when its next match is due
            return ""


async def _check_open(session: Session, number: int) -> None:
    row = await tournaments.find(session, number)
    if not is_continuous(row):
        raise ConflictError(
            f"tournament {number} has the form {row.plan['form']}, but this is only "
            "possible in a continuous one"
        )
    if row.status in OVER:
        raise ConflictError(f"tournament {number} is over: {row.status}")


def is_continuous(row: TournamentRow) -> bool:
    """Return whether a tournament is continuous, so that players join and leave while it runs."""
    return bool(row.plan.get("form") == "continuous")


def pool_table(rows: Sequence[EntrantRow], met: Sequence[EncounterRow]) -> Crosstable:
    """Return the table of a continuous tournament, given its entrants and their encounters."""
    cells: dict[tuple[str, str], CrosstableCell] = {}
    sums: dict[str, list[int]] = {row.name: [0, 0, 0] for row in rows}
    for one in met:
        meetings = one.wins + one.draws + one.losses
        if not meetings:  # all matches were annulled
            continue
        for name, opponent, ends in (
            (one.first, one.second, (one.wins, one.draws, one.losses)),
            (one.second, one.first, (one.losses, one.draws, one.wins)),
        ):
            cells[name, opponent] = CrosstableCell(ends[0] + ends[1] / 2, meetings)
            sums[name] = [before + more for before, more in zip(sums[name], ends, strict=True)]
    ratings = {
        one.name: one for one in rate_scores({pair: cell.score for pair, cell in cells.items()})
    }
    rated = []
    for row in rows:
        wins, draws, losses = sums[row.name]
        faults = Faults(row.timeouts, row.illegal, row.connection)
        rating, points = ratings.get(row.name), row.goals / 100
        ends = (wins, draws, losses)
        rated.append(TableRow(row.name, row.matches, points, *ends, rating, faults, row.absent))
    return Crosstable(ranked(rated), cells)


def next_match(
    plan: TournamentPlan,
    num_roles: Mapping[str, int],
    rows: Sequence[EntrantRow],
    busy: Collection[str],
    elos: Mapping[str, float],
    owners: Mapping[str, int],
) -> Choice | None:
    """Return the next match, or None if too few players are free.

    Args:
        plan: The plan of the tournament.
        num_roles: Number of players that each game takes.
        rows: All entrants.
        busy: Names of the entrants that are playing.
        elos: The known ratings of entrants.
        owners: The accounts of entrants that belong to students.
    """
    now = milliseconds_since_1970()
    present = [row for row in rows if row.state == Presence.IN]
    free = [
        Candidate(
            row.name,
            float(row.last_over),
            row.matches,
            elos.get(row.name, 0.0),
            frozenset(row.last_met),
            row.seatings,
            owners.get(row.name),
        )
        for row in present
        if row.name not in busy and now >= row.last_over + 1000 * plan.pause
    ]
    return choose(num_roles, free, len(present), random.Random(f"{plan.seed}:{now}"))
