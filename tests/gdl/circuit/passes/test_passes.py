"""Passes keep the meaning of a netlist; what each is for shows in its size."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from gdl.circuit import Netlist
from gdl.circuit.build import build
from gdl.circuit.netlist import BoolArray, literal_values
from gdl.circuit.passes.cone import drop_unused, for_play
from gdl.circuit.passes.factor import factor
from gdl.circuit.passes.merge_equal_bases import merge_equal_bases
from gdl.circuit.passes.optimise import OPEN, constant_bases, fold_constants, optimise
from gdl.circuit.passes.rewrite import flatten, rewrite
from gdl.circuit.passes.split import split
from gdl.terms import Constant
from tests.fakes.netlists import evaluate
from tests.gdl.circuit.programs import PROGRAMS, lights, netlist_outputs, states, walk
from tests.thorough import all_but

pytestmark = pytest.mark.usefixtures("kernels")

EVERYWHERE: dict[str, Callable[[Netlist], Netlist]] = {
    "rewrite": rewrite,
    "drop_unused": drop_unused,
    "flatten": flatten,
    "factor": factor,
    "factor the flat": lambda netlist: factor(flatten(netlist)),
    "split": split,
}
WHERE_THE_GAME_CAN_BE = {
    "fold_constants": fold_constants,
    "merge_equal_bases": merge_equal_bases,
    "optimise": optimise,
}


@cache
def reached(name: str) -> BoolArray:
    """States of random play of a program."""
    return walk(build(PROGRAMS[name]), 40)


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("improve", EVERYWHERE)
def test_a_pass_keeps_the_meaning(improve: str, name: str) -> None:
    """In random states, after random moves, all outputs are the same before and after."""
    before = build(PROGRAMS[name])
    bases, inputs = states(before.num_bases, before.num_inputs, 100)

    after = EVERYWHERE[improve](before)

    assert (netlist_outputs(after, bases, inputs) == netlist_outputs(before, bases, inputs)).all()


@pytest.mark.parametrize("name", all_but(["lights", "large recursion"], PROGRAMS))
@pytest.mark.parametrize("improve", WHERE_THE_GAME_CAN_BE)
def test_a_pass_keeps_the_meaning_in_reachable_states(improve: str, name: str) -> None:
    """In states of random play, after random moves, all outputs are the same."""
    before = build(PROGRAMS[name])
    bases = reached(name)
    _, inputs = states(before.num_bases, before.num_inputs, 40)

    after = WHERE_THE_GAME_CAN_BE[improve](before)

    assert (netlist_outputs(after, bases, inputs) == netlist_outputs(before, bases, inputs)).all()


@pytest.mark.parametrize("name", PROGRAMS)
def test_play_needs_no_more_than_for_play_keeps(name: str) -> None:
    """Legal moves, end and goals are the same along any game, without the bases dropped."""
    before = build(PROGRAMS[name])
    bases = reached(name)

    after = for_play(before)

    kept = [before.bases.index(fact) for fact in after.bases]
    assert (_play(after, bases[:, kept]) == _play(before, bases)).all()
    _, inputs = states(before.num_bases, before.num_inputs, len(bases))
    following = literal_values(evaluate(before, bases, inputs), before.next)[:, kept]
    assert (literal_values(evaluate(after, bases[:, kept], inputs), after.next) == following).all()


def test_bases_that_never_change_are_constants() -> None:
    """A base that keeps its first value whatever happens is found, and read by no gate any more."""
    netlist = build(lights())

    folded = fold_constants(netlist)

    assert constant_bases(netlist).tolist() == [OPEN, OPEN, OPEN, 1, 0, OPEN, OPEN]
    assert folded.next[3:5].tolist() == [1, 0]
    assert not np.isin(folded.literals >> 1, [4, 5]).any()
    assert folded.bases == netlist.bases


def test_bases_that_always_agree_are_read_as_one() -> None:
    """It is bob's turn when it is not ann's: only one of the two is read."""
    netlist = build(lights())

    merged = merge_equal_bases(fold_constants(netlist))

    assert np.isin([6, 7], netlist.literals >> 1).all()
    assert np.isin([6, 7], merged.literals >> 1).sum() == 1
    assert merged.bases == netlist.bases
    assert np.isin([1, 2, 3], merged.literals >> 1).all()


def test_play_drops_what_it_need_not_know() -> None:
    """A base that no gate reads is no part of the state of a playout."""
    netlist = optimise(build(lights()), play=True)

    assert [str(fact) for fact in netlist.bases] == [
        "(p a)", "(q a)", "(r a)", "(turn_ann a)",
    ]  # fmt: skip


def test_flat_gates_have_no_reader_that_could_hold_them() -> None:
    """After flattening, a gate with one reader is read complemented, or is an output."""
    netlist = flatten(build(PROGRAMS["large recursion"]))
    readers = np.bincount(netlist.literals >> 1, minlength=netlist.first_gate + netlist.num_gates)
    outputs = {x >> 1 for x in [*netlist.next, *netlist.legal, netlist.terminal, *netlist.feedback]}
    outputs |= {literal >> 1 for _, _, literal in netlist.goals}

    single = {node for node in np.flatnonzero(readers == 1).tolist() if node >= netlist.first_gate}
    plain = set((netlist.literals[netlist.literals & 1 == 0] >> 1).tolist())

    assert single & plain <= outputs


def test_what_alternatives_share_is_said_once() -> None:
    """(a & b & x) | (a & b & y) | c needs no product for each alternative."""
    netlist = sum_of_products([[1, 2, 4], [1, 2, 5], [3]], num_bases=5)

    factored = factor(netlist)

    assert gates_of(factored) == [[9, 11], [2, 4, 13], [7, 15]]
    assert factored.next.tolist() == [17, 4, 6, 8, 10]


def test_an_alternative_that_says_less_stands_for_those_that_say_more() -> None:
    """(a & b & c) | (a & b) is a & b."""
    factored = drop_unused(factor(sum_of_products([[1, 2, 3], [1, 2]], num_bases=3)))

    assert gates_of(factored) == [[2, 4]]
    assert factored.next.tolist() == [8, 4, 6]


def test_large_circuits_are_factored_as_well() -> None:
    """A & (x | y | ...) is said once for each a, also where all together are 300,000 literals."""
    alternatives = [list(range(first, first + 9)) for first in range(61, 541)]
    products = [[a, *others] for a in range(1, 61) for others in alternatives]
    netlist = sum_of_products(products, num_bases=550)

    factored = drop_unused(factor(netlist))

    assert len(netlist.literals) > 300_000
    assert len(factored.literals) < 6_000


@pytest.mark.parametrize("seed", range(20))
def test_factors_of_random_sums_keep_the_meaning(seed: int) -> None:
    """Products that share literals and gates, repeat each other and contradict themselves."""
    rng = np.random.default_rng(seed)
    netlist = sum_of_products([[1]], num_bases=6)
    gates = [_some_literals(rng, 7) for _ in range(4)]
    for first_node in (7, 11):
        num = int(rng.integers(2, 12))
        gates += [_some_literals(rng, first_node + 4) for _ in range(num)]
        products = range(len(gates) - num, len(gates))
        others = _some_literals(rng, 7)[: int(rng.integers(2))]
        gates.append([gate_literal(netlist, k) ^ 1 for k in products] + others)
    mixed = with_gates(netlist, gates)
    bases, inputs = states(6, 0, 64)

    after = factor(mixed)

    assert (netlist_outputs(after, bases, inputs) == netlist_outputs(mixed, bases, inputs)).all()


def _some_literals(rng: np.random.Generator, num_nodes: int) -> list[int]:
    """One to four literals of nodes below a number."""
    nodes = rng.integers(1, num_nodes, size=int(rng.integers(1, 5)))
    return [int(literal) for literal in 2 * nodes + rng.integers(0, 2, len(nodes))]


def test_long_chains_of_alternatives_are_no_trouble() -> None:
    """x1 | (y1 & (x2 | (y2 & ...))), deeper than Python may call."""
    netlist = sum_of_products([[1, 2], [3, 4]], num_bases=4)
    gates = gates_of(netlist)
    for _ in range(5000):
        gates += [[gate_literal(netlist, len(gates) - 1) ^ 1, 2], [3]]
        gates[-1] = [gate_literal(netlist, len(gates) - 2) ^ 1, 6]
    chain = with_gates(netlist, gates)
    bases, inputs = states(4, 0, 16)

    after = factor(chain)

    assert (netlist_outputs(after, bases, inputs) == netlist_outputs(chain, bases, inputs)).all()


@pytest.mark.parametrize("most", [2, 3, 4])
def test_split_gates_are_narrow(most: int) -> None:
    """No gate reads more than so many literals."""
    wide = build(PROGRAMS["recursion after recursion"])

    narrow = split(wide, most)

    assert np.diff(wide.offsets).max() > 4
    assert np.diff(narrow.offsets).max() <= most


def test_passes_leave_their_argument_alone() -> None:
    """A pass returns a new netlist; the old one means what it meant."""
    netlist = build(lights())
    before = (netlist.literals.copy(), netlist.next.copy(), netlist.bases)

    split(flatten(optimise(netlist, play=True)))

    assert (netlist.literals == before[0]).all()
    assert (netlist.next == before[1]).all()
    assert netlist.bases == before[2]


def _play(netlist: Netlist, bases: BoolArray) -> BoolArray:
    idle = np.zeros((len(bases), netlist.num_inputs), np.bool_)
    named = [netlist.terminal, *(literal for _, _, literal in netlist.goals)]
    return literal_values(evaluate(netlist, bases, idle), [*netlist.legal, *named])


def sum_of_products(products: list[list[int]], num_bases: int) -> Netlist:
    """A game without moves: the first base becomes the OR of products of bases, by node."""
    gates = [[2 * node for node in product] for product in products]
    first = 1 + num_bases
    gates.append([2 * (first + k) + 1 for k in range(len(gates))])
    empty = Netlist(
        roles=(),
        bases=tuple(Constant(f"b{node}") for node in range(1, first)),
        inputs=(),
        init=np.zeros(num_bases, np.bool_),
        offsets=np.zeros(1, np.int32),
        literals=np.zeros(0, np.int32),
        next=np.arange(2, 2 * first, 2, dtype=np.int32),
        legal=np.zeros(0, np.int32),
        terminal=0,
        goals=(),
    )
    return with_gates(empty, gates)


def with_gates(netlist: Netlist, gates: list[list[int]]) -> Netlist:
    """The netlist with these gates; the first base becomes the complement of the last one."""
    following = netlist.next.copy()
    following[0] = gate_literal(netlist, len(gates) - 1) ^ 1
    return replace(
        netlist,
        offsets=np.cumsum([0, *map(len, gates)]).astype(np.int32),
        literals=np.array([literal for gate in gates for literal in gate], np.int32),
        next=following,
    )


def gate_literal(netlist: Netlist, gate: int) -> int:
    """The literal of a gate by its index."""
    return 2 * (netlist.first_gate + gate)


def gates_of(netlist: Netlist) -> list[list[int]]:
    """The literals of each gate."""
    return [part.tolist() for part in np.split(netlist.literals, netlist.offsets[1:-1])]
