"""The record tells which moves each lane made, and what they brought."""

from __future__ import annotations

import random

import numpy as np
import pytest

import gdl
from gdl.circuit.circuit import Circuit
from gdl.circuit.lanes.expander import Expander
from gdl.circuit.lanes.lanes import CUT_GOAL
from gdl.circuit.lanes.simulator import Simulator
from gdl.circuit.schedule import schedule
from tests.gdl.circuit.lanes.random_netlists import three_moves
from tests.gdl.circuit.lanes.walks import Game, bundled
from tests.thorough import all_but

# Two phases; three; moves at the same time; chance; one role; feedback.
GAMES = ["connectFour", "threePlayerTicTacToe", "goofspiel", "pig", "lightsOut", "hex"]
LIMIT = 1000

Moves = frozenset[gdl.Move]


def _expander(game: Game, plies: int = 0, num: int = 1) -> tuple[Expander, list[gdl.State]]:
    """An expander with so many children that random walks of so many plies reach."""
    expander = Expander(Simulator(game.circuit), seed=1)
    rng, machine = random.Random(1), game.scalar
    states: list[gdl.State] = []
    while len(states) < num:
        state: gdl.State = machine.initial_state()
        for _ in range(plies):
            moves = [rng.choice(machine.legal_moves(state, role)) for role in machine.roles]
            state = machine.next_state(state, moves)
        states.append(state)
    # Inputs that were set before are no moves of a playout.
    expander.parents[:] = expander.initial
    numbers = {entry: number for number, entry in enumerate(expander.inputs)}
    first = machine.initial_state()
    for role, name in enumerate(machine.roles):
        expander.moves[:, role] = numbers[role, machine.legal_moves(first, name)[0]]
    expander.expand(512, 0)
    for row, state in enumerate(states):
        expander.children[row] = expander.pack(machine.facts(state))
    return expander, states


def _made(expander: Expander, lane: int) -> list[Moves]:
    """The moves that each role has made in a lane."""
    moves: list[set[gdl.Move]] = [set() for _ in range(expander.num_roles)]
    for number, (role, move) in enumerate(expander.inputs):
        if int(expander.made[lane, number // 64]) >> (number % 64) & 1:
            moves[role].add(move)
    return [frozenset(each) for each in moves]


def _is_game(game: Game, state: gdl.State, left: list[Moves], goals: list[int]) -> bool:
    """Whether these moves lead in some order from a state to an end with these goals.

    Each is made once, but `noop` as often as it must be.
    """
    machine = game.scalar
    if machine.is_terminal(state):
        is_right = [machine.goal(state, role) for role in machine.roles] == goals
        return is_right and all(str(move) == "noop" for moves in left for move in moves)
    legal = [machine.legal_moves(state, role) for role in machine.roles]
    mover = next(role for role, moves in enumerate(legal) if str(moves[0]) != "noop")
    for move in left[mover].intersection(legal[mover]):
        joint = [move if role == mover else moves[0] for role, moves in enumerate(legal)]
        rest = [moves - {move} if role == mover else moves for role, moves in enumerate(left)]
        if _is_game(game, machine.next_state(state, joint), rest, goals):
            return True
    return False


def test_the_moves_of_a_lane_are_a_game() -> None:
    """In some order they lead from the lane's leaf to an end with its goals, and others do not."""
    game = bundled("ticTacToe")
    expander, states = _expander(game, plies=3, num=5)

    expander.play(5, 1, rounds=2, limit=LIMIT, is_recorded=True)

    num_played = 512 // 5 * 5
    for lane in range(0, num_played, 4):
        state, made = states[lane % 5], _made(expander, lane)
        goals = expander.lane_goals[lane].tolist()
        assert _is_game(game, state, made, goals)
        assert not _is_game(game, state, made, [100 - goals[0] + 1, goals[1]])
        assert not _is_game(game, state, [made[0], made[1] - {min(made[1], key=str)}], goals)
    assert not expander.made[num_played:].any()
    assert not expander.lane_goals[num_played:].any()


@pytest.mark.parametrize("name", all_but(["goofspiel", "hex", "pig"], GAMES))
def test_goals_of_lanes_add_up_to_the_totals(name: str) -> None:
    """Lane l plays from leaf `l % num`."""
    expander, _ = _expander(bundled(name), num=3)

    expander.play(3, 0, rounds=1, limit=LIMIT, is_recorded=True)

    for leaf in range(3):
        own = expander.lane_goals[leaf:510:3].astype(np.int64)
        assert (own.sum(axis=0) == expander.totals[leaf]).all()


@pytest.mark.parametrize("name", ["connectFour", "goofspiel"])
def test_records_do_not_change_what_is_played(name: str) -> None:
    """The same totals, number by number, with and without."""
    totals = []
    for is_recorded in (False, True):
        expander, _ = _expander(bundled(name), num=3)
        expander.play(3, 0, rounds=2, limit=LIMIT, is_recorded=is_recorded)
        expander.play(3, 0, rounds=2, limit=LIMIT)
        totals.append(expander.totals[:3].tolist())

    assert totals[0] == totals[1]


@pytest.mark.parametrize("limit", [7, LIMIT])
@pytest.mark.parametrize("name", all_but(["goofspiel", "hex", "pig"], GAMES))
def test_the_tally_counts_what_was_made(name: str, limit: int) -> None:
    """Over two records: in how many lanes each input was made, and the goals of its role there."""
    expander, _ = _expander(bundled(name), num=3)
    counts = np.zeros(expander.num_inputs, np.int64)
    goals = np.zeros(expander.num_inputs, np.int64)

    for _ in range(2):
        expander.play(3, 0, rounds=2, limit=limit, is_recorded=True)
        expander.tally()
        bits = np.unpackbits(expander.made.view(np.uint8), axis=1, bitorder="little")
        for number, (role, _) in enumerate(expander.inputs):
            counts[number] += bits[:, number].sum()
            goals[number] += expander.lane_goals[bits[:, number] == 1, role].sum(dtype=np.int64)

    assert (expander.tally_counts == counts).all()
    assert (expander.tally_goals == goals).all()
    assert counts.any()


def test_moves_after_the_end_are_not_recorded() -> None:
    """From an end nothing is made; from others so many moves as the game has."""
    plan = schedule(three_moves())
    expander = Expander(Simulator(Circuit(plan.netlist, (plan,))))
    facts = plan.netlist.bases
    expander.children[0] = expander.pack([facts[3], facts[4]])  # over, the last was right
    expander.children[1] = expander.pack([facts[2]])  # one move is left

    expander.play(2, 0, rounds=1, limit=LIMIT, is_recorded=True)

    assert not expander.made[::2].any()
    assert (expander.lane_goals[::2] == [100, 70]).all()
    right = expander.lane_goals[1::2, 0] == 100
    assert (expander.made[1::2, 0] == np.where(right, 0b110, 0b101)).all()
    assert 0 < right.sum() < len(right)


def test_a_playout_that_is_cut_has_the_middle() -> None:
    """And the moves made until then."""
    plan = schedule(three_moves(ends=False))
    expander = Expander(Simulator(Circuit(plan.netlist, (plan,))))
    expander.children[:3] = expander.initial

    expander.play(3, 0, rounds=1, limit=1, is_recorded=True)

    assert (expander.lane_goals[:510] == CUT_GOAL).all()
    assert set(expander.made[:510, 0].tolist()) == {0b101, 0b110}
