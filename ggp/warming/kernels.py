"""Loading the kernels of all searches, and compiling them once after an install.

A process that must be quick when a match begins calls `warm_up` in advance. `warm_up` compiles the
kernels of the reasoner first, and then those of the searches in several processes at once. From
then on the kernels are on disk. A process that can also play without kernels calls `compile_apart`,
which compiles them in another process.

A kernel is loaded, or compiled, when it is called. So the functions here search very small games.
"""

from __future__ import annotations

import argparse
import functools
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Final

import numpy as np

import gdl
import ggp.search
from ggp.belief import Belief
from ggp.clock import Deadline
from ggp.processes.priority import COMPUTING, give_way
from ggp.search.evaluation import GoalEvaluation
from ggp.search.evaluation.network.gradients import (
    Arrays,
    add_gradients,
    descend,
    make_inputs,
)
from ggp.search.evaluation.network.network import NetworkValues, ValueNetwork
from ggp.search.fast.alphabeta.search import make_search
from ggp.search.fast.lanes import BIASED, LaneSettings
from ggp.search.fast.puzzles.board import Board
from ggp.search.fast.puzzles.decomposition import DecomposedSearch
from ggp.search.fast.puzzles.plan_search import Beam, BestFirst, Breadth
from ggp.search.fast.puzzles.search import SingleAgentSearch, SingleAgentSettings
from ggp.search.fast.tree.leaf_values import leaf_batch_of
from ggp.search.fast.tree.search import LaneSearch
from ggp.search.fast.tree.state_graph import StateGraph
from ggp.search.hidden.ismcts.search import InformationSetSearch, InformationSetSettings
from ggp.search.hidden.solving.best_response import exploitability, move_values
from ggp.search.hidden.solving.full_width import FullWidth
from ggp.search.hidden.solving.growing import grow
from ggp.warming import MESSAGE

_MODULE: Final = "ggp.warming.kernels"
_ROOMS: Final = [
    Path(ggp.search.__file__).parent / room
    for room in (
        "kernels",
        "fast/tree",
        "fast/puzzles",
        "fast/alphabeta",
        "evaluation/network",
        "hidden/ismcts",
        "hidden/solving",
    )
]
_RULES: Final = Path(__file__).with_name("rules")
_MEMORY: Final = 1 << 20
_HIDDEN_MEMORY: Final = 1 << 16


def _rules(name: str) -> str:
    return (_RULES / f"{name}.kif").read_text()


def _network_of(game: gdl.Game) -> ValueNetwork:
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
    game = gdl.load(_rules("both_move"), "lanes")
    state, settings = game.initial_state(), LaneSettings(memory=_MEMORY, variant=BIASED)
    search = LaneSearch(game, state, game.roles[0], seed=0, settings=settings)
    search.step(Deadline.never())
    search.result()
    search.make_room()
    moves = tuple(game.legal_moves(state, role)[0] for role in game.roles)
    search.advance(moves, game.next_state(state, moves))
    turns = gdl.load(_rules("turns"), "lanes")
    assert turns.simulator is not None
    gdl.warm_up_decisive(turns.simulator)
    settings = LaneSettings(memory=_MEMORY, child_values=True)
    values = NetworkValues(_network_of(turns), turns)
    search = LaneSearch(turns, turns.initial_state(), turns.roles[0], 0, settings, values)
    search.step(Deadline.never())
    _warm_up_state_graph(turns)


def _warm_up_state_graph(game: gdl.Game) -> None:
    simulator = game.simulator
    assert simulator is not None
    expander = simulator.expander()
    graph = StateGraph(expander, leaf_batch_of(expander), _MEMORY)
    expander.children[0] = expander.initial
    expander.look(1, 0)
    graph.plant(0)
    while not graph.grow(0.0, Deadline.never()):
        pass
    graph.look(1, 0)


def warm_up_single_agent() -> None:
    """Load all kernels of the searches for games with one role."""
    game = gdl.load(_rules("alone"), "lanes")
    board = Board(game, seed=0)
    start = board.pack(game.initial_state()), 0, _MEMORY
    for search in (
        Breadth(board, *start, board.whole),
        BestFirst(board, *start, board.whole, weight=1),
        Beam(board, *start, horizon=10, rng=np.random.default_rng(0)),
    ):
        for _ in search.batches:
            pass
    game = gdl.load(_rules("switches"), "lanes")
    settings = SingleAgentSettings(memory=_MEMORY, apart=False)
    search_part = functools.partial(SingleAgentSearch, seed=0, settings=settings)
    apart = DecomposedSearch(game, game.initial_state(), search_part, horizon=10)
    while apart.step(Deadline.never()):
        pass


