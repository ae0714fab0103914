"""Players over HTTP: each is `ggp serve` of a checkout, as users start it, on one core."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Self

from contest.errors import ContestError

import gdl
from ggp.players.registry import parse_spec
from unseen_games.versions import parts_of

KERNELS_VARIABLE = "NUMBA_CACHE_DIR"
_REPOSITORY = Path(__file__).resolve().parents[2]
LOAD_SECONDS = 25.0
"""Time for a server to load its kernels before the first match."""
STOP_SECONDS = 20.0
"""A server may take so long to end, for example to write what it has learned."""


class Server:
    """A running server. It keeps what it learns in a folder, for the next server there.

    Attributes:
        address: Where it waits for messages.
    """

    def __init__(self, spec: str, core: int, folder: Path) -> None:
        """Start it, and wait until it is ready.

        Args:
            spec: A player, perhaps with a checkout: `mcts@FOLDER`.
            core: The only core that it uses.
            folder: Its cache and its networks. Only the kernels are where they usually are.

        Raises:
            ContestError: It did not start.
        """
        player, checkout = parts_of(spec)
        parsed = parse_spec(player)
        options = [f"--option={key}={value}" for key, value in parsed.options.items()]
        command = ["serve", "--port=0", f"--player={parsed.name}", *options]
        folder.mkdir(parents=True, exist_ok=True)
        with (folder / "log.txt").open("a", encoding="utf-8") as log:
            self._process = subprocess.Popen(  # noqa: S603 - ours
                [sys.executable, "-P", "-m", "ggp", *command],
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                env=os.environ
                | {
                    KERNELS_VARIABLE: os.environ.get(KERNELS_VARIABLE) or str(gdl.cache_folder()),
                    "PYTHONPATH": str(checkout or _REPOSITORY),
                    "GGP_CACHE_DIR": str(folder / "cache"),
                    "GGP_NETWORKS": str(folder / "networks"),
                },
            )
        os.sched_setaffinity(self._process.pid, {core})
        assert self._process.stdout is not None
        lines = iter(self._process.stdout.readline, "")
        found = next((line for line in lines if line.strip().startswith("http://")), None)
        if found is None:
            raise ContestError(f"{spec}: its server has ended; see {folder / 'log.txt'}")
        self.address = found.strip()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        try:
            self._process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        assert self._process.stdout is not None
        self._process.stdout.close()


@contextmanager
def serving(players: Sequence[str], folder: Path) -> Iterator[list[str]]:
    """Start a server for each player, and give their addresses once they have loaded.

    The first player has a core of its own, and the others share another one, because only one of
    them plays at a time.
    """
    own, *rest = sorted(os.sched_getaffinity(0))
    if not rest:
        raise ContestError("servers need two cores, found one")
    for player in players:
        _warm_up(player)
    with ExitStack() as running:
        servers = [
            running.enter_context(Server(player, rest[0] if number else own, folder / str(number)))
            for number, player in enumerate(players)
        ]
        time.sleep(LOAD_SECONDS)
        yield [server.address for server in servers]


def _warm_up(spec: str) -> None:
    """Compile the kernels of a player's checkout, as on a machine on which it has played before."""
    checkout = parts_of(spec)[1] or _REPOSITORY
    code = "from ggp.warming.kernels import warm_up; warm_up()"
    subprocess.run(  # noqa: S603 - ours
        [sys.executable, "-P", "-c", code],
        check=True,
        env=os.environ | {"PYTHONPATH": str(checkout)},
    )
