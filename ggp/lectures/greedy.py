"""Genesereth's greedy player with each of its selection rules, on the same games.

The example is from the lecture "Statistical Search". First comes a node for which the lecture's
formulas can be computed by hand. Then come whole games: puzzles, and games against random moves.
Every move is searched with a fixed number of iterations, so the results are reproducible.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import fmean

import gdl
from ggp import games
from ggp.clock import Deadline
from ggp.lectures.report import Claim, LectureReport, Picture, ReportTable
from ggp.lectures.sketch import Sketch
from ggp.search.core.search import repeat
from ggp.search.textbook.greedy.search import GreedySearch, GreedySettings
from ggp.search.textbook.greedy.tree import RULES, GreedyNode, NodeKind

ROUNDS = 40
"""Number of nodes to expand for each move."""
PUZZLES = ("eightPuzzle", "knightsTour", "lightsOut", "towersOfHanoi")
DUELS = ("goofspiel", "pacMan", "pig", "ticTacToe")
NUM_SEEDS = 2
"""Number of games that each rule plays in each role of a two-player game."""


@dataclass(frozen=True, slots=True)
class GreedyGame:
    """One game played with a selection rule."""

    goal: int
    num_moves: int
    """Number of moves that were searched for."""
    num_rounds: int
    num_nodes: int
    """Number of nodes created for all moves together."""
    deepest: int
    """Maximum number of plies that a search looked ahead."""


Found = dict[str, dict[str, list[GreedyGame]]]
"""The games of every selection rule, by the name of the game and the name of the rule."""


def run(
    rounds: int = ROUNDS, puzzles: Sequence[str] = PUZZLES, duels: Sequence[str] = DUELS
) -> LectureReport:
    """Compute the scores for the node, and play the games."""
    found = {name: play_all(name, rounds, 1) for name in puzzles}
    found |= {name: play_all(name, rounds, NUM_SEEDS) for name in duels}
    return LectureReport(
        title="The greedy player's selection rules",
        source="Statistical Search: Selection Functions",
        claims=tuple(_claims()),
        parts=(
            Picture("A node with 10 visits, and what its children have", _node_picture()),
            _figures("Mean goal", found, lambda one: one.goal, 0),
            _figures("Moves searched for", found, lambda one: one.num_moves, 1),
            _figures("Nodes made", found, lambda one: one.num_nodes, 0),
            _figures("Deepest ply", found, lambda one: one.deepest, 0),
        ),
        notes=(NOTE,),
    )


NOTE = (
    "In the last formula the lecture divides a utility by the visits, which suits sums of rewards. "
    "A utility propagated by minimum and maximum is a value already, so ours is not divided. "
    "Each figure of a duel is the mean of games in both roles against an opponent that moves at "
    "random. If the rules give nothing before the end, as in ticTacToe, all estimates are equal "
    "and every rule does the same: it looks where it has looked least."
)
CHILDREN = ((60.0, 6), (55.0, 3), (30.0, 1))
"""(utility, visits) of the children of the node whose scores are computed by hand."""
PARENT_VISITS = 10
C = 0.5
"""Exploration constant relative to a goal of 100. The lecture's C is 50."""
ORDINALS = ("first", "second", "third")


def worked_node() -> GreedyNode:
    """Return a node of the searching role whose children are not proven."""
    children = [
        GreedyNode(index, {}, (), 0, NodeKind.OWN, utility, visits=visits)
        for index, (utility, visits) in enumerate(CHILDREN)
    ]
    return GreedyNode(None, {}, (), 0, NodeKind.OWN, 60.0, visits=PARENT_VISITS, children=children)


def scores(rule: str) -> list[float]:
    """Return the score that a rule gives to each child of the worked node."""
    parent = worked_node()
    return [RULES[rule](parent, child, C) for child in parent.children]


def _claims() -> list[Claim]:
    """Return claims that our scores equal those of the lecture's formulas.

    The formulas are: utility; visits; utility + round((1 - visits / total) * 100).
    """
    return [
        Claim.same("utility: scores", "60, 55, 30", _written(scores("utility"))),
        Claim.same("utility: selects the", "first", _selected("utility")),
        Claim.same("visits: selects the", "third", _selected("visits")),
        Claim.same("exploit_explore: scores", "100, 125, 120", _written(scores("exploit_explore"))),
        Claim.same("exploit_explore: selects the", "second", _selected("exploit_explore")),
        Claim.same("uct, C = 50: scores", "40.98, 62.14, 105.87", _written(scores("uct"))),
        Claim.same("uct, C = 50: selects the", "third", _selected("uct")),
    ]


def _selected(rule: str) -> str:
    found = scores(rule)
    return ORDINALS[found.index(max(found))]


def _written(values: Sequence[float]) -> str:
    return ", ".join(f"{value:.2f}".removesuffix(".00") for value in values)


def _node_picture() -> Sketch:
    chosen: dict[str, list[str]] = {ordinal: [] for ordinal in ORDINALS}
    for rule in RULES:
        chosen[_selected(rule)].append(rule)
    children = (
        Sketch(f"{ordinal}: utility {utility:g}, {visits} visits", " ".join(chosen[ordinal]))
        for ordinal, (utility, visits) in zip(ORDINALS, CHILDREN, strict=True)
    )
    return Sketch("node", "next to each child: the rules that select it", tuple(children))


def play_all(name: str, rounds: int, num_seeds: int) -> dict[str, list[GreedyGame]]:
    """Play one game with every rule in every role."""
    machine = gdl.Interpreter(gdl.read_kif(games.text(name), name))
    return {
        rule: [
            play(machine, role, GreedySettings(select=rule, c=C), rounds, seed)
            for role in machine.roles
            if not gdl.is_random(role)
            for seed in range(num_seeds)
        ]
        for rule in RULES
    }


def play(
    machine: gdl.StateMachine, role: gdl.Role, settings: GreedySettings, rounds: int, seed: int
) -> GreedyGame:
    """Play a game of the greedy player against random moves. Keep the tree between moves."""
    rng = random.Random(seed)
    state, own = machine.initial_state(), machine.roles.index(role)
    search = GreedySearch(machine, state, role, settings)
    num_moves = num_rounds = num_nodes = deepest = 0
    while not machine.is_terminal(state):
        choices = [machine.legal_moves(state, each) for each in machine.roles]
        moves = [rng.choice(found) for found in choices]
        if len(choices[own]) > 1:
            before = search.num_nodes
            num_rounds += repeat(search.step, Deadline.never(), rounds)
            num_moves += 1
            num_nodes += search.num_nodes - before
            deepest = max(deepest, search.effort.depth)
            moves[own] = search.result().move
        state = machine.next_state(state, moves)
        if not machine.is_terminal(state):
            search.advance(tuple(moves), state)
    return GreedyGame(machine.goal(state, role), num_moves, num_rounds, num_nodes, deepest)


def _figures(
    heading: str, found: Found, figure: Callable[[GreedyGame], float], digits: int
) -> ReportTable:
    rows = [
        (name, *(f"{fmean(map(figure, by_rule[rule])):.{digits}f}" for rule in RULES))
        for name, by_rule in found.items()
    ]
    return ReportTable(heading, ("game", *RULES), tuple(rows), tuple(RULES))
