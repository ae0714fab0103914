"""Facts that a rule needs and that are gone by then, as nothing keeps them.

What a move makes is there for one step if no rule keeps it: the coin that was hidden is gone when
somebody points at a hand, or points at one for the second time.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from gdl.check.diagnostic import Diagnostic, as_written, finding, form_at, keyword_rules
from gdl.check.keeping import StepLog, keeping_rule, made_by
from gdl.check.losses import Game
from gdl.rulesheet import Literal, Relation, Rule, Rulesheet
from gdl.rulesheet.graph import DOES, TRUE
from gdl.rulesheet.rules import literals
from gdl.terms import Term, Variable

_FEWEST_GAMES = 3
_FEWEST = 2
"""Later moves of a game, beside which a fact is missing."""
Times = Mapping[int, Sequence[int]]
"""Of the facts of a symbol, the states of each game that have one."""


def check_apart(rulesheet: Rulesheet, log: StepLog) -> Iterator[Diagnostic]:
    """The first condition on facts of each symbol that are always gone too early for a rule."""
    games = [game for game in log.games if game]
    if None in rulesheet.fluents:
        return  # a head `(next ?fact)` may keep everything
    times, made = _times(games), _times_made(games)
    fleeting = _fleeting(rulesheet) & times.keys()
    for rule in rulesheet.rules if fleeting else ():
        asked = [item for item in rule.body if isinstance(item, Literal) and _is_of_state(item)]
        for item in asked:
            symbol = _symbol(item)
            if symbol not in fleeting:
                continue
            later = [it for it in asked if _is_always_later(times[symbol], times[_symbol(it)])]
            if later:
                fleeting.discard(symbol)
                yield _finding(rulesheet, rule, item, later[0])
                continue
            if not symbol.arity:
                continue  # a step on a way, which is left as soon as it is reached
            moves = [it for it in literals(rule.body) if it.is_positive and it.relation == DOES]
            after = [it for it in moves if _is_made_after(times[symbol], it.args[1], made)]
            if after:
                fleeting.discard(symbol)
                yield _finding_on_move(rulesheet, rule, item, after[0])


def _is_of_state(item: Literal) -> bool:
    return item.is_positive and item.relation == TRUE and not isinstance(item.args[0], Variable)


def _symbol(item: Literal) -> Relation:
    return Relation.of(item.args[0])


def _times(games: Sequence[Game]) -> dict[Relation, dict[int, list[int]]]:
    times: dict[Relation, dict[int, list[int]]] = defaultdict(dict)
    for number, game in enumerate(games):
        for time, facts in enumerate([game[0].facts, *(step.after for step in game)]):
            for symbol in {Relation.of(fact) for fact in facts}:
                times[symbol].setdefault(number, []).append(time)
    return times


def _times_made(games: Sequence[Game]) -> dict[Relation, dict[int, list[int]]]:
    times: dict[Relation, dict[int, list[int]]] = defaultdict(dict)
    for number, game in enumerate(games):
        for time, step in enumerate(game):
            for symbol in {Relation.of(move) for move in step.moves}:
                times[symbol].setdefault(number, []).append(time)
    return times


def _is_made_after(first: Times, move: Term, made: Mapping[Relation, Times]) -> bool:
    """Whether a fact is there once a game, and a move that is asked for beside it made later on."""
    moments = {} if isinstance(move, Variable) else made.get(Relation.of(move), {})
    late = [n for n, states in first.items() if _is_missing(states, moments.get(n, ()))]
    return len(late) >= _FEWEST_GAMES and all(len(states) == 1 for states in first.values())


def _is_missing(states: Sequence[int], moments: Sequence[int]) -> bool:
    """Whether all moments come later than the states, or several do."""
    num_after = sum(moment > max(states) for moment in moments)
    return 0 < num_after == len(moments) or num_after >= _FEWEST


def _fleeting(rulesheet: Rulesheet) -> set[Relation]:
    """The symbols of facts that are made by moves alone, and kept by no rule."""
    makers: dict[Relation, list[Rule]] = defaultdict(list)
    for keyword in ("init", "next"):
        for rule in keyword_rules(rulesheet, keyword):
            makers[Relation.of(made_by(rule))].append(rule)
    return {
        symbol
        for symbol, rules in makers.items()
        if all(_is_of_move(rule, symbol) for rule in rules)
    }


def _is_of_move(rule: Rule, symbol: Relation) -> bool:
    asked = [item for item in literals(rule.body) if item.is_positive]
    own = any(_is_of_state(item) and _symbol(item) == symbol for item in asked)
    return any(item.relation == DOES for item in asked) and not own


def _is_always_later(first: Times, second: Times) -> bool:
    """Whether wherever the second is, the first was before and is gone; in a few games at least."""
    return len(second) >= _FEWEST_GAMES and all(
        number in first and max(first[number]) < min(states) for number, states in second.items()
    )


def _finding_on_move(rulesheet: Rulesheet, rule: Rule, item: Literal, after: Literal) -> Diagnostic:
    name = _symbol(item).name
    return finding(
        "play-lost",
        item.span,
        f"in random games '{name}' is there in one state, and {_text(rule, after)} is true in "
        f"later ones as well, where {_text(rule, item)} never is: a move makes it, and no rule for "
        "'next' keeps it; if it is needed for longer, add one that does",
        instead=keeping_rule(rulesheet, _symbol(item)),
    )


def _text(rule: Rule, literal: Literal) -> str:
    return as_written(form_at(rule.form, literal.span))


def _finding(rulesheet: Rulesheet, rule: Rule, item: Literal, later: Literal) -> Diagnostic:
    name = _symbol(item).name
    return finding(
        "play-lost",
        item.span,
        f"{_text(rule, item)} and {_text(rule, later)} are never true at the same time: in each "
        f"random game '{name}' was gone when '{_symbol(later).name}' came, as a move makes it and "
        "no rule for 'next' keeps it; if it is needed later, add one that does",
        instead=keeping_rule(rulesheet, _symbol(item)),
    )
