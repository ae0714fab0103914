"""Is an answer ever late? Plays matches against `ggp serve` while other processes eat the CPU.

    python benchmarks/clock.py [GAME...] [--matches 20] [--playclocks 1 2] [--burners 4] [--jobs 1]
                               [--move-limit 100] [--core N] [--logs FOLDER]
                               [--option KEY=VALUE ...] [--json]

A game manager like GGP-Base's, without its second of grace, plays bundled games, each player in a
server of its own, which plays one match after the other. Told are, for each game and playclock, the
answers, how many were late or not legal, how many were not the search's own choice but what was at
hand when the time came, and the least time that was left when an answer arrived. With `--core`
servers and burners share that core and the manager, which is the clock, has the others: on a core
with them it would be late itself. Servers and burners are each in a session of their own, as if
started in terminals of their own: where the kernel shares out a core by sessions, that matters.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import multiprocessing
import os
import sys
import tempfile
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import asdict, dataclass, field
from itertools import product
from pathlib import Path

import gdl
from ggp import games
from ggp.errors import GgpError
from ggp.match.errors import MoveLimitError
from ggp.match.events import Event, Moved
from ggp.match.referee import MatchSetup, Referee, played_roles
from ggp.match.rulebook import MachineRulebook
from ggp.protocol.dialects import Grace
from ggp.protocol.dialects.base import GgpBase
from ggp.seating.remote import RemoteSeat

GAMES = "ticTacToe connectFour breakthrough othello hex nim pig goofspiel tron threePlayerTicTacToe"
STARTCLOCK = 5
OWN_CHOICES = {"search", "only move"}
HEADINGS = ("game", "playclock", "matches", "answers", "late", "illegal", "lost", "not own", "left")


@dataclass
class Tally:
    """Count of the answers in one game at one playclock, by what became of them."""

    game: str
    playclock: int
    matches: int = 0
    answers: int = 0
    late: int = 0
    illegal: int = 0
    lost: int = 0
    """Answers that did not come for other reasons."""
    not_own: int = 0
    """Answers in time that were not what the search chose."""
    least_left: float = math.inf
    """Seconds of the playclock that were left after the slowest answer."""
    starts_late: int = 0
    origins: Counter[str] = field(default_factory=Counter)

    def note(self, event: Event) -> None:
        """Count the answers of a turn."""
        if isinstance(event, Moved):
            for reply in event.replies:
                self.answers += 1
                self.late += reply.error == "TO"
                self.illegal += reply.error.startswith("IL")
                self.lost += reply.error == "CE"
                self.least_left = min(self.least_left, self.playclock - reply.seconds)

    def count(self, origins: Counter[str]) -> None:
        """Count where answers came from, by the players' logs."""
        self.origins.update(origins)
        self.not_own += sum(num for name, num in origins.items() if name not in OWN_CHOICES)

    def line(self) -> str:
        """The row of the table."""
        counts = (self.matches, self.answers, self.late, self.illegal, self.lost, self.not_own)
        cells = [self.game, str(self.playclock), *map(str, counts), f"{self.least_left:.3f}"]
        return row(cells)


class Strict(GgpBase):
    """GGP-Base's dialect, without the second after the clock."""

    grace = Grace(start=0.0, play=0.0, stop=0.0)


def row(cells: list[str]) -> str:
    """Cells in columns."""
    return f"{cells[0]:22}" + "".join(f"{cell:>10}" for cell in cells[1:])


def burn(core: int | None) -> None:
    """Eat the time of a core."""
    os.setsid()
    pin(0, core)
    while True:
        math.sqrt(2.0)


def pin(process: int, core: int | None) -> None:
    """Let a process run on one core only; None: where it likes."""
    if core is not None:
        os.sched_setaffinity(process, {core})


@contextmanager
def burners(num: int, core: int | None) -> Iterator[None]:
    """So many processes that eat CPU."""
    processes = [
        multiprocessing.Process(target=burn, args=(core,), daemon=True) for _ in range(num)
    ]
    for process in processes:
        process.start()
    try:
        yield
    finally:
        for process in processes:
            process.kill()


@asynccontextmanager
async def server(log: Path, options: list[str], core: int | None) -> AsyncIterator[str]:
    """A `ggp serve` on a free port; its address. It logs to a file, as JSON."""
    command = [sys.executable, "-m", "ggp", "serve", "--port", "0", "--log-format", "json"]
    command += [word for option in options for word in ("--option", option)]
    with log.open("wb") as file:
        process = await asyncio.create_subprocess_exec(
            *command, stdout=asyncio.subprocess.PIPE, stderr=file, start_new_session=True
        )
        assert process.stdout is not None
        pin(process.pid, core)  # the processes that it starts will be there, too
        try:
            await process.stdout.readline()
            yield (await process.stdout.readline()).decode().strip()
        finally:
            process.terminate()
            await process.wait()


