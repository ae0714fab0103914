"""Common parts of the verbs that host matches, `ggp manager` and `ggp tournament`."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Annotated

import typer

from ggp.cli.failures import CommandFailedError

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

# What the extra `manager` of pyproject.toml installs.
PACKAGES = ("aiosqlite", "alembic", "jinja2", "pydantic", "sqlalchemy")


def require_packages() -> None:
    """See that there is what only hosting needs, and a plain install leaves out.

    Raises:
        CommandFailedError: It is not there; the message says what to type.
    """
    missing = [name for name in PACKAGES if find_spec(name) is None]
    if missing:
        raise CommandFailedError(
            f"hosting needs {', '.join(missing)} as well: type  pip install 'ggp-agent[manager]'  "
            "or, in a clone,  pip install '.[manager]'"
        )
