"""The link from a player to the learner of its match.

A separate thread receives the learner's messages, so that the player never waits for them. If the
learner has ended or was never started, no messages arrive.
"""

from __future__ import annotations

import json
import logging
import os
import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from ggp.search.fast.lanes import PLAIN

if TYPE_CHECKING:  # players without a network do not wait for numba
    from ggp.log import LogFunction
    from ggp.search.evaluation.network.network import ValueNetwork

CORES_OF_BOTH: Final = 3  # with this many cores, training and tests leave one to the search


class LearnerTerms(NamedTuple):
    """The settings of a learner."""

    cores: int  # number of cores for search, training and tests together
    seed: int
    variant: str = PLAIN  # variant of the playouts that a network has to beat


class Message(NamedTuple):
    """A message of a learner. After a message `network`, the bytes of the network follow.

    A message `said` holds a line for the log. `plain` means that the network of earlier matches
    must not be used any more. The last message is `over` if learning does not help, or `failed` if
    the learner cannot continue.
    """

    kind: Literal["said", "network", "plain", "over", "failed"]
    text: str = ""

    def as_json(self) -> bytes:
        """Return the message as JSON."""
        return json.dumps(self._asdict()).encode()


class Learned(NamedTuple):
    """A network that has passed the gate in this match.

    If `network` is None, the player should play without a network.
    """

    network: ValueNetwork | None
    share: float  # the network's share of a leaf's value
    name: str  # name for people


class LearnerLink:
    """A learner that can be started, and its results.

    Attributes:
        log: Called with a level and a message.
        has_begun: Whether the learner was started.
        is_over: Whether no more results will come.
        leaves_core: Whether the learner ended because learning does not help. Then the search may
            use its core.
    """

    def __init__(
        self, connection: Connection, fork: Callable[[LearnerTerms], None], log: LogFunction
    ) -> None:
        """Create the link to a learner that has not started.

        Args:
            connection: Connection to the process that will be forked.
            fork: Forks the process of the learner. It is called from another thread.
        """
        self.log = log
        self.has_begun = self.is_over = self.leaves_core = False
        self._connection = connection
        self._fork = fork
        self._terms = LearnerTerms(1, 0)
        self._newest: Learned | None = None
        self._has_match_begun = False

    def start(self, terms: LearnerTerms) -> None:
        """Start the learner, and return at once."""
        self.has_begun, self._terms = True, terms
        threading.Thread(target=self._run, name="learned", daemon=True).start()

    def newest(self, known: Learned | None) -> Learned | None:
        """Return the newest network of this match if it differs from `known`, else None."""
        newest = self._newest
        return None if newest is known else newest

    @property
    def needs_core(self) -> bool:
        """Whether the search must not use its core yet, because the learner needs all cores.

        This is always False after `begin_match`.
        """
        is_busy = self.has_begun and not self.is_over
        return is_busy and not self._has_match_begun and self._terms.cores < CORES_OF_BOTH

    def begin_match(self) -> None:
        """Make the learner leave a core to the search, or stop it if there is only one core."""
        if self._has_match_begun or not self.has_begun:
            return
        self._has_match_begun = True
        if self._terms.cores == 1:
            self.close()
            return
        with suppress(OSError):
            self._connection.send_bytes(b"match")

    def close(self) -> None:
        """Stop the learner. `newest` still returns the last network that it has sent."""
        with suppress(OSError), socket.socket(fileno=os.dup(self._connection.fileno())) as end:
            end.shutdown(socket.SHUT_RDWR)  # closing alone would not wake up the thread that reads

    def _run(self) -> None:
        with suppress(OSError, EOFError, ValueError):
            self._fork(self._terms)
            while not self.is_over:
                self._take(Message(**json.loads(self._connection.recv_bytes())))
        self.is_over = True

    def _take(self, message: Message) -> None:
        match message.kind:
            case "said":
                self.log(logging.INFO, f"learning: {message.text}")
            case "network":
                self._take_network(self._connection.recv_bytes())
            case "plain":
                self._newest = Learned(None, 0.0, "")
            case "over" | "failed":
                self.leaves_core = message.kind == "over" and self._terms.cores > 1
                self.is_over = True
                self.log(logging.INFO, f"learning has ended for this match: {message.text}")

    def _take_network(self, data: bytes) -> None:
        from ggp.search.evaluation.network.file import network_of
        from ggp.search.evaluation.network.network import NetworkError

        try:
            network = network_of(data, "learned")
        except NetworkError as error:
            self.log(logging.WARNING, str(error))
            return
        self._newest = Learned(network, network.share, name_of(network))


def name_of(network: ValueNetwork) -> str:
    """Return a learned network's name for people, such as "learned, 1.2 M samples"."""
    return f"learned, {int(network.figures.get('samples', 0)) / 1e6:.1f} M samples"
