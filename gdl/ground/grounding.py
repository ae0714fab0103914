"""From a rulesheet to its ground program, within a budget."""

from __future__ import annotations

from gdl.ground import aspif
from gdl.ground.assemble import assemble
from gdl.ground.budget import Budget, Deadline
from gdl.ground.clauses import NewRelations
from gdl.ground.encode import Encoding
from gdl.ground.normal import normalise
from gdl.ground.process import run_grounder
from gdl.ground.program import GroundProgram
from gdl.ground.split import split
from gdl.rulesheet import Rulesheet

DEFAULT_BUDGET = Budget()


def ground(rulesheet: Rulesheet, budget: Budget = DEFAULT_BUDGET) -> GroundProgram:
    """All that can happen in a game.

    Raises:
        GroundingError: The rules cannot be grounded, or not within the budget.
        RulesheetError: A statement has no meaning, or there is no role.
    """
    if rulesheet.problems:
        raise rulesheet.problems[0]
    deadline = Deadline(budget)
    new = NewRelations()
    encoding = Encoding()
    clauses = split(normalise(rulesheet, new), new)
    text = run_grounder(encoding.program(clauses), budget, deadline)
    rules = aspif.read(text)
    del text
    deadline.check()
    program = assemble(rulesheet, rules, encoding)
    deadline.check()
    return program
