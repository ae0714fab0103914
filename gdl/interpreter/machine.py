"""Interpreter: a state machine that evaluates the rules directly.

A state is a frozen set of the facts that are true in it. Questions are answered top-down, so only
what is needed is computed. Answers are cached as long as they are valid.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

from gdl.errors import EvaluationLimitError, GdlError, GrowthError
from gdl.interpreter.limits import Limits, LimitsLeft
from gdl.interpreter.ordering import cheapest
from gdl.interpreter.program import CycleError, Program
from gdl.machine import Move, Role, State, goal_value, refuse_texts, require_joint_move, wrong_role
from gdl.rulesheet import Relation, Rulesheet
from gdl.rulesheet.rules import Item
from gdl.terms import Compound, Constant, Term, Variable, args_of

Facts = frozenset[Term]
T = TypeVar("T")

_INIT = Relation("init", 1)
_NEXT = Relation("next", 1)
_LEGAL = Relation("legal", 2)
_GOAL = Relation("goal", 2)
_TERMINAL = Relation("terminal", 0)
_SEES = Relation("sees", 2)
_ROLE = Relation("role", 1)

_MAX_STORED_TERMS = 1_000_000
_FRAMES_PER_RELATION = 8  # for generated functions, which call each other along chains of relations
_MAX_FRAMES = 100_000


class Interpreter:
    """State machine that evaluates the rules directly; see `gdl.machine.StateMachine`.

    An instance caches the answers about one state at a time. Use it in one thread only.

    Raises:
        RulesheetError: A statement has no meaning, or there is no role.
        EvaluationLimitError: The first state cannot be computed within the limits.
    """

    def __init__(self, rulesheet: Rulesheet, limits: Limits | None = None) -> None:
        if rulesheet.refusal:
            raise rulesheet.refusal
        self._rulesheet = rulesheet
        self._budget = LimitsLeft(limits or Limits())
        self._program = Program(rulesheet, self._budget)
        frames = min(_MAX_FRAMES, 1000 + _FRAMES_PER_RELATION * len(rulesheet.definitions))
        sys.setrecursionlimit(max(sys.getrecursionlimit(), frames))
        self.roles: tuple[Role, ...] = rulesheet.all_roles(
            self._ask(lambda: self._program.ask(_ROLE, None))
        )
        self._initial: Facts = frozenset(self._ask(lambda: self._program.ask(_INIT, None)))
        self._program.estimates.typical_state = self._initial

    def __reduce__(self) -> tuple[type[Interpreter], tuple[Rulesheet, Limits]]:
        return type(self), (self._rulesheet, self._budget.limits)

    def __deepcopy__(self, memo: object) -> Interpreter:
        """Return an interpreter of the same rules, for another thread."""
        return type(self)(self._rulesheet, self._budget.limits)

    def initial_state(self) -> Facts:
        """Return the state in which the game starts."""
        return self._initial

    def legal_moves(self, state: State, role: Role) -> tuple[Move, ...]:
        """Return the legal moves of a role, sorted by text."""
        self._require_role(role)
        return self._about(state, lambda ask: tuple(sorted(ask(_LEGAL, role, None), key=str)))

    def some_legal_moves(self, state: State, role: Role, most: int) -> tuple[Move, ...]:
        """Return at most `most` legal moves of a role, sorted by text, without finding the others.

        This works even if there are too many legal moves to list.
        """
        some = self._program.some
        return self._about(state, lambda _: tuple(sorted(some(most, _LEGAL, role, None), key=str)))

    def is_legal(self, state: State, role: Role, move: Move) -> bool:
        """Return whether a move is legal, without finding the other legal moves."""
        return self._about(state, lambda ask: bool(ask(_LEGAL, role, move)))

    def next_state(self, state: State, moves: Sequence[Move]) -> Facts:
        """Return the state after a joint move, one move per role."""
        return self._after(state, moves, lambda ask: frozenset(ask(_NEXT, None)))

    def is_terminal(self, state: State) -> bool:
        """Return whether the game is over."""
        return self._about(state, lambda ask: bool(ask(_TERMINAL)))

    def goals(self, state: State, role: Role) -> tuple[int, ...]:
        """Return all goals of a role in ascending order. Ignore values that are not numbers."""
        self._require_role(role)
        terms = self._about(state, lambda ask: list(ask(_GOAL, role, None)))
        return tuple(sorted(value for value in map(goal_value, terms) if value is not None))

    def goal(self, state: State, role: Role) -> int:
        """Return the highest goal of a role, or 0 if it has none."""
        return max(self.goals(state, role), default=0)

    def control(self, state: State) -> Role | None:
        """Return the role that decides; see `StateMachine.control`.

        If the state has a fact (control R), as in Gamemaster's games, return R.
        """
        deciding = [role for role in self.roles if len(self.legal_moves(state, role)) > 1]
        if deciding:
            return deciding[0] if len(deciding) == 1 else None
        in_control = (role for role in self.roles if Compound("control", (role,)) in _facts(state))
        return next(in_control, self.roles[0])

    def percepts(self, state: State, moves: Sequence[Move], role: Role) -> tuple[Term, ...]:
        """Return what a role sees when a joint move is played, sorted by text."""
        self._require_role(role)
        return self._after(state, moves, lambda ask: tuple(sorted(ask(_SEES, role, None), key=str)))

    def holding(
        self, relation: str, arity: int, state: State, moves: Sequence[Move] = ()
    ) -> tuple[Term, ...]:
        """Return all atoms of a relation that hold in a state, sorted by text."""
        if arity == 0:
            return self.matching(Constant(relation), state, moves)
        free = Compound(relation, tuple(Variable(f"?{place}") for place in range(arity)))
        return tuple(sorted(self.matching(free, state, moves), key=str))

    def matching(self, atom: Term, state: State, moves: Sequence[Move] = ()) -> tuple[Term, ...]:
        """Return the atoms that hold and have the same ground arguments as `atom`.

        An argument that contains a variable matches any value. `true` and `does` are not supported.
        """
        relation = Relation.of(atom)
        args = args_of(atom)
        known = [arg if arg.is_ground else None for arg in args]
        if moves:
            found = self._after(state, moves, lambda ask: ask(relation, *known))
        else:
            found = self._about(state, lambda ask: ask(relation, *known))
        if None not in known:
            return (atom,) if found else ()
        free = [place for place, arg in enumerate(known) if arg is None]
        atoms, values = [], list(args)
        for row in found:
            for place, value in zip(free, (row,) if len(free) == 1 else row, strict=True):
                values[place] = value
            atoms.append(Compound(relation.name, tuple(values)))
        return tuple(atoms)

    def asked_next(
        self, items: Sequence[Item], known: set[Variable], wanted: set[Variable]
    ) -> int | None:
        """Return the index of the condition to evaluate next; see `ordering.cheapest`."""
        return cheapest(items, known, wanted, self._program.estimates.of)

    def facts(self, state: State) -> tuple[Term, ...]:
        """Return the facts of a state, sorted by text."""
        return tuple(sorted(_facts(state), key=str))

    def state_of(self, facts: Iterable[Term]) -> Facts:
        """Return the state in which exactly these facts are true."""
        return frozenset(facts)

    def _about(self, state: State, question: Callable[[Callable[..., Any]], T]) -> T:
        self._program.set_state(_facts(state))
        return self._ask(lambda: question(self._program.ask))

    def _after(
        self, state: State, moves: Sequence[Move], question: Callable[[Callable[..., Any]], T]
    ) -> T:
        require_joint_move(moves, self.roles)
        refuse_texts(moves)
        self._program.set_state(_facts(state))
        self._program.set_moves(dict(zip(self.roles, moves, strict=True)))
        return self._ask(lambda: question(self._program.ask))

    def _require_role(self, role: Role) -> None:
        if role not in self.roles:
            raise wrong_role(role, self.roles)

    def _ask(self, question: Callable[[], T]) -> T:
        self._budget.start()
        self._program.trim(_MAX_STORED_TERMS)
        while True:
            try:
                return question()
            except CycleError as cycle:
                self._program.abandon()
                self._program.break_cycle(cycle.relation)
            except GrowthError:
                self._program.abandon()
                if not self._program.postpone_recursion():
                    raise
                self._budget.start()
            except RecursionError:
                self._program.abandon()
                untabled = self._program.untabled()
                if not untabled:
                    raise EvaluationLimitError("the recursion of the rules is too deep") from None
                self._program.table(untabled)
            except MemoryError:
                self._program.abandon()
                raise EvaluationLimitError("the rules need more memory than is available") from None
            except GdlError:
                self._program.abandon()
                raise


def _facts(state: State) -> Facts:
    assert isinstance(state, frozenset)
    return state