def warm_up_alphabeta() -> None:
    """Load all kernels of alpha-beta."""
    game = gdl.load(_rules("one_moves"), "scalar")
    search = make_search(game, game.roles[0], GoalEvaluation(game), num_entries=2)
    assert search is not None
    search.look(game.initial_state(), depth=3, deadline=Deadline.never())


def warm_up_hidden() -> None:
    """Load all kernels of the searches for games with hidden information."""
    game = gdl.load(_rules("poker"), "scalar")
    tree = grow(game)
    learner = FullWidth(tree)
    learner.run(1)
    shares = learner.average()
    exploitability(tree, shares)
    move_values(tree, 0, shares)
    role = game.roles[0]
    trees = InformationSetSearch(game, role, 1, InformationSetSettings(memory=_HIDDEN_MEMORY))
    worlds = Belief(game, role, seed=1).worlds
    trees.look_at(worlds)
    trees.run(1)
    trees.likelihoods(1, worlds.known[:, 1], np.zeros(worlds.num, np.int32))


def warm_up_training() -> None:
    """Load the kernels for training networks."""
    columns, pairs, num_units = np.arange(2), np.array([[0, 1]]), 1
    shapes = (3, num_units), (num_units,), (1, num_units), (1,)
    at, gradients = (Arrays(*(np.zeros(shape, np.float32) for shape in shapes)) for _ in "ag")
    states, phases = np.ones((1, 1), np.uint64), np.zeros(1, np.int8)
    inputs = make_inputs(columns, pairs, states.shape[1], num_units)
    add_gradients(inputs, states, phases, np.zeros((1, 1), np.float32), at, gradients)
    descend(at.start, gradients.start, np.zeros((3, num_units), np.float32), 0.0, 1.0)


def _warm_up_the_others() -> None:
    warm_up_training()
    warm_up_single_agent()
    warm_up_alphabeta()
    warm_up_hidden()


# Two parts that take about the same time. A third process would have to load numba and compile
# shared kernels again.
PARTS: Final[dict[str, Callable[[], None]]] = {
    "tree": warm_up_tree,
    "others": _warm_up_the_others,
}


def warm_up(progress: Callable[[str], None] | None = None) -> None:
    """Load all kernels of the reasoner and the searches. Compile those that are not on disk.

    Args:
        progress: Called with a message before compiling and before each step, if compiling takes
            long in this process or in another process that this one waits for.
    """
    if progress is None or _load.cache_info().currsize or is_compiled():
        progress = _say_nothing
    progress(MESSAGE)
    progress("1 of 3: compiling the reasoner ...")
    gdl.warm_up()
    progress("2 of 3: compiling the searches ...")
    gdl.compile_ahead(_MODULE, list(PARTS), _ROOMS)
    progress("3 of 3: loading everything ...")
    _load()


def _say_nothing(text: str) -> None:
    """Ignore a progress message."""


@functools.cache
def _load() -> None:
    """Use every kernel of the searches once. They then stay loaded in this process."""
    for load_part in PARTS.values():
        load_part()


def is_compiled() -> bool:
    """Return whether all kernels are on disk, so that `warm_up` takes about a second."""
    return gdl.is_compiled_ahead(_MODULE, _ROOMS)


def compile_apart() -> None:
    """Compile all kernels in a process that outlives this one, and wait until they are compiled."""
    gdl.compile_apart(_MODULE, _ROOMS)


LOOK_SECONDS: Final = 0.1


def are_on_their_way() -> bool:
    """Return whether a separate process is compiling the kernels. Start it if they are not on disk.

    Return False if all kernels are on disk, or if nothing can be stored on disk.
    """
    if is_compiled():
        return False
    waiting = _begun_apart()
    waiting.join(LOOK_SECONDS)
    return waiting.is_alive()


@functools.cache
def _begun_apart() -> threading.Thread:
    waiting = threading.Thread(target=compile_apart, name="kernels apart", daemon=True)
    waiting.start()
    return waiting


def main() -> None:
    """Compile all kernels, or only those of the part given on the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("part", nargs="?", choices=PARTS)
    give_way(COMPUTING)
    gdl.collect_garbage_once()
    PARTS.get(parser.parse_args().part, warm_up)()


if __name__ == "__main__":
    main()
