"""Pass marks: each version of a student's player is tried against a reference player.

The trials are played one match at a time, and only while a core is free that no other match wants.
Everything is in the database, so a manager that was killed continues where it stopped.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from dataclasses import dataclass
from typing import Any, Final

from ggp.clock import milliseconds_since_1970
from ggp.csv_text import csv_lines
from ggp.errors import GgpError
from ggp.manager.domain import names
from ggp.manager.domain.games import Catalogue
from ggp.manager.domain.matches import MatchPlan
from ggp.manager.domain.players import PERSON, PlayerRegistry
from ggp.manager.domain.rights import Caller, Right
from ggp.manager.errors import ConflictError, WrongRequestError
from ggp.manager.hosting.cores import Cores
from ggp.manager.hosting.host import MatchHost
from ggp.manager.store import accounts, matches, pass_marks
from ggp.manager.store.database import Database, Session, UnavailableError
from ggp.manager.store.pass_marks import PassMarkRow, TrialRow, Verdict
from ggp.manager.store.tables import OVER, PlayerRow, Status, Unrated
from ggp.match.referee import is_played
from ggp.processes.tasks import cancel
from ggp.tournament.fixture import counted_goals

LOOK_SECONDS: Final = 2.0
"""Seconds between two looks at what is to be tried."""
MAX_MARKS: Final = 20
HEADINGS: Final = ("mark", "owner", "player", "version", "status", "game", "points", "problem")

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Trial:
    """A trial as people see it.

    Attributes:
        owner: The name of the student or the team.
    """

    row: TrialRow
    mark: PassMarkRow
    player: PlayerRow
    owner: str

    @property
    def is_current(self) -> bool:
        """Whether the version is the player's current one."""
        return self.row.version == self.player.version and not self.player.is_retired

    @property
    def points(self) -> str:
        """The points in each game, as a text."""
        return ", ".join(f"{game} {self.row.points_in(game):g}" for game in self.mark.games)


