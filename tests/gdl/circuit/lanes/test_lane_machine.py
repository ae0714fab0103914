"""The machine on lanes answers as the interpreter does, whatever stands in the other lanes."""

from __future__ import annotations

import itertools
import random
from functools import cache

import pytest

import gdl
from gdl.circuit.build import build
from gdl.circuit.lanes.playouts.lanes import DEFAULT_WIDTH
from gdl.circuit.lanes.playouts.machine import LaneMachine, lane_machine
from gdl.circuit.passes.optimise import optimise
from gdl.circuit.passes.rewrite import with_percepts_as_bases
from gdl.ground.grounding import ground
from tests.gdl.circuit.lanes.walks import GAMES
from tests.shared import REPOSITORY
from tests.thorough import KINDS, all_but

pytestmark = pytest.mark.usefixtures("kernels", "lane_steps")

NIGHT = """
(role me) (role random)
(init (n 0)) (succ 0 1) (succ 1 2)
(legal me go) (legal me wait) (legal random (deal a)) (legal random (deal b))
(<= (next (n ?y)) (true (n ?x)) (succ ?x ?y))
(<= (next (got ?c)) (does random (deal ?c)))
(<= (sees me ?c) (does random (deal ?c)))
(<= (sees me late) (true (n 1)) (does me go))
(sees me always)
(<= terminal (true (n 2)))
(goal random 0)
(<= (goal me 30) (true (got a)))
(<= (goal me 100) terminal)
"""


@cache
def _rules(game: str) -> gdl.Rulesheet:
    text = (REPOSITORY / "games" / f"{game}.kif").read_text(encoding="utf-8")
    return gdl.read_kif(text, game)


def _machine(rulesheet: gdl.Rulesheet) -> LaneMachine:
    return LaneMachine(optimise(build(ground(rulesheet))))


def _answers(machine: gdl.StateMachine, state: gdl.State) -> list[object]:
    """All that a machine says of a state."""
    legal = [machine.legal_moves(state, role) for role in machine.roles]
    goals = [machine.goals(state, role) for role in machine.roles]
    told = [machine.facts(state), machine.is_terminal(state), machine.control(state)]
    return [*told, legal, goals]


@pytest.mark.parametrize("game", all_but(KINDS, GAMES))
def test_bundled_games_are_played_as_by_the_interpreter(game: str) -> None:
    """Along seeded random walks everything has the same answer."""
    slow, fast = gdl.Interpreter(_rules(game)), lane_machine(_rules(game))
    rng = random.Random(1)
    state, packed = slow.initial_state(), fast.initial_state()

    for _ in range(25):
        assert _answers(fast, packed) == _answers(slow, state)
        if slow.is_terminal(state):
            state, packed = slow.initial_state(), fast.initial_state()
            continue
        moves = [rng.choice(slow.legal_moves(state, role)) for role in slow.roles]
        state, packed = slow.next_state(state, moves), fast.next_state(packed, moves)


def test_answers_do_not_depend_on_what_was_asked_before() -> None:
    """More states than lanes, asked about in any order: always the same answers."""
    machine, rng = _machine(_rules("ticTacToe")), random.Random(2)
    states = {machine.initial_state(): _answers(machine, machine.initial_state())}
    while len(states) < 64 * DEFAULT_WIDTH + 50:
        state: gdl.State = rng.choice(list(states))
        if machine.is_terminal(state):
            continue
        moves = [rng.choice(machine.legal_moves(state, role)) for role in machine.roles]
        following = machine.next_state(state, moves)
        states[machine.state_of(machine.facts(following))] = _answers(machine, following)

    for state in rng.choices(list(states), k=300):
        assert _answers(machine, state) == states[state]


def test_percepts_are_those_of_the_moves() -> None:
    """The percepts depend on the moves made, and asking for them changes no other answer."""
    machine = _machine(gdl.read_kif(NIGHT, "night"))
    slow = gdl.Interpreter(gdl.read_kif(NIGHT, "night"))
    state, packed = slow.initial_state(), machine.initial_state()

    for step in range(2):
        joint = itertools.product(*(slow.legal_moves(state, role) for role in slow.roles))
        for moves, role in itertools.product(joint, slow.roles):
            assert machine.percepts(packed, moves, role) == slow.percepts(state, moves, role)
            assert _answers(machine, packed) == _answers(slow, state)
        made = [slow.legal_moves(state, role)[step] for role in slow.roles]
        state, packed = slow.next_state(state, made), machine.next_state(packed, made)
    assert _answers(machine, packed) == _answers(slow, state)


def test_percepts_become_bases() -> None:
    """There is one more for each percept, nobody reads it, and all else keeps its number."""
    netlist = build(ground(gdl.read_kif(NIGHT, "night")))

    wider = with_percepts_as_bases(netlist)

    num_new = len(netlist.sees)
    assert num_new == 4
    assert wider.num_bases == netlist.num_bases + num_new
    assert wider.inputs == netlist.inputs
    assert wider.num_gates == netlist.num_gates
    new = set(range(1 + netlist.num_bases, wider.first_input))
    assert not new.intersection((wider.literals >> 1).tolist())
