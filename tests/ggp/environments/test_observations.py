"""Observations: planes against facts looked up by name, and the mover's point of view."""

from __future__ import annotations

import random
from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray

import gdl
from ggp.environments.encoding import CompiledEncoding
from ggp.environments.observations import Kind, Observation, View, make_observation
from ggp.environments.sample import sample_of
from ggp.environments.task import load_game
from tests.thorough import all_but

pytestmark = pytest.mark.usefixtures("kernels")

PLAIN = ["breakthrough", "connectFour", "eightPuzzle", "hex", "othello", "pacMan", "ticTacToe"]
"""Bundled games with one board, of `(cell COLUMN ROW CONTENT)`."""
SWAPPED = {
    "breakthrough": {"white": "black", "black": "white"},
    "connectFour": {"red": "yellow", "yellow": "red"},
    "ticTacToe": {"x": "o", "o": "x", "xplayer": "oplayer", "oplayer": "xplayer"},
}

# What both do at once belongs to nobody that could be told.
AT_ONCE = """
(role left) (role right) (index 1) (index 2) (index 3) (index 4) (kind dig) (kind dug)
(half left 1) (half left 2) (half right 3) (half right 4) (init (cell 1 1 dig))
(<= (filled ?x ?y) (true (cell ?x ?y ?k)))
(<= (legal ?r (put ?x ?y ?k)) (half ?r ?x) (index ?y) (kind ?k) (not (filled ?x ?y)))
(<= (legal ?r wait) (role ?r))
(<= (next (cell ?x ?y ?k)) (does ?r (put ?x ?y ?k)))
(<= (next (cell ?x ?y ?k)) (true (cell ?x ?y ?k)))
(<= (goal ?r 50) (role ?r)) (<= terminal (filled 4 4))
"""

# One has two kinds of things, the other one.
UNEVEN = """
(role left) (role right) (init (turn 1)) (index 1) (index 2) (index 3)
(of 1 left ape) (of 1 left bee) (of 2 right cat) (after 1 2) (after 2 1)
(<= (filled ?x ?y) (true (cell ?x ?y ?k)))
(<= (legal ?r (put ?x ?y ?k)) (of ?t ?r ?k) (true (turn ?t)) (index ?x) (index ?y)
    (not (filled ?x ?y)))
(<= (legal left wait) (true (turn 2))) (<= (legal right wait) (true (turn 1)))
(<= (next (turn ?u)) (true (turn ?t)) (after ?t ?u))
(<= (next (cell ?x ?y ?k)) (does ?r (put ?x ?y ?k)))
(<= (next (cell ?x ?y ?k)) (true (cell ?x ?y ?k)))
(<= (goal ?r 50) (role ?r)) (<= terminal (filled 3 3))
"""


@cache
def loaded(name: str) -> tuple[gdl.Game, CompiledEncoding]:
    """A bundled game, and its numbers."""
    game = load_game(name)
    return game, CompiledEncoding(game)


@cache
def observed(name: str, kind: Kind, view: View = "fixed") -> Observation:
    """The observations of a bundled game."""
    return make_observation(*loaded(name), kind, view)


def states_of(name: str, num: int = 60) -> list[gdl.State]:
    """States of random games, the first one first."""
    game, luck = loaded(name)[0], random.Random(1)
    state = game.initial_state()
    found = [state]
    while len(found) < num:
        if game.is_terminal(state):
            state = game.initial_state()
        moves = [luck.choice(game.legal_moves(state, role)) for role in game.roles]
        state = game.next_state(state, moves)
        found.append(state)
    return found


def state_with(name: str, *facts: str) -> gdl.State:
    """The state in which these facts are true."""
    return loaded(name)[0].state_of([gdl.read_term(fact) for fact in facts])


def texts(name: str, state: gdl.State) -> set[str]:
    """The facts of a state, as text."""
    return set(map(str, loaded(name)[0].facts(state)))


def test_planes_of_tic_tac_toe() -> None:
    """One stone each, x in the column 1 and row 2."""
    planes = observed("ticTacToe", "planes")
    assert planes.names == ("cell b", "cell o", "cell x", "(control oplayer)", "(control xplayer)")
    assert planes.columns == planes.rows == ("1", "2", "3")
    state = state_with("ticTacToe", "(cell 1 2 x)", "(cell 3 1 o)", "(control xplayer)")
    found = planes.of(state)
    assert found.dtype == np.uint8
    assert found.tolist() == [
        [[0, 0, 0], [0, 0, 0], [0, 0, 0]],
        [[0, 0, 1], [0, 0, 0], [0, 0, 0]],
        [[0, 0, 0], [1, 0, 0], [0, 0, 0]],
        [[0, 0, 0], [0, 0, 0], [0, 0, 0]],
        [[1, 1, 1], [1, 1, 1], [1, 1, 1]],
    ]


