"""Parts of a game are searched apart, and what is said of the whole is so."""

from __future__ import annotations

import random
from collections import deque
from itertools import product

import pytest

import gdl
from ggp import games
from ggp.clock import Deadline
from ggp.search.core import repeat
from ggp.search.fast.puzzles.decomposition import DecomposedSearch
from ggp.search.fast.puzzles.search import SingleAgentSearch, SingleAgentSettings
from tests.shared import require
from tests.thorough import all_but

pytestmark = pytest.mark.usefixtures("kernels")

NEVER = Deadline.never()
ROUNDS = 2000
SMALL = SingleAgentSettings(memory=64 << 20, apart=False)

NUM_SEEDS = 24
NUM_QUICK = 4


def random_rings(seed: int) -> str:
    """Two rings of places with roads between them, walked on by turns or both at a time.

    What the goals ask of the rings, what ends the game, and whether one may stay are left to
    chance; so some cannot be won, and in some the game ends as soon as one ring is done.
    """
    rng = random.Random(seed)
    at_once = seed % 2 == 0
    lines = ["(role me) (ring a) (ring b) (init (at a 0)) (init (at b 0)) (init (step 0))"]
    for ring in "ab":
        for place, other in product(range(4), range(4)):
            if rng.random() < 0.4 or other == place + 1:
                lines.append(f"(road {ring} {place} {other})")
        lines.append(f"(home {ring} {rng.randint(1, 4)})")  # there is no way to place 4
    lines += [f"(succ {n} {n + 1})" for n in range(12)]
    lines.append("(<= (home ?r) (true (at ?r ?x)) (home ?r ?x))")
    if at_once:
        stay = "(<= (can ?r stay) (ring ?r))" if rng.random() < 0.6 else ""
        lines.append(f"""
        (<= (can ?r ?y) (true (at ?r ?x)) (road ?r ?x ?y)) {stay}
        (<= (legal me (both ?x ?y)) (can a ?x) (can b ?y))
        (<= (goes a ?x) (does me (both ?x ?y))) (<= (goes b ?y) (does me (both ?x ?y)))
        (<= (next (at ?r ?x)) (goes ?r ?x) (distinct ?x stay))
        (<= (next (at ?r ?x)) (true (at ?r ?x)) (goes ?r stay))""")
    else:
        lines.append("""
        (<= (legal me (go ?r ?y)) (true (at ?r ?x)) (road ?r ?x ?y))
        (<= (next (at ?r ?y)) (does me (go ?r ?y)))
        (<= (next (at ?r ?x)) (true (at ?r ?x)) (does me (go ?s ?y)) (distinct ?r ?s))""")
    lines.append(rng.choice(["(<= terminal (home a) (home b))", "(<= terminal (home b))", ""]))
    lines.append(f"""
    (<= (next (step ?n)) (true (step ?m)) (succ ?m ?n)) (<= terminal (true (step {seed % 9 + 2})))
    (<= (goal me 100) (home a) (home b)) (<= (goal me 70) (home a) (not (home b)))
    (<= (goal me {rng.choice([10, 80])}) (not (home a)) (home b))
    (<= (goal me 0) (not (home a)) (not (home b)))""")
    return "\n".join(lines)


def ends_by_hand(rules: str) -> dict[int, int]:
    """The fewest moves to each goal that can be reached, by the plainest search there is."""
    machine = gdl.load(rules, "interpreter")
    role = machine.roles[0]
    first = machine.initial_state()
    known, queue, found = {first}, deque([(first, 0)]), dict[int, int]()
    while queue:
        state, plies = queue.popleft()
        if machine.is_terminal(state):
            found.setdefault(machine.goal(state, role), plies)
            continue
        for move in machine.legal_moves(state, role):
            after = machine.next_state(state, (move,))
            if after not in known:
                known.add(after)
                queue.append((after, plies + 1))
    return found


def apart(machine: gdl.Game, state: gdl.State | None = None) -> DecomposedSearch:
    """A search of the parts alone, until it has nothing left to do."""

    def new_search(part: gdl.Game, its_state: gdl.State) -> SingleAgentSearch:
        return SingleAgentSearch(part, its_state, 1, SMALL)

    start = machine.initial_state() if state is None else state
    search = DecomposedSearch(machine, start, new_search, horizon=100)
    repeat(search.step, NEVER, rounds=ROUNDS)
    return search


