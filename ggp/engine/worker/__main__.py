"""Entry point: guard the pipes, load all code, say so, and serve one match."""

from __future__ import annotations

import gc
import os
from typing import Final

from ggp.engine.wire import Warm, Warming
from ggp.engine.worker.channel import Channel, guarded_pipes
from ggp.engine.worker.service import Service
from ggp.search.warming import warm_up

COLLECTOR_THRESHOLDS: Final = (50_000, 50, 1_000)
"""Objects between looks at the young ones, and how many such looks until older ones are seen."""


def main() -> None:
    """Serve one match; the process ends from within the channel."""
    channel = Channel(*guarded_pipes())
    _load_kernels(channel)
    # What is loaded by now stays: the collector need not look at it again. A search makes millions
    # of objects and hardly any cycle, and one look at a large tree takes longer than our margin.
    gc.freeze()
    gc.set_threshold(*COLLECTOR_THRESHOLDS)
    channel.send(Warm(0, os.getpid()))
    Service(channel).run()


def _load_kernels(channel: Channel) -> None:
    try:
        warm_up(lambda text: channel.send(Warming(0, text)))
    # Whatever is wrong with the compiler or its cache, the interpreter plays.
    except Exception as error:  # noqa: BLE001
        channel.send(Warming(0, f"the compiled reasoner does not work here: {error!r:.300}"))


if __name__ == "__main__":
    main()
