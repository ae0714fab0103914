"""A game that is ready to be played: its rules, its reasoner, and the results of analysis."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, Literal

from gdl.machine import Move, Role, State, StateMachine
from gdl.rulesheet import Rulesheet
from gdl.terms import Term

if TYPE_CHECKING:
    from gdl.circuit.circuit import Circuit
    from gdl.circuit.lanes.batch.state_batch import Autoreset, StateBatch
    from gdl.circuit.lanes.expander.expander import Expander, Simulator
    from gdl.circuit.numbering import Numbering
    from gdl.circuit.scalar.game import ScalarGame
    from gdl.circuit.scalar.machine import CircuitMachine
    from gdl.circuit.schedule import Schedule
    from gdl.structure.decisive import Decisive
    from gdl.structure.degrees import Degrees
    from gdl.structure.latches import Latches
    from gdl.structure.move_kinds import MoveKinds
    from gdl.structure.reachable_goals import ReachableGoals
    from gdl.structure.structure import Decomposition, Structure
    from gdl.structure.subgame import Subgame
    from gdl.structure.symmetries import Symmetry

# Modules that need numba are imported inside the functions, because reading, checking and
# interpreting rules do not need them.

Engine = Literal["auto", "lanes", "scalar", "interpreter"]
Stage = Literal["parse", "ground", "build", "compile"]
Extra = Literal["decisive", "latches", "move kinds"]
"""Name of an extra: data derived from a circuit, which `gdl.loading.Compiled` packs as bytes."""

ExtraMaker = Callable[[Extra], bytes | None]

ENGINES: Final[tuple[Engine, ...]] = ("auto", "lanes", "scalar", "interpreter")


@dataclass(eq=False, repr=False)
class Game:
    """Game that is ready to be played: a state machine, and everything else that a search may need.

    Everything except the machine is created on first use. Attributes that the game cannot have are
    None, such as `simulator` in a game that is not compiled.
    """

    rulesheet: Rulesheet | None
    machine: StateMachine  # handles one state at a time; the methods of `Game` delegate to it
    engine: Engine
    reason: str  # why this engine was chosen, in words
    timings: dict[Stage, float] = field(default_factory=dict)
    circuit: Circuit | None = None
    # Plays hundreds of random games at once. None unless the engine is `lanes`
    simulator: Simulator | None = None
    # Function that waits for an extra from another process. It returns None if the game does not
    # have the extra, or if the process has died. None if there is no such process.
    make_extra: ExtraMaker | None = None
    _making: threading.Lock = field(default_factory=threading.Lock, init=False)

    def __getstate__(self) -> dict[str, Any]:
        # Do not pickle cached results and the process that computes extras.
        kept = {each.name for each in fields(self)} - {"make_extra", "_making"}
        return {name: value for name, value in vars(self).items() if name in kept}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state, make_extra=None, _making=threading.Lock())

    def __copy__(self) -> Game:
        return deepcopy(self)

    def __deepcopy__(self, memo: object) -> Game:
        """Return a game with its own machine, for another thread. Share everything else."""
        other = type(self).__new__(type(self))
        vars(other).update(vars(self), machine=deepcopy(self.machine))
        return other

    def __repr__(self) -> str:
        name = self.rulesheet.name if self.rulesheet else "part of a game"
        roles = " ".join(map(str, self.roles))
        return f"Game({name}, roles {roles}, engine {self.engine}: {self.reason})"

    # --- The machine ------------------------------------------------------------------------------

    @property
    def roles(self) -> tuple[Role, ...]:
        """Roles, in the order of the rulesheet. Joint moves use the same order."""
        return self.machine.roles

    def initial_state(self) -> State:
        """Return the state in which the game starts."""
        return self.machine.initial_state()

    def legal_moves(self, state: State, role: Role) -> tuple[Move, ...]:
        """Return the legal moves of a role in a fixed order.

        In terminal states there may be none.
        """
        return self.machine.legal_moves(state, role)

    def next_state(self, state: State, moves: Sequence[Move]) -> State:
        """Return the state after a joint move, one move per role in role order.

        If moves may be illegal, check them with `legal_moves` first. This method does not check
        them, because that takes longer than the step itself. Illegal moves lead to an arbitrary
        state.

        Raises:
            TypeError: `moves` is a single move, or one of the moves is a string.
            IllegalMoveError: There is not exactly one move for each role. Or, in a compiled game,
                no such move exists.
        """
        return self.machine.next_state(state, moves)

    def is_terminal(self, state: State) -> bool:
        """Return whether the game is over."""
        return self.machine.is_terminal(state)

    def goal(self, state: State, role: Role) -> int:
        """Return a role's goal, 0..100: the highest one if the rules give several, 0 if none."""
        return self.machine.goal(state, role)

    def goals(self, state: State, role: Role) -> tuple[int, ...]:
        """Return all goals of a role in ascending order. Well-formed rules give exactly one."""
        return self.machine.goals(state, role)

    def control(self, state: State) -> Role | None:
        """Return the role that decides; see `StateMachine.control`."""
        return self.machine.control(state)

    def percepts(self, state: State, moves: Sequence[Move], role: Role) -> tuple[Term, ...]:
        """Return what a role sees (`sees` of GDL-II) when a joint move is made, sorted by text."""
        return self.machine.percepts(state, moves, role)

    def facts(self, state: State) -> tuple[Term, ...]:
        """Return the facts that are true in a state, sorted by text."""
        return self.machine.facts(state)

    def state_of(self, facts: Iterable[Term]) -> State:
        """Return the state in which exactly the given facts are true."""
        return self.machine.state_of(facts)

    # --- The compiled game ------------------------------------------------------------------------

    @property
    def scalar(self) -> CircuitMachine | None:
        """State machine of a compiled game, or None if the game is not compiled.

        It can also play random games. Its `fork` returns a machine for another thread.
        """
        if self.circuit is None:
            return None
        from gdl.circuit.scalar.machine import CircuitMachine

        assert isinstance(self.machine, CircuitMachine)
        return self.machine

    def expander(self, seed: int = 0) -> Expander:
        """Return an expander, which handles many states at once.

        Raises:
            ValueError: The engine is not `lanes`.
        """
        if self.simulator is None:
            raise ValueError(f"expected a game whose engine is lanes, got {self!r}")
        return self.simulator.expander(seed)

    def batch(self, num: int, autoreset: Autoreset = "next_step", threads: int = 1) -> StateBatch:
        """Return a batch of states that advance together, each by its own moves; see `StateBatch`.

        Args:
            autoreset: When a finished game restarts. With `next_step`, the step after the end
                ignores its action and restarts the game. With `same_step`, the step that ends the
                game also restarts it. With `disabled`, it never restarts.

        Raises:
            ValueError: The game is not compiled, or a number is out of range.
        """
        if self.circuit is None:
            raise ValueError(f"expected a compiled game, got {self!r}")
        from gdl.circuit.lanes.batch.state_batch import StateBatch

        return StateBatch(self.circuit.netlist, num, autoreset, threads, plan=self._batch_plan)

    @cached_property
    def _batch_plan(self) -> Schedule | None:
        if self.circuit is None:
            return None
        from gdl.circuit.lanes.batch.state_batch import batch_plan

        return batch_plan(self.circuit.netlist)

    @cached_property
    def numbering(self) -> Numbering | None:
        """Numbers of facts, moves and percepts in batches, or None if the game is not compiled."""
        if self.circuit is None:
            return None
        from gdl.circuit.numbering import Numbering

        return Numbering(self.circuit.netlist)

    def arrays(
        self, keeps: Callable[[Term], bool] | None = None, *, has_percepts: bool = False
    ) -> ScalarGame | None:
        """Return the game as arrays for the kernels of a search, which handle one state at a time.

        Each call creates new arrays. Return None if the game is not compiled.

        Args:
            keeps: Function that says whether the search needs a fact. Other facts are left out if
                they do not affect the play. If `keeps` is None, the search needs none.
            has_percepts: Whether the search needs percepts.
        """
        if self.circuit is None:
            return None
        from gdl.circuit.scalar.game import ScalarGame

        return ScalarGame(self.circuit.netlist, keeps, has_percepts=has_percepts)

    # --- What follows from its structure ----------------------------------------------------------

    @cached_property
    def structure(self) -> Structure | None:
        """Structure of the game: independent parts, facts that matter, facts that stop changing.

        The analysis takes a moment, and some seconds for large games. None if the game is not
        compiled or too large.
        """
        if self.circuit is None:
            return None
        from gdl.structure.structure import analyse

        return analyse(self.circuit.netlist)

    @cached_property
    def symmetries(self) -> list[Symmetry]:
        """Symmetries of the game: permutations of facts and moves that preserve the rules.

        Empty if the game is not compiled.
        """
        if self.circuit is None:
            return []
        from gdl.structure.symmetries import symmetries

        return symmetries(self.circuit.netlist)

    @cached_property
    def parts(self) -> Decomposition | None:
        """Parts of a game with one role that can be searched separately.

        Finding them takes tenths of a second. None if there are no such parts, or if the game is
        not compiled or too large.
        """
        if self.circuit is None:
            return None
        from gdl.structure.structure import decompose

        return decompose(self.circuit.netlist)

    @cached_property
    def latches(self) -> Latches | None:
        """Facts that stay true once they are true, or stay false once they are false.

        None unless the engine is `lanes`.
        """
        if self.simulator is None:
            return None
        from gdl.structure.latches import latches_in, what_stays

        data = self.make_extra and self.make_extra("latches")
        phases = self.simulator.circuit.phases
        return latches_in(data) if data else what_stays([phase.netlist for phase in phases])

    @cached_property
    def reachable_goals(self) -> ReachableGoals | None:
        """Bounds on the goals that can still be reached from the states of an expander.

        Computing them takes well under a second, except for large games. None if the engine is not
        `lanes`, or if it would take too long.
        """
        if self.simulator is None:
            return None
        from gdl.structure.reachable_goals import make_reachable_goals

        return make_reachable_goals(self.simulator.circuit)

    @property
    def decisive(self) -> Decisive | None:
        """Variant of the game whose roles see immediate wins; see `gdl.structure.decisive`.

        Computing it takes at most a second. None if the engine is not `lanes`, if several roles
        move at once, if no role can ever win at once, or if too many gates are needed.
        """
        with self._making:  # compute the value only once, even with several threads
            return self._decisive

    @cached_property
    def _decisive(self) -> Decisive | None:
        if self.simulator is None:
            return None
        from gdl.structure.decisive import decisive, decisive_in

        circuit = self.simulator.circuit
        if self.make_extra is None:
            return decisive(circuit, self.rulesheet)
        data = self.make_extra("decisive")
        return None if data is None else decisive_in(data, circuit)

    @property
    def move_kinds(self) -> MoveKinds | None:
        """The game with its moves divided by kind; see `gdl.structure.move_kinds`.

        Computing it takes at most two seconds. None if the engine is not `lanes`, if several roles
        move at once, if no move takes anything, or if too many gates are needed.
        """
        with self._making:
            return self._move_kinds

    @cached_property
    def _move_kinds(self) -> MoveKinds | None:
        if self.simulator is None:
            return None
        from gdl.structure.move_kinds import move_kinds, move_kinds_in

        circuit = self.simulator.circuit
        if self.make_extra is None:
            return move_kinds(circuit, self._decisive, self.rulesheet)
        data = self.make_extra("move kinds")
        return None if data is None else move_kinds_in(data, circuit)

    def degrees(self) -> Degrees | None:
        """Return a new object that measures by fuzzy logic how close the goals and the end are.

        Use it in one thread only. Return None if the game is not compiled, or if evaluating the
        formulas for its goals would take too long.
        """
        if self.circuit is None:
            return None
        from gdl.structure.degrees import make_degrees

        return make_degrees(self.circuit.netlist)


def game_of_part(part: Subgame) -> Game:
    """Return a part of a game as a game of its own, with the engine `lanes`."""
    from gdl.circuit.lanes.expander.expander import Simulator
    from gdl.circuit.scalar.machine import CircuitMachine

    circuit = part.circuit
    machine, simulator = CircuitMachine(circuit.netlist), Simulator(circuit)
    return Game(None, machine, "lanes", "a part of a game", {}, circuit, simulator)
