"""Tables find what a search through all rows finds."""

from __future__ import annotations

import numpy as np
import pytest

from gdl.ground.tables import MISSING, Index, RowTable, find_matches

pytestmark = pytest.mark.usefixtures("kernels")


def test_rows_are_added_once() -> None:
    """They keep their numbers, also when the table grows."""
    rng, table, known = np.random.default_rng(1), RowTable(3), dict[tuple[int, ...], int]()
    for size in (1, 5, 300, 0, 2000):
        rows = rng.integers(0, 9, (size, 3), np.int32)

        numbers = table.add(rows)

        expected = [known.setdefault(tuple(row), len(known)) for row in rows.tolist()]
        assert numbers.tolist() == expected
        assert table.find(rows).tolist() == expected
    assert table.size == len(known)
    assert table.find(np.full((1, 3), 9, np.int32)).tolist() == [MISSING]


@pytest.mark.parametrize("columns", [(), (1,), (2, 0)])
@pytest.mark.parametrize("room", [1, 7, 5000])
def test_all_rows_with_the_values_of_a_key_are_found(columns: tuple[int, ...], room: int) -> None:
    """In a window of the table, and in parts if there is little room."""
    rng, table, index = np.random.default_rng(2), RowTable(3), Index(columns)
    for size in (20, 100):  # the second time, the chains are extended
        table.add(rng.integers(0, 5, (size, 3), np.int32))
        index.extend(table.rows, table.size)
    keys = rng.integers(0, 6, (12, len(columns)), np.int32)
    low, high = 10, table.size - 10
    place, pairs = np.array([0, MISSING]), np.empty((2, room), np.int32)

    found = []
    while place[0] < len(keys):
        chains = index.columns, index.heads, index.chain
        count = find_matches(keys, table.rows, chains, (low, high), place, pairs)
        found += pairs[:, :count].T.tolist()

    rows = table.rows[:, list(columns)].tolist()
    wanted = keys.tolist()
    expected = [
        [k, row] for k in range(len(keys)) for row in range(low, high) if rows[row] == wanted[k]
    ]
    assert sorted(found) == expected
