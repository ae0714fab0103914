"""Getting the kernels of all searches into memory, compiling them once after an install.

    warm_up(print)

A process that is to be quick when a match begins calls it before. As with the kernels of the
reasoner, which come first, two processes compile a part each, and from then on they lie on the
disk. Whoever can play without them meanwhile lets `compile_apart` do that.
"""

from __future__ import annotations

import argparse
import functools
import gc
from collections.abc import Callable
from pathlib import Path
from typing import Final

import gdl
from ggp.search.compiled import warming as compiled
from ggp.search.lanes import warming as lanes
from ggp.search.puzzle import warming as puzzle

MESSAGE: Final = "compiling the kernels of the search, once after an install (about 20 s) ..."


def _warm_up_the_others() -> None:
    puzzle.warm_up()
    compiled.warm_up()


# As many as take about the same time; each more would load numba once more.
PARTS: Final[dict[str, Callable[[], None]]] = {
    "lanes": lanes.warm_up,
    "others": _warm_up_the_others,
}
_MODULE: Final = "ggp.search.warming"
_ROOMS: Final = [Path(__file__).with_name(room) for room in ("lanes", "puzzle", "compiled")]


def warm_up(progress: Callable[[str], None] | None = None) -> None:
    """Load all kernels of the reasoner and of the searches; compile those not on the disk.

    Args:
        progress: Is told in words what takes long, before it does.
    """

    def announce() -> None:
        if progress is not None:
            progress(MESSAGE)

    gdl.warm_up(progress)
    gdl.compile_ahead(_MODULE, list(PARTS), _ROOMS, announce)
    _load()


@functools.cache
def _load() -> None:
    """Use every kernel of the searches; what was loaded once stays in the process."""
    lanes.warm_up()
    puzzle.warm_up()
    compiled.warm_up()


def is_compiled() -> bool:
    """Whether all kernels lie on the disk, so that `warm_up` takes about a second."""
    return gdl.is_compiled_ahead(_MODULE, _ROOMS)


def compile_apart() -> None:
    """Have all kernels compiled by a process that outlives this one; return when they are."""
    gdl.compile_apart(_MODULE, _ROOMS)


def main() -> None:
    """Compile all kernels, or those of the part that is named."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("part", nargs="?", choices=PARTS)
    gc.freeze()  # as where the reasoner's are compiled
    gc.set_threshold(50_000)
    PARTS.get(parser.parse_args().part, warm_up)()


if __name__ == "__main__":
    main()
