"""Legal moves that differ between states that look the same to a role (GDL-II).

For each role, follow a random game and alternative states in which the role has made the same moves
and seen the same percepts. Each finding is certain, but the search may miss some.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import NamedTuple

from gdl.check.demands import fact_asked
from gdl.check.depends_on import may_unify
from gdl.check.diagnostic import head_span, keyword_rules, role_place, term_text
from gdl.errors import Span
from gdl.machine import Move, Role, State, StateMachine, is_random
from gdl.rulesheet import Relation, Rulesheet
from gdl.rulesheet.rules import literals
from gdl.terms import Compound, Term

_MAX_STATES = 4  # to follow for each role; two of them branch off from the game in each step
_MAX_STEPS = 50  # limit on the steps of a game


class Unknowable(NamedTuple):
    """Move that is legal in only one of two states that look the same to a role."""

    role: Role
    move: Move
    legal: State
    illegal: State


class PossibleStates:
    """For each role, states that it cannot rule out, besides the actual state of a random game."""

    def __init__(self, machine: StateMachine, random: Random) -> None:
        self._machine = machine
        self._random = random
        self._others: dict[int, list[State]] = {
            seat: [] for seat, role in enumerate(machine.roles) if not is_random(role)
        }
        self._num_steps = 0

    def step(self, state: State, moves: Sequence[Move], after: State) -> Iterator[Unknowable]:
        """Follow a step of the game and yield moves that a role cannot know to be legal."""
        self._num_steps += 1
        if self._num_steps > _MAX_STEPS or self._machine.is_terminal(after):
            return
        for seat, others in self._others.items():
            self._others[seat] = []
            legal = self._machine.legal_moves(after, self._machine.roles[seat])
            percepts = self._percepts(state, moves, seat)
            for other in [state, state, *others][:_MAX_STATES]:
                found = self._after(other, moves, seat, percepts)
                if found is None or found == after:
                    continue
                unlike = self._unlike(seat, (after, legal), found)
                if unlike is None:
                    self._others[seat].append(found)
                else:
                    yield unlike

    def _percepts(self, state: State, moves: Sequence[Move], seat: int) -> tuple[Term, ...]:
        return self._machine.percepts(state, moves, self._machine.roles[seat])

    def _after(
        self, state: State, moves: Sequence[Move], seat: int, percepts: tuple[Term, ...]
    ) -> State | None:
        """Return a next state in which the role sees `percepts`, or None if none is found.

        The role plays the same move as in `moves`. The other roles may play any moves.
        """
        machine = self._machine
        joint = []
        for number, role in enumerate(machine.roles):
            legal = (moves[seat],) if number == seat else machine.legal_moves(state, role)
            if not legal:
                return None
            joint.append(self._random.choice(legal))
        if self._percepts(state, joint, seat) != percepts:
            return None
        after = machine.next_state(state, joint)
        return None if machine.is_terminal(after) else after

    def _unlike(
        self, seat: int, actual: tuple[State, tuple[Move, ...]], other: State
    ) -> Unknowable | None:
        role = self._machine.roles[seat]
        here, there = set(actual[1]), set(self._machine.legal_moves(other, role))
        for move in sorted(here ^ there, key=str):
            states = (actual[0], other) if move in here else (other, actual[0])
            return Unknowable(role, move, *states)
        return None


def unknowable_text(rulesheet: Rulesheet, machine: StateMachine, found: Unknowable) -> str:
    """Return a message about a move that a role cannot know to be legal.

    The message does not name the step.
    """
    asked = rulesheet.graph.reachable([Relation("legal", 2)])
    symbols = {
        fact_asked(literal)
        for rule in rulesheet.rules
        if rule.relation in asked
        for literal in literals(rule.body)
    }
    legal, illegal = (set(machine.facts(state)) for state in (found.legal, found.illegal))
    unlike = sorted(
        (it for it in legal ^ illegal if Relation.of(it) in symbols),
        key=lambda fact: (fact not in legal, str(fact)),
    )
    where = "in one of two states"
    if unlike:
        fact = term_text(unlike[0], rulesheet)
        where = f"{'with' if unlike[0] in legal else 'without'} {fact} but not otherwise"
    return (
        f"{term_text(found.move, rulesheet)} is legal {where}, although the role has made the "
        "same moves and seen the same; 'legal' rules may depend only on what the role knows, so "
        "add 'sees' rules or drop the condition"
    )


def unknowable_place(rulesheet: Rulesheet, found: Unknowable) -> Span:
    """Return the span of the rule that makes the move legal."""
    head = Compound("legal", (found.role, found.move))
    rules = [it for it in keyword_rules(rulesheet, "legal") if may_unify(it.head, head)]
    return head_span(rules[0]) if rules else role_place(rulesheet, found.role)
