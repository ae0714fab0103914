"""Parallel gradings. Each runs in a grading process, which starts a process for the submission."""

from __future__ import annotations

import asyncio
import multiprocessing
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from dataclasses import dataclass

import gdl
from ggp.engine import Reasoner
from ggp.grading.grade import Grade
from ggp.grading.grader import GradedGame, Grader, GradingTerms
from ggp.processes.json_lines import end_with
from ggp.rulesheets import find_game
from ggp.submission.process import Submission
from ggp.submission.starter import Starter


@dataclass(frozen=True, slots=True)
class GradingOrder:
    """The games, the engine and the settings of a grading."""

    games: tuple[str, ...]
    engine: Reasoner
    terms: GradingTerms


class _Worker:
    """A grader with its event loop, which is reused for several submissions."""

    def __init__(self, order: GradingOrder) -> None:
        self._runner = asyncio.Runner()
        self._starter = Starter()
        games = [graded_game(name, order.engine) for name in order.games]
        self._grader = Grader(self._starter, games, order.terms)

    def grade(self, name: str, submission: Submission) -> tuple[Grade, tuple[str, ...]]:
        grade = self._runner.run(self._grader.grade(name, submission))
        return grade, self._grader.gaps

    def close(self) -> None:
        self._runner.run(self._starter.close())
        self._runner.close()


_workers: list[_Worker] = []
"""The worker of this process, if it is a process of the pool. There is only one."""


def graded_game(name: str, engine: Reasoner) -> GradedGame:
    """Return the bundled game or file `name`, ready for grading."""
    found = find_game(name)
    return GradedGame(found.name, gdl.load(found.rulesheet, engine), found.rules, name)


def grade_all(
    submissions: Sequence[tuple[str, Submission]],
    order: GradingOrder,
    jobs: int,
    report: Callable[[Grade], None],
) -> tuple[list[Grade], tuple[str, ...]]:
    """Grade submissions. Return the grades in the same order, and sentences on missing confinement.

    Args:
        submissions: The name under which to report each submission, and the submission.
        jobs: How many submissions to grade at once. With more jobs than cores, the measured times
            mean little.
        report: Called with each grade as soon as it is known.

    Raises:
        StarterError: A process for a submission could not be started. No submission is at fault.
        UnconfinedError: This machine has no means to confine submissions.
    """
    jobs = min(jobs, len(submissions))
    if jobs > 1:
        found = _grade_side_by_side(submissions, order, jobs, report)
    else:
        found = _grade_here(submissions, order, report)
    gaps = dict.fromkeys(gap for _, gaps in found for gap in gaps)
    return [grade for grade, _ in found], tuple(gaps)


def _grade_here(
    submissions: Sequence[tuple[str, Submission]],
    order: GradingOrder,
    report: Callable[[Grade], None],
) -> list[tuple[Grade, tuple[str, ...]]]:
    worker = _Worker(order)
    found = []
    try:
        for name, submission in submissions:
            found.append(worker.grade(name, submission))
            report(found[-1][0])
    finally:
        worker.close()
    return found


def _grade_side_by_side(
    submissions: Sequence[tuple[str, Submission]],
    order: GradingOrder,
    jobs: int,
    report: Callable[[Grade], None],
) -> list[tuple[Grade, tuple[str, ...]]]:
    # Do not fork: this process may have threads, which a forked child would lack.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(jobs, context, _begin, (order,)) as pool:
        try:
            asked = [pool.submit(_grade_in_pool, *one) for one in submissions]
            done: Future[tuple[Grade, tuple[str, ...]]]
            for done in as_completed(asked):
                report(done.result()[0])
            return [one.result() for one in asked]
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _begin(order: GradingOrder) -> None:
    asker = multiprocessing.parent_process()
    if asker is not None:  # if the parent process ends, end the submissions' processes as well
        end_with(asker.sentinel, "asker")
    _workers.append(_Worker(order))


def _grade_in_pool(name: str, submission: Submission) -> tuple[Grade, tuple[str, ...]]:
    return _workers[0].grade(name, submission)
