"""Output of `ggp bench`: a message for each game that fails, and tables of the other games."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Sequence
from statistics import median
from typing import TYPE_CHECKING, Final, Protocol, TypeVar

import typer

import gdl
from ggp.plurals import counted
from ggp.search.core.choices import StuckError
from ggp.terminal.console import MEGABYTE, console, figure, or_dash, print_json, table
from ggp.terminal.progress import progress

if TYPE_CHECKING:
    from ggp.bench.reasoners import Case, Comparison, PlayoutFigures
    from ggp.bench.searches import SearchFigures
    from ggp.bench.served_match import OwnTurn, ServedFigures
    from ggp.log import ReportLine


_STAGES: Final = ("parse", "ground", "build", "compile")
Result = TypeVar("Result")


class Measured(Protocol):
    """The results of measuring one game."""

    def to_json(self) -> dict[str, object]:
        """Return the measurement as a JSON object."""


Figures = TypeVar("Figures", bound=Measured)


def each_playable(
    verb: str, cases: Sequence[Case], work: Callable[[Case, ReportLine], Result]
) -> Iterator[tuple[Case, Result]]:
    """Yield each case with its result. If the work fails, report why and skip the case."""
    for case in cases:
        try:
            with progress(case.name) as report:
                result = work(case, report)
        except (gdl.GdlError, StuckError, MemoryError) as error:
            typer.echo(f"{verb}: {_why_not(case, error)}", err=True)
        else:
            yield case, result


def measure_all(
    verb: str,
    cases: Sequence[Case],
    work: Callable[[Case, ReportLine], Figures],
    show: Callable[[Sequence[Figures]], None] | None,
) -> None:
    """Measure games and print the results, even after Ctrl-C. Exit with 1 if a game failed.

    Args:
        verb: Name of the command, for messages.
        show: Prints the results for people. If it is None, the results are printed as JSON.
    """
    found: list[Figures] = []
    try:
        for _, figures in each_playable(verb, cases, work):
            found.append(figures)
    finally:
        if show is None:
            print_json([figures.to_json() for figures in found])
        elif found:
            show(found)
    if len(found) < len(cases):
        raise typer.Exit(1)


def _why_not(case: Case, error: gdl.GdlError | StuckError | MemoryError) -> str:
    if isinstance(error, MemoryError):
        return f"{case.name}: the game does not fit in memory"
    if isinstance(error, StuckError):
        hint = f"ggp check {shlex.quote(case.argument)} tells more about these rules"
        return f"{case.name}: {error}; {hint}"
    text = error.explain()
    return text if error.span is not None else f"{case.name}: {text}"


def print_playouts(found: Sequence[PlayoutFigures]) -> None:
    """Print tables of the speeds and start-up times, and notes on the games."""
    shown = console()
    headings = ["game", "engine", "playouts/s", "states/s", "CPU", "length", "mean goals"]
    rows = [_playing(one) for one in found]
    shown.print(table(headings, rows, "playouts/s,states/s,CPU,length"))
    headings = ["ready in s", *_STAGES, "total", "bases", "inputs", "gates"]
    rows = [_readiness(one) for one in found]
    shown.print(table(headings, rows, ",".join(headings[1:])))
    print(
        "Rates are per second of wall-clock time. CPU: the share of this time in "
        "which a thread had a core."
    )
    for one in found:
        for note in _notes(one):
            print(f"{one.name}: {note}")


def print_compared(found: Sequence[Comparison]) -> None:
    """Print a table of how fast each reasoner is."""
    reasoners = list(found[0].rates)
    rows = [
        (
            one.name,
            *("-" if rate is None else figure(rate) for rate in one.rates.values()),
            _two_digits(one.length),
        )
        for one in found
    ]
    numbers = [*reasoners, "length"]
    console().print(table(["game", *numbers], rows, ",".join(numbers)))
    print("Playouts per second of CPU time in one thread. -: the reasoner cannot play the game.")


def print_searches(found: Sequence[SearchFigures]) -> None:
    """Print a table of the searches' results, and notes on the games."""
    headings = ["game", "tree", "iterations/s", "playouts/s", "nodes", "depth", "MB", "signature"]
    rows = [_searching(one) for one in found]
    console().print(table(headings, rows, ",".join(headings[2:7])))
    for one in found:
        if not one.is_on_lanes:
            why = f"engine {one.loaded.engine}: {one.loaded.reason}"
            print(f"{one.name}: searched one position at a time, in Python; {why}")
        if one.is_ended:
            print(f"{one.name}: nothing was left to learn after {one.seconds:.3f} s")


