"""Facts that a rule needs together are found where one is gone when the other comes."""

from __future__ import annotations

import gdl

COIN = """(role hider) (role seeker) (hand left) (hand right) (init (step hide))
(<= (legal hider (hide ?h)) (true (step hide)) (hand ?h))
(<= (legal seeker noop) (true (step hide)))
(<= (legal seeker (point ?h)) (true (step seek)) (hand ?h))
(<= (legal hider noop) (true (step seek)))
(<= (next (coin ?h)) (does hider (hide ?h)))
(<= (next (pointed ?h)) (does seeker (point ?h)))
(<= (next (step seek)) (true (step hide)))
(<= (next (step done)) (true (step seek)))
(<= terminal (true (step done)))
(<= found (true (coin ?h)) (true (pointed ?h)))
(<= (goal seeker 100) found) (<= (goal seeker 0) (not found))
(<= (goal hider 100) (not found)) (<= (goal hider 0) found)
"""


def lost(text: str) -> list[gdl.Diagnostic]:
    """The findings of play about facts that are lost."""
    limits = gdl.PlayLimits(playouts=5, steps=60, seconds=10)
    found = gdl.check_play(gdl.read_rules(text, "it.kif"), limits)
    return [one for one in found if one.code == "play-lost"]


def test_a_coin_that_is_gone_when_somebody_points_is_found() -> None:
    """At the condition that asks for it; the rule that is added keeps it."""
    [found] = lost(COIN)

    assert found.span.line == COIN[: COIN.index("(true (coin ?h))")].count("\n") + 1
    assert "(true (coin ?h)) and (true (pointed ?h)) are never true at the same time" in (
        found.message
    )
    assert lost(COIN + found.instead) == []


def test_what_may_be_together_in_another_game_is_not_found() -> None:
    """The seeker may point at once, or later."""
    either = COIN.replace("(legal seeker noop) (true (step hide))", "(legal seeker noop)").replace(
        "(<= (legal seeker (point ?h)) (true (step seek)) (hand ?h))",
        "(<= (legal seeker (point ?h)) (hand ?h))",
    )

    assert lost(either) == []
