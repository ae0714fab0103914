"""Facts that make no difference to the end and the goals are set apart from those that do."""

from __future__ import annotations

import numpy as np
import pytest

from gdl.circuit.evaluate import BoolArray
from gdl.structure.structure import PartView, Structure
from tests.gdl.structure.boards import (
    CORPUS,
    TURNING_IS_LEGAL_SOMETIMES,
    after,
    boards,
    legal,
    names,
    of_corpus,
    outcomes,
    random_moves,
    random_states,
)

NUM = 60


def test_a_decoy_makes_no_difference() -> None:
    """The dial is not relevant; the lamps, the fuse and the step counter are."""
    structure = boards()

    decoys = names(structure, ~structure.relevant.is_seen)

    assert decoys == {"(dial 1)", "(dial 2)", "(dial 3)"}
    assert structure.num_dead == 3


def test_moves_of_one_kind_are_those_that_do_the_same() -> None:
    """Each lamp and the fuse is a kind of its own; all that turns something else is one more."""
    structure = boards()

    assert len(structure.netlist.inputs) == structure.relevant.num_kinds == 6


def test_passing_that_depends_on_a_decoy_is_not_exact() -> None:
    """If the decoy says whether one can pass, states that agree in what matters may differ."""
    assert boards().relevant.is_exact
    assert not boards(TURNING_IS_LEGAL_SOMETIMES).relevant.is_exact


@pytest.mark.parametrize("name", CORPUS)
def test_what_is_not_seen_makes_no_difference(name: str) -> None:
    """States that agree in what a view sees go on alike: after a move, its bases still agree."""
    structure = of_corpus(name)
    moves = random_moves(structure, NUM)

    view = structure.relevant
    states, twins = _twins(structure, view)
    following = after(structure, states, moves) ^ after(structure, twins, moves)

    assert not following[:, view.is_seen].any()


@pytest.mark.parametrize("name", CORPUS)
def test_what_is_not_relevant_changes_no_end_and_no_goal(name: str) -> None:
    """States that agree in all relevant bases are terminal alike, and are worth the same."""
    structure = of_corpus(name)

    states, twins = _twins(structure, structure.relevant)

    assert (outcomes(structure, states) == outcomes(structure, twins)).all()


@pytest.mark.parametrize("name", CORPUS)
def test_moves_of_a_kind_lead_to_the_same(name: str) -> None:
    """Another move of the same kind changes nothing that the view sees."""
    structure = of_corpus(name)
    states, moves = random_states(structure, NUM), random_moves(structure, NUM)
    rng = np.random.default_rng(3)

    view = structure.relevant
    others = np.zeros_like(moves)
    for row, move in np.argwhere(moves).tolist():
        others[row, rng.choice(np.flatnonzero(view.kinds == view.kinds[move]))] = True
    following = after(structure, states, moves) ^ after(structure, states, others)

    assert not following[:, view.is_seen].any()


@pytest.mark.parametrize("name", CORPUS)
def test_an_exact_view_offers_the_same_kinds(name: str) -> None:
    """States that agree in what an exact view sees have legal moves of the same kinds."""
    structure = of_corpus(name)
    view = structure.relevant
    states, twins = _twins(structure, view)

    offered, of_twins = (_kinds_offered(structure, view, each) for each in (states, twins))

    assert view.is_exact
    assert (offered == of_twins).all()


def _twins(structure: Structure, view: PartView) -> tuple[BoolArray, BoolArray]:
    """States, and others that agree with them in what a view sees."""
    states, others = random_states(structure, NUM), random_states(structure, NUM, seed=5)
    return states, np.where(view.is_seen, states, others)


def _kinds_offered(structure: Structure, view: PartView, states: BoolArray) -> BoolArray:
    """`[N, kinds]` whether a move of each kind is legal; of a role's only kind, one always is."""
    is_legal = legal(structure, states)
    offered = np.zeros((len(states), view.num_kinds), np.bool_)
    for kind in range(view.num_kinds):
        offered[:, kind] = is_legal[:, view.kinds == kind].any(axis=1)
    roles = np.array([role for role, _ in structure.netlist.inputs])
    for role in range(len(structure.netlist.roles)):
        of_role = np.unique(view.kinds[roles == role])
        if len(of_role) == 1:
            offered[:, of_role] = True
    return offered
