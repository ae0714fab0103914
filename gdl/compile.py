"""From rules to the machine that plays them: which reasoner it is, and why."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, TypeVar
from weakref import WeakKeyDictionary

from gdl.ground.budget import Budget, GroundingError
from gdl.interpreter import Interpreter
from gdl.machine import StateMachine
from gdl.notation import read_rules
from gdl.rulesheet import Rulesheet
from gdl.terms import Term

if TYPE_CHECKING:
    from gdl.circuit.circuit import Circuit
    from gdl.circuit.lanes.expander import Expander
    from gdl.circuit.lanes.simulator import Simulator
    from gdl.circuit.netlist import Netlist
    from gdl.circuit.scalar.game import ScalarGame, ScalarKernels
    from gdl.structure.decisive import Decisive
    from gdl.structure.decomposition import Decomposition
    from gdl.structure.latches import Latches
    from gdl.structure.reachable_goals import ReachableGoals
    from gdl.structure.structure import Structure
    from gdl.structure.truth.degrees import Degrees

# Whoever only reads, checks or interprets rules does not wait for numba and clingo: what needs
# them is imported inside the functions.

Engine = Literal["auto", "lanes", "scalar", "interpreter"]
Stage = Literal["parse", "ground", "build", "compile"]
Function = TypeVar("Function", bound=Callable[..., object])

ENGINES: Final[tuple[Engine, ...]] = ("auto", "lanes", "scalar", "interpreter")

DEFAULT_BUDGET: Final = Budget()
LANES_MEMORY: Final = 1 << 30  # bytes that the lanes of one thread may take

_log = logging.getLogger(__name__)

_rulesheets: WeakKeyDictionary[StateMachine, Rulesheet] = WeakKeyDictionary()
_decompositions: WeakKeyDictionary[StateMachine, Decomposition | None] = WeakKeyDictionary()
_making = threading.Lock()
_are_loaded = threading.Event()  # the kernels, in this process
_decisive: WeakKeyDictionary[StateMachine, Decisive | None] = WeakKeyDictionary()
_reachable_goals: WeakKeyDictionary[StateMachine, ReachableGoals | None] = WeakKeyDictionary()


@dataclass(frozen=True, eq=False)
class Loaded:
    """A game that is ready to be played.

    Attributes:
        machine: Plays one state at a time.
        engine: Which reasoner it is: `lanes`, `scalar` or `interpreter`.
        reason: Why, in words.
        seconds: What each stage took.
        circuit: None for the interpreter.
        simulator: Random playouts, hundreds at once; None unless the engine is `lanes`.
    """

    machine: StateMachine
    engine: Engine
    reason: str
    seconds: dict[Stage, float]
    circuit: Circuit | None = None
    simulator: Simulator | None = None


def load(
    rules: Rulesheet | str, engine: Engine = "auto", budget: Budget = DEFAULT_BUDGET
) -> StateMachine:
    """The machine for a game; see `prepare`."""
    return prepare(rules, engine, budget).machine


def load_lane_machine(rulesheet: Rulesheet, budget: Budget = DEFAULT_BUDGET) -> StateMachine:
    """A machine that is slower than any other and answers from the lane kernels, to check them.

    Raises:
        RulesheetError: A statement of the rulesheet has no meaning, or it names no role.
        GroundingError: The rules do not ground within the budget.
    """
    from gdl.circuit.lanes.machine import lane_machine

    return lane_machine(rulesheet, budget)


def simulator_of(machine: StateMachine) -> Simulator | None:
    """The simulator of a machine's game on lanes; None if `prepare` chose another engine for it."""
    found = getattr(machine, "simulator", None)
    if found is None:
        return None
    from gdl.circuit.lanes.simulator import Simulator

    return found if isinstance(found, Simulator) else None


def expander(simulator: Simulator, seed: int) -> Expander:
    """An expander: it makes the children of many states at once, and plays from them at random.

    Args:
        simulator: That of the game, see `simulator_of`.
        seed: Of the random playouts.
    """
    from gdl.circuit.lanes.expander import Expander

    return Expander(simulator, seed)


def rulesheet_of(machine: StateMachine) -> Rulesheet | None:
    """The rules that a machine plays by; None if it is not one that `prepare` made."""
    return _rulesheets.get(machine)


def degrees_of(machine: StateMachine) -> Degrees | None:
    """Measures of how near goals and the end of the game are, by fuzzy logic.

    None if the game is not compiled, or its goals are so large that it would tell too slowly.
    """
    from gdl.circuit.netlist import Netlist
    from gdl.structure.truth.degrees import make_degrees

    netlist = getattr(machine, "netlist", None)
    return make_degrees(netlist) if isinstance(netlist, Netlist) else None


