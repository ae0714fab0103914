"""Errors as a notebook shows them: the message, without a stack trace."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from types import UnionType

import gdl
from ggp.errors import GgpError


class NotebookError(GgpError):
    """A cell cannot be carried out; the message says why."""

    def _render_traceback_(self) -> list[str]:
        """The lines that IPython shows in place of a stack trace."""
        return [f"{type(self).__name__}: {self}"]


def check_kind(name: str, value: object, kind: type | UnionType, expected: str) -> None:
    """Raise NotebookError unless an argument is of a kind."""
    if not isinstance(value, kind):
        raise NotebookError(f"{name}: expected {expected}, got {value!r:.80}")


@contextmanager
def plain_errors() -> Iterator[None]:
    """Turn errors that are raised on purpose into those that have no stack trace in a notebook."""
    try:
        yield
    except NotebookError:
        raise
    except gdl.GdlError as error:
        raise NotebookError(error.explain()) from error
    except GgpError as error:
        raise NotebookError(str(error)) from error
