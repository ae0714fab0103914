"""Structure of a game, as its circuit shows it, in words: `ggp check --structure`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # loading the language takes longer than `ggp --help` should
    import gdl

NUM_SHOWN = 4  # parts that are described one by one


def describe(rules: gdl.Rulesheet) -> dict[str, Any]:
    """The structure of a game, as JSON; only `known` is in it if it is not known."""
    import gdl

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


def sentences(told: dict[str, Any]) -> Iterator[str]:
    """The same in words."""
    if not told["known"]:
        yield "not known: the game is too large, or not compiled"
        return
    yield (
        f"{told['facts']} facts change; {told['by_themselves']} of them by themselves, whatever is "
        f"played; {told['irrelevant']} make no difference to the end and the goals"
    )
    passing = "; it may matter whether a role can pass" if told["passing_matters"] else ""
    yield f"{told['moves']} moves, {told['kinds']} of them different in what matters{passing}"
    parts = [f"{part['facts']} facts and {part['moves']} moves" for part in told["parts"]]
    if len(parts) > 1:
        more = f", and {len(parts) - NUM_SHOWN} more" if len(parts) > NUM_SHOWN else ""
        shown = "; ".join(parts[:NUM_SHOWN])
        yield f"{len(parts)} parts that do not touch each other: {shown}{more}"
    pieces = [f"{part['facts']} facts and {part['moves']} moves" for part in told["apart"]]
    if pieces:
        more = f"; and {len(pieces) - NUM_SHOWN} more" if len(pieces) > NUM_SHOWN else ""
        yield f"for the best goal searched apart: {'; '.join(pieces[:NUM_SHOWN])}{more}"
    yield (
        f"{told['latches']} latches, facts that stay as they are; "
        f"{told['excluding']} of them put a goal out of reach"
    )
