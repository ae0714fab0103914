"""A game of two turns, and matches of it between scripted seats."""

from __future__ import annotations

import gdl
from ggp.match.referee import MatchSetup, Referee
from ggp.match.rulebook import MachineRulebook
from ggp.records.record import MatchRecord
from tests.fakes.seats import ScriptedSeat

COUNTDOWN = """
(role left) (role right) (init (count 2)) (succ 1 2) (succ 0 1)
(legal left Foo) (legal left (bar 1)) (legal right noop)
(<= (next (count ?m)) (true (count ?n)) (succ ?m ?n))
(<= terminal (true (count 0)))
(goal left 70) (goal right 30)
"""


def setup(rules: str = COUNTDOWN, seed: int = 1) -> MatchSetup:
    """A match of rules with the shortest clocks, and hardly any grace."""
    machine = gdl.load(gdl.read_kif(rules), "interpreter")
    return MatchSetup(
        match_id="m.1",
        rulebook=MachineRulebook(machine),
        rules=rules,
        startclock=1,
        playclock=1,
        seed=seed,
        grace_seconds=-0.9,
    )


async def play(*seats: ScriptedSeat, rules: str = COUNTDOWN, seed: int = 1) -> MatchRecord:
    """The record of a match between scripted seats."""
    return await Referee(setup(rules, seed), seats).run()
