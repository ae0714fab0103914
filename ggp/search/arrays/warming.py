"""Getting the kernels of all searches into memory, compiling them once after an install.

    warm_up(print)

A process that is to be quick when a match begins calls it before. As with the kernels of the
reasoner, which come first, several processes compile a part each, and from then on they lie on the
disk. Whoever can play without them meanwhile lets `compile_apart` do that.

They are loaded by searching the smallest games there are.
"""

from __future__ import annotations

import argparse
import functools
import gc
from collections.abc import Callable
from pathlib import Path
from typing import Final

import numpy as np

import gdl
from ggp.clock import Deadline
from ggp.search.arrays.alphabeta.search import make_search
from ggp.search.arrays.single_agent.beam import Beam
from ggp.search.arrays.single_agent.best_first import BestFirst
from ggp.search.arrays.single_agent.board import Board
from ggp.search.arrays.single_agent.breadth import Breadth
from ggp.search.arrays.single_agent.decomposition import DecomposedSearch
from ggp.search.arrays.single_agent.search import SingleAgentSearch, SingleAgentSettings
from ggp.search.arrays.tree.search import LaneSearch
from ggp.search.arrays.tree.settings import LaneSettings
from ggp.search.hidden.warming import ROOMS, warm_up_hidden
from ggp.search.knowledge.evaluation import GoalEvaluation
from ggp.search.knowledge.network import network
from ggp.search.knowledge.network.network import NetworkValues, ValueNetwork

MESSAGE: Final = "compiling the kernels of the search, once after an install (about 20 s) ..."

_MEMORY: Final = 1 << 20
_MODULE: Final = "ggp.search.arrays.warming"
_ROOMS: Final = [
    *(Path(__file__).with_name(room) for room in ("tree", "single_agent", "alphabeta")),
    Path(network.__file__).parent,
    *ROOMS,
]

