"""A training from beginning to end: practice with snapshots on the way, and checkpoints.

A run that was killed goes on from its last checkpoint; where it counts batches and not the time,
it ends with the same network as one that was not. A checkpoint is a zip of numpy's arrays. Its head
is JSON, and nothing in it is run: the file may come from anybody.
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
from ggp.errors import GgpError, reason_of
from ggp.search.evaluation.network.file import beside, network_bytes, replace_file
from ggp.search.evaluation.network.network import ValueNetwork
from ggp.search.evaluation.weights import digest
from ggp.training.network.practice import Practice, PracticeSettings, PracticeState, Progress

FORMAT = "ggp training"
VERSION = 3
MOST_BYTES = 1 << 30
HEAD, LEARNER, SNAPSHOT = "head", "learner ", "snapshot "


class CheckpointError(GgpError):
    """A checkpoint cannot be written, read or used: the message says which and why."""


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A training at rest."""

    rules: str  # digest of the game's rules
    plan: dict[str, Any]  # what was asked for, by name
    seconds: float  # of training so far
    practice: PracticeState  # what it has come to
    snapshots: tuple[bytes, ...] = ()  # network files of moments before
    notes: dict[str, Any] = field(default_factory=dict)
    """What was found out meanwhile and decides nothing about the network."""


def write_checkpoint(checkpoint: Checkpoint, file: Path) -> int:
    """Replace the checkpoint in a file at once, so that one is whole at each moment; its bytes.

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
        CheckpointError: It cannot be read, is damaged, or is none of this version.
    """
    try:
        with zipfile.ZipFile(file) as packed:
            if sum(entry.file_size for entry in packed.infolist()) > MOST_BYTES:
                raise CheckpointError(f"{file}: expected at most {MOST_BYTES >> 20} MB")
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


SNAPSHOTS = 10  # of a run; the last one is what it ends with
CHECKPOINT_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class TrainingPlan:
    """Plan of a training."""

    minutes: float = 10.0  # where batches are not counted
    batches: int = 0  # batches of games, instead of the time, if not 0
    units: int = 64
    seed: int = 1

    @property
    def seconds(self) -> float:
        """The time that it takes, where batches are not counted."""
        return 60 * self.minutes

    def settings(self) -> PracticeSettings:
        """Settings of its practice."""
        return replace(PracticeSettings(), units=self.units, seed=self.seed)


class TrainingRun:
    """A training that leaves checkpoints in a file."""

    def __init__(
        self,
        game: gdl.Game,
        plan: TrainingPlan,
        file: Path,
        settings: PracticeSettings | None = None,
        saved: Checkpoint | None = None,
    ) -> None:
        """Begin a training, or go on with one.

        Args:
            settings: Of the practice; those of the plan if None.
            saved: Where it was stopped; it must have had the same plan.

        Raises:
            CheckpointError: What was saved cannot be used.
            PracticeError: The game cannot be practised.
        """
        start = time.monotonic()
        self.plan = plan
        # Network files, one for each part of the way that is behind it
        self.snapshots: list[bytes] = list(saved.snapshots) if saved else []
        # What others find out about them; it is in the checkpoints
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
            raise CheckpointError(f"{file}: is damaged: {error}") from error
        # Spent on training so far
        self.seconds = saved.seconds if saved else time.monotonic() - start

    @classmethod
    def resumed(
        cls,
        game: gdl.Game,
        plan: TrainingPlan,
        file: Path,
        settings: PracticeSettings | None = None,
    ) -> TrainingRun:
        """Go on from the last checkpoint in a file, which was made for the same plan.

        Raises:
            CheckpointError: It cannot be used for this game and plan.
            PracticeError: The game cannot be practised.
        """
        saved = read_checkpoint(file)
        if saved.rules != digest(game):
            raise CheckpointError(
                f"{file}: expected a checkpoint of these rules, got one of others"
            )
        for name, wanted in asdict(plan).items():
            if saved.plan.get(name) != wanted:
                raise CheckpointError(
                    f"{file}: began with {name} {saved.plan.get(name)}, and cannot go on with "
                    f"{name} {wanted}"
                )
        return cls(game, plan, file, settings, saved)

    @property
    def share(self) -> float:
        """The part of the way that is behind it; 1 and more at its end."""
        if self.plan.batches:
            return self._practice.num_batches / self.plan.batches
        return self.seconds / self.plan.seconds

    @property
    def mean_plies(self) -> float:
        """The mean length of a game that was practised."""
        games = self._practice.num_batches * PracticeSettings().games.games
        return self._practice.num_samples / max(1, games)

    def train(
        self,
        progress: Callable[[Progress], None] = lambda found: None,
        seconds_between_checkpoints: float = CHECKPOINT_SECONDS,
    ) -> ValueNetwork:
        """Train to the end of the plan, and leave a checkpoint of that; the network.

        Raises:
            CheckpointError: It cannot be written.
        """
        saved = time.monotonic()
        while (share := self.share) < 1:
            start = time.monotonic()
            found = self._practice.step(share)
            self.seconds += time.monotonic() - start
            # A batch may be longer than a part of the way; then there are fewer snapshots.
            if SNAPSHOTS * self.share >= len(self.snapshots) + 1:
                self.snapshots.append(network_bytes(self.network()))
            progress(found)
            if time.monotonic() - saved >= seconds_between_checkpoints:
                self.save()
                saved = time.monotonic()
        self.save()
        return self.network()

    def network(self) -> ValueNetwork:
        """The network as it is now."""
        return self._practice.network()

    def save(self) -> None:
        """Write a checkpoint.

        Raises:
            CheckpointError: It cannot be written.
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
        """Remove the checkpoint, and what is left of one that was being written in a crash."""
        self._file.unlink(missing_ok=True)
        beside(self._file).unlink(missing_ok=True)
