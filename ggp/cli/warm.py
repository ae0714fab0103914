"""`ggp warm`: compile the machine code of reasoner and searches, and keep it on the disk."""

from __future__ import annotations

import time

from ggp.errors import CommandFailedError


def warm() -> None:
    """Compile all that is compiled once after an install, so that nothing need wait for it.

    The reasoner and the searches run in machine code that is made for this machine's processor. It
    is compiled when it is first needed, beside whatever is played, and kept in the folder that
    GGP_CACHE_DIR names, else in the user's cache. This verb does the same ahead of time and waits:
    after an install, or when an image of a container is built. Where it is done already, it takes a
    second.

    Examples:
        ggp warm
    """
    from ggp.terminal.progress import load_kernels
    from ggp.warming import kernels as warming

    begun = time.monotonic()
    load_kernels("ggp warm", warming.warm_up)
    if not warming.is_compiled():
        raise CommandFailedError(
            "nothing can be kept on this disk, so each process compiles for itself; GGP_CACHE_DIR "
            "names a folder that you own and that nobody else may write to"
        )
    print(f"all kernels are compiled and load: {time.monotonic() - begun:.1f} s")
