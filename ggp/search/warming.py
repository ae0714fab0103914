"""Getting the kernels of all searches into memory, compiling them once after an install.

    warm_up(print)

A process that is to be quick when a match begins calls it before. As with the kernels of the
reasoner, which come first, several processes compile a part each, and from then on they lie on the
disk.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

import gdl
from ggp.search.compiled import warming as compiled
from ggp.search.lanes import warming as lanes
from ggp.search.puzzle import warming as puzzle

MESSAGE: Final = "compiling the kernels of the search, once after an install (about 20 s) ..."

PARTS: Final[dict[str, Callable[[], None]]] = {
    "selection": lanes.warm_up_selection,
    "lanes": lanes.warm_up_the_rest,
    "puzzle": puzzle.warm_up,
    "compiled": compiled.warm_up,
}
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
    gdl.compile_ahead("ggp.search.warming", list(PARTS), _ROOMS, announce)
    lanes.warm_up()
    puzzle.warm_up()
    compiled.warm_up()


if __name__ == "__main__":
    PARTS[sys.argv[1]]()
