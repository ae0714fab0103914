"""Kernels are compiled once, ahead of time, whoever needs them and whoever dies meanwhile."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from unittest.mock import Mock

import pytest

from gdl.native.kernel_cache import compile_apart, compile_once, is_complete

COMPILER = """
import os, pathlib, time
folder = pathlib.Path(os.environ["PLACE"])
with (folder / "compilers").open("a") as file:
    print(os.getpid(), os.getsid(0) == os.getpid(), os.nice(0), file=file)
while not (folder / "go").exists():
    time.sleep(0.01)
(folder / "compiled").touch()
"""
PARENT = """
import pathlib, sys
from gdl.native.kernel_cache import compile_apart
folder = pathlib.Path(sys.argv[1])
compile_apart(folder, "slow_compiler", (folder / "compiled").exists)
"""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a compiler that waits for a file `go`."""
    (tmp_path / "slow_compiler.py").write_text(COMPILER)
    monkeypatch.setenv("PLACE", str(tmp_path))
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


def until(path: Path, text: str = "") -> str:
    """The text of a file, as soon as it is there and has this text in it."""
    deadline = time.monotonic() + 60
    while not (path.exists() and text in path.read_text()):
        assert time.monotonic() < deadline, f"no {path.name}"
        time.sleep(0.01)
    return path.read_text()


def test_what_is_compiled_is_not_compiled_again(place: Path) -> None:
    """No process is started."""
    compile_apart(place, "slow_compiler", lambda: True)

    assert not (place / "compilers").exists()


def test_without_a_disk_nothing_is_compiled_apart() -> None:
    """The result of compiling could not be kept."""
    is_done = Mock(return_value=False)

    compile_apart(None, "slow_compiler", is_done)

    is_done.assert_not_called()


def test_several_wait_for_one_compiler(place: Path) -> None:
    """It is in a session of its own, and has the priority of those who play."""
    waiting = [
        threading.Thread(
            target=compile_apart, args=(place, "slow_compiler", (place / "compiled").exists)
        )
        for _ in range(3)
    ]
    for thread in waiting:
        thread.start()
    until(place / "compilers", "\n")
    (place / "go").touch()
    for thread in waiting:
        thread.join()

    (line,) = (place / "compilers").read_text().splitlines()
    assert line.split()[1:] == ["True", str(os.nice(0))]


def test_the_compiler_outlives_who_wanted_it(place: Path) -> None:
    """Its result is there for the next one, who waits for it and starts no other."""
    command = [sys.executable, "-c", PARENT, str(place)]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(place), *sys.path])}
    with subprocess.Popen(command, env=environment) as parent:
        until(place / "compilers", "\n")
        parent.send_signal(signal.SIGKILL)
    next_one = threading.Thread(
        target=compile_apart, args=(place, "slow_compiler", (place / "compiled").exists)
    )
    next_one.start()
    (place / "go").touch()
    next_one.join()

    assert (place / "compiled").exists()
    assert len((place / "compilers").read_text().splitlines()) == 1


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
