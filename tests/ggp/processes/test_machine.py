"""What a process gives back."""

from __future__ import annotations

import platform
import resource
from pathlib import Path

import pytest

from ggp.processes.machine import give_back_now

BLOCK = 5_000
"""Bytes that come from the C library's heap: Python's own allocator has less at a time."""


def resident_bytes() -> int:
    """The memory of this process that is not elsewhere."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize()


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="needs glibc on Linux")
def test_what_is_free_within_the_heap_is_given_back() -> None:
    """Also below blocks that stay."""
    blocks = [bytearray(BLOCK) for _ in range(10_000)]
    kept = blocks[::100]
    del blocks
    before = resident_bytes()

    give_back_now()

    assert resident_bytes() < before - 8_000 * BLOCK
    assert all(len(block) == BLOCK for block in kept)
