"""Entry point: fork what compiles, load the kernels, and serve one match meanwhile."""

from __future__ import annotations

from ggp.engine.worker.channel import Channel, guarded_pipes
from ggp.engine.worker.kernels import Kernels
from ggp.engine.worker.preparer import Preparer
from ggp.engine.worker.service import Service


def main() -> None:
    """Serve one match; the process ends from within the channel."""
    preparer = Preparer.fork()  # as long as there are no threads
    channel = Channel(*guarded_pipes())
    kernels = Kernels(channel, preparer)
    kernels.load()
    Service(channel, kernels, preparer).run()


if __name__ == "__main__":
    main()
