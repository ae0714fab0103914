"""A trial of a submission: its file is loaded and its player made, and no match is played."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from ggp.clock import Deadline
from ggp.rulesheets import find_game
from ggp.submission.process import Loaded, Submission, SubmissionLostError, SubmissionProcess
from ggp.submission.starter import Starter

GAME: Final = "ticTacToe"


async def tried(starter: Starter, submission: Submission, seconds: float) -> Loaded:
    """The outcome of loading a file, and of making its player, in a confined process.

    Raises:
        StarterError: There is no process; the file is not to blame.
        UnconfinedError: Nothing of this machine confines one.
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
