"""Reads what the grounder writes: rules as arrays, the shown atoms as texts.

The format is aspif, see Kaminski and others, "How to build your own ASP-based system?!", TPLP 2023,
appendix A. A rule without variables is a line of numbers: statement 1, head kind (1 for
a choice), number of heads, the heads, body kind (0), number of literals, the literals. A shown atom
is a line of statement 4: length of the text, the text, number of conditions, the conditions. Rules
are read in bulk, as their number is what can be large.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gdl.ground.program import TRUE, IntArray

_END = b"0\n"
_LINE_END, _BLANK = 10, 32


@dataclass(frozen=True, eq=False)
class GroundRules:
    """Rules over the grounder's atoms, and the names of those that were asked for.

    Attributes:
        heads: `[R]` the atom that each rule defines; facts have rules without literals.
        offsets: `[R + 1]` where the literals of each rule begin.
        literals: Of all rules.
        open: Atoms that choice rules leave open.
        shown: Text and atom of each shown atom; TRUE for what always holds.
    """

    heads: IntArray
    offsets: IntArray
    literals: IntArray
    open: IntArray
    shown: tuple[tuple[str, int], ...]


def read(text: bytes) -> GroundRules:
    """The rules and shown atoms of a text."""
    start = text.index(b"\n") + 1  # behind the line that names the format
    found = text.find(b"\n4 ", start - 1)
    end = found + 1 if found >= 0 else text.rindex(_END)
    numbers, lines = _numbers(text[start:end])
    is_choice = numbers[lines + 1] == 1
    heads = numbers[lines + 3]
    counts = np.where(is_choice, 0, numbers[lines + 5])
    is_rule = ~is_choice
    offsets = np.zeros(int(is_rule.sum()) + 1, np.int32)
    np.cumsum(counts[is_rule], out=offsets[1:])
    literals = numbers[_ranges(lines[is_rule] + 6, counts[is_rule])]
    return GroundRules(
        heads[is_rule], offsets, literals, np.unique(heads[is_choice]), _shown(text[end:])
    )


def _numbers(text: bytes) -> tuple[IntArray, NDArray[np.int64]]:
    """All numbers of a text, and the index of the first one of each line."""
    numbers = np.fromstring(text, np.int32, sep=" ")
    characters = np.frombuffer(text, np.uint8)
    ends = np.flatnonzero(characters <= _BLANK)  # one behind every number
    last = np.flatnonzero(characters[ends] == _LINE_END)
    lines = np.zeros(len(last), np.int64)
    lines[1:] = last[:-1] + 1
    return numbers, lines


def _ranges(starts: NDArray[np.int64], counts: IntArray) -> NDArray[np.int64]:
    """The numbers `start` to `start + count` of each pair, one behind the other."""
    before = np.cumsum(counts) - counts
    return np.repeat(starts - before, counts) + np.arange(int(counts.sum()))


def _shown(text: bytes) -> tuple[tuple[str, int], ...]:
    found: list[tuple[str, int]] = []
    for line in text.decode().splitlines():
        fields = line.split(" ")
        if fields[0] == "4":
            is_fact = fields[3] == "0"
            found.append((fields[2], TRUE if is_fact else int(fields[4])))
    return tuple(found)
