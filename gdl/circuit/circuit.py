"""The circuit of a game: the result of compiling its rules, which is stored on disk.

    circuit = stored(rulesheet)
    if circuit is None:
        circuit = make_circuit(ground(rulesheet))
        store(rulesheet, circuit)

On disk, a circuit is a set of named arrays of numbers, in which each distinct term occurs once.
Reading it executes no code.
"""

from __future__ import annotations

import io
import json
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from gdl import cache
from gdl.circuit.build import build
from gdl.circuit.netlist import IntArray, Netlist
from gdl.circuit.passes.blocks import halve_feedback, separate_blocks
from gdl.circuit.passes.factor import factor
from gdl.circuit.passes.growth import find_growth
from gdl.circuit.passes.moves import complement_moves, rewrite_by_parts
from gdl.circuit.passes.optimise import optimise
from gdl.circuit.passes.phases import split_phases
from gdl.circuit.passes.split import split
from gdl.circuit.schedule import Schedule, schedule
from gdl.ground.program import GroundProgram
from gdl.rulesheet import Rulesheet
from gdl.terms import Compound, Constant, Term


@dataclass(frozen=True, eq=False)
class Circuit:
    """A compiled game."""

    netlist: Netlist  # has all facts of a state; for playing one state at a time
    # One per phase, for playing on lanes, see `gdl.circuit.passes.phases`. Facts that do not affect
    # play are missing.
    phases: tuple[Schedule, ...]

    @property
    def num_gates(self) -> int:
        """Number of gates of all phases together."""
        return sum(phase.netlist.num_gates for phase in self.phases)


LARGE: Final = 1_000_000
"""Number of literals from which on common factors are taken out before the phases are found.

That takes a fifth less time. But fewer factors are found: the circuit of hex would have 45 % more
literals.
"""


def make_circuit(program: GroundProgram, seconds: float = 10.0) -> Circuit:
    """Compile a ground program into a circuit.

    Args:
        program: The ground program of the game.
        seconds: The time limit for reducing the circuit. Building it takes extra time.
    """
    return circuit_of(build(program), seconds)


def circuit_of(netlist: Netlist, seconds: float = 10.0) -> Circuit:
    """Return the circuit of a netlist, after reducing it for at most `seconds`."""
    end = time.monotonic() + seconds
    smaller = optimise(netlist, seconds=seconds / 2)
    playing = factor(smaller) if len(smaller.literals) >= LARGE else smaller
    playing = optimise(playing, play=True, seconds=max(0.0, end - time.monotonic()))
    phases = split_phases(find_growth(playing))
    phases = [rewrite_by_parts(complement_moves(phase)) for phase in phases]
    plans = tuple(schedule(separate_blocks(split(phase))) for phase in phases)
    return Circuit(halve_feedback(smaller), plans)


Arrays = Mapping[str, NDArray[Any]]

_SHAPED_BY = ("circuit", "ground", "rulesheet")  # packages of `gdl` that a circuit depends on

_NETLIST_ARRAYS = ("init", "offsets", "literals", "next", "legal", "feedback", "growth", "blocks")


def stored(rulesheet: Rulesheet) -> Circuit | None:
    """Return the circuit of a game from the cache on disk, or None if it is not there."""
    data = cache.read(_key(rulesheet))
    return None if data is None else unpack(data)


def store(rulesheet: Rulesheet, circuit: Circuit) -> None:
    """Store the circuit of a game in the cache on disk."""
    cache.write(_key(rulesheet), pack(circuit))


def derived(
    name: str,
    packages: Iterable[str],
    rulesheet: Rulesheet | None,
    make: Callable[[], Circuit | None],
) -> bytes | None:
    """Return a circuit that was derived from another as bytes. Use the cache on disk.

    Args:
        name: The name of the result in the cache.
        packages: Packages of `gdl` that determine the result.
        rulesheet: The rules of the game. If None, do not use the cache.
        make: Derives the circuit. If it returns None, this is stored as well.
    """
    key = cache.key(name, cache.stamp(*packages), str(rulesheet))
    data = None if rulesheet is None else cache.read(key)
    if data is None:
        made = make()
        data = b"" if made is None else pack(made)
        if rulesheet is not None:
            cache.write(key, data)
    return data or None


def _key(rulesheet: Rulesheet) -> str:
    return cache.key("circuit", cache.stamp(*_SHAPED_BY), str(rulesheet))


def pack(circuit: Circuit) -> bytes:
    """Encode a circuit as bytes."""
    terms = _Numbering()
    arrays = _named_netlist_arrays(circuit.netlist, terms, "")
    for number, phase in enumerate(circuit.phases):
        arrays |= _named_netlist_arrays(phase.netlist, terms, f"{number}.")
    arrays["phases"] = np.array(len(circuit.phases))
    return to_bytes(arrays | terms.arrays())


