"""The `--db` of a command line, and what can be wrong with it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ggp.cli.failures import WrongUseError


@contextmanager
def naming_db() -> Iterator[None]:
    """Let a URL that leads to no database be wrong use of `--db`.

    Raises:
        WrongUseError: It is none.
    """
    from ggp.manager.store.database import DatabaseUrlError

    try:
        yield
    except DatabaseUrlError as error:
        raise WrongUseError(f"--db: {error}") from error
