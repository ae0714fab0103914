"""Build the ground program: number the atoms of the ground rules, and find what each stands for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

from gdl.ground import GroundingError, Reason
from gdl.ground.fixpoint import INIT, LEGAL, NEXT, ROLE, Fixpoint
from gdl.ground.program import FALSE, TRUE, GroundProgram, GroundRules, IntArray
from gdl.machine import goal_value
from gdl.native.jit import kernel_elsewhere as kernel
from gdl.rulesheet import Relation, Rulesheet, graph
from gdl.rulesheet.graph import Components
from gdl.terms import Term


class Settled:
    """Ground rules without the literals whose truth value never changes.

    Attributes:
        always: `[A]` whether each atom always holds. `A` is one more than the highest atom.
        never: `[A]` whether it never holds.
    """

    def __init__(self, rules: GroundRules) -> None:
        heads, offsets, literals = rules.heads.copy(), rules.offsets.copy(), rules.literals.copy()
        self.always = np.zeros(rules.num_atoms, np.bool_)
        is_open = np.zeros(rules.num_atoms, np.bool_)
        is_open[rules.open] = True
        can_hold = np.empty(rules.num_atoms, np.bool_)
        left = _settle(heads, offsets, literals, is_open, self.always, can_hold)
        self.never = ~can_hold
        self.heads, self.offsets = heads[:left], offsets[: left + 1]
        self.literals = literals[: self.offsets[-1]]


@kernel
def _settle(
    heads: IntArray,
    offsets: IntArray,
    literals: IntArray,
    is_open: BoolArray,
    always: BoolArray,
    can_hold: BoolArray,
) -> int:
    """Remove what is settled from the arrays of the rules. Return the number of rules left."""
    num_rules = len(heads)
    before = -1
    while before != num_rules + offsets[num_rules]:
        before = num_rules + offsets[num_rules]
        for rule in range(num_rules):
            if offsets[rule] == offsets[rule + 1]:
                always[heads[rule]] = True
        for atom in range(len(can_hold)):
            can_hold[atom] = is_open[atom] or always[atom]
        for rule in range(num_rules):
            can_hold[heads[rule]] = True
        num_rules = _remove_settled(heads, offsets, literals, num_rules, always, can_hold)
    return num_rules


@kernel
def _remove_settled(
    heads: IntArray,
    offsets: IntArray,
    literals: IntArray,
    num_rules: int,
    always: BoolArray,
    can_hold: BoolArray,
) -> int:
    kept, size, start = 0, 0, 0
    for rule in range(num_rules):
        end = offsets[rule + 1]
        head, first = heads[rule], size
        can_matter = not always[head]
        for k in range(start, end):
            literal = literals[k]
            atom = abs(literal)
            if not (can_hold[atom] if literal > 0 else not always[atom]):
                can_matter = False
            elif not (always[atom] if literal > 0 else not can_hold[atom]):
                literals[size] = literal
                size += 1
        start = end
        if can_matter:
            heads[kept] = head
            kept += 1
            offsets[kept] = size
        else:
            size = first
    return kept


BoolArray = NDArray[np.bool_]
_GOAL: Final = Relation("goal", 2)
_SEES: Final = Relation("sees", 2)
_TERMINAL: Final = Relation("terminal", 0)


def assemble(rulesheet: Rulesheet, fixpoint: Fixpoint) -> GroundProgram:
    """Build the ground program from the ground rules.

    Raises GroundingError if the first state depends on the state or the moves, if an atom depends
    on its own negation, or if a role never has a move.
    """
    return _Assembly(rulesheet, fixpoint).program()


class _Assembly:
    def __init__(self, rulesheet: Rulesheet, fixpoint: Fixpoint) -> None:
        self._fixpoint = fixpoint
        self._settled = Settled(fixpoint.rules())
        if any(rulesheet.graph.negative_cycles()):
            check_negation(self._settled)
        terms = fixpoint.numbers.terms
        self._roles = rulesheet.all_roles(terms(fixpoint.rows(ROLE)[:, 0]))
        self._facts = fixpoint.rows(graph.TRUE)
        moves = fixpoint.rows(graph.DOES)
        movers = self._role_indexes(moves)
        order = np.argsort(movers, kind="stable")
        self._moves, self._movers = moves[order], movers[order]
        self._check_moves()
        self._number = self._number_atoms()

    def _role_indexes(self, rows: IntArray) -> IntArray:
        """Return the index of the role that is the first argument of each atom, or -1."""
        indexes: dict[Term, int] = {role: index for index, role in enumerate(self._roles)}
        roles, inverse = np.unique(rows[:, 0], return_inverse=True)
        found = [indexes.get(role, -1) for role in self._fixpoint.numbers.terms(roles)]
        return np.array(found, np.int32)[inverse]

    def _check_moves(self) -> None:
        """Raise GroundingError if a role never has a legal move.

        Otherwise the circuit would be empty, or would play without that role.
        """
        movers = set(self._movers.tolist())
        for index, role in enumerate(self._roles):
            if index not in movers:
                raise GroundingError(Reason.MOVELESS, f"role '{role}' never has a legal move")

    def _number_atoms(self) -> IntArray:
        """Return the number of each atom in the ground program."""
        settled, size = self._settled, len(self._settled.always)
        opened = np.concatenate(
            [
                self._fixpoint.atoms(graph.TRUE, self._facts),
                self._fixpoint.atoms(graph.DOES, self._moves),
            ]
        )
        is_defined = np.zeros(size, np.bool_)
        is_defined[settled.heads] = True
        number = np.cumsum(is_defined, dtype=np.int32) + np.int32(len(opened))
        number[opened] = np.arange(1, len(opened) + 1, dtype=np.int32)
        number[settled.always] = TRUE
        number[settled.never] = FALSE
        return number

    def _atoms(self, relation: Relation, rows: IntArray) -> IntArray:
        atoms = self._fixpoint.atoms(relation, rows)
        return np.where(atoms == TRUE, TRUE, self._number[np.maximum(atoms, 0)]).astype(np.int32)

    def program(self) -> GroundProgram:
        settled, number = self._settled, self._number
        terms = self._fixpoint.numbers.terms
        terminal = self._atoms(_TERMINAL, np.zeros((1, 1), np.int32))
        signs = np.sign(settled.literals)
        return GroundProgram(
            roles=self._roles,
            bases=tuple(terms(self._facts[:, 0])),
            inputs=tuple(zip(self._movers.tolist(), terms(self._moves[:, 1]), strict=True)),
            init=self._init(),
            heads=number[settled.heads],
            offsets=settled.offsets,
            literals=signs * number[np.abs(settled.literals)],
            next=self._atoms(NEXT, self._facts),
            legal=self._atoms(LEGAL, self._moves),
            terminal=int(terminal[0]),
            goals=self._goals(),
            sees=self._sees(),
        )

    def _init(self) -> NDArray[np.bool_]:
        atoms = self._atoms(INIT, self._facts)
        if (atoms > FALSE).any():
            raise GroundingError(
                Reason.STATELESS,
                "'init' depends on the state or on moves, but there are none before the "
                "first state",
            )
        return np.asarray(atoms == TRUE)

    def _of_roles(self, relation: Relation) -> Iterator[tuple[int, Term, int]]:
        """Yield the atoms whose first argument is a role and that can hold.

        Each comes as the index of the role, the second argument and the number.
        """
        rows = self._fixpoint.rows(relation)
        rows = rows[:, :2] if rows.shape[1] > 1 else np.zeros((0, 2), np.int32)
        found = zip(
            self._role_indexes(rows).tolist(),
            self._fixpoint.numbers.terms(rows[:, 1]),
            self._atoms(relation, rows).tolist(),
            strict=True,
        )
        return (each for each in found if each[0] >= 0 and each[2] != FALSE)

    def _goals(self) -> tuple[tuple[int, int, int], ...]:
        found = [
            (role_index, value, atom)
            for role_index, term, atom in self._of_roles(_GOAL)
            if (value := goal_value(term)) is not None
        ]
        return tuple(sorted(found))

    def _sees(self) -> tuple[tuple[int, Term, int], ...]:
        return tuple(sorted(self._of_roles(_SEES), key=lambda percept: percept[0]))


def check_negation(rules: Settled) -> None:
    """Raise GroundingError if an atom depends on its own negation."""
    owners = np.repeat(rules.heads, np.diff(rules.offsets)).tolist()
    literals = rules.literals.tolist()
    callees: dict[int, list[int]] = {atom: [] for atom in range(len(rules.always))}
    for owner, literal in zip(owners, literals, strict=True):
        callees[owner].append(abs(literal))
    component_of = {
        atom: index
        for index, component in enumerate(Components(callees).find())
        for atom in component
    }
    for owner, literal in zip(owners, literals, strict=True):
        if literal < 0 and component_of[owner] == component_of[-literal]:
            raise GroundingError(Reason.UNSTRATIFIED, "an atom depends on its own negation")
