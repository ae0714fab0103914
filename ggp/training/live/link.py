"""The link to the learner of a match, as the player sees it that uses what is learned.

Nothing here waits for the learner but a thread of its own; where it has ended, or was never there,
nothing more comes.
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

if TYPE_CHECKING:  # whoever plays without a network does not wait for numba
    from ggp.search.evaluation.network.network import ValueNetwork

CORES_OF_BOTH: Final = 3  # with so many, training and tests leave one to the search

Log = Callable[[int, str], None]


class LearnerTerms(NamedTuple):
    """Terms of a learner."""

    cores: int  # that are there for search, training and tests together
    seed: int


class Message(NamedTuple):
    """Message of a learner; the bytes of a network follow one that says that it has passed.

    `plain`: to play without a network is better than with the one that was kept. The last one is
    `over` where there is no use in learning, `failed` where there was no way to go on.
    """

    kind: Literal["said", "network", "plain", "over", "failed"]
    text: str = ""

    def as_json(self) -> bytes:
        """The message on its way."""
        return json.dumps(self._asdict()).encode()


class Learned(NamedTuple):
    """A network that has passed the gate in this match, or that none is to be used any more."""

    network: ValueNetwork | None
    share: float  # its part of a leaf's value
    name: str  # for people


class LearnerLink:
    """A learner that can be begun, and what has come of it.

    Attributes:
        log: Called with a level and what is worth saying.
        has_begun: Whether it was begun.
        is_over: Whether nothing more comes.
        leaves_core: Whether it is over since there is no use in learning: the search may have the
            core that it had.
    """

    def __init__(
        self, connection: Connection, fork: Callable[[LearnerTerms], None], log: Log
    ) -> None:
        """A learner that has not begun.

        Args:
            connection: To the process that it will be.
            fork: Has that process forked; any thread calls it.
        """
        self.log = log
        self.has_begun = self.is_over = self.leaves_core = False
        self._connection = connection
        self._fork = fork
        self._terms = LearnerTerms(1, 0)
        self._newest: Learned | None = None
        self._has_match_begun = False

    def start(self, terms: LearnerTerms) -> None:
        """Begin; returns at once."""
        self.has_begun, self._terms = True, terms
        threading.Thread(target=self._run, name="learned", daemon=True).start()

    def newest(self, known: Learned | None) -> Learned | None:
        """The newest network, if it is another one than that which is known."""
        newest = self._newest
        return None if newest is known else newest

    @property
    def needs_core(self) -> bool:
        """Whether it makes better use of the search's core, which is so before the match only."""
        is_busy = self.has_begun and not self.is_over
        return is_busy and not self._has_match_begun and self._terms.cores < CORES_OF_BOTH

    def begin_match(self) -> None:
        """The startclock is over: leave a core to the search, and end if there is no other."""
        if self._has_match_begun or not self.has_begun:
            return
        self._has_match_begun = True
        if self._terms.cores == 1:
            self.close()
            return
        with suppress(OSError):
            self._connection.send_bytes(b"match")

    def close(self) -> None:
        """End it. What it has handed over stays."""
        with suppress(OSError), socket.socket(fileno=os.dup(self._connection.fileno())) as end:
            end.shutdown(socket.SHUT_RDWR)  # a thread that reads is woken by that, not by closing

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
                self.log(logging.INFO, f"learning: nothing more in this match: {message.text}")

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
    """A learned network in words: "learned, 1.2 M samples"."""
    return f"learned, {int(network.figures.get('samples', 0)) / 1e6:.1f} M samples"
