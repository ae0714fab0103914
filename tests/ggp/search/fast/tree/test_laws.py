"""Laws of the search on lanes: proofs are true, counts add up; judged by the textbook."""

from __future__ import annotations

from contextlib import suppress

import pytest

import gdl
from ggp.search.core.choices import TurnUnknownError
from ggp.search.fast.tree.nodes import OPEN, STUCK
from ggp.search.fast.tree.search import LaneSearch
from ggp.search.kernels.arrays import NONE
from tests.ggp.search.fast.tree.places import FORMS, shown
from tests.ggp.search.fast.tree.textbook import Textbook
from tests.ggp.search.fast.tree.walk import nodes_of, random_game, searched
from tests.thorough import all_but

pytestmark = pytest.mark.usefixtures("kernels")

SEEDS = all_but([0], range(2))
STEPS = (1, 20)
EXACT = 0.01  # bounds of averages are kept in 32 bits, and rounded while they are not exact

SHARED = [name for name, form in FORMS.items() if form.is_shared and not form.stuck]
IN_TURNS = [name for name, form in FORMS.items() if not (form.together or form.circles)]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("form", shown())
def test_what_a_role_is_sure_of_it_can_force(form: str, seed: int) -> None:
    """In every node, for every role, whatever the others do, at any time of the search."""
    machine, book = random_game(form, seed)
    forced = [book.forced(role) for role in range(len(machine.roles))]

    for steps in STEPS:
        search = searched(machine, steps)

        for node, state in nodes_of(search, book):
            if search._pool.kinds[node] == STUCK:
                continue
            for role, values in enumerate(forced):
                assert search._pool.lower[node, role] <= values[state] + EXACT
                assert search._pool.upper[node, role] >= values[state] - EXACT


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("form", shown(SHARED))
def test_where_goals_are_shared_out_the_bounds_hold_the_value(form: str, seed: int) -> None:
    """The value of minimax, of expectimax, and of mixed play where both decide at once.

    In circles it is the value at least whichever role likes it best to go round for ever.
    """
    machine, book = random_game(form, seed)
    least, most = book.fair(endless=0), book.fair(endless=100)

    for steps in STEPS:
        search = searched(machine, steps)

        for node, state in nodes_of(search, book):
            lower, upper = search._pool.lower[node], search._pool.upper[node]
            assert lower[0] - EXACT <= most[state]
            assert upper[0] + EXACT >= least[state]
            assert lower[1] - EXACT <= 100 - least[state]
            assert upper[1] + EXACT >= 100 - most[state]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("form", shown(name for name in IN_TURNS if name != "stuck"))
def test_who_plays_against_satisfied_players_cannot_pass_the_upper_bound(
    form: str, seed: int
) -> None:
    """Each role takes its own best, and of several such moves the one worst for who is asked."""
    machine, book = random_game(form, seed)
    selfish = [book.selfish(role) for role in range(len(machine.roles))]

    for steps in STEPS:
        search = searched(machine, steps)

        for node, state in nodes_of(search, book):
            for role, values in enumerate(selfish):
                assert search._pool.upper[node, role] >= values[state] - EXACT


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("form", shown())
def test_each_visit_is_one_move_of_who_decides(form: str, seed: int) -> None:
    """Also where several paths meet, and where they run in circles; none is under way for ever."""
    machine, book = random_game(form, seed)
    search = searched(machine, 20)
    pool = search._pool

    for node, _ in nodes_of(search, book):
        if pool.kinds[node] != OPEN:
            continue
        decider = pool.deciders[node]
        for role in range(len(machine.roles)) if decider == NONE else (decider,):
            first, last = pool.first_edges[node, role], pool.first_edges[node, role + 1]
            assert pool.counts[first:last].sum() == pool.visits[node]
            assert (pool.counts[first:last] == pool.done[first:last]).all()
    assert pool.visits[search._root] == search.effort.num_iterations


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("form", ["turns", "chance"])
def test_a_solved_game_is_played_without_a_mistake(form: str, seed: int) -> None:
    """From every state the value is found, and the move keeps it."""
    machine, book = random_game(form, seed)
    value = book.fair()

    for state, place in book.places.items():
        search = search_from(machine, book, state, role=0)
        if search is None:
            continue
        result = search.result()
        after = place.answers(0, result.move)[0]

        assert result.lower == pytest.approx(value[state])
        assert result.upper == pytest.approx(value[state])
        assert value[after] == pytest.approx(value[state])


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("form", ["turns", "circles"])
def test_who_loses_holds_out(form: str, seed: int) -> None:
    """Of moves that lose the one after which the win takes the opponent the most plies."""
    machine, book = random_game(form, seed)
    wins = book.plies_to_win(1)

    for state in wins:
        search = search_from(machine, book, state, role=0)
        if search is None:
            continue
        result = search.result()
        after = [wins[each] for each in book.places[state].after.values()]

        assert (result.lower, result.upper) == (0, 0)
        assert wins[book.places[state].answers(0, result.move)[0]] == max(after)


@pytest.mark.parametrize("seed", SEEDS)
def test_who_wins_gets_there_though_there_are_circles(seed: int) -> None:
    """A player that makes the best move from each state of a win reaches the end."""
    machine, book = random_game("circles", seed)
    wins = book.plies_to_win(0)

    for start in wins:
        state, plies = start, 0
        while book.places[state].after:
            search = search_from(machine, book, state, role=0)
            move = book.places[state].choices[0][0] if search is None else search.result().move
            # The opponent puts it off as long as it can.
            state = max(book.places[state].answers(0, move), key=lambda each: wins.get(each, 99))
            plies += 1
            assert state in wins
            assert plies < len(book.places)


def search_from(
    machine: gdl.Game, book: Textbook, state: gdl.State, role: int
) -> LaneSearch | None:
    """A search from where a role decides; None elsewhere, and where it is not told whose turn."""
    if book.places[state].deciders != [role]:
        return None
    with suppress(TurnUnknownError):
        return searched(machine, 20, machine.state_of(book.machine.facts(state)), role)
    return None
