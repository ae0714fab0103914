"""Observations of a state: its facts as bytes or bits, or its boards as planes.

Planes are `[channels, height, width]`. There is a channel for each kind of content on a board. Rows
and columns are sorted by name, in ascending order of numbers and letters. The board is never
rotated to a role's point of view.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

import gdl
from ggp.boards.plain_names import names_of_game
from ggp.environments.channels import (
    Channel,
    Channels,
    PointsOfView,
    find_channels,
    find_points_of_view,
)
from ggp.environments.encoding import Encoding
from ggp.environments.sample import sample_of

Bytes = NDArray[np.uint8]
IntArray = NDArray[np.int32]
Indices = NDArray[np.uint32]
Words = NDArray[np.uint64]
Kind = Literal["facts", "packed", "planes", "state"]
View = Literal["fixed", "mover"]

KINDS: Final[tuple[Kind, ...]] = ("facts", "packed", "planes", "state")
VIEWS: Final[tuple[View, ...]] = ("fixed", "mover")
WORD_BITS: Final = 64
ALIGNMENT: Final = 64
"""Alignment in bytes. JAX silently copies arrays that are aligned differently."""


MAX_SIZE: Final = 1 << 20
"""Maximum size of the planes of one state, in bytes."""
END: Final = np.uint32(0xFFFFFFFF)


class Observation:
    """An observation of a state. Subclasses are other kinds of observations.

    This class itself is the kind `facts`: for each of `B` facts, 1 if it is true, else 0, as `[B]`
    uint8.

    Attributes:
        shape: Shape of the array of one state.
        names: Name of each element, of each channel of planes, or of each bit of packed facts.
        columns: Names of the columns of planes from index 0. Empty for other kinds.
        rows: Names of the rows of planes from index 0. Empty for other kinds.
    """

    def __init__(self, encoding: Encoding) -> None:
        self.shape: tuple[int, ...] = (encoding.num_facts,)
        self.dtype: np.dtype[Any] = np.dtype(np.uint8)
        self.names: tuple[str, ...] = encoding.fact_names()
        self.columns: tuple[str, ...] = ()
        self.rows: tuple[str, ...] = ()
        self._encoding = encoding

    def of(self, state: gdl.State, role: int = 0) -> NDArray[Any]:
        """Return the observation of a state from a role's point of view, as a new array."""
        out = np.empty((1, *self.shape), self.dtype)
        self.write(self._encoding.facts(state)[None], np.array([role], np.int32), out)
        found: NDArray[Any] = out[0]
        return found

    def empty(self, num: int) -> NDArray[Any]:
        """Return an uninitialised array for `num` states, aligned so that JAX does not copy it."""
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
            facts: The facts of each state as 0 and 1, `[N, B]` uint8.
            roles: The role from whose point of view each state is shown, `[N]`. None means the
                first role.
            out: The output, `[N, *shape]`, contiguous.

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
    """The kind `packed`: the facts of a state as bits, `[ceil(B / 64)]` uint64.

    Fact b is bit `b % 64` of word `b // 64`.
    """

    def __init__(self, encoding: Encoding) -> None:
        super().__init__(encoding)
        self.shape = (-(-encoding.num_facts // WORD_BITS),)
        self.dtype = np.dtype(np.uint64)

    def _write(self, facts: Bytes, roles: IntArray, out: NDArray[Any]) -> None:
        write_packed(facts, out)


class PlaneTables(NamedTuple):
    """Tables of the facts that fill the planes of a state, for `R` roles.

    The planes of boards, with `P` places in total, come first. Then come `K` planes, each filled by
    one fact. Shorter rows are padded with END. Numbers are unsigned, because numba would check
    signed indices for negative values.
    """

    sources: Indices  # [R, P] the fact at each place
    empty: Indices  # [R, E] places without a fact, where `sources` is meaningless
    shared: Indices  # [R, S, 2] places that show one more fact, and this fact
    whole: Indices  # [R, K] facts that fill a plane, or END


class PlanesObservation(Observation):
    """The kind `planes`: the boards of a state, `[channels, height, width]` uint8, 0 and 1."""

    def __init__(self, encoding: Encoding, found: Channels, views: PointsOfView) -> None:
        super().__init__(encoding)
        self.names, self.columns, self.rows = views.names, found.columns, found.rows
        self.shape = (len(self.names), len(self.rows), len(self.columns))
        self._area = len(self.columns) * len(self.rows)
        self._tables = _tables(found.all, views.channels, self._area)

    def _write(self, facts: Bytes, roles: IntArray, out: NDArray[Any]) -> None:
        write_planes(facts, roles, self._tables, self._area, out.reshape(len(out), -1))


def make_observation(
    game: gdl.Game, encoding: Encoding, kind: Kind = "facts", view: View = "fixed"
) -> Observation:
    """Return an observation of the given kind for a game. Raise ValueError if it is impossible."""
    if kind not in KINDS:
        raise ValueError(f"observation: expected one of {', '.join(KINDS)}, got {kind!r}")
    if view not in VIEWS:
        raise ValueError(f"view: expected one of {', '.join(VIEWS)}, got {view!r}")
    if kind == "planes":
        return _find_planes(game, encoding, is_by_mover=view == "mover")
    if view != "fixed":
        raise ValueError(f'view={view!r} needs observation="planes", got observation={kind!r}')
    return PackedObservation(encoding) if kind == "packed" else Observation(encoding)


def _find_planes(game: gdl.Game, encoding: Encoding, *, is_by_mover: bool) -> PlanesObservation:
    """Return the planes of a game.

    With `is_by_mover`, the planes of the observing role come first.
    """
    if game.numbering is None:
        raise ValueError(
            "planes need a compiled game, in which all facts are known; "
            f'use observation="facts" with engine="{game.engine}"'
        )
    facts = tuple(map(str, game.numbering.facts))
    sample = sample_of(game)
    found = find_channels(facts, sample, names_of_game(game))
    if found is None:
        raise ValueError(
            'planes need a board, but no board was recognised in this game; use observation="facts"'
        )
    size = len(found.all) * len(found.columns) * len(found.rows)
    if size > MAX_SIZE:
        raise ValueError(
            f"{len(found.all):,} planes of {len(found.rows)} x {len(found.columns)} exceed "
            f'{MAX_SIZE:,} bytes per state; use observation="facts"'
        )
    if is_by_mover:
        views = find_points_of_view(found.all, facts, game.roles, sample)
    else:
        names = tuple(channel.name for channel in found.all)
        views = PointsOfView(names, (tuple(range(len(names))),) * len(game.roles))
    return PlanesObservation(encoding, found, views)


def _tables(channels: Sequence[Channel], orders: Sequence[Sequence[int]], area: int) -> PlaneTables:
    num_on_boards = sum(_is_on_board(channels, slot, orders) for slot in range(len(orders[0])))
    sources = np.zeros((len(orders), num_on_boards * area), np.uint32)
    empty: list[list[int]] = []
    shared: list[list[tuple[int, int]]] = []
    for role, order in enumerate(orders):
        facts, others = _places(channels, order[:num_on_boards], area)
        sources[role, list(facts)] = list(facts.values())
        empty.append([place for place in range(sources.shape[1]) if place not in facts])
        shared.append(others)
    whole = [
        [channels[index].spots[0][0] if index >= 0 else END for index in order[num_on_boards:]]
        for order in orders
    ]
    return PlaneTables(
        sources,
        _padded(empty, END),
        _padded(shared, (END, END)).reshape(len(orders), -1, 2),
        np.array(whole, np.uint32).reshape(len(orders), -1),
    )


def _is_on_board(channels: Sequence[Channel], slot: int, orders: Sequence[Sequence[int]]) -> bool:
    return any(order[slot] >= 0 and channels[order[slot]].is_on_board for order in orders)


def _places(
    channels: Sequence[Channel], order: Sequence[int], area: int
) -> tuple[dict[int, int], list[tuple[int, int]]]:
    """Return the first fact of each place, and a pair `(place, fact)` for each further fact."""
    facts: dict[int, int] = {}
    shared = []
    for slot, index in enumerate(order):
        for fact, spot in channels[index].spots if index >= 0 else ():
            place = slot * area + spot
            if place in facts:
                shared.append((place, fact))
            facts.setdefault(place, fact)
    return facts, shared


def _padded(rows: Sequence[Sequence[Any]], end: Any) -> NDArray[np.uint32]:
    length = max(map(len, rows))
    return np.array([[*row, *[end] * (length - len(row))] for row in rows], np.uint32)


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


@gdl.kernel
def write_planes(facts: Bytes, roles: IntArray, tables: PlaneTables, area: int, out: Bytes) -> None:
    """Write facts as planes, from the points of view of `roles`, `[N]`.

    Each row of `out` receives all planes of a state. `area` is the number of places in a plane.
    """
    num_places, size = tables.sources.shape[1], out.shape[1]
    for number in range(len(facts)):
        role = np.uint64(roles[number])
        mine, row = facts[np.uint64(number)], out[np.uint64(number)]
        sources, empty = tables.sources[role], tables.empty[role]
        for place in range(num_places):
            row[np.uint64(place)] = mine[np.uint64(sources[np.uint64(place)])]
        for index in range(len(empty)):
            if empty[np.uint64(index)] == END:
                break
            row[np.uint64(empty[np.uint64(index)])] = 0
        write_shared(mine, tables.shared[role], row)
        for place in range(num_places, size):
            row[np.uint64(place)] = 0
        write_whole(mine, tables.whole[role], np.uint64(area), row[np.uint64(num_places) :])


@gdl.kernel
def write_shared(facts: Bytes, shared: Indices, row: Bytes) -> None:
    """Write the facts of places that show several facts, except the first one of each place."""
    for index in range(len(shared)):
        place, fact = shared[np.uint64(index), 0], shared[np.uint64(index), 1]
        if place == END:
            break
        row[np.uint64(place)] |= facts[np.uint64(fact)]


@gdl.kernel
def write_whole(facts: Bytes, whole: Indices, area: np.uint64, planes: Bytes) -> None:
    """Fill each plane of a single fact with 1 if the fact is true. All places must be 0 before."""
    for index in range(len(whole)):
        fact = whole[np.uint64(index)]
        if fact != END and facts[np.uint64(fact)]:
            start = np.uint64(index) * area
            for place in range(area):
                planes[start + np.uint64(place)] = 1
