"""Connect Four on boards of other sizes, made from the bundled rulesheet."""

from __future__ import annotations

import re

from ggp import games

# Value of the first position for who begins, by columns and rows. John Tromp, "John's Connect Four
# Playground", has the boards up to columns + rows = 15; Christophe Steininger's solver the same.
KNOWN_VALUES = {(4, 4): 50, (5, 4): 50, (6, 4): 0, (4, 5): 50, (5, 5): 50, (6, 5): 50}


def connect_four(num_columns: int, num_rows: int) -> str:
    """Return the rules on a board of up to 7 columns and 7 rows.

    Raises:
        ValueError: The board is too small for a line, or larger than the numbers of the text.
    """
    if not (4 <= num_columns <= 7 and 4 <= num_rows <= 7):
        raise ValueError(f"expected from 4 to 7 columns and rows, got {num_columns} x {num_rows}")
    text = re.sub(r"\((column|row) \d\)\n", "", games.text("connectFour"))
    sizes = {"column": num_columns, "row": num_rows}
    cells = [f"({name} {n})" for name, size in sizes.items() for n in range(1, size + 1)]
    text = text.replace("(succ 1 2)", " ".join([*cells, "(succ 1 2)"]), 1)
    return text.replace("(true (cell ?column 6 b))", f"(true (cell ?column {num_rows} b))")
