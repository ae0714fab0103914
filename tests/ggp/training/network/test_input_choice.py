"""Which bits of states, and which pairs of them, are inputs of a network."""

from __future__ import annotations

import numpy as np
import pytest

from ggp.training.network.batch_play import BatchPlay, BatchPlaySettings
from ggp.training.network.gradient_descent import Experience
from ggp.training.network.input_choice import independent, telling_pairs
from ggp.training.network.relations import related_pairs
from tests.ggp.search.fast.tree.test_search import machine_of

pytestmark = pytest.mark.usefixtures("kernels")


def packed(bits: np.ndarray) -> np.ndarray:
    """States with these bits."""
    padded = np.zeros((len(bits), 64), np.uint8)
    padded[:, : bits.shape[1]] = bits
    return np.packbits(padded, axis=1, bitorder="little").view(np.uint64)


def test_a_bit_that_others_tell_is_left_out() -> None:
    """A cell is empty where no piece is; the commonest of the three goes, and what is constant."""
    cells = np.random.default_rng(1).choice(3, size=(500, 4), p=(0.6, 0.3, 0.1))
    bits = (cells[:, :, None] == np.arange(3)).reshape(500, 12).astype(np.uint8)
    always = np.ones((500, 1), np.uint8)

    columns = independent(packed(np.hstack([bits, always])))

    assert columns.tolist() == [1, 2, 4, 5, 7, 8, 10, 11]


def test_bits_that_tell_something_are_kept() -> None:
    """However rarely they are set."""
    bits = np.zeros((9000, 3), np.uint8)
    bits[::2, 0] = bits[7, 1] = bits[8999, 2] = 1

    assert independent(packed(bits)).tolist() == [0, 1, 2]


def test_states_that_are_all_the_same_have_no_columns() -> None:
    """There is nothing to learn from."""
    assert len(independent(packed(np.ones((50, 3), np.uint8)))) == 0


def test_the_pair_that_decides_is_kept() -> None:
    """It tells what no sum over single bits does."""
    bits = np.random.default_rng(1).integers(0, 2, (4000, 6)).astype(np.uint8)
    values = np.where(bits[:, 2] == bits[:, 4], 100, 0).astype(np.float32)
    samples = Experience(
        packed(bits), np.zeros(4000, np.int8), np.stack([values, 100 - values], axis=1)
    )
    candidates = np.argwhere(np.triu(np.ones((6, 6)), 1))

    assert telling_pairs(samples, np.arange(6), candidates, 1).tolist() == [[2, 4]]


def test_cells_of_a_line_are_related() -> None:
    """All stones on them are, with those of a line only."""
    game = machine_of("ticTacToe")
    assert game.simulator is not None
    states = BatchPlay(game, BatchPlaySettings(games=200), 1).play(None).states
    columns = independent(states)
    facts = [str(game.simulator.circuit.phases[0].netlist.bases[bit]) for bit in columns]

    pairs = related_pairs(game, states, columns)

    cells = [tuple(int(part) for part in fact.split()[1:3]) for fact in facts]
    assert len(pairs) == 4 * 24
    for (x1, y1), (x2, y2) in ((cells[one], cells[other]) for one, other in pairs):
        is_diagonal = (x1 - y1, x2 - y2) == (0, 0) or (x1 + y1, x2 + y2) == (4, 4)
        assert x1 == x2 or y1 == y2 or is_diagonal