def test_planes_of_connect_four_and_breakthrough() -> None:
    """Boards as wide as they are not high, and one that begins with pieces."""
    planes = observed("connectFour", "planes")
    assert planes.shape == (5, 6, 7)
    found = planes.of(state_with("connectFour", "(cell 7 1 red)", "(control yellow)"))
    assert np.argwhere(found[planes.names.index("cell red")]).tolist() == [[0, 6]]
    assert found[planes.names.index("(control yellow)")].all()
    assert found.sum() == 1 + 6 * 7
    planes = observed("breakthrough", "planes")
    found = planes.of(loaded("breakthrough")[0].initial_state())
    assert planes.names[:2] == ("cell black", "cell white")
    assert found[:2].sum(axis=2).tolist() == [[0] * 6 + [8, 8], [8, 8] + [0] * 6]


@pytest.mark.parametrize("name", all_but(("eightPuzzle", "ticTacToe"), PLAIN))
def test_a_channel_is_what_its_name_says(name: str) -> None:
    """In each place and state, written one by one and all at once."""
    planes, encoding = observed(name, "planes"), loaded(name)[1]
    states = states_of(name)
    facts = np.array([encoding.facts(state) for state in states])
    out = np.full((len(states), *planes.shape), 7, np.uint8)
    planes.write(facts, None, out)
    for state, written in zip(states, out, strict=True):
        known = texts(name, state)
        expected = [
            [[_is_there(channel, x, y, known) for x in planes.columns] for y in planes.rows]
            for channel in planes.names
        ]
        assert np.array_equal(written, expected)
        assert np.array_equal(planes.of(state), expected)


def _is_there(channel: str, column: str, row: str, facts: set[str]) -> bool:
    if channel.startswith("("):
        return channel in facts
    return f"(cell {column} {row} {channel.removeprefix('cell ')})" in facts


@pytest.mark.parametrize("name", all_but(("ticTacToe",), SWAPPED))
def test_the_second_role_sees_what_the_first_would_with_colours_swapped(name: str) -> None:
    """The mover's point of view makes no difference between the roles, but for that."""
    planes = observed(name, "planes", "mover")
    assert planes.names[0].startswith("own: cell ")
    assert planes.names[1].startswith("other's: cell ")
    for state in states_of(name):
        swapped = state_with(name, *(_swapped(fact, name) for fact in texts(name, state)))
        assert np.array_equal(planes.of(state, 1), planes.of(swapped, 0))
        assert np.array_equal(planes.of(state, 0), planes.of(swapped, 1))


def _swapped(fact: str, name: str) -> str:
    words = fact.strip("()").split()
    return f"({' '.join(SWAPPED[name].get(word, word) for word in words)})"


def test_the_mover_s_own_stones_come_first() -> None:
    """Also among three, whose others follow in the order of the turns."""
    planes = observed("ticTacToe", "planes", "mover")
    state = state_with("ticTacToe", "(cell 1 2 x)", "(cell 3 1 o)", "(control oplayer)")
    assert np.argwhere(planes.of(state, 0)[:2]).tolist() == [[0, 1, 0], [1, 0, 2]]
    assert np.argwhere(planes.of(state, 1)[:2]).tolist() == [[0, 0, 2], [1, 1, 0]]
    three = observed("threePlayerTicTacToe", "planes", "mover")
    facts = [f"(cell {place} 1 {stone})" for place, stone in enumerate("xoz", start=1)]
    state = state_with("threePlayerTicTacToe", *facts)
    for role in range(3):
        columns = np.argwhere(three.of(state, role)[:3])[:, 2]
        assert columns.tolist() == [(role + place) % 3 for place in range(3)]


def test_rows_are_written_from_the_points_of_view_asked_for() -> None:
    """Each row has its own."""
    name = "breakthrough"
    planes, encoding = observed(name, "planes", "mover"), loaded(name)[1]
    states = states_of(name)
    roles = np.arange(len(states)) % 2
    out = np.full((len(states), *planes.shape), 7, np.uint8)
    planes.write(np.array([encoding.facts(state) for state in states]), roles, out)
    for state, role, written in zip(states, roles.tolist(), out, strict=True):
        assert np.array_equal(written, planes.of(state, role))


