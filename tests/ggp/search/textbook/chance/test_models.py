"""Opponent models answer with the distributions that their names promise."""

from __future__ import annotations

import pytest

import gdl
from ggp.clock import Deadline
from ggp.search.core.choices import Joint, choices_in
from ggp.search.evaluation.evaluation import EvenEvaluation
from ggp.search.textbook.chance.models import (
    DepthMinimax,
    MinimaxHabit,
    Mixture,
    OpponentModel,
    Situation,
    adversarial,
    cooperative,
    make_model,
    parse_mixture,
    uniform,
)
from ggp.search.textbook.chance.ply import seats_of
from tests.fakes.gametree import GameTreeMachine, Place, decision, meeting, terminal

NEVER = Deadline.never()


def distribution(model: OpponentModel, situation: Situation) -> dict[Joint, float]:
    """The probability of each reply that a model thinks possible."""
    found: dict[Joint, float] = {}
    for reply, probability in model(situation):
        found[reply] = found.get(reply, 0.0) + probability
    return found


def situation_in(machine: GameTreeMachine, root: Place) -> Situation:
    """The situation when the first role has made its first move; goals are looked up."""
    choices = choices_in(machine, root)

    def look(reply: Joint) -> float:
        return float(machine.goal(machine.next_state(root, reply), machine.roles[0]))

    seats = seats_of(machine, 0)
    return Situation(root, choices, seats, choices[0][0], NEVER, look)


def chances(model: OpponentModel, machine: GameTreeMachine, root: Place) -> dict[str, float]:
    """The probability of each move of the second role."""
    found = distribution(model, situation_in(machine, root))
    return {str(reply[1]): probability for reply, probability in found.items()}


def your_turn() -> Place:
    """You have three moves; two are equally good for you, and one of those is worst for me."""
    return decision("you", a=terminal(40, 70), b=terminal(10, 70), c=terminal(90, 20))


def two_roles(root: Place) -> GameTreeMachine:
    """A game of `me` and `you`."""
    return GameTreeMachine(("me", "you"), root)


@pytest.mark.parametrize(
    ("model", "expected"),
    [
        (adversarial, {"b": 1.0}),
        (cooperative, {"c": 1.0}),
        (uniform, {"a": 1 / 3, "b": 1 / 3, "c": 1 / 3}),
        (Mixture(((adversarial, 3), (cooperative, 1))), {"b": 0.75, "c": 0.25}),
    ],
    ids=["adversarial", "cooperative", "random", "mixture"],
)
def test_a_model_gives_each_reply_its_probability(
    model: OpponentModel, expected: dict[str, float]
) -> None:
    """Worst for me, best for me, any, and a weighted mixture of the first two."""
    root = your_turn()

    assert chances(model, two_roles(root), root) == pytest.approx(expected)


def test_an_opponent_who_searches_wants_its_own_goal() -> None:
    """Not my harm: both moves worth 70 to it are as likely."""
    root = your_turn()
    machine = two_roles(root)

    found = chances(DepthMinimax(machine, 2, EvenEvaluation(machine)), machine, root)

    assert found == pytest.approx({"a": 0.5, "b": 0.5})


def test_an_opponent_sees_no_further_than_its_depth() -> None:
    """The win behind its first move is two plies away: with one ply all moves look alike."""
    win = decision("me", go=terminal(0, 100), stay=terminal(0, 100))
    root = decision("you", a=win, b=terminal(50, 50))
    machine = two_roles(root)
    evaluate = EvenEvaluation(machine)

    near = chances(DepthMinimax(machine, 1, evaluate), machine, root)
    far = chances(DepthMinimax(machine, 2, evaluate), machine, root)

    assert near == pytest.approx({"a": 0.5, "b": 0.5})
    assert far == {"a": 1.0}


def test_the_opponent_of_the_quiz_is_a_mixture() -> None:
    """Its minimax 80 % of the time, any move otherwise."""
    root = decision("you", a=terminal(0, 100), b=terminal(100, 0))
    machine = two_roles(root)
    model = make_model("minimax", machine, EvenEvaluation(machine), MinimaxHabit(2, 0.8))

    assert chances(model, machine, root) == pytest.approx({"a": 0.9, "b": 0.1})


def test_two_opponents_reply_in_every_combination() -> None:
    """Four joint replies, each a quarter."""
    names = [(x, y) for x in "ab" for y in "cd"]
    root = meeting({"you": ("a", "b"), "them": ("c", "d")}, {n: terminal(1, 1, 1) for n in names})
    machine = GameTreeMachine(("me", "you", "them"), root)

    found = distribution(uniform, situation_in(machine, root))

    assert sorted((str(r[1]), str(r[2])) for r in found) == names
    assert set(found.values()) == {0.25}


def test_the_random_role_is_no_opponent() -> None:
    """A model says nothing of what it does: the dice are fair, whoever plays."""
    root = meeting(
        {"you": ("a", "b"), "random": ("1", "2")},
        {(x, y): terminal(50, 50, 0) for x in "ab" for y in "12"},
    )
    machine = GameTreeMachine(("me", "you", gdl.RANDOM), root)

    found = distribution(adversarial, situation_in(machine, root))

    assert len(found) == 1


def test_a_mixture_is_written_with_weights() -> None:
    """One without a weight counts once."""
    assert parse_mixture("minimax") == (("minimax", 1.0),)
    assert parse_mixture("adversarial:1+random:3.5") == (("adversarial", 1.0), ("random", 3.5))


@pytest.mark.parametrize("text", ["", "kind", "random:0", "random:-1", "random:nan", "random+"])
def test_no_other_text_is_a_mixture(text: str) -> None:
    """Unknown names, weights that are none, and nothing at all."""
    with pytest.raises(ValueError):  # noqa: PT011 - its text is no message for people
        parse_mixture(text)
