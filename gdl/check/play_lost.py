"""Facts that vanish because no rule keeps them, although no rule removes them on purpose.

A fact that no rule keeps holds for one turn. For some facts this is intended, such as a step
counter or the role to move, because other facts replace them. So random games decide which losses
are faults (`gdl.check.losses`).

Some rules keep facts with exceptions, such as a square onto which a piece moves. The check drops
the exceptions from these rules. If a fact is lost even then, it is lost in a case that no rule
covers.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field

from gdl.check.demands import Asking, keeps, made_by, makers_by_symbol
from gdl.check.diagnostic import Diagnostic, finding, first_word, keyword_rules, term_text
from gdl.check.losses import (
    RELAXED_SECONDS,
    Facts,
    Key,
    Losses,
    RelaxedRules,
    Step,
    find_losses,
    num_gained,
)
from gdl.errors import Span
from gdl.interpreter.machine import Interpreter
from gdl.machine import Move, State, StateMachine, is_random
from gdl.rulesheet import Literal, Relation, Rule, Rulesheet
from gdl.rulesheet.graph import DOES
from gdl.rulesheet.rules import literals
from gdl.syntax import Form, Group, head_and_body, words
from gdl.terms import Constant, Term, variables

_MAX_STEPS = 100  # in a game: facts that no rule keeps are lost early
_MAX_FACTS = 200_000  # limit on the facts in all states together
_MAX_RELAXED = 150  # steps to replay with the relaxed rules
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")


@dataclass(slots=True)
class StepLog:
    """Log of the first steps of each game, with a limit on the total number of facts."""

    games: list[list[Step]] = field(default_factory=list)
    num_facts: int = 0

    @property
    def played(self) -> list[list[Step]]:
        """The games with at least one step."""
        return [game for game in self.games if game]

    def begin(self) -> None:
        """Start a new game."""
        self.games.append([])

    def add(self, machine: StateMachine, state: State, moves: Sequence[Move], after: State) -> None:
        """Record a step of the current game."""
        game = self.games[-1]
        if len(game) >= _MAX_STEPS or self.num_facts > _MAX_FACTS:
            return
        before = game[-1].after if game else frozenset(machine.facts(state))
        facts = frozenset(machine.facts(after))
        self.num_facts += len(facts)
        place = (len(self.games), len(game))
        game.append(Step(place, machine.is_terminal(after), before, tuple(moves), facts))


def check_keeping(
    rulesheet: Rulesheet, log: StepLog, end: float, explained: Collection[Relation] = ()
) -> Iterator[Diagnostic]:
    """Report facts that random games lose because no rule keeps them: one finding for each symbol.

    Skip symbols in `explained`. Stop at `end`, on the monotonic clock, even if not all symbols have
    been examined.
    """
    games = log.played
    if not games or None in rulesheet.fluents:
        return  # a head `(next ?fact)` may keep everything
    symbols = [it for it in rulesheet.fluents if it is not None and it not in explained]
    roles = rulesheet.roles
    if len(games[0][0].moves) != len(roles):
        return
    judge = _Judge(rulesheet, end)
    thrown = _thrown(rulesheet, games)
    for symbol, losses in find_losses(games, roles, symbols).items():
        if symbol in judge.hidden or not losses.gone:
            continue
        if symbol in judge.kept:
            yield from judge.find_gap(symbol, losses)
        elif symbol not in thrown and judge.is_missed(symbol, losses):
            yield judge.unkept(symbol, losses)


def _thrown(rulesheet: Rulesheet, games: Sequence[Sequence[Step]]) -> set[Relation]:
    """Return the symbols of facts that only chance makes, several times in a game, such as dice."""
    return {
        symbol
        for symbol, rules in makers_by_symbol(rulesheet, "next").items()
        if all(_is_of_chance(rule, rulesheet) for rule in rules)
        and any(sum(num_gained(symbol, step) > 0 for step in game) > 1 for game in games)
    }


def _is_of_chance(rule: Rule, rulesheet: Rulesheet) -> bool:
    """Return whether a rule requires a move of `random`, directly or through another relation."""

    def is_of_chance(literal: Literal) -> bool:
        if literal.relation != DOES or not isinstance(literal.args[0], Constant):
            return False
        return is_random(literal.args[0])

    asked = [literal for literal in literals(rule.body) if literal.is_positive]
    rules = [other for it in asked for other in rulesheet.definitions.get(it.relation, ())]
    below = [literal for other in rules for literal in literals(other.body)]
    return any(map(is_of_chance, asked + below))


class _Judge:
    """Decides which losses are faults.

    Attributes:
        kept: Symbols with a rule that keeps their facts.
        hidden: Symbols whose facts may be kept through another relation, so they are not judged.
    """

    def __init__(self, rulesheet: Rulesheet, end: float) -> None:
        self._rulesheet = rulesheet
        self._end = end
        self._relaxed = RelaxedRules(rulesheet, end)
        self._asking = Asking(rulesheet)
        self._makers = makers_by_symbol(rulesheet, "next")
        self.kept = {it for it, rules in self._makers.items() if any(map(keeps, rules))}
        self.hidden = {
            it for it, rules in self._makers.items() if self._may_keep_apart(it, rules)
        } - self.kept

    def _may_keep_apart(self, symbol: Relation, rules: Sequence[Rule]) -> bool:
        return any(
            x.is_positive and self._asking.keeps_apart(x, made_by(rule))
            for rule in rules
            for x in literals(rule.body)
            if variables(rule.head) <= variables(x.atom)
        )

    def is_missed(self, symbol: Relation, losses: Losses) -> bool:
        """Return whether the rules seem to need facts for longer than the facts hold."""
        if losses.num_first > 1:
            return losses.shrinks_at_first or bool(
                losses.keys and (losses.shrinking or losses.unnamed)
            )
        if losses.num_first:
            return bool(losses.lost_at_first) and not losses.regained
        asked = self._asking.num_together(symbol)
        is_asked_together = asked > 1 and (losses.most == 1 or asked >= 2 * losses.most)
        return is_asked_together or self._asking.is_asked_for_absence(symbol)

    def find_gap(self, symbol: Relation, losses: Losses) -> Iterator[Diagnostic]:
        """Report the first lost fact that none of the rules for keeping such facts covers."""
        gaps = self._uncovered(losses.lost, self._relaxed.without_exceptions)
        is_whole = losses.keys == ((0,),)  # the key is the whole fact, so no other fact has it
        if not losses.keys or is_whole:  # a lost fact may have moved and be one of the new ones
            nums = Counter(step.place for _, step in gaps)
            gaps = [gap for gap in gaps if num_gained(symbol, gap[1]) < nums[gap[1].place]]
        is_sentinel = (
            losses.most == 1 and losses.regained and not any(step.place[1] for _, step in gaps)
        )
        num_steps = len({step.place for _, step in gaps})
        if gaps and not is_sentinel and (losses.keys or num_steps > 1):
            yield self._gap(symbol, *gaps[0])
        # At least a fifth of the facts that are gone were replaced, as on a full board.
        elif 5 * losses.replaced >= losses.gone:
            places = {step.place for step in losses.shrinking}
            unnamed = [(fact, step) for fact, step in losses.unnamed if step.place in places]
            for fact, step in self._uncovered(unnamed, self._relaxed.without_cases)[:1]:
                yield self._gap(symbol, fact, step)

    def _uncovered(
        self, lost: Sequence[tuple[Term, Step]], relaxed: Interpreter
    ) -> list[tuple[Term, Step]]:
        found: list[tuple[Term, Step]] = []
        kept: dict[tuple[int, int], Facts] = {}
        end = min(self._end, time.monotonic() + RELAXED_SECONDS)
        for fact, step in lost:
            if step.place not in kept:
                if len(kept) >= _MAX_RELAXED or time.monotonic() > end:
                    break
                kept[step.place] = relaxed.next_state(step.facts, step.moves)
            if fact not in kept[step.place]:
                found.append((fact, step))
        return found

    def unkept(self, symbol: Relation, losses: Losses) -> Diagnostic:
        """Return the finding for a symbol whose facts no rule keeps."""
        assert losses.first_gone is not None
        fact, step = losses.first_gone
        return finding(
            "play-lost",
            self._place(symbol, self._makers.get(symbol, ())),
            f"no rule keeps the facts '{symbol.name}': {self._text(fact)} is gone after "
            f"{moment(step)}{self._cure(symbol, losses)}",
            instead=self._rules_that_keep(symbol, losses),
        )

    def _cure(self, symbol: Relation, losses: Losses) -> str:
        """Describe the missing rule. It must not keep facts that other facts replace."""
        if symbol not in self._makers:
            return (
                ", because only 'init' makes it; add rules for 'next' that make what the moves "
                "change, and one that keeps the rest: it asks for the fact with 'true' and "
                "requires that no move changes it"
            )
        cure = (
            "; if it is needed longer, add a rule for 'next' that asks for it with 'true' and "
            "keeps it unless "
        )
        if not _has_place(losses):
            return f"{cure}a move takes it away; if a move can, add a condition that none does"
        key = losses.keys[0]
        of_same = f" with the same {ordinals(key)} argument" if 0 < len(key) < symbol.arity else ""
        return (
            f"{cure}another fact replaces it, with the condition that the other rules for 'next' "
            f"make no '{symbol.name}'{of_same}"
        )

    def _gap(self, symbol: Relation, fact: Term, step: Step) -> Diagnostic:
        moves = ", ".join(map(self._text, step.moves))
        keeping = [rule for rule in self._makers[symbol] if keeps(rule)]
        return finding(
            "play-lost",
            self._place(symbol, keeping),
            f"the rules that keep the facts '{symbol.name}' do not cover every case: "
            f"{self._text(fact)} is gone after {moment(step)} ({moves}), but other "
            "steps keep such facts; if it should hold longer, add a rule for 'next' "
            "that keeps it in this case",
        )

    def _place(self, symbol: Relation, rules: Sequence[Rule]) -> Span:
        rules = rules or [
            rule
            for rule in keyword_rules(self._rulesheet, "init")
            if Relation.of(made_by(rule)) == symbol
        ]
        return first_word(_fact_form(rules[0])).span

    def _text(self, term: Term) -> str:
        return term_text(term, self._rulesheet)

    def _rules_that_keep(self, symbol: Relation, losses: Losses) -> str:
        """Return rules to add. They keep a fact until another one with the same key is made."""
        if self._rulesheet.origin.is_epilog:
            return ""
        args = [f"?{chr(ord('a') + place)}" for place in range(symbol.arity)]
        fact = _atom(symbol.name, args)
        makers = self._makers.get(symbol, ())
        if not makers:
            return ""  # with a rule that keeps them, the facts would never change
        if not _has_place(losses):
            return keeping_rule(self._rulesheet, symbol)
        key = losses.keys[0]
        change = self._unused_name(f"{symbol.name}_changes")
        lines = [
            f"(<= (next {fact})",
            f"    (true {fact})",
            f"    (not {_atom(change, [args[place] for place in key])}))",
        ]
        for rule in makers:
            made, body = _fact_form(rule), head_and_body(rule.form)[1]
            places = made.items[1:] if isinstance(made, Group) else ()
            atom = _atom(change, [str(places[place]) for place in key])
            conditions = "".join(f"\n    {condition}" for condition in body)
            lines.append(f"(<= {atom}{conditions})" if body else atom)
        return "\n".join(lines)

    def _unused_name(self, name: str) -> str:
        taken = {word.text.lower() for form in self._rulesheet.forms for word in words(form)}
        while name.lower() in taken:
            name += "_"
        return name


def keeping_rule(rulesheet: Rulesheet, symbol: Relation) -> str:
    """Return a rule that keeps all facts of a symbol, or "" for Epilog."""
    if rulesheet.origin.is_epilog:
        return ""
    fact = _atom(symbol.name, [f"?{chr(ord('a') + place)}" for place in range(symbol.arity)])
    return f"(<= (next {fact})\n    (true {fact}))"


def _has_place(losses: Losses) -> bool:
    """Return whether each fact has a place, such as a square, where another fact can replace it."""
    return bool(losses.num_first and losses.keys)


def _atom(name: str, args: Sequence[str]) -> str:
    return f"({name} {' '.join(args)})" if args else name


def _fact_form(rule: Rule) -> Form:
    head = head_and_body(rule.form)[0]
    return head.items[1] if isinstance(head, Group) and len(head.items) > 1 else head


def ordinals(key: Key) -> str:
    """Return argument positions as words, such as "first and second"."""
    return " and ".join(_ORDINALS[place] for place in key)


def moment(step: Step) -> str:
    """Return the wording for a step in messages."""
    playout, num = step.place
    return f"step {num + 1} of playout {playout}"
