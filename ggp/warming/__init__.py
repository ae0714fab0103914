"""Warming: compile all kernels once after an install, and load them."""

from typing import Final

# Defined here, because modules that must not import numba use it too.
MESSAGE: Final = (
    "the fast reasoner and search are being compiled, once after an install, for about a minute "
    "(more on a busy machine)"
)
"""Message for callers that wait for the compilation."""
SLOWER_MESSAGE: Final = f"{MESSAGE}; until then slower ones play (`ggp warm` waits for it)"
"""Message for callers that do not wait for the compilation."""