def test_several_boards_have_channels_each() -> None:
    """Of the same size, beside each other."""
    planes = observed("twinTiles", "planes")
    game = loaded("twinTiles")[0]
    found, known = planes.of(game.initial_state()), texts("twinTiles", game.initial_state())
    for index, channel in enumerate(planes.names):
        if channel.startswith("cell "):
            _, side, content = channel.split()
            facts = {f"(cell {side} {planes.columns[x]} {planes.rows[y]} {content})"
                     for y, x in np.argwhere(found[index]).tolist()}  # fmt: skip
            assert facts <= known
            assert len(facts) == 1
    assert sum(channel.startswith("cell left ") for channel in planes.names) == 9


@pytest.mark.parametrize("name", ["ticTacToe", "breakthrough"])
def test_facts_and_packed_facts(name: str) -> None:
    """Fact b is bit b % 64 of word b // 64."""
    encoding = loaded(name)[1]
    plain, packed = observed(name, "facts"), observed(name, "packed")
    assert packed.shape == (-(-encoding.num_facts // 64),)
    assert packed.dtype == np.uint64
    assert plain.names == packed.names == encoding.fact_names()
    for state in states_of(name):
        true = {plain.names[index] for index in np.flatnonzero(plain.of(state)).tolist()}
        assert true == texts(name, state)
        words = packed.of(state).tolist()
        bits = [words[b // 64] >> (b % 64) & 1 for b in range(encoding.num_facts)]
        assert bits == plain.of(state).tolist()


def test_a_sample_is_the_same_each_time() -> None:
    """So that a network that is trained today can be used tomorrow."""
    game = loaded("connectFour")[0]
    assert sample_of(game, 50) == sample_of(game, 50)
    assert len(sample_of(game, 50).states) == 51


@pytest.mark.parametrize(
    ("rules", "view", "message"),
    [
        ("rockPaperScissors", "fixed", 'no board was recognised.*observation="facts"'),
        (AT_ONCE, "mover", "it is not clear which role 'cell dig' belongs to"),
        (
            UNEVEN,
            "mover",
            r"do not own equally many kinds of facts \(left: cell ape, cell bee; right: cell cat\)",
        ),
    ],
)
def test_what_cannot_be_told_is_an_error(rules: str, view: View, message: str) -> None:
    """It says what to ask for instead."""
    game = load_game(rules, "scalar")
    with pytest.raises(ValueError, match=message):
        make_observation(game, CompiledEncoding(game), "planes", view)


@pytest.mark.parametrize("kind", ["facts", "packed", "planes"])
def test_an_array_for_many_states_is_aligned(kind: Kind) -> None:
    """Whatever its size, and can be written to."""
    observation, facts = observed("ticTacToe", kind), loaded("ticTacToe")[1]
    for num in (1, 3, 1000):
        out = observation.empty(num)
        assert out.ctypes.data % 64 == 0
        assert (out.shape, out.dtype) == ((num, *observation.shape), observation.dtype)
        observation.write(np.zeros((num, facts.num_facts), np.uint8), None, out)
        assert not out.any()


def test_wrong_arguments_are_errors() -> None:
    """They say what is right."""
    game, encoding = loaded("ticTacToe")
    with pytest.raises(ValueError, match="observation: expected one of facts, packed, planes"):
        make_observation(game, encoding, "pixels")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="view: expected one of fixed, mover"):
        make_observation(game, encoding, "planes", "mine")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="view='mover' needs observation=\"planes\""):
        make_observation(game, encoding, "facts", "mover")
    planes = observed("ticTacToe", "planes")
    facts, out = np.zeros((4, 29), np.uint8), np.zeros((4, 5, 3, 3), np.uint8)
    wrong: list[tuple[NDArray[np.uint8], NDArray[np.int64] | None, NDArray[np.uint8], str]] = [
        (facts[:, 1:], None, out, r"facts: expected uint8 \(4, 29\)"),
        (facts, None, out[:3], r"out: expected contiguous uint8 \(4, 5, 3, 3\)"),
        (facts, None, out.transpose(0, 1, 3, 2), "out: expected contiguous"),
        (facts, np.array([0, 1, 2, 0]), out, "roles: expected 0 to 1, got 0 to 2"),
        (facts, np.array([0]), out, "roles: expected 4 integers"),
    ]
    for given, roles, into, message in wrong:
        with pytest.raises(ValueError, match=message):
            planes.write(given, roles, into)
