"""The scalar kernels against the slow evaluator, and their random playouts."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from gdl.circuit.build import build
from gdl.circuit.netlist import IntArray, literal_values, pack, unpack
from gdl.circuit.passes.optimise import optimise
from gdl.circuit.scalar.kernels import MAX_PLAYOUTS, RANDOM, choose, draw
from gdl.circuit.scalar.layout import plan
from gdl.circuit.scalar.machine import Scalar
from tests.fakes.netlists import evaluate
from tests.gdl.circuit.programs import PROGRAMS, grid, lights, netlist_outputs, states, walk
from tests.thorough import all_but

pytestmark = pytest.mark.usefixtures("kernels")

NO_MOVE = np.int32(-1)


@pytest.mark.parametrize("name", PROGRAMS)
def test_from_any_state_to_any_other(name: str) -> None:
    """After each of many changes of state and moves, all values are those of the slow evaluator."""
    netlist = build(PROGRAMS[name])
    scalar = Scalar(plan(netlist))
    bases, _ = states(netlist.num_bases, netlist.num_inputs, 60)
    moves = _random_moves(netlist.role_starts, 60)
    inputs = np.zeros((60, netlist.num_inputs), np.bool_)
    for state, chosen in zip(inputs, moves, strict=True):
        state[chosen[chosen >= 0]] = True
    values = evaluate(netlist, bases, np.zeros_like(inputs))
    legal = literal_values(values, netlist.legal)
    following = netlist_outputs(netlist, bases, inputs)[:, : netlist.num_bases]

    for k, words in enumerate(pack(bases)):
        scalar.load(words)
        assert [scalar.holds(g) for _, _, g in scalar.plan.netlist.goals] == literal_values(
            values[k : k + 1], [g for _, _, g in netlist.goals]
        )[0].tolist()
        found = np.concatenate([scalar.legal(role) for role in range(len(netlist.roles))])
        assert found.tolist() == np.flatnonzero(legal[k]).tolist()
        after = unpack(scalar.make(moves[k]), netlist.num_bases)
        assert after.tolist() == following[k].tolist()


def test_states_are_packed_bit_by_bit() -> None:
    """Base 32 j + k is bit k of word j; the words make whole 64-bit words."""
    bases = np.zeros((1, 70), np.bool_)
    bases[0, [0, 31, 33, 69]] = True

    words = pack(bases)

    assert words.view(np.uint32).tolist() == [[1 + 2**31, 2, 32, 0]]
    assert unpack(words[0], 70).tolist() == bases[0].tolist()


def test_moves_with_a_common_guard_form_a_group() -> None:
    """The common part of a role's moves is looked at once, not in the gate of each."""
    netlist = build(grid(4))
    guarded = plan(netlist)

    at, layout = guarded.at, guarded.layout
    guards = layout[at.guards : at.group_of]

    assert guards.tolist() == [1]  # legal is `not stone`: no gate, nothing in common


@pytest.mark.parametrize(
    "name",
    all_but(["lights", "small recursion"], ["lights", "small recursion", "large recursion"]),
)
def test_playouts_visit_what_slow_play_visits(name: str) -> None:
    """The mean length of random playouts is that of slow play, but for chance."""
    netlist = optimise(build(PROGRAMS[name]))
    num = 2000 if _is_compiled() else 50

    result = Scalar(plan(netlist)).playouts(pack(netlist.init[None])[0], num=num, seed=3)

    reached = walk(netlist, 200 if name == "large recursion" else 100)
    idle = np.zeros((len(reached), netlist.num_inputs), np.bool_)
    ends = int(literal_values(evaluate(netlist, reached, idle), [netlist.terminal]).sum())
    assert result.count == num
    assert result.mean_length == pytest.approx(len(reached) / ends - 1, rel=0.4)
    assert (result.cut, result.stuck) == (0, 0)


def test_playouts_are_repeated_by_their_seed() -> None:
    """The same seed gives the same playouts, another one others, on a fork as well."""
    netlist = build(grid(4))
    scalar = Scalar(plan(netlist))
    start = pack(netlist.init[None])[0]

    first = scalar.playouts(start, num=20, seed=7)
    again = scalar.fork().playouts(start, num=20, seed=7)
    other = scalar.playouts(start, num=20, seed=8)

    assert first.moves == again.moves
    assert first.mean_goals == again.mean_goals
    assert first.moves != other.moves


def test_a_playout_is_cut_off_at_its_depth() -> None:
    """A game that goes on for ever ends at the limit, and is counted as cut off."""
    netlist = build(lights())

    result = Scalar(plan(netlist)).playouts(pack(netlist.init[None])[0], num=10, depth=2)

    assert result.cut == 10
    assert result.moves == 20


def test_every_legal_move_is_as_likely_as_the_others() -> None:
    """Chi-square of 16 choices is within what chance allows."""
    netlist = build(grid(4))
    planned = plan(netlist)
    settings = np.zeros(4, np.int64)
    settings[RANDOM] = 12345
    num = 16000 if _is_compiled() else 1600

    counts = np.zeros(netlist.num_inputs)
    for _ in range(num):
        counts[choose(planned.at, planned.layout, planned.memory, settings, 0)] += 1

    expected = num / len(counts)
    assert ((counts - expected) ** 2 / expected).sum() < 40  # 15 degrees of freedom, p = 0.0005


def test_random_numbers_are_below_their_bound() -> None:
    """All numbers below the bound are drawn, and no other."""
    settings = np.array([0, 0, 0, 99], np.int64)

    drawn = {draw(settings, 7) for _ in range(200)}

    assert drawn == set(range(7))
    assert settings[MAX_PLAYOUTS] == 0


@pytest.mark.thorough
def test_kernels_are_plain_python_too() -> None:
    """With NUMBA_DISABLE_JIT=1 these tests, and those of the build, pass as well.

    `lanes/test_plain.py` shows it of other kernels, and of building circuits.
    """
    if not _is_compiled():
        pytest.skip("this is that run")
    folder = Path(__file__).parent
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    tests = [str(folder / "test_kernels.py"), str(folder.parent / "test_build.py")]

    run = subprocess.run(
        [*command, *tests],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )

    assert run.returncode == 0, run.stdout[-3000:]


def _is_compiled() -> bool:
    return hasattr(draw, "py_func")


def _random_moves(starts: IntArray, num: int) -> IntArray:
    """`[num, R]` inputs, legal or not, and sometimes none."""
    rng = np.random.default_rng(5)
    columns = [rng.integers(a - 1, b, num) for a, b in itertools.pairwise(starts)]
    moves = np.array(columns, np.int32).T
    return np.where(moves < starts[:-1], NO_MOVE, moves).astype(np.int32)
