"""Options of the verbs that host matches: `ggp manager` and `ggp tournament`."""

from __future__ import annotations

from typing import Annotated

import typer

AllowHost = Annotated[
    list[str] | None,
    typer.Option(
        metavar="HOST", help="A host where players may run beside this one; may be repeated."
    ),
]
Jobs = Annotated[
    int,
    typer.Option(metavar="NUMBER", min=0, help="Searching players at once; 0: as many as cores."),
]
