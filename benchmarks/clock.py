"""Play matches against `ggp serve` while other processes use the CPU: is an answer ever late?

    python benchmarks/clock.py [GAME...] [--matches 20] [--playclocks 1 2] [--burners 4] [--jobs 1]
                               [--alone] [--flood 250] [--move-limit 100] [--core N]
                               [--logs FOLDER] [--option KEY=VALUE ...] [--json]

A game manager like GGP-Base's, but without its second of grace, plays bundled games. Each player
runs in a server of its own, which plays one match after the other. For each game and playclock, the
script prints the number of answers, and how many were late or illegal. It also prints how many were
not the search's own choice but a stopgap when the time was up, and the least time left.

With `--core`, servers and burning processes share that core, and the manager has the other cores.
The manager measures the time, and would itself be late on the same core. With `--alone` only the
first role is a server, and the script chooses random moves for the others.

`--flood N` sends N hostile requests a second to each server while it plays: damaged recorded ones,
and every tenth built to do harm (megabytes of brackets, half a request, rules that explode). They
start after the answers to START. At most 25 are open at a time, so a server that does not answer
gets no more. Each match then has new servers.

Servers and burning processes each have a session of their own, as if started in separate terminals.
This matters if the kernel divides a core among sessions.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import math
import multiprocessing
import os
import random
import sys
import tempfile
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from contextlib import (
    AbstractContextManager,
    AsyncExitStack,
    ExitStack,
    asynccontextmanager,
    contextmanager,
)
from dataclasses import asdict, dataclass, field
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

from attacking.hostile_requests import attack, attacks, managers_requests

import gdl
from ggp import games
from ggp.errors import GgpError
from ggp.match.errors import MoveLimitError
from ggp.match.events import Began, Event, Moved
from ggp.match.referee import MatchSetup, Referee, played_roles
from ggp.match.rulebook import FollowedRulebook, MachineRulebook
from ggp.match.seat import Seat
from ggp.protocol.dialects import Grace
from ggp.protocol.dialects.base import GgpBase
from ggp.seating.local import SimpleSeat, random_moves
from ggp.seating.remote import RemoteSeat

GAMES = "ticTacToe connectFour breakthrough othello hex nim pig goofspiel tron threePlayerTicTacToe"
STARTCLOCK = 5
NUM_ATTACKERS = 25
OWN_CHOICES = {"search", "only move"}
HEADINGS = ("game", "playclock", "matches", "answers", "late", "illegal", "lost", "not own", "left")


@dataclass
class Tally:
    """The answers in one game at one playclock, counted by their outcome."""

    game: str
    playclock: int
    matches: int = 0
    answers: int = 0
    late: int = 0
    illegal: int = 0
    lost: int = 0
    """Answers that did not come, for other reasons."""
    not_own: int = 0
    """Answers in time that were not the search's choice."""
    least_left: float = math.inf
    """Seconds of the playclock left after the slowest answer."""
    starts_late: int = 0
    origins: Counter[str] = field(default_factory=Counter)

    def note(self, event: Event, served: set[str]) -> None:
        """Count the answers in a turn by the roles that servers play."""
        if isinstance(event, Moved):
            for reply in (reply for reply in event.replies if reply.role in served):
                self.answers += 1
                self.late += reply.error == "TO"
                self.illegal += reply.error.startswith("IL")
                self.lost += reply.error == "CE"
                self.least_left = min(self.least_left, self.playclock - reply.seconds)

    def count(self, origins: Counter[str]) -> None:
        """Count the origins of answers, from the players' logs."""
        self.origins.update(origins)
        self.not_own += sum(num for name, num in origins.items() if name not in OWN_CHOICES)

    def line(self) -> str:
        """Return the row of the table."""
        counts = (self.matches, self.answers, self.late, self.illegal, self.lost, self.not_own)
        cells = [self.game, str(self.playclock), *map(str, counts), f"{self.least_left:.3f}"]
        return row(cells)


class Strict(GgpBase):
    """GGP-Base's dialect without the second of grace."""

    grace = Grace(start=0.0, play=0.0, stop=0.0)


def row(cells: list[str]) -> str:
    """Return the cells in columns."""
    return f"{cells[0]:22}" + "".join(f"{cell:>10}" for cell in cells[1:])


