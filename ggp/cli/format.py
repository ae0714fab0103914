"""`ggp format`: print rulesheets in a regular layout."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from ggp.cli.checks import save_text
from ggp.cli.options import Rulesheets, flag
from ggp.errors import GgpError, WrongUseError

if TYPE_CHECKING:
    from ggp.rulesheets import RulesheetText


def format(
    files: Rulesheets,
    check: Annotated[
        bool, flag("Change nothing. Exit with 1 if a file is not formatted.", "--check")
    ] = False,
    write: Annotated[
        bool,
        flag(
            "Change the files instead of printing them. This needs files of your "
            "own, not bundled games or -.",
            *("--write", "-w"),
        ),
    ] = False,
) -> None:
    """Print rulesheets in a regular layout. Comments and the case of symbols stay.

    Exits with 1 if a file is not a rulesheet, with 2 if it cannot be read.

    Examples:
        ggp format my.kif
        ggp format --write my.kif
    """
    if check and write:
        raise typer.BadParameter(
            "--check changes no files, but --write does; give only one of them"
        )
    worst = max(_format_one(argument, check=check, write=write) for argument in files)
    if worst:
        raise typer.Exit(worst)


def _format_one(argument: str, *, check: bool, write: bool) -> int:
    import gdl
    from ggp.rulesheets import find_text

    try:
        sheet = find_text(argument)
        if write:
            _check_writable(argument, sheet)
        if gdl.is_epilog(sheet.text):
            typer.echo(
                f"ggp format: {sheet.name}: expected prefix KIF, got Epilog, which cannot "
                "be formatted",
                err=True,
            )
            return 1
        formatted = gdl.format_kif(sheet.text, sheet.name)
        if not check:
            _put(sheet, formatted, write=write)
    except GgpError as error:
        typer.echo(f"ggp format: {error}", err=True)
        return 2 if isinstance(error, WrongUseError) else 1
    except gdl.GdlSyntaxError as error:
        typer.echo(f"ggp format: {error.explain()}", err=True)
        return 1
    if check and formatted != sheet.text:
        typer.echo(
            f"ggp format: {sheet.name}: the layout is not regular; ggp format --write changes it",
            err=True,
        )
        return 1
    return 0


def _check_writable(argument: str, sheet: RulesheetText) -> None:
    if sheet.path is None:
        raise WrongUseError("--write needs a file; it cannot change standard input (-)")
    if str(sheet.path) != argument:
        hint = f"save it first: ggp games {argument} --source > {argument}.kif"
        raise WrongUseError(
            f"--write needs a file of your own, but {argument} is a bundled game; {hint}"
        )


def _put(sheet: RulesheetText, formatted: str, *, write: bool) -> None:
    if not write or sheet.path is None:
        typer.echo(formatted, nl=False)
    elif formatted != sheet.text:
        save_text(sheet.path, formatted)
