"""A puzzle of two boards, a decoy and a fuse; and random states and moves of any game."""

from __future__ import annotations

from functools import cache
from itertools import pairwise

import numpy as np

import gdl
from gdl.circuit.circuit import Circuit
from gdl.circuit.netlist import BoolArray, literal_values
from gdl.structure.structure import Structure, analyse
from tests.fakes.netlists import evaluate
from tests.shared import require

# To win, both lamps of each board must be lit. The dial is a decoy. Who blows the fuse cannot win
# any more. What a move leaves as it is is said move by move, as many rulesheets do.
RULES = """
(role robot)
(board a) (board b) (lamp 1) (lamp 2)
(init (step 1)) (init (dial 1))
(after 1 2) (after 2 3) (after 3 1)
(succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6) (succ 6 7)
(<= (legal robot (press ?b ?l)) (board ?b) (lamp ?l))
(<= (legal robot turn) TURNING)
(legal robot blow)
(toggles 1 1) (toggles 1 2) (toggles 2 2)
(<= (next (lit ?b ?l)) (does robot (press ?b ?k)) (toggles ?k ?l) (not (true (lit ?b ?l))))
(<= (next (lit ?b 1)) (does robot (press ?b 2)) (true (lit ?b 1)))
(<= (next (lit ?b ?l)) (does robot (press ?c ?k)) (distinct ?b ?c) (true (lit ?b ?l)))
(<= (next (lit ?b ?l)) (does robot turn) (true (lit ?b ?l)))
(<= (next (lit ?b ?l)) (does robot blow) (true (lit ?b ?l)))
(<= (next (dial ?e)) (does robot turn) (true (dial ?d)) (after ?d ?e))
(<= (next (dial ?d)) (does robot (press ?b ?l)) (true (dial ?d)))
(<= (next (dial ?d)) (does robot blow) (true (dial ?d)))
(<= (next blown) (does robot blow))
(<= (next blown) (true blown))
(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
(<= (bright ?b) (true (lit ?b 1)) (true (lit ?b 2)))
(<= done (bright a) (bright b))
(<= terminal done)
(<= terminal (true (step 7)))
(<= (goal robot 100) done (not (true blown)))
(<= (goal robot 40) done (true blown))
(<= (goal robot 0) (not done))
"""
TURNING_IS_LEGAL = "(board a)"
TURNING_IS_LEGAL_SOMETIMES = "(not (true (dial 3)))"

CORPUS = (
    "ticTacToe",
    "dualConnect4",
    "factoringEasyTurtleBrain",
    "blocker",
    "firefighter",
    "pawnWhopping",
    "dresden_SOBOTKA_S_3359145294",
)
GAMES = ("boards", *CORPUS)
QUICK = ("boards", "ticTacToe", "blocker")


def boards(turning: str = TURNING_IS_LEGAL) -> Structure:
    """The structure of the puzzle."""
    return structure_of(RULES.replace("TURNING", turning))


@cache
def structure_of(rules: str) -> Structure:
    """The structure of a game."""
    found = analyse(_circuit(rules).netlist)
    assert found is not None
    return found


def of_game(name: str) -> Structure:
    """The structure of the puzzle, or of a game of the corpus: without it the test is skipped."""
    if name == "boards":
        return boards()
    return structure_of(require("corpus", "rules", f"{name}.kif").read_text())


def _circuit(rules: str) -> Circuit:
    circuit = gdl.load(rules, "scalar").circuit
    assert circuit is not None
    return circuit


def random_states(structure: Structure, num: int, seed: int = 1) -> BoolArray:
    """`[N, B]` states, most of which the game cannot reach."""
    rng = np.random.default_rng(seed)
    return rng.random((num, structure.netlist.num_bases)) < rng.random((num, 1))


def random_moves(structure: Structure, num: int, seed: int = 2) -> BoolArray:
    """`[N, I]` a move of each role, legal or not."""
    rng = np.random.default_rng(seed)
    moves = np.zeros((num, structure.netlist.num_inputs), np.bool_)
    for first, last in pairwise(structure.netlist.role_starts.tolist()):
        if first < last:
            moves[np.arange(num), rng.integers(first, last, num)] = True
    return moves


def after(structure: Structure, states: BoolArray, moves: BoolArray) -> BoolArray:
    """`[N, B]` the next states."""
    netlist = structure.netlist
    return literal_values(evaluate(netlist, states, moves), netlist.next)


def outcomes(structure: Structure, states: BoolArray) -> BoolArray:
    """`[N, 1 + goals]` whether each state is terminal, and which goals hold."""
    netlist = structure.netlist
    moves = np.zeros((len(states), netlist.num_inputs), np.bool_)
    literals = [netlist.terminal, *(literal for _, _, literal in netlist.goals)]
    return literal_values(evaluate(netlist, states, moves), literals)


def legal(structure: Structure, states: BoolArray) -> BoolArray:
    """`[N, I]` which inputs are legal."""
    netlist = structure.netlist
    moves = np.zeros((len(states), netlist.num_inputs), np.bool_)
    return literal_values(evaluate(netlist, states, moves), netlist.legal)


def names(structure: Structure, which: BoolArray) -> set[str]:
    """The facts of some bases that change."""
    bases = np.flatnonzero(which & structure.changes).tolist()
    return {str(structure.netlist.bases[base]) for base in bases}
