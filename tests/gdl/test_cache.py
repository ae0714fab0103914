"""The cache on disk: what is kept comes back whole or not at all, and only from a safe folder."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from gdl import cache

WRITER = """
import sys
from gdl import cache
for _ in range(40):
    cache.write("shared", sys.argv[1].encode() * 50_000)
    value = cache.read("shared")
    assert value is not None and len(set(value)) == 1, "torn"
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache for each test."""
    path = tmp_path / "cache"
    monkeypatch.setenv("GGP_CACHE_DIR", str(path))
    monkeypatch.delenv("GGP_CACHE_MEGABYTES", raising=False)
    return path


def _files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


def test_what_is_written_is_read() -> None:
    """A value comes back; another key has none."""
    cache.write("one", b"first")
    cache.write("one", b"second")

    assert cache.read("one") == b"second"
    assert cache.read("other") is None


@pytest.mark.parametrize("damage", ["cut", "flipped", "emptied"])
def test_a_damaged_file_is_absent_and_removed(folder: Path, damage: str) -> None:
    """A file that is not what was written is no value, and makes room for a new one."""
    cache.write("one", bytes(range(100)))
    [path] = _files(folder)
    data = path.read_bytes()
    path.write_bytes(
        {"cut": data[:-1], "flipped": data[:60] + b"!" + data[61:], "emptied": b""}[damage]
    )

    assert cache.read("one") is None
    assert not path.exists()


def test_processes_write_at_once() -> None:
    """A reader finds what one of two others wrote, while both write the same key."""
    writers = [subprocess.Popen([sys.executable, "-c", WRITER, name]) for name in "ab"]

    assert [writer.wait() for writer in writers] == [0, 0]
    assert cache.read("shared") in {b"a" * 50_000, b"b" * 50_000}


def test_what_was_used_least_recently_goes_first(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bound holds, and a value that was read stays longer than one that was only written."""
    monkeypatch.setenv("GGP_CACHE_MEGABYTES", "1")
    for age, name in enumerate(["newest", "middle", "oldest"]):
        cache.write(name, bytes(300_000))
        os.utime(folder / "games" / name, (1_000_000 - age, 1_000_000 - age))
    cache.read("oldest")

    cache.write("more", bytes(300_000))

    assert {path.name for path in _files(folder)} == {"oldest", "newest", "more"}


def test_what_is_larger_than_the_cache_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """It would drive everything else out, and itself."""
    monkeypatch.setenv("GGP_CACHE_MEGABYTES", "1")
    cache.write("small", b"kept")

    cache.write("large", bytes(2 << 20))

    assert cache.read("small") == b"kept"
    assert cache.read("large") is None


def test_zero_megabytes_switch_it_off(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is written, nor is what was written before read."""
    cache.write("before", b"kept")
    monkeypatch.setenv("GGP_CACHE_MEGABYTES", "0")
    cache.write("after", b"lost")

    assert cache.read("before") is None
    assert {path.name for path in _files(folder)} == {"before"}


def test_it_is_made_for_its_owner_alone(folder: Path) -> None:
    """Nobody else can put machine code there."""
    cache.write("one", b"first")

    assert folder.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("mode", [0o770, 0o702])
def test_a_folder_that_others_may_write_to_is_refused(
    folder: Path, mode: int, caplog: pytest.LogCaptureFixture
) -> None:
    """Neither read from nor written to, and the log says why."""
    cache.write("one", b"first")
    folder.chmod(mode)

    assert cache.read("one") is None
    assert "other users may write" in caplog.text


def test_a_folder_that_others_could_replace_is_refused(folder: Path, tmp_path: Path) -> None:
    """Whoever may write to the folder above may rename ours and put another in its place."""
    cache.write("one", b"first")
    tmp_path.chmod(0o777)
    refused = cache.read("one")
    tmp_path.chmod(0o1777)  # sticky: only owners rename

    assert refused is None
    assert cache.read("one") == b"first"


@pytest.mark.parametrize("mode", [0o770, 0o775])
def test_a_folder_that_a_group_could_replace_is_refused(
    folder: Path, tmp_path: Path, mode: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Unless it is the group that the system gives this user alone."""
    cache.write("one", b"first")
    tmp_path.chmod(mode)
    monkeypatch.setattr(cache, "_is_own_group", lambda gid: False)
    refused = cache.read("one")
    monkeypatch.setattr(cache, "_is_own_group", lambda gid: gid == tmp_path.stat().st_gid)

    assert refused is None
    assert cache.read("one") == b"first"


@pytest.mark.skipif(os.getuid() != 0, reason="needs root, to give a folder away")
def test_a_folder_within_that_of_another_user_is_refused(folder: Path, tmp_path: Path) -> None:
    """Its owner could put another one in its place."""
    cache.write("one", b"first")
    os.chown(tmp_path, 12345, -1)
    tmp_path.chmod(0o755)

    assert cache.read("one") is None


@pytest.mark.skipif(os.getuid() != 0, reason="needs root, to give a folder away")
def test_the_folder_of_another_user_is_refused(folder: Path) -> None:
    """Its owner could write there."""
    cache.write("one", b"first")
    os.chown(folder, 12345, -1)

    assert cache.read("one") is None


def test_a_folder_that_cannot_be_had_is_no_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There is no cache where a file stands in the way."""
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("GGP_CACHE_DIR", str(tmp_path / "file" / "cache"))

    cache.write("one", b"first")

    assert cache.read("one") is None


def test_parts_of_a_key_do_not_run_together() -> None:
    """Other parts, another key, even if their texts joined are the same."""
    assert cache.key("kind", "ab", "c") != cache.key("kind", "a", "bc")
    assert cache.key("kind", "ab", "c") == cache.key("kind", "ab", "c")
