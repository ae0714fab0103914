"""Stable numbers of facts, moves and percepts, for use outside of the circuit.

A circuit keeps its bases and inputs in an order that suits its gates and may differ between
versions. A program that stores a network needs an order that depends on the rules alone: by text,
where numbers within the text are compared by value.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from gdl.circuit.netlist import IntArray, Netlist, pack
from gdl.terms import Term

_DIGITS = re.compile(r"(\d+)")


class Numbering:
    """The facts, moves and percepts of a game, numbered by their text.

    `B` facts, `I` moves of all roles, `P` percepts of all roles.

    Attributes:
        facts: The facts that can be true in a state.
        moves: The moves of each role.
        bases: `[B]` the base of each fact.
        inputs: `[I]` the input of each move, role after role.
        percepts: The percepts that each role can see.
        sees: For each role, the index in the netlist's `sees` of each of its percepts.
    """

    def __init__(self, netlist: Netlist) -> None:
        self.bases = _order(netlist.bases)
        self.facts = tuple(netlist.bases[base] for base in self.bases.tolist())
        moves = [move for _, move in netlist.inputs]
        orders = [
            first + _order(moves[first:last]) for first, last in pairwise(netlist.role_starts)
        ]
        self.inputs: IntArray = np.concatenate([np.zeros(0, np.int32), *orders])
        self.moves = tuple(tuple(moves[i] for i in order.tolist()) for order in orders)
        self.sees = tuple(_order_of_percepts(netlist, role) for role in range(len(netlist.roles)))
        self.percepts = tuple(
            tuple(netlist.sees[place][1] for place in places.tolist()) for places in self.sees
        )

    def observation(self, state: bytes) -> NDArray[np.uint8]:
        """Return which facts are true in a state of the circuit's machine, as 0 and 1, `[B]`."""
        bits = np.unpackbits(np.frombuffer(state, np.uint8), bitorder="little")
        return bits[self.bases]

    def state(self, observation: NDArray[np.uint8]) -> bytes:
        """Return the state of the circuit's machine in which these facts are true."""
        bases = np.zeros(len(self.bases), np.bool_)
        bases[self.bases] = observation == 1
        packed: IntArray = pack(bases[None])[0]
        return packed.tobytes()

    def packed(self, states: Sequence[bytes]) -> NDArray[np.uint64]:
        """Pack states of the circuit's machine in the format of a batch: `[N, W]`, fact by fact."""
        num_words = max(1, -(-len(self.bases) // 64))
        words = np.frombuffer(b"".join(states), np.uint64).reshape(len(states), num_words)
        return _moved(words, self.bases, np.arange(len(self.bases)))

    def states(self, packed: NDArray[np.uint64]) -> list[bytes]:
        """Return the states of the circuit's machine, given states in the format of a batch."""
        words = _moved(packed, np.arange(len(self.bases)), self.bases)
        size, joined = 8 * words.shape[1], words.tobytes()
        return [joined[start : start + size] for start in range(0, len(joined), size)]


def _order_of_percepts(netlist: Netlist, role: int) -> IntArray:
    places = [place for place, (seer, _, _) in enumerate(netlist.sees) if seer == role]
    order = _order([netlist.sees[place][1] for place in places])
    return np.array(places, np.int32)[order]


def _moved(
    words: NDArray[np.uint64], sources: NDArray[np.integer], targets: NDArray[np.integer]
) -> NDArray[np.uint64]:
    bits = np.unpackbits(np.ascontiguousarray(words).view(np.uint8), axis=1, bitorder="little")
    moved = np.zeros_like(bits)
    moved[:, targets] = bits[:, sources]
    return np.packbits(moved, axis=1, bitorder="little").view(np.uint64)


def _order(terms: Sequence[Term]) -> IntArray:
    texts = [str(term) for term in terms]
    return np.array(sorted(range(len(texts)), key=lambda i: (_natural(texts[i]), i)), np.int32)


def _natural(text: str) -> list[tuple[int, str]]:
    """Return a key that sorts `(cell 2 1 b)` before `(cell 10 1 b)`."""
    parts = enumerate(_DIGITS.split(text))
    return [(int(part), "") if index % 2 else (-1, part) for index, part in parts]
