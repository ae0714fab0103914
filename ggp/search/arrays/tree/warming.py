"""Getting the kernels of the search into memory, before the clock of a match runs."""

from __future__ import annotations

import gdl
from ggp.clock import Deadline
from ggp.search.arrays.tree.descend import descend, make_selection_parameters
from ggp.search.arrays.tree.growing import collect_leaves, expand_and_back_up
from ggp.search.arrays.tree.opponents import Opponents
from ggp.search.arrays.tree.paths import Paths, make_paths
from ggp.search.arrays.tree.pool import NONE, Pool, make_pool
from ggp.search.arrays.tree.reachable_goals import found_by
from ggp.search.arrays.tree.search import LaneSearch
from ggp.search.arrays.tree.settings import LaneSettings

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
    search = _search()
    search.step(Deadline.never())
    _end(search)
    _ = gdl.load(_TURNS, "lanes").decisive


def warm_up_selection() -> None:
    """Compile what goes down the tree, which takes about as long as the rest."""
    pool, paths = _room()
    descend(
        pool,
        paths,
        0,
        1,
        0,
        make_selection_parameters(_SETTINGS.c, NONE, Opponents([], 2, 0, NONE).beliefs),
    )


def warm_up_the_rest() -> None:
    """Compile all kernels but those of the way down: there are no leaves to look at."""
    search = _search()
    expander = search.game.expander()
    pool, paths = _room()
    collect_leaves(pool, paths, 0, expander.parents, expander.moves)
    expand_and_back_up(pool, paths, 0, found_by(expander), 1, NONE)
    _end(search)


def _room() -> tuple[Pool, Paths]:
    """A tree without a node, and no rounds under way."""
    pool = make_pool(_SETTINGS.memory, num_roles=2, num_words=1, per_node=(4, 1), seed=0)
    return pool, make_paths(num_phases=1, num_leaves=1, num_roles=2)


def _search() -> LaneSearch:
    game = gdl.load(_RULES, "lanes")
    state = game.initial_state()
    return LaneSearch(game, state, game.roles[0], seed=0, settings=_SETTINGS)


def _end(search: LaneSearch) -> None:
    """Do what follows the search of a turn."""
    game, state = search.game, search.state
    search.result()
    search.make_room()
    moves = tuple(game.legal_moves(state, role)[0] for role in game.roles)
    search.advance(moves, game.next_state(state, moves))
