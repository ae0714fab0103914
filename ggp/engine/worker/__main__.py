"""Entry point: guard the pipes, say so, load the kernels, and serve one match meanwhile."""

from __future__ import annotations

import os

from ggp.engine.wire import Awake
from ggp.engine.worker.channel import Channel, guarded_pipes
from ggp.engine.worker.kernels import Kernels
from ggp.engine.worker.service import Service


def main() -> None:
    """Serve one match; the process ends from within the channel."""
    channel = Channel(*guarded_pipes())
    kernels = Kernels(channel)
    channel.send(Awake(0, os.getpid()))
    kernels.load()
    Service(channel, kernels).run()


if __name__ == "__main__":
    main()
