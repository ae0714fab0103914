"""Measure how often a search keeps the outcome, in positions with known outcomes.

    python benchmarks/accuracy.py [GAME ...] [--players mcts openspiel:uct_c=2 ...]
                                  [--rounds 1000,10000 | --seconds 0.1,1] [--limit 100] [--json]
                                  [--cluster ADDRESS]
    python benchmarks/accuracy.py GAME --make 200 [--plies 4-21] [--most-seconds 2]
                                  [--cluster ADDRESS]

A move keeps the outcome if no other move is better under perfect play. The script prints the share
of such moves with Wilson's interval (95 %) while one search runs, after each number of iterations
in `--rounds` or each number of seconds of its thread's own time in `--seconds`. A player is a spec
of `ggp match` that searches (`mcts`, `mcts:c=0.7`), or `openspiel`, the `MCTSBot` of OpenSpiel.
OpenSpiel starts again for each number of simulations or seconds; `strength.py` explains its options
and where the script looks for it.

The positions of a game are the lines of `outcomes/GAME.json`: the joint moves that lead to each
position, and the value of each move of the role that chooses. They come from random play. Positions
in which all moves have the same value are left out. `--make` creates new positions: the perfect
solver of the package `bitbully` judges those of connectFour. In other games, our alpha-beta search
judges the positions that it solves to the end of the game in time.

With `--cluster ADDRESS` the machines of a Ray cluster do both (see `docs/cluster.md`). Each machine
needs this folder in the same place, and bitbully for connectFour's positions. Results counted in
iterations, and the positions of connectFour, are the same as without a cluster.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import multiprocessing
import os
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Any, TextIO

import numpy as np
from contest.match import load
from contest.openspiel import BotOptions
from contest.score import wilson
from contest.sides import OPENSPIEL, BotSide
from numpy.typing import NDArray
from positions import OUTCOMES, Making, Question, joints_of, made, questions_of, states_to

from ggp.clock import Deadline
from ggp.cluster.connection import connected
from ggp.cluster.tasks import crew, done
from ggp.errors import GgpError
from ggp.players import registry
from ggp.players.registry import parse_spec
from ggp.players.searching import SearchPlayer

ROUNDS, SECONDS = "rounds", "seconds"


@dataclass(frozen=True, slots=True)
class Trial:
    """A player, with the positions for it."""

    game: str
    player: str
    unit: str
    marks: tuple[float, ...]
    questions: list[Question]
    seed: int
    python: str


# --- Asking players ---------------------------------------------------------------------------


def answers(trial: Trial) -> list[list[bool]]:
    """For each position, return whether the outcome is kept after each mark."""
    spec = parse_spec(trial.player)
    if spec.name == OPENSPIEL:
        options = BotOptions.read(spec.options)
        return [_ask_openspiel(options, trial, one) for one in trial.questions]
    return [_ask_search(trial, one) for one in trial.questions]


def answers_to(trial: Trial, part: slice) -> NDArray[np.bool_]:
    """Return the answers to a part of the positions, as `[positions, marks]`."""
    found = answers(replace(trial, questions=trial.questions[part]))
    return np.array(found, np.bool_).reshape(-1, len(trial.marks))


def _ask_search(trial: Trial, question: Question) -> list[bool]:
    machine = load(trial.game)
    role = machine.roles[question.role]
    player = registry.create(trial.player, machine, role, {}, trial.seed)
    if not isinstance(player, SearchPlayer):
        raise GgpError(f"{trial.player}: expected a player that searches")
    search = player.new_search(states_to(trial.game, question)[-1])
    kept, start, goes_on = [], time.thread_time(), True
    for mark in trial.marks:
        while goes_on and mark > (
            search.effort.num_iterations if trial.unit == ROUNDS else time.thread_time() - start
        ):
            goes_on = not search.is_decided and search.step(Deadline.never())
        kept.append(question.is_kept_by(str(search.result().move)))
    return kept


def _ask_openspiel(options: BotOptions, trial: Trial, question: Question) -> list[bool]:
    machine, kept = load(trial.game), []
    for mark in trial.marks:
        wanted = {"simulations": int(mark)} if trial.unit == ROUNDS else {}
        asked = replace(options, **wanted)
        bot = BotSide(asked, trial.game, machine, trial.python, trial.seed)
        states = states_to(trial.game, question)
        bot.begin(states[0], mark)
        for moves, state in zip(joints_of(question), states[1:], strict=True):
            bot.advance(moves, state)
        kept.append(question.is_kept_by(str(bot.choose(states[-1], mark))))
        bot.end()
    return kept


# --- The command ------------------------------------------------------------------------------


class Progress:
    """A line on standard error, if that is a terminal: the work done, and the time left."""

    def __init__(self, name: str, total: int) -> None:
        self._name, self._total, self._began = name, total, time.monotonic()

    def tell(self, num: int) -> None:
        """Report that `num` units of work are finished."""
        if not sys.stderr.isatty():
            return
        left = (time.monotonic() - self._began) / max(1, num) * (self._total - num)
        text = f"\r{self._name}: {num} of {self._total}, {left:.0f} s left\x1b[K"
        print(text, end="\n" if num >= self._total else "", file=sys.stderr, flush=True)


def measured(
    trials: list[Trial], jobs: int, *, is_on_cluster: bool = False
) -> Iterator[dict[str, Any]]:
    """Ask the players of all trials; yield the shares of each when it is done."""
    with contextlib.ExitStack() as stack:
        if not is_on_cluster:
            pool = stack.enter_context(multiprocessing.get_context("spawn").Pool(jobs))
        for trial in trials:
            num_parts = len(trial.questions) if is_on_cluster else 4 * jobs
            parts = [slice(number, None, num_parts) for number in range(num_parts)]
            if is_on_cluster:
                workers = stack.enter_context(crew(answers_to, trial, is_on_cluster=True))
                found = done(workers, parts)
            else:
                found = enumerate(pool.imap(partial(answers_to, trial), parts))
            progress, kept = Progress(f"{trial.game}, {trial.player}", len(trial.questions)), []
            for _, answered in found:
                kept += answered.tolist()
                progress.tell(len(kept))
            shares = {}
            for mark, column in zip(trial.marks, zip(*kept, strict=True), strict=True):
                low, high = wilson(sum(column), len(column))
                shares[f"{mark:g}"] = [100 * sum(column) / len(column), 100 * low, 100 * high]
            yield {"game": trial.game, "player": trial.player, "positions": len(kept), **shares}


def parse() -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    games = sorted(file.stem for file in OUTCOMES.glob("*.json"))
    add("games", nargs="*", default=games, metavar="GAME", help=f"by default {' '.join(games)}")
    add("--players", nargs="+", default=["mcts:network=none"], metavar="PLAYER")
    marks = parser.add_mutually_exclusive_group()
    marks.add_argument(
        "--rounds", metavar="N,N", help="ask after these numbers of iterations (default 1000,10000)"
    )
    marks.add_argument("--seconds", metavar="S,S", help="ask after these seconds")
    add("--limit", type=int, help="positions of each game, spread evenly (default: all)")
    add("--jobs", type=int, default=1, help="processes; several disturb each other")
    add("--seed", type=int, default=1)
    python = os.environ.get("GGP_OPENSPIEL_PYTHON", sys.executable)
    add("--python", default=python, help=f"a Python that has open_spiel (default {python})")
    add("--json", action="store_true", help="print a line of JSON for each result")
    add("--make", type=int, metavar="N", help="make N positions of each game and ask no player")
    add("--plies", default="4-21", metavar="A-B", help="with --make: plies of random play (4-21)")
    add(
        "--most-seconds",
        type=float,
        default=2.0,
        help="with --make: seconds to solve a position (2)",
    )
    add("--cluster", metavar="ADDRESS", help="HOST:PORT of a Ray cluster's head, or auto")
    return parser.parse_args()


def make(options: argparse.Namespace) -> None:
    """Write the positions of games."""
    first, _, last = options.plies.partition("-")
    plies = range(int(first), int(last or first) + 1)
    for game in options.games:
        making = Making(game, plies, options.most_seconds, options.seed)
        progress = Progress(game, options.make)
        with (OUTCOMES / f"{game}.json").open("w", encoding="utf-8") as file:
            found = made(making, options.make, is_on_cluster=bool(options.cluster))
            for number, question in enumerate(found, start=1):
                file.write(json.dumps(asdict(question)) + "\n")
                progress.tell(number)


def ask(options: argparse.Namespace, output: TextIO) -> None:
    """Print the results as they come."""
    unit = SECONDS if options.seconds else ROUNDS
    text = options.seconds or options.rounds or "1000,10000"
    marks = tuple(sorted(float(mark) for mark in text.split(",")))
    trials = []
    for game in options.games:
        questions = questions_of(game)
        step = max(1, len(questions) // (options.limit or len(questions)))
        chosen = questions[::step][: options.limit]
        trials += [
            Trial(game, player, unit, marks, chosen, options.seed, options.python)
            for player in options.players
        ]
        load(game)  # to the disk, so that no two processes do the same
    for found in measured(trials, options.jobs, is_on_cluster=bool(options.cluster)):
        if options.json:
            print(json.dumps(found), file=output, flush=True)
            continue
        shares = ", ".join(
            f"{mark:g} {unit}: {found[f'{mark:g}'][0]:.1f} %"
            f" ({found[f'{mark:g}'][1]:.0f}-{found[f'{mark:g}'][2]:.0f})"
            for mark in marks
        )
        text = f"{found['game']}, {found['positions']} positions, {found['player']}: {shares}"
        print(text, file=output, flush=True)


def main() -> None:
    """Make positions or ask players."""
    options, output = parse(), sys.stdout  # which is another while there is a cluster
    try:
        with connected(options.cluster) if options.cluster else contextlib.nullcontext():
            make(options) if options.make else ask(options, output)
    except (GgpError, OSError, ValueError) as error:
        sys.exit(f"accuracy.py: {error}")


if __name__ == "__main__":
    import accuracy  # by this name other machines find what they are to do

    accuracy.main()
