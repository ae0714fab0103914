"""Kills `ggp tournament` in the middle, again and again, and sees whether anything is lost.

    python benchmarks/crashes.py --kills 50 --seed 1

A tournament of players whose play their seeds settle is held twice: once in peace, once by a
process that gets SIGKILL at random moments and is started again. No turn that was written may be
gone afterwards, and both must end with the same turns and the same table.
"""

from __future__ import annotations

import argparse
import json
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

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
    """A tournament in a folder of its own."""

    folder: Path

    @classmethod
    def make(cls, folder: Path, games: list[str], matches: int) -> Tournament:
        """Write the file that describes it."""
        text = PLAN.format(games=", ".join(f'"{game}"' for game in games), matches=matches)
        (folder / "plan.toml").write_text(text, encoding="utf-8")
        return cls(folder)

    def command(self) -> list[str]:
        """What holds it, or goes on with it."""
        url = f"sqlite:///{self.folder}/ggp.db"
        file = str(self.folder / "plan.toml")
        return [sys.executable, "-m", "ggp", "tournament", file, "--db", url, "--json"]

    def finish(self) -> Any:
        """Hold it to its end; the table."""
        done = subprocess.run(  # noqa: S603  # our own program
            self.command(), check=True, capture_output=True, text=True
        )
        return json.loads(done.stdout)

    def turns(self) -> Turns:
        """What is in the database now."""
        file = self.folder / "ggp.db"
        if not file.exists():
            return {}
        with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True, timeout=10)) as database:
            try:
                rows = database.execute(TURNS).fetchall()
            except sqlite3.OperationalError:  # the tables are being made
                return {}
        return {(fixture, turn): moves for fixture, turn, moves in rows}

    def crash(self, num_turns: int, seconds: float, how: signal.Signals = signal.SIGKILL) -> bool:
        """Go on, and die a while after so many turns more; False if it was over before."""
        wanted = len(self.turns()) + num_turns
        silent = subprocess.DEVNULL
        # A shell starts what is in its background deaf for Ctrl-C, this perhaps, and so on.
        usual = signal.signal(signal.SIGINT, signal.SIG_DFL)
        try:
            process = subprocess.Popen(  # noqa: S603  # our own program
                self.command(), stdout=silent, stderr=silent
            )
        finally:
            signal.signal(signal.SIGINT, usual)
        with process:
            deadline = time.monotonic() + START_SECONDS
            while len(self.turns()) < wanted and process.poll() is None:
                if time.monotonic() > deadline:
                    process.kill()
                    raise TimeoutError(f"fewer than {num_turns} turns in {START_SECONDS:g} s")
                time.sleep(POLL_SECONDS)
            time.sleep(seconds)
            process.send_signal(how)
        return process.returncode != 0


def lost(before: Turns, after: Turns) -> Turns:
    """What was written before and is not so any more."""
    return {place: moves for place, moves in before.items() if after.get(place) != moves}


def main() -> int:
    """Do as the options say; 1 if something was lost."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--games", nargs="+", default=["connectFour", "breakthrough", "pig"])
    parser.add_argument("--matches", type=int, default=8)
    options = parser.parse_args()
    luck = random.Random(options.seed)
    with tempfile.TemporaryDirectory() as place:
        folders = [Path(place) / name for name in ("peace", "war")]
        for folder in folders:
            folder.mkdir()
        peace, war = (Tournament.make(folder, options.games, options.matches) for folder in folders)
        table = peace.finish()
        whole = peace.turns()
        print(f"in peace: {len(whole)} turns")
        share = max(2, len(whole) // (options.kills + 1))
        num_killed = num_lost = 0
        while num_killed < options.kills:
            if not war.crash(luck.randrange(share), luck.random() * 0.05):
                break
            num_killed += 1
            now = war.turns()
            gone = lost(now, whole)  # each turn must be the one that was played in peace
            num_lost += len(gone)
            print(f"kill {num_killed}: {len(now)} turns, {len(gone)} wrong", flush=True)
        same_table = war.finish() == table
        num_lost += len(lost(whole, war.turns()))
    print(f"{num_killed} kills, {num_lost} turns lost or wrong, the same table: {same_table}")
    return 0 if same_table and num_lost == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
