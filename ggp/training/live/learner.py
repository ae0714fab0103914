"""The learner: a process that learns a game while a match of it is played.

The learner practises, and from time to time the quick gate tests its current network. A network
that passes goes to the process that searches (`ggp.training.live.link`), and is stored for later
matches. The next match begins with another test of this network, because there are several tests
per match, and one may be passed by chance. The learner can be killed at any time. The process that
searches keeps the networks that it has received.
"""

from __future__ import annotations

import time
from collections import deque
from contextlib import suppress
from dataclasses import replace
from itertools import cycle
from multiprocessing.connection import Connection
from typing import Final

import gdl
from ggp.processes.json_lines import end_with
from ggp.processes.priority import BACKGROUND, set_niceness
from ggp.search.evaluation.network.file import network_bytes
from ggp.search.evaluation.network.network import ValueNetwork
from ggp.training.arena.duels import Searcher
from ggp.training.arena.network_gate import GateRecord
from ggp.training.live.link import CORES_OF_BOTH, LearnerTerms, Message
from ggp.training.live.quick_gate import (
    AGAINST_PLAIN,
    RULE,
    SECONDS,
    Gate,
    GateLostError,
    GateProcess,
    OwnGate,
    QuickTest,
)
from ggp.training.live.store import known_network, read_learned, write_learned
from ggp.training.network.batch_play import PracticeError
from ggp.training.network.practice import Practice, PracticeSettings

FIRST_SECONDS: Final = 6.0  # duration of training before the first test
GROWTH: Final = 1.6  # factor by which the number of samples grows from test to test
SHARES: Final = (1.0, 0.5, 0.25)
"""Shares of the network in a leaf's value. After a failed test, the next test uses the next
share."""
PATIENCE_SECONDS: Final = 60.0
"""Seconds of training after which the learner may give up. It gives up if no network has passed,
and the last network with each share was no better than random playouts. The search can then use the
core."""
CONFIRMED: Final = "passed again"  # figure of a network that passed again in a later match


def learn(game: gdl.Game, terms: LearnerTerms, connection: Connection) -> None:
    """Learn until this process is killed. If learning fails or does not help, say so and return.

    The process must have no threads that hold locks, because it forks another process.
    """
    gate = GateProcess.fork(game, connection) if terms.cores > 1 else None
    end_with(connection.fileno(), "engine")
    try:
        Learner(game, terms, connection, gate or OwnGate(game)).run()
        last = Message("over", "no network was better than random games")
    except PracticeError as error:
        last = Message("over", str(error))
    except MemoryError:
        last = Message("failed", "it does not fit in memory")
    except GateLostError:
        last = Message("failed", "the process that tests networks has ended")
    except OSError:  # the connection is closed
        return
    with suppress(OSError):
        connection.send_bytes(last.as_json())


