"""Proven values are true: compared with a plain recursion over whole trees."""

from __future__ import annotations

import random

import pytest

from ggp.clock import Deadline
from ggp.search.core import search_until
from ggp.search.textbook.greedy.search import GreedySearch
from ggp.search.textbook.mcts.search import MctsSearch
from tests.fakes.gametree import GameTreeMachine, Place, decision, terminal

ROLES = ("max", "min", "random")
ROUNDS = (1, 5, 20, 1000)


def random_tree(rng: random.Random, depth: int) -> Place:
    """A tree of decisions of two opponents and of chance, some branches shorter than others."""
    if depth == 0 or rng.random() < 0.15:
        goal = rng.choice([0, 25, 50, 75, 100])
        return terminal(goal, 100 - goal, 0)
    moves = {f"m{index}": random_tree(rng, depth - 1) for index in range(rng.randint(2, 3))}
    return decision(rng.choice(ROLES), **moves)


def random_moves(seed: int) -> dict[str, Place]:
    """Four moves for the first role, each with a random tree behind it."""
    rng = random.Random(seed)
    return {f"m{index}": random_tree(rng, depth=3) for index in range(4)}


def value(place: Place) -> float:
    """The exact value for the first role: the slow, obvious twin."""
    if not place.moves:
        return place.goals[0]
    values = [value(after) for after in place.after.values()]
    if "max" in place.moves:
        return max(values)
    return min(values) if "min" in place.moves else sum(values) / len(values)


@pytest.mark.parametrize("rounds", ROUNDS)
@pytest.mark.parametrize("seed", range(8))
def test_the_bounds_of_mcts_hold_the_true_value(seed: int, rounds: int) -> None:
    """At any time, for every move of the root."""
    moves = random_moves(seed)
    machine = GameTreeMachine(ROLES, decision("max", **moves))

    state, role = machine.initial_state(), machine.roles[0]
    search = MctsSearch(machine, state, role, random.Random(seed))
    result = search_until(search, Deadline.never(), rounds)

    truth = {move: value(place) for move, place in moves.items()}
    for each in result.moves:
        assert each.lower - 1e-9 <= truth[str(each.move)] <= each.upper + 1e-9


@pytest.mark.parametrize("rounds", ROUNDS)
@pytest.mark.parametrize("seed", range(8))
def test_the_bounds_of_greedy_hold_the_true_value_and_meet_in_the_end(
    seed: int, rounds: int
) -> None:
    """At any time for every move; when nothing is left to search, the move is the best."""
    moves = random_moves(seed)
    machine = GameTreeMachine(ROLES, decision("max", **moves))

    search = GreedySearch(machine, machine.initial_state(), machine.roles[0])
    result = search_until(search, Deadline.never(), rounds)

    truth = {move: value(place) for move, place in moves.items()}
    for each in result.moves:
        assert each.lower - 1e-9 <= truth[str(each.move)] <= each.upper + 1e-9
    if rounds == max(ROUNDS):
        assert truth[str(result.move)] == pytest.approx(max(truth.values()))
        assert result.value == pytest.approx(max(truth.values()))
