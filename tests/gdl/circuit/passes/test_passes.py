"""Passes keep the meaning of a netlist; what each is for shows in its size."""

from __future__ import annotations

import numpy as np
import pytest

from gdl.circuit import Netlist
from gdl.circuit.build import build
from gdl.circuit.evaluate import BoolArray, evaluate, literal_values
from gdl.circuit.passes.agree import merge_agreeing
from gdl.circuit.passes.cone import drop_unused, for_play
from gdl.circuit.passes.constants import OPEN, constant_bases, fold_constants
from gdl.circuit.passes.flatten import flatten
from gdl.circuit.passes.optimise import optimise
from gdl.circuit.passes.rewrite import rewrite
from gdl.circuit.passes.split import split
from tests.gdl.circuit.programs import PROGRAMS, lights, netlist_outputs, states, walk

EVERYWHERE = {
    "rewrite": rewrite,
    "drop_unused": drop_unused,
    "flatten": flatten,
    "split": split,
}
WHERE_THE_GAME_CAN_BE = {
    "fold_constants": fold_constants,
    "merge_agreeing": merge_agreeing,
    "optimise": optimise,
}


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("improve", EVERYWHERE)
def test_a_pass_keeps_the_meaning(improve: str, name: str) -> None:
    """In random states, after random moves, all outputs are the same before and after."""
    before = build(PROGRAMS[name])
    bases, inputs = states(before.num_bases, before.num_inputs, 100)

    after = EVERYWHERE[improve](before)

    assert (netlist_outputs(after, bases, inputs) == netlist_outputs(before, bases, inputs)).all()


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("improve", WHERE_THE_GAME_CAN_BE)
def test_a_pass_keeps_the_meaning_in_reachable_states(improve: str, name: str) -> None:
    """In states of random play, after random moves, all outputs are the same."""
    before = build(PROGRAMS[name])
    bases = walk(before, 40)
    _, inputs = states(before.num_bases, before.num_inputs, 40)

    after = WHERE_THE_GAME_CAN_BE[improve](before)

    assert (netlist_outputs(after, bases, inputs) == netlist_outputs(before, bases, inputs)).all()


@pytest.mark.parametrize("name", PROGRAMS)
def test_play_needs_no_more_than_for_play_keeps(name: str) -> None:
    """Legal moves, end and goals are the same along any game, without the bases dropped."""
    before = build(PROGRAMS[name])
    bases = walk(before, 30)

    after = for_play(before)

    kept = [before.bases.index(fact) for fact in after.bases]
    assert (_play(after, bases[:, kept]) == _play(before, bases)).all()
    _, inputs = states(before.num_bases, before.num_inputs, 30)
    following = literal_values(evaluate(before, bases, inputs), before.next)[:, kept]
    assert (literal_values(evaluate(after, bases[:, kept], inputs), after.next) == following).all()


def test_bases_that_never_change_are_constants() -> None:
    """What keeps its first value whatever happens is found, and read by no gate any more."""
    netlist = build(lights())

    folded = fold_constants(netlist)

    assert constant_bases(netlist).tolist() == [OPEN, OPEN, OPEN, 1, 0, OPEN, OPEN]
    assert folded.next[3:5].tolist() == [1, 0]
    assert not np.isin(folded.literals >> 1, [4, 5]).any()
    assert folded.bases == netlist.bases


def test_bases_that_always_agree_are_read_as_one() -> None:
    """It is bob's turn when it is not ann's: only one of the two is read."""
    netlist = build(lights())

    merged = merge_agreeing(fold_constants(netlist))

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
