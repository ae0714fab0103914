"""The values that the arguments of facts, moves and relations have when a game is played."""

from __future__ import annotations

import time
from random import Random

from gdl.editing.index import shortened
from gdl.errors import GdlError
from gdl.interpreter.limits import Limits
from gdl.interpreter.machine import Interpreter
from gdl.machine import State
from gdl.rulesheet import RESERVED, Rulesheet
from gdl.terms import Compound, Term

MAX_STEPS = 200
MOST_EXAMINED = 200  # values of an argument that are kept before they are counted as many
_LIMITS = Limits(seconds=0.5)


def values_seen(
    rulesheet: Rulesheet, *, seconds: float = 2.0, playouts: int = 5, seed: int = 0
) -> dict[str, list[list[str]]]:
    """The values of each argument in states of random games, at most `MOST_VALUES` and an ellipsis.

    By the names of symbols in lower case, such as `cell/3`. Never raises: what cannot be played, or
    is too slow, has no values.
    """
    seen = _Seen(rulesheet, time.monotonic() + seconds)
    try:
        machine = Interpreter(rulesheet, _LIMITS)
        for number in range(playouts):
            seen.play(machine, Random(seed + number), is_first=number == 0)
    except GdlError:
        pass  # what was seen until then
    return seen.shown()


class _Seen:
    def __init__(self, rulesheet: Rulesheet, end: float) -> None:
        self._end = end
        self._values: dict[str, list[dict[str, None]]] = {}
        self._relations = [
            relation
            for relation in rulesheet.definitions
            if relation.arity and relation.name not in RESERVED
        ]

    def play(self, machine: Interpreter, random: Random, *, is_first: bool) -> None:
        state: State = machine.initial_state()
        for step in range(MAX_STEPS):
            for fact in machine.facts(state):
                self._note(fact)
            if time.monotonic() > self._end:
                return
            moves = []
            is_over = machine.is_terminal(state)
            for role in () if is_over else machine.roles:
                legal = machine.legal_moves(state, role)
                for move in legal:
                    self._note(move)
                moves += [random.choice(legal)] if legal else []
            is_stuck = len(moves) < len(machine.roles)
            if (is_first and step < 2) or is_over:
                self._ask(machine, state, [] if is_stuck else moves)
            if is_stuck:
                return
            state = machine.next_state(state, moves)

    def _ask(self, machine: Interpreter, state: State, moves: list[Term]) -> None:
        """Note what holds of each relation; those that take too long are left out."""
        for relation in list(self._relations):
            if time.monotonic() > self._end:
                return
            try:
                for atom in machine.holding(relation.name, relation.arity, state, moves):
                    self._note(atom)
            except GdlError:
                self._relations.remove(relation)

    def _note(self, term: Term) -> None:
        if not isinstance(term, Compound):
            return
        key = f"{term.name.lower()}/{len(term.args)}"
        columns = self._values.setdefault(key, [{} for _ in term.args])
        for column, arg in zip(columns, term.args, strict=True):
            if len(column) < MOST_EXAMINED:
                column.setdefault(str(arg))
            if isinstance(arg, Compound):
                self._note(arg)

    def shown(self) -> dict[str, list[list[str]]]:
        """The values, numbers in their order and the others as they came."""
        return {
            key: [_shortened(column) for column in columns] for key, columns in self._values.items()
        }


def _shortened(column: dict[str, None]) -> list[str]:
    texts = list(column)
    if all(text.lstrip("-").isdecimal() for text in texts):
        texts.sort(key=int)
    return shortened(texts)
