"""A batch of states tells what roles see, and states are put into it."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

import gdl
from gdl.circuit.lanes.batch.state_batch import AUTORESETS, Autoreset, StateBatch
from ggp import games

pytestmark = pytest.mark.usefixtures("kernels")

# A code of 90 is sent and seen by one role, the other sees its parity; the game is over at once.
WIRE = """
(role sender) (role listener) (role spy) (init (at 0))
(<= (legal sender (send ?n)) (number ?n ?parity) (true (at 0)))
(<= (legal sender rest) (not (true (at 0))))
(legal listener wait) (legal spy wait)
(<= (sees listener (got ?n)) (does sender (send ?n)) (true (at 0)))
(<= (sees spy ?parity) (does sender (send ?n)) (number ?n ?parity))
(<= (sees spy quiet) (does sender rest))
(<= (next (at 1)) (true (at 0))) (<= (next (at 2)) (true (at 1)))
(<= terminal (true (at 2)))
(goal sender 0) (goal listener 0) (goal spy 0)
""" + "".join(f"(number {n} {'even' if n % 2 == 0 else 'odd'})" for n in range(90))

NUM = 1100  # of three blocks of 512, the last of which is not full
ROWS = (0, 1, 63, 64, 300, 511, 512, 1023, 1024, 1099)


def batch_of(game: gdl.Game, autoreset: Autoreset = "disabled") -> StateBatch:
    """Several blocks, shared by two threads."""
    assert game.circuit is not None
    return StateBatch(game.circuit.netlist, NUM, autoreset, threads=2)


def percepts_of(batch: StateBatch, role: int, row: int) -> set[str]:
    """What a role saw in a row."""
    words = np.ascontiguousarray(batch.percepts[role][row])
    bits = np.unpackbits(words.view(np.uint8), bitorder="little")
    return {str(batch.percept_terms[role][number]) for number in np.flatnonzero(bits).tolist()}


def state_in(game: gdl.Game, packed: NDArray[np.uint64]) -> gdl.State:
    """The machine's state of a row of `packed`."""
    assert game.numbering is not None
    return game.numbering.states(packed[None])[0]


def check_percepts(game: gdl.Game, batch: StateBatch, row: int, state: gdl.State | None) -> None:
    """See that the percepts of a row are those of a state, or that there are none."""
    moves = [moves[a] for moves, a in zip(batch.moves, batch.actions[row], strict=True)]
    for number, role in enumerate(batch.roles):
        expected = () if state is None else game.percepts(state, moves, role)
        assert percepts_of(batch, number, row) == set(map(str, expected))


@pytest.mark.parametrize("autoreset", AUTORESETS)
@pytest.mark.parametrize("rules", [WIRE, games.text("phantomTicTacToe")], ids=["wire", "phantom"])
def test_roles_see_what_the_machine_says(rules: str, autoreset: Autoreset) -> None:
    """Of each step, and nothing where a game that is over or held makes none."""
    game = gdl.load(rules, "scalar")
    batch, rng = batch_of(game, autoreset), np.random.default_rng(1)
    for _ in range(12):
        before, was_over, which = (
            batch.packed.copy(),
            batch.is_terminal.copy(),
            rng.random(NUM) < 0.8,
        )
        batch.step(batch.draw(rng), which)
        for row in ROWS:
            makes_none = not which[row] or (was_over[row] and autoreset != "same_step")
            state = None if makes_none else state_in(game, before[row])
            check_percepts(game, batch, row, state)
    batch.close()


def test_percepts_are_numbered_by_their_text() -> None:
    """Each role's by themselves; one that sees nothing has none."""
    batch = batch_of(gdl.load(WIRE, "scalar"))

    assert [len(terms) for terms in batch.percept_terms] == [0, 90, 3]
    assert [words.shape for words in batch.percepts] == [(NUM, 0), (NUM, 2), (NUM, 1)]
    assert list(map(str, batch.percept_terms[1][8:11])) == ["(got 8)", "(got 9)", "(got 10)"]
    assert list(map(str, batch.percept_terms[2])) == ["even", "odd", "quiet"]
    batch.close()


def test_where_nothing_is_hidden_nothing_is_made_for_it() -> None:
    """No words, and no gates or bases."""
    game = gdl.load(games.text("ticTacToe"), "scalar")
    batch = batch_of(game)

    assert [words.shape for words in batch.percepts] == [(NUM, 0), (NUM, 0)]
    batch.close()


def test_states_are_put_into_rows() -> None:
    """Any rows in any order; the games go on from there, and the others are as they were."""
    game = gdl.load(games.text("connectFour"), "scalar")
    source, target = batch_of(game), batch_of(game)
    rng = np.random.default_rng(1)
    for _ in range(12):
        source.step(source.draw(rng))
    target.step(target.draw(rng))
    others = target.packed.copy()
    rows = rng.permutation(NUM)[:100]

    target.put(rows, source.packed[rows[::-1]])

    assert (target.packed[rows] == source.packed[rows[::-1]]).all()
    assert (target.observations[rows] == source.observations[rows[::-1]]).all()
    assert (target.is_terminal[rows] == source.is_terminal[rows[::-1]]).all()
    for mine, theirs in zip(target.masks, source.masks, strict=True):
        assert (mine[rows] == theirs[rows[::-1]]).all()
    kept = np.setdiff1d(np.arange(NUM), rows)
    assert (target.packed[kept] == others[kept]).all()
    actions = np.full((NUM, 2), -1)
    source.step(actions)
    target.step(actions)
    assert (target.packed[rows] == source.packed[rows[::-1]]).all()
    source.close()
    target.close()


def test_a_state_that_is_put_takes_the_place_of_a_game_that_is_over() -> None:
    """It is played on."""
    batch = batch_of(gdl.load(WIRE, "scalar"))
    first = batch.packed[:1].copy()
    for _ in range(2):
        batch.step(np.full((NUM, 3), -1))
    assert batch.is_terminal.all()

    batch.put(slice(5, 6), first)
    batch.step(np.full((NUM, 3), -1))

    assert np.flatnonzero(~batch.is_terminal).tolist() == [5]
    assert percepts_of(batch, 1, 5) == {"(got 0)"}
    batch.close()


@pytest.mark.parametrize("name", ["ticTacToe", "breakthrough"])
def test_actions_are_selected_by_rank(name: str) -> None:
    """The legal ones are counted from 0; beyond the last there is none."""
    batch = batch_of(gdl.load(games.text(name), "scalar"))
    rng = np.random.default_rng(1)
    for _ in range(5):
        batch.step(batch.draw(rng))
    ranks = rng.integers(-1, 1 + batch.num_legal).astype(np.int32)

    actions = batch.select(ranks)

    for row in ROWS:
        for role, mask in enumerate(batch.masks):
            legal, rank = np.flatnonzero(mask[row]).tolist(), ranks[row, role]
            assert actions[row, role] == (legal[rank] if 0 <= rank < len(legal) else -1)
    batch.close()


def test_many_states_are_packed_and_unpacked() -> None:
    """From the machine's order of facts to that of batches, and back."""
    game = gdl.load(games.text("connectFour"), "scalar")
    numbering, batch = game.numbering, batch_of(game)
    assert numbering is not None
    rng = np.random.default_rng(1)
    for _ in range(10):
        batch.step(batch.draw(rng))

    states = numbering.states(batch.packed)

    assert (numbering.packed(states) == batch.packed).all()
    assert set(game.facts(states[7])) == set(batch.facts_of(7))
    assert numbering.states(batch.packed[:0]) == []
    assert numbering.packed([]).shape == (0, batch.packed.shape[1])
    batch.close()
