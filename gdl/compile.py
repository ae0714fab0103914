"""From a rulesheet to the machine that plays it."""

from __future__ import annotations

from typing import Final, Literal

from gdl.interpreter import Interpreter
from gdl.machine import StateMachine
from gdl.rulesheet import Rulesheet

Engine = Literal["interpreter", "scalar"]
ENGINES: Final[tuple[Engine, ...]] = ("interpreter", "scalar")


def load(rulesheet: Rulesheet, engine: Engine = "interpreter") -> StateMachine:
    """The machine for a rulesheet.

    Args:
        rulesheet: The game.
        engine: `interpreter` reads the rules as they stand. `scalar` grounds them and plays one
            state at a time on the circuit: many times faster for many states, but some rulesheets
            do not ground, and the first use after an install compiles for some seconds.

    Raises:
        RulesheetError: A statement of the rulesheet has no meaning, or it names no role.
        GdlError: With `scalar`: the rules do not ground within the default budget.
    """
    return Interpreter(rulesheet) if engine == "interpreter" else _circuit_machine(rulesheet)


def _circuit_machine(rulesheet: Rulesheet) -> StateMachine:
    # Here, so that whoever only reads or checks rules does not wait for numba and clingo.
    from gdl.circuit.build import build
    from gdl.circuit.machine import CircuitMachine
    from gdl.circuit.passes import optimise
    from gdl.ground.grounding import ground

    return CircuitMachine(optimise(build(ground(rulesheet))))
