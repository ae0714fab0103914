"""The tables that the verbs of `ggp bench` end with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import gdl
from ggp.cli.console import console, table

if TYPE_CHECKING:
    from ggp.cli.bench_games import Benched
    from ggp.cli.bench_searching import Searched

NOTHING = "-"
MEGABYTE = 1e6
_STAGES: Final = ("parse", "ground", "build", "compile")


def print_benched(found: Sequence[Benched]) -> None:
    """Print what was measured, and what there is to say of it."""
    shown = console()
    headings = ["game", "engine", "playouts/s", "states/s", "CPU", "length", "mean goals"]
    rows = [_playing(one) for one in found]
    shown.print(table(headings, rows, "playouts/s,states/s,CPU,length"))
    headings = ["ready in s", *_STAGES, "total", "2nd gear", "bases", "inputs", "gates"]
    rows = [_readiness(one) for one in found]
    shown.print(table(headings, rows, ",".join(headings[1:])))
    print("Rates are per second of wall-clock time; CPU: in which share of it a thread had a core.")
    for one in found:
        for note in _notes(one):
            print(f"{one.name}: {note}")


def print_searched(found: Sequence[Searched]) -> None:
    """Print what the searches did, and what there is to say of it."""
    headings = ["game", "tree", "iterations/s", "playouts/s", "nodes", "depth", "MB", "signature"]
    rows = [_searching(one) for one in found]
    console().print(table(headings, rows, ",".join(headings[2:7])))
    for one in found:
        if not one.is_on_lanes:
            why = f"engine {one.loaded.engine}: {one.loaded.reason}"
            print(f"{one.name}: searched one position at a time, in Python; {why}")
        if one.is_ended:
            print(f"{one.name}: nothing was left to learn after {one.seconds:.3f} s")


def _searching(one: Searched) -> tuple[str, ...]:
    size = one.effort.num_bytes
    return (
        one.name,
        "lanes" if one.is_on_lanes else "python",
        figure(one.iterations_per_second),
        figure(one.playouts_per_second),
        f"{one.effort.num_nodes:,}",
        f"{one.effort.depth:,}",
        NOTHING if size is None else f"{size / MEGABYTE:,.1f}",
        one.signature,
    )


def figure(number: float) -> str:
    """A rate, to four digits: `53.72 M`, `848.1 k`, `12.30`."""
    for unit, size in (("G", 1e9), ("M", 1e6), ("k", 1e3)):
        if number >= 0.99995 * size:
            return f"{_four_digits(number / size)} {unit}"
    return _four_digits(number)


def _four_digits(number: float) -> str:
    for digits, bound in ((3, 10), (2, 100), (1, 1000)):
        if number < bound:
            return f"{number:.{digits}f}"
    return f"{number:.0f}"


def _playing(one: Benched) -> tuple[str, ...]:
    measured = one.measured
    roles = one.loaded.machine.roles
    goals = [
        _mean(goal)
        for role, goal in zip(roles, measured.mean_goals, strict=True)
        if not gdl.is_random(role)
    ]
    gear = ", straight" if one.has_gear else ", table" if one.loaded.simulator else ""
    return (
        one.name,
        one.loaded.engine + gear,
        figure(measured.playouts_per_second),
        figure(measured.states_per_second),
        f"{measured.cpu_seconds / measured.seconds:.0%}",
        _mean(measured.mean_length),
        " ".join(goals),
    )


def _readiness(one: Benched) -> tuple[str, ...]:
    stages = [one.loaded.timings.get(stage) for stage in _STAGES]
    times = [NOTHING if spent is None else f"{spent:.2f}" for spent in stages]
    gear = NOTHING if one.gear_seconds is None else f"{one.gear_seconds:.2f}"
    sizes = [NOTHING if size is None else f"{size:,}" for size in one.sizes]
    return one.name, *times, f"{one.ready_seconds:.2f}", gear, *sizes


def _mean(number: float | None) -> str:
    return NOTHING if number is None else f"{number:.2f}"


def _notes(one: Benched) -> list[str]:
    """Notes on what a reader of the tables would ask."""
    notes, counts = [], one.measured.whole
    if one.loaded.reason != "asked for" and one.loaded.simulator is None:
        notes.append(f"played by {one.loaded.engine}: {one.loaded.reason}")
    if one.gear_seconds is not None and not one.has_gear:
        notes.append("straight-line code is not faster here, or was not ready in time")
    if counts.cut:
        share = f"{counts.cut / counts.playouts:.1%}"
        notes.append(f"{share} of the playouts were cut at the limit; see --limit")
    if not counts.playouts:
        notes.append("no playout ended in time; see --seconds and --limit")
    return notes
