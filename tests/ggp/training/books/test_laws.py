"""Books agree with search."""

from __future__ import annotations

import random
from itertools import product

import pytest

import gdl
from ggp.clock import Deadline
from ggp.search.core import repeat
from ggp.search.core.choices import choices_in, deciders_of
from ggp.search.evaluation.book.book import Book
from ggp.search.evaluation.evaluation import EvenEvaluation
from ggp.search.textbook.adversarial import alphabeta, minimax
from ggp.search.textbook.chance import expectiminimax
from ggp.search.textbook.mcts.search import MctsSearch
from ggp.training.books.building import BuildSettings, build
from tests.ggp.training.books.shelf import SOLVED, machine_of, partial, solved, states_of
from tests.thorough import all_but

pytestmark = pytest.mark.usefixtures("kernels")

NEVER = Deadline.never()
# A die is cast; then hold it, or cast again and keep what comes.
DICE = """
(role me) (role random) (face 1) (face 2) (face 6) (init (casts 0)) (init (shows 0))
(<= (legal random (cast ?n)) (face ?n) (not (true (asked))))
(<= (legal random noop) (true (asked)))
(<= (legal me hold) (true (asked))) (<= (legal me again) (true (asked)))
(<= (legal me noop) (not (true (asked))))
(<= (next (shows ?n)) (does random (cast ?n)))
(<= (next (shows ?n)) (true (shows ?n)) (does random noop))
(<= (next (asked)) (true (casts 0)) (not (true (asked))))
(<= (next (casts 1)) (does me again))
(<= (next (casts 2)) (true (casts 1)))
(<= (next (casts 2)) (does me hold))
(<= (next (casts 0)) (true (casts 0)) (not (true (asked))))
(<= terminal (true (casts 2)))
(<= (goal me 10) (true (shows 1))) (<= (goal me 20) (true (shows 2)))
(<= (goal me 60) (true (shows 6))) (<= (goal me 0) (true (shows 0))) (goal random 0)
"""
PARTIAL = ["connectFour", "threePlayerTicTacToe"]
QUICK = ["goofspiel", "nim", "threePlayerTicTacToe", "ticTacToe"]
# Minimax looks at every line: of moves in a state, so that there are few lines.
MAX_MOVES = {"chomp": 6, "connectFour": 4, "nim": 4, "threePlayerTicTacToe": 4, "ticTacToe": 5}


def book_of(name: str) -> Book:
    """The book of a game, of all of it if that is possible."""
    return solved(name) if name in SOLVED else partial(name)


def samples(name: str) -> list[gdl.State]:
    """Some states of a book, from which the end can be seen."""
    found = states_of(name, book_of(name), 6, MAX_MOVES.get(name, 99))
    assert found
    return found


@pytest.mark.parametrize("name", all_but(QUICK, [*SOLVED, *PARTIAL]))
def test_table_agrees_with_minimax(name: str) -> None:
    """The table has the value of a state that minimax finds by looking at all that follows."""
    machine, table = machine_of(name), book_of(name).endgame
    even = EvenEvaluation(machine)

    for state in samples(name):
        worth = table.look_up(machine, state)
        assert worth is not None
        for index, role in enumerate(machine.roles):
            found = minimax.search(machine, state, role, depth=None, evaluate=even, deadline=NEVER)
            assert found.is_complete
            assert found.value == worth.values[index]


@pytest.mark.parametrize("name", all_but(["nim"], ["nim", "ticTacToe", "connectFour"]))
def test_advice_is_worth_what_alphabeta_finds(name: str) -> None:
    """The move of the book is one that alpha-beta finds to be best, and has its value."""
    machine, book, even = machine_of(name), book_of(name), EvenEvaluation(machine_of(name))

    for state in samples(name):
        role = machine.control(state)
        assert role is not None
        advice = book.advise(machine, state, role)
        found = alphabeta.search(machine, state, role, depth=None, evaluate=even, deadline=NEVER)
        assert advice is not None
        assert (advice.source, advice.result.value) == ("endgame", found.value)


@pytest.mark.parametrize(
    "name", all_but(["ticTacToe"], ["chomp", "ticTacToe", "threePlayerTicTacToe"])
)
def test_table_agrees_with_what_monte_carlo_search_proves(name: str) -> None:
    """Value, and the number of plies where one role wins."""
    machine, table = machine_of(name), book_of(name).endgame

    for state in samples(name):
        worth = table.look_up(machine, state)
        assert worth is not None
        [decider] = deciders_of(tuple(machine.legal_moves(state, r) for r in machine.roles)) or [0]
        search = MctsSearch(machine, state, machine.roles[decider], random.Random(1))
        repeat(search.step, NEVER, 3000)
        result = search.result()
        if search.root.is_solved:
            assert result.value == worth.values[decider]
            assert result.length == worth.length or result.value not in {0.0, 100.0}


def test_table_agrees_with_expectation_where_chance_decides() -> None:
    """A die counts by the mean of its faces, in every state of the game."""
    machine = gdl.load(DICE, "interpreter")
    book = build(machine, "dice", NEVER, BuildSettings())
    even, layer = EvenEvaluation(machine), {machine.initial_state()}

    while layer:
        for state in layer:
            worth = book.endgame.look_up(machine, state)
            found = expectiminimax.search(
                machine, state, machine.roles[0], depth=None, evaluate=even, deadline=NEVER
            )
            assert worth is not None
            assert found.value == pytest.approx(worth.values[0], abs=1e-4)
        layer = {
            after
            for state in layer
            for joint in product(*choices_in(machine, state))
            if not machine.is_terminal(after := machine.next_state(state, joint))
        }


def test_simultaneous_moves_are_valued_for_certain_only() -> None:
    """The upper bound of an advice stays open where another role decides at once."""
    machine, book = machine_of("goofspiel"), solved("goofspiel")

    advice = book.advise(machine, machine.initial_state(), machine.roles[0])

    assert advice is not None
    assert (advice.result.lower, advice.result.upper) == (0.0, 100.0)