def unpack(data: bytes) -> Circuit:
    """Decode a circuit that was encoded by `pack`."""
    arrays = from_bytes(data)
    terms = _terms_of(arrays)
    netlist = _netlist_of(arrays, terms, "", None)
    phases: list[Schedule] = []
    for number in range(int(arrays["phases"])):
        part = _netlist_of(arrays, terms, f"{number}.", phases[0].netlist if phases else None)
        phases.append(schedule(part))
    return Circuit(netlist, tuple(phases))


def to_bytes(arrays: Arrays) -> bytes:
    """Encode named arrays as bytes."""
    buffer = io.BytesIO()
    np.savez(buffer, allow_pickle=False, **dict(arrays))
    return buffer.getvalue()


def from_bytes(data: bytes) -> dict[str, NDArray[Any]]:
    """Decode named arrays that were encoded by `to_bytes`."""
    with np.load(io.BytesIO(data), allow_pickle=False) as file:
        return dict(file)


def netlist_arrays(netlist: Netlist) -> dict[str, NDArray[Any]]:
    """Return the arrays of a netlist, without its terms."""
    return {name: getattr(netlist, name) for name in _NETLIST_ARRAYS} | {
        "input_roles": np.array([role for role, _ in netlist.inputs], np.int32),
        "terminal": np.array(netlist.terminal),
        "goals": np.array(netlist.goals, np.int32).reshape(-1, 3),
        "sees": np.array([[role, literal] for role, _, literal in netlist.sees], np.int32),
    }


def _named_netlist_arrays(
    netlist: Netlist, terms: _Numbering, prefix: str
) -> dict[str, NDArray[Any]]:
    arrays = netlist_arrays(netlist) | {
        "roles": terms.numbers(netlist.roles),
        "bases": terms.numbers(netlist.bases),
        "inputs": terms.numbers(move for _, move in netlist.inputs),
        "percepts": terms.numbers(percept for _, percept, _ in netlist.sees),
    }
    return {prefix + name: array for name, array in arrays.items()}


def _netlist_of(arrays: Arrays, terms: list[Term], prefix: str, shared: Netlist | None) -> Netlist:

    def array(name: str) -> NDArray[Any]:
        return arrays[prefix + name]

    def named(name: str) -> tuple[Any, ...]:
        return tuple([terms[number] for number in array(name).tolist()])

    moves = zip(array("input_roles").tolist(), named("inputs"), strict=True)
    seen = zip(array("sees").reshape(-1, 2).tolist(), named("percepts"), strict=True)
    return Netlist(
        **{name: array(name) for name in _NETLIST_ARRAYS},
        roles=named("roles"),
        bases=shared.bases if shared else named("bases"),
        inputs=shared.inputs if shared else tuple(moves),
        terminal=int(array("terminal")),
        goals=tuple([(role, value, literal) for role, value, literal in array("goals").tolist()]),
        sees=tuple([(role, percept, literal) for (role, literal), percept in seen]),
    )


class _Numbering:
    """Numbers of terms. The arguments of a term have lower numbers than the term."""

    def __init__(self) -> None:
        self._number: dict[Term, int] = {}
        self._symbols: dict[str, int] = {}
        self._symbol_of: list[int] = []
        self._args: list[int] = []
        self._ends: list[int] = []

    def numbers(self, terms: Iterable[Term]) -> IntArray:
        return np.fromiter((self._add(term) for term in terms), np.int32)

    def _add(self, term: Term) -> int:
        known = self._number.get(term)
        if known is not None:
            return known
        assert isinstance(term, Constant | Compound), "circuits have no variables"
        self._args += [self._add(arg) for arg in term.args]
        self._ends.append(len(self._args))
        self._symbol_of.append(self._symbols.setdefault(term.name, len(self._symbols)))
        self._number[term] = len(self._number)
        return self._number[term]

    def arrays(self) -> dict[str, NDArray[Any]]:
        text = json.dumps(list(self._symbols)).encode()
        return {
            "terms.text": np.frombuffer(text, np.uint8),
            "terms.symbols": np.array(self._symbol_of, np.int32),
            "terms.ends": np.array(self._ends, np.int32),
            "terms.args": np.array(self._args, np.int32),
        }


def _terms_of(arrays: Arrays) -> list[Term]:
    symbols = json.loads(arrays["terms.text"].tobytes())
    args = arrays["terms.args"].tolist()
    terms: list[Term] = []
    start = 0
    for symbol, end in zip(
        arrays["terms.symbols"].tolist(), arrays["terms.ends"].tolist(), strict=True
    ):
        name = symbols[symbol]
        parts = tuple([terms[number] for number in args[start:end]])
        terms.append(Compound(name, parts) if parts else Constant(name))
        start = end
    return terms
