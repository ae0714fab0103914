"""Output of `ggp bench match`: how fast a search is in each turn, beside when all is ready."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median
from typing import TYPE_CHECKING, Final

from ggp.terminal.console import console, counted, figure, or_dash, table

if TYPE_CHECKING:
    from ggp.bench.served_match import OwnTurn, ServedFigures

PHASES: Final = ("read", "ground", "build", "compile", "ready", "search")
ENOUGH: Final = 0.6
"""The share of the known rate that a game must reach in all its turns to be counted as well off."""


def print_served(found: Sequence[ServedFigures]) -> None:
    """Print what was measured, and what there is to say of it."""
    num_turns = max(len(one.turns) for one in found)
    turns = [f"turn {number}" for number in range(1, num_turns + 1)]
    numbers = ["gates", "bench", "startclock", *turns, "least", "median", "replaced", "fallbacks"]
    rows = [_row(one, num_turns) for one in found]
    console().print(table(["game", *numbers], rows, ",".join(numbers)))
    print(
        "bench: iterations a second of ggp bench search; startclock: iterations until the first own"
    )
    print("turn; then iterations a second of each turn with a choice, - where the move was clear;")
    print("least, median: these rates by the bench's.")
    rows = [_start(one) for one in found]
    console().print(table(["s from START", *PHASES], rows, ",".join(PHASES)))
    print("read, ready, search: since START came; the others: how long each took.")
    for one in found:
        for note in _notes(one):
            print(f"{one.name}: {note}")
    print(_summary(found))


def _row(one: ServedFigures, num_turns: int) -> tuple[str, ...]:
    ratios = one.ratios
    rates = [_rate(each) for each in one.turns]
    ahead = one.iterations_at_start
    return (
        one.name,
        "-" if one.num_gates is None else f"{one.num_gates:,}",
        figure(one.known.iterations_per_second),
        "-" if ahead is None else figure(ahead),
        *rates,
        *[""] * (num_turns - len(rates)),
        f"{min(ratios):.2f}" if ratios else "-",
        f"{median(ratios):.2f}" if ratios else "-",
        or_dash(one.num_replaced or None),
        or_dash(one.fallbacks.total() or None),
    )


def _start(one: ServedFigures) -> tuple[str, ...]:
    seconds = [one.start_seconds.get(phase) for phase in PHASES]
    return one.name, *("-" if each is None else f"{each:.2f}" for each in seconds)


def _rate(turn: OwnTurn) -> str:
    return figure(turn.iterations / turn.seconds) if turn.is_counted else "-"


def _notes(one: ServedFigures) -> list[str]:
    notes = []
    if one.fallbacks:
        told = ", ".join(f"{origin} ({number})" for origin, number in one.fallbacks.items())
        notes.append(f"moves that the player did not choose: {told}")
    if not one.ratios:
        notes.append("every move was clear, or there was none: no rate to compare")
    if one.known.is_ended:
        notes.append(f"the bench had nothing left to learn after {one.known.seconds:.3f} s")
    return notes


def _summary(found: Sequence[ServedFigures]) -> str:
    """The share of the games that are well off in all turns, and the worst."""
    compared = [(min(one.ratios), one.name) for one in found if one.ratios]
    if not compared:
        return "No game to compare."
    num_well = sum(ratio >= ENOUGH for ratio, _ in compared)
    ratio, worst = min(compared)
    games = f"{num_well} of {counted(len(compared), 'game')} ({num_well / len(compared):.0%})"
    well = f"All turns at {ENOUGH:.1f} of the bench's rate or more: {games}"
    return f"{well}; worst: {worst}, {ratio:.2f}."
