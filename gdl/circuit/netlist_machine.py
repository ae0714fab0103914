"""The common part of all state machines on netlists: names, packed states, literals."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

import numpy as np

from gdl.circuit.netlist import IntArray, Netlist, pack, unpack
from gdl.errors import GdlError, IllegalMoveError
from gdl.machine import Move, Role, State, refuse_texts, require_joint_move, wrong_role
from gdl.terms import Compound, Term


class UnreachableFactError(GdlError):
    """Raised by `state_of` for a fact that is true in no state of the game."""


class Evaluator(Protocol):
    """An evaluator of one game. It has a current state, which can be any state of the game.

    Packed states are `[W]` words, see `gdl.circuit.netlist.pack`.
    """

    def load(self, words: IntArray) -> None:
        """Make a packed state the current one."""
        ...

    def holds(self, literal: int) -> bool:
        """Return whether a literal is true. After `make`, percepts can be asked about as well."""
        ...

    def legal(self, role: int) -> IntArray:
        """Return the inputs that are legal for a role, in ascending order."""
        ...

    def make(self, moves: IntArray) -> IntArray:
        """Make a joint move, given as one input per role. Return the next packed state."""
        ...


class NetlistNames:
    """Tables to translate terms into the numbers of a netlist and back.

    Attributes:
        role_index: The index of each role.
        number: The base of each fact.
        bases_by_text: Bases sorted by the text of their facts.
        input_of: For each role, the input of each of its moves.
        rank: `[I]` the index of each input when all are sorted by the text of their moves.
        move_of_rank: The moves in that order.
    """

    def __init__(self, netlist: Netlist) -> None:
        self.role_index = {role: index for index, role in enumerate(netlist.roles)}
        self.number = {fact: base for base, fact in enumerate(netlist.bases)}
        self.bases_by_text = sorted(self.number.values(), key=lambda b: str(netlist.bases[b]))
        self.input_of: list[dict[Move, int]] = [{} for _ in netlist.roles]
        for number, (role, move) in enumerate(netlist.inputs):
            self.input_of[role][move] = number
        order = sorted(range(netlist.num_inputs), key=lambda i: str(netlist.inputs[i][1]))
        self.rank = np.empty(netlist.num_inputs, np.int32)
        self.rank[order] = np.arange(netlist.num_inputs)
        self.move_of_rank = [netlist.inputs[i][1] for i in order]


class NetlistMachine:
    """A state machine that plays by a netlist, see `gdl.machine.StateMachine`.

    A state is the bytes of its packed bases. For states that the game cannot reach, the results may
    differ from the rules, because passes rely on properties of reachable states. An instance has
    one current state and belongs to one thread.
    """

    def __init__(self, netlist: Netlist, evaluator: Evaluator, literals: Netlist) -> None:
        """Create a machine.

        Args:
            netlist: The game, with all its facts.
            literals: The same netlist, but with the evaluator's literals for terminal, goals and
                percepts.
        """
        self.netlist = netlist
        self.roles: tuple[Role, ...] = netlist.roles
        self._names = NetlistNames(netlist)
        self._evaluator = evaluator
        self._literals = literals
        self._loaded: State | None = None
        self._initial: bytes = pack(netlist.init[None])[0].tobytes()

    def initial_state(self) -> bytes:
        """Return the state in which the game starts."""
        return self._initial

    def legal_moves(self, state: State, role: Role) -> tuple[Move, ...]:
        """Return the legal moves of a role, sorted by text."""
        self._load(state)
        ranks = np.sort(self._names.rank[self._evaluator.legal(self._index(role))])
        return tuple([self._names.move_of_rank[rank] for rank in ranks.tolist()])

    def next_state(self, state: State, moves: Sequence[Move]) -> bytes:
        """Return the state after a joint move.

        Raises:
            IllegalMoveError: There is not exactly one move per role, or a role never has this move.
        """
        self._load(state)
        return bytes(self._evaluator.make(self._inputs(moves)))

    def is_terminal(self, state: State) -> bool:
        """Return whether the game is over."""
        self._load(state)
        return self._evaluator.holds(self._literals.terminal)

    def goals(self, state: State, role: Role) -> tuple[int, ...]:
        """Return all goal values of a role in ascending order."""
        self._load(state)
        wanted = self._index(role)
        goals = self._literals.goals
        return tuple(v for r, v, literal in goals if r == wanted and self._evaluator.holds(literal))

    def goal(self, state: State, role: Role) -> int:
        """Return the highest goal value of a role, or 0 if it has none."""
        return max(self.goals(state, role), default=0)

    def control(self, state: State) -> Role | None:
        """Return the only role with a choice, or None if several roles have one.

        If no role has a choice, return the role R of a fact (control R), or the first role if there
        is no such fact.
        """
        self._load(state)
        deciding = [role for r, role in enumerate(self.roles) if len(self._evaluator.legal(r)) > 1]
        if deciding:
            return deciding[0] if len(deciding) == 1 else None
        named = (role for role in self.roles if self._is_true(state, Compound("control", (role,))))
        return next(named, self.roles[0])

    def percepts(self, state: State, moves: Sequence[Move], role: Role) -> tuple[Term, ...]:
        """Return the percepts of a role when a joint move is made, sorted by text."""
        self._load(state)
        self._evaluator.make(self._inputs(moves))
        wanted = self._index(role)
        sees = self._literals.sees
        seen = {p for r, p, literal in sees if r == wanted and self._evaluator.holds(literal)}
        return tuple(sorted(seen, key=str))

    def facts(self, state: State) -> tuple[Term, ...]:
        """Return the facts of a state, sorted by text."""
        assert isinstance(state, bytes)
        is_true = unpack(np.frombuffer(state, np.int32), self.netlist.num_bases).tolist()
        return tuple(
            self.netlist.bases[base] for base in self._names.bases_by_text if is_true[base]
        )

    def state_of(self, facts: Iterable[Term]) -> bytes:
        """Return the state in which exactly these facts are true.

        Raises:
            UnreachableFactError: A fact is true in no state of the game.
        """
        bases = np.zeros((1, self.netlist.num_bases), np.bool_)
        for fact in facts:
            base = self._names.number.get(fact)
            if base is None:
                raise UnreachableFactError(f"expected facts that the game can reach, got: {fact}")
            bases[0, base] = True
        return bytes(pack(bases)[0])

    def _load(self, state: State) -> None:
        if state is not self._loaded:
            assert isinstance(state, bytes)
            self._evaluator.load(np.frombuffer(state, np.int32).copy())
            self._loaded = state

    def _index(self, role: Role) -> int:
        try:
            return self._names.role_index[role]
        except KeyError:
            raise wrong_role(role, self.roles) from None

    def _inputs(self, moves: Sequence[Move]) -> IntArray:
        require_joint_move(moves, self.roles)
        for role, known, move in zip(self.roles, self._names.input_of, moves, strict=True):
            if move not in known:
                refuse_texts(moves)
                raise IllegalMoveError(f"expected a move of {role}, got: {move}")
        inputs = [known[move] for known, move in zip(self._names.input_of, moves, strict=True)]
        return np.array(inputs, np.int32)

    def _is_true(self, state: State, fact: Term) -> bool:
        base = self._names.number.get(fact)
        assert isinstance(state, bytes)
        return base is not None and bool(state[base >> 3] >> (base & 7) & 1)
