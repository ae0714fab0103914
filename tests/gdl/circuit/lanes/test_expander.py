"""The simulator counts what threads play; the expander finds the children of the scalar machine."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice

import numpy as np
import pytest

import gdl
from gdl.circuit.circuit import Circuit
from gdl.circuit.lanes.expander.expander import Expander, Simulator
from gdl.circuit.lanes.playouts.kernels import CUT_GOAL
from gdl.circuit.scalar.machine import CircuitMachine
from gdl.circuit.schedule import schedule
from tests.gdl.circuit.lanes.random_netlists import three_moves
from tests.gdl.circuit.lanes.walks import Game, bundled, game_of
from tests.shared import REPOSITORY, require
from tests.thorough import all_but

pytestmark = pytest.mark.usefixtures("kernels")


@cache
def simulator() -> Simulator:
    """That of ticTacToe."""
    loaded = gdl.load((REPOSITORY / "games" / "ticTacToe.kif").read_text(encoding="utf-8"))
    assert loaded.simulator is not None
    return loaded.simulator


def test_a_thread_that_comes_too_late_plays_all_the_same() -> None:
    """However short the time, there is something to count for each role."""
    result = simulator().playouts(seconds=0.0, threads=8)

    assert result.moves > 0
    assert len(result.goal_totals) == 2


@pytest.mark.parametrize(("name", "value"), [("threads", 0), ("seconds", -1.0)])
def test_what_cannot_be_played_is_refused(name: str, value: float) -> None:
    """By its name."""
    with pytest.raises(ValueError, match=f"{name}: expected .*, got {value}"):
        simulator().playouts(**{"seconds": 0.1, name: value})  # type: ignore[arg-type]


def test_the_same_seed_gives_the_same_playouts() -> None:
    """For a number of steps, on any number of threads; another seed gives others."""
    first, again, other = (
        simulator().playouts(steps=50, threads=2, seed=seed) for seed in (1, 1, 2)
    )

    assert (first.count, first.goal_totals) == (again.count, again.goal_totals)
    assert first.goal_totals != other.goal_totals


def test_threads_count_together() -> None:
    """Two threads play more than each of them alone."""
    one, two = (simulator().playouts(steps=50, threads=threads) for threads in (1, 2))

    assert two.count > 1.5 * one.count


def test_gates_are_assembled_once() -> None:
    """All lanes run the same code."""
    assert simulator().code is simulator().code


# Three phases; chance; two phases; moves at the same time; one role; feedback.
QUICK = ["threePlayerTicTacToe", "pig"]
GAMES = all_but(QUICK, [*QUICK, "ticTacToe", "goofspiel", "lightsOut", "connectFour", "hex"])
LIMIT = 1000


@dataclass(frozen=True)
class Ply:
    """A state of a walk, and the moves made in it."""

    state: gdl.State
    phase: int
    moves: tuple[gdl.Move, ...]


@cache
def _expander(game: Game) -> Expander:
    return Expander(Simulator(game.circuit), seed=1)


def _plies(machine: CircuitMachine, num_phases: int, seed: int) -> Iterator[Ply]:
    """Random walks, one after the other."""
    rng = random.Random(seed)
    while True:
        state, phase = machine.initial_state(), 0
        while not machine.is_terminal(state):
            moves = tuple(rng.choice(machine.legal_moves(state, role)) for role in machine.roles)
            yield Ply(state, phase, moves)
            state, phase = machine.next_state(state, moves), (phase + 1) % num_phases


def _walk(game: Game, expander: Expander, phase: int, num: int) -> list[Ply]:
    """So many plies in a phase, with different states where there are so many."""
    plies = _plies(game.scalar, expander.num_phases, seed=phase)
    most = 5 * expander.num_phases * num
    found: dict[gdl.State, Ply] = {}
    for ply in islice(plies, most):
        if ply.phase == phase:
            found.setdefault(ply.state, ply)
        if len(found) == num:
            break
    return (list(found.values()) * num)[:num]


def _expand(game: Game, expander: Expander, plies: Sequence[Ply]) -> list[bytes]:
    """Expand what was played; the children as the scalar machine has them."""
    numbers = {(role, move): number for number, (role, move) in enumerate(expander.inputs)}
    for row, ply in enumerate(plies):
        expander.parents[row] = expander.pack(game.scalar.facts(ply.state))
        expander.moves[row] = [numbers[role, move] for role, move in enumerate(ply.moves)]
    expander.expand(len(plies), plies[0].phase)
    return [game.scalar.next_state(ply.state, ply.moves) for ply in plies]


def _check(game: Game, expander: Expander, children: Sequence[bytes]) -> None:
    """Check that the expander and the scalar machine say the same about children."""
    machine = game.scalar
    for row, child in enumerate(children):
        assert (expander.children[row] == expander.pack(machine.facts(child))).all()
        is_over = machine.is_terminal(child)
        assert bool(expander.is_terminal[row]) == is_over
        for index, role in enumerate(machine.roles):
            at = row * expander.num_roles + index
            legal = expander.legal[slice(*expander.legal_starts[at : at + 2])].tolist()
            assert legal == sorted(legal)
            moves = [expander.inputs[number] for number in legal]
            assert sorted(str(move) for _, move in moves) == [
                str(move) for move in machine.legal_moves(child, role)
            ]
            assert {owner for owner, _ in moves} <= {index}
            assert expander.goals[row, index] == (machine.goal(child, role) if is_over else 0)


@pytest.mark.parametrize("num", all_but([100], [512, 100, 1]))
@pytest.mark.parametrize("name", GAMES)
def test_children_are_those_of_the_scalar_machine(name: str, num: int) -> None:
    """States, ends, goals and legal moves, in each phase, also when lanes have played before."""
    game = bundled(name)
    expander = _expander(game)

    for phase in range(expander.num_phases):
        children = _expand(game, expander, _walk(game, expander, phase, num))
        _check(game, expander, children)
        expander.play(num, (phase + 1) % expander.num_phases, 1, LIMIT)


def test_a_game_with_feedback_of_the_corpus_is_expanded() -> None:
    """Its states must be settled in rounds."""
    game = game_of(require("corpus", "rules", "atariGoVariant_7x7.kif"))
    assert len(game.circuit.phases[0].feedback)
    expander = _expander(game)

    for phase in range(expander.num_phases):
        _check(game, expander, _expand(game, expander, _walk(game, expander, phase, 200)))


def test_states_can_be_looked_at() -> None:
    """Nothing is made of them; all is told that is told of children."""
    game = bundled("ticTacToe")
    expander = _expander(game)
    plies = _walk(game, expander, 1, 60)
    states = [ply.state for ply in plies]
    for row, state in enumerate(states):
        expander.children[row] = expander.pack(game.scalar.facts(state))

    expander.look(len(states), 1)

    assert all(isinstance(state, bytes) for state in states)
    _check(game, expander, [state for state in states if isinstance(state, bytes)])


@pytest.mark.parametrize("name", GAMES)
def test_phases_are_those_of_walks(name: str) -> None:
    """The facts known in each phase say which one it is."""
    game = bundled(name)
    expander = _expander(game)

    for ply in islice(_plies(game.scalar, expander.num_phases, seed=3), 60):
        assert expander.phases_of(expander.pack(game.scalar.facts(ply.state))) == [ply.phase]


# --- Playouts ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_playouts_end_as_those_of_the_scalar_machine(name: str) -> None:
    """For each child, means of goals differ by no more than three standard errors."""
    game = bundled(name)
    expander = _expander(game)
    plies = _walk(game, expander, 0, 200)[-5:]
    children = _expand(game, expander, plies)

    expander.play(len(plies), 1 % expander.num_phases, 10, LIMIT)

    num = expander.num_playouts_per_leaf
    assert num == 10 * (512 // len(plies))
    for row, child in enumerate(children):
        expected = game.scalar.random_playouts(num, seed=row, state=child)
        for mean, total in zip(expected.mean_goals, expander.totals[row], strict=True):
            # Goals lie between 0 and 100, so their variance is at most that of these two.
            both = (mean + total / num) / 2
            deviation = 3 * np.sqrt(2 * both * (100 - both) / num)
            assert abs(total / num - mean) <= deviation + 1e-9


def test_playouts_of_an_end_are_its_goals() -> None:
    """Nothing is played there, and other lanes are not disturbed."""
    game = bundled("ticTacToe")
    expander = _expander(game)
    plies = [ply for ply in _walk(game, expander, 1, 200) if _ends(game, ply)][:6]
    _expand(game, expander, plies)

    expander.play(len(plies), 0, 3, LIMIT)

    assert expander.is_terminal[: len(plies)].all()
    num = expander.num_playouts_per_leaf
    assert (expander.totals[: len(plies)] == num * expander.goals[: len(plies)]).all()


def _ends(game: Game, ply: Ply) -> bool:
    return game.scalar.is_terminal(game.scalar.next_state(ply.state, ply.moves))


def test_a_playout_that_is_cut_is_undecided() -> None:
    """After no move at all, each role has the middle."""
    plan = schedule(three_moves(ends=False))
    expander = Expander(Simulator(Circuit(plan.netlist, (plan,))))
    expander.children[:3] = expander.initial

    expander.play(3, 0, 2, 16)

    assert expander.num_playouts_per_leaf == 2 * (512 // 3)
    assert (expander.totals[:3] == CUT_GOAL * expander.num_playouts_per_leaf).all()


def test_equal_seeds_make_equal_totals() -> None:
    """The seed decides everything, and another seed makes other playouts."""
    simulator = Simulator(bundled("ticTacToe").circuit)
    totals = []
    for seed in (1, 1, 2):
        expander = Expander(simulator, seed)
        expander.children[:2] = expander.initial
        expander.play(2, 0, 2, LIMIT)
        totals.append(expander.totals[:2].tolist())

    assert totals[0] == totals[1] != totals[2]


NOTED = {
    "connectFour": [[18350, 15650], [17850, 16150], [19000, 15000]],
    "goofspiel": [[16000, 18000], [16100, 17900], [16750, 17250]],
    "hex": [[17900, 16100], [18700, 15300], [19300, 14700]],
}


@pytest.mark.parametrize("name", all_but(["goofspiel"], NOTED))
def test_playouts_are_what_they_were(name: str) -> None:
    """A seed plays the same matches as when these totals were noted, if moves are in that order."""
    expander = Expander(Simulator(bundled(name).circuit), seed=7)
    expander.children[:3] = expander.initial

    expander.play(3, 0, rounds=2, limit=LIMIT)

    assert expander.totals[:3].tolist() == NOTED[name]


# --- The facade -------------------------------------------------------------------------------


def test_only_a_game_on_lanes_has_a_simulator() -> None:
    """Others have no expander either, and say so."""
    rules = gdl.read_rules("(role me) (legal me go) (init a) (terminal) (goal me 1)")
    lanes, scalar = gdl.load(rules, "lanes"), gdl.load(rules, "scalar")

    assert lanes.simulator is not None
    assert scalar.simulator is gdl.load(rules, "interpreter").simulator is None
    with pytest.raises(ValueError, match="a game whose engine is lanes"):
        scalar.expander()


def test_expanders_come_from_the_facade() -> None:
    """One for each thread."""
    game = bundled("ticTacToe")

    expander = Simulator(game.circuit).expander(1)

    assert expander.phases_of(expander.initial) == [0]
    assert (expander.initial == expander.pack(game.scalar.facts(game.scalar.initial_state()))).all()
