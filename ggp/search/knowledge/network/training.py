"""The training: a value network is fitted to samples, in minibatches drawn by a seed.

The loss of a sample is the cross-entropy of its value and the network's, both as probabilities;
the steps are those of Kingma and Ba, Adam: A Method for Stochastic Optimization, 2015.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ggp.search.knowledge.network.kernel import Floats
from ggp.search.knowledge.network.samples import Samples

BATCH = 512
MEAN_DECAY, SQUARE_DECAY, TINY = 0.9, 0.999, 1e-8
BEGIN = 0.25  # what units begin with: within the range where they have a slope
OUTPUT_SPREAD = 0.1


@dataclass(slots=True)
class Parameters:
    """The numbers that are learned. `C` columns of samples, `H` units, `P` phases, `R` roles."""

    rows: Floats  # [C, H]
    start: Floats  # [H]
    output: Floats  # [P * R, H]
    bias: Floats  # [P * R]

    @classmethod
    def at_random(cls, num_columns: int, num_units: int, num_outputs: int, seed: int) -> Parameters:
        """Parameters before any training."""
        rng = np.random.default_rng(seed)
        spread = 1 / math.sqrt(max(1, num_columns))
        return cls(
            rows=rng.normal(0, spread, (num_columns, num_units)).astype(np.float32),
            start=np.full(num_units, BEGIN, np.float32),
            output=rng.normal(0, OUTPUT_SPREAD, (num_outputs, num_units)).astype(np.float32),
            bias=np.zeros(num_outputs, np.float32),
        )

    def arrays(self) -> list[Floats]:
        """All of them, in order."""
        return [self.rows, self.start, self.output, self.bias]


class Trainer:
    """Fits parameters to samples, and can go on with others.

    Attributes:
        parameters: Those that it fits.
        num_steps: Steps so far.
    """

    def __init__(self, parameters: Parameters, seed: int) -> None:
        """Nothing is known of slopes yet.

        Args:
            parameters: Changed in place.
            seed: Of the order of samples.
        """
        self.parameters = parameters
        self._rng = np.random.default_rng(seed)
        self._means = [np.zeros_like(array) for array in parameters.arrays()]
        self._squares = [np.zeros_like(array) for array in parameters.arrays()]
        self.num_steps = 0

    @property
    def luck(self) -> np.random.Generator:
        """The generator of the order of samples."""
        return self._rng

    def moments(self) -> list[Floats]:
        """Running means of slopes, then those of their squares, in the order of parameters."""
        return [*self._means, *self._squares]

    def learn(self, samples: Samples, num: int, rate: float) -> None:
        """Fit the parameters to so many of the samples, drawn at random.

        Args:
            samples: All of them.
            num: At most as many as there are.
            rate: Size of the steps.
        """
        order = self._rng.choice(len(samples), num, replace=False)
        for first in range(0, num, BATCH):
            self._descend(_slopes(self.parameters, samples, order[first : first + BATCH]), rate)

    def _descend(self, slopes: list[Floats], rate: float) -> None:
        """One step of Adam."""
        self.num_steps += 1
        step = self.num_steps
        rate *= math.sqrt(1 - SQUARE_DECAY**step) / (1 - MEAN_DECAY**step)
        arrays = zip(self.parameters.arrays(), slopes, self._means, self._squares, strict=True)
        for array, slope, mean, square in arrays:
            np.add(mean, (1 - MEAN_DECAY) * (slope - mean), out=mean)
            np.add(square, (1 - SQUARE_DECAY) * (slope * slope - square), out=square)
            np.subtract(array, rate * mean / (np.sqrt(square) + TINY), out=array)


def mean_error(parameters: Parameters, samples: Samples) -> float:
    """The mean distance between the values of samples and those of the network, 0..100."""
    inputs, places, targets = samples.batch()
    units = np.square(np.clip(inputs @ parameters.rows + parameters.start, 0, 1))
    sums = np.take_along_axis(units @ parameters.output.T + parameters.bias, places, 1)
    return 100 * float(np.abs(1 / (1 + np.exp(-sums)) - targets).mean())


def _slopes(parameters: Parameters, samples: Samples, chosen: NDArray[np.int64]) -> list[Floats]:
    """The slopes of the mean loss of some samples, for each array of the parameters."""
    inputs, places, targets = samples.batch(chosen)
    sums = inputs @ parameters.rows + parameters.start
    clipped = np.clip(sums, 0, 1)
    units = clipped * clipped
    outputs = units @ parameters.output.T + parameters.bias
    values = 1 / (1 + np.exp(-np.take_along_axis(outputs, places, 1)))
    misses = np.zeros_like(outputs)
    np.put_along_axis(misses, places, (values - targets) / np.float32(len(chosen)), 1)
    back = misses @ parameters.output
    back *= 2 * clipped * (sums < 1)
    return [inputs.T @ back, back.sum(0), misses.T @ units, misses.sum(0)]
