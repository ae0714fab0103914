"""The training: a value network is fitted to samples, in minibatches drawn by a seed.

The loss of a sample is the cross-entropy of its value and the network's, both as probabilities;
the steps are those of Kingma and Ba, Adam: A Method for Stochastic Optimization, 2015.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ggp.search.evaluation.network.kernel import MOST_VALUE, Floats

ALL = slice(None)
PART = 4096  # samples that are multiplied at once
LEAST_PIVOT = 1e-6  # of what a column had before: less is a rounding error


class Experience(NamedTuple):
    """`N` states, packed as `gdl.Expander` has them. `W` words, `R` roles."""

    states: NDArray[np.uint64]  # [N, W]
    phases: NDArray[np.int8]  # [N]
    values: Floats  # [N, R] the goals to be expected, 0..100


class Batch(NamedTuple):
    """`n` samples to learn from. `C` columns, `R` roles."""

    inputs: Floats  # [n, C]
    places: NDArray[np.int64]  # [n, R] of the outputs that count
    values: Floats  # [n, R] from 0 to 1


@dataclass(frozen=True, slots=True)
class Samples:
    """`N` states, packed as they came. `C` columns: the bits that are kept. `R` roles."""

    columns: NDArray[np.int64]  # `[C]` numbers of bits
    found: Experience  # the states, and what they are worth

    @classmethod
    def of(cls, found: Sequence[Experience], columns: NDArray[np.int64] | None = None) -> Samples:
        """The samples of what was found in several batches of games.

        Args:
            found: At least one batch.
            columns: Those of samples before, to go on with the same network; else the
                fewest that tell all others, and of them those that change most seldom.
        """
        together = Experience(*map(np.concatenate, zip(*found, strict=True)))
        if columns is None:
            columns = _independent(_bits(together.states))
        return cls(columns, together)

    def __len__(self) -> int:
        return len(self.found.states)

    def inputs(self, chosen: NDArray[np.int64] | slice = ALL) -> Floats:
        """`[n, C]` the inputs of some of them, or of all: 1 where a bit is true."""
        bits = _bits(self.found.states[chosen])
        return bits[:, self.columns].astype(np.float32)

    def batch(self, chosen: NDArray[np.int64] | slice = ALL) -> Batch:
        """Some of them, or all, as the training wants them."""
        _, phases, values = self.found
        num_roles = values.shape[1]
        places = phases[chosen].astype(np.int64)[:, None] * num_roles + np.arange(num_roles)
        return Batch(self.inputs(chosen), places, values[chosen] / np.float32(MOST_VALUE))


def _bits(states: NDArray[np.uint64]) -> NDArray[np.uint8]:
    """`[n, W * 64]` packed states as bytes."""
    return np.unpackbits(states.view(np.uint8), axis=1, bitorder="little")


def _independent(bits: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Columns of which none is a sum of multiples of the others and of a constant, ascending.

    The rarer value of a bit is what costs time, so the columns where it is rarest come first: the
    greedy choice is then the one with the fewest of them (Edmonds, Matroids and the Greedy
    Algorithm, 1971). It is Cholesky's decomposition of the covariances, columns without a rest
    left out.
    """
    num = bits.shape[0]
    sums = bits.sum(0, dtype=np.float64)
    rarity = np.minimum(sums, num - sums)
    varying = np.flatnonzero(rarity)
    order = varying[np.argsort(rarity[varying], kind="stable")]
    products = np.zeros((len(order), len(order)))
    for first in range(0, num, PART):
        part = bits[first : first + PART][:, order].astype(np.float32)
        products += part.T @ part
    rest = products - np.outer(sums[order], sums[order] / num)
    least = LEAST_PIVOT * rest.diagonal()
    kept = []
    for place, column in enumerate(order):
        if rest[place, place] <= least[place]:
            continue
        kept.append(column)
        row = rest[place, place:] / np.sqrt(rest[place, place])
        rest[place:, place:] -= np.outer(row, row)
    return np.sort(np.array(kept, np.int64))


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
    """Fits parameters to samples, and can go on with others."""

    def __init__(self, parameters: Parameters, seed: int) -> None:
        self.parameters = parameters
        self.rng = np.random.default_rng(seed)  # of the order of samples
        self._means = [np.zeros_like(array) for array in parameters.arrays()]
        self._squares = [np.zeros_like(array) for array in parameters.arrays()]
        self.num_steps = 0

    def moments(self) -> list[Floats]:
        """Running means of gradients, then those of their squares, in the order of parameters."""
        return [*self._means, *self._squares]

    def learn(self, samples: Samples, num: int, rate: float) -> None:
        """Fit the parameters to so many of the samples, each at most once, sampled at random."""
        order = self.rng.choice(len(samples), num, replace=False)
        for first in range(0, num, BATCH):
            self._descend(_gradients(self.parameters, samples, order[first : first + BATCH]), rate)

    def _descend(self, gradients: list[Floats], rate: float) -> None:
        self.num_steps += 1
        step = self.num_steps
        rate *= math.sqrt(1 - SQUARE_DECAY**step) / (1 - MEAN_DECAY**step)
        arrays = zip(self.parameters.arrays(), gradients, self._means, self._squares, strict=True)
        for array, gradient, mean, square in arrays:
            np.add(mean, (1 - MEAN_DECAY) * (gradient - mean), out=mean)
            np.add(square, (1 - SQUARE_DECAY) * (gradient * gradient - square), out=square)
            np.subtract(array, rate * mean / (np.sqrt(square) + TINY), out=array)


def mean_error(parameters: Parameters, samples: Samples) -> float:
    """The mean distance between the values of samples and those of the network, 0..100."""
    inputs, places, targets = samples.batch()
    units = np.square(np.clip(inputs @ parameters.rows + parameters.start, 0, 1))
    sums = np.take_along_axis(units @ parameters.output.T + parameters.bias, places, 1)
    return 100 * float(np.abs(1 / (1 + np.exp(-sums)) - targets).mean())


def _gradients(parameters: Parameters, samples: Samples, chosen: NDArray[np.int64]) -> list[Floats]:
    inputs, places, targets = samples.batch(chosen)
    sums = inputs @ parameters.rows + parameters.start
    clipped = np.clip(sums, 0, 1)
    units = clipped * clipped
    outputs = units @ parameters.output.T + parameters.bias
    values = 1 / (1 + np.exp(-np.take_along_axis(outputs, places, 1)))
    errors = np.zeros_like(outputs)
    np.put_along_axis(errors, places, (values - targets) / np.float32(len(chosen)), 1)
    back = errors @ parameters.output
    back *= 2 * clipped * (sums < 1)
    return [inputs.T @ back, back.sum(0), errors.T @ units, errors.sum(0)]
