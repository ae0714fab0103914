"""Each selection rule scores children as its formula says."""

from __future__ import annotations

import math

import pytest

from ggp.search.textbook.greedy.tree import RULES, GreedyNode, NodeKind, is_open, outlook, select


def node(kind: NodeKind = NodeKind.OWN, utility: float = 0, visits: int = 0) -> GreedyNode:
    """A node with nothing proven."""
    return GreedyNode("state", {}, (), 0, kind, utility, visits=visits)


def final(utility: float) -> GreedyNode:
    """A node whose value is guaranteed."""
    return GreedyNode("state", {}, (), 0, NodeKind.OWN, utility, utility, utility)


def test_the_outlook_of_an_opponents_node_is_turned_round() -> None:
    """A gain for us is bad for the opponent, so that it looks at its own best moves."""
    child = node(utility=30)

    outlooks = [outlook(node(kind), child) for kind in NodeKind]

    assert outlooks == [30, 70, 0]


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ("utility", 40),
        ("visits", -3),
        ("exploit_explore", 40 + 70),  # the child had 3 of 10 visits
        ("uct", 40 + 50 * math.sqrt(math.log(10) / 3)),
    ],
)
def test_a_rule_scores_by_its_formula(rule: str, expected: float) -> None:
    """Utility 40, 3 of 10 visits, constant 0.5."""
    score = RULES[rule](node(visits=10), node(utility=40, visits=3), 0.5)

    assert score == pytest.approx(expected)


def test_deviation_prefers_the_child_whose_value_swings() -> None:
    """Two children of equal value and visits: the one that saw 20 and 80 is more in doubt."""
    calm, wild = node(utility=50, visits=2), node(utility=50, visits=2)
    calm.sum_utility, calm.sum_squares = 100, 2 * 50**2
    wild.sum_utility, wild.sum_squares = 100, 20**2 + 80**2

    scores = [RULES["deviation"](node(visits=4), child, 1.0) for child in (calm, wild)]

    # Means over the visits and the two imagined values 0 and 100.
    assert scores == pytest.approx([50 + math.sqrt(1250), 50 + math.sqrt(1700)])


@pytest.mark.parametrize(
    ("rule", "chosen"),
    [("utility", 0), ("visits", 2), ("exploit_explore", 1), ("uct", 2), ("deviation", 1)],
)
def test_the_rules_choose_differently(rule: str, chosen: int) -> None:
    """The best child was visited most; another is nearly as good; the last was never seen."""
    parent = node(visits=10)
    parent.children = [node(utility=80, visits=8), node(utility=75, visits=1), node(utility=40)]
    parent.children[0].sum_utility, parent.children[0].sum_squares = 640, 8 * 80**2
    parent.children[1].sum_utility, parent.children[1].sum_squares = 75, 75**2

    child = select(parent, RULES[rule], 2.0)

    assert parent.children.index(child) == chosen


def test_what_cannot_change_the_parent_is_not_selected() -> None:
    """Against a guaranteed 50 there is no use in a branch proven to give at most 50."""
    parent = GreedyNode("state", {}, (), 0, NodeKind.OWN, 50, lower=50)
    capped = GreedyNode("state", {}, (), 0, NodeKind.OWN, 50, upper=50)

    verdicts = [is_open(parent, child) for child in (final(50), capped, node())]

    assert verdicts == [False, False, True]


def test_chance_looks_at_its_moves_evenly() -> None:
    """No rule makes the die prefer a side."""
    parent = node(NodeKind.CHANCE, visits=5)
    parent.children = [node(utility=90, visits=3), node(utility=10, visits=2)]

    chosen = [select(parent, rule, 0.5) for rule in RULES.values()]

    assert all(child is parent.children[1] for child in chosen)
