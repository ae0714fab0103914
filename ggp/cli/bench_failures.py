"""Common parts of the verbs of `ggp bench`: wrong use, games in turn, and those that fail."""

from __future__ import annotations

import math
import os
import shlex
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeVar

import typer

from ggp.cli.console import print_json
from ggp.cli.progress import Progress

if TYPE_CHECKING:
    import gdl
    from ggp.cli.bench_games import Case

Result = TypeVar("Result")


class Measured(Protocol):
    """Measurement of one game."""

    def to_json(self) -> dict[str, object]:
        """As an object of JSON."""


Figures = TypeVar("Figures", bound=Measured)


def check_seconds(seconds: float) -> None:
    """Refuse what is no number of seconds."""
    if not math.isfinite(seconds):
        raise typer.BadParameter(f"--seconds: expected a number of seconds, got {seconds}")


def check_threads(threads: int) -> None:
    """Refuse threads that would take turns: what each plays in its own time would count twice."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    if cores is not None and threads > cores:
        raise typer.BadParameter(
            f"expected at most {cores}, the number of cores, got {threads}", param_hint="--threads"
        )


def load_kernels(verb: str, warm_up: Callable[[Callable[[str], None]], None]) -> None:
    """Load what all games share, so that no game's time has it in; say so if it is compiled.

    Args:
        verb: The command, for what is said.
        warm_up: Loads what the verb needs, and is handed who says what takes long.
    """
    with Progress("kernels"):
        warm_up(lambda text: typer.echo(f"{verb}: {text}", err=True))


@dataclass(slots=True)
class Failures:
    """The games that could not be played by a verb."""

    verb: str
    any: bool = False

    def each(
        self, cases: list[Case], work: Callable[[Case, Progress], Result]
    ) -> Iterator[tuple[Case, Result]]:
        """Do the work for each game, and say what is wrong with those where it fails."""
        import gdl
        from ggp.search.choices import StuckError

        for case in cases:
            try:
                with Progress(case.name) as progress:
                    result = work(case, progress)
            except (gdl.GdlError, MemoryError) as error:
                self._say(case.name, error)
            except StuckError as error:
                self.any = True
                hint = f"ggp check {shlex.quote(case.argument)} tells more about these rules"
                typer.echo(f"{self.verb}: {case.name}: {error}; {hint}", err=True)
            else:
                yield case, result

    def _say(self, name: str, error: gdl.GdlError | MemoryError) -> None:
        self.any = True
        text = "it does not fit in memory" if isinstance(error, MemoryError) else error.explain()
        has_place = not isinstance(error, MemoryError) and error.span is not None
        typer.echo(f"{self.verb}: {'' if has_place else f'{name}: '}{text}", err=True)


def measure_all(
    verb: str,
    cases: list[Case],
    measure: Callable[[Case, Progress], Figures],
    show: Callable[[list[Figures]], None] | None,
) -> bool:
    """Measure games and print what was found, after Ctrl-C too; whether all could be played.

    Args:
        verb: The command, for what is said.
        cases: The games.
        measure: Measures one.
        show: Prints what was found for people; None: it is printed as JSON.
    """
    failures = Failures(verb)
    found: list[Figures] = []
    try:
        for _, figures in failures.each(cases, measure):
            found.append(figures)
    finally:
        if show is None:
            print_json([figures.to_json() for figures in found])
        elif found:
            show(found)
    return not failures.any
