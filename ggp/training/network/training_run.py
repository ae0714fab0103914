"""A training run from start to end: practice with snapshots and checkpoints.

A run that was killed resumes from its last checkpoint. If it counts batches instead of time, it
ends with the same network as an uninterrupted run. A checkpoint is a zip of numpy arrays with a
JSON head. Nothing in it is executed, because the file may be untrusted.
"""

from __future__ import annotations

import io
import json
import time
import zipfile
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import gdl
from ggp.atomic_file import part_of, replace_file
from ggp.errors import GgpError, reason_of
from ggp.search.evaluation.network.file import network_bytes
from ggp.search.evaluation.network.network import ValueNetwork
from ggp.search.evaluation.weights import digest
from ggp.training.network.practice import (
    Practice,
    PracticeProgress,
    PracticeSettings,
    PracticeState,
)

FORMAT = "ggp training"
VERSION = 3
MAX_BYTES = 1 << 30
HEAD, LEARNER, SNAPSHOT = "head", "learner ", "snapshot "


class CheckpointError(GgpError):
    """A checkpoint cannot be written, read or used. The message says which and why."""


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The saved state of a training run."""

    rules: str  # digest of the game's rules
    plan: dict[str, Any]  # the options of the run, by name
    seconds: float  # duration of training so far
    practice: PracticeState  # state of the practice
    snapshots: tuple[bytes, ...] = ()  # network files written earlier in the run
    notes: dict[str, Any] = field(default_factory=dict)
    """Results that were found during the run and have no effect on the network."""


def write_checkpoint(checkpoint: Checkpoint, file: Path) -> int:
    """Write a checkpoint, replacing the file atomically. Return its size in bytes.

    Raises:
        CheckpointError: The file cannot be written.
    """
    head = {
        "format": FORMAT,
        "version": VERSION,
        "rules": checkpoint.rules,
        "plan": checkpoint.plan,
        "seconds": checkpoint.seconds,
        "learner": checkpoint.practice.numbers,
        "snapshots": len(checkpoint.snapshots),
        "notes": checkpoint.notes,
    }
    arrays = {LEARNER + name: array for name, array in checkpoint.practice.arrays.items()}
    for number, content in enumerate(checkpoint.snapshots):
        arrays[f"{SNAPSHOT}{number}"] = np.frombuffer(content, np.uint8)
    arrays[HEAD] = np.frombuffer(json.dumps(head, ensure_ascii=False).encode(), np.uint8)
    data = io.BytesIO()
    np.savez(data, allow_pickle=False, **arrays)
    try:
        replace_file(file, data.getvalue())
    except OSError as error:
        raise CheckpointError(f"{file}: cannot be written: {reason_of(error)}") from error
    return data.tell()


def read_checkpoint(file: Path) -> Checkpoint:
    """Read a checkpoint.

    Raises:
        CheckpointError: The file cannot be read, is damaged, or is not of this version.
    """
    try:
        with zipfile.ZipFile(file) as packed:
            if sum(entry.file_size for entry in packed.infolist()) > MAX_BYTES:
                raise CheckpointError(f"{file}: expected at most {MAX_BYTES >> 20} MB")
        with np.load(file, allow_pickle=False) as opened:
            arrays: dict[str, NDArray[Any]] = {name: opened[name] for name in opened.files}
        return _checkpoint(arrays)
    except zipfile.BadZipFile as error:
        raise CheckpointError(f"{file}: expected a checkpoint: {error}") from error
    except OSError as error:
        raise CheckpointError(f"{file}: cannot be read: {reason_of(error)}") from error
    except (ValueError, KeyError, TypeError, EOFError, AttributeError) as error:
        raise CheckpointError(f"{file}: expected a checkpoint: {error}") from error


def _checkpoint(arrays: dict[str, NDArray[Any]]) -> Checkpoint:
    head = json.loads(arrays[HEAD].tobytes())
    if head["format"] != FORMAT or head["version"] != VERSION:
        raise ValueError(f"got {head['format']!r} of version {head['version']!r}")
    state = PracticeState(
        dict(head["learner"]),
        {
            name.removeprefix(LEARNER): array
            for name, array in arrays.items()
            if name.startswith(LEARNER)
        },
    )
    snapshots = (arrays[f"{SNAPSHOT}{number}"] for number in range(int(head["snapshots"])))
    return Checkpoint(
        rules=str(head["rules"]),
        plan=dict(head["plan"]),
        seconds=float(head["seconds"]),
        practice=state,
        snapshots=tuple(one.tobytes() for one in snapshots),
        notes=dict(head["notes"]),
    )


SNAPSHOTS = 10  # number of snapshots of a run; the last one is its result
CHECKPOINT_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class TrainingPlan:
    """The plan of a training run."""

    minutes: float = 10.0  # duration if `batches` is 0
    batches: int = 0  # number of batches of games; 0 means to train for `minutes`
    units: int = 64
    seed: int = 1

    @property
    def seconds(self) -> float:
        """The planned duration in seconds. Valid only if `batches` is 0."""
        return 60 * self.minutes

    def settings(self) -> PracticeSettings:
        """Return the settings for the practice."""
        return replace(PracticeSettings(), units=self.units, seed=self.seed)


class TrainingRun:
    """A training run that writes checkpoints to a file."""

    def __init__(
        self,
        game: gdl.Game,
        plan: TrainingPlan,
        file: Path,
        settings: PracticeSettings | None = None,
        saved: Checkpoint | None = None,
    ) -> None:
        """Begin a training run, or continue one.

        Args:
            file: The file for checkpoints.
            settings: Settings of the practice. None means the settings of the plan.
            saved: The checkpoint from which to continue, or None for a new run. It must have the
                same plan.

        Raises:
            CheckpointError: The checkpoint cannot be used.
            PracticeError: The game does not support practice.
        """
        start = time.monotonic()
        self.plan = plan
        # Contents of network files, one for each tenth of the training that is done
        self.snapshots: list[bytes] = list(saved.snapshots) if saved else []
        # Results of matches of the snapshots, kept in checkpoints
        self.notes: dict[str, Any] = saved.notes if saved else {}
        self._game = game
        self._file = file
        try:
            self._practice = Practice(
                game, settings or plan.settings(), saved.practice if saved else None
            )
        except (ValueError, KeyError, TypeError, IndexError, AttributeError) as error:
            if saved is None:
                raise
            raise CheckpointError(f"{file}: the file is damaged: {error}") from error
        # Seconds of training so far
        self.seconds = saved.seconds if saved else time.monotonic() - start

    @classmethod
    def resumed(
        cls,
        game: gdl.Game,
        plan: TrainingPlan,
        file: Path,
        settings: PracticeSettings | None = None,
    ) -> TrainingRun:
        """Resume from the checkpoint in a file. It must have the same plan.

        Raises:
            CheckpointError: The checkpoint cannot be used for this game and plan.
            PracticeError: The game does not support practice.
        """
        saved = read_checkpoint(file)
        if saved.rules != digest(game):
            raise CheckpointError(
                f"{file}: expected a checkpoint of these rules, got one of other rules"
            )
        for name, wanted in asdict(plan).items():
            if saved.plan.get(name) != wanted:
                raise CheckpointError(
                    f"{file}: this training began with {name} {saved.plan.get(name)}, so it "
                    f"cannot continue with {name} {wanted}"
                )
        return cls(game, plan, file, settings, saved)

    @property
    def share(self) -> float:
        """The share of the training that is done, 1 or more at the end."""
        if self.plan.batches:
            return self._practice.num_batches / self.plan.batches
        return self.seconds / self.plan.seconds

    @property
    def mean_plies(self) -> float:
        """The mean length of the practised games in plies."""
        games = self._practice.num_batches * PracticeSettings().games.games
        return self._practice.num_samples / max(1, games)

    def train(
        self,
        progress: Callable[[PracticeProgress], None] = lambda found: None,
        seconds_between_checkpoints: float = CHECKPOINT_SECONDS,
    ) -> ValueNetwork:
        """Train to the end of the plan, write a last checkpoint, and return the network.

        Raises:
            CheckpointError: The checkpoint cannot be written.
        """
        saved = time.monotonic()
        while (share := self.share) < 1:
            start = time.monotonic()
            found = self._practice.step(share)
            self.seconds += time.monotonic() - start
            # A batch may take longer than the time between snapshots. Then there are fewer
            # snapshots.
            if SNAPSHOTS * self.share >= len(self.snapshots) + 1:
                self.snapshots.append(network_bytes(self.network()))
            progress(found)
            if time.monotonic() - saved >= seconds_between_checkpoints:
                self.save()
                saved = time.monotonic()
        self.save()
        return self.network()

    def network(self) -> ValueNetwork:
        """Return the current network."""
        return self._practice.network()

    def save(self) -> None:
        """Write a checkpoint.

        Raises:
            CheckpointError: The checkpoint cannot be written.
        """
        checkpoint = Checkpoint(
            digest(self._game),
            asdict(self.plan),
            self.seconds,
            self._practice.state(),
            tuple(self.snapshots),
            self.notes,
        )
        write_checkpoint(checkpoint, self._file)

    def remove_checkpoint(self) -> None:
        """Remove the checkpoint, and any half-written checkpoint that a crash has left."""
        self._file.unlink(missing_ok=True)
        part_of(self._file).unlink(missing_ok=True)
