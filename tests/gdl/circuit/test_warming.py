"""Kernels are compiled once, by several processes, and none is missing when a game begins."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import gdl
from gdl.circuit import warming
from gdl.native import kernel_cache
from tests.shared import REPOSITORY

pytestmark = pytest.mark.usefixtures("kernels")

# Warms up, plays games in every way, and prints what was announced, then the kernels compiled.
PLAY = """
import sys
from pathlib import Path
from numba.core import event
compiled = []
class Listener(event.Listener):
    def on_start(self, one): pass
    def on_end(self, one): compiled.append(one.data["dispatcher"].py_func.__qualname__)
import gdl
gdl.warm_up(print)
event.register("numba:compile", Listener())
for path in map(Path, sys.argv[1:]):
    loaded = gdl.load(path.read_text())
    machine, state = loaded.machine, loaded.machine.initial_state()
    moves = [machine.legal_moves(state, role)[0] for role in machine.roles]
    machine.goals(machine.next_state(state, moves), machine.roles[0])
    machine.random_playouts(2)
    loaded.simulator.playouts(steps=20)
    expander = loaded.simulator.expander(1)
    expander.children[0] = expander.initial
    expander.look(1, 0)
    expander.play(1, 0, 1, 100)
print(compiled)
"""
GAMES = [REPOSITORY / "games" / f"{name}.kif" for name in ("ticTacToe", "goofspiel", "hex", "pig")]


def new_kernel_folder() -> Path | None:
    """The folder that a process that begins now would use."""
    return kernel_cache.kernel_folder.__wrapped__()


def _play(tmp_path: Path, games: list[Path]) -> list[str]:
    environment = os.environ | {"GGP_CACHE_DIR": str(tmp_path)}
    command = [sys.executable, "-c", PLAY, *map(str, games)]
    done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    return done.stdout.splitlines()


@pytest.mark.thorough
def test_no_kernel_is_compiled_after_warming_up(tmp_path: Path) -> None:
    """Not for building circuits, not for single states, not for lanes."""
    warming.warm_up()

    assert _play(tmp_path, GAMES) == ["[]"]


def test_warming_up_says_what_takes_long_once() -> None:
    """Once the kernels lie on the disk there is nothing to say."""
    warming.warm_up()
    said: list[str] = []

    warming.warm_up(said.append)

    assert gdl.is_warm()
    assert said == []


def test_kernels_of_other_sources_are_other_kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    """The functions that a function calls count, not only the file in which it stands."""
    before = kernel_cache.processor_key("kernels")
    monkeypatch.setattr(kernel_cache, "stamp", lambda *packages: f"other {packages}")

    assert kernel_cache.processor_key("kernels") != before


def test_folders_of_old_kernels_are_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The ones used least recently go; this process's own stays."""
    kernels = tmp_path / "kernels"
    for age in range(2 * kernel_cache.KEPT):
        old = kernels / f"old-{age}"
        old.mkdir(parents=True, mode=0o700)
        os.utime(old, (1_000_000 - age, 1_000_000 - age))
    tmp_path.chmod(0o700)
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))

    own = new_kernel_folder()

    assert own is not None
    kept = {"old-0", "old-1", "old-2", own.name}
    assert {path.name for path in kernels.iterdir()} == kept


def test_an_unsafe_folder_holds_no_kernels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Any file that is read there is run."""
    tmp_path.chmod(0o777)
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))

    assert new_kernel_folder() is None
    assert not list(tmp_path.iterdir())


def write_package(folder: Path, number: int) -> Path:
    """A package `searching` with a kernel that calls one from another file, which is `number`."""
    package = folder / "searching"
    package.mkdir(exist_ok=True)
    (package / "__init__.py").write_text("")
    (package / "outer.py").write_text(
        "import gdl\nfrom searching.inner import one\n\n\n"
        "@gdl.kernel\ndef two():\n    return one() + 1\n"
    )
    text = f"import gdl\n\n\n@gdl.kernel\ndef one():\n    return {number}\n"
    (package / "inner.py").write_text(text)
    return package


def test_a_changed_package_has_another_folder_for_its_kernels(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whichever of its files has changed, all of its kernels are compiled anew."""
    tmp_path.chmod(0o700)
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    find = kernel_cache.folder_of_packages.__wrapped__  # it finds each once in a process

    folders = [find((write_package(tmp_path, number),), "searching") for number in (1, 5, 1)]

    assert None not in folders
    assert folders[0] == folders[2] != folders[1]


@pytest.mark.thorough
def test_kernels_elsewhere_follow_their_package(tmp_path: Path) -> None:
    """Changing a kernel has one that calls it, from another file, compiled anew."""
    tmp_path.chmod(0o700)
    environment = os.environ | {"GGP_CACHE_DIR": str(tmp_path), "PYTHONPATH": str(tmp_path)}
    environment["PYTHONPATH"] += os.pathsep + str(REPOSITORY)
    environment["PYTHONDONTWRITEBYTECODE"] = "1"  # it takes two sources of one second for the same
    command = [sys.executable, "-c", "from searching.outer import two; print(two())"]

    results = []
    for number in (1, 5):
        write_package(tmp_path, number)
        done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
        results.append(done.stdout.strip())

    assert results == ["2", "6"]


@pytest.mark.thorough
def test_kernels_elsewhere_of_the_same_source_are_shared(tmp_path: Path) -> None:
    """A package in a clone and its installed twin need not both be compiled."""
    text = "import gdl\n\n\n@gdl.kernel\ndef one():\n    return 1\n"
    program = "from searching.one import one; one(); print(sum(one.stats.cache_hits.values()))"

    hits = []
    for place in ("clone", "installed"):
        package = tmp_path / place / "searching"
        package.mkdir(parents=True)
        (package / "one.py").write_text(text)
        hits.append(_run(program, tmp_path, tmp_path / place, REPOSITORY))

    assert hits == ["0", "1"]


@pytest.mark.thorough
def test_kernels_of_a_clone_and_of_an_install_are_shared(tmp_path: Path) -> None:
    """Their place depends on what the sources say, not on where they lie."""
    shutil.copytree(REPOSITORY / "gdl", tmp_path / "copy" / "gdl")
    program = (
        "from gdl.circuit import and_gates as gates;"
        "print(gates.__file__, gates.rebuild.stats.cache_path)"
    )

    places = [_run(program, tmp_path, path).split() for path in (REPOSITORY, tmp_path / "copy")]

    assert places[0][0] != places[1][0]
    assert places[0][1] == places[1][1]


def _run(program: str, cache: Path, *paths: Path) -> str:
    """Output of a program that imports from these folders."""
    cache.chmod(0o700)
    environment = os.environ | {"GGP_CACHE_DIR": str(cache), "NUMBA_CACHE_DIR": str(cache)}
    environment["PYTHONPATH"] = os.pathsep.join(map(str, paths))
    command = [sys.executable, "-c", program]
    # From a folder where nothing is found that could be imported instead.
    done = subprocess.run(
        command, cwd=cache, env=environment, check=True, capture_output=True, text=True
    )
    return done.stdout.strip()
