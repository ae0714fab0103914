"""Searching for a plan on lanes: it finds what plain search finds, proves it, and follows it."""

from __future__ import annotations

import random
from collections import deque
from functools import cache
from itertools import islice

import numpy as np
import pytest

import gdl
from ggp import games
from ggp.clock import Deadline
from ggp.search.core import repeat
from ggp.search.fast.puzzles.board import Board, can_search
from ggp.search.fast.puzzles.plan_search import Beam
from ggp.search.fast.puzzles.search import SingleAgentSearch, SingleAgentSettings
from ggp.search.fast.puzzles.store import GOAL
from tests.thorough import all_but

pytestmark = pytest.mark.usefixtures("kernels")

NEVER = Deadline.never()
ROUNDS = 5000
MEBIBYTE = 1 << 20
SMALL = SingleAgentSettings(memory=64 * MEBIBYTE)

# A place is worth what `worth` says, and a clock ends the game after three moves: then one is at c
# only if one went round by b, and e is too far away.
ROUND = """
(role me) (init (at a)) (init (step 0))
(edge a b) (edge b c) (edge a c) (edge c d) (edge d a) (edge b a)
(edge d f) (edge f e) (worth e 100) (worth f 0)
(succ 0 1) (succ 1 2) (succ 2 3) (worth a 10) (worth b 20) (worth c 90) (worth d 0)
(<= (legal me (go ?y)) (true (at ?x)) (edge ?x ?y))
(<= (next (at ?y)) (does me (go ?y)))
(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
(<= terminal (true (step 3)))
(<= (goal me ?v) (true (at ?x)) (worth ?x ?v))
"""


def random_puzzle(seed: int) -> str:
    """Places with roads between them, some of them ends; by turns with a clock of some kind."""
    rng = random.Random(seed)
    num = rng.randint(5, 9)
    lines = ["(role me) (init (at p0))"]
    for place in range(num):
        targets = rng.sample(range(num), rng.randint(1, 3))
        lines += [f"(road p{place} p{target})" for target in targets]
        lines.append(f"(worth p{place} {rng.choice([0, 10, 20, 50, 70, 80, 100])})")
    lines += [f"(end p{place})" for place in range(1, num) if rng.random() < 0.3]
    lines.append("""
    (<= (legal me (go ?y)) (true (at ?x)) (road ?x ?y))
    (<= (legal me wait) (true (at p1)))
    (<= (next (at ?y)) (does me (go ?y)))
    (<= (next (at ?x)) (does me wait) (true (at ?x)))
    (<= (next (was ?x)) (true (at ?x))) (<= (next (was ?x)) (true (was ?x)))
    (<= terminal (true (at ?x)) (end ?x))""")
    seen = "(true (was p2))" if rng.random() < 0.5 else ""
    lines.append(f"(<= (goal me ?v) (true (at ?x)) (worth ?x ?v) {seen})")
    if seed % 3:
        last = rng.randint(3, 7)
        lines.append("(init (step 0)) (<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))")
        lines += [f"(succ {n} {n + 1})" for n in range(last)]
        lines.append(f"(<= terminal (true (step {last})))")
    if seed % 3 == 2:
        lines.append("(<= (legal me rest) (true (at ?x)) (true (step 2)))")
    return "\n".join(lines)


def rules_of(name: str) -> str:
    """A bundled game, a random puzzle by its number, or the one above."""
    if name == "round":
        return ROUND
    return random_puzzle(int(name)) if name.isdigit() else games.text(name)


@cache
def machine_of(name: str) -> gdl.Game:
    """The compiled game."""
    return gdl.load(rules_of(name), "lanes")


def best_by_hand(name: str) -> tuple[int, int] | None:
    """The best goal, and the fewest moves to it, by the plainest search on the plain reading."""
    machine = gdl.load(rules_of(name), "interpreter")
    role = machine.roles[0]
    first = machine.initial_state()
    known, queue = {first}, deque([(first, 0)])
    best: tuple[int, int] | None = None
    while queue:
        state, plies = queue.popleft()
        if machine.is_terminal(state):
            goal = machine.goal(state, role)
            best = (goal, plies) if best is None or goal > best[0] else best
            continue
        for move in machine.legal_moves(state, role):
            after = machine.next_state(state, (move,))
            if after not in known:
                known.add(after)
                queue.append((after, plies + 1))
    return best


def searched(name: str, settings: SingleAgentSettings = SMALL) -> SingleAgentSearch:
    """A search of a game from its first state, until it has nothing left to do."""
    machine = machine_of(name)
    search = SingleAgentSearch(machine, machine.initial_state(), seed=1, settings=settings)
    repeat(search.step, NEVER, rounds=ROUNDS)
    return search


def goal_of(name: str, search: SingleAgentSearch) -> int:
    """The goal at the end of the plan, played on the plain reading of the rules."""
    machine = gdl.load(rules_of(name), "interpreter")
    assert search.best_line is not None
    state = machine.initial_state()
    for joint in search.best_line.moves:
        assert not machine.is_terminal(state)
        assert joint[0] in machine.legal_moves(state, machine.roles[0])
        state = machine.next_state(state, joint)
    assert machine.is_terminal(state)
    return machine.goal(state, machine.roles[0])


