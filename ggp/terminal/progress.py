"""Progress of what takes long: a line or bars on standard error, if that is a terminal."""

from __future__ import annotations

from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING, Self

import typer

if TYPE_CHECKING:
    from rich.progress import Progress as Bars
    from rich.progress import ProgressColumn

    import gdl


class Progress:
    """A line that says what is being done with a game."""

    def __init__(self, name: str) -> None:
        from rich.console import Console

        self._name = name
        self._status = Console(stderr=True).status(name)

    def say(self, text: str) -> None:
        """Show what is being done now."""
        self._status.update(f"{self._name}: {text}")

    def __enter__(self) -> Self:
        self._status.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._status.stop()


def bars(*columns: ProgressColumn) -> Bars:
    """Bars with these columns, which go away in the end."""
    from rich.console import Console
    from rich.progress import Progress as Bars

    terminal = Console(stderr=True)
    return Bars(*columns, console=terminal, transient=True, disable=not terminal.is_terminal)


def load_kernels(verb: str, warm_up: Callable[[Callable[[str], None]], None]) -> None:
    """Load what all games share, so that no game's time has it in; say so if it is compiled.

    Args:
        verb: The command, for what is said.
        warm_up: Loads what the verb needs, and is handed a function that says what takes long.
    """
    with Progress("kernels"):
        warm_up(lambda text: typer.echo(f"{verb}: {text}", err=True))


def load_search_kernels(verb: str, engine: gdl.Engine) -> None:
    """Load the kernels of reasoner and searches, if games are played by this engine on them."""
    if engine in {"interpreter", "scalar"}:
        return
    from ggp.search.arrays import warming

    load_kernels(verb, warming.warm_up)
