"""The quick gate: whether a network takes over in a match that is being played.

It is the gate of a training (`ggp.training.arena.network_gate`) with less time for each move and
fewer matches. Where there is a core for it, a process of its own plays them.
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
from ggp.training.arena.duels import Searcher
from ggp.training.arena.network_gate import GateRecord, GateTerms, trial
from ggp.training.arena.sprt import StopRule

MATCHES: Final = 16  # at most
SECONDS: Final = 0.03  # a move
RULE: Final = StopRule(elo0=0, elo1=200, alpha=0.1, beta=0.1)
"""From network to network, and for one that has passed in a match before."""
AGAINST_PLAIN: Final = StopRule(elo0=100, elo1=300, alpha=0.1, beta=0.1)
"""With the time of a real move random games tell more than in this short one, and a network does
not: what takes over must be stronger by far.
"""


class GateLostError(Exception):
    """The process that plays the matches is gone."""


class QuickTest(NamedTuple):
    """A test of one side against the other."""

    own: Searcher
    other: Searcher
    rule: StopRule
    seed: int


class Gate(Protocol):
    """Tests one network after the other."""

    @property
    def is_busy(self) -> bool:
        """Whether a test has begun whose record was not taken."""

    def begin(self, test: QuickTest) -> None:
        """Begin to test whether one side is stronger."""

    def record(self, *, waits: bool) -> GateRecord | None:
        """The record of the test, once; None if it goes on."""

    def give_way(self) -> None:
        """The match has begun."""


class OwnGate:
    """A gate in this process, which does nothing else meanwhile."""

    def __init__(self, game: gdl.Game) -> None:
        self._game = game
        self._test: QuickTest | None = None

    @property
    def is_busy(self) -> bool:
        """Whether there is a test to be made."""
        return self._test is not None

    def begin(self, test: QuickTest) -> None:
        """Take note of a test."""
        self._test = test

    def record(self, *, waits: bool) -> GateRecord | None:
        """Make the test, whether that is waited for or not; its record."""
        assert self._test is not None
        found = _record(self._game, self._test)
        self._test = None
        return found

    def give_way(self) -> None:
        """Nothing: it is in the process of the learner."""


class GateProcess:
    """A gate in a process of its own, which ends with this one."""

    def __init__(self, pid: int, connection: Connection) -> None:
        self._pid = pid
        self._connection = connection
        self.is_busy = False

    @classmethod
    def fork(cls, game: gdl.Game, closed: Connection) -> GateProcess | None:
        """Fork it from this process, which has no threads; None if the system refuses.

        Args:
            closed: A connection of this process that the other one does not hold open.
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
        """The record of the test, once; None if it goes on.

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
        """Have the process leave the core to others, in the middle of a test as well."""
        set_niceness(self._pid, BACKGROUND)


def _record(game: gdl.Game, test: QuickTest) -> GateRecord:
    terms = GateTerms(matches=MATCHES, seconds=SECONDS, seed=test.seed, rule=test.rule)
    return trial(game, test.own, test.other, terms, "")


def _serve(game: gdl.Game, connection: Connection) -> NoReturn:
    """Test what comes until nobody asks any more."""
    status = 1
    try:
        end_with(connection.fileno(), "learner")
        while True:
            connection.send(_record(game, connection.recv()))
    except (EOFError, OSError, MemoryError):
        status = 0
    except BaseException:  # noqa: BLE001 - it goes to the log
        traceback.print_exc()
    finally:
        os._exit(status)
