"""A trial of a submission: load its file and create its player, without a match."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from ggp.clock import Deadline
from ggp.rulesheets import find_game
from ggp.submission.process import Loaded, Submission, SubmissionLostError, SubmissionProcess
from ggp.submission.starter import Starter

GAME: Final = "ticTacToe"


async def tried(starter: Starter, submission: Submission, seconds: float) -> Loaded:
    """Load a file and create its player in a confined process. Return the outcome.

    Raises:
        StarterError: No process could be started, which is not the file's fault.
        UnconfinedError: This machine cannot confine a process.
    """
    deadline = Deadline.after(seconds)
    process = await SubmissionProcess.start(starter, submission, 0)
    try:
        loaded = await process.load(submission.class_name, seconds)
        if loaded.wrong:
            return loaded
        rules = find_game(GAME).rules
        found, _ = await process.ask("make", deadline.remaining(), rules=rules)
        if "error" in found:
            return replace(loaded, wrong=str(found["error"]))
        return loaded
    except SubmissionLostError as error:
        return Loaded(wrong=str(error))
    finally:
        await process.close()
