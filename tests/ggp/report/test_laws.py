"""Laws of reports: one value per position, which explains the marks, the accuracy and the end."""

from __future__ import annotations

import json
import random
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

import gdl
from ggp import games
from ggp.records.recording import read_record
from ggp.report.analysis import ReportLimits, report_on
from ggp.report.match_line import line_of
from ggp.report.match_report import OPEN, MatchReport
from tests.shared import require
from tests.thorough import all_but

pytestmark = pytest.mark.usefixtures("kernels")

LIMITS = ReportLimits(rounds=200)
IN_TURNS = "ticTacToe", "connectFour", "breakthroughSmall", "nim", "chomp"
OTHERS = "goofspiel", "threePlayerTicTacToe", "pig", "lightsOut", "tron"
SEEDS = range(3)
GREED = 0.5
"""Share of the turns in which somebody wins if that is possible."""


@cache
def game(name: str) -> gdl.Game:
    """A bundled game."""
    return gdl.load(games.text(name), "lanes")


def played(name: str, seed: int) -> list[list[str]]:
    """A match of players who move at random, but often win where they can at once."""
    rng, loaded, moves = random.Random(f"{name} {seed}"), game(name), []
    state = loaded.initial_state()
    while not loaded.is_terminal(state):
        joint = joint_move(loaded, state, rng)
        state = loaded.next_state(state, joint)
        moves.append([str(move) for move in joint])
    return moves


def joint_move(loaded: gdl.Game, state: gdl.State, rng: random.Random) -> tuple[gdl.Move, ...]:
    """A random joint move, or one that wins at once for a role."""
    choices = [loaded.legal_moves(state, role) for role in loaded.roles]
    joint = tuple(map(rng.choice, choices))
    for place, role in enumerate(loaded.roles) if rng.random() < GREED else ():
        for move in choices[place]:
            tried = (*joint[:place], move, *joint[place + 1 :])
            after = loaded.next_state(state, tried)
            if loaded.is_terminal(after) and loaded.goal(after, role) == 100:
                return tried
    return joint


def report_of(name: str, moves: list[list[str]]) -> MatchReport:
    """The report on a match."""
    loaded = game(name)
    return report_on(name, loaded, line_of(loaded, moves), LIMITS)


def check(report: MatchReport) -> None:
    """See that moves lose what the curve falls by, and that accuracy and marks are of the same."""
    alone = {
        move.turn
        for move in report.moves
        if sum(other.turn == move.turn for other in report.moves) == 1
    }
    for move in report.moves:
        assert move.before == report.worths[move.turn - 1].goals[move.role]
        if move.turn in alone:
            assert move.after == report.worths[move.turn].goals[move.role]
            assert move.after <= move.before
    for role in range(len(report.roles)):
        own = [move for move in report.moves if move.role == role]
        if own:
            assert (report.accuracy(role) == 100) == (not any(move.lost for move in own))


def check_in_turns(report: MatchReport) -> None:
    """See that two who share out a sum have lost all by which their curves fall."""
    check(report)
    for role in range(2):
        curve = [worth.goals[role] for worth in report.worths]
        falls = sum(max(0.0, before - after) for before, after in pairwise(curve))
        lost = sum(move.lost for move in report.moves if move.role == role)
        assert lost == pytest.approx(falls, abs=1e-6)
        if max(curve) - curve[-1] >= OPEN and report.worths[-1].is_proven:
            assert report.accuracy(role) != 100
            assert report.decided is not None
            assert report.decided in {move.turn for move in report.mistakes}


@pytest.mark.parametrize(
    "match",
    all_but([("connectFour", 0), ("ticTacToe", 1)], [(n, s) for n in IN_TURNS for s in SEEDS]),
)
def test_what_a_role_has_lost_is_what_its_curve_falls_by(match: tuple[str, int]) -> None:
    """Of two that take turns; who lost what could be held is not perfect, and it is said where."""
    check_in_turns(report_of(match[0], played(*match)))


@pytest.mark.parametrize(
    "match", all_but([("threePlayerTicTacToe", 0)], [(n, s) for n in OTHERS for s in SEEDS])
)
def test_moves_and_curve_have_the_same_values_in_other_games(match: tuple[str, int]) -> None:
    """Of three roles, of one, of chance, and of moves at the same time."""
    check(report_of(match[0], played(*match)))


def test_the_same_match_has_the_same_report() -> None:
    """By rounds, not by seconds."""
    moves = played("connectFour", 3)

    first, second = (json.dumps(report_of("connectFour", moves).to_json()) for _ in range(2))

    assert first == second


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["connectFour-first", "pentago-first", "pentago-second"])
def test_a_match_lost_to_a_champion_is_explained(name: str) -> None:
    """By the same laws."""
    record: Path = require("records", f"{name}.json")
    rules = require("corpus", "rules", f"{name.partition('-')[0]}.kif")
    loaded = gdl.load(rules.read_text(), "lanes")
    line = line_of(loaded, read_record(record).moves)

    check_in_turns(report_on(name, loaded, line, LIMITS))
