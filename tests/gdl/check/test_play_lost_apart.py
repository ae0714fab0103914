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


MOLE = """(role left) (role right) (role random) (hole a) (hole b) (hole c) (init (turn random))
(init (round 1)) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6)
(<= (legal random (hide ?h)) (true (turn random)) (hole ?h))
(<= (legal ?p (hit ?h)) (true (turn ?p)) (distinct ?p random) (hole ?h))
(<= (legal ?p noop) (role ?p) (not (true (turn ?p))))
(<= (next (mole ?h)) (does random (hide ?h)))
(<= (next (won ?p)) (does ?p (hit ?h)) (true (mole ?h)))
(<= (next (turn left)) (true (turn random))) (<= (next (turn right)) (true (turn left)))
(<= (next (turn left)) (true (turn right)))
(<= (next (round ?m)) (true (round ?n)) (succ ?n ?m))
(<= terminal (true (won ?p))) (<= terminal (true (round 6)))
(<= won (true (won ?p))) (<= (goal ?p 100) (true (won ?p)))
(<= (goal ?p 0) (role ?p) won (not (true (won ?p)))) (<= (goal ?p 50) (role ?p) (not won))
"""


def test_what_is_gone_after_the_first_of_several_moves_is_found() -> None:
    """The mole is there for the first to hit, and for nobody else."""
    [found] = lost(MOLE)

    assert "where (true (mole ?h)) never is" in found.message
    assert lost(MOLE + found.instead) == []
    again = MOLE.replace("(true (turn random)) (hole ?h))", "(hole ?h))")
    again = again.replace(
        "(role ?p) (not (true (turn", "(role ?p) (distinct ?p random) (not (true (turn"
    )
    assert lost(again) == []
