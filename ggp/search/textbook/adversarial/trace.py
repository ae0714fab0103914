"""Watching a search prune: what it visits, in which order, and what it leaves out.

A search calls its trace, if it has one; without one it loses a comparison a state. `Recorder` keeps
what it gets, for a picture or a table:

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
"""`alpha`: a MIN node is worth no more than MAX has elsewhere; `beta`: the reverse."""


class SearchTrace(Protocol):
    """Listener to what a search does, as it does it."""

    def visit(self, state: gdl.State, depth: int, alpha: float, beta: float) -> None:
        """A state is entered with so many plies left, and this window."""

    def leave(self, state: gdl.State, value: float) -> None:
        """A state was left; after a cut-off the value is a bound."""

    def cut(
        self, state: gdl.State, kind: CutKind, value: float, bound: float, pruned: Sequence[Joint]
    ) -> None:
        """The rest of the joint moves of a state needs no look: `value` has passed `bound`."""


@dataclass(frozen=True, slots=True)
class Visited:
    """A state was entered."""

    state: gdl.State
    depth: int
    alpha: float
    beta: float


@dataclass(frozen=True, slots=True)
class Left:
    """A state was left with a value."""

    state: gdl.State
    value: float


@dataclass(frozen=True, slots=True)
class Cut:
    """Some joint moves of a state were not looked at."""

    state: gdl.State
    kind: CutKind
    value: float
    bound: float
    pruned: tuple[Joint, ...]


@dataclass(slots=True)
class Recorder:
    """A trace that keeps everything, in order."""

    events: list[Visited | Left | Cut] = field(default_factory=list)

    def visit(self, state: gdl.State, depth: int, alpha: float, beta: float) -> None:
        """Keep a `Visited`."""
        self.events.append(Visited(state, depth, alpha, beta))

    def leave(self, state: gdl.State, value: float) -> None:
        """Keep a `Left`."""
        self.events.append(Left(state, value))

    def cut(
        self, state: gdl.State, kind: CutKind, value: float, bound: float, pruned: Sequence[Joint]
    ) -> None:
        """Keep a `Cut`."""
        self.events.append(Cut(state, kind, value, bound, tuple(pruned)))

    @property
    def visited(self) -> list[gdl.State]:
        """The states in the order in which they were entered."""
        return [event.state for event in self.events if isinstance(event, Visited)]

    @property
    def cuts(self) -> list[Cut]:
        """The cut-offs in order."""
        return [event for event in self.events if isinstance(event, Cut)]
