"""Check that every move is legal or a guess, even if a player gets hardly any CPU time.

    python benchmarks/starved.py [GAME...] [--percent 2] [--matches 3] [--playclock 10]

`ggp serve` plays against itself, with a server for each role. All processes of a server together,
including those that it starts meanwhile, get `--percent` of a core from its first START to its last
STOP. As root, a control group enforces this where possible. Otherwise the processes are stopped for
the rest of each tenth of a second (`SIGSTOP`, `SIGCONT`), which is coarser. The script prints the
number of answers, how many were late or illegal, how many were not the search's own choice, and the
CPU time that the servers used. If none of its processes has computed the position in time, a server
guesses its answer. The status is 1 if more moves were illegal than guessed.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import signal
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import AsyncExitStack, ExitStack, contextmanager
from pathlib import Path

import clock
from processes import Running, running

GAMES = ["ticTacToe", "connectFour", "breakthrough"]
PERIOD = 0.1
LOOK_SECONDS = 1.0
"""Seconds between two looks at the list of processes."""
TICKS = os.sysconf("SC_CLK_TCK")


class Quota:
    """A control group that limits a process and its descendants to a share of a core."""

    ROOT = Path("/sys/fs/cgroup/cpu")

    def __init__(self, root: int, share: float) -> None:
        self._root = root
        self._share = share
        self._group = self.ROOT / f"ggp-starved-{root}"

    @classmethod
    def is_possible(cls) -> bool:
        """Return whether such groups can be created here."""
        return os.access(cls.ROOT, os.W_OK) and (cls.ROOT / "cpu.cfs_quota_us").exists()

    @contextmanager
    def on(self) -> Iterator[None]:
        """Limit the process for the duration of the `with`."""
        self._group.mkdir()
        period = round(PERIOD * 1e6)
        (self._group / "cpu.cfs_period_us").write_text(str(period))
        (self._group / "cpu.cfs_quota_us").write_text(str(round(period * self._share)))
        self._move_to(self._group, descendants([self._root]))
        try:
            yield
        finally:
            procs = (self._group / "cgroup.procs").read_text().split()
            self._move_to(self.ROOT, set(map(int, procs)))
            self._group.rmdir()

    def _move_to(self, group: Path, pids: set[int]) -> None:
        for pid in pids:
            with contextlib.suppress(ProcessLookupError):
                (group / "cgroup.procs").write_text(str(pid))


class Brake:
    """Stops processes and their descendants for most of each period, in a thread of its own."""

    def __init__(self, roots: list[int], share: float) -> None:
        self._roots = roots
        self._share = share
        self._pids: set[int] = set()
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._run, name="brake")

    @contextmanager
    def on(self) -> Iterator[None]:
        """Limit the processes for the duration of the `with`."""
        self._thread.start()
        try:
            yield
        finally:
            self._is_over.set()
            self._thread.join()

    def _run(self) -> None:
        next_look = 0.0
        while not self._is_over.is_set():
            if time.monotonic() >= next_look:
                self._pids = descendants(self._roots)
                next_look = time.monotonic() + LOOK_SECONDS
            self._send(signal.SIGSTOP)
            time.sleep(PERIOD * (1 - self._share))
            self._send(signal.SIGCONT)
            time.sleep(PERIOD * self._share)
        self._send(signal.SIGCONT)

    def _send(self, number: signal.Signals) -> None:
        for pid in self._pids:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, number)


def descendants(roots: list[int]) -> set[int]:
    """Return these processes and all their descendants."""
    children: dict[int, list[int]] = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdecimal():
            with contextlib.suppress(OSError):
                parent = int(_stat(int(folder.name))[1])
                children.setdefault(parent, []).append(int(folder.name))
    found: set[int] = set()
    waiting = list(roots)
    while waiting:
        pid = waiting.pop()
        found.add(pid)
        waiting += children.get(pid, [])
    return found


def cpu_seconds(roots: list[int]) -> float:
    """Return the CPU seconds of these processes and their descendants, including ended ones."""
    total = 0
    for pid in descendants(roots):
        with contextlib.suppress(OSError):
            total += sum(map(int, _stat(pid)[11:15]))
    return total / TICKS


def _stat(pid: int) -> list[str]:
    """Fields from the third on: state, parent, ..."""
    text = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")
    return text.rpartition(")")[2].split()


async def run(options: argparse.Namespace) -> tuple[list[clock.Tally], float]:
    """Play all matches; return the tallies and the share of a core that the servers used."""
    clock.STARTCLOCK = options.startclock
    most_players = max(len(clock.machine_of(game).roles) for game in options.games)
    tallies = [clock.Tally(game, options.playclock) for game in options.games]
    with tempfile.TemporaryDirectory() as folder:
        logs = [Path(folder) / f"{index}.log" for index in range(most_players)]
        async with AsyncExitStack() as stack:
            arguments = ("serve", "--port", "0", "--log-format", "json")
            starting = [running(*arguments, log=log) for log in logs]
            servers = [await stack.enter_async_context(each) for each in starting]
            await asyncio.sleep(options.settle)
            share = await play_all(servers, tallies, options)
        for match_id, counts in clock.origins(logs).items():
            tally = next(each for each in tallies if each.game == match_id.split(".")[0])
            tally.count(counts)
    return [tally for tally in tallies if tally.matches], share


async def play_all(
    servers: list[Running], tallies: list[clock.Tally], options: argparse.Namespace
) -> float:
    """Play all matches with the brake on; return the share of a core that each server used."""
    roots = [server.pid for server in servers]
    addresses = [server.address for server in servers]
    start, before = time.monotonic(), cpu_seconds(roots)
    share = options.percent / 100
    with ExitStack() as stack:
        if Quota.is_possible():
            for root in roots:
                stack.enter_context(Quota(root, share).on())
        else:
            stack.enter_context(Brake(roots, share).on())
        for number in range(options.matches):
            tally = tallies[number % len(tallies)]
            await clock.play(
                tally.game, addresses, tally, number, options.move_limit, clock.Flood(0)
            )
        seconds = cpu_seconds(roots) - before
    return seconds / (time.monotonic() - start) / len(roots)


def main() -> int:
    """Parse the arguments, play, and print the results."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("games", nargs="*", default=GAMES, metavar="GAME")
    parser.add_argument(
        "--percent", type=float, default=2.0, help="percent of a core for each server"
    )
    parser.add_argument("--matches", type=int, default=3)
    parser.add_argument("--startclock", type=int, default=60)
    parser.add_argument("--playclock", type=int, default=10)
    parser.add_argument("--move-limit", type=int, default=20)
    parser.add_argument("--settle", type=float, default=10.0, help="seconds before the first START")
    options = parser.parse_args()
    tallies, share = asyncio.run(run(options))
    print(clock.row(list(clock.HEADINGS)))
    for tally in tallies:
        print(tally.line())
    origins = sum((tally.origins for tally in tallies), Counter[str]())
    print(clock.told_origins(origins))
    print(f"each server took {100 * share:.1f} % of a core")
    return int(sum(tally.illegal for tally in tallies) > origins["guess"])


if __name__ == "__main__":
    sys.exit(main())