def goal_of(rules: str, search: DecomposedSearch) -> int:
    """The goal at the end of the line, played on the plain reading of the rules."""
    assert search.line is not None
    machine = gdl.load(rules, "interpreter")
    state = machine.initial_state()
    for joint in search.line.moves:
        assert joint[0] in machine.legal_moves(state, machine.roles[0])
        state = machine.next_state(state, joint)
    assert machine.is_terminal(state)
    return machine.goal(state, machine.roles[0])


@pytest.mark.parametrize("seed", all_but(range(NUM_QUICK), range(NUM_SEEDS)))
def test_what_is_said_of_random_rings_is_so(seed: int) -> None:
    """No end is better or nearer than was said, and the line ends with its goal."""
    rules = random_rings(seed)
    expected = ends_by_hand(rules)

    search = apart(gdl.load(rules, "lanes"))

    assert max(expected, default=0) <= search.upper
    assert expected.get(int(search.upper), 1 << 30) >= search.fewest
    if search.line is not None:
        assert goal_of(rules, search) == search.line.goal
        assert len(search.line.moves) >= expected[int(search.line.goal)]


def test_most_random_rings_are_solved_by_their_parts() -> None:
    """The test above would say nothing if no line were ever found."""
    solved = 0
    for seed in range(NUM_QUICK):
        search = apart(gdl.load(random_rings(seed), "lanes"))
        solved += search.is_line_the_shortest

    assert solved >= NUM_QUICK // 3


@pytest.mark.parametrize(("name", "num_moves"), [("twinTiles", 38), ("twinWheels", 9)])
def test_two_boards_are_solved_by_their_parts(name: str, num_moves: int) -> None:
    """In the fewest moves, which is proven, after few states; the rulesheet says how many."""
    search = apart(gdl.load(games.text(name), "lanes"))

    assert search.is_line_the_shortest
    assert search.line is not None
    assert (search.line.goal, len(search.line.moves)) == (100, num_moves)
    assert goal_of(games.text(name), search) == 100


@pytest.mark.parametrize(
    ("name", "num_moves"),
    [
        pytest.param("asteroidsParallel", 10, marks=pytest.mark.thorough),
        ("dresden_SOBOTKA_S_3359145294", 13),
    ],
)
def test_games_of_others_are_solved_by_their_parts(name: str, num_moves: int) -> None:
    """A game of pairs of moves, and one of single moves."""
    rules = require("corpus", "rules", f"{name}.kif").read_text()

    search = apart(gdl.load(rules, "lanes"))

    assert search.is_line_the_shortest
    assert search.line is not None
    assert len(search.line.moves) == num_moves
    assert goal_of(rules, search) == 100


@pytest.mark.parametrize("name", all_but(["twinWheels"], ["twinTiles", "twinWheels"]))
def test_the_plan_is_followed_move_by_move(name: str) -> None:
    """A search of the whole takes over what its parts have found, and keeps it to the end."""
    machine = gdl.load(games.text(name), "lanes")
    search = SingleAgentSearch(machine, machine.initial_state(), seed=1)
    repeat(search.step, NEVER, rounds=ROUNDS)

    assert search.is_proven
    assert search.is_decided
    state = machine.initial_state()
    while not machine.is_terminal(state):
        joint = (search.result().move,)
        state = machine.next_state(state, joint)
        search.advance(joint, state)
    assert machine.goal(state, machine.roles[0]) == 100


def test_a_plan_of_the_middle_of_a_game_is_as_short_as_what_is_left() -> None:
    """The board with fewer turns to make rests once, and the other one never."""
    machine = gdl.load(games.text("twinWheels"), "lanes")
    line = apart(machine).line
    assert line is not None
    assert sum("rest" in str(joint[0]) for joint in line.moves) == 1

    state = machine.initial_state()
    for joint in line.moves[:3]:
        state = machine.next_state(state, joint)
    assert apart(machine, state).fewest == 6
