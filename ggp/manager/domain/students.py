"""The table of students: their players, how many matches each has played, how strong it is."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import astuple, dataclass, fields

from ggp.csv_text import csv_lines
from ggp.manager.domain.ratings import current_ratings
from ggp.manager.domain.rights import Role
from ggp.manager.store import accounts, players
from ggp.manager.store.database import Database


@dataclass(frozen=True, slots=True)
class StudentRow:
    """A student's player; or a student who has none, with empty fields.

    Attributes:
        account: The number of the account.
        student: Its name.
        player: The name of the player.
        is_retired: Whether it was taken off the list.
        matches: Played to their end.
        elo: None if it met nobody; likewise the next two.
        low: The lower end of the 95 % interval.
        high: The upper end.
    """

    account: int
    student: str
    player: str = ""
    is_retired: bool = False
    matches: int = 0
    elo: float | None = None
    low: float | None = None
    high: float | None = None


async def students_of(database: Database) -> list[StudentRow]:
    """The table, by the names of the students and then of the players."""
    ratings = {row.player_name: row for row in await current_ratings(database)}
    async with database.reading() as session:
        known = await accounts.listed(session, [Role.STUDENT])
        owned = await players.owned(session, [row.id for row in known])
    table = []
    for account in known:
        of_account = [(row, count) for row, count in owned if row.owner_id == account.id]
        if not of_account:
            table.append(StudentRow(account.id, account.name))
        for player, count in of_account:
            rating = ratings.get(player.name)
            figures = (None,) * 3 if rating is None else (rating.elo, rating.low, rating.high)
            table.append(
                StudentRow(
                    account.id, account.name, player.name, player.is_retired, count, *figures
                )
            )
    return table


def students_csv(table: Iterable[StudentRow]) -> str:
    """The table as spreadsheets read it; a name never becomes a formula there."""
    heads = [field.name for field in fields(StudentRow)]
    return csv_lines([heads, *map(astuple, table)])
