"""A slow, obvious reading of ground programs: what holds in a state, one atom after the other."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from gdl.ground.program import FALSE, TRUE, GroundProgram
from gdl.rulesheet.graph import Components
from gdl.terms import Term


class Evaluator:
    """The model of a ground program, given what is true and what is done."""

    def __init__(self, program: GroundProgram) -> None:
        self.program = program
        literals = program.literals.tolist()
        self._rules: dict[int, list[tuple[frozenset[int], frozenset[int]]]] = {}
        for head, (start, end) in zip(
            program.heads.tolist(), pairwise(program.offsets.tolist()), strict=True
        ):
            body = literals[start:end]
            needed = frozenset(atom for atom in body if atom > 0)
            barred = frozenset(-atom for atom in body if atom < 0)
            self._rules.setdefault(head, []).append((needed, barred))
        callees = {
            head: set[int]().union(*(atoms for body in rules for atoms in body))
            for head, rules in self._rules.items()
        }
        known = range(1, len(program.bases) + len(program.inputs) + 1)
        self._order = tuple(Components({**callees, **dict.fromkeys(known, ())}).find())
        for component in self._order:
            if len(component) > 1:
                self._check_negation(component)
        self._base = {fact: index for index, fact in enumerate(program.bases, 1)}
        first = len(program.bases) + 1
        self._input = {move: index for index, move in enumerate(program.inputs, first)}

    def model(self, facts: Iterable[Term], moves: Sequence[Term] = ()) -> set[int]:
        """The atoms that hold."""
        true = {self._base[fact] for fact in facts}
        true.update(self._input[role, move] for role, move in enumerate(moves))
        for component in self._order:
            if len(component) == 1:
                self._derive(component[0], true)
                continue
            while {atom for atom in component if self._derive(atom, true)}:
                pass  # some atom was new, and others may follow from it
        return true

    def _derive(self, atom: int, true: set[int]) -> bool:
        """Add an atom if one of its rules holds; whether it is new."""
        if atom in true:
            return False
        for needed, barred in self._rules.get(atom, ()):
            if needed <= true and barred.isdisjoint(true):
                true.add(atom)
                return True
        return False

    def _check_negation(self, component: Sequence[int]) -> None:
        for atom in component:
            for _, barred in self._rules[atom]:
                assert barred.isdisjoint(component)

    def initial(self) -> frozenset[Term]:
        """The facts of the first state."""
        flags = zip(self.program.bases, self.program.init.tolist(), strict=True)
        return frozenset(fact for fact, is_true in flags if is_true)

    def next(self, true: set[int]) -> frozenset[Term]:
        """The facts of the next state."""
        pairs = zip(self.program.bases, self.program.next.tolist(), strict=True)
        return frozenset(fact for fact, atom in pairs if is_true(atom, true))

    def legal(self, true: set[int], role: int) -> set[Term]:
        """The legal moves of a role."""
        pairs = zip(self.program.inputs, self.program.legal.tolist(), strict=True)
        return {move for (own, move), atom in pairs if own == role and is_true(atom, true)}

    def goals(self, true: set[int], role: int) -> tuple[int, ...]:
        """The goal values of a role, ascending."""
        goals = self.program.goals
        return tuple(value for own, value, atom in goals if own == role and is_true(atom, true))

    def percepts(self, true: set[int], role: int) -> set[Term]:
        """The percepts of a role."""
        sees = self.program.sees
        return {percept for own, percept, atom in sees if own == role and is_true(atom, true)}


def is_true(atom: int, true: set[int]) -> bool:
    """Whether an atom, TRUE or FALSE holds."""
    return atom == TRUE or (atom != FALSE and atom in true)
