"""The kernels of training: gradients are those of the loss, and steps go down."""

from __future__ import annotations

import numpy as np
import pytest

from ggp.search.evaluation.network.gradients import Arrays, add_gradients, descend, make_inputs

pytestmark = pytest.mark.usefixtures("kernels")

NUM, UNITS, PHASES, ROLES = 40, 8, 2, 2
COLUMNS = np.array([1, 3, 4, 70, 71], np.int64)
PAIRS = np.array([[0, 1], [0, 4], [2, 3]], np.int64)


def arrays(seed: int) -> Arrays:
    """Random numbers of a network."""
    rng = np.random.default_rng(seed)
    shapes = (len(COLUMNS) + len(PAIRS), UNITS), (UNITS,), (PHASES * ROLES, UNITS), (4,)
    return Arrays(*(rng.normal(0.2, 0.2, shape).astype(np.float32) for shape in shapes))


def samples() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Random states of two words, phases and values."""
    rng = np.random.default_rng(5)
    states = rng.integers(0, 1 << 63, (NUM, 2)).astype(np.uint64)
    phases = rng.integers(0, PHASES, NUM).astype(np.int8)
    return states, phases, rng.uniform(0, 100, (NUM, ROLES)).astype(np.float32)


def loss(at: Arrays) -> float:
    """The mean cross-entropy, by the formula."""
    states, phases, values = samples()
    bits = np.unpackbits(states.view(np.uint8), axis=1, bitorder="little")[:, COLUMNS]
    inputs = np.hstack([bits, bits[:, PAIRS].all(2)]).astype(np.float64)
    units = np.clip(inputs @ at.rows + at.start, 0, 1) ** 2
    places = phases[:, None].astype(int) * ROLES + np.arange(ROLES)
    sums = np.take_along_axis(units @ at.output.T + at.bias, places, 1)
    targets = values / 100
    return float((np.logaddexp(0, sums) - targets * sums).sum() / NUM)


def test_gradients_are_those_of_the_loss() -> None:
    """A little more of each number changes the loss as its gradient says."""
    at, gradients = arrays(1), arrays(2)
    inputs = make_inputs(COLUMNS, PAIRS, 2, UNITS)

    add_gradients(inputs, *samples(), at, gradients)

    for name, gradient in gradients._asdict().items():
        for place in np.ndindex(gradient.shape):
            changed = [at._replace(**{name: getattr(at, name).astype(np.float64)}) for _ in "-+"]
            for one, difference in zip(changed, (-1e-5, 1e-5), strict=True):
                getattr(one, name)[place] += difference
            found = (loss(changed[1]) - loss(changed[0])) / 2e-5
            assert gradient[place] == pytest.approx(found, abs=1e-4)


def test_steps_go_down() -> None:
    """The loss shrinks, and so does that of the running mean."""
    at, gradients = arrays(1), arrays(2)
    moments = [np.stack([0 * array, 0 * array, array]) for array in at]
    before, inputs = loss(at), make_inputs(COLUMNS, PAIRS, 2, UNITS)

    for _ in range(50):
        add_gradients(inputs, *samples(), at, gradients)
        for array, gradient, means in zip(at, gradients, moments, strict=True):
            descend(array.reshape(-1), gradient.reshape(-1), means.reshape(3, -1), 0.01, 0.1)

    assert loss(at) < loss(Arrays(*(means[2] for means in moments))) < before
