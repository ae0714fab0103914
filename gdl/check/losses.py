"""Facts that random games lose, and the rules that should have kept them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from typing import NamedTuple

from gdl.check.demands import keeps, made_by, makers
from gdl.check.diagnostic import keyword_rules
from gdl.interpreter.limits import Limits
from gdl.interpreter.machine import Interpreter
from gdl.machine import Move, Role
from gdl.rulesheet import (
    Comparison,
    DependsOn,
    Disjunction,
    Item,
    Literal,
    Relation,
    Rule,
    Rulesheet,
)
from gdl.rulesheet.graph import DOES, TRUE
from gdl.rulesheet.rules import item_variables, literals, positive_variables
from gdl.terms import Term, args_of, variables

RELAXED_SECONDS = 2.0
_NEXT = Relation("next", 1)


class RelaxedRules:
    """Interpreters for variants of the rules that keep more facts than the game does."""

    def __init__(self, rulesheet: Rulesheet, end: float) -> None:
        self._rulesheet = rulesheet
        self._end = end  # when all evaluations stop, on the monotonic clock

    @cached_property
    def without_exceptions(self) -> Interpreter:
        """Interpreter in which `next` only keeps facts, without exceptions and cases.

        See `_is_exception` and `_is_case`.
        """
        return self._keeping_without(
            lambda it, of: self._is_exception(it, of) or self._is_case(it, of)
        )

    @cached_property
    def without_cases(self) -> Interpreter:
        """Interpreter in which `next` only keeps facts, without cases (see `_is_case`)."""
        return self._keeping_without(self._is_case)

    def _keeping_without(self, is_left_out: Callable[[Item, Rule], bool]) -> Interpreter:
        """Return an interpreter whose only rules for `next` are those that keep facts.

        Drop the conditions for which `is_left_out` returns True.
        """

        def relaxed(rule: Rule) -> Rule:
            body = tuple(item for item in rule.body if not is_left_out(item, rule))
            known = positive_variables(body)
            safe = (x for x in body if _binds(x) or item_variables(x) <= known)
            return Rule(rule.head, tuple(safe), rule.form)

        rules = [rule for rule in self._rulesheet.rules if rule.relation != _NEXT]
        rules += map(relaxed, filter(keeps, keyword_rules(self._rulesheet, "next")))
        sheet = self._rulesheet
        found = Rulesheet(sheet.name, sheet.forms, tuple(rules), (), sheet.spelling)
        return Interpreter(found, Limits(seconds=RELAXED_SECONDS, end=self._end))

    def _is_exception(self, item: Item, rule: Rule) -> bool:
        """Return whether a condition makes an exception for a single fact, not a kind of fact."""
        own, found = variables(rule.head), item_variables(item)
        if not found & own:
            return False
        if isinstance(item, Disjunction):
            return True
        if isinstance(item, Comparison):
            return not found <= own
        if item.relation in (TRUE, DOES):
            return item.relation == DOES and not item.is_positive
        is_of_moves = self._rulesheet.graph.dependence(item.relation) is DependsOn.MOVES
        return not item.is_positive or not found <= own or is_of_moves

    def _is_case(self, item: Item, rule: Rule) -> bool:
        """Return whether a condition makes a case in which the rule keeps no facts or only some.

        For example, `(not (true (phase burning)))` makes such a case. `(distinct ?piece bomb)` does
        so in a rule for one case if another rule keeps all pieces in other cases.
        """
        own = variables(rule.head)
        if isinstance(item, Literal):
            return not item.is_positive and not variables(item.atom) & own
        if not isinstance(item, Comparison) or not item.is_distinct:
            return False
        dependence = self._rulesheet.graph.dependence
        asked = [x for x in literals(rule.body) if not variables(x.atom) & own]
        return any(dependence(x.relation) is not DependsOn.RULES for x in asked) and any(
            keeps(other) and not any(isinstance(it, Comparison) for it in other.body)
            for other in makers(self._rulesheet, Relation.of(made_by(rule)))
        )


def _binds(item: Item) -> bool:
    return (isinstance(item, Literal) and item.is_positive) or isinstance(item, Disjunction)


Facts = frozenset[Term]
Key = tuple[int, ...]

_MAX_ARITY = 6  # of facts that are searched for keys
_STATES_FOR_KEYS = 200


class Step(NamedTuple):
    """Joint move in a game, with the states before and after it.

    Attributes:
        place: The number of the game, and the number of earlier joint moves in this game.
        is_last: Whether the game ends with this move.
    """

    place: tuple[int, int]
    is_last: bool
    facts: Facts
    moves: tuple[Move, ...]
    after: Facts


Game = list[Step]


@dataclass(slots=True)
class Losses:
    """Facts of one symbol in random games, and what became of them.

    The key of a fact is the arguments that identify it, such as those for a square of a board. A
    fact that is gone counts as replaced if it has moved or if another fact has its key. Otherwise
    it is lost. A loss is explained if a move or a new fact names the key, or if a rule keeps such
    facts with exceptions.
    """

    keys: tuple[Key, ...] = ()  # smallest sets of arguments that identify a fact in a state
    num_first: int = 0  # facts in the first state
    most: int = 0  # facts in any state
    gone: int = 0
    first_gone: tuple[Term, Step] | None = None
    replaced: int = 0  # gone, but another fact has the same key
    lost: list[tuple[Term, Step]] = field(default_factory=list)
    unnamed: list[tuple[Term, Step]] = field(
        default_factory=list
    )  # lost, although no move or new fact names the key
    shrinking: list[Step] = field(default_factory=list)  # steps after which there were fewer facts
    shrinks_at_first: bool = False
    lost_at_first: int = 0  # number of games whose first step lost a fact
    regained: int = 0  # number of games that regained facts after losing all in the first step


def find_losses(
    games: Sequence[Game], roles: Sequence[Role], symbols: Collection[Relation]
) -> dict[Relation, Losses]:
    """Return what became of the facts of each symbol. Skip symbols without arguments."""
    sorted_games = [[_SortedStep(step, roles) for step in game] for game in games]
    return {
        symbol: _losses_of(symbol, sorted_games)
        for symbol in symbols
        if 0 < symbol.arity <= _MAX_ARITY
    }


def by_symbol(facts: Iterable[Term]) -> dict[Relation, list[Term]]:
    """Group facts by their symbol."""
    found: dict[Relation, list[Term]] = {}
    for fact in facts:
        found.setdefault(Relation.of(fact), []).append(fact)
    return found


def num_gained(symbol: Relation, step: Step) -> int:
    """Return how many new facts of a symbol a step has made."""
    return sum(Relation.of(fact) == symbol for fact in step.after - step.facts)


class _SortedStep:
    def __init__(self, step: Step, roles: Sequence[Role]) -> None:
        self.step = step
        self.before = by_symbol(step.facts)
        self.after = by_symbol(step.after)
        gained = step.after - step.facts
        self.gained = by_symbol(gained)
        self.gained_args = {args_of(fact) for fact in gained}
        self.named = [_parts(fact) for fact in gained]
        self.named += [
            _parts(move) | {move, role} for role, move in zip(roles, step.moves, strict=True)
        ]

    def names(self, terms: Collection[Term]) -> bool:
        return any(named.issuperset(terms) for named in self.named)


def _parts(term: Term) -> set[Term]:
    found: set[Term] = set()
    waiting = list(args_of(term))
    while waiting:
        inner = waiting.pop()
        found.add(inner)
        waiting.extend(args_of(inner))
    return found


def _losses_of(symbol: Relation, games: Sequence[Sequence[_SortedStep]]) -> Losses:
    steps = [step for game in games for step in game]
    states = [state.get(symbol, []) for step in steps for state in (step.before, step.after)]
    found = Losses(keys_of(symbol.arity, states[:_STATES_FOR_KEYS]))
    found.most = max(map(len, states), default=0)
    found.num_first = len(games[0][0].before.get(symbol, [])) if games and games[0] else 0
    for game in games:
        for number, step in enumerate(game):
            if step.step.is_last and found.num_first < 2:
                continue  # the last move may take a player's only piece
            _add_step(found, symbol, step, is_first=number == 0)
        if game and symbol in game[0].before and symbol not in game[0].after:
            found.regained += any(symbol in step.after for step in game)
    return found


def keys_of(arity: int, states: Iterable[list[Term]]) -> tuple[Key, ...]:
    """Return the smallest sets of argument positions in which no two facts of a state agree."""
    states = [state for state in states if state]
    found: list[Key] = []
    for size in range(arity + 1 if arity == 1 else arity):
        for key in combinations(range(arity), size):
            is_smallest = not any(set(other) <= set(key) for other in found)
            if is_smallest and all(len(_values(state, key)) == len(state) for state in states):
                found.append(key)
    return tuple(found)


def value_of(fact: Term, key: Key) -> tuple[Term, ...]:
    """Return the arguments of a fact at the positions in `key`."""
    args = args_of(fact)
    return tuple(args[place] for place in key)


def _values(facts: Iterable[Term], key: Key) -> set[tuple[Term, ...]]:
    return {value_of(fact, key) for fact in facts}


def _add_step(found: Losses, symbol: Relation, step: _SortedStep, *, is_first: bool) -> None:
    before, after = step.before.get(symbol, []), step.after.get(symbol, [])
    gone = sorted((fact for fact in before if fact not in step.step.after), key=str)
    if not gone:
        return
    gained = step.gained.get(symbol, [])
    found.gone += len(gone)
    found.first_gone = found.first_gone or (gone[0], step.step)
    if found.keys:
        new = _values(gained, found.keys[0])
        found.replaced += sum(value_of(fact, found.keys[0]) in new for fact in gone)
    if len(after) < len(before):
        found.shrinking.append(step.step)
        found.shrinks_at_first |= is_first
    lost = list(_lost(found.keys, gone, after, step))
    found.lost += [(fact, step.step) for fact in lost]
    wholes = found.keys or (tuple(range(symbol.arity)),)
    for fact in lost:
        if not any(step.names(value_of(fact, key)) for key in wholes):
            found.unnamed.append((fact, step.step))
    found.lost_at_first += bool(lost) and is_first


def _lost(
    keys: Sequence[Key], gone: Iterable[Term], after: Iterable[Term], step: _SortedStep
) -> Iterator[Term]:
    left = [(key, _values(after, key)) for key in keys]
    for fact in gone:
        args = args_of(fact)
        is_replaced = args in step.gained_args or any(value_of(fact, key) in it for key, it in left)
        if not is_replaced and not (len(args) > 1 and step.names(_parts(fact))):
            yield fact
