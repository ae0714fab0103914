"""A game that is ready to be played: its rules, the reasoner, and what is known of it."""

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
    from gdl.circuit.lanes.expander import Expander, Simulator
    from gdl.circuit.lanes.state_batch import Autoreset, StateBatch
    from gdl.circuit.numbering import Numbering
    from gdl.circuit.scalar.game import ScalarGame
    from gdl.circuit.scalar.machine import CircuitMachine
    from gdl.circuit.schedule import Schedule
    from gdl.structure.decisive import Decisive
    from gdl.structure.degrees import Degrees
    from gdl.structure.latches import Latches
    from gdl.structure.reachable_goals import ReachableGoals
    from gdl.structure.structure import Decomposition, Structure
    from gdl.structure.subgame import Subgame
    from gdl.structure.symmetries import Symmetry

# Whoever only reads, checks or interprets rules does not wait for numba and clingo: what needs
# them is imported inside the functions.

Engine = Literal["auto", "lanes", "scalar", "interpreter"]
Stage = Literal["parse", "ground", "build", "compile"]
Extra = Literal["decisive", "latches"]
"""A name of what is made of a circuit, and packed as bytes, by `gdl.loading.Compiled`."""

ExtraMaker = Callable[[Extra], bytes | None]

ENGINES: Final[tuple[Engine, ...]] = ("auto", "lanes", "scalar", "interpreter")


