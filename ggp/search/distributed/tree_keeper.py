"""A search tree on another machine. It grows as long as the player asks for its findings."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from typing import Final

import gdl
from ggp.clock import Deadline
from ggp.search.core.choices import Joint
from ggp.search.core.result import Effort, SearchResult
from ggp.search.core.search import Search

PACKAGE: Final = "ggp-agent"

NO_EFFORT: Final = Effort(num_iterations=0, num_playouts=0, num_nodes=0, depth=0)
"""The effort of a search that has not started."""

MakeSearch = Callable[[gdl.Game, gdl.State, int], Search]
"""A function that creates a search from a game, a state and a seed. It must be in a module that all
machines have, because it is pickled, or be a `functools.partial` of such a function."""


@dataclass(frozen=True, slots=True)
class SearchOrder:
    """A request to another machine to search."""

    rules: gdl.Rulesheet
    version: str
    """Version of this program. Another version may interpret the same options differently."""
    make: MakeSearch
    seed: int
    """Seed of all random choices. Each machine has its own."""


@dataclass(frozen=True, slots=True)
class Position:
    """A position of the match in which the game is not over."""

    number: int
    """Index of the position among all positions that the player has searched."""
    facts: tuple[gdl.Term, ...]
    moves: Joint | None = None
    """The joint move that led here from the previous position. None means to start a new tree."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A tree's result for the position with the given number."""

    number: int
    result: SearchResult
    effort: Effort
    """Work of the search since it started."""
    is_decided: bool
    """Whether searching longer cannot change the move."""


def added(effort: Effort, earlier: Effort) -> Effort:
    """Return `effort` plus the iterations and playouts of an `earlier` tree that is gone."""
    return replace(
        effort,
        num_iterations=effort.num_iterations + earlier.num_iterations,
        num_playouts=effort.num_playouts + earlier.num_playouts,
    )


SLICE_SECONDS: Final = 0.05
"""Seconds of search after which the tree's finding is renewed."""
PATIENCE_SECONDS: Final = 1.0
"""How many seconds the tree continues to grow after the last answer."""


class TreeKeeper:
    """A tree that grows in its own thread. Only `think` waits, for the requested time.

    The methods may be called from several threads, and in any order.
    """

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._order: SearchOrder | None = None
        self._positions: dict[int, Position] = {}
        """Pending positions by number. The tree follows them in order, so that it can be reused."""
        self._until = 0.0
        self._finding: Finding | None = None
        self._failure: Exception | None = None

    def start(self, order: SearchOrder, position: Position) -> None:
        """Load the rules and start searching in the background.

        Raises:
            ValueError: The order comes from another version of the program.
        """
        if order.version != (own := version(PACKAGE)):
            raise ValueError(f"expected {PACKAGE} {order.version}, but this machine has {own}")
        self._order = order
        self._positions[position.number] = position
        threading.Thread(target=self._run, name="tree", daemon=True).start()

    def think(self, number: int, seconds: float) -> Finding | None:
        """Wait `seconds`, then return the finding about the position with this number.

        Return None if there is no finding yet. The call also keeps the tree growing until
        `PATIENCE_SECONDS` after the answer.

        Raises:
            Exception: The exception that ended the search.
        """
        with self._changed:
            self._until = time.monotonic() + seconds + PATIENCE_SECONDS
            self._changed.notify_all()
        time.sleep(seconds)
        if self._failure is not None:
            raise self._failure
        finding = self._finding
        return finding if finding is not None and finding.number == number else None

    def advance(self, positions: Sequence[Position]) -> None:
        """Let the tree follow the match through `positions`, and search the last of them."""
        with self._changed:
            self._positions.update({position.number: position for position in positions})
            self._changed.notify_all()

    def _run(self) -> None:
        try:
            assert self._order is not None
            self._search_on(gdl.load(self._order.rules), self._order)
        # The thread ends here. The next call of `think` raises the exception.
        except Exception as error:  # noqa: BLE001
            self._failure = error

    def _search_on(self, game: gdl.Game, order: SearchOrder) -> None:
        search: Search | None = None
        number, before = -1, NO_EFFORT
        while True:
            for position in self._next(search, number):
                moves = position.moves if position.number == number + 1 else None
                state, number = game.state_of(position.facts), position.number
                if search is not None and moves is not None:
                    search.advance(moves, state)
                    continue
                before = before if search is None else added(before, search.effort)
                search = order.make(game, state, order.seed)
            if search is not None:
                self._grow(search, number, before)

    def _grow(self, search: Search, number: int, before: Effort) -> None:
        end = Deadline.after(SLICE_SECONDS)
        while search.step(Deadline.never()) and not end.is_over():  # a step may be a longer one
            pass
        effort = added(search.effort, before)
        self._finding = Finding(number, search.result(), effort, search.is_decided)

    def _next(self, search: Search | None, number: int) -> list[Position]:
        """Wait for new positions, or until the tree should grow. Return the new positions."""
        with self._changed:
            while not self._positions:
                is_idle = search is None or search.is_decided or time.monotonic() > self._until
                if not is_idle:
                    break
                self._changed.wait()
            found = [self._positions.pop(key) for key in sorted(self._positions)]
        return [position for position in found if position.number > number]
