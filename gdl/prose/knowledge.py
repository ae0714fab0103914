"""Data from which sentences are made: rows of constant relations, and what was described so far."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import combinations, starmap
from random import Random
from typing import Final

from gdl.errors import GdlError
from gdl.interpreter.limits import Limits
from gdl.interpreter.machine import Interpreter
from gdl.machine import RANDOM, Role, State, StateMachine
from gdl.prose.tables import Row
from gdl.prose.wording import Wording
from gdl.rulesheet import RESERVED, DependsOn, Literal, Relation, Rule, Rulesheet
from gdl.rulesheet.graph import TRUE
from gdl.rulesheet.rules import item_variables, literals
from gdl.terms import Compound, Term, Variable, args_of

SECONDS: Final = 2.0
"""Time limit in seconds for finding the rows of one relation.

If it is exceeded, describe the relation by its rules.
"""


class Knowledge:
    """Data from which sentences are made: rules, constant relations, and relations named so far.

    Attributes:
        named: Relations that sentences refer to by name, in order, so that each is described once.
        within: Relations already described by their rows, in a sentence or a table.
    """

    def __init__(self, rules: Rulesheet, wording: Wording) -> None:
        self.rules = rules
        self.wording = wording
        self.machine = Interpreter(rules, Limits(seconds=SECONDS))
        self.roles = tuple(map(str, self.machine.roles))
        self.named: dict[Relation, None] = {}
        self.within: set[Relation] = set()
        self._rows: dict[Relation, frozenset[Row] | None] = {}

    @property
    def players(self) -> tuple[str, ...]:
        """Roles other than `random`."""
        return tuple(role for role in self.roles if role != str(RANDOM))

    @cached_property
    def are_opponents(self) -> bool:
        """Whether two players are opponents: nothing shows that both can win."""
        players = [role for role in self.machine.roles if str(role) in self.players]
        return are_opponents(self.rules, self.machine, players)

    def other_role(self, role: str) -> str:
        """Return how sentences refer to the player that is not `role`, if there are two."""
        return f"{role}'s opponent" if self.are_opponents else f"the role other than {role}"

    def is_steady(self, relation: Relation) -> bool:
        """Return whether a relation is the same in every state."""
        if relation.name in RESERVED and relation != ("role", 1):
            return False
        return self.rules.graph.dependence(relation) == DependsOn.RULES

    def rows(self, relation: Relation) -> frozenset[Row] | None:
        """Return the rows of a relation, or None if it changes or finding them takes too long."""
        if relation not in self._rows:
            self._rows[relation] = self._found(relation) if self.is_steady(relation) else None
        return self._rows[relation]

    def _found(self, relation: Relation) -> frozenset[Row] | None:
        try:
            atoms = self.machine.holding(*relation, self.machine.initial_state())
        except GdlError:
            return None
        return frozenset(tuple(map(str, args_of(atom))) for atom in atoms)

    def swaps_players(self, relation: Relation) -> bool:
        """Return whether a relation maps each of two players to the other."""
        if relation.arity != 2 or len(self.players) != 2:
            return False
        first, second = self.players
        return self.rows(relation) == frozenset({(first, second), (second, first)})

    def keeps(self, rule: Rule) -> bool:
        """Return whether a rule only keeps a fact, unless a sequential game's move deletes it."""
        body = [item for item in rule.body if isinstance(item, Literal)]
        relations = [literal.relation for literal in body]
        deleted = Relation(self.rules.origin.deleted, 1)
        is_short = len(body) == len(rule.body) and relations in ([TRUE], [TRUE, deleted])
        return is_short and body[0].args == args_of(rule.head)

    @cached_property
    def bases(self) -> Mapping[Relation, frozenset[Row]]:
        """For each kind of fact, the rows that `base` declares. Empty if that takes too long."""
        try:
            found = self.machine.holding("base", 1, self.machine.initial_state())
        except GdlError:
            return {}
        rows: dict[Relation, set[Row]] = {}
        for atom in found:
            fact = args_of(atom)[0]
            rows.setdefault(Relation.of(fact), set()).add(tuple(map(str, args_of(fact))))
        return {relation: frozenset(mine) for relation, mine in rows.items()}

    @cached_property
    def fluents(self) -> tuple[Relation, ...]:
        """Relations of the facts that a position may have, in the order of the rules for them."""
        found: dict[Relation, None] = {}
        for rule in self.rules.rules:
            if rule.relation in (("init", 1), ("next", 1), ("base", 1)):
                fact = args_of(rule.head)[0]
                if not isinstance(fact, Variable):
                    found.setdefault(Relation.of(fact))
        return tuple(found)

    def argument_names(self, relation: Relation) -> list[str]:
        """Return a name for each argument: if possible a variable's name, else a letter."""
        found: list[str] = [""] * relation.arity
        for atom in self._atoms():
            if Relation.of(atom) != relation:
                continue
            for at, arg in enumerate(args_of(atom)):
                name = variable_text(arg) if isinstance(arg, Variable) else ""
                if name and not found[at] and name not in found:
                    found[at] = name
        letters = (letter for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ" if letter not in found)
        return [name or next(letters, f"A{at}") for at, name in enumerate(found)]

    def _atoms(self) -> Iterator[Term]:
        for rule in self.rules.rules:
            for atom in (rule.head, *(literal.atom for literal in literals(rule.body))):
                yield atom
                yield from (arg for arg in args_of(atom) if isinstance(arg, Compound))


GAMES: Final = 10
TURNS: Final = 12
"""Maximum number of turns of a random game. Longer games are abandoned."""
_ALL: Final = 100  # sum of the goals of two players if one wins what the other loses
_ROLE: Final = Relation("role", 1)


def are_opponents(rules: Rulesheet, machine: StateMachine, players: Sequence[Role]) -> bool:
    """Return whether two players are opponents: nothing shows that both can win.

    Both can win if rules give both a winner's goal under the same conditions. They also can if
    their goals at the end of a random game add up to more than one player can have.
    """
    wins = [
        rule
        for rule in rules.definitions.get(Relation("goal", 2), ())
        if _is_win(args_of(rule.head)[1])
    ]
    if any(map(_is_of_any_role, wins)) or any(starmap(_is_of_two, combinations(wins, 2))):
        return False
    try:
        ends = _ends(machine)
        return all(_sum(machine, state, players) <= _ALL for state in ends)
    except GdlError:
        return True


def _is_win(value: Term) -> bool:
    return str(value).isdecimal() and 2 * int(str(value)) > _ALL


def _is_of_any_role(rule: Rule) -> bool:
    """Return whether a rule holds for any role: its only condition on the role is `role`."""
    role = args_of(rule.head)[0]
    about = [item for item in rule.body if role in item_variables(item)]
    return isinstance(role, Variable) and all(
        isinstance(item, Literal) and item.is_positive and item.relation == _ROLE for item in about
    )


def _is_of_two(one: Rule, other: Rule) -> bool:
    """Return whether two rules are about different roles and have the same conditions."""
    first, second = args_of(one.head)[0], args_of(other.head)[0]
    is_of_two = first.is_ground and second.is_ground and first is not second
    return is_of_two and frozenset(map(str, one.body)) == frozenset(map(str, other.body))


def _ends(machine: StateMachine) -> Iterator[State]:
    """Yield the final states of random games. Stop at the first game that takes too long."""
    random = Random(0)
    for _ in range(GAMES):
        state, turn = machine.initial_state(), 0
        while not machine.is_terminal(state):
            legal = [machine.legal_moves(state, role) for role in machine.roles]
            if turn == TURNS or not all(legal):
                return
            state = machine.next_state(state, [random.choice(moves) for moves in legal])
            turn += 1
        yield state


def _sum(machine: StateMachine, state: State, players: Sequence[Role]) -> int:
    goals = [machine.goals(state, role) for role in players]
    return sum(found[0] for found in goals if len(found) == 1)


def variable_text(variable: Variable) -> str:
    """Return the name that sentences use for a variable."""
    return variable.name.lstrip("?").upper() or "X"


def fact_domains(rules: Rulesheet) -> dict[Relation, list[frozenset[str]]]:
    """Return the values that `base` declares for each argument of each fact of the state.

    An argument without a declaration has no values.

    Raises:
        RulesheetError: The rules cannot be played.
    """
    known = Knowledge(rules, Wording())
    none: frozenset[Row] = frozenset()
    return {
        relation: [
            frozenset(row[at] for row in known.bases.get(relation, none))
            for at in range(relation.arity)
        ]
        for relation in known.fluents
    }
