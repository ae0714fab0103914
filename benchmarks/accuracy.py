"""Accuracy: the share of moves that keep the outcome, in positions of known outcome.

    python benchmarks/accuracy.py [GAME ...] [--players mcts openspiel:uct_c=2 ...]
                                  [--rounds 1000,10000 | --seconds 0.1,1] [--limit 100] [--json]
    python benchmarks/accuracy.py GAME --make 200 [--plies 4-21] [--most-seconds 2]

A move keeps the outcome if none is better, whoever plays on perfectly. Told is the share of such
moves, with Wilson's interval (95 %), after so many rounds of the search, or so many seconds of its
thread's own time, as one search goes on. A player is a spec of `ggp match` that searches (`mcts`,
`mcts:c=0.7`), or `openspiel`, the `MCTSBot` of OpenSpiel, which begins anew for each number of
simulations or seconds (see `strength.py` for its options and where it is looked for).

The positions of a game are the lines of `outcomes/GAME.json`: the joint moves that lead to each,
and what each move of the role that chooses is worth. They come from random play; moves that are
all worth the same are no question, and left out. `--make` makes them anew: those of connectFour
are judged by the perfect solver of the package `bitbully`, others by our alpha-beta search to the
end of the game, in those positions that it solves in time.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import random
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from contest.match import load
from contest.openspiel import BotOptions
from contest.score import wilson
from contest.sides import OPENSPIEL, BotSide

import gdl
from ggp.clock import Deadline
from ggp.errors import GgpError
from ggp.players import registry
from ggp.players.registry import parse_spec
from ggp.players.searching import SearchPlayer
from ggp.search.arrays.alphabeta.search import make_search
from ggp.search.depth_result import OutOfTime
from ggp.search.knowledge.evaluation import EvenEvaluation

OUTCOMES = Path(__file__).with_name("outcomes")
CONNECT_FOUR = "connectFour"
ROUNDS, SECONDS = "rounds", "seconds"


@dataclass(frozen=True, slots=True)
class Question:
    """A position, and what each move there is worth.

    Attributes:
        moves: The joint moves that lead to it, the roles' parted by a space.
        role: Index of the role that chooses.
        values: What that role gets after each of its moves, if all play perfectly from there.
    """

    moves: list[str]
    role: int
    values: dict[str, float]

    def is_kept_by(self, move: str) -> bool:
        """Whether a move keeps the outcome."""
        return self.values[move] == max(self.values.values())


@dataclass(frozen=True, slots=True)
class Trial:
    """A player, and positions in which it is asked."""

    game: str
    player: str
    unit: str
    marks: tuple[float, ...]
    questions: list[Question]
    seed: int
    python: str


# --- Asking players ---------------------------------------------------------------------------


def questions_of(game: str) -> list[Question]:
    """The positions of a game."""
    lines = (OUTCOMES / f"{game}.json").read_text(encoding="utf-8").splitlines()
    return [Question(**json.loads(line)) for line in lines]


def answers(trial: Trial) -> list[list[bool]]:
    """Of each position, whether the outcome is kept after each mark."""
    spec = parse_spec(trial.player)
    if spec.name == OPENSPIEL:
        options = BotOptions.read(spec.options)
        return [_ask_openspiel(options, trial, one) for one in trial.questions]
    return [_ask_search(trial, one) for one in trial.questions]


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
        for moves, state in zip(_joints(question), states[1:], strict=True):
            bot.advance(moves, state)
        kept.append(question.is_kept_by(str(bot.choose(states[-1], mark))))
        bot.end()
    return kept


def _joints(question: Question) -> list[tuple[gdl.Move, ...]]:
    """The joint moves that lead to a position, each read as the arguments of one term."""
    terms = [gdl.read_term(f"(joint {moves})") for moves in question.moves]
    return [term.args for term in terms if isinstance(term, gdl.Compound)]


def states_to(game: str, question: Question) -> list[gdl.State]:
    """The states on the way to a position, it included."""
    machine = load(game)
    states = [machine.initial_state()]
    for moves in _joints(question):
        states.append(machine.next_state(states[-1], moves))
    return states


# --- Making positions -------------------------------------------------------------------------


def made(
    game: str, number: int, plies: range, most_seconds: float, seed: int
) -> Iterator[Question]:
    """So many positions of a game, none twice, from random play of so many plies."""
    machine, rng = load(game), random.Random(seed)
    judge = _bitbully_values if game == CONNECT_FOUR else _solved_values
    seen: set[gdl.State] = set()
    while len(seen) < number:
        state, moves = machine.initial_state(), list[str]()
        for _ in range(rng.choice(plies)):
            if machine.is_terminal(state):
                break
            joint = tuple(rng.choice(machine.legal_moves(state, role)) for role in machine.roles)
            state = machine.next_state(state, joint)
            moves.append(" ".join(map(str, joint)))
        choosers = [] if machine.is_terminal(state) else _choosers(machine, state)
        if len(choosers) != 1 or state in seen:
            continue
        values = judge(game, state, choosers[0], moves, most_seconds)
        if values and len(set(values.values())) > 1:
            seen.add(state)
            yield Question(moves, choosers[0], values)


def _choosers(machine: gdl.StateMachine, state: gdl.State) -> list[int]:
    legal = [machine.legal_moves(state, role) for role in machine.roles]
    return [role for role, moves in enumerate(legal) if len(moves) > 1]


@cache
def _bitbully() -> Any:
    import bitbully

    return bitbully, bitbully.BitBully()


def _bitbully_values(
    game: str, state: gdl.State, role: int, moves: Sequence[str], most_seconds: float
) -> dict[str, float]:
    """Judge each move by a perfect solver; red is our first role and theirs."""
    package, solver = _bitbully()
    board = package.Board()
    for joint in moves:
        board.play(int("".join(filter(str.isdigit, joint))) - 1)  # (drop 3) noop
    scores = solver.score_all_moves(board)
    return {
        f"(drop {column + 1})": 50.0 + 50.0 * ((score > 0) - (score < 0))
        for column, score in sorted(scores.items())
    }


def _solved_values(
    game: str, state: gdl.State, role: int, moves: Sequence[str], most_seconds: float
) -> dict[str, float]:
    """Judge each move by alpha-beta to the end of the game; nothing if that takes too long."""
    machine, values = load(game), {}
    own = machine.roles[role]
    search = make_search(machine, own, EvenEvaluation(machine))
    assert search is not None
    deadline = Deadline.after(most_seconds)
    for move in machine.legal_moves(state, own):
        joint = [machine.legal_moves(state, other)[0] for other in machine.roles]
        joint[role] = move
        following = machine.next_state(state, tuple(joint))
        if machine.is_terminal(following):
            values[str(move)] = float(machine.goal(following, own))
            continue
        try:
            values[str(move)] = search.look(following, depth=None, deadline=deadline).value
        except OutOfTime:
            return {}
    return values


# --- The command ------------------------------------------------------------------------------


def measured(trials: list[Trial], jobs: int) -> Iterator[dict[str, Any]]:
    """Ask the players of all trials; give the shares of each as it is done."""
    with multiprocessing.get_context("spawn").Pool(jobs) as pool:
        for trial in trials:
            parts = [
                replace(trial, questions=trial.questions[number :: 4 * jobs])
                for number in range(4 * jobs)
            ]
            kept = [one for part in pool.imap(answers, parts) for one in part]
            shares = {}
            for mark, column in zip(trial.marks, zip(*kept, strict=True), strict=True):
                low, high = wilson(sum(column), len(column))
                shares[f"{mark:g}"] = [100 * sum(column) / len(column), 100 * low, 100 * high]
            yield {"game": trial.game, "player": trial.player, "positions": len(kept), **shares}


def parse() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    games = sorted(file.stem for file in OUTCOMES.glob("*.json"))
    add("games", nargs="*", default=games, metavar="GAME", help=f"by default {' '.join(games)}")
    add("--players", nargs="+", default=["mcts"], metavar="PLAYER")
    marks = parser.add_mutually_exclusive_group()
    marks.add_argument("--rounds", metavar="N,N", help="ask after so many (default 1000,10000)")
    marks.add_argument("--seconds", metavar="S,S", help="ask after so long")
    add("--limit", type=int, help="so many positions a game, spread evenly; all by default")
    add("--jobs", type=int, default=1, help="processes; more disturb each other")
    add("--seed", type=int, default=1)
    python = os.environ.get("GGP_OPENSPIEL_PYTHON", sys.executable)
    add("--python", default=python, help=f"a Python that has open_spiel (default {python})")
    add("--json", action="store_true", help="print a line of JSON each")
    add("--make", type=int, metavar="N", help="make N positions of each game, and ask nobody")
    add("--plies", default="4-21", metavar="A-B", help="with --make: of random play (4-21)")
    add("--most-seconds", type=float, default=2.0, help="with --make: to solve one (2)")
    return parser.parse_args()


def make(options: argparse.Namespace) -> None:
    """Write the positions of games."""
    first, _, last = options.plies.partition("-")
    plies = range(int(first), int(last or first) + 1)
    for game in options.games:
        found = made(game, options.make, plies, options.most_seconds, options.seed)
        with (OUTCOMES / f"{game}.json").open("w", encoding="utf-8") as file:
            for number, question in enumerate(found, start=1):
                file.write(json.dumps(asdict(question)) + "\n")
                print(f"\r{game}: {number}", end="", file=sys.stderr, flush=True)
        print(file=sys.stderr)


def ask(options: argparse.Namespace) -> None:
    """Print what came of it, as it comes."""
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
    for found in measured(trials, options.jobs):
        if options.json:
            print(json.dumps(found), flush=True)
            continue
        shares = ", ".join(
            f"{mark:g} {unit}: {found[f'{mark:g}'][0]:.1f} %"
            f" ({found[f'{mark:g}'][1]:.0f}-{found[f'{mark:g}'][2]:.0f})"
            for mark in marks
        )
        print(f"{found['game']}, {found['positions']} positions, {found['player']}: {shares}")


def main() -> None:
    """Make positions or ask players."""
    options = parse()
    try:
        make(options) if options.make else ask(options)
    except (GgpError, OSError, ValueError) as error:
        sys.exit(f"accuracy.py: {error}")


if __name__ == "__main__":
    main()
