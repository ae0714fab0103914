"""The kernels of training: the gradients of the loss of a minibatch, and a step of descent.

The forward and the backward pass visit only the inputs that are true in a state. So the cost of a
sample grows with the number of true inputs, not with the number of all inputs.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gdl import kernel
from ggp.search.evaluation.network.kernel import DE_BRUIJN, PLACES, WORD_BITS, Floats

MEAN_DECAY, SQUARE_DECAY = 0.9, 0.999
TINY = np.float32(1e-8)
ONE = np.float32(1.0)


class Inputs(NamedTuple):
    """The inputs of a network, and working memory.

    A column is a bit of the state that is an input. There are `W` words, `C` columns, `K` pairs of
    columns, and `H` units.
    """

    mask: NDArray[np.uint64]  # [W] the bits that are columns
    column_of: NDArray[np.int32]  # [W * 64] the column of each bit
    starts: NDArray[np.int32]  # [C + 1] where the pairs begin that have this column first
    seconds: NDArray[np.int32]  # [K] the other column of each pair
    is_set: NDArray[np.bool_]  # [C] working memory, all False between calls
    active: NDArray[np.int32]  # [C + K] working memory
    sums: Floats  # [H] working memory
    units: Floats  # [H] working memory
    back: Floats  # [H] working memory


class Arrays(NamedTuple):
    """The parameters of a network, or their gradients.

    There are `C` columns, `K` pairs, `H` units, and `O` outputs: one for each phase and role.
    """

    rows: Floats  # [C + K, H]
    start: Floats  # [H]
    output: Floats  # [O, H]
    bias: Floats  # [O]


def make_inputs(
    columns: NDArray[np.int64], pairs: NDArray[np.int64], num_words: int, num_units: int
) -> Inputs:
    """Create the inputs of a network.

    Args:
        columns: `[C]` the number of the bit of each column.
        pairs: `[K, 2]` indices of `columns`, sorted by the first of each pair.
    """
    column_of = np.zeros(num_words * WORD_BITS, np.int32)
    column_of[columns] = np.arange(len(columns))
    is_column = np.zeros(num_words * WORD_BITS, np.uint8)
    is_column[columns] = 1
    starts = np.searchsorted(pairs[:, 0], np.arange(len(columns) + 1))
    sums, units, back = np.zeros((3, num_units), np.float32)
    return Inputs(
        mask=np.packbits(is_column, bitorder="little").view(np.uint64),
        column_of=column_of,
        starts=starts.astype(np.int32),
        seconds=pairs[:, 1].astype(np.int32),
        is_set=np.zeros(len(columns), np.bool_),
        active=np.zeros(len(columns) + len(pairs), np.int32),
        sums=sums,
        units=units,
        back=back,
    )


@kernel
def add_gradients(
    inputs: Inputs,
    states: NDArray[np.uint64],
    phases: NDArray[np.int8],
    values: Floats,
    at: Arrays,
    gradients: Arrays,
) -> None:
    """Write the gradients of the mean loss of a minibatch.

    The loss of a sample is the cross-entropy of its value and the network's value, both taken as
    probabilities.

    Args:
        inputs: The inputs of the network. Their working memory is changed.
        states: `[n, W]` the packed states of the `n` samples.
        phases: `[n]` the phase of each state.
        values: `[n, R]` the wanted value of each state for each of `R` roles, 0..100.
        at: The parameters at which the gradients are computed.
        gradients: Receives the result.
    """
    gradients.rows[:] = 0
    gradients.start[:] = 0
    gradients.output[:] = 0
    gradients.bias[:] = 0
    sums, units, back, num_roles = inputs.sums, inputs.units, inputs.back, values.shape[1]
    for sample in range(len(states)):
        num = _find_active(states[sample], inputs)
        _sum_up(inputs, num, at)
        for unit in range(len(sums)):
            clipped = min(max(sums[unit], np.float32(0.0)), ONE)
            units[unit] = clipped * clipped
            back[unit] = 0
        for role in range(num_roles):
            place = int(phases[sample]) * num_roles + role
            total = float(at.bias[place])
            for unit in range(len(units)):
                total += at.output[place, unit] * units[unit]
            value = 1.0 / (1.0 + math.exp(-total))
            error = np.float32((value - values[sample, role] / 100) / len(states))
            gradients.bias[place] += error
            for unit in range(len(units)):
                gradients.output[place, unit] += error * units[unit]
                back[unit] += error * at.output[place, unit]
        for unit in range(len(sums)):
            clipped = max(sums[unit], np.float32(0.0)) if sums[unit] < ONE else np.float32(0.0)
            back[unit] *= np.float32(2.0) * clipped
            gradients.start[unit] += back[unit]
        for place in range(num):
            row = gradients.rows[inputs.active[place]]
            for unit in range(len(back)):
                row[unit] += back[unit]


@kernel
def _find_active(state: NDArray[np.uint64], inputs: Inputs) -> int:
    """Write the inputs that are true in a state to `inputs.active`. Return their number."""
    active, is_set = inputs.active, inputs.is_set
    num = 0
    for word in range(len(state)):
        bits = state[word] & inputs.mask[word]
        while bits:
            lowest = bits & (~bits + np.uint64(1))
            bit = word * WORD_BITS + PLACES[(lowest * DE_BRUIJN) >> np.uint64(58)]
            active[num] = inputs.column_of[bit]
            is_set[active[num]] = True
            num += 1
            bits ^= lowest
    num_columns = num
    for place in range(num_columns):
        for pair in range(inputs.starts[active[place]], inputs.starts[active[place] + 1]):
            if is_set[inputs.seconds[pair]]:
                active[num] = len(is_set) + pair
                num += 1
    for place in range(num_columns):
        is_set[active[place]] = False
    return num


@kernel
def _sum_up(inputs: Inputs, num: int, at: Arrays) -> None:
    sums = inputs.sums
    for unit in range(len(sums)):
        sums[unit] = at.start[unit]
    for place in range(num):
        row = at.rows[inputs.active[place]]
        for unit in range(len(sums)):
            sums[unit] += row[unit]


@kernel
def descend(numbers: Floats, gradient: Floats, moments: Floats, rate: float, pace: float) -> None:
    """Take a step of Adam (Kingma and Ba, Adam: A Method for Stochastic Optimization, 2015).

    Args:
        numbers: `[N]` parameters; changed.
        gradient: `[N]` the gradient at these parameters.
        moments: `[3, N]` running means of the gradient, of its square and of the parameters;
            changed.
        rate: Size of the step. The caller corrects it for the bias of means that start at 0.
        pace: Weight of the new parameters in the running mean of the parameters.
    """
    size, part = np.float32(rate), np.float32(pace)
    mean, square, average = moments
    for place in range(len(numbers)):
        now = gradient[place]
        mean[place] += np.float32(1 - MEAN_DECAY) * (now - mean[place])
        square[place] += np.float32(1 - SQUARE_DECAY) * (now * now - square[place])
        numbers[place] -= size * mean[place] / (np.sqrt(square[place]) + TINY)
        average[place] += part * (numbers[place] - average[place])
