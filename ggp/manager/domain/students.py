"""The table of students: their players with ratings, and marks that lecturers look at."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import astuple, dataclass, fields

from ggp.csv_text import csv_lines
from ggp.manager.domain.ratings import Ratings, by_name
from ggp.manager.domain.rights import Role
from ggp.manager.store import accounts, attempts, players
from ggp.manager.store.accounts import AccountRow
from ggp.manager.store.database import Database
from ggp.manager.store.players import PlayerHistory
from ggp.manager.store.tables import digest_of, is_upload


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
    team: str = ""
    """The student's team. Empty if the student has none."""


async def students_of(database: Database, ratings: Ratings) -> list[StudentRow]:
    """Return the table of students, sorted by the names of students and then of players.

    The players of a team have a row for each member.
    """
    rated = by_name(await ratings.current())
    async with database.reading() as session:
        known = await accounts.listed(session, [Role.STUDENT])
        teams = {row.id: row for row in await accounts.listed(session, [accounts.TEAM])}
        owned = await players.owned(session, [*(row.id for row in known), *teams])
        tried = await attempts.num_matches(session, [one.player.id for one in owned])
    files = _files([*known, *teams.values()], owned)
    table = []
    for account in known:
        team = teams[account.team_id].name if account.team_id is not None else ""
        of_account = [
            one for one in owned if one.player.owner_id in {account.id, account.team_id} - {None}
        ]
        if not of_account:
            row = StudentRow(account.id, account.name, team=team, is_locked=account.is_locked)
            table.append(row)
        for one in of_account:
            player, rating = one.player, rated.get(one.player.name)
            same = [
                f"{name} of {other}"
                for name, other in files.get(digest_of(player.source), ())
                if other not in {account.name, team}
            ]
            figures = (None,) * 3 if rating is None else (rating.elo, rating.low, rating.high)
            marks = tried.get(player.id, 0), ", ".join(same), account.is_locked, team
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
