"""The operations of Genesereth's lectures under their own names, as functions of a rulesheet.

    >>> import gdl
    >>> library = gdl.read_kif("(role me) (init (s 0)) (legal me go) (goal me 100)"
    ...                        "(<= (next (s 1)) (does me go)) (<= terminal (true (s 1)))")
    >>> state = gdl.findinits(library)
    >>> [me], [go] = gdl.findroles(library), gdl.findlegals(state, library)
    >>> gdl.findterminalp(gdl.simulate(go, state, library), library)
    True

`library` is a `Rulesheet`; its reasoner is made on first use and kept as long as the rulesheet.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import overload
from weakref import WeakKeyDictionary

from gdl.errors import IllegalMoveError
from gdl.interpreter.machine import Interpreter
from gdl.machine import Move, Role, State
from gdl.rulesheet import Rulesheet
from gdl.terms import Term

_machines: WeakKeyDictionary[Rulesheet, Interpreter] = WeakKeyDictionary()


def _machine(library: Rulesheet) -> Interpreter:
    machine = _machines.get(library)
    if machine is None:
        machine = _machines[library] = Interpreter(library)
    return machine


def findroles(library: Rulesheet) -> tuple[Role, ...]:
    """The roles, in rulesheet order."""
    return _machine(library).roles


def findinits(library: Rulesheet) -> State:
    """The initial state."""
    return _machine(library).initial_state()


@overload
def findlegals(role: Role, state: State, library: Rulesheet, /) -> tuple[Move, ...]: ...


@overload
def findlegals(state: State, library: Rulesheet, /) -> tuple[Move, ...]: ...


def findlegals(*args: Role | State | Rulesheet) -> tuple[Move, ...]:
    """The legal moves of a role; without a role, those of the role that decides.

    Raises:
        IllegalMoveError: No role is given and several decide.
    """
    *role, state, library = args
    assert isinstance(library, Rulesheet)
    machine = _machine(library)
    mover = role[0] if role else _mover(state, machine)
    return machine.legal_moves(state, mover)  # type: ignore[arg-type]  # the overloads say so


def simulate(moves: Move | Sequence[Move], state: State, library: Rulesheet) -> State:
    """The state after a joint move, or after a single move of the role that decides.

    Raises:
        IllegalMoveError: Not one move per role; or a single move where several roles decide.
    """
    machine = _machine(library)
    if isinstance(moves, Term):
        mover = _mover(state, machine)
        moves = [
            moves if role is mover else machine.legal_moves(state, role)[0]
            for role in machine.roles
        ]
    return machine.next_state(state, moves)


def findreward(role: Role, state: State, library: Rulesheet) -> int:
    """The goal value of a role, 0..100."""
    return _machine(library).goal(state, role)


def findterminalp(state: State, library: Rulesheet) -> bool:
    """Whether the game is over."""
    return _machine(library).is_terminal(state)


def findcontrol(state: State, library: Rulesheet) -> Role | None:
    """The role that decides here: the one with a choice; None when several have one."""
    return _machine(library).control(state)


def findpercepts(
    role: Role, moves: Sequence[Move], state: State, library: Rulesheet
) -> tuple[Term, ...]:
    """What a role sees when a joint move is made in a state (`sees` of GDL-II)."""
    return _machine(library).percepts(state, moves, role)


def _mover(state: State, machine: Interpreter) -> Role:
    mover = machine.control(state)
    if mover is None:
        raise IllegalMoveError(
            "several roles decide in this state; give a role, or a move for each role"
        )
    return mover
