"""Options of players as a command line gives them."""

from __future__ import annotations

import typer


def options_of(pairs: list[str]) -> dict[str, str]:
    """The options in `KEY=VALUE` texts, by name.

    Raises:
        typer.BadParameter: A text has another form.
    """
    options: dict[str, str] = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals or not key.strip():
            raise typer.BadParameter(f"expected KEY=VALUE, got {pair!r}", param_hint="--option")
        options[key.strip()] = value.strip()
    return options