async def play(name: str, addresses: list[str], tally: Tally, number: int, limit: int) -> None:
    """One match; it counts also if it is broken off at the move limit."""
    text = games.text(name)
    machine = await asyncio.to_thread(gdl.load, text)
    match_id = f"{name}.{tally.playclock}.{number}"
    setup = MatchSetup(
        match_id=match_id,
        rulebook=MachineRulebook(machine),
        rules=text,
        startclock=STARTCLOCK,
        playclock=tally.playclock,
        move_limit=limit,
        seed=number,
    )
    seats = [
        RemoteSeat(
            address, f"{role}", lambda text: print(match_id, text, file=sys.stderr), Strict()
        )
        for address, role in zip(addresses, played_roles(machine), strict=False)
    ]
    referee = Referee(setup, seats, tally.note)
    try:
        await referee.run()
    except MoveLimitError:
        pass
    except GgpError as error:
        print(match_id, error, file=sys.stderr)
    tally.matches += 1
    print(f"{match_id}: {tally.late} late, {tally.illegal} illegal so far", file=sys.stderr)
    tally.starts_late += sum(error == "TO" for error in referee.record.errors[0])


def origins(logs: list[Path]) -> dict[str, Counter[str]]:
    """For each match, where its answers came from."""
    found: dict[str, Counter[str]] = {}
    for log in logs:
        for line in log.read_text(encoding="utf-8").splitlines():
            said = json.loads(line) if line.startswith("{") else {}
            if "origin" in said:
                found.setdefault(str(said.get("match")), Counter())[str(said["origin"])] += 1
    return found


def told_origins(origins: Counter[str]) -> str:
    """Origins of answers, in words: the search's own choices, and all that stood in for it."""
    own = sum(num for name, num in origins.items() if name in OWN_CHOICES)
    each = ", ".join(f"{name} {num}" for name, num in origins.most_common())
    return f"{own} of {origins.total()} answers were the search's own choice ({each})"


async def run(options: argparse.Namespace) -> list[Tally]:
    """Play all matches, some at a time."""
    fixtures = list(product(options.games, options.playclocks))
    tallies = [Tally(game, playclock) for game, playclock in fixtures]
    order = [(tallies[i % len(tallies)], i) for i in range(options.matches)]
    most_players = max(len(gdl.load(games.text(game)).roles) for game in options.games)
    with tempfile.TemporaryDirectory() as folder:
        place = Path(options.logs or folder)
        place.mkdir(parents=True, exist_ok=True)
        logs = [place / f"{i}.log" for i in range(most_players * options.jobs)]
        tables = asyncio.Queue[list[str]]()
        async with AsyncExitStack() as stack:
            for job in range(options.jobs):
                own = logs[job * most_players : (job + 1) * most_players]
                servers = [server(log, options.option, options.core) for log in own]
                tables.put_nowait([await stack.enter_async_context(one) for one in servers])

            async def play_in_turn(tally: Tally, number: int) -> None:
                addresses = await tables.get()
                await play(tally.game, addresses, tally, number, options.move_limit)
                tables.put_nowait(addresses)

            await asyncio.gather(*(play_in_turn(tally, number) for tally, number in order))
        for match_id, counts in origins(logs).items():
            game, playclock, _ = match_id.split(".")
            tally = next(t for t in tallies if (t.game, str(t.playclock)) == (game, playclock))
            tally.count(counts)
    return tallies


def main() -> None:
    """Parse the arguments, play, and tell."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("games", nargs="*", default=GAMES.split(), metavar="GAME")
    parser.add_argument("--matches", type=int, default=20)
    parser.add_argument("--playclocks", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--burners", type=int, default=4)
    parser.add_argument("--jobs", type=int, default=1, help="matches at a time")
    parser.add_argument("--core", type=int, help="on which servers and burners are; default: any")
    parser.add_argument("--logs", metavar="FOLDER", help="where to keep what the servers log")
    parser.add_argument("--move-limit", type=int, default=100)
    parser.add_argument("--option", action="append", default=[], help="of the player; repeatable")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with burners(options.burners, options.core):
        tallies = [tally for tally in asyncio.run(run(options)) if tally.matches]
    if options.json:
        print(json.dumps([asdict(tally) for tally in tallies]))
        return
    print(row(list(HEADINGS)))
    for tally in tallies:
        print(tally.line())
    total = Counter[str]()
    for tally in tallies:
        total.update(tally.origins)
    print(told_origins(total))
    print(
        f"{sum(t.matches for t in tallies)} matches, {sum(t.answers for t in tallies)} answers: "
        f"{sum(t.late for t in tallies)} late, {sum(t.illegal for t in tallies)} illegal, "
        f"{sum(t.lost for t in tallies)} lost, "
        f"{sum(t.not_own for t in tallies)} not the search's own choice; "
        f"{sum(t.starts_late for t in tallies)} late answers to START; "
        f"least time left {min(t.least_left for t in tallies):.3f} s"
    )


if __name__ == "__main__":
    main()
