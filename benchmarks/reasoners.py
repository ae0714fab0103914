"""Measure each of our reasoners on one game, and print one JSON object on standard output.

    python benchmarks/reasoners.py GAME or FILE.kif [--seconds 1] [--engines table straight ...]

Rates are playouts per second of CPU time. Lanes first play for a while, so that they are at
different stages of their games. Then measurements by table and by machine code alternate, and the
best of each counts.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import gdl
from gdl.circuit.assembler.code import gate_code
from gdl.circuit.circuit import Circuit
from gdl.circuit.lanes.playouts.lanes import DEFAULT_WIDTH, Lanes
from gdl.circuit.schedule import schedule
from ggp import games
from ggp.bench.playouts import InterpreterPlayer

TABLE, STRAIGHT, SCALAR, INTERPRETER = "table", "straight", "scalar", "interpreter"
ENGINES = (TABLE, STRAIGHT, SCALAR, INTERPRETER)
STRETCHES = 3
LIMIT = 4096  # moves of a playout


@dataclass
class Rate:
    """Counts of several runs of playouts, and the most states in a second of CPU time.

    Playouts count from the first to the last that began, so their mean length has no bias.
    """

    playouts: int = 0
    moves: int = 0
    states_per_second: float = 0.0

    def add(self, play: Callable[[], Any], is_timed: bool = True) -> None:
        """Play one run and count."""
        start = time.process_time()
        counted = play()
        spent = time.process_time() - start
        playouts = getattr(counted, "count", None)
        playouts = counted.playouts if playouts is None else playouts
        states = playouts + counted.moves
        self.playouts += playouts
        self.moves += counted.moves
        if is_timed:
            self.states_per_second = max(self.states_per_second, states / max(spent, 1e-9))

    @property
    def playouts_per_second(self) -> float | None:
        """Return the playouts per second, or None if no playout has ended."""
        states = self.playouts + self.moves
        return self.states_per_second * self.playouts / states if self.playouts else None


def measure_lanes(circuit: Circuit, names: list[str], seconds: float) -> dict[str, Any]:
    """Return the rates by table and by straight-line code, if requested."""
    players: dict[str, Lanes] = {}
    found: dict[str, Any] = {}
    if TABLE in names:
        by_table = [schedule(phase.netlist, straight=False) for phase in circuit.phases]
        players[TABLE] = Lanes(by_table, DEFAULT_WIDTH, seed=1)
    if STRAIGHT in names:
        start = time.perf_counter()
        code = gate_code([schedule(phase.netlist) for phase in circuit.phases])
        found["assembled_seconds"] = time.perf_counter() - start
        if code is not None:
            players[STRAIGHT] = Lanes(circuit.phases, DEFAULT_WIDTH, seed=1, code=code)
    rates = {name: Rate() for name in players}
    for name, lanes in players.items():
        rates[name].add(partial(lanes.playouts, seconds=max(0.5, seconds), limit=LIMIT), False)
    for _ in range(STRETCHES):
        for name, lanes in players.items():
            rates[name].add(partial(lanes.playouts, seconds=seconds, limit=LIMIT))
    for name, rate in rates.items():
        rate.add(partial(players[name].finish, LIMIT), False)
        found[name] = rate.playouts_per_second
        if rate.playouts:
            found["mean_length"] = rate.moves / rate.playouts
    return found


def measure_single(loaded: gdl.Game, names: list[str], seconds: float) -> dict[str, Any]:
    """Return the rates of the reasoners that play one state at a time, if requested."""
    found: dict[str, Any] = {}
    if SCALAR in names:
        machine: Any = loaded.machine
        machine.random_playouts(1, depth=LIMIT)
        rate = Rate()
        for seed in range(STRETCHES):
            rate.add(partial(machine.random_playouts, seconds=seconds, seed=seed, depth=LIMIT))
        found[SCALAR] = rate.playouts_per_second
    return found


def measure_interpreter(rulesheet: gdl.Rulesheet, seconds: float) -> dict[str, Any]:
    """Return the interpreter's rate; a playout may take a few times the seconds."""
    machine = gdl.load(rulesheet, "interpreter")
    player = InterpreterPlayer(machine, seed=1, limit=LIMIT, patience=4 * seconds)
    rate = Rate()
    rate.add(partial(player.play, seconds))
    return {INTERPRETER: rate.playouts_per_second}


def read_game(name: str) -> gdl.Rulesheet:
    """Return the rules in a file, or of a bundled game."""
    path = Path(name)
    text = path.read_text(encoding="latin-1") if path.exists() else games.text(name)
    return gdl.read_rules(text, path.stem)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("game", help="a bundled name or a rulesheet file")
    parser.add_argument(
        "--seconds", type=float, default=1.0, help="seconds per measurement (default 1)"
    )
    parser.add_argument("--engines", nargs="*", choices=ENGINES, default=list(ENGINES))
    options = parser.parse_args()
    rulesheet = read_game(options.game)
    found: dict[str, Any] = {}
    if set(options.engines) - {INTERPRETER}:
        gdl.warm_up()
        try:
            loaded = gdl.load(rulesheet, "lanes")
        except gdl.GdlError as error:
            print(f"  {options.game}: {error}", file=sys.stderr)
        else:
            assert loaded.circuit is not None
            found["ready_seconds"] = sum(loaded.timings.values())
            found["gates"] = loaded.circuit.num_gates
            found |= measure_lanes(loaded.circuit, options.engines, options.seconds)
            found |= measure_single(loaded, options.engines, options.seconds)
    if INTERPRETER in options.engines:
        found |= measure_interpreter(rulesheet, options.seconds)
    print(json.dumps(found))


if __name__ == "__main__":
    main()