def structure_of(machine: StateMachine) -> Structure | None:
    """The structure of a machine's game: what falls apart, what matters and what stays.

    It takes a moment, some seconds in large games. None if the game is not compiled, or too large.
    """
    from gdl.circuit.netlist import Netlist
    from gdl.structure.structure import analyse

    netlist = getattr(machine, "netlist", None)
    return analyse(netlist) if isinstance(netlist, Netlist) else None


def reachable_goals_of(machine: StateMachine) -> ReachableGoals | None:
    """Limits of the goals that can still be reached from the states of an expander.

    It is made at the first call for a machine, in well under a second but for large games. None if
    the game is not played on lanes, or so large that it would tell too slowly.
    """
    from gdl.structure.reachable_goals import make_reachable_goals

    simulator = simulator_of(machine)
    if simulator is None:
        return None
    if machine not in _reachable_goals:
        _reachable_goals[machine] = make_reachable_goals(simulator.circuit)
    return _reachable_goals[machine]


def decisive_of(machine: StateMachine) -> Decisive | None:
    """The game of a machine as roles play it that see who wins at once.

    It is made at the first call for a machine, in a second or less. None if the game is not played
    on lanes, several roles move at once, nobody ever wins at once, or it takes too many gates.
    """
    from gdl.structure.decisive import decisive

    simulator = simulator_of(machine)
    if simulator is None:
        return None
    with _making:  # once, also if several threads ask
        if machine not in _decisive:
            _decisive[machine] = decisive(simulator.circuit, rulesheet_of(machine))
        return _decisive[machine]


def decomposition_of(machine: StateMachine) -> Decomposition | None:
    """The parts of a game of one role that can be searched apart.

    It is made once, in tenths of a second. None if it does not, is not compiled, or too large.
    """
    from gdl.circuit.netlist import Netlist
    from gdl.structure.decomposition import decompose

    if machine not in _decompositions:
        netlist = getattr(machine, "netlist", None)
        _decompositions[machine] = decompose(netlist) if isinstance(netlist, Netlist) else None
    return _decompositions[machine]


def what_stays(netlists: Sequence[Netlist]) -> Latches:
    """Which bases stay as they are once they have a value, in all phases of a game."""
    from gdl.structure.latches import what_stays

    return what_stays(netlists)


def scalar_game(
    machine: StateMachine, keeps: Callable[[Term], bool] | None = None
) -> ScalarGame | None:
    """The game of a machine as arrays, one state at a time, for kernels of a search.

    Each call makes arrays of its own; None if the game is not compiled.

    Args:
        machine: The game, see `prepare`.
        keeps: Whether the search asks for a fact; of others, those that make no difference to play
            are left out. None: it asks for none.
    """
    from gdl.circuit.netlist import Netlist
    from gdl.circuit.scalar.game import ScalarGame

    netlist = getattr(machine, "netlist", None)
    return ScalarGame(netlist, keeps) if isinstance(netlist, Netlist) else None


def scalar_kernels() -> ScalarKernels:
    """Kernels that walk in the arrays of a `scalar_game`; those of a search may call them."""
    from gdl.circuit.scalar.game import scalar_kernels

    return scalar_kernels()


def kernel(function: Function) -> Function:
    """Compile a function of a search, as the kernels of the circuit are; a decorator.

    It may call other kernels whose source stands in the same folder, or in gdl: the machine code
    is kept on the disk for as long as no source there changes.
    """
    from gdl.circuit.native.jit import kernel_elsewhere

    return kernel_elsewhere(function)


def is_warm() -> bool:
    """Whether `warm_up` would find all machine code on the disk."""
    from gdl.circuit.native.ahead import is_complete
    from gdl.circuit.native.kernel_cache import kernel_folder

    return is_complete(kernel_folder())


def compile_ahead(
    module: str,
    parts: Sequence[str],
    packages: Sequence[Path],
    announce: Callable[[], None] = lambda: None,
) -> None:
    """Have the kernels of a search compiled by several processes, unless they lie on the disk.

    A process that needs them at the same time waits for the first one.

    Args:
        module: `python -m MODULE PART` calls all the kernels of a part, which compiles them.
        parts: All parts; together they call every kernel.
        packages: The folders of their sources: when one changes, they are compiled anew.
        announce: Is called if they are compiled, before that.
    """
    from gdl.circuit.native.ahead import compile_once
    from gdl.circuit.native.kernel_cache import folder_of_packages

    compile_once(folder_of_packages(tuple(packages), module), module, parts, announce)


def is_compiled_ahead(module: str, packages: Sequence[Path]) -> bool:
    """Whether the kernels of a search lie on the disk, and those of the reasoner.

    Args:
        module: As for `compile_ahead`.
        packages: As for `compile_ahead`.
    """
    from gdl.circuit.native.ahead import is_complete
    from gdl.circuit.native.kernel_cache import folder_of_packages

    return is_warm() and is_complete(folder_of_packages(tuple(packages), module))


