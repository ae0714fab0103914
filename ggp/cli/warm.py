"""`ggp warm`: compile reasoner and searches to machine code, and store the code on disk."""

from __future__ import annotations

import time

from ggp.errors import CommandFailedError


def warm() -> None:
    """Compile everything that needs compiling once after an install.

    The reasoner and the searches use machine code for this machine's processor. Without this
    command, the code is compiled when it is first needed, while matches are played. The code is
    stored in the folder that GGP_CACHE_DIR names, or in the user's cache. This command compiles all
    of it and waits until that is done. Use it after an install or when you build a container image.
    If everything is compiled already, it takes a second.

    Examples:
        ggp warm
    """
    from ggp.terminal.progress import load_kernels
    from ggp.warming import kernels as warming

    begun = time.monotonic()
    load_kernels("ggp warm", warming.warm_up)
    if not warming.is_compiled():
        raise CommandFailedError(
            "there is no folder for the compiled code, so each process has to "
            "compile it again; set GGP_CACHE_DIR to a folder that you own and that "
            "only you may write to"
        )
    print(f"all kernels are compiled and were loaded, in {time.monotonic() - begun:.1f} s")
