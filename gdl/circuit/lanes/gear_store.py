"""Second gears on disk, so that a game that was played once plays in its second gear at once."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np

from gdl import cache
from gdl.circuit.lanes.straight import SecondGear
from gdl.circuit.native.kernel_cache import processor_key
from gdl.circuit.netlist import Netlist
from gdl.circuit.store import from_bytes, netlist_arrays, schedule_arrays, schedule_of, to_bytes


def stored_gear(phases: Sequence[Netlist], width: int) -> SecondGear | None:
    """The second gear for the phases of a game, if it was stored."""
    data = cache.read(_key(phases, width))
    if data is None:
        return None
    arrays = from_bytes(data)
    schedules = [schedule_of(phase, arrays, f"{n}:") for n, phase in enumerate(phases)]
    gear = SecondGear(schedules, width)
    ends = arrays["ends"].tolist()
    code = arrays["code"].tobytes()
    gear.link([code[start:end] for start, end in zip([0, *ends], ends, strict=False)])
    return gear


def store_gear(gear: SecondGear) -> None:
    """Store a second gear that is ready."""
    assert gear.is_ready
    arrays = {
        "ends": np.cumsum([len(data) for data in gear.objects]),
        "code": np.frombuffer(b"".join(gear.objects), np.uint8),
    }
    for number, plan in enumerate(gear.schedules):
        arrays |= schedule_arrays(plan, f"{number}:")
    cache.write(_key([plan.netlist for plan in gear.schedules], gear.width), to_bytes(arrays))


def _key(phases: Sequence[Netlist], width: int) -> str:
    """Key of a gear, by what its gates are made of, not by what they stand for."""
    found = hashlib.sha256()
    for phase in phases:
        for name, array in sorted(netlist_arrays(phase).items()):
            found.update(f"{name} {array.dtype} {array.shape} ".encode())
            found.update(np.ascontiguousarray(array).data)
    return processor_key("gear", str(width), found.digest())
