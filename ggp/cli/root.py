"""End of the command: exit codes, and one line on standard error instead of a stack trace.

0: done. 1: well-formed, but it could not be carried out. 2: wrong use. 130: interrupted. Every
line begins with the command and its verb.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Any

import typer

from ggp.cli.verbs import Group, command_of, words_of

FAILED = 1
WRONG_USE = 2
INTERRUPTED = 130
TRACEBACK_VARIABLE = "GGP_TRACEBACK"

# Newer typers carry a click of their own; the class is found where both have it.
UsageError: type[Exception] = typer.BadParameter.__bases__[0]


class Root(Group):
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
        args = list(sys.argv[1:] if args is None else args)
        if hasattr(command_of(self, args), "commands") and len(words_of(self, args)) == len(args):
            args.append("--help")
        if not standalone_mode:
            return super().main(args, prog_name, complete_var, standalone_mode=False, **extra)
        try:
            # Typer returns the code of `typer.Exit`, and the verb's result otherwise: None.
            result = super().main(args, prog_name, complete_var, standalone_mode=False, **extra)
        except UsageError as error:
            from ggp.cli.usage_errors import describe

            command = self._command(args)
            _say(f"{command}: {describe(error, self, args)} (see {command} --help)")
            sys.exit(WRONG_USE)
        except (typer.Abort, KeyboardInterrupt):
            _say(f"{self._command(args)}: interrupted")
            sys.exit(INTERRUPTED)
        except Exception as error:  # noqa: BLE001  # the outermost edge
            sys.exit(_failed(error, self._command(args)))
        if result == INTERRUPTED:  # newer typers catch KeyboardInterrupt themselves
            _say(f"{self._command(args)}: interrupted")
        sys.exit(result if isinstance(result, int) else 0)

    def _command(self, args: Sequence[str]) -> str:
        return " ".join(["ggp", *words_of(self, args)])


def print_version(is_asked: bool) -> None:
    """Print the version and leave, if `--version` was given."""
    if is_asked:
        from ggp import __version__

        print(f"ggp {__version__}")
        raise typer.Exit


def _failed(error: Exception, command: str) -> int:
    """Say why a verb failed; the exit code."""
    from ggp.errors import GgpError, UnknownNameError, WrongUseError, reason_of

    if os.environ.get(TRACEBACK_VARIABLE):
        raise error
    gdl = sys.modules.get("gdl")  # if it is not loaded, it has raised nothing
    if gdl is not None and isinstance(error, gdl.GdlError):
        _say(f"{command}: {error.explain()}")
    elif isinstance(error, OSError):
        place = f"{error.filename}: " if error.filename else ""
        _say(f"{command}: {place}{reason_of(error)}")
    elif isinstance(error, GgpError):
        _say(f"{command}: {error}")
    else:
        hint = f"set {TRACEBACK_VARIABLE}=1 to see where"
        _say(f"{command}: internal error: {type(error).__name__}: {error} ({hint})")
    return WRONG_USE if isinstance(error, WrongUseError | UnknownNameError) else FAILED


def _say(text: str) -> None:
    print(text, file=sys.stderr)
