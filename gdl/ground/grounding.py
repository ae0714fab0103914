"""From a rulesheet to its ground program, within a budget."""

from __future__ import annotations

from gdl.ground import aspif
from gdl.ground.assemble import assemble
from gdl.ground.budget import Budget, GroundingDeadline
from gdl.ground.encode import Encoding
from gdl.ground.plan import DEFAULT_LIMITS, GroundingLimits, prepare
from gdl.ground.process import run_grounder
from gdl.ground.program import GroundProgram
from gdl.rulesheet import Rulesheet

DEFAULT_BUDGET = Budget()


def ground(
    rulesheet: Rulesheet, budget: Budget = DEFAULT_BUDGET, limits: GroundingLimits = DEFAULT_LIMITS
) -> GroundProgram:
    """All that can happen in a game.

    Args:
        rulesheet: The rules.
        budget: What grounding may cost.
        limits: From which size on relations are computed on demand.

    Raises:
        GroundingError: The rules cannot be grounded, or not within the budget.
        RulesheetError: A statement has no meaning, or there is no role.
    """
    if rulesheet.problems:
        raise rulesheet.problems[0]
    deadline = GroundingDeadline(budget)
    encoding = Encoding()
    plan = prepare(rulesheet, limits)
    text = run_grounder(encoding.program(plan.clauses, plan.asked), budget, deadline)
    rules = aspif.read(text)
    del text
    deadline.check()
    program = assemble(rulesheet, rules, encoding)
    deadline.check()
    return program
