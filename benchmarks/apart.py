"""Measure what is saved by searching the parts of a puzzle separately: states and processor time.

python benchmarks/apart.py                      # the table, as markdown
python benchmarks/apart.py GAME ... --seconds 5

A game is a bundled one or a rulesheet's file. Each is searched from its first state until the plan
is known to be the shortest to the best goal, or until `--seconds` are over. There are three
searches: of the whole as if it had no parts, of the parts alone, and of both in turn, as players
do.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass
from pathlib import Path

import gdl
from ggp import games
from ggp.clock import Deadline
from ggp.search.core.result import CompleteLine, Effort
from ggp.search.fast.puzzles.decomposition import DecomposedSearch
from ggp.search.fast.puzzles.search import SingleAgentSearch, SingleAgentSettings
from ggp.warming.kernels import warm_up_single_agent

GAMES = ("twinTiles", "twinWheels")
CORPUS = (
    "asteroidsParallel",
    "dresden_SOBOTKA_S_3359145294",
    "blocksWorldParallel",
    "lightsOnParallel",
)
MEMORY = 64 << 20  # bytes, of each part
FOLDER = Path(__file__).resolve().parents[1] / ".." / "shared" / "corpus" / "rules"


@dataclass(frozen=True)
class Found:
    """The plan that a search has found, and its cost."""

    plan: str
    states: int
    seconds: float
    """Processor time of all threads."""


def whole(machine: gdl.Game, seconds: float, *, apart: bool) -> Found:
    """Search a game from its first state for at most `seconds` of processor time."""
    start = time.process_time()
    settings = SingleAgentSettings(apart=apart)
    search = SingleAgentSearch(machine, machine.initial_state(), 1, settings)
    while time.process_time() < start + seconds and not search.is_shortest:
        if not search.step(Deadline.never()):
            break
    plan = told(search.best_line, is_proven=search.is_proven, is_shortest=search.is_shortest)
    return Found(plan, search.effort.num_iterations, time.process_time() - start)


def parts(machine: gdl.Game, seconds: float) -> Found:
    """Search its parts alone, including the time to find them."""
    start = time.process_time()
    settings = SingleAgentSettings(memory=MEMORY, apart=False)

    def new_search(part: gdl.Game, state: gdl.State) -> SingleAgentSearch:
        return SingleAgentSearch(part, state, 1, settings)

    search = DecomposedSearch(machine, machine.initial_state(), new_search, settings.horizon)
    while time.process_time() < start + seconds and search.step(Deadline.never()):
        pass
    is_shortest = search.is_line_the_shortest
    plan = told(search.line, is_proven=is_shortest, is_shortest=is_shortest)
    states = search.added_to(Effort(0, 0, 0, 0)).num_iterations
    return Found(plan, states, time.process_time() - start)


def told(line: CompleteLine | None, *, is_proven: bool, is_shortest: bool) -> str:
    """Return a plan in words."""
    if line is None:
        return "none"
    words = "!" if is_shortest else ", best goal" if is_proven else ""
    return f"{line.goal:g} in {len(line.moves)}{words}"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("games", nargs="*", help="bundled games or files")
    parser.add_argument(
        "--seconds", type=float, default=10.0, help="seconds of processor time for each search"
    )
    options = parser.parse_args()
    warm_up_single_agent()
    corpus = [FOLDER / f"{name}.kif" for name in CORPUS]
    names = options.games or [*GAMES, *(str(file) for file in corpus if file.is_file())]
    print("| game | whole | states | s | parts | states | s | by turns | states | s |")
    print("|---|---|---:|---:|---|---:|---:|---|---:|---:|")
    for name in names:
        text = games.text(name) if name in games.names() else Path(name).read_text("utf-8")
        # Machines of their own: what is known of its parts is kept with a machine.
        one, two, three = (gdl.load(text, "lanes") for _ in range(3))
        row = (
            whole(one, options.seconds, apart=False),
            parts(two, options.seconds),
            whole(three, options.seconds, apart=True),
        )
        cells = [f"{found.plan} | {found.states:,} | {found.seconds:.2f}" for found in row]
        print(f"| {Path(name).stem} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
