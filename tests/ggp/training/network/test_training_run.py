"""A training that was killed goes on from its checkpoint, and ends as one that was not."""

from __future__ import annotations

import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from ggp.training.network.practice import Practice
from ggp.training.network.training_run import (
    SNAPSHOTS,
    Checkpoint,
    CheckpointError,
    TrainingPlan,
    TrainingRun,
    read_checkpoint,
    write_checkpoint,
)
from tests.ggp.search.fast.tree.test_search import machine_of
from tests.ggp.training.network.test_practice import SMALL
from tests.thorough import all_but

pytestmark = pytest.mark.usefixtures("kernels")

PLAN = TrainingPlan(batches=40, units=SMALL.units, seed=SMALL.seed)

# Says when the first checkpoint is there, and after each batch, for which it is asked by a line.
KILLED = """
import sys
from pathlib import Path
from tests.ggp.search.fast.tree.test_search import machine_of
from tests.ggp.training.network.test_practice import SMALL
from tests.ggp.training.network.test_training_run import PLAN
from ggp.training.network.training_run import TrainingRun
run = TrainingRun(machine_of("ticTacToe"), PLAN, Path(sys.argv[1]), SMALL)
run.save()
print("begins", flush=True)
def after_batch(found):
    print("batch", flush=True)
    input()
run.train(after_batch, seconds_between_checkpoints=0.0)
"""


def network_after(run: TrainingRun) -> list[bytes]:
    """The numbers of the network that a run ends with."""
    network = run.train()
    arrays = (network.rows, network.start, network.output, network.bias, network.reference)
    return [array.tobytes() for array in arrays]


class BrokenOffError(Exception):
    """Ends a training in the middle."""


@pytest.mark.parametrize("num_batches", all_but([1, 9], [1, 2, 9, PLAN.batches - 1]))
def test_a_training_that_was_broken_off_ends_with_the_same_network(
    tmp_path: Path, num_batches: int
) -> None:
    """It goes on from its latest checkpoint."""
    game, file = machine_of("ticTacToe"), tmp_path / "one.checkpoint"
    plan = replace(PLAN, batches=10) if num_batches < 10 else PLAN
    found: list[object] = []

    def end(batch: object) -> None:
        found.append(batch)
        if len(found) == num_batches:
            raise BrokenOffError

    broken, whole = (
        TrainingRun(game, plan, path, SMALL) for path in (file, tmp_path / "other.checkpoint")
    )
    broken.save()
    with pytest.raises(BrokenOffError):
        broken.train(end, seconds_between_checkpoints=0.0)

    rest = TrainingRun.resumed(game, plan, file, SMALL)

    assert 0 <= rest.share < 1
    assert network_after(rest) == network_after(whole)
    assert rest.snapshots == whole.snapshots
    assert len(whole.snapshots) == SNAPSHOTS


@pytest.mark.thorough
@pytest.mark.parametrize("num_batches", [0, 1, 20, PLAN.batches - 2])
def test_a_killed_training_ends_with_the_same_network(tmp_path: Path, num_batches: int) -> None:
    """Killed without warning in another process, while it makes a batch and saves."""
    file = tmp_path / "one.checkpoint"
    command = [sys.executable, "-c", KILLED, str(file)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stdout.readline() == "begins\n"
        process.stdin.write("\n" * (num_batches + 1))
        process.stdin.flush()
        for _ in range(num_batches):
            assert process.stdout.readline() == "batch\n"
        process.kill()  # it works at the next batch meanwhile, or at its checkpoint
    assert process.returncode == -signal.SIGKILL
    game = machine_of("ticTacToe")
    whole = TrainingRun(game, PLAN, tmp_path / "other.checkpoint", SMALL)

    rest = TrainingRun.resumed(game, PLAN, file, SMALL)

    assert 0 <= rest.share < 1
    assert network_after(rest) == network_after(whole)
    assert rest.snapshots == whole.snapshots
    assert len(whole.snapshots) == SNAPSHOTS


def test_practice_goes_on_where_it_was() -> None:
    """With the samples, the running means of the training, and what draws lots."""
    game = machine_of("ticTacToe")
    one = Practice(game, SMALL)
    for step in range(5):
        one.step(step / 10)
    other = Practice(game, SMALL, one.state())

    assert other.step(0.5) == one.step(0.5)
    assert (other.network().rows == one.network().rows).all()


def test_a_training_at_its_end_does_not_train_again(tmp_path: Path) -> None:
    """Where only the gate is left."""
    game, file = machine_of("ticTacToe"), tmp_path / "one.checkpoint"
    plan = replace(PLAN, batches=2)
    first = network_after(TrainingRun(game, plan, file, SMALL))
    batches: list[object] = []

    run = TrainingRun.resumed(game, plan, file, SMALL)
    run.train(batches.append)

    assert batches == []
    assert network_after(run) == first


def test_checkpoints_of_other_trainings_are_refused(tmp_path: Path) -> None:
    """The message says what is different."""
    game, file = machine_of("ticTacToe"), tmp_path / "one.checkpoint"
    TrainingRun(game, PLAN, file, SMALL).save()

    with pytest.raises(
        CheckpointError, match="began with seed 1, so it cannot continue with seed 2"
    ):
        TrainingRun.resumed(game, replace(PLAN, seed=2), file, SMALL)
    with pytest.raises(CheckpointError, match="got one of other rules"):
        TrainingRun.resumed(machine_of("connectFour"), PLAN, file, SMALL)


def test_damaged_checkpoints_are_refused(tmp_path: Path) -> None:
    """Whatever is in them: no file, no zip, objects that would be run, arrays of another size."""
    game, file = machine_of("ticTacToe"), tmp_path / "one.checkpoint"
    with pytest.raises(CheckpointError, match="cannot be read"):
        read_checkpoint(file)
    file.write_bytes(b"nothing")
    with pytest.raises(CheckpointError, match="expected a checkpoint"):
        read_checkpoint(file)
    with file.open("wb") as opened:
        np.savez(opened, head=np.array([{"format": "ggp training"}], object))
    with pytest.raises(CheckpointError, match="expected a checkpoint"):
        read_checkpoint(file)
    TrainingRun(game, PLAN, file, SMALL).save()
    saved = read_checkpoint(file)
    arrays = {**saved.practice.arrays, "learned 0": np.zeros((3, 3), np.float32)}
    practice = saved.practice._replace(arrays=arrays)
    write_checkpoint(replace(saved, practice=practice), file)
    with pytest.raises(CheckpointError, match="is damaged: learned 0"):
        TrainingRun.resumed(game, PLAN, file, SMALL)


def test_a_checkpoint_that_cannot_be_written_leaves_the_last_one(tmp_path: Path) -> None:
    """And says why."""
    practice = Practice(machine_of("ticTacToe"), SMALL)
    file = tmp_path / "one.checkpoint"
    checkpoint = Checkpoint("", {}, 1.0, practice.state())
    write_checkpoint(checkpoint, file)
    (tmp_path / "one.checkpoint.part").mkdir()

    with pytest.raises(CheckpointError, match="cannot be written"):
        write_checkpoint(replace(checkpoint, seconds=2.0), file)

    assert read_checkpoint(file).seconds == 1.0
