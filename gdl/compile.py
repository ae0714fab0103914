"""From a rulesheet to the machine that plays it."""

from __future__ import annotations

from gdl.interpreter import Interpreter
from gdl.machine import StateMachine
from gdl.rulesheet import Rulesheet


def load(rulesheet: Rulesheet) -> StateMachine:
    """The machine for a rulesheet.

    Raises:
        RulesheetError: A statement of the rulesheet has no meaning, or it names no role.
    """
    return Interpreter(rulesheet)