def compile_apart(module: str, packages: Sequence[Path]) -> None:
    """Have the kernels of reasoner and search compiled by a process that outlives this one.

    Returns when they are on the disk. Without a disk to keep them on, nothing is done.

    Args:
        module: `python -m MODULE` calls `warm_up`, and `compile_ahead` for this module.
        packages: As for `compile_ahead`.
    """
    from gdl.circuit.native import ahead
    from gdl.circuit.native.kernel_cache import folder_of_packages

    folder = folder_of_packages(tuple(packages), module)
    ahead.compile_apart(folder, module, lambda: is_compiled_ahead(module, packages))


def warm_up(progress: Callable[[str], None] | None = None) -> None:
    """Load the machine code that all games have in common, so that `prepare` need not.

    After an install it is compiled first, which takes about half a minute. A second call does
    nothing: what was loaded stays in the process.

    Args:
        progress: Is told in words what takes long, before it does.
    """
    from gdl.circuit import warming

    if not _are_loaded.is_set():
        warming.warm_up(progress)
        _are_loaded.set()


def prepare(
    rules: Rulesheet | str, engine: Engine = "auto", budget: Budget = DEFAULT_BUDGET
) -> Loaded:
    """Get a game ready to be played, with the fastest reasoner that works.

    Args:
        rules: A rulesheet, or its text in either notation.
        engine: `interpreter` reads the rules as they stand. `scalar` compiles them to a circuit
            and plays one state at a time on it, many times faster. `lanes` plays random playouts
            besides, hundreds at once. `auto` takes the last of these that is possible within the
            budget; some rulesheets do not ground.
        budget: What compiling may cost.

    Raises:
        GdlSyntaxError: The text cannot be read.
        RulesheetError: A statement of the rulesheet has no meaning, or it names no role.
        GroundingError: With `scalar` or `lanes`: the rules do not ground within the budget.
    """
    seconds: dict[Stage, float] = {}
    with _timed(seconds, "parse"):
        rulesheet = read_rules(rules) if isinstance(rules, str) else rules
        interpreter = Interpreter(rulesheet)
    if engine == "interpreter":
        loaded = Loaded(interpreter, "interpreter", "asked for", seconds)
    elif engine == "auto":
        loaded = _compiled_or_not(rulesheet, interpreter, budget, seconds)
    else:
        loaded = _compiled(rulesheet, engine, budget, seconds)
    _rulesheets[loaded.machine] = rulesheet
    _log.info("%s: %s, %s", rulesheet.name, loaded.engine, loaded.reason)
    return loaded


def _compiled_or_not(
    rulesheet: Rulesheet, interpreter: Interpreter, budget: Budget, seconds: dict[Stage, float]
) -> Loaded:
    try:
        return _compiled(rulesheet, "auto", budget, seconds)
    except GroundingError as error:
        return Loaded(interpreter, "interpreter", str(error), seconds)
    except MemoryError:
        return Loaded(interpreter, "interpreter", "the circuit does not fit in memory", seconds)


def _compiled(
    rulesheet: Rulesheet, engine: Engine, budget: Budget, seconds: dict[Stage, float]
) -> Loaded:
    from gdl.circuit.lanes.simulator import Simulator
    from gdl.circuit.scalar.machine import CircuitMachine

    circuit = _circuit(rulesheet, budget, seconds)
    with _timed(seconds, "compile"):
        machine = CircuitMachine(circuit.netlist)
        machine.legal_moves(machine.initial_state(), machine.roles[0])  # loads the kernels
    if engine == "scalar":
        return Loaded(machine, "scalar", "asked for", seconds, circuit)
    simulator = Simulator(circuit)
    if engine == "auto" and simulator.memory > LANES_MEMORY:
        reason = f"lanes would take {simulator.memory >> 20:,} MB"
        return Loaded(machine, "scalar", reason, seconds, circuit)
    with _timed(seconds, "compile"):
        simulator.warm_up()
    machine.simulator = simulator
    reason = "asked for" if engine == "lanes" else "the fastest; the rules ground"
    return Loaded(machine, "lanes", reason, seconds, circuit, simulator)


def _circuit(rulesheet: Rulesheet, budget: Budget, seconds: dict[Stage, float]) -> Circuit:
    """The circuit of a game, from the disk if the game is known there."""
    from gdl.circuit.circuit import make_circuit
    from gdl.circuit.store import store, stored
    from gdl.ground.grounding import ground

    with _timed(seconds, "build"):
        known = stored(rulesheet)
    if known is not None:
        return known
    with _timed(seconds, "ground"):
        program = ground(rulesheet, budget)
    with _timed(seconds, "build"):
        circuit = make_circuit(program, budget.seconds / 2)
        store(rulesheet, circuit)
    return circuit


@contextmanager
def _timed(seconds: dict[Stage, float], stage: Stage) -> Iterator[None]:
    """Add what the block takes to the seconds of a stage."""
    start = time.perf_counter()
    try:
        yield
    finally:
        seconds[stage] = seconds.get(stage, 0.0) + time.perf_counter() - start
