"""Laws of minimax and alpha-beta in every bundled game."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import pytest

import gdl
from ggp import games
from ggp.search.core.result import DepthResult
from ggp.search.textbook.adversarial import alphabeta, minimax
from ggp.search.textbook.adversarial.alphabeta import AlphaBetaOptions
from ggp.search.textbook.adversarial.minimax import MaxN
from ggp.search.textbook.adversarial.ordering import LearnedOrder
from ggp.search.textbook.adversarial.scope import Quiescence, Scope
from ggp.search.textbook.adversarial.table import TranspositionTable
from tests.fakes.scattered import ScatteredEvaluation
from tests.ggp.search.textbook.adversarial.positions import NEVER, depth_of, machine_of, position_of
from tests.thorough import KINDS, all_but

pytestmark = pytest.mark.usefixtures("kernels")

CONSTANT_SUM = ("breakthroughSmall", "connectFour", "nim", "othello", "ticTacToe")
QUIESCENCE = Quiescence(threshold=60, plies=1)


MEANS: list[Callable[[], AlphaBetaOptions]] = [
    lambda: AlphaBetaOptions(LearnedOrder(killers=False, history=False)),
    lambda: AlphaBetaOptions(LearnedOrder(history=False)),
    lambda: AlphaBetaOptions(LearnedOrder(killers=False)),
    lambda: AlphaBetaOptions(LearnedOrder()),
    lambda: AlphaBetaOptions(table=TranspositionTable()),
    lambda: AlphaBetaOptions(LearnedOrder(history=False), TranspositionTable(max_entries=20)),
    lambda: AlphaBetaOptions(LearnedOrder(killers=False), TranspositionTable()),
    lambda: AlphaBetaOptions(LearnedOrder(), TranspositionTable()),
]
"""Options that keep the value, each with and without the others; all of it last."""


def plain(name: str, role: gdl.Role, quiescence: Quiescence | None = None) -> DepthResult:
    """The result of minimax for a game's position."""
    machine = machine_of(name)
    return minimax.search(
        machine,
        position_of(name),
        role,
        depth=depth_of(name),
        evaluate=ScatteredEvaluation(machine),
        deadline=NEVER,
        paranoid=True,
        quiescence=quiescence,
    )


def pruned(
    name: str, role: gdl.Role, means: AlphaBetaOptions, depth: int | None = None
) -> DepthResult:
    """The result of alpha-beta for it."""
    machine = machine_of(name)
    return alphabeta.search(
        machine,
        position_of(name),
        role,
        depth=depth or depth_of(name),
        evaluate=ScatteredEvaluation(machine),
        deadline=NEVER,
        means=means,
    )


@pytest.mark.parametrize("name", all_but(KINDS, games.names()))
def test_alphabeta_agrees_with_minimax(name: str) -> None:
    """Pruning changes the work, never the value: as listed, ordered, with a table, with all."""
    role = machine_of(name).roles[-1]
    expected = plain(name, role)

    for means in [AlphaBetaOptions, *(MEANS if name in CONSTANT_SUM else MEANS[-1:])]:
        found = pruned(name, role, means())

        assert found.value == expected.value
        assert found.nodes <= expected.nodes
        assert expected.result.moves[0].value == found.value


@pytest.mark.parametrize("name", all_but(KINDS, games.names()))
def test_a_table_that_knows_other_depths_keeps_the_value(name: str) -> None:
    """Entries of shallower and deeper searches order moves and answer nothing else."""
    role = machine_of(name).roles[0]
    means = AlphaBetaOptions(LearnedOrder(), TranspositionTable())
    expected = plain(name, role)

    values = [
        pruned(name, role, means, depth).value
        for depth in (*range(1, depth_of(name) + 1), 1, depth_of(name))
    ]

    assert values[-1] == values[-3] == expected.value


@pytest.mark.parametrize("name", all_but(["breakthroughSmall", "nim"], CONSTANT_SUM))
def test_quiescence_is_the_same_for_both(name: str) -> None:
    """It belongs to where a search stops, not to how it prunes; and it looks further."""
    role = machine_of(name).roles[0]
    expected = plain(name, role, QUIESCENCE)
    shallow = plain(name, role)

    found = pruned(name, role, AlphaBetaOptions(LearnedOrder(), TranspositionTable(), QUIESCENCE))

    assert found.value == expected.value
    assert found.nodes <= expected.nodes
    assert expected.nodes > shallow.nodes


@pytest.mark.parametrize("name", CONSTANT_SUM)
def test_with_two_constant_sum_roles_all_kinds_of_minimax_are_one(name: str) -> None:
    """Whoever maximises its own goal there minimises the other's."""
    machine = machine_of(name)
    scattered = ScatteredEvaluation(machine)
    scope = Scope(machine, machine.roles[0], scattered, NEVER, depth=depth_of(name))
    max_n = MaxN(scope).value(position_of(name), depth_of(name))

    expected = plain(name, machine.roles[0])

    assert max_n.goals[0] == expected.value
    assert scope.nodes == expected.nodes


@pytest.mark.parametrize("name", all_but(KINDS, games.names()))
def test_a_proven_value_is_the_value_at_every_depth_from_there_on(name: str) -> None:
    """Bounds rest on ends of the game: a deeper search stays within them."""
    role = machine_of(name).roles[0]
    found = [pruned(name, role, alphabeta.PLAIN, depth) for depth in (1, 2, depth_of(name))]

    best = [result.result for result in found]

    for shallow, deep in pairwise(found):
        if shallow.is_complete:
            assert deep.value == shallow.value
    assert all(result.lower <= result.value <= result.upper for result in best)
