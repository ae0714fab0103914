"""OpenSpiel's games and ours are the same, move by move.

`openspiel.json` has a random match of each game as OpenSpiel 2.0.2 played it: the actions made, the
legal ones in each state, the returns and, where a player may have several turns in a row, the
players of the actions.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from contest.errors import OpenSpielError
from contest.openspiel import Mirror, Spiel, sign
from contest.pairs import PAIRS, Pair, SpellingError, rules

import gdl
from tests.thorough import all_but

RECORDED = json.loads(Path(__file__).with_name("openspiel.json").read_text(encoding="utf-8"))
PYTHON = os.environ.get("GGP_OPENSPIEL_PYTHON", sys.executable)
MATCHES = 3
QUICK = ("breakthroughSmall", "phantomTicTacToe", "ticTacToe")


@pytest.fixture(scope="module")
def python() -> str:
    """A Python that has OpenSpiel."""
    found = subprocess.run([PYTHON, "-c", "import pyspiel"], capture_output=True, check=False)
    if found.returncode:
        pytest.skip(f"{PYTHON} has no OpenSpiel; GGP_OPENSPIEL_PYTHON may name one that has")
    return PYTHON


def machine_of(game: str) -> gdl.StateMachine:
    """The game as OpenSpiel's is compared with: by the reasoner that takes no time to load."""
    return gdl.load(gdl.read_rules(rules(game), game), "interpreter")


def joint_move(machine: gdl.StateMachine, state: gdl.State, player: int, text: str) -> Any:
    """The joint move in which a player does this and the other one all that it may."""
    legal = [machine.legal_moves(state, role) for role in machine.roles]
    return [
        next(move for move in moves if index != player or str(move) == text)
        for index, moves in enumerate(legal)
    ]


def after_idle_turns(machine: gdl.StateMachine, state: gdl.State, pair: Pair) -> gdl.State:
    """The next state in which the game is over or somebody can do something."""
    while not machine.is_terminal(state) and pair.is_idle(machine, state):
        state = machine.next_state(state, [machine.legal_moves(state, r)[0] for r in machine.roles])
    return state


@pytest.mark.parametrize("game", PAIRS)
def test_a_recorded_match_is_legal_and_ends_alike(game: str) -> None:
    """The same legal moves in each state, the same end, the same winner."""
    pair, recorded = PAIRS[game], RECORDED[game]
    machine = machine_of(game)
    state = machine.initial_state()

    for turn, action in enumerate(recorded["actions"].split()):
        player = int(recorded["players"][turn]) if "players" in recorded else turn % 2
        theirs = sorted(map(pair.spell, recorded["legal"][turn].split()))
        assert not machine.is_terminal(state)
        assert sorted(map(str, machine.legal_moves(state, machine.roles[player]))) == theirs
        state = machine.next_state(state, joint_move(machine, state, player, pair.spell(action)))
        state = after_idle_turns(machine, state, pair)

    assert machine.is_terminal(state)
    first, second = (machine.goal(state, role) for role in machine.roles)
    assert sign(first - second) == sign(recorded["returns"][0])


@pytest.mark.parametrize("game", all_but(QUICK, PAIRS, is_whole=True))
def test_random_matches_agree_state_by_state(game: str, python: str) -> None:
    """`Mirror.follow` compares each state, and raises where they differ."""
    machine = machine_of(game)
    spiel = Spiel(python, PAIRS[game].theirs)
    rng = random.Random(game)
    ends = 0
    try:
        for _ in range(MATCHES):
            mirror, state = Mirror(spiel, PAIRS[game], machine), machine.initial_state()
            mirror.compare(state)
            while not machine.is_terminal(state):
                text = rng.choice(sorted(mirror.actions()))
                moves = joint_move(machine, state, spiel.position["player"], text)
                state = machine.next_state(state, moves)
                mirror.follow(moves, state)
                state = after_idle_turns(machine, state, PAIRS[game])
            ends += spiel.position["is_terminal"]
            spiel.begin()
    finally:
        spiel.close()

    assert ends == MATCHES


def test_a_mirror_tells_games_apart(python: str) -> None:
    """Seven columns are not eight."""
    spiel = Spiel(python, PAIRS["connectFour8"].theirs)
    machine = machine_of("connectFour")
    try:
        with pytest.raises(OpenSpielError, match="what red may do"):
            Mirror(spiel, PAIRS["connectFour8"], machine).compare(machine.initial_state())
    finally:
        spiel.close()


@pytest.mark.parametrize(
    ("game", "action", "move"),
    [
        ("ticTacToe", "x(0,2)", "(mark 3 1)"),
        ("connectFour", "o6", "(drop 7)"),
        ("breakthrough", "a7b6*", "(move 1 2 2 3)"),
        ("breakthroughSmall", "f2e3", "(move 6 5 5 4)"),
        ("othello", "d3", "(place 4 3)"),
        ("othello", "pass", "pass"),
        ("hex", "b1", "(place 1 2)"),
    ],
)
def test_actions_are_spelled_as_our_moves(game: str, action: str, move: str) -> None:
    """Columns are letters or count from 0, rows of breakthrough from the other end."""
    assert PAIRS[game].spell(action) == move


def test_what_is_no_action_is_refused() -> None:
    """With what was expected."""
    with pytest.raises(SpellingError, match="got 'z9'"):
        PAIRS["othello"].spell("z9")
