"""Every search that samples agrees with exhaustive search, once nothing is left to learn."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from typing import cast

import pytest

import gdl
from ggp.clock import Deadline
from ggp.search.core.result import SearchResult
from ggp.search.core.search import Search
from ggp.search.distributed.search import ClusterSearch, Machines
from ggp.search.distributed.tree_keeper import NO_EFFORT, Finding, Position
from ggp.search.evaluation.network.network import NetworkValues
from ggp.search.fast.lanes import BIASED, LaneSettings
from ggp.search.fast.tree.parallel import ParallelSearch
from ggp.search.fast.tree.search import LaneSearch
from ggp.search.textbook.mcts.search import MctsSearch
from tests.ggp.search.evaluation.network.random_networks import random_network
from tests.ggp.search.random_trees import RandomTree
from tests.thorough import all_but

pytestmark = pytest.mark.usefixtures("kernels")

SMALL = LaneSettings(memory=8 << 20, rounds=1, state_graph=False)
MAX_STEPS = 20_000
EXACT = 0.01

FORMS: dict[str, Callable[[int], RandomTree]] = {
    "fixed sum": lambda seed: RandomTree(seed, is_shared=True, long=0.3),
    "general sum": lambda seed: RandomTree(seed, is_shared=False, long=0.3),
    "general sum, deep": lambda seed: RandomTree(seed, is_shared=False, depth=5),
    "three roles": lambda seed: RandomTree(seed, num_roles=3, is_shared=False, long=0.3),
}
QUICK = [("fixed sum", 0), ("general sum", 0), ("three roles", 0)]
CASES = all_but(QUICK, [(form, seed) for form in FORMS for seed in range(6)], is_whole=True)


class OneMachine:
    """Another machine, which knows all that a search there has found in the end."""

    def __init__(self, position: Position, search: Search) -> None:
        self._finding = Finding(0, search.result(), search.effort, search.is_decided)
        self.position, self.findings, self.lost = position, (self._finding,), NO_EFFORT
        self.efforts = (self._finding.effort,)

    def go_on(self, deadline: float) -> None:
        """It has ended."""


def on_lanes(game: gdl.Game, seed: int = 1) -> LaneSearch:
    """One tree."""
    return LaneSearch(game, game.initial_state(), game.roles[0], seed, SMALL)


def with_a_graph(game: gdl.Game) -> LaneSearch:
    """A tree that also lists all states that can be reached."""
    settings = replace(SMALL, state_graph=True)
    return LaneSearch(game, game.initial_state(), game.roles[0], 1, settings)


def biased(game: gdl.Game) -> LaneSearch:
    """A tree that prefers moves that did well elsewhere."""
    settings = replace(SMALL, variant=BIASED)
    return LaneSearch(game, game.initial_state(), game.roles[0], 1, settings)


def with_a_network(game: gdl.Game) -> LaneSearch:
    """One that learned nothing, so that it is wrong about nearly everything."""
    settings, values = replace(SMALL, minimax=0.5), NetworkValues(random_network(game), game)
    return LaneSearch(game, game.initial_state(), game.roles[0], 1, settings, values)


def in_threads(game: gdl.Game) -> ParallelSearch:
    """Two trees that take one step each."""
    return ParallelSearch([on_lanes(game, seed) for seed in range(2)], slice_seconds=0)


def in_python(game: gdl.Game) -> MctsSearch:
    """The tree of objects."""
    return MctsSearch(game, game.initial_state(), game.roles[0], random.Random(1))


def on_machines(game: gdl.Game) -> ClusterSearch:
    """A tree here that knows little, and one elsewhere that knows all."""
    other = run(on_lanes(game))
    position = Position(0, game.facts(game.initial_state()))
    return ClusterSearch(in_python(game), game, cast(Machines, OneMachine(position, other)), 1)


def run(search: Search) -> Search:
    """Search until nothing is left to learn."""
    for _ in range(MAX_STEPS):
        if not search.step(Deadline.never()):
            return search
    raise AssertionError(f"the search goes on after {MAX_STEPS} steps")


@pytest.mark.parametrize(
    "make",
    [on_lanes, with_a_graph, biased, with_a_network, in_threads, in_python, on_machines],
)
@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_best_move_and_its_value_are_those_of_exhaustive_search(
    case: tuple[str, int], make: Callable[[gdl.Game], Search]
) -> None:
    """The claims about the other moves are true, too."""
    form, seed = case
    tree = FORMS[form](seed)

    result = run(make(gdl.load(tree.rules, "lanes"))).result()

    check(tree, result)
    assert result.is_settled


def check(tree: RandomTree, result: SearchResult) -> None:
    """Compare each move with what is known of the tree."""
    values = {f"(go {child.number})": child.values[0] for child in tree.root.children}
    assert values[str(result.move)] == max(values.values())
    assert result.value == pytest.approx(max(values.values()), abs=EXACT)
    for move in result.moves:
        low, high = move.limits
        assert low - EXACT <= values[str(move.move)] <= high + EXACT


STUCK_AFTER_GO = """
(role black) (role white) (init (step 1))
(<= (legal black stop) (true (step 1)))
(<= (legal black go) (true (step 1)))
(<= (legal white noop) (true (step 1)))
(<= (next (step 2)) (does black go))
(<= (next over) (does black stop))
(<= (legal black noop) (true (step 2)))
(<= terminal (true over))
(goal black 40) (goal white 60)
"""


def test_a_position_where_a_role_cannot_move_has_no_known_value() -> None:
    """It has no result, so no search may claim to know what it is worth."""
    search = run(on_lanes(gdl.load(STUCK_AFTER_GO, "lanes")))
    settled = {str(value.move): value.is_settled for value in search.result().moves}

    assert search.is_decided
    assert settled == {"stop": True, "go": False}
