"""Build the ground program: number the atoms of the ground rules, and find what each stands for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from gdl.ground import GroundingError, Reason
from gdl.ground.program import FALSE, SHOWN, TRUE, Encoding, GroundProgram, GroundRules, IntArray
from gdl.machine import goal_value
from gdl.rulesheet import Rulesheet
from gdl.rulesheet.graph import Components
from gdl.terms import Term


class Settled:
    """Ground rules without the literals whose truth value never changes.

    The atoms in `granted` are assumed to hold always.

    Attributes:
        always: `[A]` whether each atom always holds. `A` is one more than the highest atom.
    """

    def __init__(self, rules: GroundRules, granted: Sequence[int] = ()) -> None:
        atoms = [rules.heads, np.abs(rules.literals), rules.open, np.zeros(1, np.int32)]
        atoms.append(np.array([atom for _, atom in rules.shown], np.int32))
        size = 1 + max(int(array.max(initial=0)) for array in atoms)
        self.heads, self.offsets, self.literals = rules.heads, rules.offsets, rules.literals
        self.always = np.zeros(size, np.bool_)
        self.never = np.zeros(size, np.bool_)
        self._open = np.zeros(size, np.bool_)
        self._open[rules.open] = True
        self._granted = np.array(granted, np.int32)
        while self._learn():
            self._remove()

    def _learn(self) -> bool:
        counts = np.diff(self.offsets)
        always = self.always.copy()
        always[self.heads[counts == 0]] = True
        always[self._granted] = True
        can_hold = self._open | always
        can_hold[self.heads] = True
        settled = always | ~can_hold
        is_new = settled & ~(self.always | self.never)
        self.always, self.never = always, ~can_hold
        return bool(is_new[np.abs(self.literals)].any() or is_new[self.heads].any())

    def _remove(self) -> None:
        atoms = np.abs(self.literals)
        is_true = np.where(self.literals > 0, self.always[atoms], self.never[atoms])
        is_false = np.where(self.literals > 0, self.never[atoms], self.always[atoms])
        counts = np.diff(self.offsets)
        owner = np.repeat(np.arange(len(self.heads)), counts)
        is_kept = ~self.always[self.heads]
        is_kept[owner[is_false]] = False
        self.literals = self.literals[~is_true & is_kept[owner]]
        left = np.bincount(owner[~is_true], minlength=len(self.heads))[is_kept]
        self.heads = self.heads[is_kept]
        self.offsets = np.concatenate([[0], np.cumsum(left)]).astype(np.int32)


class _Move(NamedTuple):
    text: str
    role_index: int
    move: Term
    atom: int


def assemble(rulesheet: Rulesheet, rules: GroundRules, encoding: Encoding) -> GroundProgram:
    """Build the ground program from the rules that the grounder found.

    Raises GroundingError if the first state depends on the state or the moves, if an atom depends
    on its own negation, or if a role never has a move.
    """
    return _Assembly(rulesheet, rules, encoding).program()


class _Assembly:
    def __init__(self, rulesheet: Rulesheet, rules: GroundRules, encoding: Encoding) -> None:
        self._encoding = encoding
        self._shown: dict[str, dict[str, int]] = {name: {} for name in SHOWN.values()}
        asked: list[int] = []
        for text, atom in rules.shown:
            name, _, args = text.partition("(")
            if name in self._shown:
                self._shown[name][args.removesuffix(")")] = atom
            elif atom != TRUE:
                asked.append(atom)
        self._settled = Settled(rules, asked)
        if any(rulesheet.graph.negative_cycles()):
            check_negation(self._settled)
        self._roles = rulesheet.all_roles(
            self._encoding.terms(text)[0] for text in self._shown["r"]
        )
        self._bases = tuple(self._shown["t"].items())
        self._inputs = self._find_inputs()
        self._check_moves()
        self._number = self._number_atoms()

    def _find_inputs(self) -> tuple[_Move, ...]:
        found = (
            _Move(text, role_index, args[0], atom)
            for text, atom, role_index, args in self._of_roles("d")
        )
        return tuple(sorted(found, key=lambda move: move.role_index))

    def _check_moves(self) -> None:
        """Raise GroundingError if a role never has a legal move.

        Otherwise the circuit would be empty, or would play without that role.
        """
        movers = {move.role_index for move in self._inputs}
        for index, role in enumerate(self._roles):
            if index not in movers:
                raise GroundingError(Reason.MOVELESS, f"role '{role}' never has a legal move")

    def _of_roles(self, name: str) -> Iterator[tuple[str, int, int, tuple[Term, ...]]]:
        """Yield the shown atoms whose first argument is a role.

        Each comes as its text, its number, the index of the role and the terms after the role.
        """
        indexes: dict[Term, int] = {role: index for index, role in enumerate(self._roles)}
        for text, atom in self._shown[name].items():
            role, *args = self._encoding.terms(text)
            if role in indexes:
                yield text, atom, indexes[role], tuple(args)

    def _number_atoms(self) -> IntArray:
        settled = self._settled
        number = np.zeros(len(settled.always), np.int32)
        opened = [atom for _, atom in self._bases] + [move.atom for move in self._inputs]
        number[opened] = np.arange(1, len(opened) + 1, dtype=np.int32)
        defined, first = np.unique(settled.heads, return_index=True)
        defined = defined[np.argsort(first)]
        defined = defined[number[defined] == 0]
        number[defined] = np.arange(len(opened) + 1, len(opened) + 1 + len(defined))
        number[settled.always] = TRUE
        number[settled.never] = FALSE
        return number

    def _atom(self, name: str, text: str) -> int:
        atom = self._shown[name].get(text, FALSE)
        return atom if atom == TRUE else int(self._number[atom])

    def program(self) -> GroundProgram:
        settled, number = self._settled, self._number
        signs = np.sign(settled.literals)
        return GroundProgram(
            roles=self._roles,
            bases=tuple(self._encoding.terms(text)[0] for text, _ in self._bases),
            inputs=tuple((move.role_index, move.move) for move in self._inputs),
            init=np.array([self._is_initial(text) for text, _ in self._bases], np.bool_),
            heads=number[settled.heads],
            offsets=settled.offsets,
            literals=signs * number[np.abs(settled.literals)],
            next=np.array([self._atom("n", text) for text, _ in self._bases], np.int32),
            legal=np.array([self._atom("l", move.text) for move in self._inputs], np.int32),
            terminal=self._atom("z", ""),
            goals=self._goals(),
            sees=self._sees(),
        )

    def _is_initial(self, text: str) -> bool:
        atom = self._atom("i", text)
        if atom > FALSE:
            raise GroundingError(
                Reason.STATELESS,
                "'init' depends on the state or on moves, but there are none before the "
                "first state",
            )
        return atom == TRUE

    def _goals(self) -> tuple[tuple[int, int, int], ...]:
        found = [
            (role_index, value, self._atom("g", text))
            for text, _, role_index, args in self._of_roles("g")
            if (value := goal_value(args[0])) is not None
        ]
        return tuple(sorted(goal for goal in found if goal[2] != FALSE))

    def _sees(self) -> tuple[tuple[int, Term, int], ...]:
        found = [
            (role_index, args[0], self._atom("s", text))
            for text, _, role_index, args in self._of_roles("s")
        ]
        kept = (percept for percept in found if percept[2] != FALSE)
        return tuple(sorted(kept, key=lambda percept: percept[0]))


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
