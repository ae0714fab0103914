"""Number of leaves that alpha-beta visits, by the order of the moves."""

from __future__ import annotations

import pytest

from ggp.lectures import pruning
from ggp.lectures.pruning import LecturePosition, count, exponent, position_task, uniform_task


@pytest.mark.parametrize(("b", "d", "best"), [(2, 3, 5), (3, 2, 5), (2, 4, 7), (3, 3, 11)])
@pytest.mark.parametrize("is_sorted", [False, True])
def test_best_order_visits_the_fewest_leaves_possible(
    b: int, d: int, best: int, is_sorted: bool
) -> None:
    """b^ceil(d/2) + b^floor(d/2) - 1, whatever the values are."""
    found = count(uniform_task(b, d, is_sorted=is_sorted))

    assert found.leaves["best"] == best
    assert found.leaves["minimax"] == b**d
    assert found.branching == pytest.approx(b)


@pytest.mark.parametrize(("b", "d"), [(2, 4), (3, 3)])
def test_worst_order_of_a_sorted_tree_prunes_nothing(b: int, d: int) -> None:
    """No improvement over minimax: every leaf, and every node."""
    found = count(uniform_task(b, d, is_sorted=True))

    assert found.leaves["worst"] == b**d
    assert found.nodes["worst"] == found.nodes["minimax"]
    assert exponent(found, "worst") == 1


def test_no_order_of_a_real_game_beats_the_best_or_loses_to_the_worst() -> None:
    """Random and learned orders lie between, and all of them below minimax."""
    found = count(position_task(LecturePosition("ticTacToe", 4, "mobility", num_moves=2)))

    for counts in (found.leaves, found.nodes):
        others = [counts["random"], counts["learned"]]
        assert counts["best"] <= min(others)
        assert max(others) <= counts["worst"] < counts["minimax"]


def test_report_compares_with_the_orders_of_growth() -> None:
    """The lecture's claims about the worst and the best order hold."""
    report = pruning.run(uniform=((2, 4),), positions=())

    assert [(claim.lecture, claim.ours, claim.agrees) for claim in report.claims] == [
        ("16", "16", True),
        ("O(4)", "7", True),
    ]
