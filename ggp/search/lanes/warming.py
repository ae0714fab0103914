"""Getting the kernels of the search into memory, before the clock of a match runs."""

from __future__ import annotations

import gdl
from ggp.clock import Deadline
from ggp.search.lanes.search import LaneSearch
from ggp.search.lanes.settings import LaneSettings

# A game so small that two steps of the search use everything.
_RULES = """
(role one) (role two) (init (at a)) (choice b) (choice c)
(<= (legal ?role ?c) (role ?role) (choice ?c))
(<= (next (at ?c)) (does one ?c)) (<= (next (was ?c)) (does two ?c))
(<= terminal (true (was ?c)))
(<= (goal one 100) (true (at ?c)) (true (was ?c))) (<= (goal two 100) (true (at b)) (true (was c)))
"""


def warm_up() -> None:
    """Load all kernels of the search; those that are not on the disk are compiled."""
    machine = gdl.load(_RULES, "lanes")
    state = machine.initial_state()
    settings = LaneSettings(memory=1 << 20)
    search = LaneSearch(machine, state, machine.roles[0], seed=0, settings=settings)
    search.step(Deadline.never())
    moves = search.result().line[0]
    search.make_room()
    search.advance(moves, machine.next_state(state, moves))
