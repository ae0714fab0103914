"""What makes no difference is set apart; parts searched apart allow what the whole game does."""

from __future__ import annotations

import random
from functools import cache

import numpy as np
import pytest

import gdl
from gdl.circuit.netlist import BoolArray
from gdl.structure.dependence import NONE
from gdl.structure.structure import PartView, Structure
from ggp import games
from tests.gdl.structure.boards import (
    GAMES,
    QUICK,
    RULES,
    TURNING_IS_LEGAL,
    TURNING_IS_LEGAL_SOMETIMES,
    after,
    boards,
    legal,
    names,
    of_game,
    outcomes,
    random_moves,
    random_states,
)
from tests.shared import require
from tests.thorough import all_but

pytestmark = pytest.mark.usefixtures("kernels")

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


@pytest.mark.parametrize("name", all_but(QUICK, GAMES, is_whole=True))
def test_what_is_not_seen_makes_no_difference(name: str) -> None:
    """States that agree in what a view sees go on alike: after a move, its bases still agree."""
    structure = of_game(name)
    moves = random_moves(structure, NUM)

    view = structure.relevant
    states, twins = _twins(structure, view)
    following = after(structure, states, moves) ^ after(structure, twins, moves)

    assert not following[:, view.is_seen].any()


@pytest.mark.parametrize("name", all_but(QUICK, GAMES, is_whole=True))
def test_what_is_not_relevant_changes_no_end_and_no_goal(name: str) -> None:
    """States that agree in all relevant bases are terminal alike, and are worth the same."""
    structure = of_game(name)

    states, twins = _twins(structure, structure.relevant)

    assert (outcomes(structure, states) == outcomes(structure, twins)).all()


@pytest.mark.parametrize("name", all_but(QUICK, GAMES, is_whole=True))
def test_moves_of_a_kind_lead_to_the_same(name: str) -> None:
    """Another move of the same kind changes nothing that the view sees."""
    structure = of_game(name)
    states, moves = random_states(structure, NUM), random_moves(structure, NUM)
    rng = np.random.default_rng(3)

    view = structure.relevant
    others = np.zeros_like(moves)
    for row, move in np.argwhere(moves).tolist():
        others[row, rng.choice(np.flatnonzero(view.kinds == view.kinds[move]))] = True
    following = after(structure, states, moves) ^ after(structure, states, others)

    assert not following[:, view.is_seen].any()


@pytest.mark.parametrize("name", all_but(QUICK, GAMES, is_whole=True))
def test_an_exact_view_offers_the_same_kinds(name: str) -> None:
    """States that agree in what an exact view sees have legal moves of the same kinds."""
    structure = of_game(name)
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


BOARDS = RULES.replace("TURNING", TURNING_IS_LEGAL)

FALLING_APART = (
    "boards",
    "twinTiles",
    "twinWheels",
    "corpus/blocksWorldParallel",
    "corpus/blocksWorldSerial",
    "corpus/asteroidsParallel",
    "corpus/factoringEasyTurtleBrain",
    "corpus/dresden_SOBOTKA_S_3359145294",
)


def machine_of(name: str) -> gdl.Game:
    """The puzzle of two boards, a bundled game, or one of the corpus."""
    if name == "boards":
        return gdl.load(BOARDS, "scalar")
    folder, _, game = name.rpartition("/")
    text = require("corpus", "rules", f"{game}.kif").read_text() if folder else games.text(game)
    return gdl.load(text, "scalar")


@cache
def apart(name: str) -> tuple[gdl.Game, gdl.Decomposition]:
    """A game that falls apart, and how."""
    machine = machine_of(name)
    found = machine.parts
    assert found is not None
    return machine, found


@cache
def game_of(part: gdl.Subgame) -> gdl.Game:
    """A part as a game of its own."""
    return gdl.game_of_part(part)


