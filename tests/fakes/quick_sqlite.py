"""SQLite databases of the manager that cost little: without threads, and without waiting for disks.

Waking a connection's thread for each statement takes most of the time of a test that has a manager,
and waiting for the disk at each commit most of the rest. Here the event loop executes statements.
Each of them still lets others have a turn of the loop before it is executed.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from aiosqlite.core import Connection, set_exception, set_result

from ggp.manager.store import database


class _Statements:
    """A queue that passes everything on to the event loop."""

    def put_nowait(self, item: tuple[asyncio.Future[Any] | None, Callable[[], Any]]) -> None:
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:  # a connection that was never closed is finalized
            _execute(*item)
        else:
            loop.call_soon(_execute, *item)


class _NoThread:
    daemon = True
    ident = 0

    def start(self) -> None:
        pass

    def is_alive(self) -> bool:
        return False


def _execute(future: asyncio.Future[Any] | None, function: Callable[[], Any]) -> None:
    try:
        result = function()
    except Exception as error:  # noqa: BLE001  # whoever asked gets it
        if future is not None:
            set_exception(future, error)
    else:
        if future is not None:
            set_result(future, result)


@contextmanager
def quick_sqlite() -> Iterator[None]:
    """Make new connections to SQLite quick inside the `with`."""
    make, set_up = Connection.__init__, database._set_up_sqlite

    def make_without_thread(connection: Any, *arguments: Any, **options: Any) -> None:
        make(connection, *arguments, **options)
        connection._tx, connection._thread = _Statements(), _NoThread()

    def set_up_without_disk(connection: Any, record: object) -> None:
        set_up(connection, record)
        cursor = connection.cursor()
        cursor.execute("PRAGMA synchronous=OFF")
        cursor.close()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Connection, "__init__", make_without_thread)
        patch.setattr(database, "_set_up_sqlite", set_up_without_disk)
        yield