def burn(core: int | None) -> None:
    """Use up the time of a core."""
    os.setsid()
    pin(0, core)
    while True:
        math.sqrt(2.0)


def pin(process: int, core: int | None) -> None:
    """Bind a process to one core; if it is None, do nothing."""
    if core is not None:
        os.sched_setaffinity(process, {core})


@contextmanager
def each_in_a_process(work: Callable[[Any], None], values: Iterable[object]) -> Iterator[None]:
    """Run a process for each value, as long as the block lasts."""
    processes = [
        multiprocessing.Process(target=work, args=(value,), daemon=True) for value in values
    ]
    for process in processes:
        process.start()
    try:
        yield
    finally:
        for process in processes:
            process.kill()


class Flood:
    """Hostile requests to servers, from a process of its own for each.

    Attributes:
        rate: Requests a second to each server.
    """

    def __init__(self, rate: int) -> None:
        self.rate = rate
        self._num_sent = multiprocessing.Value("q", 0)

    def at(self, addresses: list[str]) -> AbstractContextManager[None]:
        """Send requests as long as the block lasts."""
        return each_in_a_process(self._pour, addresses if self.rate else ())

    def told(self) -> str:
        """Return the number of requests sent."""
        return f"{self._num_sent.value:,} hostile requests sent"

    def _pour(self, address: str) -> None:
        os.setsid()
        host, _, port = address.removeprefix("http://").rpartition(":")
        rng = random.Random(address)
        sent = attacks(managers_requests("ticTacToe"), 1000, seed=rng.getrandbits(30))
        plans = itertools.cycle(sent)
        free = asyncio.Semaphore(NUM_ATTACKERS)

        async def one() -> None:
            async with free:
                with self._num_sent.get_lock():
                    self._num_sent.value += 1
                await attack(host, int(port), next(plans))

        async def all_of_them() -> None:
            running = set[asyncio.Task[None]]()
            while True:
                await asyncio.sleep(1 / self.rate)
                if len(running) < NUM_ATTACKERS:
                    running.add(asyncio.create_task(one()))
                running = {task for task in running if not task.done()}

        asyncio.run(all_of_them())


@asynccontextmanager
async def server(log: Path, options: list[str], core: int | None) -> AsyncIterator[str]:
    """Start a `ggp serve` on a free port and return its address. It logs to a file, as JSON."""
    command = [sys.executable, "-m", "ggp", "serve", "--port", "0", "--log-format", "json"]
    command += [word for option in options for word in ("--option", option)]
    with log.open("ab") as file:
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


class Table:
    """A server for each player, started on demand."""

    def __init__(self, logs: list[Path], options: list[str], core: int | None) -> None:
        self._logs, self._options, self._core = logs, options, core
        self._stack = AsyncExitStack()
        self._addresses: list[str] = []

    async def addresses(self) -> list[str]:
        """Return their addresses."""
        if not self._addresses:
            servers = [server(log, self._options, self._core) for log in self._logs]
            self._addresses = [await self._stack.enter_async_context(one) for one in servers]
        return self._addresses

    async def close(self) -> None:
        """Stop the servers."""
        await self._stack.aclose()
        self._addresses = []


@cache
def machine_of(name: str) -> gdl.Game:
    """Load a bundled game once. To load it while a match is on would delay the manager's clock."""
    return gdl.load(games.text(name))