class Learner:
    """A learner of one game. It hands over networks that pass the gate."""

    def __init__(
        self, game: gdl.Game, terms: LearnerTerms, connection: Connection, gate: Gate
    ) -> None:
        self._game = game
        self._connection = connection
        self._gate = gate
        self._seed = terms.seed
        known = known_network(game)
        self._plain = Searcher(variant=terms.variant)
        self._rival = self._plain if known is None else Searcher(known, known.share)
        self._has_used = known is not None
        self._num_tests = 0
        self._shares = cycle(SHARES)
        self._share = next(self._shares)
        self._alternates = terms.cores < CORES_OF_BOTH  # whether training has to wait for tests
        self._has_match_begun = False
        settings = replace(PracticeSettings(), seed=terms.seed)
        self._practice = Practice(game, settings, start=known or read_learned(game))
        self._began_with = self._practice.num_samples
        self._next_samples = 0.0  # samples at the next test; 0 means test after `FIRST_SECONDS`
        self._test = QuickTest(self._rival, self._plain, RULE, terms.seed)  # the latest test
        self._records: deque[GateRecord] = deque(maxlen=len(SHARES))

    def run(self) -> None:
        """Learn, and return when no network is likely to beat random playouts.

        Raises:
            PracticeError: The game does not support practice.
            GateLostError: The process that tests networks is gone.
            OSError: The connection is closed.
        """
        began = time.thread_time()
        if self._rival.network is not None and _is_doubtful(self._rival.network):
            self._gate.begin(self._test)
        while True:
            self._practice.step(share=0.0)
            self._listen()
            seconds = time.thread_time() - began
            if self._gate.is_busy:
                self._look_at_gate()
            elif seconds >= PATIENCE_SECONDS and self._is_hopeless:
                return
            elif self._is_due(seconds):
                self._test_newest()

    def _listen(self) -> None:
        while self._connection.poll():
            self._connection.recv_bytes()  # there is only one kind of message
            self._has_match_begun = True
            self._gate.give_way()
            set_niceness(0, BACKGROUND)

    @property
    def _is_hopeless(self) -> bool:
        """Whether the match has begun, no network is used, and the last tests show no strength.

        A test shows no strength if the network won at most half of the points.
        """
        if self._has_used or not self._has_match_begun or len(self._records) < len(SHARES):
            return False
        return all(record.points <= record.matches / 2 for record in self._records)

    def _is_due(self, seconds: float) -> bool:
        if not self._next_samples:
            return seconds >= FIRST_SECONDS
        return self._practice.num_samples - self._began_with >= self._next_samples

    def _test_newest(self) -> None:
        samples = self._practice.num_samples - self._began_with
        self._next_samples = GROWTH * samples
        candidate = replace(self._practice.network(), share=self._share)
        self._num_tests += 1
        self._test = QuickTest(
            Searcher(candidate, candidate.share),
            self._rival,
            AGAINST_PLAIN if self._rival.network is None else RULE,
            self._seed + self._num_tests,
        )
        self._gate.begin(self._test)
        self._look_at_gate()

    def _look_at_gate(self) -> None:
        """Report the record of the test if it is over, and use or reject the tested network.

        During the match, wait for the record if there are too few cores to train meanwhile.
        """
        record = self._gate.record(waits=self._alternates and self._has_match_begun)
        if record is None:
            return
        network = self._test.own.network
        assert network is not None
        verdict = "passed" if record.is_passed else "not passed"
        part = f"share {network.share:g}, {network.figures['samples']} samples"
        is_first = self._test.other.network is None
        other = f"{self._test.other.variant} mcts" if is_first else "the network before"
        self._send(Message("said", f"{verdict} with {part}: {record} against {other}"))
        if self._test.own is self._rival:
            self._judge_known(network, record)
        else:
            self._judge(_with_record(network, record), record)

    def _judge_known(self, network: ValueNetwork, record: GateRecord) -> None:
        """Confirm or reject the network from earlier matches after its second test."""
        if record.is_passed:
            network = replace(network, figures={**network.figures, CONFIRMED: "yes"})
        else:
            network = replace(network, is_used=False)
            self._rival, self._has_used = self._plain, False
            self._send(Message("plain"))
        write_learned(network, self._game)

    def _judge(self, candidate: ValueNetwork, record: GateRecord) -> None:
        """Hand over a network that has passed.

        After a failed test, the next network is tested with another share of a leaf's value.
        """
        self._records.append(record)
        if not record.is_passed:
            self._share = next(self._shares)
        else:
            self._rival = Searcher(candidate, candidate.share)
            self._has_used = True
            self._send(Message("network"), network_bytes(candidate))
        if record.is_passed or not self._has_used:  # unused ones help later training
            write_learned(candidate, self._game)

    def _send(self, message: Message, data: bytes | None = None) -> None:
        self._connection.send_bytes(message.as_json())
        if data is not None:
            self._connection.send_bytes(data)


def _with_record(network: ValueNetwork, record: GateRecord) -> ValueNetwork:
    figures = {**network.figures, **record.figures(SECONDS)}
    figures.pop(CONFIRMED, None)  # only the network with which training began was tested again
    return replace(network, is_used=record.is_passed, figures=figures)


def _is_doubtful(network: ValueNetwork) -> bool:
    """Return whether a network has passed only a single test of the quick gate."""
    figures = network.figures
    return figures.get("gate seconds a move") == SECONDS and CONFIRMED not in figures
