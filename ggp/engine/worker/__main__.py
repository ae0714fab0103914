"""Entry point: guard the pipes, load the imports, say so, and serve one match."""

from __future__ import annotations

import gc
import os

from ggp.engine.wire import Warm
from ggp.engine.worker.channel import Channel, guarded_pipes
from ggp.engine.worker.service import Service


def main() -> None:
    """Serve one match; the process ends from within the channel."""
    channel = Channel(*guarded_pipes())
    # What is loaded by now stays: the collector need not look at it again.
    gc.freeze()
    channel.send(Warm(0, os.getpid()))
    Service(channel).run()


if __name__ == "__main__":
    main()
