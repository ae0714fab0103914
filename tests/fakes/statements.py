"""Statements to SQLite are executed on the event loop, not by a thread of each connection.

Waking a thread for each of them takes most of the time of a test that has a manager, and more on a
busy machine. Every statement still lets others have a turn of the loop before it is executed.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from aiosqlite.core import Connection, set_exception, set_result

Item = tuple["asyncio.Future[Any] | None", Callable[[], Any]]


class _Statements:
    """A queue in whose place the loop has them."""

    def put_nowait(self, item: Item) -> None:
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:  # a connection that nobody has closed is finalized
            _execute(*item)
        else:
            loop.call_soon(_execute, *item)


class _NoThread:
    daemon = True

    def start(self) -> None:
        pass


def _execute(future: asyncio.Future[Any] | None, function: Callable[[], Any]) -> None:
    try:
        result = function()
    except BaseException as error:
        if future is not None:
            set_exception(future, error)
    else:
        if future is not None:
            set_result(future, result)


@contextmanager
def executed_on_the_loop() -> Iterator[None]:
    """Have no connection to SQLite a thread, inside the `with`."""
    make = Connection.__init__

    def make_without(connection: Any, *arguments: Any, **options: Any) -> None:
        make(connection, *arguments, **options)
        connection._tx, connection._thread = _Statements(), _NoThread()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Connection, "__init__", make_without)
        yield
