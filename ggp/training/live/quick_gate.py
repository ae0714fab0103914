"""The quick gate: decide whether a network takes over in a running match.

It is the promotion gate (`ggp.training.arena.network_gate`) with less time per move and fewer
matches. If there is a free core, a separate process plays the matches.
"""

from __future__ import annotations

import os
import traceback
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from typing import Final, NamedTuple, NoReturn, Protocol

import gdl
from ggp.processes.json_lines import end_with
from ggp.processes.priority import BACKGROUND, set_niceness
from ggp.rating.sprt import StopRule
from ggp.training.arena.duels import Searcher
from ggp.training.arena.network_gate import GateRecord, GateTerms, trial

MATCHES: Final = 16  # maximum number of matches per test
SECONDS: Final = 0.03  # per move
RULE: Final = StopRule(elo0=0, elo1=200, alpha=0.1, beta=0.1)
"""The rule for a test against another network, and for the second test of a network from an earlier
match."""
AGAINST_PLAIN: Final = StopRule(elo0=100, elo1=300, alpha=0.1, beta=0.1)
"""The rule for a test against random playouts. In the longer time of a real move, random playouts
get better, and a network does not. So in this short time the network must be much stronger."""


class GateLostError(Exception):
    """The process that plays the matches is gone."""


class QuickTest(NamedTuple):
    """The request for a test: is the side `own` stronger than the side `other`?"""

    own: Searcher
    other: Searcher
    rule: StopRule
    seed: int


class Gate(Protocol):
    """A gate that tests one network after another."""

    @property
    def is_busy(self) -> bool:
        """Whether a test has begun and `record` has not returned its record yet."""

    def begin(self, test: QuickTest) -> None:
        """Begin a test."""

    def record(self, *, waits: bool) -> GateRecord | None:
        """Return the record of the test, or None if the test is still running.

        If `waits` is set, wait for the end of the test. Each record is returned only once.
        """

    def give_way(self) -> None:
        """Lower the gate's priority from now on, because the match has begun."""


class OwnGate:
    """A gate in the learner's own process. During a test, the learner cannot train."""

    def __init__(self, game: gdl.Game) -> None:
        self._game = game
        self._test: QuickTest | None = None

    @property
    def is_busy(self) -> bool:
        """Whether there is a test to run."""
        return self._test is not None

    def begin(self, test: QuickTest) -> None:
        """Store a test, which `record` will run."""
        self._test = test

    def record(self, *, waits: bool) -> GateRecord | None:
        """Run the test, even if `waits` is false, and return its record."""
        assert self._test is not None
        found = _record(self._game, self._test)
        self._test = None
        return found

    def give_way(self) -> None:
        """Do nothing, because the learner lowers the priority of its own process."""


class GateProcess:
    """A gate in a separate process, which ends when the learner's process ends."""

    def __init__(self, pid: int, connection: Connection) -> None:
        self._pid = pid
        self._connection = connection
        self.is_busy = False

    @classmethod
    def fork(cls, game: gdl.Game, closed: Connection) -> GateProcess | None:
        """Fork the process of the gate. Return None if the system cannot create a process.

        The calling process must have no threads.

        Args:
            closed: A connection of the calling process. The new process closes its copy.
        """
        ours, theirs = Pipe()
        try:
            pid = os.fork()
        except OSError:
            return None
        if not pid:
            ours.close()
            closed.close()
            _serve(game, theirs)
        theirs.close()
        return cls(pid, ours)

    def begin(self, test: QuickTest) -> None:
        """Begin a test.

        Raises:
            GateLostError: The process is gone.
        """
        try:
            self._connection.send(test)
        except OSError as error:
            raise GateLostError from error
        self.is_busy = True

    def record(self, *, waits: bool) -> GateRecord | None:
        """Return the record of the test, or None if the test is still running.

        If `waits` is set, wait for the end of the test. Each record is returned only once.

        Raises:
            GateLostError: The process is gone.
        """
        try:
            if not (waits or self._connection.poll()):
                return None
            found: GateRecord = self._connection.recv()
        except (EOFError, OSError) as error:
            raise GateLostError from error
        self.is_busy = False
        return found

    def give_way(self) -> None:
        """Lower the priority of the process, even in the middle of a test."""
        set_niceness(self._pid, BACKGROUND)


def _record(game: gdl.Game, test: QuickTest) -> GateRecord:
    terms = GateTerms(matches=MATCHES, seconds=SECONDS, seed=test.seed, rule=test.rule)
    return trial(game, test.own, test.other, terms, "")


def _serve(game: gdl.Game, connection: Connection) -> NoReturn:
    """Run the requested tests until the connection closes."""
    status = 1
    try:
        end_with(connection.fileno(), "learner")
        while True:
            connection.send(_record(game, connection.recv()))
    except (EOFError, OSError, MemoryError):
        status = 0
    except BaseException:  # noqa: BLE001 - the log gets it
        traceback.print_exc()
    finally:
        os._exit(status)
