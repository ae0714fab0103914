"""Limits on the work for one question, so that no rulesheet can run for ever."""

from __future__ import annotations

import time
from collections.abc import Sized
from dataclasses import dataclass
from itertools import count
from math import inf

from gdl.errors import EvaluationLimitError, GrowthError
from gdl.terms import Compound

_STEPS_PER_LOOK = 256  # evaluated calls between two checks of the clock


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits for answering one question: the legal moves, the next state, and so on."""

    seconds: float = 60.0  # time limit for the question
    new_terms: int = 1_000_000  # function terms that did not occur before
    depth: int = 200  # nesting depth of function terms
    size: int = 20_000  # symbols in one function term, including repeated parts
    # Answers for one relation, or for one group of relations that depend on each other
    answers: int = 2_000_000
    end: float = inf  # deadline for all questions, on the monotonic clock


class LimitsLeft:
    """The rest of the limits while a question is being answered."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._end = float("inf")
        self._terms_left = limits.new_terms
        self.step = count(1).__next__

    def start(self) -> None:
        """Begin a new question."""
        self._end = min(time.monotonic() + self.limits.seconds, self.limits.end)
        self._terms_left = self.limits.new_terms

    def look(self, step: int) -> None:
        """Check the clock once every `_STEPS_PER_LOOK` steps. Each evaluated call is a step."""
        if step % _STEPS_PER_LOOK == 0:
            self._look_at_clock()

    def within(self, answers: Sized) -> int:
        """Raise an error if the time is up or if there are too many answers.

        Return 0, which resets the caller's loop counter.
        """
        self._look_at_clock()
        if len(answers) > self.limits.answers:
            raise EvaluationLimitError(
                f"a rule has more than {self.limits.answers} answers in one state"
            )
        return 0

    def _look_at_clock(self) -> None:
        if time.monotonic() > self._end:
            if self._end == self.limits.end:
                raise EvaluationLimitError("the rules took longer than the remaining time")
            raise EvaluationLimitError(
                f"the rules took longer than {self.limits.seconds:g} s for one question"
            )

    def spend_term(self, term: Compound) -> None:
        """Count a new function term.

        Raises:
            GrowthError: The term is too deep or too large.
        """
        limits = self.limits
        if term.depth > limits.depth or term.size > limits.size:
            raise GrowthError(
                f"function terms of '{term.name}' grow without bound "
                f"(nested deeper than {limits.depth} or longer than {limits.size} symbols)",
                term.name,
            )
        self._terms_left -= 1
        if self._terms_left < 0:
            raise EvaluationLimitError(
                f"the rules made more than {self.limits.new_terms} new function terms "
                f"for one question, the last of '{term.name}'"
            )
        self.look(self.step())
