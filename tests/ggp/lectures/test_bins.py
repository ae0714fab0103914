"""The three bins of "Search in Games": what is best depends on the opponent."""

from __future__ import annotations

from ggp.lectures import bins


def test_each_opponent_makes_another_bin_the_best() -> None:
    """Against an adversary B, against chance C, with a friend A; and all values by hand."""
    report = bins.run()

    chosen = {claim.what: claim.ours for claim in report.claims if "choose" in claim.what}
    values = [claim.ours for claim in report.claims if "worth" in claim.what]
    assert chosen == {
        "adversarial: choose": "B",
        "random: choose": "C",
        "cooperative: choose": "A",
    }
    assert values == ["-50", "1", "-5", "0", "2", "5", "50", "3", "15"]
    assert report.num_agreeing == len(report.claims) == 12


def test_searches_without_a_model_agree() -> None:
    """Minimax is expectimax with an adversary, expectiminimax with the role `random`."""
    [_, table] = bins.run().parts

    assert getattr(table, "rows", ()) == (
        ("minimax", "the other role is adversarial", "B", "1"),
        ("expectiminimax", "the other role is GDL's random", "C", "5"),
    )
