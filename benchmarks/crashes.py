"""Kill `ggp tournament` again and again while it runs, and check whether anything is lost.

    python benchmarks/crashes.py --kills 50 --seed 1
    python benchmarks/crashes.py --kills 20 --db postgresql+asyncpg://USER@HOST/NAME

A tournament of players that depend only on their seeds is run twice: once undisturbed, and once by
a process that gets SIGKILL at random moments and is restarted. No turn that was written may be
missing afterwards, and both must end with the same turns and the same table.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import signal
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from databases import fresh
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlalchemy.pool import NullPool

POLL_SECONDS = 0.005
START_SECONDS = 60.0
PLAN = """
name = "crashes"
games = [{games}]
players = ["legal", "random", {{ name = "lucky", player = "random" }}]
matches = {matches}
startclock = 5
playclock = 2
seed = 4
"""
TURNS = """
select fixtures.number, turns.number, turns.moves from turns
join fixtures on fixtures.match_id = turns.match_id
"""

Turns = dict[tuple[int, int], str]
"""The joint move of each turn, by the numbers of the fixture and of the turn."""


@dataclass(frozen=True, slots=True)
class Tournament:
    """A tournament with its own folder and database."""

    file: Path
    """Its plan."""
    url: str
    _reader: AsyncEngine

    @classmethod
    @asynccontextmanager
    async def made(
        cls, folder: Path, url: str, games: list[str], matches: int
    ) -> AsyncIterator[Tournament]:
        """Write the file that describes the tournament."""
        plan = PLAN.format(games=", ".join(f'"{game}"' for game in games), matches=matches)
        file = folder / "plan.toml"
        file.write_text(plan, encoding="utf-8")
        if url.startswith("sqlite"):
            path = url.removeprefix("sqlite:///")
            readable = f"sqlite+aiosqlite:///file:{path}?mode=ro&uri=true"
            # An open file would keep its log alive after all other processes have died.
            reader = create_async_engine(readable, poolclass=NullPool)
        else:
            reader = create_async_engine(url)
        try:
            yield cls(file, url, reader)
        finally:
            await reader.dispose()

    def command(self) -> list[str]:
        """Return the command that starts or resumes the tournament."""
        file = str(self.file)
        return [sys.executable, "-m", "ggp", "tournament", file, "--db", self.url, "--json"]

    async def finish(self) -> Any:
        """Run the tournament to its end and return the table."""
        process = await asyncio.create_subprocess_exec(
            *self.command(), stdout=asyncio.subprocess.PIPE
        )
        printed, _ = await process.communicate()
        if process.returncode:
            raise subprocess.CalledProcessError(process.returncode, self.command())
        return json.loads(printed)

    async def turns(self) -> Turns:
        """Return the turns that are now in the database."""
        try:
            async with self._reader.connect() as connection:
                rows = (await connection.execute(text(TURNS))).all()
        except DBAPIError:  # the tables are being made
            return {}
        return {(fixture, turn): moves for fixture, turn, moves in rows}

    async def crash(
        self, num_turns: int, seconds: float, how: signal.Signals = signal.SIGKILL
    ) -> bool:
        """Resume, and kill the process some turns later; return False if it was over before."""
        wanted = len(await self.turns()) + num_turns
        silent = asyncio.subprocess.DEVNULL
        # A shell starts what is in its background deaf for Ctrl-C, this perhaps, and so on.
        usual = signal.signal(signal.SIGINT, signal.SIG_DFL)
        try:
            process = await asyncio.create_subprocess_exec(
                *self.command(), stdout=silent, stderr=silent
            )
        finally:
            signal.signal(signal.SIGINT, usual)
        try:
            async with asyncio.timeout(START_SECONDS):
                while len(await self.turns()) < wanted and process.returncode is None:
                    await asyncio.sleep(POLL_SECONDS)
            await asyncio.sleep(seconds)
            if process.returncode is None:
                process.send_signal(how)
            elif process.returncode:
                raise RuntimeError(f"ended by itself, with {process.returncode}")
        except TimeoutError:
            process.kill()
            raise
        finally:
            await process.wait()
        return process.returncode != 0


def lost(before: Turns, after: Turns) -> Turns:
    """Return turns that were written before and are now missing or different."""
    return {place: moves for place, moves in before.items() if after.get(place) != moves}


async def compare(options: argparse.Namespace) -> int:
    """Run both tournaments; return 1 if something was lost."""
    luck = random.Random(options.seed)
    async with AsyncExitStack() as stack:
        place = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        peace, war = [await _made(stack, place / name, options) for name in ("peace", "war")]
        table = await peace.finish()
        whole = await peace.turns()
        print(f"in peace: {len(whole)} turns", flush=True)
        share = max(2, len(whole) // (options.kills + 1))
        num_killed = num_lost = 0
        while num_killed < options.kills:
            if not await war.crash(luck.randrange(share), luck.random() * 0.05):
                break
            num_killed += 1
            now = await war.turns()
            gone = lost(now, whole)  # each turn must be the one that was played in peace
            num_lost += len(gone)
            print(f"kill {num_killed}: {len(now)} turns, {len(gone)} wrong", flush=True)
        same_table = await war.finish() == table
        num_lost += len(lost(whole, await war.turns()))
    print(f"{num_killed} kills, {num_lost} turns lost or wrong, the same table: {same_table}")
    return 0 if same_table and num_lost == 0 else 1


async def _made(stack: AsyncExitStack, folder: Path, options: argparse.Namespace) -> Tournament:
    folder.mkdir()
    url = await stack.enter_async_context(fresh(folder, options.db))
    made = Tournament.made(folder, url, options.games, options.matches)
    return await stack.enter_async_context(made)


def main() -> int:
    """Parse the command line and compare."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--games", nargs="+", default=["connectFour", "breakthrough", "pig"])
    parser.add_argument("--matches", type=int, default=8)
    parser.add_argument("--db", default="", help="any database of a PostgreSQL server")
    return asyncio.run(compare(parser.parse_args()))


if __name__ == "__main__":
    sys.exit(main())
