"""The examples, by the names that `ggp lecture` accepts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from ggp.errors import UnknownNameError
from ggp.lectures import alphabeta, bins, greedy, pacman, pruning, ucb1
from ggp.lectures.report import LectureReport


@dataclass(frozen=True, slots=True)
class Example:
    """An example that can be computed."""

    name: str
    summary: str
    run: Callable[[], LectureReport]


EXAMPLES: Mapping[str, Example] = {
    example.name: example
    for example in (
        Example("bins", "three bins, and opponents that draw from them", bins.run),
        Example("alphabeta", "the trees that alpha-beta prunes, step by step", alphabeta.run),
        Example("pacman", "what Pac-Man assumes about the ghost, and what is true", pacman.run),
        Example("ucb1", "four iterations of Monte Carlo tree search with UCB1", ucb1.run),
        Example("greedy", "the greedy player's selection rules, side by side", greedy.run),
        Example("pruning", "how much alpha-beta prunes, by the order of the moves", pruning.run),
    )
}


def example(name: str) -> Example:
    """Return the example with a given name.

    Raises:
        UnknownNameError: There is no such example.
    """
    found = EXAMPLES.get(name)
    if found is None:
        raise UnknownNameError("example", name, EXAMPLES)
    return found
