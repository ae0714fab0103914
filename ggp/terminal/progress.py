"""Progress of long tasks: a line or bars on standard error, if that is a terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from rich.progress import Progress, ProgressColumn

    import gdl


@contextmanager
def progress(name: str) -> Iterator[Callable[[str], None]]:
    """Show a line about a task. Yield a function that updates the line's text."""
    from rich.console import Console

    with Console(stderr=True).status(name) as status:
        yield lambda text: status.update(f"{name}: {text}")


def bars(*columns: ProgressColumn) -> Progress:
    """Create progress bars with the given columns. The bars disappear at the end."""
    from rich.console import Console
    from rich.progress import Progress

    terminal = Console(stderr=True)
    return Progress(*columns, console=terminal, transient=True, disable=not terminal.is_terminal)


def load_kernels(verb: str, warm_up: Callable[[Callable[[str], None]], None]) -> None:
    """Load kernels now, so that loading them does not count in the time of the first game.

    Report slow steps, such as compiling, on standard error.

    Args:
        verb: Name of the command, for messages.
        warm_up: Loads what the command needs. It takes a function that reports slow steps.
    """
    with progress("kernels"):
        warm_up(lambda text: typer.echo(f"{verb}: {text}", err=True))


def engine_at_once(verb: str, engine: gdl.Engine, say: Callable[[str], None]) -> gdl.Engine:
    """Return the reasoner to use now: `engine`, with its kernels loaded, or the interpreter.

    The interpreter replaces `auto` as long as its kernels are being compiled in another process.

    Args:
        say: Called with a message if the interpreter replaces `auto`.
    """
    if engine == "auto":
        from ggp.warming import SLOWER_MESSAGE
        from ggp.warming import kernels as warming

        if warming.are_on_their_way():
            say(SLOWER_MESSAGE)
            return "interpreter"
    load_search_kernels(verb, engine)
    return engine


def load_search_kernels(verb: str, engine: gdl.Engine) -> None:
    """Load the kernels of the reasoner and the searches, if the given engine uses them."""
    if engine in {"interpreter", "scalar"}:
        return
    from ggp.warming import kernels as warming

    load_kernels(verb, warming.warm_up)
