"""the native gates: a schedule's gates as straight-line machine code.

What the tables say once is said in code: no addresses are looked up, and within a chunk values stay
in registers. Compiling takes half a second for a thousand gates, so it is done in a thread of its
own while the tables already play. LLVM gives Python's lock free while it works.

    gates = NativeGates([schedule(phase, straight=True) for phase in phases], width=8)
    gates.start()
    ...
    if gates.is_ready:
        lanes.use(gates)
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from llvmlite import ir
from numpy.typing import NDArray

from gdl.circuit.lanes.tables import TABLE_GATES
from gdl.circuit.lanes.vectors import vector_alignment, vector_type
from gdl.circuit.native.machine_code import Compiler, LinkedCode
from gdl.circuit.netlist import IntArray
from gdl.circuit.schedule import MAX_GATE_INPUTS, NUM_SEGMENTS, Schedule, Segment

CHUNK = 300  # gates of a function: LLVM's time grows faster than the size of a function
MODULE = 4  # chunks that are compiled at once: so long does stopping take

_POINTER = ir.IntType(8).as_pointer()
_FUNCTION = ir.FunctionType(ir.VoidType(), [_POINTER])


@dataclass(frozen=True, slots=True)
class _Gate:
    """A gate of a schedule: slots."""

    target: int
    plain: tuple[int, ...]
    complemented: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Chunk:
    """Gates that become one function, and the slots of them that are read after it."""

    gates: Sequence[_Gate]
    stored: frozenset[int]


@dataclass
class NativeGates:
    """Machine code for the gates of schedules, and the thread that makes it.

    Attributes:
        schedules: One for each phase, made with `straight`.
        width: Words of a lane vector.
        code: `[P, S]` address of each segment's code, or TABLE_GATES where there are no gates.
        is_ready: Whether all is compiled.
        objects: The object code, which others for the same game can `link`.
    """

    schedules: Sequence[Schedule]
    width: int
    code: NDArray[np.int64] = field(init=False)
    is_ready: bool = False
    objects: list[bytes] = field(default_factory=list)
    _linked: LinkedCode | None = None  # owns the machine code
    _stops: threading.Event = field(default_factory=threading.Event)
    _thread: threading.Thread | None = None

    def __post_init__(self) -> None:
        self.code = np.full((len(self.schedules), NUM_SEGMENTS), TABLE_GATES, np.int64)
        num_blocks = sum(len(plan.blocks) - 1 for plan in self.schedules if len(plan.feedback))
        self.block_code = np.full(num_blocks, TABLE_GATES, np.int64)

    def start(self) -> None:
        """Compile in a thread of its own."""
        self._thread = threading.Thread(target=self.compile, name="native gates", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Compile no more than the module that is being compiled."""
        self._stops.set()

    def wait(self) -> None:
        """Wait until the thread has ended."""
        if self._thread is not None:
            self._thread.join()

    def compile(self) -> None:
        """Compile segment by segment, until all are compiled or `stop` was called."""
        compiler = Compiler()
        for phase, plan in enumerate(self.schedules):
            for segment, chunks in enumerate(_chunks(plan)):
                if chunks and not self._compile_segment(compiler, chunks, phase, segment):
                    return
        self.link(self.objects)

    def link(self, objects: Sequence[bytes]) -> None:
        """Put object code in place: its own, or that of others for the same game."""
        self.objects = list(objects)
        self._linked = LinkedCode(self.objects)
        of_blocks: list[int] = []
        for phase, plan in enumerate(self.schedules):
            names = [_name_of(phase, part) for part in range(len(_bounds(plan)) - 1)]
            found = [self._linked.address(name) or TABLE_GATES for name in names]
            after = Segment.LOOP + len(plan.blocks) - 1
            of_blocks += found[Segment.LOOP : after] if len(plan.feedback) else []
            self.code[phase] = [*found[: Segment.LOOP], TABLE_GATES, *found[after:]]
        self.block_code[:] = of_blocks
        self.is_ready = True

    def _compile_segment(
        self, compiler: Compiler, chunks: Sequence[_Chunk], phase: int, segment: int
    ) -> bool:
        """Compile one segment; whether it was not stopped."""
        parts = []
        for first in range(0, len(chunks), MODULE):
            if self._stops.is_set():
                return False
            parts.append(f"gates_{phase}_{segment}_{first}")
            part = _module_of_chunks(parts[-1], chunks[first : first + MODULE], self.width)
            self.objects.append(compiler.compile(part))
        whole = _module_of_calls(_name_of(phase, segment), parts)
        self.objects.append(compiler.compile(whole))
        return True


def _name_of(phase: int, segment: int) -> str:
    return f"segment_{phase}_{segment}"


