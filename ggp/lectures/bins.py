"""Three bins: you choose a bin, I choose a number from it, and you want a large number.

This example is from the lecture "Search in Games". Bin A contains -50 and 50, B contains 1 and 3,
and C contains 15 and -5. The best choice depends on whether I am adversarial, random or
cooperative.
"""

from __future__ import annotations

import gdl
from ggp.clock import Deadline
from ggp.lectures.report import Claim, LectureReport, Picture, ReportTable, comparison
from ggp.lectures.sketch import Sketch
from ggp.lectures.trees import MAX, MIN, Scale, rulesheet, tree_of
from ggp.search.core.result import DepthResult
from ggp.search.evaluation.evaluation import EvenEvaluation
from ggp.search.textbook.adversarial import minimax
from ggp.search.textbook.chance import expectimax, expectiminimax
from ggp.search.textbook.chance.models import OpponentModel, adversarial, cooperative, uniform

SCALE = Scale(-50, 50)
TREE = tree_of("(bins (A A0=-50 A1=50) (B B0=1 B1=3) (C C0=15 C1=-5))")
MODELS: dict[str, OpponentModel] = {
    "adversarial": adversarial,
    "random": uniform,
    "cooperative": cooperative,
}
BY_HAND = {
    "adversarial": ({"A": -50, "B": 1, "C": -5}, "B"),
    "random": ({"A": 0, "B": 2, "C": 5}, "C"),
    "cooperative": ({"A": 50, "B": 3, "C": 15}, "A"),
}
"""For each kind of opponent: the values of the bins, and the best bin.

The value of a bin is the minimum, the mean or the maximum of its two numbers.
"""
NOTE = (
    "The lecture's text gives the numbers in the bins and leaves the values to the reader. They "
    "are the minimum, the mean and the maximum of two numbers."
)


def run() -> LectureReport:
    """Search the game of the bins once for each kind of opponent."""
    machine = gdl.Interpreter(rulesheet(TREE, SCALE, (MAX, MIN), "bins"))
    found = {name: _expect(machine, model) for name, model in MODELS.items()}
    claims: list[Claim] = []
    for name, result in found.items():
        values, best = BY_HAND[name]
        ours = _values(result)
        claims += comparison(
            (f"{name}: bin {one} is worth", value, ours[one]) for one, value in values.items()
        )
        claims.append(Claim.same(f"{name}: choose", best, result.result.move))
    return LectureReport(
        title="Three bins",
        source="Search in Games: Turn-Based Two-Player Game",
        claims=tuple(claims),
        parts=(Picture("The game", _picture(found)), _searches(machine)),
        notes=(NOTE,),
    )


def _expect(machine: gdl.StateMachine, model: OpponentModel) -> DepthResult:
    return expectimax.search(
        machine,
        machine.initial_state(),
        machine.roles[0],
        depth=None,
        evaluate=EvenEvaluation(machine),
        deadline=Deadline.never(),
        model=model,
    )


def _values(result: DepthResult) -> dict[str, str]:
    return {str(one.move): SCALE.written(one.value) for one in result.result.moves}


def _searches(machine: gdl.StateMachine) -> ReportTable:
    """Return the choices of minimax and expectiminimax, which need no model of the opponent.

    They agree with the models of an adversarial and of a random opponent.
    """
    state, role = machine.initial_state(), machine.roles[0]
    even, deadline = EvenEvaluation(machine), Deadline.never()
    worst = minimax.search(machine, state, role, depth=None, evaluate=even, deadline=deadline)
    dice = gdl.Interpreter(rulesheet(TREE, SCALE, (MAX, gdl.RANDOM), "bins"))
    mean = expectiminimax.search(
        dice,
        dice.initial_state(),
        next(role for role in dice.roles if not gdl.is_random(role)),
        depth=None,
        evaluate=EvenEvaluation(dice),
        deadline=deadline,
    )
    rows = [("minimax", "the other role is adversarial", worst)]
    rows.append(("expectiminimax", "the other role is GDL's random", mean))
    return ReportTable(
        "The same by other searches",
        ("search", "game", "chooses", "value"),
        tuple(
            (name, game, str(one.result.move), SCALE.written(one.value)) for name, game, one in rows
        ),
        ("value",),
    )


def _picture(found: dict[str, DepthResult]) -> Sketch:
    values = {name: _values(result) for name, result in found.items()}
    bins = []
    for place in TREE.children:
        ends = tuple(Sketch(str(end.value)) for end in place.children)
        remark = ", ".join(f"{name} {ours[place.name]}" for name, ours in values.items())
        bins.append(Sketch(place.name, remark, ends))
    return Sketch("MAX", "you choose a bin, I choose a number", tuple(bins))
