"""Measure the states per second that a reasoner makes in random playouts.

    python benchmarks/states.py [--seconds 5] [GAME or FILE.kif ...]

For each game, the script prints states and playouts per second of one process, and how many times
the prover's figure that is. States are counted as in the report on GGP-Base's prover (legal moves
of every role, next state, terminal; goals at the end). Without arguments it measures all bundled
games. If there is a folder of rulesheets next to the project (`../shared/corpus/rules`), it also
measures the games that the prover was measured with.
"""

from __future__ import annotations

import argparse
import random
import time
from dataclasses import dataclass
from pathlib import Path

import gdl
from ggp import games

CORPUS = Path(__file__).resolve().parents[2] / "shared" / "corpus" / "rules"
WARM_UP_SECONDS = 1.0

# States per second of GGP-Base's ProverStateMachine (Java 17) on a machine of the same kind.
PROVER = {
    "ticTacToe": 1830,
    "connectFour": 484,
    "breakthrough": 100,
    "reversi": 14,
    "hex": 150,
    "speedChess": 69,
    "pentago": 322,
}


@dataclass(frozen=True)
class Rate:
    """Counts of a stretch of random playouts."""

    states: int
    playouts: int
    seconds: float


def playouts(machine: gdl.StateMachine, seconds: float, rng: random.Random) -> Rate:
    """Play at random for `seconds` and count."""
    start = time.perf_counter()
    states = playouts = 0
    state = machine.initial_state()
    while time.perf_counter() - start < seconds:
        states += 1
        if machine.is_terminal(state):
            for role in machine.roles:
                machine.goals(state, role)
            playouts += 1
            state = machine.initial_state()
        else:
            moves = [rng.choice(machine.legal_moves(state, role)) for role in machine.roles]
            state = machine.next_state(state, moves)
    return Rate(states, playouts, time.perf_counter() - start)


def rulesheets(names: list[str]) -> list[tuple[str, str, int | None]]:
    """Return name, text and prover's figure of each game to be measured."""
    if names:
        texts = [(name, Path(name)) for name in names]
        return [
            (name, path.read_text(encoding="latin-1") if path.exists() else games.text(name), None)
            for name, path in texts
        ]
    found: list[tuple[str, str, int | None]] = [
        (name, games.text(name), None) for name in games.names()
    ]
    for name, figure in PROVER.items():
        path = CORPUS / f"{name}.kif"
        if path.exists():
            found.append((f"corpus/{name}", path.read_text(encoding="latin-1"), figure))
    return found


def main() -> None:
    """Measure and print one line per game."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("games", nargs="*", help="bundled names or rulesheet files")
    parser.add_argument("--seconds", type=float, default=5.0, help="seconds per game (default 5)")
    options = parser.parse_args()
    print(f"{'game':28} {'load ms':>8} {'states/s':>10} {'playouts/s':>11} {'x prover':>9}")
    for name, text, figure in rulesheets(options.games):
        start = time.perf_counter()
        machine = gdl.load(gdl.read_rules(text, name), "interpreter")
        load = time.perf_counter() - start
        rng = random.Random(1)
        playouts(machine, WARM_UP_SECONDS, rng)
        rate = playouts(machine, options.seconds, rng)
        per_second = rate.states / rate.seconds
        times = f"{per_second / figure:9.1f}" if figure else " " * 9
        finished = rate.playouts / rate.seconds
        print(
            f"{name:28} {load * 1e3:8.0f} {per_second:10.0f} {finished:11.1f} {times}", flush=True
        )


if __name__ == "__main__":
    main()
