"""Alpha-beta in arrays and its twin in Python find the same values, in every bundled game."""

from __future__ import annotations

import pytest

import gdl
from ggp import games
from ggp.search.core.result import DepthResult
from ggp.search.evaluation import Evaluation, Weights, named
from ggp.search.fast.alphabeta.search import make_search
from ggp.search.textbook.adversarial import alphabeta
from ggp.search.textbook.adversarial.alphabeta import AlphaBetaOptions
from ggp.search.textbook.adversarial.ordering import LearnedOrder
from ggp.search.textbook.adversarial.table import TranspositionTable
from tests.ggp.search.textbook.adversarial.positions import NEVER, depth_of, machine_of, position_of
from tests.thorough import KINDS, all_but

pytestmark = pytest.mark.usefixtures("kernels")

# Patterns of facts, evaluations, and a role whose weights differ.
WEIGHTS = {
    "connectFour": {"(cell 4 ? red)": (0.7, -0.6), "(cell ? 2 ?)": (0.1, 0.2), "goal": (0.5, 0.4)},
    "breakthroughSmall": {"control": (0.3, 0.2), "mobility": (0.9, 1.1)},
}


def _twin(name: str, role: gdl.Role, evaluate: Evaluation, depth: int) -> DepthResult:
    means = AlphaBetaOptions(LearnedOrder(), TranspositionTable())
    return alphabeta.search(
        machine_of(name),
        position_of(name),
        role,
        depth=depth,
        evaluate=evaluate,
        deadline=NEVER,
        means=means,
    )


@pytest.mark.parametrize("name", all_but(KINDS, games.names()))
def test_arrays_find_what_the_python_search_finds(name: str) -> None:
    """At every depth, for every role: the same value, and the same said of what is proven."""
    machine = machine_of(name)
    evaluate = named(machine, "linear")

    for role in machine.roles:
        search = make_search(machine, role, evaluate, num_entries=1 << 10)
        assert search is not None
        for depth in range(1, min(depth_of(name), 3) + 1):
            found = search.look(position_of(name), depth=depth, deadline=NEVER)
            expected = _twin(name, role, evaluate, depth)

            assert found.value == pytest.approx(expected.value, abs=1e-9)
            assert found.is_complete == expected.is_complete


@pytest.mark.parametrize("eval_name", ["even", "goal", "mobility", "control"])
@pytest.mark.parametrize("name", ["tron", "othello", "threePlayerTicTacToe", "pig"])
def test_arrays_know_the_evaluations(name: str, eval_name: str) -> None:
    """Simultaneous moves, turns that are marked, three roles, chance: the same value of a leaf."""
    machine = machine_of(name)
    evaluate, role = named(machine, eval_name), machine.roles[-1]
    search = make_search(machine, role, evaluate, num_entries=1 << 10)
    assert search is not None

    found = search.look(position_of(name), depth=2, deadline=NEVER)

    assert found.value == pytest.approx(_twin(name, role, evaluate, 2).value, abs=1e-9)


@pytest.mark.parametrize("name", sorted(WEIGHTS))
def test_arrays_know_learned_weights(name: str) -> None:
    """Weights of patterns and of evaluations make the same squashed sum, but for its last digit."""
    machine = machine_of(name)
    roles = tuple(map(str, machine.roles))
    weights = Weights(game=name, rules="", roles=roles, bias=(0.2, -0.1), features=WEIGHTS[name])
    evaluate = named(machine, "linear", weights)

    for role in machine.roles:
        search = make_search(machine, role, evaluate, num_entries=1 << 10)
        assert search is not None
        found = search.look(position_of(name), depth=3, deadline=NEVER)

        assert found.value == pytest.approx(_twin(name, role, evaluate, 3).value, abs=1e-9)
        assert 1 < found.value < 99


def test_a_table_of_two_states_changes_the_work_and_not_the_value() -> None:
    """Whatever the table has forgotten is found again."""
    machine, state = machine_of("connectFour"), position_of("connectFour")
    evaluate = named(machine, "linear")
    small, large = (
        make_search(machine, machine.roles[0], evaluate, num_entries=size) for size in (2, 1 << 16)
    )
    assert small is not None
    assert large is not None

    for depth in (3, 6):
        forgetful = small.look(state, depth=depth, deadline=NEVER)
        mindful = large.look(state, depth=depth, deadline=NEVER)

        assert forgetful.value == mindful.value
    assert mindful.nodes < forgetful.nodes


def test_what_earlier_looks_left_in_the_table_changes_no_value() -> None:
    """Iterative deepening, turn after turn, finds what a first look at that depth would."""
    machine = machine_of("breakthroughSmall")
    evaluate, role = named(machine, "linear"), machine.roles[0]
    kept = make_search(machine, role, evaluate)
    assert kept is not None

    for plies in range(3):
        state = position_of("breakthroughSmall", plies=plies)
        fresh = make_search(machine, role, evaluate)
        assert fresh is not None
        deepened = [kept.look(state, depth=depth, deadline=NEVER) for depth in (1, 2, 3, 4)]

        assert deepened[-1].value == fresh.look(state, depth=4, deadline=NEVER).value