def _searching(one: SearchFigures) -> tuple[str, ...]:
    size = one.effort.num_bytes
    return (
        one.name,
        "lanes" if one.is_on_lanes else "python",
        figure(one.iterations_per_second),
        figure(one.playouts_per_second),
        f"{one.effort.num_nodes:,}",
        f"{one.effort.depth:,}",
        "-" if size is None else f"{size / MEGABYTE:,.1f}",
        one.signature,
    )


def _playing(one: PlayoutFigures) -> tuple[str, ...]:
    speed = one.speed
    roles = one.loaded.machine.roles
    goals = [
        _two_digits(goal)
        for role, goal in zip(roles, speed.mean_goals, strict=True)
        if not gdl.is_random(role)
    ]
    return (
        one.name,
        one.loaded.engine,
        figure(speed.playouts_per_second),
        figure(speed.states_per_second),
        f"{speed.cpu_seconds / speed.seconds:.0%}",
        _two_digits(speed.mean_length),
        " ".join(goals),
    )


def _readiness(one: PlayoutFigures) -> tuple[str, ...]:
    stages = [one.loaded.timings.get(stage) for stage in _STAGES]
    times = [*map(_two_digits, stages), f"{one.ready_seconds:.2f}"]
    return one.name, *times, *("-" if size is None else f"{size:,}" for size in one.sizes)


def _two_digits(number: float | None) -> str:
    return "-" if number is None else f"{number:.2f}"


def _notes(one: PlayoutFigures) -> list[str]:
    notes, counts = [], one.speed.whole
    if one.loaded.reason != "asked for" and one.loaded.simulator is None:
        notes.append(f"played by {one.loaded.engine}: {one.loaded.reason}")
    if counts.cut:
        share = f"{counts.cut / counts.playouts:.1%}"
        notes.append(f"{share} of the playouts were cut at the limit; see --limit")
    if not counts.playouts:
        notes.append("no playout ended in time; see --seconds and --limit")
    return notes


PHASES: Final = ("read", "ground", "build", "compile", "ready", "search")
ENOUGH: Final = 0.6
"""A game counts as well searched if each turn reaches this share of the rate of `bench search`."""


def print_served(found: Sequence[ServedFigures]) -> None:
    """Print tables of the rates in each turn and of the phases of START, and notes on the games."""
    num_turns = max(len(one.turns) for one in found)
    turns = [f"turn {number}" for number in range(1, num_turns + 1)]
    numbers = ["gates", "bench", "startclock", *turns, "least", "median", "replaced", "fallbacks"]
    rows = [_row(one, num_turns) for one in found]
    console().print(table(["game", *numbers], rows, ",".join(numbers)))
    print(
        "bench: iterations per second of ggp bench search. startclock: iterations before the first"
    )
    print("own turn. turn: iterations per second of a turn with a choice, - if the move was clear.")
    print("least, median: these rates divided by the rate of the bench.")
    rows = [_start(one) for one in found]
    console().print(table(["s from START", *PHASES], rows, ",".join(PHASES)))
    print("read, ready, search: seconds from START until then. The others: how long each took.")
    for one in found:
        for note in _served_notes(one):
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


def _served_notes(one: ServedFigures) -> list[str]:
    notes = []
    if one.fallbacks:
        counts = ", ".join(f"{origin} ({number})" for origin, number in one.fallbacks.items())
        notes.append(f"moves that the player did not choose: {counts}")
    if not one.ratios:
        notes.append("every move was clear, or no turn had a choice: no rate to compare")
    if one.known.is_ended:
        notes.append(f"the bench had nothing left to learn after {one.known.seconds:.3f} s")
    return notes


def _summary(found: Sequence[ServedFigures]) -> str:
    compared = [(min(one.ratios), one.name) for one in found if one.ratios]
    if not compared:
        return "No game to compare."
    num_well = sum(ratio >= ENOUGH for ratio, _ in compared)
    ratio, worst = min(compared)
    games = f"{num_well} of {counted(len(compared), 'game')} ({num_well / len(compared):.0%})"
    well = f"All turns at {ENOUGH:.1f} of the bench's rate or more: {games}"
    return f"{well}; worst: {worst}, {ratio:.2f}."
