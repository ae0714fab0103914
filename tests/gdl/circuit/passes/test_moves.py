"""Knowledge of moves, that a role makes one at most, makes netlists smaller and keeps them."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from gdl.circuit import Netlist
from gdl.circuit.build import build
from gdl.circuit.netlist import BoolArray, literal_values
from gdl.circuit.passes.moves import complement_moves, rewrite_by_parts
from gdl.terms import Constant
from tests.fakes.netlists import evaluate
from tests.gdl.circuit.programs import PROGRAMS, states

pytestmark = pytest.mark.usefixtures("kernels")

PASSES = {"others": complement_moves, "parts": rewrite_by_parts}

CELLS, PIECES = 6, 4


def _netlist(
    num_bases: int, num_moves: int, gates: list[list[int]], following: list[int]
) -> Netlist:
    """A game of one role that may always make any move."""
    robot = Constant("robot")
    return Netlist(
        roles=(robot,),
        bases=tuple(Constant(f"base{index}") for index in range(num_bases)),
        inputs=tuple((0, Constant(f"move{index}")) for index in range(num_moves)),
        init=np.zeros(num_bases, np.bool_),
        offsets=np.cumsum([0, *(len(gate) for gate in gates)]).astype(np.int32),
        literals=np.array([literal for gate in gates for literal in gate], np.int32),
        next=np.array(following, np.int32),
        legal=np.ones(num_moves, np.int32),
        terminal=0,
        goals=(),
    )


def _sums(num_bases: int, num_moves: int, sums: list[list[tuple[int, int]]]) -> Netlist:
    """Base k is true next if a move is made and a base is true, one of the pairs of sum k."""
    gates: list[list[int]] = []
    first_gate = 1 + num_bases + num_moves
    for pairs in sums:
        gates += [[2 * (1 + base), 2 * (1 + num_bases + move)] for move, base in pairs]
    first = 0
    for pairs in sums:
        gates.append([2 * (first_gate + first + k) + 1 for k in range(len(pairs))])
        first += len(pairs)
    following = [2 * (first_gate + first + k) + 1 for k in range(len(sums))]
    return _netlist(num_bases, num_moves, gates, following + [0] * (num_bases - len(sums)))


def _pieces() -> Netlist:
    """Pieces move from any cell to any other: base `cell * PIECES + piece`, who stands where."""
    arrivals, num_moves = _arrivals()
    return _sums(CELLS * PIECES, num_moves, arrivals)


def _arrivals() -> tuple[list[list[tuple[int, int]]], int]:
    """By which moves, and from where, each piece arrives at each cell; how many moves there are."""
    moves = [pair for pair in product(range(CELLS), repeat=2) if pair[0] != pair[1]]
    arrivals = [
        [(k, origin * PIECES + piece) for k, (origin, to) in enumerate(moves) if to == cell]
        for cell, piece in product(range(CELLS), range(PIECES))
    ]
    return arrivals, len(moves)


def _stays() -> Netlist:
    """Base k goes on holding if a move is made, but not moves 2 k and 2 k + 1."""
    cells = range(12)
    first_move, first_gate = 1 + len(cells), 1 + 3 * len(cells)
    gates: list[list[int]] = []
    following = []
    for cell in cells:
        touching = (2 * cell, 2 * cell + 1)
        others = [2 * (first_move + k) + 1 for k in range(2 * len(cells)) if k not in touching]
        gates += [others, [2 * (1 + cell), 2 * (first_gate + len(gates)) + 1]]
        following.append(2 * (first_gate + len(gates) - 1))
    return _netlist(len(cells), 2 * len(cells), gates, following)


def _single_moves(netlist: Netlist, count: int, seed: int) -> BoolArray:
    """`[count, I]` for each role one of the moves that are ever legal, or none."""
    rng = np.random.default_rng(seed)
    moves = np.zeros((count, netlist.num_inputs), np.bool_)
    for first, last in zip(netlist.role_starts, netlist.role_starts[1:], strict=False):
        candidates = first + np.flatnonzero(netlist.legal[first:last])
        if len(candidates):
            moves[np.arange(count), rng.choice(candidates, count)] = rng.random(count) < 0.9
    return moves


def _outputs(netlist: Netlist, bases: BoolArray, moves: BoolArray) -> BoolArray:
    goals = [literal for _, _, literal in netlist.goals]
    literals = [*netlist.next, *netlist.legal, netlist.terminal, *goals]
    return literal_values(evaluate(netlist, bases, moves), np.array(literals, np.int32))


def _agree(before: Netlist, after: Netlist, count: int) -> bool:
    bases, _ = states(before.num_bases, before.num_inputs, count)
    moves = _single_moves(before, count, seed=count)
    return bool((_outputs(after, bases, moves) == _outputs(before, bases, moves)).all())


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("improve", PASSES)
def test_the_meaning_is_kept_where_a_role_makes_one_move(improve: str, name: str) -> None:
    """In random states, after one move or none of each role, all outputs are the same."""
    before = build(PROGRAMS[name])

    assert _agree(before, PASSES[improve](before), count=100)


@pytest.mark.parametrize("seed", range(20))
def test_sums_that_contradict_each_other_are_kept_apart(seed: int) -> None:
    """Sums that go together with other conditions for the same moves keep their meaning."""
    rng = np.random.default_rng(seed)
    tables = rng.integers(0, 5, (3, 12))
    sums = []
    for _ in range(16):
        moves = rng.choice(12, 7, replace=False)
        table = tables[rng.integers(0, 3)]
        sums.append([(int(move), int(table[move])) for move in moves])
    before = _sums(16, 12, sums)

    after = rewrite_by_parts(before)

    assert len(after.literals) < len(before.literals)
    assert _agree(before, after, count=400)


def test_a_move_is_told_by_where_it_begins_and_where_it_ends() -> None:
    """Each piece is asked for once in each cell, not once for each move."""
    before = _pieces()

    after = rewrite_by_parts(before)

    assert before.num_gates == CELLS * PIECES * CELLS
    # Two gates for each cell, one for each piece, and two for each piece in each cell.
    assert after.num_gates == 2 * CELLS + PIECES + 2 * CELLS * PIECES
    assert _agree(before, after, count=300)


def test_moves_of_two_roles_are_told_apart() -> None:
    """Two roles move at once, and the same conditions say what each of their moves does."""
    arrivals, moves = _arrivals()
    others = [[(moves + move, base) for move, base in pairs] for pairs in arrivals]
    before = _sums(2 * len(arrivals), 2 * moves, arrivals + others)
    inputs = tuple((int(k >= moves), move) for k, (_, move) in enumerate(before.inputs))
    before = replace(before, roles=(Constant("red"), Constant("blue")), inputs=inputs)

    assert _agree(before, rewrite_by_parts(before), count=300)


def test_most_moves_are_told_by_the_others() -> None:
    """A base that all but two moves leave alone follows from these two."""
    before = _stays()

    after = complement_moves(before)

    assert len(before.literals) == 12 * (22 + 2)
    assert len(after.literals) == 24 + 12 * (3 + 2)
    assert _agree(before, after, count=300)


@pytest.mark.parametrize("improve", PASSES)
def test_what_is_small_already_stays_as_it_is(improve: str) -> None:
    """A netlist in which nothing is gained is returned itself."""
    netlist = _sums(4, 6, [[(0, 0), (1, 1)], [(2, 2), (3, 3)]])

    assert PASSES[improve](netlist) is netlist