def _bounds(plan: Schedule) -> list[int]:
    """Where the runs of each part begin: segments, in place of the loop its blocks."""
    after = plan.segments[Segment.LOOP + 1 :].tolist()
    return [*plan.segments[: Segment.LOOP].tolist(), *plan.blocks[:-1].tolist(), *after]


def _gates(plan: Schedule, first_run: int, last_run: int) -> list[_Gate]:
    """The gates of some runs, in the schedule's order."""
    gates = []
    for shape, first, last, start in plan.runs[first_run:last_run].tolist():
        num_plain, num_complemented = divmod(shape, MAX_GATE_INPUTS + 1)
        size = num_plain + num_complemented
        sources: IntArray = plan.sources[start : start + (last - first) * size]
        rows = sources.reshape(-1, size).tolist()
        for target, row in zip(plan.targets[first:last].tolist(), rows, strict=True):
            gates.append(_Gate(target, tuple(row[:num_plain]), tuple(row[num_plain:])))
    return gates


def _chunks(plan: Schedule) -> list[list[_Chunk]]:
    """The chunks of each segment.

    Going back from the end: what is written is not read before, what is read is. What all may
    read after a segment is stored in any case.
    """
    outputs = [plan.terminal, *plan.legal, *plan.goals, *plan.next, *plan.feedback]
    public = {int(place) >> 1 for place in outputs}
    alive = set(public)
    segments: list[list[_Chunk]] = []
    bounds = _bounds(plan)
    loop = _gates(plan, *plan.segments[Segment.LOOP : Segment.LOOP + 2])
    alive.update(slot for gate in loop for slot in (*gate.plain, *gate.complemented))
    for part in reversed(range(len(bounds) - 1)):
        gates = _gates(plan, *bounds[part : part + 2])
        chunks = []
        for first in reversed(range(0, len(gates), CHUNK)):
            some = gates[first : first + CHUNK]
            chunks.append(_Chunk(some, frozenset(alive.intersection(gate.target for gate in some))))
            for gate in reversed(some):
                alive.discard(gate.target)
                alive.update(gate.plain, gate.complemented)
            alive |= public
        segments.append(chunks[::-1])
    return segments[::-1]


def _module_of_chunks(name: str, chunks: Sequence[_Chunk], width: int) -> ir.Module:
    """A module with a function `name(values)` that evaluates chunks, each in its own function."""
    module = ir.Module(name)
    whole = ir.IRBuilder(ir.Function(module, _FUNCTION, name).append_basic_block())
    for number, chunk in enumerate(chunks):
        function = ir.Function(module, _FUNCTION, f"{name}_{number}")
        _write_chunk(function, chunk, width)
        whole.call(function, whole.function.args)
    whole.ret_void()
    return module


def _module_of_calls(name: str, callees: Sequence[str]) -> ir.Module:
    """A module with a function `name(values)` that calls functions of other modules."""
    module = ir.Module(name)
    function = ir.Function(module, _FUNCTION, name)
    builder = ir.IRBuilder(function.append_basic_block())
    for callee in callees:
        builder.call(ir.Function(module, _FUNCTION, callee), function.args)
    builder.ret_void()
    return module


def _write_chunk(function: ir.Function, chunk: _Chunk, width: int) -> None:
    """Write the gates of a chunk."""
    builder = ir.IRBuilder(function.append_basic_block())
    values = builder.bitcast(function.args[0], vector_type(width).as_pointer())
    align = vector_alignment(width)

    def place(slot: int) -> ir.Value:
        return builder.gep(values, [ir.Constant(ir.IntType(64), slot)])

    # Stored at once: what waits for the end of a chunk takes a register, or is spilled meanwhile.
    final = {gate.target: gate for gate in chunk.gates if gate.target in chunk.stored}
    known: dict[int, ir.Value] = {}
    for gate in chunk.gates:
        for slot in (*gate.plain, *gate.complemented):
            if slot not in known:
                known[slot] = builder.load(place(slot), align=align)
        known[gate.target] = _and(builder, gate, known)
        if final.get(gate.target) is gate:
            builder.store(known[gate.target], place(gate.target), align=align)
    builder.ret_void()


def _and(builder: ir.IRBuilder, gate: _Gate, known: dict[int, ir.Value]) -> ir.Value:
    terms: Iterator[ir.Value] = iter(known[slot] for slot in gate.plain)
    complemented = [known[slot] for slot in gate.complemented]
    result = next(terms, None)
    for term in terms:
        result = builder.and_(result, term)
    if not complemented:
        return result
    nothing = complemented[0]
    for term in complemented[1:]:
        nothing = builder.or_(nothing, term)
    inverse = builder.not_(nothing)
    return inverse if result is None else builder.and_(result, inverse)