def ways(found: gdl.Decomposition, value: int) -> tuple[gdl.Way, ...]:
    """The ways to a goal, of which is known what they ask."""
    known = found.ways(value)
    assert known is not None
    return known


def test_each_board_is_to_be_solved_by_itself() -> None:
    """To win both must be bright and the fuse unblown; no move acts on two of these."""
    _, found = apart("boards")

    (way,) = ways(found, 100)

    known = [{str(fact) for fact in subgame.netlist.bases} for subgame in way.subgames]
    assert sorted(map(sorted, known)) == [
        ["(lit a 1)", "(lit a 2)"],
        ["(lit b 1)", "(lit b 2)"],
        ["blown"],
    ]
    assert not way.shares_moves


def test_moves_on_both_boards_at_once_are_told_apart() -> None:
    """Each board has its four wheels and the rest, not the pairs."""
    _, found = apart("twinWheels")

    (way,) = ways(found, 100)

    assert [subgame.netlist.num_inputs for subgame in way.subgames] == [5, 5]
    assert way.shares_moves


WHOLE = ("lightsOut", "eightPuzzle", "towersOfHanoi", "knightsTour", "ticTacToe")


@pytest.mark.parametrize("name", all_but(["lightsOut", "ticTacToe"], WHOLE))
def test_one_board_is_not_taken_apart(name: str) -> None:
    """Nor is a game of two roles."""
    assert machine_of(name).parts is None


@pytest.mark.parametrize("name", all_but(["boards", "corpus/blocksWorldSerial"], FALLING_APART))
def test_a_subgame_goes_where_the_whole_goes(name: str) -> None:
    """In random games, what the part knows follows in the subgame, by moves that are legal there.

    And whoever reaches a goal has met what one of the ways to it asks of each part.
    """
    machine, found = apart(name)
    rng = random.Random(1)
    goals = {value: known for value in found.values if (known := found.ways(value)) is not None}
    subgames = {subgame for known in goals.values() for way in known for subgame in way.subgames}
    assert subgames
    for _ in range(10):
        state = machine.initial_state()
        while not machine.is_terminal(state):
            move = rng.choice(machine.legal_moves(state, machine.roles[0]))
            after = machine.next_state(state, (move,))
            for subgame in subgames:
                follow(
                    found, subgame, move, *(part_of(machine, s, subgame) for s in (state, after))
                )
            state = after
        value = machine.goal(state, machine.roles[0])
        assert value not in goals or any(
            all(game_of(x).is_terminal(part_of(machine, state, x)) for x in way.subgames)
            for way in goals[value]
        )


def follow(
    found: gdl.Decomposition,
    subgame: gdl.Subgame,
    move: gdl.Move,
    before: gdl.State,
    after: gdl.State,
) -> None:
    """Make the same move in a subgame, unless it is over there."""
    number = [known for _, known in found.netlist.inputs].index(move)
    _, same = subgame.netlist.inputs[subgame.kinds[number]]
    machine = game_of(subgame)
    if not machine.is_terminal(before):
        assert same in machine.legal_moves(before, machine.roles[0])
        assert machine.next_state(before, (same,)) == after


@pytest.mark.parametrize("name", ["boards", "twinTiles", "twinWheels"])
def test_who_passes_changes_nothing(name: str) -> None:
    """The passing move of a subgame leaves its states as they are."""
    machine, found = apart(name)
    for subgame in ways(found, 100)[0].subgames:
        state = part_of(machine, machine.initial_state(), subgame)
        assert subgame.passing != NONE

        after = game_of(subgame).next_state(state, (subgame.netlist.inputs[subgame.passing][1],))

        assert after == state


def part_of(machine: gdl.Game, state: gdl.State, subgame: gdl.Subgame) -> gdl.State:
    """The part of a state that a subgame knows."""
    known = set(subgame.netlist.bases)
    return game_of(subgame).state_of([fact for fact in machine.facts(state) if fact in known])
