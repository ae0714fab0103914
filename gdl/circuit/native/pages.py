"""Pages of memory that hold machine code: written first, then made executable, never both."""

from __future__ import annotations

import ctypes
import logging
import mmap
import os
from functools import cache

import numpy as np
from numpy.typing import NDArray

_log = logging.getLogger(__name__)

_RETURN = np.array([0xC3], np.uint8)


class CodePages:
    """Machine code in executable memory, for as long as this exists.

    Attributes:
        address: Of its first byte.
    """

    def __init__(self, code: NDArray[np.uint8]) -> None:
        """Pages with some code in them.

        Raises:
            OSError: The system does not let memory be executed that was written to.
        """
        size = max(1, len(code))
        self._pages = mmap.mmap(-1, size, prot=mmap.PROT_READ | mmap.PROT_WRITE)
        self._pages[: len(code)] = code.tobytes()
        self._view = (ctypes.c_char * size).from_buffer(self._pages)
        self.address = ctypes.addressof(self._view)
        libc = ctypes.CDLL(None, use_errno=True)
        start = ctypes.c_void_p(self.address)
        if libc.mprotect(start, ctypes.c_size_t(size), mmap.PROT_READ | mmap.PROT_EXEC):
            number = ctypes.get_errno()
            raise OSError(number, os.strerror(number))


@cache
def can_execute() -> bool:
    """True if the system lets code be executed that this process wrote."""
    try:
        CodePages(_RETURN)
    except (OSError, ValueError, AttributeError) as error:
        _log.warning("no machine code for games, tables instead, which are slower: %s", error)
        return False
    return True
