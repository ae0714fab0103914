"""Measure how fast a network practises, compared with OpenSpiel's AlphaZero in Python.

    python benchmarks/alphazero.py [--python VENV/bin/python] [--seconds 60] [--units 64]
                                   [--simulations 25] [--samples 500]

Both learn connectFour on 6 rows and 7 columns from nothing, with one hidden layer of `--units`
units. Ours uses one thread; OpenSpiel's has two processes that play and one that learns. The script
prints the samples per second (states of games that the network is trained with) of all work, and
the states that the network values per second. OpenSpiel values one state for each simulation of a
move (the example of the project takes 300). It needs
`pip install open_spiel jax flax optax chex orbax-checkpoint`.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from practice import load

from ggp.search.evaluation.network.network import NetworkValues
from ggp.training.network.batch_play import BatchPlay
from ggp.training.network.practice import Practice, PracticeSettings

PEER = Path(__file__).resolve().parent / "contest" / "alphazero.py"
STEPS = 3  # of OpenSpiel's learner; the first one, in which it starts, does not count
GAME = "connectFour"


def ours(seconds: float, units: int) -> tuple[float, float]:
    """Return our samples and valued states a second."""
    game, num_valued = load(GAME), 0

    class Counted(NetworkValues):
        """An evaluation that counts the values it computes."""

        def values(self, states, phase):  # type: ignore[no-untyped-def]
            """Return the values of the network."""
            nonlocal num_valued
            num_valued += len(states)
            return super().values(states, phase)

    practice = Practice(game, PracticeSettings(units=units))
    practice.step(0.0)
    begin, samples = time.perf_counter(), practice.num_samples
    while (taken := time.perf_counter() - begin) < seconds:
        practice.step(taken / seconds)
    played = Counted(practice.network(), game)
    found = BatchPlay(game, PracticeSettings().games, 1).play(played)
    each = num_valued / len(found.states)
    rate = (practice.num_samples - samples) / taken
    return rate, rate * each


def theirs(python: str, units: int, simulations: int, states: int) -> tuple[float, float]:
    """Return OpenSpiel's samples and valued states a second, including the time for learning."""
    with tempfile.TemporaryDirectory() as folder:
        command = [python, str(PEER), folder, *map(str, (units, simulations, STEPS, states))]
        done = subprocess.run(  # noqa: S603  # our own script, in a Python that the user named
            command,
            env=os.environ | {"JAX_PLATFORMS": "cpu"},
            capture_output=True,
            text=True,
            check=False,
        )
    if done.returncode:
        sys.exit(f"alphazero.py: {python} failed: {done.stderr.strip().splitlines()[-1:]}")
    rates = re.findall(r"Collected .* games, ([0-9.]+) states/s", done.stdout)
    rate = sum(map(float, rates[1:])) / len(rates[1:])
    return rate, rate * simulations


def main() -> None:
    """Measure both, one after the other."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--python", default=os.environ.get("GGP_OPENSPIEL_PYTHON"))
    parser.add_argument(
        "--seconds", type=float, default=60.0, help="seconds of our practice (default 60)"
    )
    parser.add_argument(
        "--units", type=int, default=64, help="units of the network, a power of two (default 64)"
    )
    parser.add_argument(
        "--simulations", type=int, default=25, help="simulations per move (default 25)"
    )
    parser.add_argument("--samples", type=int, default=500, help="samples per step (default 500)")
    options = parser.parse_args()
    if not options.python:
        sys.exit("alphazero.py: expected --python with OpenSpiel (or GGP_OPENSPIEL_PYTHON)")
    print("| learner | samples a second | states valued a second |\n|---|---|---|")
    samples, valued = ours(options.seconds, options.units)
    print(f"| practice, one thread | {samples:,.0f} | {valued:,.0f} |", flush=True)
    other, said = theirs(options.python, options.units, options.simulations, options.samples)
    name = f"OpenSpiel's AlphaZero, {options.simulations} simulations, two actors"
    print(f"| {name} | {other:,.1f} | {said:,.0f} |")
    print(f"\n{samples / other:,.0f} times the samples, {valued / said:,.0f} times the states")


if __name__ == "__main__":
    main()
