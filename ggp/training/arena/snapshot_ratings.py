"""Ratings of the snapshots of a network, made while it is being trained.

A snapshot plays against plain mcts and against an earlier snapshot. If there is a free core,
another process plays these matches with low priority. When it has rated a snapshot, it goes on with
the newest one, so it may skip some. Without a free core, the matches are played after the training.
"""

from __future__ import annotations

import multiprocessing
import os
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any, NamedTuple

import gdl
from ggp.cluster.tasks import SentGame
from ggp.processes.machine import num_cores
from ggp.rating.ratings import Meeting, rate
from ggp.search.evaluation.network.file import network_of
from ggp.training.arena.duels import PLAIN, DuelTerms, Searcher, play_round

SECONDS = 0.05  # per move
MIN_ROUNDS, MAX_ROUNDS = 1, 4  # against each opponent
NICENESS = 10
PLAIN_NAME = "mcts"
END_SECONDS = 5.0  # maximum time to wait for a process to end


@dataclass(frozen=True, slots=True)
class Result:
    """The points of a snapshot in a round against an earlier snapshot, or against plain mcts."""

    snapshot: int
    other: int | None
    points: float


@dataclass(frozen=True, slots=True)
class RatedSnapshot:
    """The strength of a snapshot."""

    number: int  # counted from 0
    elo: float  # Elo points above plain mcts
    matches: int  # number of matches on which the rating is based


def rated(results: Iterable[Result], num_roles: int) -> list[RatedSnapshot]:
    """Return the rating of each snapshot that has results, in the order of the snapshots."""
    meetings = []
    for one in results:
        other = PLAIN_NAME if one.other is None else str(one.other)
        meetings += [Meeting(str(one.snapshot), other, one.points)] * num_roles
    ratings = {one.name: one for one in rate(meetings)}
    if PLAIN_NAME not in ratings:
        return []
    zero = ratings.pop(PLAIN_NAME).elo
    found = [RatedSnapshot(int(one.name), one.elo - zero, one.meetings) for one in ratings.values()]
    return sorted(found, key=lambda one: one.number)


class _Order(NamedTuple):
    number: int
    content: bytes
    is_new: bool = True  # whether to rate it; False for an opponent that was rated before

    @property
    def searcher(self) -> Searcher:
        """A searcher with this snapshot."""
        return Searcher(network_of(self.content, f"snapshot {self.number}"))


class SnapshotRater:
    """A rater of snapshots. If there is a free core, another process rates during the training."""

    def __init__(
        self, game: gdl.Game, seconds: float, seed: int, results: Sequence[Result] = ()
    ) -> None:
        """Create a rater.

        Args:
            seconds: Approximate time to rate a snapshot. It plays at least one round against each
                opponent.
            results: Earlier results, if a training run is resumed.
        """
        self.results = list(results)
        self._game, self._seconds, self._seed = game, seconds, seed
        self._sent: list[bytes] = []
        self._num_done = 1 + max((one.snapshot for one in results), default=-1)
        self._connection: Connection | None = None
        self._process: Any = None
        if num_cores() > 1:
            self._start()

    def offer(self, snapshots: Sequence[bytes]) -> None:
        """Take all snapshots so far. Unless the newest one is rated already, rate it next."""
        for number in range(len(self._sent), len(snapshots)):
            self._sent.append(snapshots[number])
            # The process needs only the last rated snapshot, as an opponent of the next one.
            if self._connection is not None and number >= self._num_done - 1:
                with suppress(OSError):
                    order = _Order(number, snapshots[number], number >= self._num_done)
                    self._connection.send(order)
        self._collect()

    def ratings(self) -> list[RatedSnapshot]:
        """Return the ratings so far."""
        self._collect()
        return rated(self.results, len(self._game.roles))

    def finish(self, seconds: float) -> list[RatedSnapshot]:
        """Rate the remaining snapshots for at most `seconds`, and return all ratings."""
        over = time.monotonic() + seconds
        if self._connection is None:
            for number in reversed(range(self._num_done, len(self._sent))):
                if time.monotonic() < over:
                    before = _Order(number - 1, self._sent[number - 1]) if number else None
                    order = _Order(number, self._sent[number])
                    self.results += _rounds(self._game, order, before, self._seconds, self._seed)
        else:
            with suppress(OSError):
                self._connection.send(None)
            while self._process.is_alive() and time.monotonic() < over:
                if self._connection.poll(0.1):
                    self._collect()
        found = self.ratings()
        self.close()
        return found

    def close(self) -> None:
        """Stop the process that plays the matches, if there is one."""
        if self._process is not None:
            self._process.terminate()
            self._process.join(END_SECONDS)
            self._process = None
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _start(self) -> None:
        context = multiprocessing.get_context("spawn")
        self._connection, there = context.Pipe()
        self._process = context.Process(
            target=_rate, args=(SentGame(self._game), there, self._seconds, self._seed), daemon=True
        )
        self._process.start()
        there.close()

    def _collect(self) -> None:
        with suppress(EOFError, OSError):
            while self._connection is not None and self._connection.poll():
                self.results += self._connection.recv()


def _rate(game: SentGame, connection: Connection, seconds: float, seed: int) -> None:
    os.nice(NICENESS)
    before: _Order | None = None
    with suppress(EOFError, OSError, KeyboardInterrupt):
        for order in _newest(connection):
            if order.is_new:
                connection.send(_rounds(game.game, order, before, seconds, seed))
            before = order


def _newest(connection: Connection) -> Iterator[_Order]:
    while (order := connection.recv()) is not None:
        while order.is_new and connection.poll():
            newer = connection.recv()
            if newer is None:
                yield order
                return
            order = newer
        yield order


def _rounds(
    game: gdl.Game, order: _Order, before: _Order | None, seconds: float, seed: int
) -> list[Result]:
    start = time.monotonic()
    own = order.searcher
    others: list[tuple[int | None, Searcher]] = [(None, PLAIN)]
    if before is not None:
        others.append((before.number, before.searcher))
    terms = DuelTerms(SECONDS, seed=seed)
    found: list[Result] = []
    for each in range(MAX_ROUNDS):
        if each >= MIN_ROUNDS and time.monotonic() - start >= seconds:
            break
        for name, other in others:
            points = play_round(game, own, other, terms, MAX_ROUNDS * order.number + each)
            found.append(Result(order.number, name, points))
    return found
