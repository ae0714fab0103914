"""The checkpoint: a training that goes on after it was stopped, as a zip of numpy's arrays.

Its head is JSON, and nothing in it is run: the file may come from anybody.
"""

from __future__ import annotations

import io
import json
import zipfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ggp.errors import GgpError, reason_of
from ggp.search.evaluation.network.file import replace_file
from ggp.training.network.practice import PracticeState

FORMAT = "ggp training"
VERSION = 2
MOST_BYTES = 1 << 30
HEAD, LEARNER, SNAPSHOT = "head", "learner ", "snapshot "


class CheckpointError(GgpError):
    """A checkpoint cannot be written, read or used: the message says which and why."""


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A training at rest.

    Attributes:
        rules: Digest of the game's rules.
        plan: What was asked for, by name.
        seconds: Of training so far.
        practice: What it has come to.
        snapshots: Network files of moments before.
        notes: What was found out meanwhile and decides nothing about the network.
    """

    rules: str
    plan: dict[str, Any]
    seconds: float
    practice: PracticeState
    snapshots: tuple[bytes, ...] = ()
    notes: dict[str, Any] = field(default_factory=dict)


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