@pytest.mark.parametrize("name", all_but(["round", "0", "1"], ["round", *map(str, range(12))]))
def test_the_best_goal_is_found_and_proven(name: str) -> None:
    """As plain search finds it, with a clock or without; and the plan keeps its promise."""
    expected = best_by_hand(name)

    search = searched(name)

    if expected is None:
        assert search.best_line is None
    else:
        assert search.best_line is not None
        assert search.best_line.goal == expected[0] == goal_of(name, search)
        assert search.is_proven
        assert search.is_decided
        assert len(search.best_line.moves) >= expected[1]
        assert not search.is_shortest or len(search.best_line.moves) == expected[1]


@pytest.mark.parametrize(
    ("name", "num_moves"),
    [
        ("eightPuzzle", 8),
        ("lightsOut", 4),
        ("towersOfHanoi", 7),
        ("maze", 10),
        pytest.param("knightsTour", 24, marks=pytest.mark.thorough),
    ],
)
def test_bundled_puzzles_are_solved_in_the_fewest_moves(name: str, num_moves: int) -> None:
    """The number of moves is the one that the rulesheet's own comment claims."""
    search = searched(name)

    result = search.result()
    assert (result.lower, result.upper) == (100, 100)
    assert len(result.line) == num_moves
    assert goal_of(name, search) == 100


def test_the_plan_is_followed_and_forgotten_when_left() -> None:
    """On the plan its rest is the plan, and is proven still; off it another one is looked for."""
    machine = machine_of("eightPuzzle")
    on, off = searched("eightPuzzle"), searched("eightPuzzle")
    state = machine.initial_state()
    assert on.best_line is not None
    first = on.best_line.moves[0]
    aside = next(m for m in machine.legal_moves(state, machine.roles[0]) if m is not first[0])

    on.advance(first, machine.next_state(state, first))
    off.advance((aside,), machine.next_state(state, (aside,)))

    assert on.is_decided
    assert len(on.best_line.moves) == 7
    assert not off.is_decided
    repeat(off.step, NEVER, rounds=ROUNDS)
    assert off.best_line is not None
    assert (off.best_line.goal, len(off.best_line.moves)) == (100, 9)


def test_a_plan_is_played_to_its_end() -> None:
    """A search that follows the game from the first move to the last gets what it promised."""
    machine = machine_of("towersOfHanoi")
    state = machine.initial_state()
    search = searched("towersOfHanoi")
    while not machine.is_terminal(state):
        joint = (search.result().move,)
        state = machine.next_state(state, joint)
        search.advance(joint, state)

    assert machine.goal(state, machine.roles[0]) == 100
    assert not search.step(NEVER)


def test_a_step_that_comes_too_late_does_one_batch() -> None:
    """So a step can last no longer than a batch after the deadline."""
    machine = machine_of("knightsTour")
    search = SingleAgentSearch(machine, machine.initial_state(), seed=1, settings=SMALL)
    over = Deadline.after(0)
    before = 0
    for _ in range(30):
        search.step(over)
        assert search.effort.num_iterations - before <= 512
        before = search.effort.num_iterations


def test_memory_is_bounded_and_the_search_goes_on() -> None:
    """With room for a few thousand states only, the narrow searches still find a way to an end."""
    machine = machine_of("knightsTour")
    settings = SingleAgentSettings(memory=MEBIBYTE)
    search = SingleAgentSearch(machine, machine.initial_state(), seed=1, settings=settings)
    most = 0
    for _ in range(300):
        search.step(NEVER)
        most = max(most, search.effort.num_nodes)

    assert most * 8 * 2 < MEBIBYTE
    assert search.best_line is not None


def test_before_any_step_there_is_a_move() -> None:
    """Whoever asks at once gets a legal one."""
    machine = machine_of("lightsOut")
    state = machine.initial_state()

    result = SingleAgentSearch(machine, state, seed=1, settings=SMALL).result()

    assert result.move in machine.legal_moves(state, machine.roles[0])


def test_games_for_several_are_not_searched() -> None:
    """Nor are games that are not compiled."""
    assert not can_search(machine_of("ticTacToe"))
    assert not can_search(gdl.load(ROUND, "interpreter"))


def test_an_end_that_all_reach_at_once_is_seen() -> None:
    """A beam sees its last level too where every way ends after as many moves."""
    machine = machine_of("round")
    state = machine.initial_state()
    board = Board(machine, seed=1)
    rng = np.random.default_rng(1)
    beam = Beam(board, board.pack(state), 0, MEBIBYTE, horizon=10, rng=rng)

    seen = {int(beam.ends.counters[GOAL]) for _ in islice(beam.batches, 20)}

    assert max(seen) == 90


def test_a_game_without_facts_of_a_state_is_searched() -> None:
    """There is one state only, and nothing to be far from."""
    rules = "(role me) (legal me stay) (legal me go) (goal me 50) (<= terminal (true never))"
    machine = gdl.load(rules, "lanes")
    search = SingleAgentSearch(machine, machine.initial_state(), seed=1, settings=SMALL)

    repeat(search.step, NEVER, rounds=100)

    assert search.best_line is None
    assert search.result().move in machine.legal_moves(machine.initial_state(), machine.roles[0])
