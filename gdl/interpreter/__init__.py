"""The plain reading of the rules: slow beside a compiled game, obvious, and the oracle for it."""

from gdl.interpreter.lecture_functions import (
    findcontrol,
    findinits,
    findlegals,
    findpercepts,
    findreward,
    findroles,
    findterminalp,
    simulate,
)
from gdl.interpreter.limits import Limits
from gdl.interpreter.machine import Interpreter

__all__ = [
    "Interpreter",
    "Limits",
    "findcontrol",
    "findinits",
    "findlegals",
    "findpercepts",
    "findreward",
    "findroles",
    "findterminalp",
    "simulate",
]
