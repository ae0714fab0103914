"""A tree on another machine: it grows as long as somebody asks for it."""

from __future__ import annotations

import threading
import time
from importlib.metadata import version
from typing import Final

import gdl
from ggp.clock import Deadline
from ggp.search.cluster.positions import PACKAGE, Finding, Position, SearchOrder
from ggp.search.search import Search

SLICE_SECONDS: Final = 0.05
"""Of search between two findings."""
PATIENCE_SECONDS: Final = 1.0
"""How long the tree grows after somebody has asked last."""


class TreeKeeper:
    """Grows a tree in a thread of its own; every method returns at once, or soon.

    Its methods may be called from several threads, and in any order.
    """

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._order: SearchOrder | None = None
        self._wanted: Position | None = None
        self._until = 0.0
        self._finding: Finding | None = None
        self._failure: Exception | None = None

    def start(self, order: SearchOrder, position: Position) -> None:
        """Read the rules and begin to search, in the background.

        Raises:
            ValueError: This machine has another version of the program.
        """
        if order.version != (own := version(PACKAGE)):
            raise ValueError(f"expected {PACKAGE} {order.version}, this machine has {own}")
        self._order, self._wanted = order, position
        threading.Thread(target=self._run, name="tree", daemon=True).start()

    def think(self, number: int, seconds: float) -> Finding | None:
        """What is known of a position in so many seconds; None if that is nothing yet.

        The tree grows on for a while, since somebody wants it.

        Raises:
            Exception: Whatever has ended the search.
        """
        with self._changed:
            self._until = time.monotonic() + seconds + PATIENCE_SECONDS
            self._changed.notify_all()
        time.sleep(seconds)
        if self._failure is not None:
            raise self._failure
        finding = self._finding
        return finding if finding is not None and finding.number == number else None

    def advance(self, position: Position) -> None:
        """Go on from another position; one that is older than the present one is left out."""
        with self._changed:
            if self._wanted is None or position.number > self._wanted.number:
                self._wanted = position
                self._changed.notify_all()

    def _run(self) -> None:
        try:
            assert self._order is not None
            self._search_on(gdl.load(self._order.rules), self._order)
        # The edge of a thread: who asks next is told.
        except Exception as error:  # noqa: BLE001
            self._failure = error

    def _search_on(self, game: gdl.Game, order: SearchOrder) -> None:
        search: Search | None = None
        number = -1
        while True:
            position = self._next(search, number)
            if position.number != number:
                search = _moved(search, number, position, game, order)
                number = position.number
            if search is not None:
                end = Deadline.after(SLICE_SECONDS)
                while search.step(end) and not end.is_over():
                    pass
                self._finding = Finding(number, search.result(), search.effort, search.is_decided)

    def _next(self, search: Search | None, number: int) -> Position:
        """The position wanted now; waits until there is something to be done."""
        with self._changed:
            while True:
                assert self._wanted is not None
                is_new = self._wanted.number != number
                is_idle = search is None or search.is_decided or time.monotonic() > self._until
                if is_new or not is_idle:
                    return self._wanted
                self._changed.wait()


def _moved(
    search: Search | None, number: int, position: Position, game: gdl.Game, order: SearchOrder
) -> Search | None:
    """The search at a position, with what it knew if it saw how that came about.

    None where the game is over.
    """
    state = game.state_of(position.facts)
    if game.is_terminal(state):
        return None
    if search is not None and position.moves is not None and position.number == number + 1:
        search.advance(position.moves, state)
        return search
    return order.make(game, state, order.seed)
