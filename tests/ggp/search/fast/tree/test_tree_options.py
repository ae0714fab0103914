"""Options of the tree on lanes: what each changes, and what none may change."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

import gdl
from ggp.search.fast.lanes import LaneSettings
from ggp.search.fast.tree.leaf_values import LeafValues
from ggp.search.fast.tree.search import LaneSearch
from tests.ggp.search.fast.tree.test_search import MEBIBYTE, machine_of, run, search_in
from tests.thorough import all_but

pytestmark = pytest.mark.usefixtures("kernels")

OPTIONS: dict[str, dict[str, object]] = {
    "no decisive moves": {"decisive_moves": False},
    "small batches": {"leaves": 8},
}
NAMES = all_but(["no decisive moves"], OPTIONS)


def settings_with(**fields: object) -> LaneSettings:
    """Small settings with some fields changed."""
    return LaneSettings(memory=64 * MEBIBYTE, **fields)  # type: ignore[arg-type]  # by name


@pytest.mark.parametrize("name", NAMES)
def test_a_small_game_is_solved_with_each_option(name: str) -> None:
    """What is proven does not depend on what is looked at first."""
    plies = ("(mark 2 2),noop", "noop,(mark 1 1)")
    result = run(search_in("ticTacToe", *plies, settings=settings_with(**OPTIONS[name])), 5000)

    assert (result.lower, result.upper) == (50, 50)


@pytest.mark.parametrize("name", NAMES)
def test_simultaneous_moves_with_each_option(name: str) -> None:
    """Several deciders, no key edges: values stay in range, all moves are looked at."""
    result = run(search_in("goofspiel", settings=settings_with(**OPTIONS[name])), 60)

    assert 0 <= result.value <= 100
    assert all(move.visits for move in result.moves)


@pytest.mark.parametrize("name", NAMES)
def test_trees_with_options_are_kept(name: str) -> None:
    """After a move the subtree stands as it was, and the search goes on."""
    search = search_in("connectFour", settings=settings_with(**OPTIONS[name]))
    before = run(search, 60)

    joint = before.line[0]
    search.advance(joint, machine_of("connectFour").next_state(search.state, joint))

    assert search.result().visits > 0.9 * before.moves[0].visits
    assert run(search, 10).visits > before.moves[0].visits


# --- The seam for an evaluation -----------------------------------------------------------------


class Flat:
    """Says that every state is worth the same."""

    def __init__(self, share: float, value: float) -> None:
        self.share = share
        self._value = value

    def values(self, states: NDArray[np.uint64], phase: int) -> NDArray[np.float64]:
        return np.full((len(states), 2), self._value)


@pytest.mark.parametrize("share", [0.5, 1.0])
def test_leaf_values_take_their_share(share: float) -> None:
    """With random playouts worth about 55 for the first role, 80 draws the value towards it."""
    judge: LeafValues = Flat(share, 80.0)
    machine = machine_of("connectFour")
    search = LaneSearch(
        machine, machine.initial_state(), machine.roles[0], 1, settings_with(), judge
    )

    result = run(search, 10)

    assert result.value == pytest.approx(share * 80 + (1 - share) * 55, abs=7)
    assert (search.num_playouts == 0) == (share == 1)


def test_ends_count_with_their_true_goals_whatever_leaf_values_say() -> None:
    """They are told about states that are over, too, and are not listened to."""
    machine = machine_of("trap")
    search = LaneSearch(
        machine, machine.initial_state(), machine.roles[0], 1, settings_with(), Flat(1.0, 10.0)
    )

    result = run(search, 20)

    assert str(result.move) == "c"
    assert result.lower == 100


class Counting:
    """Says that a state is worth more to the first role the more bits of it are set, and counts."""

    share = 1.0

    def __init__(self) -> None:
        self.num = 0

    def values(self, states: NDArray[np.uint64], phase: int) -> NDArray[np.float64]:
        self.num += len(states)
        worth = 20.0 + np.bitwise_count(states).sum(1)
        return np.stack([worth, 100.0 - worth], axis=1)


@pytest.mark.parametrize("name", ["ticTacToe", "connectFour"])
def test_child_values_choose_the_moves_of_new_nodes(name: str) -> None:
    """All moves are valued, none is played out, and a game that is small is solved as ever."""
    machine, judge = machine_of(name), Counting()
    settings = settings_with(child_values=True)
    search = LaneSearch(machine, machine.initial_state(), machine.roles[0], 1, settings, judge)

    result = run(search, 20)

    assert search.num_playouts == 0
    assert judge.num > 3 * search.effort.num_iterations > 0
    assert result.visits > 0


def test_the_prior_of_a_move_is_that_of_the_best_answer() -> None:
    """What child values say is backed up as minimax, besides the mean."""
    machine = machine_of("connectFour")
    settings = settings_with(child_values=True)
    search = LaneSearch(machine, machine.initial_state(), machine.roles[0], 1, settings, Counting())
    run(search, 30)
    pool, root = search._pool, search._root  # what is backed up stands nowhere else

    edges = range(pool.first_edges[root, 0], pool.first_edges[root, 1])
    children = [int(pool.children[edge]) for edge in edges]
    answers = [
        pool.priors[pool.first_edges[child, 1] : pool.first_edges[child, 2]].max()
        for child in children
    ]

    assert len(edges) == 7
    assert min(children) >= 0
    assert [float(pool.priors[edge]) for edge in edges] == pytest.approx(
        [100 - float(answer) for answer in answers]
    )


def test_child_values_may_be_mixed_with_playouts() -> None:
    """Half of the value is what playouts bring then."""
    machine = machine_of("connectFour")
    settings = settings_with(child_values=True)
    search = LaneSearch(
        machine, machine.initial_state(), machine.roles[0], 1, settings, Flat(0.5, 80.0)
    )

    result = run(search, 10)

    assert result.value == pytest.approx(67, abs=8)
    assert search.num_playouts > 0


def test_child_values_prove_what_playouts_do() -> None:
    """A misleading evaluation delays a proof, and does not change it."""
    plies = ("(mark 2 2),noop", "noop,(mark 1 1)")
    machine = machine_of("ticTacToe")
    search = search_in("ticTacToe", *plies)
    settings = settings_with(child_values=True)
    search = LaneSearch(machine, search.state, machine.roles[0], 1, settings, Counting())

    result = run(search, 5000)

    assert (result.lower, result.upper) == (50, 50)


def test_moves_that_promise_nothing_are_not_looked_at() -> None:
    """With values of all children, rounds go where these are best."""

    class Column:
        """Likes a stone of white at the bottom of the first column."""

        share = 1.0

        def __init__(self) -> None:
            role = machine_of("connectFour").roles[0]
            facts = [gdl.read_term(f"(cell 1 1 {role})", gdl.read_kif(""))]
            simulator = machine_of("connectFour").simulator
            assert simulator is not None
            self._wanted = simulator.expander().pack(facts)

        def values(self, states: NDArray[np.uint64], phase: int) -> NDArray[np.float64]:
            found = 20.0 + 60.0 * ((states & self._wanted) == self._wanted).all(axis=1)
            return np.stack([found, 100.0 - found], axis=1)

    machine = machine_of("connectFour")
    settings = settings_with(child_values=True)
    judge: LeafValues = Column()
    search = LaneSearch(machine, machine.initial_state(), machine.roles[0], 1, settings, judge)

    result = run(search, 5)

    assert str(result.move) == "(drop 1)"
    assert result.moves[0].visits > 4 * result.moves[1].visits