class PassMarks:
    """The pass marks of a course. `start` begins to try players."""

    def __init__(
        self,
        database: Database,
        catalogue: Catalogue,
        players: PlayerRegistry,
        host: MatchHost,
        cores: Cores,
    ) -> None:
        self._database = database
        self._catalogue = catalogue
        self._players = players
        self._host = host
        self._cores = cores
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to try players."""
        self._task = asyncio.create_task(self._run(), name="pass marks")

    async def close(self) -> None:
        """Stop trying players."""
        if self._task is not None:
            await cancel(self._task)

    async def create(self, row: PassMarkRow) -> PassMarkRow:
        """Store a new pass mark. All players of students are tried against it.

        Raises:
            WrongRequestError: A game is not for two, or the reference is a person.
            ConflictError: There is a mark with this name, or there are too many.
        """
        row.name, row.created = names.shown(row.name), milliseconds_since_1970()
        if len(set(row.games)) < len(row.games):
            raise WrongRequestError("games: expected each game once")
        if row.reference == PERSON:
            raise WrongRequestError("reference: expected a program, got a person")
        await self._players.seat(row.reference)
        for game in row.games:
            if sum(map(is_played, await self._catalogue.roles_of(game))) != 2:
                raise WrongRequestError(f"games: expected games for two, got {game}")
        if row.points > row.matches:
            raise WrongRequestError(
                f"points: expected at most {row.matches}, the number of matches, got {row.points}"
            )
        async with self._database.writing() as session:
            known = await pass_marks.listed(session)
            if any(one.name == row.name for one in known):
                raise ConflictError(f"name: there is already a pass mark {row.name}")
            if len(known) >= MAX_MARKS:
                raise ConflictError(f"there are {len(known)} pass marks; withdraw one first")
            session.add(row)
        return row

    async def listed(self) -> list[PassMarkRow]:
        """Return all pass marks, oldest first."""
        return await self._database.read(pass_marks.listed)

    async def withdraw(self, number: int) -> None:
        """Withdraw a pass mark. Its trials end, and their matches stay."""
        async with self._database.writing() as session:
            row = await pass_marks.find(session, number)
            row.name, row.is_withdrawn = f"{row.name[:80]} (withdrawn {row.id})", True

    async def trials(self, caller: Caller) -> list[Trial]:
        """Return the trials of the caller's players or, for lecturers, of all, latest first."""
        async with self._database.reading() as session:
            known = {row.id: row.name for row in await accounts.of_students(session)}
            found = await pass_marks.trials(session)
        return [
            Trial(row, mark, player, known.get(player.owner_id or 0, ""))
            for row, mark, player in reversed(found)
            if caller.may(Right.HOLD) or player.owner_id in caller.owners
        ]

    async def _run(self) -> None:
        while True:
            try:
                await self._add_missing()
                while await self._step():
                    pass
            except UnavailableError:
                pass  # try again next time
            except GgpError as error:
                _log.warning("the trials for pass marks cannot continue: %s", error)
            await asyncio.sleep(LOOK_SECONDS)

    async def _add_missing(self) -> None:
        """Add the trials of new marks and versions. Mark those of replaced and restored ones."""
        async with self._database.reading() as session:
            new = await pass_marks.missing(session, milliseconds_since_1970())
            changed = await pass_marks.changed(session)
        if new or changed:
            async with self._database.writing() as session:
                session.add_all(new)
                for number, status in changed.items():
                    (await session.get_one(TrialRow, number)).status = status

    async def _step(self) -> bool:
        """Play one match of a trial. Return whether there was one to play."""
        for row, mark, player in await self._database.read(pass_marks.to_play):
            open_match = next((one for one in row.results if one["points"] is None), None)
            if open_match is not None:
                await self._finish(row, mark, open_match)
                return True
            game = _next_game(row, mark)
            if game is None:
                await self._judge(row, mark)
                return True
            if not self._cores.free_core.is_set() or self._cores.num_waiting:
                return False
            await self._begin(row, mark, player, game)
            return True
        return False

    async def _begin(self, row: TrialRow, mark: PassMarkRow, player: PlayerRow, game: str) -> None:
        seat = sum(one["game"] == game for one in row.results) % 2
        pair = (player.name, mark.reference) if seat == 0 else (mark.reference, player.name)

        async def link(session: Session, match: int) -> None:
            trial = await session.get_one(TrialRow, row.id)
            one = {"game": game, "match": match, "seat": seat, "points": None}
            trial.results, trial.status = [*trial.results, one], Verdict.RUNNING

        try:
            await self._host.set_up(
                MatchPlan(
                    game=game,
                    players=pair,
                    startclock=mark.startclock,
                    playclock=mark.playclock,
                    is_rated=False,
                    why_unrated=Unrated.TRIAL,
                    also=link,
                )
            )
        except (UnavailableError, ConflictError):  # the database, or too many matches: try again
            await asyncio.sleep(LOOK_SECONDS)
        except GgpError as error:
            await self._end(row, Verdict.IMPOSSIBLE, str(error))

    async def _finish(self, row: TrialRow, mark: PassMarkRow, one: dict[str, Any]) -> None:
        """Wait for the end of a match, and store the player's points."""
        number = one["match"]
        match = await self._database.read(matches.find, number)
        if match.status == Status.INTERRUPTED:
            with contextlib.suppress(ConflictError):
                await self._host.resume(number)
        while match.status not in OVER:
            await asyncio.sleep(LOOK_SECONDS)
            match = await self._database.read(matches.find, number)
            if match.status == Status.INTERRUPTED:
                return
        goals = [seat.goal or 0 for seat in match.seats]
        counted = counted_goals(goals, [seat.is_absent for seat in match.seats])
        points = counted[one["seat"]] / 100 if match.status == Status.COMPLETED else 0.0
        async with self._database.writing() as session:
            trial = await session.get_one(TrialRow, row.id)
            trial.results = [
                each | {"points": points} if each["match"] == number else each
                for each in trial.results
            ]

    async def _judge(self, row: TrialRow, mark: PassMarkRow) -> None:
        has_passed = all(row.points_in(game) >= mark.points for game in mark.games)
        await self._end(row, Verdict.PASSED if has_passed else Verdict.FAILED, "")

    async def _end(self, row: TrialRow, verdict: Verdict, problem: str) -> None:
        async with self._database.writing() as session:
            trial = await session.get_one(TrialRow, row.id)
            trial.status, trial.problem = verdict, problem
            trial.ended = milliseconds_since_1970()


def _next_game(row: TrialRow, mark: PassMarkRow) -> str | None:
    """Return the game of the next match. Return None if the trial is decided."""
    left = {game: row.num_open(game, mark.matches) for game in mark.games}
    missing = {game: mark.points - row.points_in(game) for game in mark.games}
    if any(missing[game] > left[game] for game in mark.games):
        return None
    return next((game for game in mark.games if missing[game] > 0), None)


def trials_csv(found: list[Trial]) -> str:
    """Return trials as CSV, with one line for each game of a trial."""
    lines: list[tuple[object, ...]] = [HEADINGS]
    for one in found:
        row = one.row
        about = (one.mark.name, one.owner, one.player.name, row.version, row.status)
        lines += [(*about, game, row.points_in(game), row.problem) for game in one.mark.games]
    return csv_lines(lines)
