"""Games that OpenSpiel has too, and how its moves are spelled in ours.

>>> PAIRS["connectFour"].spell("x3")
'(drop 4)'
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import gdl
from ggp import games


@dataclass(frozen=True, slots=True)
class Pair:
    """A game that both programs have, with the same board; OpenSpiel's player i is our role i.

    Attributes:
        ours: A bundled game.
        theirs: OpenSpiel's name of it, with its parameters.
        spell: From the text of their action to our move.
        added: Facts that our rules need besides, for a board of another size.
        idle: The move of all roles in a turn that passes in our game alone.
    """

    ours: str
    theirs: str
    spell: Callable[[str], str]
    added: str = ""
    idle: str = ""

    def is_idle(self, machine: gdl.StateMachine, state: gdl.State) -> bool:
        """Return whether the current turn exists only in our game, and all roles have to pass."""
        return bool(self.idle) and all(
            [self.idle] == list(map(str, machine.legal_moves(state, role)))
            for role in machine.roles
        )


class SpellingError(ValueError):
    """A text that is no action of a game."""


def rules(name: str) -> str:
    """Return the rulesheet of a game of this module, of a bundled game, or of a file.

    Raises:
        GameNotFoundError: There is none.
        OSError: The file cannot be read.
    """
    pair = PAIRS.get(name)
    if pair is not None:
        return f"{games.text(pair.ours)}\n{pair.added}\n"
    if name.endswith((".kif", ".epilog")):
        return Path(name).read_text(encoding="utf-8")
    return games.text(name)


def _tic_tac_toe(action: str) -> str:
    row, column = _found(r"[xo]\((\d),(\d)\)", action)
    return f"(mark {int(column) + 1} {int(row) + 1})"


def _connect_four(action: str) -> str:
    (column,) = _found(r"[xo](\d)", action)
    return f"(drop {int(column) + 1})"


def _breakthrough(size: int, action: str) -> str:
    # Their first player begins at the rows with the highest numbers, ours at those with the lowest.
    column, row, to_column, to_row = _found(r"([a-h])(\d)([a-h])(\d)\*?", action)
    from_row, next_row = size + 1 - int(row), size + 1 - int(to_row)
    return f"(move {_letter(column)} {from_row} {_letter(to_column)} {next_row})"


def _othello(action: str) -> str:
    if action == "pass":
        return action
    column, row = _found(r"([a-h])(\d)", action)
    return f"(place {_letter(column)} {row})"


def _hex(action: str) -> str:
    # Their first player joins the first row with the last one, ours the first with the last column;
    # mirrored along the diagonal, neighbours stay neighbours.
    column, row = _found(r"([a-k])(\d+)", action)
    return f"(place {row} {_letter(column)})"


def _found(pattern: str, action: str) -> tuple[str, ...]:
    found = re.fullmatch(pattern, action)
    if found is None:
        raise SpellingError(f"expected an action of the form {pattern}, got {action!r}")
    return found.groups()


def _letter(letter: str) -> int:
    return ord(letter) - ord("a") + 1


PAIRS = {
    "ticTacToe": Pair("ticTacToe", "tic_tac_toe", _tic_tac_toe),
    "connectFour": Pair("connectFour", "connect_four(rows=6,columns=7)", _connect_four),
    "connectFour8": Pair(
        "connectFour",
        "connect_four(rows=6,columns=8)",
        _connect_four,
        added="(column 8) (succ 7 8)",
    ),
    "breakthroughSmall": Pair(
        "breakthroughSmall", "breakthrough(rows=6,columns=6)", partial(_breakthrough, 6)
    ),
    "breakthrough": Pair("breakthrough", "breakthrough", partial(_breakthrough, 8)),
    "othello": Pair("othello", "othello", _othello),
    "hex": Pair("hex", "hex(board_size=7)", _hex),
    "phantomTicTacToe": Pair("phantomTicTacToe", "phantom_ttt", _tic_tac_toe, idle="noop"),
    "darkHex3": Pair("darkHex3", "dark_hex(board_size=3)", _hex),
    "darkHex4": Pair("darkHex4", "dark_hex(board_size=4)", _hex),
}
