"""Gradient descent: fit a value network to samples, in minibatches drawn at random.

Players use not the last parameters but their running mean over the last steps. So the network is
good whenever training stops. See Polyak and Juditsky, Acceleration of Stochastic Approximation by
Averaging, 1992.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ggp.search.evaluation.network.gradients import (
    MEAN_DECAY,
    SQUARE_DECAY,
    Arrays,
    add_gradients,
    descend,
    make_inputs,
)
from ggp.search.evaluation.network.kernel import Floats

BATCH = 512
AVERAGED = 150  # approximate number of steps in the running mean of the parameters
BEGIN = 0.25  # initial value of units, where their gradient is not 0
OUTPUT_SPREAD = 0.1


class Experience(NamedTuple):
    """Samples: `N` states, packed as by `gdl.Expander`, with the values to learn.

    There are `W` words per state, and `R` roles.
    """

    states: NDArray[np.uint64]  # [N, W]
    phases: NDArray[np.int8]  # [N]
    values: Floats  # [N, R] the value of each state for each role, 0..100

    @classmethod
    def joined(cls, parts: Sequence[Experience]) -> Experience:
        """Join the samples of one or more batches of games."""
        return cls(*map(np.concatenate, zip(*parts, strict=True)))

    def thinned(self, most: int) -> Experience:
        """Return every k-th sample, with the smallest k that leaves at most `most` samples."""
        step = -(-len(self.states) // most) or 1
        return Experience(self.states[::step], self.phases[::step], self.values[::step])


def random_arrays(num_inputs: int, num_units: int, num_outputs: int, seed: int) -> Arrays:
    """Return random arrays, with which the training of a network begins."""
    rng = np.random.default_rng(seed)
    spread = 1 / math.sqrt(max(1, num_inputs))
    return Arrays(
        rows=rng.normal(0, spread, (num_inputs, num_units)).astype(np.float32),
        start=np.full(num_units, BEGIN, np.float32),
        output=rng.normal(0, OUTPUT_SPREAD, (num_outputs, num_units)).astype(np.float32),
        bias=np.zeros(num_outputs, np.float32),
    )


class Trainer:
    """A trainer that fits a network to samples. More samples can be given at any time.

    Attributes:
        arrays: The arrays of the network, changed by each step.
        rng: The generator that chooses samples and their order.
    """

    def __init__(
        self,
        arrays: Arrays,
        columns: NDArray[np.int64],
        pairs: NDArray[np.int64],
        num_words: int,
        seed: int,
    ) -> None:
        """Create a trainer of a network.

        Args:
            arrays: The initial arrays of the network. They are changed in place.
            columns: `[C]` the bits of packed states that are inputs, as numbers.
            pairs: `[K, 2]` indices of `columns`, sorted by the first of each pair.
            num_words: Number of words of a packed state.
            seed: Seed for the choice of the samples.
        """
        self.arrays = arrays
        self.rng = np.random.default_rng(seed)
        self._inputs = make_inputs(columns, pairs, num_words, len(arrays.start))
        self._gradients = Arrays(*map(np.zeros_like, arrays))
        zeros = (np.zeros_like(array) for array in arrays)
        self._moments = [
            np.stack([zero, zero, array]) for zero, array in zip(zeros, arrays, strict=True)
        ]
        self.num_steps = 0

    def averages(self) -> Arrays:
        """Return a copy of the running means of the arrays."""
        return Arrays(*(moments[-1].copy() for moments in self._moments))

    def numbers(self) -> list[Floats]:
        """Return all learned arrays and their running means, to be saved or overwritten."""
        return [*self.arrays, *self._moments]

    def learn(self, samples: Experience, num: int, rate: float) -> None:
        """Fit the network to `num` samples, chosen at random without repetition.

        `rate` is the size of the steps.
        """
        order = self.rng.choice(len(samples.states), num, replace=False)
        states, phases, values = samples
        for first in range(0, num, BATCH):
            chosen = order[first : first + BATCH]
            batch = states[chosen], phases[chosen], values[chosen]
            add_gradients(self._inputs, *batch, self.arrays, self._gradients)
            self._descend(rate)

    def _descend(self, rate: float) -> None:
        self.num_steps += 1
        step = self.num_steps
        size = rate * math.sqrt(1 - SQUARE_DECAY**step) / (1 - MEAN_DECAY**step)
        pace = max(1 / AVERAGED, 1 / step)
        for array, gradient, moments in zip(
            self.arrays, self._gradients, self._moments, strict=True
        ):
            flat = moments.reshape(len(moments), -1)
            descend(array.reshape(-1), gradient.reshape(-1), flat, size, pace)
