"""Errors as a notebook shows them: the message, without a stack trace."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from types import UnionType

import gdl
from ggp.errors import GgpError


class NotebookError(GgpError):
    """What a cell asks for cannot be done; the message says why."""

    def _render_traceback_(self) -> list[str]:
        """What IPython shows in place of a stack trace."""
        return [f"{type(self).__name__}: {self}"]


def check_kind(name: str, value: object, kind: type | UnionType, expected: str) -> None:
    """See that an argument is of a kind.

    Raises:
        NotebookError: It is not; says what is expected.
    """
    if not isinstance(value, kind):
        raise NotebookError(f"{name}: expected {expected}, got {value!r:.80}")


@contextmanager
def told_plainly() -> Iterator[None]:
    """Errors that are raised on purpose become those that a notebook shows without a stack trace.

    Raises:
        NotebookError: In their place.
    """
    try:
        yield
    except NotebookError:
        raise
    except gdl.GdlError as error:
        raise NotebookError(error.explain()) from error
    except GgpError as error:
        raise NotebookError(str(error)) from error
