"""The learner: a process that learns a game while a match of it is played.

It practises, and now and then tests the network as it is then by the quick gate. What passes is
handed over to the process that searches (`ggp.training.live.link`), and kept for matches to come.
It can be killed at any moment: what was handed over stays.
"""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import replace
from itertools import cycle
from multiprocessing.connection import Connection
from typing import Final

import gdl
from ggp.processes.json_lines import end_with
from ggp.search.evaluation.network.file import network_bytes
from ggp.search.evaluation.network.network import ValueNetwork
from ggp.training.arena.duels import PLAIN, Searcher
from ggp.training.arena.network_gate import GateRecord
from ggp.training.live.link import CORES_OF_BOTH, LearnerTerms, Message
from ggp.training.live.quick_gate import (
    SECONDS,
    Gate,
    GateLostError,
    GateProcess,
    OwnGate,
    give_way,
)
from ggp.training.live.store import known_network, read_learned, write_learned
from ggp.training.network.batch_play import PracticeError
from ggp.training.network.practice import Practice, PracticeSettings

FIRST_SECONDS: Final = 6.0  # of training, before the first test
GROWTH: Final = 1.6  # of the samples, until the next one
SHARES: Final = (1.0, 0.5, 0.25)
"""The network's part of a leaf's value: what loses with one of them is tested with the next."""


def learn(game: gdl.Game, terms: LearnerTerms, connection: Connection) -> None:
    """Learn until this process is ended; returns, and has said why, if there is nothing to learn.

    The process must have no threads that hold locks.
    """
    gate = GateProcess.fork(game, connection) if terms.cores > 1 else None
    end_with(connection.fileno(), "engine")
    try:
        Learner(game, terms, connection, gate or OwnGate(game)).run()
    except PracticeError as error:
        reason = str(error)
    except MemoryError:
        reason = "it does not fit in memory"
    except GateLostError:
        reason = "the process that tests networks is gone"
    except OSError:  # nobody listens any more
        return
    with suppress(OSError):
        connection.send_bytes(Message("over", reason).as_json())


class Learner:
    """Learns a game and hands over what passes the gate."""

    def __init__(
        self, game: gdl.Game, terms: LearnerTerms, connection: Connection, gate: Gate
    ) -> None:
        self._game = game
        self._connection = connection
        self._gate = gate
        self._seed = terms.seed
        known = known_network(game)
        self._rival = PLAIN if known is None else Searcher(known, known.share)
        self._has_used = known is not None
        self._num_tests = 0
        self._shares = cycle(SHARES)
        self._share = next(self._shares)
        self._alternates = terms.cores < CORES_OF_BOTH  # once the match has begun
        self._has_match_begun = False
        settings = replace(PracticeSettings(), seed=terms.seed)
        self._practice = Practice(game, settings, start=known or read_learned(game))
        self._began_with = self._practice.num_samples
        self._next_samples = 0.0  # with which the next test is due; 0: after the first seconds
        self._candidate: ValueNetwork | None = None

    def run(self) -> None:
        """Learn, and never return.

        Raises:
            PracticeError: The game cannot be practised.
            GateLostError: No network can be tested any more.
            OSError: Nobody listens any more.
        """
        began = time.thread_time()
        while True:
            self._practice.step(share=0.0)
            self._listen()
            if self._gate.is_busy:
                self._look_at_gate()
            elif self._is_due(time.thread_time() - began):
                self._test()

    def _listen(self) -> None:
        while self._connection.poll():
            self._connection.recv_bytes()  # the only thing that there is to say
            self._has_match_begun = True
            self._gate.give_way()
            give_way()

    def _is_due(self, seconds: float) -> bool:
        if not self._next_samples:
            return seconds >= FIRST_SECONDS
        return self._practice.num_samples - self._began_with >= self._next_samples

    def _test(self) -> None:
        samples = self._practice.num_samples - self._began_with
        self._next_samples = GROWTH * samples
        self._candidate = candidate = replace(self._practice.network(), share=self._share)
        self._num_tests += 1
        self._gate.begin(
            Searcher(candidate, candidate.share), self._rival, self._seed + self._num_tests
        )
        self._look_at_gate()

    def _look_at_gate(self) -> None:
        """Take the record of a test if it is over; on one core together, wait for it."""
        record = self._gate.record(waits=self._alternates and self._has_match_begun)
        if record is not None:
            self._judge(record)

    def _judge(self, record: GateRecord) -> None:
        assert self._candidate is not None
        candidate = replace(
            self._candidate,
            is_used=record.is_passed,
            figures={
                **self._candidate.figures,
                "gate": "passed" if record.is_passed else "not passed",
                "gate points": record.points,
                "gate matches": record.matches,
                "gate seconds a move": SECONDS,
            },
        )
        other = "plain mcts" if self._rival.network is None else "the network before"
        verdict = "passed" if record.is_passed else "not passed"
        samples = self._candidate.figures["samples"]
        part = f"share {candidate.share:g}, {samples} samples"
        self._send(Message("said", f"{verdict} with {part}: {record} against {other}"))
        if not record.is_passed:
            self._share = next(self._shares)
        else:
            self._rival = Searcher(candidate, candidate.share)
            self._has_used = True
            self._send(Message("network"), network_bytes(candidate))
        if record.is_passed or not self._has_used:  # one that is not used is at least a beginning
            write_learned(candidate, self._game)

    def _send(self, message: Message, data: bytes | None = None) -> None:
        self._connection.send_bytes(message.as_json())
        if data is not None:
            self._connection.send_bytes(data)
