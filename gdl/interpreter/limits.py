"""Bounds on the work of one question to the rules, so that no rulesheet can run for ever."""

from __future__ import annotations

import time
from dataclasses import dataclass
from itertools import count

from gdl.errors import EvaluationLimitError

_STEPS_PER_LOOK = 256  # how often the clock is looked at, in evaluated calls


@dataclass(frozen=True, slots=True)
class Limits:
    """What one question (legal moves, next state, ...) may cost at most.

    Attributes:
        seconds: Time.
        new_terms: Function terms that did not occur before.
        depth: Nesting of function terms.
        answers: Facts found for one group of relations that depend on each other.
    """

    seconds: float = 60.0
    new_terms: int = 1_000_000
    depth: int = 200
    answers: int = 2_000_000


class Budget:
    """What is left of the limits while a question is answered."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._end = float("inf")
        self._terms_left = limits.new_terms
        self.step = count(1).__next__

    def start(self) -> None:
        """Begin a new question."""
        self._end = time.monotonic() + self.limits.seconds
        self._terms_left = self.limits.new_terms

    def look(self, step: int) -> None:
        """Count one evaluated call; now and then look at the clock.

        Raises:
            EvaluationLimitError: The time is over.
        """
        if step % _STEPS_PER_LOOK == 0 and time.monotonic() > self._end:
            raise EvaluationLimitError(
                f"the rules took longer than {self.limits.seconds:g} s for one question"
            )

    def spend_term(self, name: str, depth: int) -> None:
        """Count one new function term.

        Raises:
            EvaluationLimitError: The term is too deep, or there are too many.
        """
        if depth > self.limits.depth:
            raise EvaluationLimitError(
                f"function terms of '{name}' grow without bound "
                f"(nested deeper than {self.limits.depth})"
            )
        self._terms_left -= 1
        if self._terms_left < 0:
            raise EvaluationLimitError(
                f"the rules made more than {self.limits.new_terms} new function terms "
                f"for one question, the last of '{name}'"
            )
        self.look(self.step())