async def play(
    name: str, addresses: list[str], tally: Tally, number: int, limit: int, flood: Flood
) -> None:
    """Play one match. A match that ends at the move limit counts too."""
    text = games.text(name)
    machine = machine_of(name)
    match_id = f"{name}.{tally.playclock}.{number}"
    book = FollowedRulebook(MachineRulebook(machine))
    setup = MatchSetup(
        match_id=match_id,
        rulebook=book,
        rules=text,
        startclock=STARTCLOCK,
        playclock=tally.playclock,
        move_limit=limit,
        seed=number,
    )
    roles = [f"{role}" for role in played_roles(machine)]
    served, others = roles[: len(addresses)], roles[len(addresses) :]
    seats: list[Seat] = [
        RemoteSeat(address, role, lambda text: print(match_id, text, file=sys.stderr), Strict())
        for address, role in zip(addresses, served, strict=False)
    ]
    seats += [SimpleSeat(random_moves(number), book, role) for role in others]
    with ExitStack() as stack:

        def note(event: Event) -> None:
            tally.note(event, {*served})
            if isinstance(event, Began):
                stack.enter_context(flood.at(addresses))

        referee = Referee(setup, seats, note)
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
    """Return the origins of the answers in each match."""
    found: dict[str, Counter[str]] = {}
    for log in logs:
        for line in log.read_text(encoding="utf-8").splitlines():
            said = json.loads(line) if line.startswith("{") else {}
            if said.get("event") == "message" and "origin" in said:
                found.setdefault(str(said.get("match")), Counter())[str(said["origin"])] += 1
    return found


def told_origins(origins: Counter[str]) -> str:
    """Return the origins of answers in words: the search's own choices, and their replacements."""
    own = sum(num for name, num in origins.items() if name in OWN_CHOICES)
    each = ", ".join(f"{name} {num}" for name, num in origins.most_common())
    return f"{own} of {origins.total()} answers were the search's own choice ({each})"


async def run(options: argparse.Namespace) -> list[Tally]:
    """Play all matches, several at a time."""
    fixtures = list(product(options.games, options.playclocks))
    tallies = [Tally(game, playclock) for game, playclock in fixtures]
    order = [(tallies[i % len(tallies)], i) for i in range(options.matches)]
    roles = [machine_of(game).roles for game in options.games]
    most_players = 1 if options.alone else max(map(len, roles))
    flood = Flood(options.flood)
    with tempfile.TemporaryDirectory() as folder:
        place = Path(options.logs or folder)
        place.mkdir(parents=True, exist_ok=True)
        logs = [place / f"{i}.log" for i in range(most_players * options.jobs)]
        tables = asyncio.Queue[Table]()
        for job in range(options.jobs):
            own = logs[job * most_players : (job + 1) * most_players]
            tables.put_nowait(Table(own, options.option, options.core))

        async def play_in_turn(tally: Tally, number: int) -> None:
            table = await tables.get()
            addresses = await table.addresses()
            await play(tally.game, addresses, tally, number, options.move_limit, flood)
            if flood.rate:
                await table.close()  # strangers' matches may have taken all places
            tables.put_nowait(table)

        await asyncio.gather(*(play_in_turn(tally, number) for tally, number in order))
        while not tables.empty():
            await tables.get_nowait().close()
        for match_id, counts in origins(logs).items():
            name = match_id.rpartition(".")[0]
            tally = next((one for one in tallies if f"{one.game}.{one.playclock}" == name), None)
            if tally is None:
                continue  # of a hostile START
            tally.count(counts)
    if flood.rate:
        print(flood.told())
    return tallies


def main() -> int:
    """Play according to the options; return 1 if an answer was late, illegal or lost."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("games", nargs="*", default=GAMES.split(), metavar="GAME")
    parser.add_argument("--matches", type=int, default=20)
    parser.add_argument("--playclocks", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--burners", type=int, default=4)
    parser.add_argument("--jobs", type=int, default=1, help="matches at the same time")
    parser.add_argument("--alone", action="store_true", help="run a server for the first role only")
    parser.add_argument(
        "--flood", type=int, default=0, help="hostile requests a second to each server"
    )
    parser.add_argument(
        "--core", type=int, help="core of the servers and burning processes (default: any)"
    )
    parser.add_argument("--logs", metavar="FOLDER", help="folder for the logs of the servers")
    parser.add_argument("--move-limit", type=int, default=100)
    parser.add_argument(
        "--option", action="append", default=[], help="option of the player; repeatable"
    )
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with each_in_a_process(burn, [options.core] * options.burners):
        tallies = [tally for tally in asyncio.run(run(options)) if tally.matches]
    is_at_fault = any(one.late or one.illegal or one.lost or one.starts_late for one in tallies)
    if options.json:
        print(json.dumps([asdict(tally) for tally in tallies]))
        return int(is_at_fault)
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
    return int(is_at_fault)


if __name__ == "__main__":
    sys.exit(main())
