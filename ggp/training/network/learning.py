"""Learn a value network: train it with rated snapshots, pass the promotion gate, write the file.

A network replaces the one in its file only if it is stronger in the same time.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Protocol

import gdl
from ggp.errors import CommandFailedError, WrongUseError
from ggp.search.evaluation.network.file import network_of, read_network, write_network
from ggp.search.evaluation.network.network import NetworkError, ValueNetwork
from ggp.training.arena.duels import Searcher
from ggp.training.arena.network_gate import GateRecord, GateTerms, through_gate, trial
from ggp.training.arena.snapshot_ratings import RatedSnapshot, Result, SnapshotRater
from ggp.training.network.batch_play import PracticeError
from ggp.training.network.practice import PracticeProgress
from ggp.training.network.training_run import (
    CHECKPOINT_SECONDS,
    SNAPSHOTS,
    TrainingPlan,
    TrainingRun,
)

COUNTED_SECONDS = 10.0  # approximate time to rate a snapshot if the plan counts batches
MIN_ROLES = 2  # in games of one role, players search for a complete solution instead
LATE_SECONDS = 60.0  # maximum time for ratings after the training
NUMPY_THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
CHECKPOINT, NEW = ".checkpoint", ".new"  # suffixes of files next to the file of the network


@dataclass(frozen=True, slots=True)
class LearningOrder:
    """A request to learn a network."""

    plan: TrainingPlan
    out: Path  # file to which the network is written
    gate: GateTerms = field(default_factory=GateTerms)
    is_resumed: bool = False  # whether to continue from the checkpoint
    has_ratings: bool = True
    seconds_between_checkpoints: float = CHECKPOINT_SECONDS

    @property
    def checkpoint(self) -> Path:
        """The checkpoint file, in the folder of the network's file."""
        return self.out.with_name(self.out.name + CHECKPOINT)


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """A point of the learning curve: the strength of a snapshot of the network."""

    samples: int  # number of samples played until then
    elo: float  # Elo points above plain mcts
    matches: int  # number of matches on which the rating is based


@dataclass(frozen=True, slots=True)
class LearnedNetwork:
    """A learned network, with its file and its ratings."""

    network: ValueNetwork  # as stored in the file
    file: Path
    num_bytes: int
    seconds: float
    curve: Sequence[CurvePoint]  # strength during training, empty without ratings
    against_previous: GateRecord | None
    """The record against the previous network in the file. None if there was no such test."""
    is_kept: bool  # whether it was written to the requested file, not to another one next to it


class Watcher(Protocol):
    """An object whose methods a training calls to report its progress."""

    def resumed(self, share: float) -> None:
        """Training resumes. `share` of the work was done before, 0..1."""

    def trained(
        self, share: float, seconds: float, found: PracticeProgress, elo: float | None
    ) -> None:
        """The network has learned from a batch of games, after `seconds` of training in total.

        `share` of the training is done. `elo` is the newest rating above plain mcts, or None.
        """

    def rating(self) -> None:
        """The training is over, and snapshots remain to be rated."""

    def gate_begins(self, matches: int, seconds: float) -> None:
        """The gate begins. It plays at most `matches` matches, which take about `seconds`."""

    def tested(self, what: str, record: GateRecord) -> None:
        """A round of matches of the test `what` was played. `record` is the record so far."""


def use_one_thread() -> None:
    """Make numpy use one thread, so that it computes in a fixed order.

    This has no effect if numpy is already loaded.
    """
    for name in NUMPY_THREADS:
        os.environ.setdefault(name, "1")


def check_files(order: LearningOrder) -> None:
    """Check that the checkpoint file exists if the training is resumed, and only then.

    Raises:
        WrongUseError: The check fails. The message says what to do.
    """
    file = order.checkpoint
    if order.is_resumed and not file.is_file():
        raise WrongUseError(f"--resume: there is no checkpoint {file} to resume from")
    if file.exists() and not order.is_resumed:
        raise WrongUseError(
            f"{file} exists, so a training was stopped. Continue it with --resume, or remove that "
            "file to start again"
        )


def learn_network(game: gdl.Game, order: LearningOrder, watcher: Watcher) -> LearnedNetwork:
    """Train a network of a compiled game, test it, and write it. Call `check_files` before.

    Raises:
        CheckpointError: A checkpoint cannot be written, or the existing one cannot be used.
        CommandFailedError: The existing file does not contain a network of these rules.
        NetworkError: The network cannot be written.
        PracticeError: The game does not support practice.
    """
    if len(game.roles) < MIN_ROLES:
        raise PracticeError("practice: expected a game of two roles or more")
    previous = _previous(order.out, game)
    make = TrainingRun.resumed if order.is_resumed else TrainingRun
    run = make(game, order.plan, order.checkpoint)
    if order.is_resumed:
        watcher.resumed(run.share)
    network, curve = _trained(game, run, order, watcher)
    against: GateRecord | None = None
    has_previous = previous is not None and previous.is_used
    if order.gate.matches:
        matches = order.gate.most_matches(len(game.roles), has_previous=has_previous)
        watcher.gate_begins(matches, matches * run.mean_plies * order.gate.seconds)
    network = through_gate(game, network, order.gate, watcher.tested)
    is_kept = True
    if previous is not None and has_previous and order.gate.matches:
        is_kept = False
        if network.is_used:
            own = Searcher(network, network.share)
            other = Searcher(previous, previous.share)
            what = "against the network before"
            against = trial(game, own, other, order.gate, what, watcher.tested)
            is_kept = against.is_passed
    file = order.out if is_kept else order.out.with_name(order.out.name + NEW)
    num_bytes = write_network(network, file)
    run.remove_checkpoint()
    return LearnedNetwork(network, file, num_bytes, run.seconds, curve, against, is_kept)


def _previous(file: Path, game: gdl.Game) -> ValueNetwork | None:
    if not file.exists():
        return None
    try:
        return read_network(file).for_game(game, str(file))
    except NetworkError as error:
        raise CommandFailedError(
            f"{error}; it is not overwritten: choose another file with --out, or remove it"
        ) from error


def _trained(
    game: gdl.Game, run: TrainingRun, order: LearningOrder, watcher: Watcher
) -> tuple[ValueNetwork, list[CurvePoint]]:
    plan = order.plan
    seconds = COUNTED_SECONDS if plan.batches else plan.seconds / SNAPSHOTS
    before = [Result(*row) for row in run.notes.get("results", [])]
    rater = SnapshotRater(game, seconds, plan.seed, before) if order.has_ratings else None
    try:

        def tell(found: PracticeProgress) -> None:
            elo = None
            if rater is not None:
                rater.offer(run.snapshots)
                run.notes["results"] = [list(asdict(one).values()) for one in rater.results]
                ratings = rater.ratings()
                elo = ratings[-1].elo if ratings else None
            watcher.trained(run.share, run.seconds, found, elo)

        network = run.train(tell, order.seconds_between_checkpoints)
        figures = {**network.figures, "seconds": round(run.seconds, 1), "seed": plan.seed}
        network = replace(network, figures=figures)
        if rater is None:
            return network, []
        watcher.rating()
        rater.offer(run.snapshots)
        return network, _curve(rater.finish(LATE_SECONDS), run.snapshots)
    finally:
        if rater is not None:
            rater.close()


def _curve(ratings: Sequence[RatedSnapshot], snapshots: Sequence[bytes]) -> list[CurvePoint]:
    networks = [network_of(content, "snapshot") for content in snapshots]
    samples = [int(network.figures["samples"]) for network in networks]
    return [CurvePoint(samples[one.number], one.elo, one.matches) for one in ratings]
