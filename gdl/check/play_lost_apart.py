"""Facts that are always gone by the time a rule needs them, because no rule keeps them.

A fact that a move makes lasts for one step if no rule keeps it. For example, one player hides a
coin, and a fact names the hand that holds it. By the time another player points at a hand, the fact
is gone. Or it is still there when that player first points, and gone at least two later times.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence

from gdl.check.demands import makers_by_symbol
from gdl.check.diagnostic import Diagnostic, as_written, finding, form_at
from gdl.check.play_lost import StepLog, keeping_rule
from gdl.rulesheet import Literal, Relation, Rule, Rulesheet
from gdl.rulesheet.graph import DOES, TRUE
from gdl.rulesheet.rules import literals
from gdl.terms import Term, Variable

_MIN_GAMES = 3
_FEWEST = 2
"""How often a fact must be missing in a game when the required move is made."""
Times = Mapping[int, Sequence[int]]
"""The numbers of the states with a fact or move of one symbol, by the number of the game."""


def check_apart(rulesheet: Rulesheet, log: StepLog) -> Iterator[Diagnostic]:
    """Find, for each symbol, the first condition whose facts are always gone too early."""
    if None in rulesheet.fluents:
        return  # a head `(next ?fact)` may keep everything
    states = _times([[game[0].facts, *(step.after for step in game)] for game in log.played])
    moments = _times([[step.moves for step in game] for game in log.played])
    fleeting = _fleeting(rulesheet) & states.keys()
    for rule in rulesheet.rules if fleeting else ():
        for item in _of_state(rule):
            symbol = _symbol(item)
            missing = _missing(rule, item, states, moments) if symbol in fleeting else ""
            if missing:
                fleeting.discard(symbol)
                cure = keeping_rule(rulesheet, symbol)
                yield finding("play-lost", item.span, missing, instead=cure)


def _of_state(rule: Rule) -> list[Literal]:
    return [item for item in rule.body if isinstance(item, Literal) and _is_of_state(item)]


def _is_of_state(item: Literal) -> bool:
    return item.is_positive and item.relation == TRUE and not isinstance(item.args[0], Variable)


def _symbol(item: Literal) -> Relation:
    return Relation.of(item.args[0])


def _times(games: Sequence[Sequence[Collection[Term]]]) -> Mapping[Relation, Times]:
    """Return, for each symbol, when a term with that symbol occurs in each game.

    Args:
        games: For each game, the terms at each time: the facts of a state, or the moves of a step.
    """
    times: dict[Relation, dict[int, list[int]]] = defaultdict(dict)
    for number, game in enumerate(games):
        for time, terms in enumerate(game):
            for symbol in {Relation.of(term) for term in terms}:
                times[symbol].setdefault(number, []).append(time)
    return times


def _missing(
    rule: Rule,
    item: Literal,
    states: Mapping[Relation, Times],
    moments: Mapping[Relation, Times],
) -> str:
    """Return a message if a fact is always gone when a rule needs it, else ""."""
    symbol, text = _symbol(item), _text(rule, item)
    for other in _of_state(rule):
        if _is_always_later(states[symbol], states.get(_symbol(other), {})):
            return (
                f"{text} and {_text(rule, other)} are never true at the same time: in each random "
                f"game '{symbol.name}' was gone when '{_symbol(other).name}' came, because a move "
                f"makes it and no rule for 'next' keeps it; add a rule that keeps '{symbol.name}'"
            )
    # Skip facts without arguments: they often mark a phase that lasts one step on purpose.
    asked = literals(rule.body) if symbol.arity else ()
    for other in (it for it in asked if it.is_positive and it.relation == DOES):
        if _is_made_after(states[symbol], other.args[1], moments):
            return (
                f"in random games '{symbol.name}' holds in one state only, and "
                f"{_text(rule, other)} is also true in later states, where {text} never is: a move "
                "makes it, and no rule for 'next' keeps it; if it is needed for longer, add such a "
                "rule"
            )
    return ""


def _is_made_after(first: Times, move: Term, moments: Mapping[Relation, Times]) -> bool:
    """Return whether the fact holds in one state of a game and the required move comes later."""
    made = {} if isinstance(move, Variable) else moments.get(Relation.of(move), {})
    late = [n for n, states in first.items() if _is_missing(states, made.get(n, ()))]
    return len(late) >= _MIN_GAMES and all(len(states) == 1 for states in first.values())


def _is_missing(states: Sequence[int], moments: Sequence[int]) -> bool:
    """Return whether all moves, or at least `_FEWEST` of them, come after the fact is gone."""
    num_after = sum(moment > max(states) for moment in moments)
    return 0 < num_after == len(moments) or num_after >= _FEWEST


def _fleeting(rulesheet: Rulesheet) -> set[Relation]:
    """Return the symbols of facts that only moves make and no rule keeps."""
    return {
        symbol
        for symbol, rules in makers_by_symbol(rulesheet, "init", "next").items()
        if all(_is_of_move(rule, symbol) for rule in rules)
    }


def _is_of_move(rule: Rule, symbol: Relation) -> bool:
    asked = [item for item in literals(rule.body) if item.is_positive]
    own = any(_is_of_state(item) and _symbol(item) == symbol for item in asked)
    return any(item.relation == DOES for item in asked) and not own


def _is_always_later(first: Times, second: Times) -> bool:
    """Return whether the second fact occurs only after the first is gone, in several games."""
    return len(second) >= _MIN_GAMES and all(
        number in first and max(first[number]) < min(states) for number, states in second.items()
    )


def _text(rule: Rule, literal: Literal) -> str:
    return as_written(form_at(rule.form, literal.span))
