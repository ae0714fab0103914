"""Loading of a game: its rules, and the fastest reasoner that works.

>>> game = load("(role me) (init (s 0)) (legal me go) (next (s 1)) (goal me 50)"
...             "(<= terminal (true (s 1)))", "interpreter")
>>> game
Game(<text>, roles me, engine interpreter: asked for)

Compiling holds Python's global interpreter lock for seconds. A program that has to play meanwhile
can let another process compile and send `compile_rules(rules).to_bytes()`. `load_compiled` makes
the game from these bytes and executes nothing in them.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from gdl.errors import RulesheetError
from gdl.game import ENGINES, Engine, Extra, ExtraMaker, Game, Stage
from gdl.ground import Budget, GroundingError
from gdl.interpreter.machine import Interpreter
from gdl.machine import StateMachine
from gdl.notation import read_rules
from gdl.rulesheet import Rulesheet

if TYPE_CHECKING:
    from gdl.circuit.circuit import Circuit

# Modules that need numba are imported inside the functions, because reading, checking and
# interpreting rules do not need them.

DEFAULT_BUDGET: Final = Budget()
LANES_MEMORY: Final = 1 << 30  # memory limit in bytes for the lanes of one thread
TOO_LARGE: Final = "the circuit does not fit in memory"

_log = logging.getLogger(__name__)


def load(rules: Rulesheet | str, engine: Engine = "auto", budget: Budget = DEFAULT_BUDGET) -> Game:
    """Return the game, ready to be played by the fastest reasoner that works.

    Args:
        engine: `interpreter` evaluates the rules directly. `scalar` compiles them to a circuit that
            handles one state at a time, many times faster. `lanes` also plays hundreds of random
            games at once. `auto` chooses the fastest of these that is possible within the budget,
            because some rulesheets cannot be grounded.

    Raises:
        GdlSyntaxError: The text cannot be parsed.
        RulesheetError: A statement of the rulesheet has no meaning, or there is no role.
        GroundingError: With `scalar` or `lanes`: the rules cannot be grounded within the budget.
        ValueError: There is no such engine.
    """
    if not isinstance(rules, Rulesheet | str):
        raise TypeError(f"rules: expected a Rulesheet or the text of rules, got {rules!r:.80}")
    if engine not in ENGINES:
        raise ValueError(f"engine: expected one of {', '.join(ENGINES)}, got {engine!r:.80}")
    if isinstance(rules, str) and "(" not in rules:
        raise RulesheetError(
            f"expected the text of rules, got {rules!r}, which looks like the name of "
            "a game or a file; read the file first, and pass its text"
        )
    timings: dict[Stage, float] = {}
    with _timed(timings, "parse"):
        rulesheet = read_rules(rules) if isinstance(rules, str) else rules
        interpreter = Interpreter(rulesheet)
    if engine == "interpreter":
        game = Game(rulesheet, interpreter, "interpreter", "asked for", timings)
    elif engine == "auto":
        game = _compiled_or_not(rulesheet, interpreter, budget, timings)
    else:
        game = _game_on(rulesheet, engine, _circuit(rulesheet, budget, timings), timings)
    _log.info("%s: %s, %s", rulesheet.name, game.engine, game.reason)
    return game


def load_lane_machine(rulesheet: Rulesheet, budget: Budget = DEFAULT_BUDGET) -> StateMachine:
    """Return a machine that uses the lane kernels, for tests of them. It is the slowest machine."""
    from gdl.circuit.lanes.playouts.machine import lane_machine

    return lane_machine(rulesheet, budget)


@dataclass(frozen=True)
class Compiled:
    """Compiled rules, which other processes can load."""

    rulesheet: Rulesheet  # the rules
    circuit: Circuit  # the circuit for them
    timings: Mapping[Stage, float] = field(default_factory=dict)  # seconds that each stage took

    def to_bytes(self) -> bytes:
        """Return the circuit as bytes, for `load_compiled`."""
        from gdl.circuit.circuit import pack

        return pack(self.circuit)

    def packed_extra(self, name: Extra) -> bytes | None:
        """Return a result of analysis as bytes, for `Game.make_extra`, or None if there is none."""
        from gdl.structure.decisive import decisive_in, packed_decisive
        from gdl.structure.latches import packed_latches
        from gdl.structure.move_kinds import packed_move_kinds

        circuit = self.circuit
        match name:
            case "decisive":
                return packed_decisive(circuit, self.rulesheet)
            case "latches":
                return packed_latches([phase.netlist for phase in circuit.phases])
            case "move kinds":
                data = packed_decisive(circuit, self.rulesheet)
                decisive = None if data is None else decisive_in(data, circuit)
                return packed_move_kinds(circuit, decisive, self.rulesheet)
        raise ValueError(f"expected 'decisive', 'latches' or 'move kinds', got {name!r}")


def compile_rules(rulesheet: Rulesheet, budget: Budget = DEFAULT_BUDGET) -> Compiled:
    """Compile rules for use in other processes.

    Raises:
        RulesheetError: A statement of the rulesheet has no meaning, or there is no role.
        GroundingError: The rules cannot be grounded within the budget.
        MemoryError: The circuit does not fit in memory.
    """
    timings: dict[Stage, float] = {}
    return Compiled(rulesheet, _circuit(rulesheet, budget, timings), timings)


def load_compiled(
    rulesheet: Rulesheet,
    engine: Engine,
    data: bytes,
    timings: Mapping[Stage, float] | None = None,
    make_extra: ExtraMaker | None = None,
) -> Game:
    """Return the game whose compiled rules are in `data`, made by `Compiled.to_bytes`.

    Args:
        timings: Seconds that each stage of compiling took.
        make_extra: Becomes `Game.make_extra`.
    """
    from gdl.circuit.circuit import unpack

    game = _game_on(rulesheet, engine, unpack(data), dict(timings or {}))
    game.make_extra = make_extra
    return game


def _compiled_or_not(
    rulesheet: Rulesheet, interpreter: Interpreter, budget: Budget, timings: dict[Stage, float]
) -> Game:
    try:
        return _game_on(rulesheet, "auto", _circuit(rulesheet, budget, timings), timings)
    except GroundingError as error:
        reason = str(error)
    except MemoryError:
        reason = TOO_LARGE
    return Game(rulesheet, interpreter, "interpreter", reason, timings)


def _game_on(
    rulesheet: Rulesheet, engine: Engine, circuit: Circuit, timings: dict[Stage, float]
) -> Game:
    from gdl.circuit.lanes.expander.expander import Simulator
    from gdl.circuit.scalar.machine import CircuitMachine

    with _timed(timings, "compile"):
        machine = CircuitMachine(circuit.netlist)
        machine.legal_moves(machine.initial_state(), machine.roles[0])  # loads the kernels
    if engine == "scalar":
        return Game(rulesheet, machine, "scalar", "asked for", timings, circuit)
    simulator = Simulator(circuit)
    if engine == "auto" and simulator.memory > LANES_MEMORY:
        reason = f"lanes would take {simulator.memory >> 20:,} MB"
        return Game(rulesheet, machine, "scalar", reason, timings, circuit)
    with _timed(timings, "compile"):
        simulator.warm_up()
    reason = "asked for" if engine == "lanes" else "the fastest; the rules ground"
    return Game(rulesheet, machine, "lanes", reason, timings, circuit, simulator)


def _circuit(rulesheet: Rulesheet, budget: Budget, timings: dict[Stage, float]) -> Circuit:
    from gdl.circuit.circuit import make_circuit, store, stored
    from gdl.ground.grounding import ground

    with _timed(timings, "build"):
        known = stored(rulesheet)
    if known is not None:
        return known
    with _timed(timings, "ground"):
        program = ground(rulesheet, budget)
    with _timed(timings, "build"):
        circuit = make_circuit(program, budget.seconds / 2)
        if budget.seconds >= DEFAULT_BUDGET.seconds:  # with less time, the circuit may be larger
            store(rulesheet, circuit)
    return circuit


@contextmanager
def _timed(timings: dict[Stage, float], stage: Stage) -> Iterator[None]:
    start = time.perf_counter()
    try:
        yield
    finally:
        timings[stage] = timings.get(stage, 0.0) + time.perf_counter() - start
