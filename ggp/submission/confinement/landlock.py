"""Landlock: which files this process may open, kept by the kernel (Linux 5.13 and later).

https://docs.kernel.org/userspace-api/landlock.html
"""

from __future__ import annotations

import ctypes
import os
import struct
from collections.abc import Iterable
from pathlib import Path
from typing import Final

_CREATE, _ADD_RULE, _RESTRICT = 444, 445, 446  # on all architectures
_ASK_VERSION, _BENEATH_PATH = 1, 1
_WRITE_FILE, _READ_FILE, _READ_FOLDER = 1 << 1, 1 << 2, 1 << 3
_RIGHTS_OF_FILES: Final = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 5: (1 << 16) - 1}
"""All that can be denied, by the first version that knows it; some kinds came later."""
_NETWORK_SINCE, _NETWORK = 4, 0b11
"""To bind and to connect by TCP."""
_SCOPES_SINCE, _SCOPES = 6, 0b11
"""Abstract Unix sockets, and signals to processes outside."""


def version() -> int:
    """The version of Landlock that the kernel has; 0 if it has none, or none is switched on."""
    libc = ctypes.CDLL(None, use_errno=True)
    return max(0, int(libc.syscall(_CREATE, None, ctypes.c_size_t(0), ctypes.c_long(_ASK_VERSION))))


def restrict(readable: Iterable[Path], writable: Iterable[Path] = ()) -> str:
    """Let this thread, and what it starts, open nothing but what is named, for good.

    no_new_privs must have been set, and there must be no other thread.

    Args:
        readable: Files, and folders with all that is in them; what does not exist is left out.
        writable: Files that may be read and written.

    Returns:
        Empty, or why the kernel refused.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    found = version()
    if not found:
        return "the kernel has no Landlock, or it is switched off"
    handled = _RIGHTS_OF_FILES[max(known for known in _RIGHTS_OF_FILES if known <= found)]
    attributes = struct.pack("=Q", handled)
    if found >= _NETWORK_SINCE:
        attributes += struct.pack("=Q", _NETWORK)
    if found >= _SCOPES_SINCE:
        attributes += struct.pack("=Q", _SCOPES)
    rules = libc.syscall(_CREATE, attributes, ctypes.c_size_t(len(attributes)), ctypes.c_long(0))
    if rules < 0:
        return os.strerror(ctypes.get_errno())
    try:
        for path in readable:
            _allow(libc, rules, path, _READ_FILE)
        for path in writable:
            _allow(libc, rules, path, _READ_FILE | _WRITE_FILE)
        return (
            os.strerror(ctypes.get_errno())
            if libc.syscall(_RESTRICT, ctypes.c_long(rules), ctypes.c_long(0))
            else ""
        )
    finally:
        os.close(rules)


def _allow(libc: ctypes.CDLL, rules: int, path: Path, rights: int) -> None:
    """Add a rule; one that cannot be made denies more, never less."""
    try:
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    try:
        if path.is_dir():
            rights |= _READ_FOLDER
        rule = struct.pack("=Qi", rights, place)
        libc.syscall(_ADD_RULE, ctypes.c_long(rules), _BENEATH_PATH, rule, ctypes.c_long(0))
    finally:
        os.close(place)