# A game so small that two steps of the tree search use everything.
_BOTH_MOVE = """
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

# A game so small that a few batches of each search of a game of one role use everything.
_ALONE = """
(role one) (init (at a)) (choice b) (choice c)
(<= (legal one ?c) (choice ?c))
(<= (next (at ?c)) (does one ?c)) (<= (next (was ?c)) (true (at ?c)))
(<= terminal (true (was b)) (true (at b)))
(<= (goal one 50) (true (at b)) (true (was b)))
"""

# Switches, each a part of the game; one is of no use.
_SWITCHES = """
(role one) (switch a) (switch b) (switch c)
(<= (legal one (press ?s)) (switch ?s))
(<= (next (on ?s)) (does one (press ?s)) (not (true (on ?s))))
(<= (next (on ?s)) (true (on ?s)) (not (does one (press ?s))))
(<= terminal (true (on a)) (true (on b)))
(<= (goal one 100) (true (on a)) (true (on b)))
"""

# A game so small that a look at three plies of it uses everything, the line expected as well.
_ONE_MOVES = """
(role one) (role two) (init (at a)) (choice b) (choice c) (legal two wait)
(<= (legal one ?c) (choice ?c))
(<= (next (at ?c)) (does one ?c)) (<= (next (was ?x)) (true (at ?x)))
(<= terminal (true (was b))) (<= terminal (true (was c)))
(<= (goal one 100) (true (at b))) (<= (goal two 100) (true (at c)))
"""


def _network_of(game: gdl.Game) -> ValueNetwork:
    """A network that says that all is even."""
    simulator = game.simulator
    assert simulator is not None
    phases = simulator.circuit.phases
    facts = tuple(map(str, phases[0].netlist.bases))
    shape = len(phases), len(game.roles)
    return ValueNetwork(
        game="",
        rules="",
        roles=tuple(map(str, game.roles)),
        facts=facts,
        reference=np.zeros(len(facts), np.bool_),
        rows=np.ones((len(facts), 1), np.float32),
        start=np.zeros(1, np.float32),
        output=np.zeros((*shape, 1), np.float32),
        bias=np.zeros(shape, np.float32),
    )


def warm_up_tree() -> None:
    """Load all kernels of the tree search."""
    game = gdl.load(_BOTH_MOVE, "lanes")
    state, settings = game.initial_state(), LaneSettings(memory=_MEMORY)
    search = LaneSearch(game, state, game.roles[0], seed=0, settings=settings)
    search.step(Deadline.never())
    search.result()
    search.make_room()
    moves = tuple(game.legal_moves(state, role)[0] for role in game.roles)
    search.advance(moves, game.next_state(state, moves))
    turns = gdl.load(_TURNS, "lanes")
    assert turns.simulator is not None
    gdl.warm_up_decisive(turns.simulator)
    settings = LaneSettings(memory=_MEMORY, child_values=True)
    values = NetworkValues(_network_of(turns), turns)
    search = LaneSearch(turns, turns.initial_state(), turns.roles[0], 0, settings, values)
    search.step(Deadline.never())


def warm_up_single_agent() -> None:
    """Load all kernels of the searches of games of one role."""
    game = gdl.load(_ALONE, "lanes")
    board = Board(game, seed=0)
    start = board.pack(game.initial_state()), 0, _MEMORY
    for search in (
        Breadth(board, *start, board.whole),
        BestFirst(board, *start, board.whole, weight=1),
        Beam(board, *start, horizon=10, rng=np.random.default_rng(0)),
    ):
        for _ in search.batches:
            pass
    _search_parts()


def _search_parts() -> None:
    """Load what looks for the parts of a game."""
    game = gdl.load(_SWITCHES, "lanes")
    settings = SingleAgentSettings(memory=_MEMORY, apart=False)
    search = DecomposedSearch(
        game,
        game.initial_state(),
        lambda part, state: SingleAgentSearch(part, state, 0, settings),
        horizon=10,
    )
    while search.step(Deadline.never()):
        pass


def warm_up_alphabeta() -> None:
    """Load all kernels of alpha-beta."""
    game = gdl.load(_ONE_MOVES, "scalar")
    search = make_search(game, game.roles[0], GoalEvaluation(game), num_entries=2)
    assert search is not None
    search.look(game.initial_state(), depth=3, deadline=Deadline.never())


def _warm_up_the_others() -> None:
    warm_up_single_agent()
    warm_up_alphabeta()


# As many as take about the same time; each more would load numba once more.
PARTS: Final[dict[str, Callable[[], None]]] = {
    "tree": warm_up_tree,
    "others": _warm_up_the_others,
    "hidden": warm_up_hidden,
}


def warm_up(progress: Callable[[str], None] | None = None) -> None:
    """Load all kernels of the reasoner and of the searches; compile those not on the disk.

    Args:
        progress: Called with what takes long, in words, before it does.
    """

    def announce() -> None:
        if progress is not None:
            progress(MESSAGE)

    gdl.warm_up(progress)
    gdl.compile_ahead(_MODULE, list(PARTS), _ROOMS, announce)
    _load()


@functools.cache
def _load() -> None:
    """Use every kernel of the searches; what was loaded once stays in the process."""
    for load_part in PARTS.values():
        load_part()


def is_compiled() -> bool:
    """Whether all kernels lie on the disk, so that `warm_up` takes about a second."""
    return gdl.is_compiled_ahead(_MODULE, _ROOMS)


def compile_apart() -> None:
    """Have all kernels compiled by a process that outlives this one; return when they are."""
    gdl.compile_apart(_MODULE, _ROOMS)


def main() -> None:
    """Compile all kernels, or those of the part that is named."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("part", nargs="?", choices=PARTS)
    gc.freeze()  # as where the reasoner's are compiled
    gc.set_threshold(50_000)
    PARTS.get(parser.parse_args().part, warm_up)()


if __name__ == "__main__":
    main()
