"""Alpha-beta on the lectures' trees: the values, the cut-offs and the nodes never visited."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ggp.lectures import alphabeta
from ggp.lectures.alphabeta import (
    ALPHA_CUTOFF,
    BETA_CUTOFF,
    GAME_PLAYING,
    PRUNED,
    SEARCH_IN_GAMES,
    PrunedTree,
)
from ggp.lectures.trees import Tree


def with_guesses(tree: Tree, value: int, names: set[str]) -> Tree:
    """The tree with another value in the leaves of these names."""
    children = tuple(with_guesses(child, value, names) for child in tree.children)
    return replace(tree, children=children, value=value if tree.name in names else tree.value)


@pytest.mark.parametrize(
    ("pruned", "value", "cuts", "unvisited", "num_plain"),
    [
        (ALPHA_CUTOFF, 100, {"B": "alpha"}, "G", 8),
        (BETA_CUTOFF, 20, {"C": "beta"}, "H", 9),
        (GAME_PLAYING, 3, {"O": "alpha", "J": "beta", "E": "alpha"}, "X Q R M U V", 24),
        (
            SEARCH_IN_GAMES,
            8,
            {"LLR": "alpha", "LR": "beta", "RLL": "alpha", "RR": "beta"},
            "LLR2 LRR LRR1 LRR2 RLL2 RRR RRR1 RRR2",
            31,
        ),
    ],
)
def test_tree_is_pruned_as_on_the_slides(
    pruned: PrunedTree, value: int, cuts: dict[str, str], unvisited: str, num_plain: int
) -> None:
    """The value of the root, where the search cuts and how, and what it never looks at."""
    found = alphabeta.walk(pruned.tree, pruned.scale)

    assert pruned.scale.value(found.result.value) == value
    assert found.cuts == cuts
    assert found.unvisited == unvisited.split()
    assert found.num_plain == num_plain
    assert found.result.nodes == num_plain - len(found.unvisited)


@pytest.mark.parametrize("pruned", PRUNED, ids=lambda pruned: pruned.heading)
@pytest.mark.parametrize("is_high", [False, True])
def test_leaf_never_visited_makes_no_difference(pruned: PrunedTree, is_high: bool) -> None:
    """Our values of the leaves that the lecture does not look at could be any others."""
    before = alphabeta.walk(pruned.tree, pruned.scale)
    other = pruned.scale.high if is_high else pruned.scale.low

    after = alphabeta.walk(with_guesses(pruned.tree, other, set(before.unvisited)), pruned.scale)

    assert after.values == before.values
    assert after.visited == before.visited


def test_bounds_move_as_the_captions_say() -> None:
    """v(B) is 4, then -5; v(A) -5, then 3; beta(C) stays 3; at O alpha is 4."""
    steps = alphabeta.walk(GAME_PLAYING.tree, GAME_PLAYING.scale).steps
    write = GAME_PLAYING.scale.written

    known = {step.child: (step.parent, write(step.value)) for step in steps}
    [at_o] = [step for step in steps if step.parent == "O"]

    assert known["F"] == ("B", "4")
    assert known["G"] == ("B", "-5")
    assert [known[child] for child in "BCDE"] == [("A", "-5"), ("A", "3"), ("A", "3"), ("A", "3")]
    assert [known[child] for child in "HIJ"] == [("C", "3")] * 3
    assert (write(at_o.alpha), write(at_o.value), at_o.cut) == ("4", "-3", "alpha")


def test_leaves_are_visited_in_the_order_of_the_frames() -> None:
    """The numbers below the binary tree appear one after another: 8 7 3 9 8 1 8 9 9 9."""
    found = alphabeta.walk(SEARCH_IN_GAMES.tree, SEARCH_IN_GAMES.scale)
    leaves = {place.name: place.value for place, _ in SEARCH_IN_GAMES.tree.walk()}

    seen = [leaves[name] for name in found.visited if name[-1].isdigit()]

    assert seen == [8, 7, 3, 9, 8, 1, 8, 9, 9, 9]


def test_report_has_no_difference() -> None:
    """Everything that the captions say comes out."""
    report = alphabeta.run()

    assert [claim for claim in report.claims if not claim.agrees] == []
    assert len(report.sketches) == len(PRUNED)
