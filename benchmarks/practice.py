r"""Let a value network practise a game, and write its file: how fast does it learn and evaluate?

    python benchmarks/practice.py GAME FILE [--seconds 60] [--units 64] [--seed 1]

A game is a bundled one or a file. All times are those of the one working thread, so other processes
do not count. Let numpy use one thread (`OPENBLAS_NUM_THREADS=1`). `strength.py` measures how strong
a player becomes with the file:

    python benchmarks/strength.py GAME --players mcts:network=FILE mcts:network=none \
        --seconds 0.2 --opening 4
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

import gdl
from ggp import games
from ggp.errors import GgpError
from ggp.search.evaluation.network.file import write_network
from ggp.search.evaluation.network.network import NetworkValues, ValueNetwork
from ggp.training.network.batch_play import BatchPlay, BatchPlaySettings
from ggp.training.network.practice import Practice, PracticeSettings

SECONDS_BETWEEN_LINES = 10.0
BATCH = 128  # states that are evaluated at once, as the search does
REPEATS = 200


def load(name: str) -> gdl.Game:
    """Return a game from a file, or a bundled one."""
    file = Path(name)
    text = file.read_text(encoding="utf-8") if file.is_file() else games.text(name)
    return gdl.load(gdl.read_rules(text, file.stem))


def nanoseconds(game: gdl.Game, values: NetworkValues) -> float:
    """Return the time of one evaluation, for states of random games."""
    found = BatchPlay(game, BatchPlaySettings(games=64), 1).play(None)
    states = found.states[found.phases == 0][-BATCH:]
    best = float("inf")
    for _ in range(REPEATS):
        start = time.perf_counter()
        values.values(states, 0)
        best = min(best, time.perf_counter() - start)
    return 1e9 * best / len(states)


def practise(game: gdl.Game, settings: PracticeSettings, seconds: float) -> ValueNetwork:
    """Practise for a time, print the progress, and return the network."""
    start, told = time.thread_time(), -SECONDS_BETWEEN_LINES
    practice = Practice(game, settings)
    while (done := time.thread_time() - start) < seconds:
        found = practice.step(done / seconds)
        if done - told >= SECONDS_BETWEEN_LINES:
            told = done
            print(f"{done:5.0f} s: {found.samples:,} samples, error {found.error:.1f}", flush=True)
    return practice.network()


def parse() -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("game")
    parser.add_argument("file", type=Path)
    parser.add_argument(
        "--seconds", type=float, default=60.0, help="seconds of practice (default 60)"
    )
    parser.add_argument(
        "--units", type=int, default=64, help="units of the network, a power of two (default 64)"
    )
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


def main() -> None:
    """Practise, print the progress, and write the network."""
    options = parse()
    try:
        game = load(options.game)
        settings = PracticeSettings(units=options.units, seed=options.seed)
        network = practise(game, settings, options.seconds)
        num_bytes = write_network(network, options.file)
    except (GgpError, gdl.GdlError, OSError) as error:
        sys.exit(f"practice.py: {error}")
    samples = float(network.figures["samples"])
    cost = nanoseconds(game, NetworkValues(network, game))
    print(
        f"{network.game}: {samples / options.seconds:,.0f} samples a second, training included; "
        f"{cost:.0f} ns a state; {num_bytes:,} bytes"
    )


if __name__ == "__main__":
    main()
