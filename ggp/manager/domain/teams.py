"""Teams of students. A team owns players and files; each member may do with them what an owner may.

A student who joins a team keeps the players registered before. New players belong to the team. A
team whose last member leaves keeps its players and its join key, so students can join it again.
"""

from __future__ import annotations

import csv
import io
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from ggp.errors import GgpError
from ggp.manager.domain.accounts import Accounts, folded_name, new_account, number_of
from ggp.manager.domain.rights import Caller, Role
from ggp.manager.errors import ConflictError, NotThereError, WrongRequestError
from ggp.manager.store import accounts
from ggp.manager.store.accounts import TEAM, AccountRow
from ggp.manager.store.database import Database, Session
from ggp.plurals import counted

KEY_BYTES: Final = 9
"""Random bytes in a join key. It is short, because students may have to type it."""
HEADINGS: Final = ("team", "student")
MAX_LINES: Final = 1000


@dataclass(frozen=True, slots=True)
class Team:
    """A team and its members.

    Attributes:
        key: The join key.
    """

    id: int
    name: str
    key: str
    members: tuple[str, ...]


class Teams:
    """The teams of a course.

    Attributes:
        max_members: Largest number of members of a team. 0 if the course has no teams.
    """

    def __init__(self, database: Database, known: Accounts, max_members: int) -> None:
        self._database = database
        self._accounts = known
        self.max_members = max_members

    async def of(self, caller: Caller) -> Team | None:
        """Return the caller's team, or None if the caller has none."""
        if caller.team is None:
            return None
        async with self._database.reading() as session:
            return await _team(session, await accounts.find(session, caller.team))

    async def listed(self) -> list[Team]:
        """Return all teams, sorted by name."""
        async with self._database.reading() as session:
            rows = await accounts.listed(session, [TEAM])
            return [await _team(session, row) for row in rows]

    async def create(self, name: str, caller: Caller) -> Team:
        """Create a team with the caller as its first member.

        Raises:
            ConflictError: The course has no teams, or the caller already has a team.
        """
        self._check_allowed()
        async with self._database.writing() as session:
            row = await _new_team(session, name)
            await self._add(session, row, await accounts.find(session, number_of(caller)))
            found = await _team(session, row)
        self._accounts.num_ended += 1
        return found

    async def join(self, key: str, caller: Caller) -> Team:
        """Join the team that has this key.

        Raises:
            NotThereError: No team has this key.
            ConflictError: The team is full, or the caller already has a team.
        """
        self._check_allowed()
        async with self._database.writing() as session:
            row = await accounts.joined_by(session, key)
            if row is None:
                raise NotThereError("key: no team has this key; ask a member of your team for it")
            await self._add(session, row, await accounts.find(session, number_of(caller)))
            found = await _team(session, row)
        self._accounts.num_ended += 1
        return found

    async def leave(self, caller: Caller) -> None:
        """Leave the caller's team, which keeps its players and files."""
        async with self._database.writing() as session:
            row = await accounts.find(session, number_of(caller))
            if row.team_id is None:
                raise ConflictError("you are in no team")
            row.team_id = None
        self._accounts.num_ended += 1

    async def assign(self, text: str) -> list[Team]:
        """Put students into teams as a CSV says, with the columns `team` and `student`.

        Teams that do not exist are created. A student moves from another team. An empty team takes
        the student out of all teams. Nothing changes if a line is wrong.

        Raises:
            WrongRequestError: A line is wrong. The message names it.
        """
        self._check_allowed()
        wanted = list(_lines(text))
        async with self._database.writing() as session:
            teams = {row.folded_name: row for row in await accounts.listed(session, [TEAM])}
            students = {
                row.folded_name: row for row in await accounts.listed(session, [Role.STUDENT])
            }
            for number, team, student in wanted:
                try:
                    await self._assign(session, teams, students, team, student)
                except GgpError as error:
                    raise WrongRequestError(f"text: line {number}: {error}") from None
        self._accounts.num_ended += 1
        return await self.listed()

    async def _assign(
        self,
        session: Session,
        teams: dict[str, AccountRow],
        students: Mapping[str, AccountRow],
        team: str,
        student: str,
    ) -> None:
        row = students.get(folded_name(student))
        if row is None:
            raise NotThereError(f"there is no student {student:.60}")
        row.team_id = None
        if not team:
            return
        folded = folded_name(team)
        if folded not in teams:
            teams[folded] = await _new_team(session, team)
        await self._add(session, teams[folded], row)

    async def _add(self, session: Session, team: AccountRow, member: AccountRow) -> None:
        if member.role != Role.STUDENT:
            raise ConflictError(f"{member.name} is a {member.role}; only students are in teams")
        if member.team_id is not None:
            raise ConflictError("you are in a team already; leave it first")
        if len(await accounts.members(session, team.id)) >= self.max_members:
            raise ConflictError(
                f"{team.name} has {counted(self.max_members, 'member', 'members')}, the maximum"
            )
        member.team_id = team.id
        await session.flush()

    def _check_allowed(self) -> None:
        if not self.max_members:
            raise ConflictError(
                "this course has no teams; its host can start the manager with --team-size NUMBER"
            )


async def _new_team(session: Session, name: str) -> AccountRow:
    row = await new_account(session, name, None, "")
    row.join_key = secrets.token_urlsafe(KEY_BYTES)
    return row


async def _team(session: Session, row: AccountRow) -> Team:
    members = await accounts.members(session, row.id)
    return Team(row.id, row.name, row.join_key, tuple(one.name for one in members))


def _lines(text: str) -> Iterable[tuple[int, str, str]]:
    """Yield the number, the team and the student of each line below the headings.

    Spreadsheets of some countries separate cells by semicolons.
    """
    first = text.partition("\n")[0]
    rows = csv.reader(io.StringIO(text), delimiter=";" if ";" in first else ",")
    heads = [head.strip().casefold() for head in next(rows, [])]
    if tuple(heads) != HEADINGS:
        raise WrongRequestError(
            f"text: line 1: expected the headings {','.join(HEADINGS)}, got {','.join(heads)!r:.60}"
        )
    for number, row in enumerate(rows, start=2):
        if number > MAX_LINES:
            raise WrongRequestError(f"text: expected at most {MAX_LINES} lines")
        if not any(cell.strip() for cell in row):
            continue
        if len(row) != len(HEADINGS):
            raise WrongRequestError(
                f"text: line {number}: expected a team and a student, got {len(row)} cells"
            )
        yield number, row[0].strip(), row[1].strip()
