"""The circuit machine and the interpreter agree, state by state."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path

import pytest

import gdl
from gdl.circuit.build import build
from gdl.circuit.netlist_machine import UnreachableFactError
from gdl.circuit.passes.optimise import optimise
from gdl.circuit.scalar.machine import CircuitMachine
from gdl.ground import Budget
from gdl.ground.grounding import ground
from tests.shared import REPOSITORY, require
from tests.thorough import KINDS, all_but

pytestmark = pytest.mark.usefixtures("kernels")

GAMES = sorted(path.stem for path in (REPOSITORY / "games").glob("*.kif"))
# Recursion unrolled and fed back, chance, many roles, a step counter, moves of a common guard.
CORPUS = [
    "atariGoVariant_7x7",
    "linesOfAction",
    "tictactoe_3d_small_6player",
    "skirmish",
    "pentago",
]

NIGHT = """
(role me) (role random)
(init (n 0)) (succ 0 1) (succ 1 2)
(legal me go) (legal random (deal a)) (legal random (deal b))
(<= (next (n ?y)) (true (n ?x)) (succ ?x ?y))
(<= (next (got ?c)) (does random (deal ?c)))
(<= (sees me ?c) (does random (deal ?c)))
(<= (sees me late) (true (n 1)) (does me go))
(<= terminal (true (n 2)))
(goal random 0)
(<= (goal me 30) (true (got a)))
(<= (goal me 100) terminal)
"""


@pytest.mark.parametrize("game", all_but(KINDS, GAMES))
def test_bundled_games_are_played_as_by_the_interpreter(game: str) -> None:
    """Along seeded random walks everything that a machine is asked has the same answer."""
    _assert_same_play(REPOSITORY / "games" / f"{game}.kif", plies=25)


@pytest.mark.parametrize("game", all_but(["atariGoVariant_7x7", "pentago"], CORPUS))
def test_corpus_games_are_played_as_by_the_interpreter(game: str) -> None:
    """The same for rulesheets of others, which write what we would not."""
    _assert_same_play(require("corpus", "rules", f"{game}.kif"), plies=12)


def test_percepts_and_several_goals_are_told() -> None:
    """The percepts of a role depend on the moves; goal values are ascending, the highest counts."""
    machine = _machine(NIGHT)
    me, dealer = machine.roles
    state = machine.initial_state()
    go, deal_a = machine.legal_moves(state, me)[0], machine.legal_moves(state, dealer)[0]

    then = machine.next_state(state, [go, deal_a])
    end = machine.next_state(then, [go, deal_a])

    assert [str(p) for p in machine.percepts(state, [go, deal_a], me)] == ["a"]
    assert [str(p) for p in machine.percepts(then, [go, deal_a], me)] == ["a", "late"]
    assert machine.percepts(then, [go, deal_a], dealer) == ()
    assert machine.is_terminal(end)
    assert machine.goals(end, me) == (30, 100)
    assert machine.goal(end, me) == 100


def test_wrong_moves_are_refused() -> None:
    """A joint move has one move of each role."""
    machine = _machine(NIGHT)
    state = machine.initial_state()
    go = machine.legal_moves(state, machine.roles[0])[0]

    with pytest.raises(gdl.IllegalMoveError, match="expected 2 moves, one per role"):
        machine.next_state(state, [go])
    with pytest.raises(gdl.IllegalMoveError, match="expected a move of random, got: go"):
        machine.next_state(state, [go, go])


def test_a_fact_that_cannot_be_is_refused() -> None:
    """No state is made of facts that the game does not have."""
    machine = _machine(NIGHT)

    with pytest.raises(UnreachableFactError, match="got: nonsense"):
        machine.state_of([gdl.Constant("nonsense")])


def test_forks_stand_in_their_own_states() -> None:
    """Two forks asked in turn about different states both answer rightly."""
    machine = _machine(NIGHT)
    other = machine.fork()
    start = machine.initial_state()
    moves = [machine.legal_moves(start, role)[0] for role in machine.roles]
    then = machine.next_state(machine.next_state(start, moves), moves)

    assert [machine.is_terminal(start), other.is_terminal(then)] == [False, True]
    assert [machine.is_terminal(start), other.is_terminal(then)] == [False, True]


def test_playouts_start_where_they_are_told_to() -> None:
    """From one move before the end a playout has one move."""
    machine = _machine(NIGHT)
    start = machine.initial_state()
    moves = [machine.legal_moves(start, role)[0] for role in machine.roles]

    result = machine.random_playouts(50, state=machine.next_state(start, moves))

    assert (result.count, result.moves) == (50, 50)
    assert result.mean_goals == (100.0, 0.0)


def test_playouts_of_a_game_that_is_over_end_too() -> None:
    """From a terminal state a playout has no moves; they still end with their seconds."""
    machine = _machine(NIGHT)
    state = machine.initial_state()
    while not machine.is_terminal(state):
        moves = [machine.legal_moves(state, role)[0] for role in machine.roles]
        state = machine.next_state(state, moves)

    result = machine.random_playouts(seconds=0.02, state=state)

    assert result.count > 0
    assert result.moves == 0


def test_a_seed_repeats_its_playouts_whatever_was_played_before() -> None:
    """The order in which legal moves are kept depends on the past; what is drawn does not."""
    text = (REPOSITORY / "games" / "breakthroughSmall.kif").read_text(encoding="utf-8")
    machine = _machine(text)

    first = machine.random_playouts(20, seed=7)
    machine.random_playouts(33, seed=8)
    again = machine.random_playouts(20, seed=7)

    assert (again.moves, again.goal_totals) == (first.moves, first.goal_totals)


def test_playouts_end_with_their_seconds() -> None:
    """Without a number, playouts go on for about as long as they may."""
    result = _machine(NIGHT).random_playouts(seconds=0.05)

    assert result.count > 0
    assert 0.05 <= result.seconds < 60


@cache
def _machine(text: str) -> CircuitMachine:
    return _circuit(gdl.read_kif(text, "<test>"))


def _circuit(rulesheet: gdl.Rulesheet) -> CircuitMachine:
    return CircuitMachine(optimise(build(ground(rulesheet, Budget(seconds=60)))))


def _assert_same_play(path: Path, plies: int) -> None:
    rulesheet = gdl.read_kif(path.read_text(encoding="latin-1"), path.name)
    slow, fast = gdl.Interpreter(rulesheet), _circuit(rulesheet)
    assert slow.roles == fast.roles
    rng = random.Random(1)
    state, packed = slow.initial_state(), fast.initial_state()
    for _ in range(plies):
        _assert_same_state(slow, state, fast, packed)
        choices = [slow.legal_moves(state, role) for role in slow.roles]
        if slow.is_terminal(state) or not all(choices):
            state, packed = slow.initial_state(), fast.initial_state()
            continue
        moves = [rng.choice(legal) for legal in choices]
        for role in slow.roles:
            assert slow.percepts(state, moves, role) == fast.percepts(packed, moves, role)
        state, packed = slow.next_state(state, moves), fast.next_state(packed, moves)


def _assert_same_state(
    slow: gdl.Interpreter, state: gdl.State, fast: CircuitMachine, packed: bytes
) -> None:
    facts = slow.facts(state)
    assert fast.facts(packed) == facts
    assert fast.state_of(facts) == packed
    assert fast.is_terminal(packed) == slow.is_terminal(state)
    assert fast.control(packed) == slow.control(state)
    for role in slow.roles:
        assert fast.legal_moves(packed, role) == slow.legal_moves(state, role)
        assert fast.goals(packed, role) == slow.goals(state, role)
        assert fast.goal(packed, role) == slow.goal(state, role)
