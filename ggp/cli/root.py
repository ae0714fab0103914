"""How the command ends: exit codes, and one line on standard error instead of a stack trace.

0: done. 1: failed, with the reason in a line. 2: wrong use. 130: interrupted.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Any

import typer
from typer.core import TyperGroup

FAILED = 1
WRONG_USE = 2
INTERRUPTED = 130
TRACEBACK_VARIABLE = "GGP_TRACEBACK"

# Newer typers carry a click of their own; the class is found where both have it.
UsageError: type[Exception] = typer.BadParameter.__bases__[0]


class Root(TyperGroup):
    """The group of all verbs: turns what a verb raises into a line and an exit code."""

    def main(  # type: ignore[override]  # the bases differ between versions of typer
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> Any:
        """Run the verb that the arguments name; without arguments, show the help."""
        args = list(sys.argv[1:] if args is None else args) or ["--help"]
        if not standalone_mode:
            return super().main(args, prog_name, complete_var, standalone_mode=False, **extra)
        try:
            # Typer returns the code of `typer.Exit`, and the verb's result otherwise: None.
            result = super().main(args, prog_name, complete_var, standalone_mode=False, **extra)
        except UsageError as error:
            _say(_wrong_use(error))
            sys.exit(WRONG_USE)
        except (typer.Abort, KeyboardInterrupt):
            sys.exit(INTERRUPTED)
        except Exception as error:  # noqa: BLE001  # the outermost edge
            sys.exit(_failed(error))
        sys.exit(result if isinstance(result, int) else 0)


def print_version(is_asked: bool) -> None:
    """Print the version and leave, if `--version` was given."""
    if is_asked:
        from ggp import __version__

        print(f"ggp {__version__}")
        raise typer.Exit


def _wrong_use(error: Any) -> str:
    """What is wrong with the arguments, and where the right ones are listed."""
    context = error.ctx
    command = context.command_path if context is not None else "ggp"
    # Raised by a verb rather than by the parser, it has no parameter and would say so.
    is_ours = isinstance(error, typer.BadParameter) and error.param is None
    reason = " ".join((error.message if is_ours else error.format_message()).split())
    return f"{command}: {reason} (see {command} --help)"


def _failed(error: Exception) -> int:
    """Say why a verb failed; the exit code."""
    from ggp.errors import GgpError

    if os.environ.get(TRACEBACK_VARIABLE):
        raise error
    gdl = sys.modules.get("gdl")  # if it is not loaded, it has raised nothing
    if gdl is not None and isinstance(error, gdl.GdlError):
        _say(error.explain())
    elif isinstance(error, GgpError | OSError):
        _say(f"ggp: {error}")
    else:
        hint = f"set {TRACEBACK_VARIABLE}=1 to see where"
        _say(f"ggp: internal error: {type(error).__name__}: {error} ({hint})")
    return FAILED


def _say(text: str) -> None:
    print(text, file=sys.stderr)
