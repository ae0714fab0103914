"""Traces of a search: which states it visits, in which order, and what it prunes.

A search calls its trace if it has one. Without a trace, the cost is one comparison per state.
`Recorder` keeps all events, for a picture or a table:

    >>> recorder = Recorder()
    >>> recorder.visit("A", 2, 0.0, 100.0)
    >>> recorder.leave("A", 3.0)
    >>> recorder.visited, recorder.events[-1]
    (['A'], Left(state='A', value=3.0))
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

import gdl
from ggp.search.core.choices import Joint

CutKind = Literal["alpha", "beta"]
"""`alpha`: the value of a MIN node is at most what MAX can get elsewhere. `beta`: the value of a
MAX node is at least what MIN can get elsewhere."""


class SearchTrace(Protocol):
    """An object that a search calls at each visit and each cutoff."""

    def visit(self, state: gdl.State, depth: int, alpha: float, beta: float) -> None:
        """Handle the visit of a state with `depth` plies left and the window (alpha, beta)."""

    def leave(self, state: gdl.State, value: float) -> None:
        """Handle the end of a visit. After a cutoff, the value is a bound."""

    def cut(
        self, state: gdl.State, kind: CutKind, value: float, bound: float, pruned: Sequence[Joint]
    ) -> None:
        """Handle a cutoff: `pruned` joint moves are skipped, because `value` has passed `bound`."""


@dataclass(frozen=True, slots=True)
class Visited:
    """An event: a state was entered."""

    state: gdl.State
    depth: int
    alpha: float
    beta: float


@dataclass(frozen=True, slots=True)
class Left:
    """An event: a state was left with a value."""

    state: gdl.State
    value: float


@dataclass(frozen=True, slots=True)
class Cut:
    """An event: some joint moves of a state were pruned."""

    state: gdl.State
    kind: CutKind
    value: float
    bound: float
    pruned: tuple[Joint, ...]


@dataclass(slots=True)
class Recorder:
    """A trace that keeps all events in order."""

    events: list[Visited | Left | Cut] = field(default_factory=list)

    def visit(self, state: gdl.State, depth: int, alpha: float, beta: float) -> None:
        """Add a `Visited` event."""
        self.events.append(Visited(state, depth, alpha, beta))

    def leave(self, state: gdl.State, value: float) -> None:
        """Add a `Left` event."""
        self.events.append(Left(state, value))

    def cut(
        self, state: gdl.State, kind: CutKind, value: float, bound: float, pruned: Sequence[Joint]
    ) -> None:
        """Add a `Cut` event."""
        self.events.append(Cut(state, kind, value, bound, tuple(pruned)))

    @property
    def visited(self) -> list[gdl.State]:
        """The states, in the order in which they were entered."""
        return [event.state for event in self.events if isinstance(event, Visited)]

    @property
    def cuts(self) -> list[Cut]:
        """The cutoffs, in order."""
        return [event for event in self.events if isinstance(event, Cut)]
