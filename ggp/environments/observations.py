"""Observations of a state: its facts, as bytes or packed, or planes of its boards.

observation = make_observation(game, encoding, "planes")
observation.shape, observation.dtype, observation.names
observation.of(state, role)
observation.write(facts, None, out)
"""

from __future__ import annotations

import math
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

import gdl
from ggp.environments.encoding import Encoding
from ggp.environments.planes import Bytes, IntArray, Planes, find_planes

Words = NDArray[np.uint64]
Kind = Literal["facts", "packed", "planes"]
View = Literal["fixed", "mover"]

KINDS: Final[tuple[Kind, ...]] = ("facts", "packed", "planes")
VIEWS: Final[tuple[View, ...]] = ("fixed", "mover")
WORD_BITS: Final = 64
ALIGNMENT: Final = 64
"""Bytes; what begins elsewhere JAX copies without a word."""


class Observation:
    """The facts of a state as they are: `[B]` uint8, 0 and 1; the other kinds derive from it.

    Attributes:
        shape: Of the array of one state.
        names: Of each element, or each channel of planes; each bit of packed facts.
        columns: Of planes, from index 0; else none.
        rows: Of planes, from index 0; else none.
    """

    def __init__(self, encoding: Encoding) -> None:
        self.shape: tuple[int, ...] = (encoding.num_facts,)
        self.dtype: np.dtype[Any] = np.dtype(np.uint8)
        self.names: tuple[str, ...] = encoding.fact_names()
        self.columns: tuple[str, ...] = ()
        self.rows: tuple[str, ...] = ()
        self._encoding = encoding

    def of(self, state: gdl.State, role: int = 0) -> NDArray[Any]:
        """The observation of a state from the point of view of a role, in a new array."""
        out = np.empty((1, *self.shape), self.dtype)
        self.write(self._encoding.facts(state)[None], np.array([role], np.int32), out)
        found: NDArray[Any] = out[0]
        return found

    def empty(self, num: int) -> NDArray[Any]:
        """An array for a number of states, aligned so that JAX takes it over without copying."""
        shape = (num, *self.shape)
        num_bytes = math.prod(shape) * self.dtype.itemsize
        room = np.empty(num_bytes + ALIGNMENT, np.uint8)
        start = -room.ctypes.data % ALIGNMENT
        found: NDArray[Any] = room[start : start + num_bytes].view(self.dtype).reshape(shape)
        return found

    def write(
        self, facts: Bytes, roles: NDArray[np.integer[Any]] | None, out: NDArray[Any]
    ) -> None:
        """Write the observations of many states.

        Args:
            facts: `[N, B]` uint8, of each state, as 0 and 1.
            roles: `[N]` that look at them; None: the first role.
            out: `[N, *shape]`, contiguous.

        Raises:
            ValueError: An array has another shape or type.
        """
        self._check(facts, out)
        self._write(facts, self._roles(facts, roles), out)

    def _write(self, facts: Bytes, roles: IntArray, out: NDArray[Any]) -> None:
        np.copyto(out, facts)

    def _check(self, facts: Bytes, out: NDArray[Any]) -> None:
        expected = (len(facts), self._encoding.num_facts)
        if facts.shape != expected or facts.dtype != np.uint8:
            raise ValueError(f"facts: expected uint8 {expected}, got {facts.dtype} {facts.shape}")
        expected_out = (len(facts), *self.shape)
        if out.shape != expected_out or out.dtype != self.dtype or not out.flags.c_contiguous:
            raise ValueError(
                f"out: expected contiguous {self.dtype} {expected_out}, got {out.dtype} {out.shape}"
            )

    def _roles(self, facts: Bytes, roles: NDArray[np.integer[Any]] | None) -> IntArray:
        if roles is None:
            return np.zeros(len(facts), np.int32)
        num = len(self._encoding.num_actions)
        if roles.shape != (len(facts),) or roles.dtype.kind not in "iu":
            raise ValueError(
                f"roles: expected {len(facts)} integers, got {roles.dtype} {roles.shape}"
            )
        if len(roles) and not 0 <= int(roles.min()) <= int(roles.max()) < num:
            raise ValueError(f"roles: expected 0 to {num - 1}, got {roles.min()} to {roles.max()}")
        return roles.astype(np.int32, copy=False)


class PackedObservation(Observation):
    """The facts of a state as `[ceil(B / 64)]` uint64: fact b is bit `b % 64` of word `b // 64`."""

    def __init__(self, encoding: Encoding) -> None:
        super().__init__(encoding)
        self.shape = (-(-encoding.num_facts // WORD_BITS),)
        self.dtype = np.dtype(np.uint64)

    def _write(self, facts: Bytes, roles: IntArray, out: NDArray[Any]) -> None:
        write_packed(facts, out)


class PlanesObservation(Observation):
    """The boards of a game as `[channels, height, width]` uint8, 0 and 1; see `Planes`."""

    def __init__(self, encoding: Encoding, planes: Planes) -> None:
        super().__init__(encoding)
        self.shape = (len(planes.names), len(planes.rows), len(planes.columns))
        self.names, self.columns, self.rows = planes.names, planes.columns, planes.rows
        self._planes = planes

    def _write(self, facts: Bytes, roles: IntArray, out: NDArray[Any]) -> None:
        self._planes.write(facts, roles, out)


def make_observation(
    game: gdl.Game, encoding: Encoding, kind: Kind = "facts", view: View = "fixed"
) -> Observation:
    """The observations of a game; see `ggp.environments.task.make_task`.

    Raises:
        ValueError: There is no such kind or view, or the game has no planes of that view.
    """
    if kind not in KINDS:
        raise ValueError(f"observation: expected one of {', '.join(KINDS)}, got {kind!r}")
    if view not in VIEWS:
        raise ValueError(f"view: expected one of {', '.join(VIEWS)}, got {view!r}")
    if kind == "planes":
        return PlanesObservation(encoding, find_planes(game, view == "mover"))
    if view != "fixed":
        raise ValueError(f'view: {view!r} is for observation="planes", got {kind!r}')
    return Observation(encoding) if kind == "facts" else PackedObservation(encoding)


@gdl.kernel
def write_packed(facts: Bytes, out: Words) -> None:
    """Write facts as bits: fact b is bit `b % 64` of word `b // 64`."""
    num_facts = facts.shape[1]
    for row in range(len(facts)):
        for index in range(out.shape[1]):
            first = 64 * index
            value = np.uint64(0)
            for bit in range(min(64, num_facts - first)):
                value |= np.uint64(facts[row, first + bit]) << np.uint64(bit)
            out[row, index] = value
