"""Samples: states with what they turned out to be worth, in arrays to draw batches from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ggp.search.knowledge.network.kernel import Floats


class Experience(NamedTuple):
    """`N` states, packed as `gdl.Expander` has them. `W` words, `R` roles."""

    states: NDArray[np.uint64]  # [N, W]
    phases: NDArray[np.int8]  # [N]
    values: Floats  # [N, R] the goals to be expected, 0..100


@dataclass(frozen=True, slots=True)
class Samples:
    """`N` states. `C` columns: the bits that are not the same in all of them. `R` roles.

    Attributes:
        columns: `[C]` numbers of bits.
        inputs: `[N, C]` whether each is true.
        phases: `[N]`.
        values: `[N, R]` 0..100.
    """

    columns: NDArray[np.int64]
    inputs: NDArray[np.uint8]
    phases: NDArray[np.int8]
    values: Floats

    @classmethod
    def of(cls, found: Sequence[Experience], columns: NDArray[np.int64] | None = None) -> Samples:
        """The samples of what was found in several batches of games.

        Args:
            found: At least one batch.
            columns: Those of samples before, to go on with the same network; else those that vary.
        """
        states = np.concatenate([one.states for one in found])
        bits = np.unpackbits(states.view(np.uint8), axis=1, bitorder="little")
        if columns is None:
            columns = np.flatnonzero(bits.min(0) < bits.max(0))
        return cls(
            columns,
            np.ascontiguousarray(bits[:, columns]),
            np.concatenate([one.phases for one in found]),
            np.concatenate([one.values for one in found]),
        )

    @classmethod
    def together(cls, parts: Sequence[Samples]) -> Samples:
        """All samples of several parts that have the same columns."""
        return cls(
            parts[0].columns,
            np.concatenate([part.inputs for part in parts]),
            np.concatenate([part.phases for part in parts]),
            np.concatenate([part.values for part in parts]),
        )

    def __len__(self) -> int:
        return len(self.inputs)

    def batch(self, chosen: NDArray[np.int64]) -> tuple[Floats, NDArray[np.int64], Floats]:
        """Some of them: `[n, C]` inputs, `[n, R]` places of outputs and values from 0 to 1."""
        num_roles = self.values.shape[1]
        places = self.phases[chosen].astype(np.int64)[:, None] * num_roles + np.arange(num_roles)
        return self.inputs[chosen].astype(np.float32), places, self.values[chosen] / np.float32(100)
