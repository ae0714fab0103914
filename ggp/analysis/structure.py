"""Structure of a game, as its circuit shows it, in figures and in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gdl

NUM_SHOWN = 4  # parts that are described one by one


def describe(rules: gdl.Rulesheet) -> dict[str, Any]:
    """The structure of a game, as JSON; only `known` is in it if it is not known."""
    machine = gdl.load(rules)
    found = machine.structure
    if found is None:
        return {"known": False}
    relevant = found.relevant
    return {
        "known": True,
        "facts": int(found.changes.sum()),
        "by_themselves": int((found.changes & found.is_autonomous).sum()),
        "irrelevant": found.num_dead,
        "moves": found.netlist.num_inputs,
        "kinds": relevant.num_kinds,
        "passing_matters": not relevant.is_exact,
        "parts": [{"facts": bases, "moves": inputs} for bases, inputs in found.parts.sizes()],
        "apart": _apart(machine.parts),
        "latches": len(found.latches),
        "excluding": sum(bool(latch.excluded) for latch in found.latches),
    }


def _apart(found: gdl.Decomposition | None) -> list[dict[str, int]]:
    """Parts searched apart for the best goal: facts and moves of each, way by way."""
    ways = found.ways(found.values[0]) if found else None
    subgames = {subgame: None for way in ways or () for subgame in way.subgames}
    return [{"facts": x.netlist.num_bases, "moves": x.netlist.num_inputs} for x in subgames]


def sentences(found: dict[str, Any]) -> Iterator[str]:
    """The findings of `describe` in words."""
    if not found["known"]:
        yield "not known: the game is too large, or not compiled"
        return
    yield (
        f"{found['facts']} facts change; {found['by_themselves']} of them by themselves, whatever "
        f"is played; {found['irrelevant']} make no difference to the end and the goals"
    )
    passing = "; it may matter whether a role can pass" if found["passing_matters"] else ""
    yield f"{found['moves']} moves, {found['kinds']} of them different in what matters{passing}"
    parts = [f"{part['facts']} facts and {part['moves']} moves" for part in found["parts"]]
    if len(parts) > 1:
        more = f", and {len(parts) - NUM_SHOWN} more" if len(parts) > NUM_SHOWN else ""
        shown = "; ".join(parts[:NUM_SHOWN])
        yield f"{len(parts)} parts that do not touch each other: {shown}{more}"
    pieces = [f"{part['facts']} facts and {part['moves']} moves" for part in found["apart"]]
    if pieces:
        more = f"; and {len(pieces) - NUM_SHOWN} more" if len(pieces) > NUM_SHOWN else ""
        yield f"for the best goal searched apart: {'; '.join(pieces[:NUM_SHOWN])}{more}"
    yield (
        f"{found['latches']} latches, facts that stay as they are; "
        f"{found['excluding']} of them put a goal out of reach"
    )
