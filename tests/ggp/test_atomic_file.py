"""A file is replaced whole; what is no file stays what it is."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ggp.atomic_file import part_of, replace_file


def test_a_file_is_replaced_and_nothing_is_left(tmp_path: Path) -> None:
    """Readers who have the old file open keep it."""
    file = tmp_path / "match.json"
    file.write_bytes(b"old")
    with file.open("rb") as opened:
        replace_file(file, b"new")

        assert opened.read() == b"old"
    assert file.read_bytes() == b"new"
    assert not part_of(file).exists()


def test_a_failure_keeps_the_old_file(tmp_path: Path) -> None:
    """Here the name of the temporary file is taken."""
    file = tmp_path / "match.json"
    file.write_bytes(b"old")
    part_of(file).mkdir()
    with pytest.raises(OSError, match="match"):
        replace_file(file, b"new")

    assert file.read_bytes() == b"old"


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    """As root, `--record /dev/stdout` once put a file there, and no game was compiled any more."""
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_bytes(b"old")
    link.symlink_to(target)
    replace_file(link, b"new")

    assert link.is_symlink()
    assert target.read_bytes() == b"new"


def test_a_pipe_stays_a_pipe(tmp_path: Path) -> None:
    """It gets the bytes."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    replace_file(pipe, b"new")

    assert os.read(reader, 10) == b"new"
    assert pipe.is_fifo()
    os.close(reader)
