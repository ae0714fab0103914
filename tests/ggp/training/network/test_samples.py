"""Samples: which bits of states are kept."""

from __future__ import annotations

import numpy as np

from ggp.training.network.gradient_descent import Experience, Samples


def of_bits(bits: np.ndarray) -> Samples:
    """Samples of states with these bits, all worth the same."""
    padded = np.zeros((len(bits), 64), np.uint8)
    padded[:, : bits.shape[1]] = bits
    states = np.packbits(padded, axis=1, bitorder="little").view(np.uint64)
    values = np.full((len(bits), 2), 50, np.float32)
    return Samples.of([Experience(states, np.zeros(len(bits), np.int8), values)])


def test_a_bit_that_others_tell_is_left_out() -> None:
    """A cell is empty where no piece is; the commonest of the three goes, and what is constant."""
    cells = np.random.default_rng(1).choice(3, size=(500, 4), p=(0.6, 0.3, 0.1))
    bits = (cells[:, :, None] == np.arange(3)).reshape(500, 12).astype(np.uint8)
    always = np.ones((500, 1), np.uint8)

    samples = of_bits(np.hstack([bits, always]))

    assert samples.columns.tolist() == [1, 2, 4, 5, 7, 8, 10, 11]
    assert (samples.inputs() == bits[:, samples.columns]).all()


def test_bits_that_tell_something_are_kept() -> None:
    """However rarely they are set."""
    bits = np.zeros((9000, 3), np.uint8)
    bits[::2, 0] = bits[7, 1] = bits[8999, 2] = 1

    assert of_bits(bits).columns.tolist() == [0, 1, 2]


def test_states_that_are_all_the_same_have_no_columns() -> None:
    """There is nothing to learn from."""
    assert len(of_bits(np.ones((5, 3), np.uint8)).columns) == 0