@dataclass(eq=False, repr=False)
class Game:
    """A game that is ready to be played: a state machine, and all that a search may ask for.

    What is not part of the machine is made when it is first asked for, and None where the game does
    not have it: `simulator` and the like for games that are not compiled.
    """

    rulesheet: Rulesheet | None
    machine: StateMachine  # plays one state at a time; the game's own methods hand on to it
    engine: Engine
    reason: str  # why, in words
    timings: dict[Stage, float] = field(default_factory=dict)
    circuit: Circuit | None = None
    # Random playouts, hundreds at once; None unless the engine is `lanes`
    simulator: Simulator | None = None
    # Has an extra made by another process, and waits for it; None if there is no such process. It
    # returns None where the game does not have it, or the process died.
    make_extra: ExtraMaker | None = None
    _making: threading.Lock = field(default_factory=threading.Lock, init=False)

    def __getstate__(self) -> dict[str, Any]:
        # What it has worked out, and the process that makes extras, stay here.
        kept = {each.name for each in fields(self)} - {"make_extra", "_making"}
        return {name: value for name, value in vars(self).items() if name in kept}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state, make_extra=None, _making=threading.Lock())

    def __copy__(self) -> Game:
        return deepcopy(self)

    def __deepcopy__(self, memo: object) -> Game:
        """Return a game with a machine of its own, for another thread. All else is shared."""
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
        """The roles, in the order of the rulesheet; joint moves use the same order."""
        return self.machine.roles

    def initial_state(self) -> State:
        """The state in which the game starts."""
        return self.machine.initial_state()

    def legal_moves(self, state: State, role: Role) -> tuple[Move, ...]:
        """The legal moves of a role in a fixed order; in terminal states there may be none."""
        return self.machine.legal_moves(state, role)

    def next_state(self, state: State, moves: Sequence[Move]) -> State:
        """The state after a joint move, one move per role in role order.

        Whoever is not sure that they are legal asks `legal_moves` before: that takes longer than
        the step, and moves that are not legal lead to some state or other.

        Raises:
            TypeError: It is a move, not a joint move, or a move is a text.
            IllegalMoveError: There is not one for each role, or a role never has it (compiled).
        """
        return self.machine.next_state(state, moves)

    def is_terminal(self, state: State) -> bool:
        """Whether the game is over."""
        return self.machine.is_terminal(state)

    def goal(self, state: State, role: Role) -> int:
        """The goal value of a role, 0..100; 0 if the rules give none, the highest if several."""
        return self.machine.goal(state, role)

    def goals(self, state: State, role: Role) -> tuple[int, ...]:
        """All goal values that the rules give a role, ascending; well-formed rules give one."""
        return self.machine.goals(state, role)

    def control(self, state: State) -> Role | None:
        """The role that decides, see `StateMachine.control`."""
        return self.machine.control(state)

    def percepts(self, state: State, moves: Sequence[Move], role: Role) -> tuple[Term, ...]:
        """Percepts of a role when a joint move is made (`sees` of GDL-II), sorted by text."""
        return self.machine.percepts(state, moves, role)

    def facts(self, state: State) -> tuple[Term, ...]:
        """The facts that are true in a state, sorted by text."""
        return self.machine.facts(state)

    def state_of(self, facts: Iterable[Term]) -> State:
        """The state in which exactly the given facts are true."""
        return self.machine.state_of(facts)

    # --- The compiled game ------------------------------------------------------------------------

    @property
    def scalar(self) -> CircuitMachine | None:
        """The machine, if it is compiled: it plays at random by itself, and forks for threads."""
        if self.circuit is None:
            return None
        from gdl.circuit.scalar.machine import CircuitMachine

        assert isinstance(self.machine, CircuitMachine)
        return self.machine

    def expander(self, seed: int = 0) -> Expander:
        """An expander of many states at once; ValueError if the engine is not `lanes`."""
        if self.simulator is None:
            raise ValueError(f"expected a game on lanes, got {self!r}")
        return self.simulator.expander(seed)

    def batch(self, num: int, autoreset: Autoreset = "next_step", threads: int = 1) -> StateBatch:
        """Many states at once, each moved on by moves of its own; see `StateBatch`.

        Args:
            autoreset: When a game that is over begins anew: with the `next_step`, whose action does
                not count, in the `same_step`, or never (`disabled`).

        Raises:
            ValueError: The game is not compiled, or a number is out of range.
        """
        if self.circuit is None:
            raise ValueError(f"expected a compiled game, got {self!r}")
        from gdl.circuit.lanes.state_batch import StateBatch

        return StateBatch(self.circuit.netlist, num, autoreset, threads, plan=self._batch_plan)

    @cached_property
    def _batch_plan(self) -> Schedule | None:
        if self.circuit is None:
            return None
        from gdl.circuit.lanes.state_batch import batch_plan

        return batch_plan(self.circuit.netlist)

    @cached_property
    def numbering(self) -> Numbering | None:
        """The numbers of facts, moves and percepts in batches; None if the game is not compiled."""
        if self.circuit is None:
            return None
        from gdl.circuit.numbering import Numbering

        return Numbering(self.circuit.netlist)

    def arrays(
        self, keeps: Callable[[Term], bool] | None = None, *, has_percepts: bool = False
    ) -> ScalarGame | None:
        """The game as arrays, one state at a time, for kernels of a search.

        Each call makes arrays of its own; None if the game is not compiled.

        Args:
            keeps: Whether the search asks for a fact; of others, those that make no difference to
                play are left out. None: it asks for none.
            has_percepts: Whether the search asks what roles see.
        """
        if self.circuit is None:
            return None
        from gdl.circuit.scalar.game import ScalarGame

        return ScalarGame(self.circuit.netlist, keeps, has_percepts=has_percepts)

    # --- What follows from its structure ----------------------------------------------------------

    @cached_property
    def structure(self) -> Structure | None:
        """The structure: what falls apart, what matters and what stays.

        It takes a moment, some seconds in large games. None if the game is not compiled, or too
        large.
        """
        if self.circuit is None:
            return None
        from gdl.structure.structure import analyse

        return analyse(self.circuit.netlist)

    @cached_property
    def symmetries(self) -> list[Symmetry]:
        """Permutations of facts and moves that keep the rules; none if the game is not compiled."""
        if self.circuit is None:
            return []
        from gdl.structure.symmetries import symmetries

        return symmetries(self.circuit.netlist)

    @cached_property
    def parts(self) -> Decomposition | None:
        """The parts of a game of one role that can be searched apart.

        They are found in tenths of a second. None if it has none, is not compiled, or too large.
        """
        if self.circuit is None:
            return None
        from gdl.structure.structure import decompose

        return decompose(self.circuit.netlist)

    @cached_property
    def latches(self) -> Latches | None:
        """The bases that stay as they are once they have a value; None unless played on lanes."""
        if self.simulator is None:
            return None
        from gdl.structure.latches import latches_in, what_stays

        data = self.make_extra and self.make_extra("latches")
        phases = self.simulator.circuit.phases
        return latches_in(data) if data else what_stays([phase.netlist for phase in phases])

    @cached_property
    def reachable_goals(self) -> ReachableGoals | None:
        """Limits of the goals that can still be reached from the states of an expander.

        They are made in well under a second but for large games. None if the game is not played on
        lanes, or so large that it would take too long.
        """
        if self.simulator is None:
            return None
        from gdl.structure.reachable_goals import make_reachable_goals

        return make_reachable_goals(self.simulator.circuit)

    @property
    def decisive(self) -> Decisive | None:
        """The game as roles play it that see who wins at once.

        It is made in a second or less. None if the game is not played on lanes, several roles move
        at once, nobody ever wins at once, or it takes too many gates.
        """
        with self._making:  # once, also if several threads ask
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

    def degrees(self) -> Degrees | None:
        """New measures of how near goals and the end of the game are, by fuzzy logic.

        They belong to one thread. None if the game is not compiled, or its goals are so large that
        it would take too long.
        """
        if self.circuit is None:
            return None
        from gdl.structure.degrees import make_degrees

        return make_degrees(self.circuit.netlist)


def game_of_part(part: Subgame) -> Game:
    """A part of a game as a game of its own, on lanes."""
    from gdl.circuit.lanes.expander import Simulator
    from gdl.circuit.scalar.machine import CircuitMachine

    circuit = part.circuit
    machine, simulator = CircuitMachine(circuit.netlist), Simulator(circuit)
    return Game(None, machine, "lanes", "a part of a game", {}, circuit, simulator)
