"""A game whose turn follows from the number of moves is a smaller circuit for each turn."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from gdl.circuit.lanes.playouts.lanes import Lanes
from gdl.circuit.netlist import NO, YES, Netlist, literal_values
from gdl.circuit.passes.phases import split_phases
from gdl.circuit.schedule import schedule
from tests.fakes.netlists import evaluate
from tests.gdl.circuit.lanes.random_netlists import alternating, random_netlist, three_moves
from tests.thorough import all_but

pytestmark = pytest.mark.usefixtures("kernels")


def _walk(
    netlist: Netlist, steps: int, seed: int
) -> list[np.ndarray[tuple[int], np.dtype[np.bool_]]]:
    """The states of one random playout, which does not stop at a terminal state."""
    rng = np.random.default_rng(seed)
    states = [netlist.init]
    for _ in range(steps):
        moves = np.zeros((1, netlist.num_inputs), np.bool_)
        legal = literal_values(evaluate(netlist, states[-1][None], moves), netlist.legal)[0]
        for first, last in zip(netlist.role_starts, netlist.role_starts[1:], strict=False):
            if legal[first:last].any():
                moves[0, first + rng.choice(np.flatnonzero(legal[first:last]))] = True
        states.append(literal_values(evaluate(netlist, states[-1][None], moves), netlist.next)[0])
    return states


@pytest.mark.parametrize("seed", all_but(range(2), range(6)))
def test_a_phase_means_what_the_whole_netlist_means(seed: int) -> None:
    """In the states of its phase it has the same legal moves, end, goals and next state."""
    netlist = alternating(random_netlist(seed))
    _assert_same_meaning(netlist, split_phases(netlist), seed)


def _assert_same_meaning(netlist: Netlist, phases: list[Netlist], seed: int) -> None:
    """Play at random; legal moves, end, goals and next states are those of the netlist."""
    rng = np.random.default_rng(seed)
    for step, state in enumerate(_walk(netlist, 40, seed)):
        phase = phases[step % len(phases)]
        moves = np.zeros((1, netlist.num_inputs), np.bool_)
        whole, part = (evaluate(circuit, state[None], moves) for circuit in (netlist, phase))
        legal = literal_values(whole, netlist.legal)[0]
        for first, last in zip(netlist.role_starts, netlist.role_starts[1:], strict=False):
            if legal[first:last].any():
                moves[0, first + rng.choice(np.flatnonzero(legal[first:last]))] = True
        moved, part_moved = (evaluate(circuit, state[None], moves) for circuit in (netlist, phase))

        assert (legal == literal_values(part, phase.legal)[0]).all()
        assert literal_values(whole, netlist.terminal) == literal_values(part, phase.terminal)
        for (_, _, goal), (_, _, same_goal) in zip(netlist.goals, phase.goals, strict=True):
            assert literal_values(whole, goal) == literal_values(part, same_goal)
        following = literal_values(moved, netlist.next)
        assert (following == literal_values(part_moved, phase.next)).all()


def test_who_has_no_turn_has_no_candidates() -> None:
    """With two roles that take turns there are two phases; in each one role only can choose."""
    phases = split_phases(alternating(random_netlist(1)))

    assert len(phases) == 2
    assert [literal for literal in phases[0].legal[6:] if literal != NO] == [YES]
    assert [literal for literal in phases[1].legal[:6] if literal != NO] == [YES]


def test_a_game_without_turns_has_one_phase() -> None:
    """Nothing is gained where all may always move."""
    netlist = three_moves()

    assert len(split_phases(netlist)) == 1


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_phases_do_not_change_what_playouts_count(seed: int) -> None:
    """Mean length and goals of whole playouts agree within four standard errors."""
    netlist = alternating(random_netlist(seed))
    netlist = replace(netlist, terminal=2 * 2)

    plain, phased = (
        Lanes([schedule(part) for part in parts], width=8, seed=seed)
        for parts in ([netlist], split_phases(netlist))
    )
    results = [lanes.finish(limit=256) for lanes in (plain, phased)]

    spread = 100 / np.sqrt(results[0].count)
    for goal, same_goal in zip(results[0].mean_goals, results[1].mean_goals, strict=True):
        assert abs(goal - same_goal) < 4 * spread
