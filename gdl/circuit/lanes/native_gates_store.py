"""Native gates on disk: a game that was played once has them at once."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np

from gdl import cache
from gdl.circuit.lanes.native_gates import NativeGates
from gdl.circuit.native.kernel_cache import processor_key
from gdl.circuit.netlist import Netlist
from gdl.circuit.store import from_bytes, netlist_arrays, schedule_arrays, schedule_of, to_bytes


def stored_native_gates(phases: Sequence[Netlist], width: int) -> NativeGates | None:
    """The native gates for the phases of a game, if it was stored."""
    data = cache.read(_key(phases, width))
    if data is None:
        return None
    arrays = from_bytes(data)
    schedules = [schedule_of(phase, arrays, f"{n}:") for n, phase in enumerate(phases)]
    native_gates = NativeGates(schedules, width)
    ends = arrays["ends"].tolist()
    code = arrays["code"].tobytes()
    native_gates.link([code[start:end] for start, end in zip([0, *ends], ends, strict=False)])
    return native_gates


def store_native_gates(native_gates: NativeGates) -> None:
    """Store native gates that is ready."""
    assert native_gates.is_ready
    arrays = {
        "ends": np.cumsum([len(data) for data in native_gates.objects]),
        "code": np.frombuffer(b"".join(native_gates.objects), np.uint8),
    }
    for number, plan in enumerate(native_gates.schedules):
        arrays |= schedule_arrays(plan, f"{number}:")
    cache.write(
        _key([plan.netlist for plan in native_gates.schedules], native_gates.width),
        to_bytes(arrays),
    )


def _key(phases: Sequence[Netlist], width: int) -> str:
    """Key of native gates, by what they are made of, not by what they stand for."""
    found = hashlib.sha256()
    for phase in phases:
        for name, array in sorted(netlist_arrays(phase).items()):
            found.update(f"{name} {array.dtype} {array.shape} ".encode())
            found.update(np.ascontiguousarray(array).data)
    return processor_key("gear", str(width), found.digest())
