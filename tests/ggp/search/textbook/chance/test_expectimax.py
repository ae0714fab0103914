"""Expectimax and expectiminimax compute what the slides say, on trees and on all games."""

from __future__ import annotations

from typing import TypedDict

import pytest

import gdl
from ggp import games
from ggp.clock import Deadline
from ggp.search.core.result import DepthResult, OutOfTime
from ggp.search.evaluation.evaluation import Evaluation, EvenEvaluation, GoalEvaluation
from ggp.search.textbook.adversarial import minimax
from ggp.search.textbook.chance import expectimax, expectiminimax
from ggp.search.textbook.chance.models import (
    DepthMinimax,
    Mixture,
    OpponentModel,
    adversarial,
    cooperative,
    uniform,
)
from tests.fakes.gametree import GameTreeMachine, decision, meeting, terminal
from tests.ggp.search.textbook.chance.trees import bin_of, bins, position_of
from tests.thorough import KINDS, all_but

pytestmark = pytest.mark.usefixtures("kernels")

NEVER = Deadline.never()


class Terms(TypedDict):
    """Arguments that all searches to a limited depth take."""

    depth: int
    evaluate: Evaluation
    deadline: Deadline


MODELS = {"adversarial": adversarial, "random": uniform, "cooperative": cooperative}


def values_of(found: DepthResult) -> dict[gdl.Move, float]:
    """The value of each move, in whatever order the search tells them."""
    return {each.move: each.value for each in found.result.moves}


def look(machine: gdl.StateMachine, model: OpponentModel, depth: int | None = None) -> DepthResult:
    """Expectimax for the first role from the initial state."""
    return expectimax.search(
        machine,
        machine.initial_state(),
        machine.roles[0],
        depth=depth,
        evaluate=EvenEvaluation(machine),
        deadline=NEVER,
        model=model,
    )


@pytest.mark.parametrize(
    ("model", "move", "value"),
    [(adversarial, "b", 51), (uniform, "c", 55), (cooperative, "a", 100)],
    ids=MODELS,
)
def test_the_three_bins(model: OpponentModel, move: str, value: float) -> None:
    """The lecture's question: which bin to choose depends on who chooses the number."""
    found = look(bins(), model)

    assert (str(found.result.move), found.value) == (move, value)
    assert (found.nodes, found.evaluations, found.is_complete) == (10, 0, True)


def test_a_mixture_weighs_its_parts() -> None:
    """A fears the adversary three times in four; B is worth 51.25 then, and C 47.5."""
    found = look(bins(), Mixture(((adversarial, 3), (cooperative, 1))))

    assert {str(each.move): each.value for each in found.result.moves} == pytest.approx(
        {"a": 25, "b": 51.5, "c": 50}
    )


def test_only_against_an_adversary_a_value_is_a_guarantee() -> None:
    """An expected value may not come."""
    assert look(bins(), adversarial).result.is_proven
    assert not look(bins(), uniform).result.is_proven


def test_chance_is_averaged_and_the_opponent_minimises() -> None:
    """MAX over MIN over the mean: 30 is certain, the dice are worth (0 + 100) / 2 at worst."""
    dice = meeting(
        {"you": ("a", "b"), "random": ("1", "2")},
        {
            ("a", "1"): terminal(0, 0, 0),
            ("a", "2"): terminal(100, 0, 0),
            ("b", "1"): terminal(80, 0, 0),
            ("b", "2"): terminal(60, 0, 0),
        },
    )
    machine = GameTreeMachine(
        ("me", "you", gdl.RANDOM), decision("me", sure=terminal(30, 0, 0), dice=dice)
    )

    found = expectiminimax.search(
        machine,
        machine.initial_state(),
        machine.roles[0],
        depth=None,
        evaluate=EvenEvaluation(machine),
        deadline=NEVER,
    )

    assert (str(found.result.move), found.value) == ("dice", 50)
    assert (look(machine, uniform).value, look(machine, cooperative).value) == (60, 70)


