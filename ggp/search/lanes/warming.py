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

# Roles take turns in it, and win at once.
_TURNS = """
(role one) (role two) (init (control one)) (side left) (side right)
(other one two) (other two one)
(<= (legal ?r (go ?s)) (true (control ?r)) (side ?s))
(<= (legal ?r wait) (role ?r) (not (true (control ?r))))
(<= (next (control ?r)) (true (control ?q)) (other ?q ?r))
(<= (next (at ?r ?s)) (does ?r (go ?s))) (<= (next (at ?r ?s)) (true (at ?r ?s)))
(<= (won ?r) (true (at ?r left)) (true (at ?r right)))
(<= (goal ?r 100) (won ?r)) (<= (goal ?r 0) (role ?r) (not (won ?r)))
(<= terminal (won ?r))
"""

_SETTINGS = LaneSettings(memory=1 << 20)


def warm_up() -> None:
    """Load all kernels of the search; those that are not on the disk are compiled."""
    machine = gdl.load(_RULES, "lanes")
    state = machine.initial_state()
    search = LaneSearch(machine, state, machine.roles[0], seed=0, settings=_SETTINGS)
    search.step(Deadline.never())
    search.result()
    search.make_room()
    moves = tuple(machine.legal_moves(state, role)[0] for role in machine.roles)
    search.advance(moves, machine.next_state(state, moves))
    gdl.decisive_of(gdl.load(_TURNS, "lanes"))
