"""Decisive moves in the tree: what is decided before it is on the board."""

from __future__ import annotations

import threading
from dataclasses import replace

import pytest

import gdl
from ggp import games
from ggp.clock import Deadline
from ggp.search.core.search import search_until
from ggp.search.fast.lanes import LaneSettings
from ggp.search.fast.tree.search import LaneSearch
from tests.ggp.search.fast.tree.test_search import MEBIBYTE, run, search_in

pytestmark = pytest.mark.usefixtures("kernels")

SEEING = LaneSettings(memory=64 * MEBIBYTE, rounds=1, state_graph=False)
BLIND = replace(SEEING, rounds=0, decisive_moves=False, goal_bounds=False)


def test_answers_that_lose_are_proven_with_one_visit_each() -> None:
    """In ticTacToe x threatens its first row: one batch proves that o must take the third cell."""
    plies = ("(mark 1 1),noop", "noop,(mark 2 2)", "(mark 1 2),noop")
    proven = []
    for settings in (SEEING, BLIND):
        search = search_in("ticTacToe", *plies, role=1, settings=settings)
        search.step(Deadline.never())
        proven.append({str(each.move) for each in search.result().moves if each.upper == 0})

    assert len(proven[0]) == 5
    assert "(mark 1 3)" not in proven[0]
    assert proven[1] < proven[0]


def test_a_root_that_is_decided_is_searched_for_the_move() -> None:
    """The third cell of its row wins for x: that it wins is known before, but not how."""
    plies = ("(mark 1 1),noop", "noop,(mark 2 2)", "(mark 1 2),noop", "noop,(mark 3 3)")
    search = search_in("ticTacToe", *plies, settings=SEEING)
    search.step(Deadline.never())
    result = search.result()

    assert str(result.move) == "(mark 1 3)"
    assert (result.lower, result.upper) == (100, 100)
    assert search.is_decided


def test_lengths_count_what_is_foreseen() -> None:
    """Two open ends of three in a row: red moves there, and wins with its next move but one."""
    drops = ("(drop 3),noop", "noop,(drop 3)", "(drop 4),noop", "noop,(drop 4)")
    result = run(search_in("connectFour", *drops, settings=SEEING), 400)
    best = result.moves[0]

    assert (result.lower, str(best.move)) in {(100, "(drop 2)"), (100, "(drop 5)")}
    assert best.length == 3


def test_a_match_is_won_after_moves_that_were_decided() -> None:
    """The subtree is kept; each root finds its move again, to the end."""
    drops = ("(drop 3),noop", "noop,(drop 3)", "(drop 4),noop", "noop,(drop 4)")
    search = search_in("connectFour", *drops, settings=SEEING)
    machine, plies = search.game, 0
    while not machine.is_terminal(search.state):
        result = run(search, 200)
        joint = result.line[0]
        search.advance(joint, machine.next_state(search.state, joint))
        plies += 1
        if plies % 2 == 1 and not machine.is_terminal(search.state):
            assert (result.lower, result.upper) == (100, 100)
            search.step(Deadline.never())
            legal = [machine.legal_moves(search.state, role)[0] for role in machine.roles]
            search.advance(tuple(legal), machine.next_state(search.state, tuple(legal)))
            plies += 1

    assert machine.goal(search.state, machine.roles[0]) == 100
    assert plies == 3


def test_what_comes_late_costs_nothing_of_the_tree() -> None:
    """It is made elsewhere, and taken over between two steps."""
    rules = gdl.read_rules(games.text("connectFour"))
    compiled, is_made = gdl.compile_rules(rules), threading.Event()

    def make(name: gdl.Extra) -> bytes | None:
        is_made.wait(60)
        return compiled.packed_extra(name)

    game = gdl.load_compiled(rules, "lanes", compiled.to_bytes(), make_extra=make)
    settings = LaneSettings(memory=64 * MEBIBYTE)
    search = LaneSearch(game, game.initial_state(), game.roles[0], 1, settings)
    decisive = search._decisive_moves
    assert decisive is not None
    before = run(search, 40)
    visits = {each.move: each.visits for each in before.moves}
    num_nodes = search.effort.num_nodes
    was_blind = decisive.expander is None
    is_made.set()
    decisive.wait()
    after = run(search, 1)

    assert was_blind
    assert decisive.expander
    assert after.visits > before.visits
    assert all(each.visits >= visits[each.move] for each in after.moves)
    assert search.effort.num_nodes >= num_nodes


def test_a_win_in_one_is_found_without_time() -> None:
    """A new tree at the very end of a turn makes one step."""
    plies = ("(mark 1 1),noop", "noop,(mark 2 2)", "(mark 1 2),noop", "noop,(mark 3 3)")
    search = search_in("ticTacToe", *plies, settings=BLIND)

    assert str(search_until(search, Deadline.after(-1)).move) == "(mark 1 3)"
