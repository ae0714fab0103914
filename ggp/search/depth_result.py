"""The answer of a search to a limited depth, and what it cost."""

from __future__ import annotations

from dataclasses import dataclass

from ggp.errors import GgpError
from ggp.search.result import SearchResult


class OutOfTime(GgpError):  # noqa: N818 - not a fault: the caller keeps what it had before
    """The deadline came in the middle of a depth; what was found so far must not be used."""


@dataclass(frozen=True, slots=True)
class DepthResult:
    """The best move as seen from a limited depth."""

    result: SearchResult
    """Values are goals of the searching role, 0..100; `lower == upper` where every line that counts
    was followed to the end of the game."""
    depth: int
    """Plies (joint moves) looked ahead."""
    nodes: int
    """States visited, the root included, each as often as it was met."""
    evaluations: int
    """Of these, those valued by the evaluation, not by the goals of the end."""
    cutoffs: int = 0
    """Times that the rest of a state's moves needed no look."""
    is_complete: bool = False
    """Whether no line was cut off by the depth: a deeper search cannot find anything else."""

    @property
    def value(self) -> float:
        """The goal that the searching role may expect."""
        return self.result.value
