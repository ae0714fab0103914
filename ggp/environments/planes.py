"""Planes: the facts of a state as `[channels, height, width]`, a channel for each thing on a board.

Row and column 0 have the first names of `rows` and `columns`; numbers and letters ascend.
The board is not turned round for anybody.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

import gdl
from ggp.environments.channels import Channel, find_channels
from ggp.environments.points_of_view import find_points_of_view
from ggp.environments.sample import orders_of, sample_of

Bytes = NDArray[np.uint8]
IntArray = NDArray[np.int32]
Indices = NDArray[np.uint32]

MAX_SIZE: Final = 1 << 20
"""Bytes of the planes of one state."""
END: Final = np.uint32(0xFFFFFFFF)


class PlaneTables(NamedTuple):
    """The sources of a state's planes. Facts and places are followed by END where they end.

    The planes of `P` places on boards come first, those of `K` facts that fill a plane follow.
    Numbers are unsigned: numba would look at each index whether it counts from the end.
    """

    sources: Indices  # [R, P] for each role the fact that stands in each place
    empty: Indices  # [R, E] places in which no fact stands; their source is any
    shared: Indices  # [R, S, 2] places in which another fact stands as well, and that fact
    whole: Indices  # [R, K] facts that fill a plane; END for none


class Planes:
    """The planes of a game, with the names of channels, and of columns and rows from index 0."""

    def __init__(
        self,
        names: Sequence[str],
        lines: tuple[Sequence[str], Sequence[str]],
        channels: Sequence[Channel],
        orders: Sequence[Sequence[int]],
    ) -> None:
        """Planes.

        Args:
            orders: For each role the channels, in the order of the planes; negative for none.
        """
        self.names = tuple(names)
        self.columns, self.rows = map(tuple, lines)
        self._area = len(self.columns) * len(self.rows)
        self._tables = _tables(channels, orders, self._area)

    def write(self, facts: Bytes, roles: IntArray, out: Bytes) -> None:
        """Write the planes of many states, as `Observation.write` does."""
        write_planes(facts, roles, self._tables, self._area, out.reshape(len(out), -1))


def find_planes(game: gdl.Game, is_by_mover: bool) -> Planes:
    """The planes of a game, by mover if each role sees its own things in the first channels.

    Raises:
        ValueError: The game is not compiled, has no boards or too many facts, or the owners of its
            things cannot be found.
    """
    if game.numbering is None:
        raise ValueError(
            "planes need a compiled game, whose facts are all known: "
            f'use observation="facts" with engine="{game.engine}"'
        )
    facts = tuple(map(str, game.numbering.facts))
    sample = sample_of(game)
    found = find_channels(facts, sample, orders_of(game))
    if found is None:
        raise ValueError(
            'no board is recognised in this game, and planes need one: use observation="facts"'
        )
    size = len(found.all) * len(found.columns) * len(found.rows)
    if size > MAX_SIZE:
        raise ValueError(
            f"{len(found.all):,} planes of {len(found.rows)} x {len(found.columns)} are more than "
            f'{MAX_SIZE:,} bytes a state: use observation="facts"'
        )
    lines = found.columns, found.rows
    if not is_by_mover:
        orders = [range(len(found.all))] * len(game.roles)
        return Planes([channel.name for channel in found.all], lines, found.all, orders)
    views = find_points_of_view(found.all, facts, game.roles, sample)
    return Planes(views.names, lines, found.all, views.channels)


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
    """The fact of each place, and the places of facts that find theirs taken."""
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
def write_planes(facts: Bytes, roles: IntArray, tables: PlaneTables, area: int, out: Bytes) -> None:
    """Write facts as planes.

    Args:
        roles: `[N]` from whose point of view.
        out: `[N, Z]`, all planes of a state in a row.
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
    """Write the facts that stand where others do."""
    for index in range(len(shared)):
        place, fact = shared[np.uint64(index), 0], shared[np.uint64(index), 1]
        if place == END:
            break
        row[np.uint64(place)] |= facts[np.uint64(fact)]


@gdl.kernel
def write_whole(facts: Bytes, whole: Indices, area: np.uint64, planes: Bytes) -> None:
    """Write the facts that fill a plane each; the planes are empty."""
    for index in range(len(whole)):
        fact = whole[np.uint64(index)]
        if fact != END and facts[np.uint64(fact)]:
            start = np.uint64(index) * area
            for place in range(area):
                planes[start + np.uint64(place)] = 1
