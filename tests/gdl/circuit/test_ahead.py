"""Kernels are compiled ahead of time by several processes, once for all that need them."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from gdl.circuit.native.ahead import compile_once, is_complete

PARTS = ["one", "other"]
# Stands for a room: notes what it was asked to compile.
ROOM = """
import sys
from pathlib import Path
with (Path(__file__).parent / "compiled").open("a") as file:
    print(sys.argv[1], file=file)
"""


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a module `the_room`, which this process can import, but only this one."""
    (tmp_path / "the_room.py").write_text(ROOM)
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path


def test_kernels_are_compiled_once_for_all_who_need_them(room: Path) -> None:
    """The others wait until all parts are there."""
    announced: list[str] = []

    def need(_: int) -> bool:
        compile_once(room, "the_room", PARTS, lambda: announced.append("compiling"))
        return is_complete(room)

    with ThreadPoolExecutor(3) as threads:
        are_complete = list(threads.map(need, range(3)))

    assert are_complete == [True] * 3
    assert sorted((room / "compiled").read_text().split()) == PARTS
    assert announced == ["compiling"]


def test_kernels_that_could_not_be_compiled_are_not_complete(
    room: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Whoever needs them tries again."""
    (room / "the_room.py").write_text("raise SystemExit(1)")

    compile_once(room, "the_room", PARTS)

    assert not is_complete(room)
    assert "could not be compiled ahead of time" in caplog.text


def test_without_a_cache_nothing_is_compiled_ahead() -> None:
    """Each process would have to compile all the same."""
    announced: list[str] = []

    compile_once(None, "the_room", PARTS, lambda: announced.append("compiling"))

    assert announced == []
