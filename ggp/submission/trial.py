"""A trial of a submission: its file is loaded as for a match, and no match is played."""

from __future__ import annotations

from ggp.submission.process import Loaded, Submission, SubmissionLostError, SubmissionProcess
from ggp.submission.starter import Starter


async def tried(starter: Starter, submission: Submission, seconds: float) -> Loaded:
    """The outcome of loading a file in a confined process, which is ended then.

    Raises:
        StarterError: There is no process; the file is not to blame.
        UnconfinedError: Nothing of this machine confines one.
    """
    process = await SubmissionProcess.start(starter, submission, 0)
    try:
        return await process.load(submission.class_name, seconds)
    except SubmissionLostError as error:
        return Loaded(wrong=str(error))
    finally:
        await process.close()
