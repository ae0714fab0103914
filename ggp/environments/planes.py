"""Planes: the facts of a state as `[channels, height, width]`, a channel for each thing on a board.

Row and column 0 have the first names of `rows` and `columns`; numbers and letters ascend.
The board is not turned round for anybody.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

import gdl
from ggp.boards.orders import find_orders
from ggp.environments.channels import WHOLE, Channel, find_channels
from ggp.environments.observation_kernels import Bytes, IntArray, PlaneTables, write_planes
from ggp.environments.points_of_view import find_points_of_view
from ggp.environments.sample import sample_of

MAX_SIZE: Final = 1 << 20
"""Bytes of the planes of one state."""


Pairs = list[tuple[int, int]]


class Planes:
    """The planes of a game.

    Attributes:
        names: What each channel is.
        columns: The names of the columns, from index 0.
        rows: Likewise.
    """

    def __init__(
        self,
        names: Sequence[str],
        lines: tuple[Sequence[str], Sequence[str]],
        channels: Sequence[Channel],
        orders: Sequence[Sequence[int]],
    ) -> None:
        """Planes.

        Args:
            names: What each channel is.
            lines: The names of columns and rows.
            channels: What stands in them.
            orders: For each role the channels, in the order of the planes; negative for none.
        """
        self.names = tuple(names)
        self.columns, self.rows = map(tuple, lines)
        self._area = len(self.columns) * len(self.rows)
        tables = [_table(channels, order, self._area) for order in orders]
        unique, shared, whole = (_joined(some) for some in zip(*tables, strict=True))
        self._tables = PlaneTables(*unique, *shared, *whole)

    def write(self, facts: Bytes, roles: IntArray, out: Bytes) -> None:
        """Write the planes of many states.

        Args:
            facts: `[N, B]` as 0 and 1.
            roles: `[N]` from whose point of view.
            out: `[N, channels, height, width]`, contiguous.
        """
        write_planes(facts, roles, self._tables, self._area, out.reshape(len(out), -1))


def find_planes(game: gdl.Game, is_by_mover: bool) -> Planes:
    """The planes of a game.

    Args:
        game: The game.
        is_by_mover: Whether each role sees its own things in the first channels.

    Raises:
        ValueError: The game is not compiled, has no boards or too many facts, or it cannot be told
            whose its things are.
    """
    if game.numbering is None:
        raise ValueError(
            "planes need a compiled game, whose facts are all known: "
            f'use observation="facts" with engine="{game.engine}"'
        )
    facts = tuple(map(str, game.numbering.facts))
    rules = "\n".join(map(str, game.rulesheet.forms)) if game.rulesheet else ""
    sample = sample_of(game)
    found = find_channels(facts, sample, find_orders(rules))
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


def _table(
    channels: Sequence[Channel], order: Sequence[int], area: int
) -> tuple[Pairs, Pairs, Pairs]:
    """Facts and their places: of their own, shared ones, and whole planes."""
    unique: dict[int, int] = {}
    shared, whole = [], []
    for slot, index in enumerate(order):
        for fact, spot in channels[index].spots if index >= 0 else ():
            place = slot * area + max(spot, 0)
            if spot == WHOLE:
                whole.append((fact, place))
            elif place in unique:
                shared.append((fact, place))
            else:
                unique[place] = fact
    return sorted((fact, place) for place, fact in unique.items()), shared, whole


def _joined(tables: Sequence[Pairs]) -> tuple[IntArray, IntArray]:
    """The tables of all roles in one, and where each begins."""
    pairs = np.array([pair for table in tables for pair in table], np.int32).reshape(-1, 2)
    return pairs, np.cumsum([0, *map(len, tables)]).astype(np.int32)
