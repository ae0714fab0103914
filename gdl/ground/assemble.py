"""Numbers the atoms of ground rules and finds what they mean: bases, inputs, goals, percepts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from gdl.errors import RulesheetError
from gdl.ground.aspif import GroundRules
from gdl.ground.budget import GroundingError, Reason
from gdl.ground.encode import SHOWN, Encoding
from gdl.ground.program import FALSE, TRUE, GroundProgram, IntArray
from gdl.ground.simplify import Settled
from gdl.machine import goal_value
from gdl.rulesheet import Rulesheet
from gdl.rulesheet.components import Components
from gdl.terms import Constant, Term


@dataclass(frozen=True, slots=True)
class _Move:
    """An atom `does(role, move)`: as text, its move and its atom."""

    text: str
    role_index: int
    move: Term
    atom: int


def assemble(rulesheet: Rulesheet, rules: GroundRules, encoding: Encoding) -> GroundProgram:
    """The ground program of the rules that the grounder found.

    Raises:
        RulesheetError: There is no role.
        GroundingError: What is true at first depends on something that changes, an atom depends on
            its own negation, or a role never has a move.
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
        self._roles = self._find_roles(rulesheet)
        self._bases = tuple(self._shown["t"].items())
        self._inputs = self._find_inputs()
        self._check_moves()
        self._number = self._number_atoms()

    def _find_roles(self, rulesheet: Rulesheet) -> tuple[Constant, ...]:
        """Those of the facts in their order, then derived ones by name."""
        found = dict.fromkeys(rulesheet.roles)
        derived = sorted((self._encoding.terms(text)[0] for text in self._shown["r"]), key=str)
        found.update(dict.fromkeys(role for role in derived if isinstance(role, Constant)))
        if not found:
            raise RulesheetError(
                f"{rulesheet.name}: no role is defined; expected a fact such as (role white)"
            )
        return tuple(found)

    def _find_inputs(self) -> tuple[_Move, ...]:
        found = (
            _Move(text, role_index, args[0], atom)
            for text, atom, role_index, args in self._of_roles("d")
        )
        return tuple(sorted(found, key=lambda move: move.role_index))

    def _check_moves(self) -> None:
        """Say which role never has a legal move: a circuit would be empty, or play without it."""
        movers = {move.role_index for move in self._inputs}
        for index, role in enumerate(self._roles):
            if index not in movers:
                raise GroundingError(Reason.MOVELESS, f"role '{role}' never has a legal move")

    def _of_roles(self, name: str) -> Iterator[tuple[str, int, int, tuple[Term, ...]]]:
        """The shown atoms whose first argument is a role: text, atom, role index, other terms."""
        indexes: dict[Term, int] = {role: index for index, role in enumerate(self._roles)}
        for text, atom in self._shown[name].items():
            role, *args = self._encoding.terms(text)
            if role in indexes:
                yield text, atom, indexes[role], tuple(args)

    def _number_atoms(self) -> IntArray:
        """The new number of each atom of the grounder."""
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
        """The number of a shown atom; FALSE if it never holds."""
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
            raise GroundingError(Reason.STATELESS, "'init' depends on what changes")
        return atom == TRUE

    def _goals(self) -> tuple[tuple[int, int, int], ...]:
        """Values that are no numbers are left out, as the interpreter leaves them out."""
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
    """Say that an atom depends on its own negation.

    Raises:
        GroundingError: One does.
    """
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
