"""Judge reports on matches: marked moves of connectFour against a perfect solver.

    python benchmarks/reports.py                  # matches of reported_matches.json
    python benchmarks/reports.py --file benchmarks/unseen_matches.json
    python benchmarks/reports.py --make 14        # makes matches anew; needs the package bitbully

In the matches, `mcts` plays with 0.05 s a move and moves at random in 10, 20 or 35 % of its turns.
A report should mark each move that changed the outcome according to the solver, and no other. The
rule for marks was chosen with the matches of reported_matches.json. Those of unseen_matches.json
judge that rule.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from contest.match import load
from positions import CONNECT_FOUR

from ggp.clock import Deadline
from ggp.players import create
from ggp.report.analysis import ReportLimits, report_on
from ggp.report.match_line import line_of

FILE = Path(__file__).with_name("reported_matches.json")
ERROR_RATES = 0.1, 0.2, 0.35
PARTS = {"turns 1 to 14": range(1, 15), "from turn 15 on": range(15, 43), "all": range(1, 43)}


class Judged(NamedTuple):
    """A move, as judged by the solver and by the report."""

    turn: int
    is_change: bool
    is_marked: bool


def main() -> None:
    """Make matches, or report on existing ones."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--make", type=int, metavar="NUMBER", help="make this number of matches")
    parser.add_argument("--file", type=Path, default=FILE, help="file of matches to read or write")
    parser.add_argument("--rounds", type=int, help="iterations of the search for each position")
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    if options.make:
        lines = [json.dumps(match) for match in _matches(options.make, random.Random(options.seed))]
        options.file.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return
    found: list[Judged] = []
    slowest = 0.0
    for text in options.file.read_text(encoding="utf-8").splitlines():
        match = json.loads(text)
        began = time.process_time()
        found += _judged(match["moves"], match["kept"], ReportLimits(options.rounds))
        seconds = time.process_time() - began
        slowest = max(slowest, seconds / len(match["moves"]))
        print(f"{len(match['moves'])} turns in {seconds:.1f} s of CPU time", flush=True)
    for name, turns in PARTS.items():
        part = [move for move in found if move.turn in turns]
        changes = [move.is_marked for move in part if move.is_change]
        others = [move.is_marked for move in part if not move.is_change]
        print(
            f"{name}: {sum(changes)} of {len(changes)} changes are marked, "
            f"{sum(others)} of {len(others)} others"
        )
    print(f"at most {slowest:.2f} s of CPU time a turn")


def _judged(moves: list[list[str]], kept: list[bool], limits: ReportLimits) -> Iterator[Judged]:
    game = load(CONNECT_FOUR)
    report = report_on(CONNECT_FOUR, game, line_of(game, moves), limits)
    for move in report.moves:
        yield Judged(move.turn, not kept[move.turn - 1], move.mark is not None)


def _matches(number: int, rng: random.Random) -> Iterator[dict[str, object]]:
    for _ in range(number):
        moves = _match(rng)
        yield {"moves": moves, "kept": _kept(moves)}


def _match(rng: random.Random) -> list[list[str]]:
    game = load(CONNECT_FOUR)
    options = {"memory": "64", "network": "none"}
    players = [create("mcts", game, role, options, rng.randrange(1 << 30)) for role in game.roles]
    rates = [rng.choice(ERROR_RATES) for _ in players]
    state, moves = game.initial_state(), []
    while not game.is_terminal(state):
        joint = []
        for player, rate in zip(players, rates, strict=True):
            legal = game.legal_moves(state, player.role)
            is_search = len(legal) > 1 and rng.random() >= rate
            joint.append(
                player.choose(state, Deadline.after(0.05)) if is_search else rng.choice(legal)
            )
        state = game.next_state(state, tuple(joint))
        moves.append([str(move) for move in joint])
        for player in players:
            player.advance(tuple(joint), state)
    return moves


def _kept(moves: list[list[str]]) -> list[bool]:
    """Return whether each move keeps what a perfect player would get."""
    import bitbully

    solver, board, kept = bitbully.BitBully(), bitbully.Board(), []
    for joint in moves:
        column = int("".join(filter(str.isdigit, "".join(joint)))) - 1
        scores = solver.score_all_moves(board)
        outcomes = {place: (score > 0) - (score < 0) for place, score in scores.items()}
        kept.append(outcomes[column] == max(outcomes.values()))
        board.play(column)
    return kept


if __name__ == "__main__":
    main()
