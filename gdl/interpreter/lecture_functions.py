"""Operations from Genesereth's lectures under their original names, as functions of a rulesheet.

    >>> import gdl
    >>> library = gdl.read_kif("(role me) (init (s 0)) (legal me go) (goal me 100)"
    ...                        "(<= (next (s 1)) (does me go)) (<= terminal (true (s 1)))")
    >>> state = gdl.findinits(library)
    >>> [me], [go] = gdl.findroles(library), gdl.findlegals(state, library)
    >>> gdl.findterminalp(gdl.simulate(go, state, library), library)
    True

`library` is a `Rulesheet`. Its reasoner is created on first use and kept as long as the rulesheet.
All functions raise `TypeError`, with a message of one line, if an argument has the wrong type.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from typing import overload
from weakref import WeakKeyDictionary

from gdl.errors import IllegalMoveError
from gdl.interpreter.machine import Interpreter
from gdl.machine import Move, Role, State
from gdl.rulesheet import Rulesheet
from gdl.terms import Constant, Term

_machines: WeakKeyDictionary[Rulesheet, Interpreter] = WeakKeyDictionary()

_NUM_NAMED = 5  # legal moves to list in the message about an illegal move


def _machine(library: Rulesheet, *states: State) -> Interpreter:
    _expect("library", "a Rulesheet", library, Rulesheet)
    for state in states:
        _expect("state", "a state from findinits or simulate", state, frozenset)
    machine = _machines.get(library)
    if machine is None:
        # The machine refers to its rulesheet. Without the copy it would keep its own weak key
        # alive.
        machine = _machines[library] = Interpreter(copy(library))
    return machine


def findroles(library: Rulesheet) -> tuple[Role, ...]:
    """Return the roles, in rulesheet order."""
    return _machine(library).roles


def findinits(library: Rulesheet) -> State:
    """Return the initial state."""
    return _machine(library).initial_state()


@overload
def findlegals(role: Role, state: State, library: Rulesheet, /) -> tuple[Move, ...]: ...


@overload
def findlegals(state: State, library: Rulesheet, /) -> tuple[Move, ...]: ...


def findlegals(*args: Role | State | Rulesheet) -> tuple[Move, ...]:
    """Return the legal moves of the role in `args`, or else of the only role with a choice."""
    if len(args) not in (2, 3):
        raise TypeError(
            f"findlegals: expected (role, state, library) or (state, library), "
            f"got {len(args)} argument(s)"
        )
    *roles, state, library = args
    machine = _machine(library, state)  # type: ignore[arg-type]  # `_machine` checks it
    mover = roles[0] if roles else _mover(state, machine)
    return machine.legal_moves(state, _role(mover))


def simulate(moves: Move | Sequence[Move], state: State, library: Rulesheet) -> State:
    """Return the state after a joint move, or after a legal move of the only role with a choice.

    The moves of a joint move are not checked, because they may come from a game manager, whose
    decisions count.

    Raises:
        IllegalMoveError: A single move is not legal for that role.
    """
    machine = _machine(library, state)
    if isinstance(moves, Term):
        moves = _joint(moves, state, machine)
    else:
        _expect_moves(moves)
    return machine.next_state(state, moves)


def findreward(role: Role, state: State, library: Rulesheet) -> int:
    """Return the goal of a role, 0..100."""
    return _machine(library, state).goal(state, _role(role))


def findterminalp(state: State, library: Rulesheet) -> bool:
    """Return whether the game is over."""
    return _machine(library, state).is_terminal(state)


def findcontrol(state: State, library: Rulesheet) -> Role | None:
    """Return the role that decides: the only one with a choice. Return None if several have one."""
    return _machine(library, state).control(state)


def findpercepts(
    role: Role, moves: Sequence[Move], state: State, library: Rulesheet
) -> tuple[Term, ...]:
    """Return what a role sees (`sees` of GDL-II) when a joint move is played in a state."""
    machine = _machine(library, state)
    _expect_moves(moves)
    return machine.percepts(state, moves, _role(role))


def _mover(state: State, machine: Interpreter) -> Role:
    mover = machine.control(state)
    if mover is None:
        raise IllegalMoveError(
            "several roles decide in this state; give a role, or a move for each role"
        )
    return mover


def _joint(move: Move, state: State, machine: Interpreter) -> list[Move]:
    mover = _mover(state, machine)
    legal = {role: machine.legal_moves(state, role) for role in machine.roles}
    if move not in legal[mover]:
        named = [str(each) for each in legal[mover][:_NUM_NAMED]]
        others = len(legal[mover]) - len(named)
        known = ", ".join(named) + (f" and {others} more" if others else "")
        raise IllegalMoveError(
            f"{move} is no legal move of {mover} in this state; legal: {known or 'none'}"
        )
    for role, moves in legal.items():
        if not moves:
            raise IllegalMoveError(f"{role} has no legal move in this state")
    return [move if role is mover else moves[0] for role, moves in legal.items()]


def _expect(argument: str, expected: str, value: object, kind: type) -> None:
    if not isinstance(value, kind):
        raise TypeError(f"{argument}: expected {expected}, got {type(value).__name__}")


def _expect_moves(moves: object) -> None:
    expected = "one move, or a sequence of one move per role"
    if isinstance(moves, str):
        raise TypeError(
            f"moves: expected {expected}, got str; gdl.read_term turns a text into a term"
        )
    _expect("moves", expected, moves, Sequence)
    assert isinstance(moves, Sequence)
    for index, move in enumerate(moves):
        _expect(f"moves[{index}]", "a term, such as from gdl.read_term", move, Term)


def _role(value: object) -> Role:
    _expect("role", "one of findroles", value, Constant)
    assert isinstance(value, Constant)
    return value
