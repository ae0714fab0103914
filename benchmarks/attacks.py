"""Attack our own programs on this machine while they run a match, and check the match.

    python benchmarks/attacks.py [--only NAME ...] [--short] [--list] [--json]

Each attack starts a `ggp serve` or a `ggp manager` of its own, as a user does, and a match on it.
It attacks the program over loopback for a limited time, stops, and checks whether everything is as
before. The script touches no other machine, leaves no process running, and keeps all files in a
temporary folder. The short form runs two attacks at the same time, on programs of their own, with
fewer of everything. An attack that succeeds is repeated alone, and counts only if it succeeds
again.

A row has these columns. For the match: the turns played, how many answers were late, illegal or
lost, and the longest time between two turns (s). For the program and all its processes: the memory
before the attack and at most (MB; shared memory counts once), the most open files of the program
itself, and the most processes. Then how often INFO or the API was answered during the attack. The
last column is how long after the attack it took until a request was answered and the next turn was
played (s).

The program withstands an attack if no answer is late, illegal or lost, memory is bounded, and
recovery takes 5 s at most. Other faults are listed below the table. Exit with 1 if the program did
not withstand an attack.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import resource
import signal
import sys
import tempfile
import time
from collections import deque
from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import asdict
from pathlib import Path

from attacking import alone, on_manager, on_server, on_storage
from attacking.player import Opponent
from attacking.report import HEADINGS, Report, in_columns
from attacking.stage import Attack, Stage
from spectators import allow_files

from ggp.warming.kernels import warm_up

ATTACKS: dict[str, Attack] = {
    one.name: one
    for one in (*on_manager.ATTACKS, *on_storage.ATTACKS, *on_server.ATTACKS, *alone.ATTACKS)
}
MAX_SECONDS = 300.0
"""Of one attack: starting, attacking and ending."""
FILES = 5000


async def held(attack: Attack, opponent: Opponent, *, is_short: bool) -> Report:
    """Run an attack and return its report."""
    report = Report(attack.name)
    with tempfile.TemporaryDirectory(prefix="ggp-attack-") as folder:
        try:
            async with asyncio.timeout(MAX_SECONDS):
                await attack.run(Stage(Path(folder), report, is_short, opponent))
        except TimeoutError:
            report.fault("took too long, and was broken off")
        except (OSError, RuntimeError, AssertionError) as error:
            report.fault(f"broken off: {error}")
    return report


async def attacked(names: list[str], *, is_short: bool, is_json: bool) -> list[Report]:
    """Run one attack after the other, in the short form two at a time, and print each result.

    Those at the same time are taken from the two ends of the list, mostly one on a manager and one
    on a server. An attack that succeeds next to another is repeated alone, because the other one
    counts as an attack, too.
    """
    task, reports, waiting = asyncio.current_task(), dict[str, Report](), deque(names)
    assert task is not None
    # Who ends this program ends all that it has started.
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="ggp-attack-")))
        opponent = Opponent(stack, folder)

        async def hold(take: Callable[[], str]) -> None:
            while waiting:
                attack = ATTACKS[name := take()]
                print(f"{name}: {attack.what} ...", file=sys.stderr, flush=True)
                report = reports[name] = await held(attack, opponent, is_short=is_short)
                fields = asdict(report) | {"problems": report.problems()}
                print(json.dumps(fields) if is_json else report.row(), flush=True)

        ends = (waiting.popleft, waiting.pop) if is_short else (waiting.popleft,)
        await asyncio.gather(*map(hold, ends))
        through = [name for name, report in reports.items() if is_short and report.problems()]
        for name in through:
            print(f"{name}, once more: {'; '.join(reports[name].problems())}", file=sys.stderr)
        waiting += through
        await hold(waiting.popleft)
    return list(reports.values())


def cpu_seconds() -> float:
    """Return the CPU seconds of this process and all children that it has waited for."""
    found = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in found)


def told(reports: list[Report], seconds: float) -> str:
    """Return the lines below the table."""
    lines = [f"{report.name}: {problem}" for report in reports for problem in report.problems()]
    lines += [f"{report.name}: not run, {report.skipped}" for report in reports if report.skipped]
    failed = sum(bool(report.problems()) for report in reports)
    lines.append(
        f"{len(reports)} attacks, {len(reports) - failed} withstood; {seconds:.0f} s, "
        f"{cpu_seconds():.0f} s of CPU"
    )
    return "\n".join(lines)


def main() -> int:
    """Read the options, attack, and print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--only",
        nargs="+",
        choices=list(ATTACKS),
        metavar="NAME",
        help="run only these attacks; see --list",
    )
    parser.add_argument("--short", action="store_true", help="run a few seconds of each attack")
    parser.add_argument("--list", action="store_true", help="list the attacks and exit")
    parser.add_argument("--json", action="store_true", help="print a line of JSON for each attack")
    options = parser.parse_args()
    if options.list:
        for attack in ATTACKS.values():
            print(f"{attack.name:{max(map(len, ATTACKS))}}  {attack.what}")
        return 0
    allow_files(FILES)
    # Else the first program would have them compiled, by processes that outlive it.
    warm_up(lambda what: print(what, file=sys.stderr, flush=True))
    began, names = time.monotonic(), options.only or list(ATTACKS)
    if not options.json:
        print(in_columns(list(HEADINGS)), flush=True)
    running = attacked(names, is_short=options.short, is_json=options.json)
    reports = asyncio.run(running)
    if not options.json:
        print(told(reports, time.monotonic() - began))
    return 1 if any(report.problems() for report in reports) else 0


if __name__ == "__main__":
    sys.exit(main())
