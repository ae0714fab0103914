"""Counts of the questions to a model in a match, and of its answers."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True)
class ModelTally:
    """Counts of one match.

    Attributes:
        turns: Turns in which the model was asked. It is not asked if only one move is legal.
        requests: Requests sent, including retries.
        tokens_in: Tokens of the questions, if the endpoint reports them.
        tokens_out: Tokens of the answers, if the endpoint reports them.
        illegal: Answers without a legal move, counting each try.
        mended: Turns in which a legal move followed an illegal one.
        late: Turns in which no answer arrived in time.
        failed: Turns in which the endpoint gave no answer.
    """

    turns: int = 0
    requests: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    illegal: int = 0
    mended: int = 0
    late: int = 0
    failed: int = 0

    def summary(self) -> str:
        """Return a one-line summary for the end of a match."""
        return (
            f"turns asked: {self.turns}, requests: {self.requests}, tokens in: {self.tokens_in}, "
            f"out: {self.tokens_out}; illegal answers: {self.illegal} "
            f"(turns mended by a rethink: {self.mended}), late: {self.late}, "
            f"no answer: {self.failed}"
        )
