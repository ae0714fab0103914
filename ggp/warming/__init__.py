"""Warming: all kernels are compiled once after an install, and loaded."""

from typing import Final

# Here, as what must not wait for numba says it, too.
MESSAGE: Final = (
    "the fast reasoner and search are being compiled, once after an install, for about a minute "
    "(more on a busy machine)"
)
"""Said where they are waited for."""
SLOWER_MESSAGE: Final = f"{MESSAGE}; until then slower ones play (`ggp warm` waits for it)"
"""Said where they are not."""