def test_where_roles_move_at_once_the_adversary_knows_my_move() -> None:
    """Matching pennies: nothing is safe from one who sees, an even chance against any other."""
    pennies = meeting(
        {"me": ("h", "t"), "you": ("h", "t")},
        {(x, y): terminal(100 * (x == y), 100 * (x != y)) for x in "ht" for y in "ht"},
    )
    machine = GameTreeMachine(("me", "you"), pennies)

    values = {name: look(machine, model).value for name, model in MODELS.items()}

    assert values == {"adversarial": 0, "random": 50, "cooperative": 100}


def test_the_evaluation_counts_where_the_depth_ends() -> None:
    """One ply sees three unfinished states, all alike: the first move then."""
    found = look(bins(), uniform, depth=1)

    assert (str(found.result.move), found.value, found.result.is_proven) == ("a", 50, False)
    assert (found.nodes, found.evaluations, found.is_complete) == (4, 3, False)


def test_equal_moves_stay_equal() -> None:
    """Three thirds of 70 are 70: rounding does not choose the move."""
    third = decision("you", a=terminal(70, 0), b=terminal(70, 0), c=terminal(70, 0))
    machine = GameTreeMachine(("me", "you"), decision("me", x=third, y=bin_of(70, 70)))

    assert [each.value for each in look(machine, uniform).result.moves] == [70, 70]


@pytest.mark.parametrize("game", all_but(KINDS, games.names()))
def test_against_an_adversary_it_is_minimax(game: str) -> None:
    """The values of all moves and the states visited are those of minimax, in every game.

    Minimax takes the dice for one of the others, expectiminimax does not: with dice it is that one.
    """
    machine = gdl.load(games.text(game))
    state, role = position_of(machine, plies=4, seed=5), machine.roles[0]
    evaluate = GoalEvaluation(machine)
    depth = 2 if len(machine.legal_moves(state, role)) < 20 and machine.control(state) else 1
    terms: Terms = {"depth": depth, "evaluate": evaluate, "deadline": NEVER}

    modelled = expectimax.search(machine, state, role, **terms, model=adversarial)

    plain = expectiminimax.search(machine, state, role, **terms)
    assert (values_of(modelled), modelled.nodes) == (values_of(plain), plain.nodes)
    if gdl.RANDOM not in map(str, machine.roles):
        slide = minimax.search(machine, state, role, **terms, paranoid=True)
        assert (values_of(modelled), modelled.nodes) == (values_of(slide), slide.nodes)


@pytest.mark.parametrize("game", ["ticTacToe", "pig", "threePlayerTicTacToe", "rockPaperScissors"])
def test_every_model_lies_between_the_adversary_and_the_friend(game: str) -> None:
    """Nothing is worse than the worst, nothing better than the best; all are goals."""
    machine = gdl.load(games.text(game))
    state, role = position_of(machine, plies=3, seed=2), machine.roles[0]
    evaluate = GoalEvaluation(machine)
    models = (adversarial, uniform, DepthMinimax(machine, 1, evaluate), cooperative)

    values = [
        expectimax.search(
            machine, state, role, depth=2, evaluate=evaluate, deadline=NEVER, model=model
        ).value
        for model in models
    ]

    assert 0 <= values[0] <= min(values[1:3])
    assert max(values[1:3]) <= values[3] <= 100


@pytest.mark.parametrize("kind", ["adversarial", "minimax"])
def test_a_search_gives_up_at_its_deadline(kind: str) -> None:
    """Also while it searches for the opponents."""
    machine = gdl.load(games.text("connectFour"))
    evaluate = EvenEvaluation(machine)
    model = adversarial if kind == "adversarial" else DepthMinimax(machine, 9, evaluate)
    deadline = Deadline.after(0.05)

    with pytest.raises(OutOfTime):
        expectimax.search(
            machine,
            machine.initial_state(),
            machine.roles[0],
            depth=9,
            evaluate=evaluate,
            deadline=deadline,
            model=model,
        )

    assert Deadline(deadline.moment + 30).remaining() > 0  # a safety net
