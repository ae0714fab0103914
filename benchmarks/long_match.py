"""Measure whether a long match stays within its memory, and what the tree keeps between moves.

    python benchmarks/long_match.py [GAME] [--seconds 30] [--memory 256] [--minutes 30]

The search on lanes thinks in each turn as in a match, its own and the others', and all roles make
the moves that it expects. After each turn the script prints the search's iterations below the state
before, those through the first role's move, those in the tree below the state after it, and the
memory of the process.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import gdl
from ggp import games
from ggp.clock import Deadline
from ggp.search.core.choices import Joint
from ggp.search.core.search import repeat
from ggp.search.fast.lanes import LaneSettings
from ggp.search.fast.tree.search import LaneSearch
from ggp.warming.kernels import warm_up_tree

KIBIBYTES, MEBIBYTE = 1024, 1 << 20


def resident_megabytes() -> float:
    """Return the memory of this process as the system counts it."""
    for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / KIBIBYTES
    return 0.0


def look(search: LaneSearch, seconds: float) -> tuple[Joint, int, int]:
    """Search; return the expected joint move, all iterations, and those through the move."""
    repeat(search.step, Deadline.after(seconds))
    result, machine = search.result(), search.game
    legal = [machine.legal_moves(search.state, role) for role in machine.roles]
    joint = result.line[0] if result.line else tuple(moves[0] for moves in legal)
    through = next((one.visits for one in result.moves if one.move is joint[0]), 0)
    return joint, result.visits, through


def main() -> None:
    """Play, and print a line for each turn."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("game", nargs="?", default="othello", metavar="GAME")
    parser.add_argument("--seconds", type=float, default=30.0, help="seconds for each turn")
    parser.add_argument("--memory", type=int, default=256, help="memory of the tree in megabytes")
    parser.add_argument("--minutes", type=float, default=30.0, help="maximum minutes")
    options = parser.parse_args()
    gdl.warm_up()
    warm_up_tree()
    machine = gdl.load(games.text(options.game), "lanes")
    settings = LaneSettings(memory=options.memory * MEBIBYTE)
    state, end = machine.initial_state(), time.monotonic() + 60 * options.minutes
    search = LaneSearch(machine, state, machine.roles[0], 1, settings)
    print(f"{resident_megabytes():.0f} MB before the first turn", flush=True)
    number = 0
    while not machine.is_terminal(state) and time.monotonic() < end:
        joint, total, through = look(search, options.seconds)
        state = machine.next_state(state, joint)
        number += 1
        if machine.is_terminal(state):
            break
        search.advance(joint, state)
        print(
            f"{number}: {' '.join(map(str, joint))}: {total:,} rounds, {through:,} through the "
            f"move, {search.result().visits:,} kept; {resident_megabytes():.0f} MB",
            flush=True,
        )


if __name__ == "__main__":
    main()
