"""Rules in prose, by sections: roles, positions, setup, tables, moves, turns, end, scoring."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import Final, TypeAlias

from gdl.machine import RANDOM
from gdl.prose.conditions import Conditions
from gdl.prose.knowledge import Knowledge
from gdl.prose.section import Prose, Section, Sentence
from gdl.prose.tables import Row, all_of, listed, said, table_of
from gdl.prose.wording import CellForm, Wording, held, place_text, written
from gdl.rulesheet import Literal, Relation, Rule, Rulesheet
from gdl.rulesheet.graph import DOES, TRUE
from gdl.rulesheet.rules import literals
from gdl.terms import Term, Variable, args_of

MAX_LETTERS: Final = 160
"""Length limit in characters of a sentence. If it is longer, each condition gets its own line."""
MAX_ROWS: Final = 400
"""Maximum number of rows of a table. A relation with more rows is described by its rules."""
MAX_FACTS: Final = 12
"""Maximum number of facts of the first state to describe individually."""


POSITIONS: Final = "A position is a list of facts. Facts that are not listed are false."
SETUP: Final = "At the start:"
MOVES: Final = """\
In each turn every role makes one move, all at the same time. A role with a single legal move has \
no choice, and often this move means to wait. Moves that no sentence allows may not be played."""
TURNS: Final = """\
What the moves of a turn do to the position. Conditions are about the position before the turn. \
Facts that no sentence makes true are false afterwards."""
TOUCHED: Final = """\
What the move of a turn does to the position. Conditions are about the position before the turn. \
Facts that no move touches stay. A fact that is made both true and false is true afterwards."""
SEEN: Final = "Roles do not see the position. After each turn a role knows its own move, and:"
SCORING: Final = "Goals from 0 to 100, which count when the match is over."
EMPTY: Final = {
    "Positions": "A position has no facts.",
    "Setup": "At the start the position has no facts.",
    "Moves": "No rule allows a move.",
    "Turns": "Nothing holds after a turn.",
    "What is seen": "Roles see nothing but their own moves.",
    "End": "No rule ends the match.",
    "Scoring": "No rule gives a score.",
}
"""Sentences for sections that have no rules."""
TABLES: Final = "These hold in every position."
Main: TypeAlias = Callable[["Conditions", Rule], str]


def tell(rules: Rulesheet, wording: Wording | None = None) -> Prose:
    """Describe the rules in prose.

    Args:
        wording: Words for facts of the state, from a caller that knows the board.

    Raises:
        RulesheetError: The rules cannot be played.
    """
    known = Knowledge(rules, wording or Wording())
    sections = tuple(_Teller(known).sections())
    within = rules.graph.reachable(known.within)
    return Prose(
        sections, frozenset(_lines(rule for rule in rules.rules if rule.relation in within))
    )


class _Teller:
    def __init__(self, known: Knowledge) -> None:
        self._known = known
        self._rules = known.rules
        self._told: set[Relation] = set()
        self._tables: list[Sentence] = []

    def sections(self) -> Iterator[Section]:
        yield Section("Roles", "", tuple(self._roles()))
        yield _section("Positions", POSITIONS, self._facts())
        yield _section("Setup", SETUP, self._setup())
        found = [_section("Moves", MOVES, self._with_terms("legal", self._legal)), self._turns()]
        if self._rules.has_percepts:
            found.append(_section("What is seen", SEEN, self._with_terms("sees", self._sees)))
        found += [
            _section("End", "", self._with_terms("terminal", self._terminal)),
            _section("Scoring", SCORING, self._with_terms("goal", self._goal)),
        ]
        if self._tables:  # complete only now, but readers need them before the other sections
            yield Section("Tables", TABLES, tuple(self._tables))
        yield from found

    # --- Sections ---------------------------------------------------------------------------------

    def _roles(self) -> Iterator[Sentence]:
        lines = _lines(self._rules.definitions.get(Relation("role", 1), ()))
        roles = self._known.roles
        count = "There is one role" if len(roles) == 1 else f"There are {len(roles)} roles"
        yield Sentence(f"{count}: {all_of(roles)}.", (), lines)
        if len(self._known.players) == 2:
            both = all_of(self._known.players)
            if self._known.are_opponents:
                yield Sentence(f"{both} are each other's opponent.")
            else:
                yield Sentence(f"{both} are not opponents: both can score well in the same match.")
        if str(RANDOM) in roles:
            yield Sentence("The role random is chance: each of its moves is equally likely.")

    def _facts(self) -> Iterator[Sentence]:
        for relation in self._known.fluents:
            names = self._known.argument_names(relation)
            making = (rule for name in ("base", "init", "next") for rule in self._making(name))
            lines = _lines(rule for rule in making if _may_make(rule, relation))
            rows = self._known.bases.get(relation)
            text = self._described(relation, names)
            ranges = said(names, rows) if rows and names else None
            yield Sentence(f"{text}.{f' Here {ranges}.' if ranges else ''}", (), lines)
        symbols = self._rules.symbols
        for word, meaning in self._known.wording.words.items():
            if word in symbols:
                yield Sentence(f"`{word}` stands for: {meaning}.")

    def _described(self, relation: Relation, names: Sequence[str]) -> str:
        """Describe a fact: in KIF, then its meaning on the board and its name in the comments."""
        wording = self._known.wording
        form = wording.cells.get(relation)
        meaning = []
        if relation == wording.turn or form is not None:
            meaning.append(wording.fact(relation, names))
            if form is not None and form.blank:
                meaning[-1] += f", where {form.blank} means that it is empty"
            elif form is not None and self._has_bare_squares(relation, form):
                meaning.append("an empty square has no such fact")
        meaning += filter(None, [wording.name_of("fact", (relation.name, *names))])
        text = written(relation.name, names)
        return f"{text}: {'; '.join(meaning)}" if meaning else text

    def _has_bare_squares(self, relation: Relation, form: CellForm) -> bool:
        """Return whether some square has no such fact at first, so it is empty without a fact."""
        machine = self._known.machine
        facts = machine.facts(machine.initial_state())
        mine = [args_of(fact) for fact in facts if Relation.of(fact) == relation]
        filled = {tuple(str(args[at]) for at in form.place) for args in mine}
        rows = self._known.bases.get(relation, ())
        return any(tuple(row[at] for at in form.place) not in filled for row in rows)

    def _setup(self) -> Iterator[Sentence]:
        machine = self._known.machine
        for rule in self._making("init"):
            self._known.within.update(literal.relation for literal in literals(rule.body))
        facts: dict[Relation, list[Term]] = {}
        for fact in machine.facts(machine.initial_state()):
            facts.setdefault(Relation.of(fact), []).append(fact)
        for relation, mine in facts.items():
            lines = _lines(rule for rule in self._making("init") if _may_make(rule, relation))
            rows = [tuple(map(str, args_of(fact))) for fact in mine]
            for text in self._at_start(relation, rows):
                yield Sentence(f"{_capital(text)}.", (), lines)

    def _at_start(self, relation: Relation, rows: Sequence[Row]) -> Iterator[str]:
        """Yield clauses about the facts of one relation in the first state.

        Squares with equal content share a clause.
        """
        wording = self._known.wording
        form = wording.cells.get(relation)
        if form is None:
            if len(rows) <= MAX_FACTS:
                yield from (wording.fact(relation, row) for row in rows)
                return
            names = self._known.argument_names(relation)
            yield f"{wording.fact(relation, names)} {self._for_all(names, rows)}"
            return
        squares: dict[Row, list[Row]] = {}
        for row in rows:
            squares.setdefault(tuple(row[at] for at in form.content), []).append(row)
        for mine in squares.values():
            if len(mine) == 1:
                yield wording.fact(relation, mine[0])
            elif len(mine) <= MAX_FACTS:
                places = all_of([place_text(form, row) for row in mine])
                yield f"the squares {places} {held(form, mine[0], many=True)}"
            else:
                names = self._known.argument_names(relation)
                named = [names[at] if at in form.place else mine[0][at] for at in range(len(names))]
                places_of = [tuple(row[at] for at in form.place) for row in mine]
                which = self._for_all([names[at] for at in form.place], places_of)
                yield f"{wording.fact(relation, named)} {which}"

    def _for_all(self, names: Sequence[str], rows: Sequence[Row]) -> str:
        text = said(names, rows)
        return f"wherever {text}" if text else f"for: {'; '.join(listed(names, rows))}"

    def _making(self, name: str) -> tuple[Rule, ...]:
        return self._rules.definitions.get(Relation(name, 1), ())

    def _legal(self, rule: Rule) -> Sentence:
        return self._sentence(rule, _may_text)

    def _turns(self) -> Section:
        """Describe the effects of moves.

        In sequential games, omit the rules that keep all facts that a move does not change.
        """
        deleted = Relation(self._rules.origin.deleted, 1)
        if not deleted.name:
            return _section("Turns", TURNS, self._with_terms("next", self._next))
        made = self._making("next"), self._rules.definitions.get(deleted, ())
        effects = [rule for rules in made for rule in rules if not self._known.keeps(rule)]
        effects.sort(key=lambda rule: rule.span.line)
        return _section("Turns", TOUCHED, chain(map(self._afterwards, effects), self._terms()))

    def _next(self, rule: Rule) -> Sentence:
        fact = args_of(rule.head)[0]
        kept = [
            item
            for item in rule.body
            if isinstance(item, Literal)
            and item.is_positive
            and item.relation == TRUE
            and item.args[0] is fact
        ]
        if not kept:
            return self._afterwards(rule)
        rest = tuple(item for item in rule.body if item is not kept[0])
        conditions = Conditions(self._known, [fact], rest)
        if rest and all(isinstance(one, Literal) and not one.is_positive for one in rest):
            opposite = tuple(
                Literal(one.atom, True, one.span) for one in rest if isinstance(one, Literal)
            )
            conditions = Conditions(self._known, [fact], opposite, is_choice=True)
            text = f"If {conditions.fact(fact)}, that stays so"
            return _built(text, "unless", conditions, rule, (), one_is_enough=True)
        text = f"If {conditions.fact(fact)}, that stays so"
        return _built(text, "if", conditions, rule, conditions.every())

    def _afterwards(self, rule: Rule) -> Sentence:
        """Return a sentence that says when a fact becomes true or false."""
        fact = args_of(rule.head)[0]
        does = [one for one in rule.body if isinstance(one, Literal) and one.relation == DOES]
        body = (*does, *(one for one in rule.body if one not in does))
        conditions = Conditions(self._known, [rule.head], body, may_rename_head=True)
        then = conditions.fact(fact, holds=rule.relation == ("next", 1))
        ranges = conditions.ranges()
        then += f", with {all_of(ranges)}" if ranges else ""
        clauses, lines = conditions.clauses, _lines([rule])
        if not clauses:
            return Sentence(f"Afterwards {then}.", (), lines)
        whole = _capital(f"if {' and '.join(clauses)}, then afterwards {then}.")
        if len(clauses) <= 2 and len(whole) <= MAX_LETTERS:
            return Sentence(whole, (), lines)
        return Sentence(f"Afterwards {then}, if all of this holds:", tuple(clauses), lines)

    def _sees(self, rule: Rule) -> Sentence:
        return self._sentence(rule, _percept_text)

    def _terminal(self, rule: Rule) -> Sentence:
        return self._sentence(rule, _end_text, "as soon as")

    def _goal(self, rule: Rule) -> Sentence:
        return self._sentence(rule, _goal_text)

    # --- Sentences --------------------------------------------------------------------------------

    def _with_terms(self, name: str, tell_one: Callable[[Rule], Sentence]) -> Iterator[Sentence]:
        arity = {"legal": 2, "next": 1, "sees": 2, "terminal": 0, "goal": 2}[name]
        for rule in self._rules.definitions.get(Relation(name, arity), ()):
            yield tell_one(rule)
        yield from self._terms()

    def _terms(self) -> Iterator[Sentence]:
        """Describe the relations that sentences have named, and those that these descriptions name.

        Constant relations become tables in `_tables`. Yield sentences about the others.
        """
        while waiting := [one for one in self._known.named if one not in self._told]:
            relation = waiting[0]
            self._told.add(relation)
            rows = self._known.rows(relation)
            rules = self._rules.definitions.get(relation, ())
            is_facts = all(rule.is_fact for rule in rules)
            if rows is not None and relation.arity:
                names = self._known.argument_names(relation)
                table = table_of(names, rows, math.inf if is_facts else MAX_ROWS)
                if table is not None:
                    self._known.within.add(relation)
                    head = " ".join([relation.name, *names])
                    text = f"`{head}` {table[0]}"
                    self._tables.append(Sentence(text, tuple(table[1:]), _lines(rules)))
                    continue
            if not rules:
                text = " ".join([relation.name, *self._known.argument_names(relation)])
                yield Sentence(f"`{text}` never holds.")
            for number, rule in enumerate(rules):
                is_first = not any(_may_agree(rule.head, other.head) for other in rules[:number])
                yield self._term(rule, is_first=is_first)

    def _term(self, rule: Rule, *, is_first: bool) -> Sentence:
        def text(conditions: Conditions, rule: Rule) -> str:
            name = " ".join([rule.relation.name, *conditions.args(rule.head)])
            return f"`{name}` holds{'' if is_first else ' also'}"

        return self._sentence(rule, text)

    def _sentence(self, rule: Rule, main: Main, word: str = "if") -> Sentence:
        conditions = Conditions(self._known, [rule.head], rule.body)
        return _built(main(conditions, rule), word, conditions, rule, conditions.every())


def _built(
    main: str,
    word: str,
    conditions: Conditions,
    rule: Rule,
    every: Sequence[str],
    *,
    one_is_enough: bool = False,
) -> Sentence:
    """Join a main clause and its conditions, in one sentence or on separate lines."""
    lines = _lines([rule])
    main = _capital(main)
    some = conditions.some()
    clauses = list(conditions.clauses)
    if every:
        main += f", with {all_of(every)},"
    if not clauses:
        text = f"{main} {word} there is {some}" if some else main.rstrip(",")
        return Sentence(f"{text}.", (), lines)
    for_some = f", for {some}," if some else ""
    joined = (" or " if one_is_enough else " and ").join(clauses)
    whole = f"{main} {word}{for_some} {joined}."
    if (len(clauses) <= 2 and len(whole) <= MAX_LETTERS) or len(clauses) == 1:
        return Sentence(whole, (), lines)
    which = "any of this holds" if one_is_enough else "all of this holds"
    return Sentence(f"{main} {word}{for_some} {which}:", tuple(clauses), lines)


def _section(title: str, intro: str, sentences: Iterable[Sentence]) -> Section:
    """Return a section. If there are no sentences, its only sentence is the one from `EMPTY`."""
    found = tuple(sentences)
    return Section(title, intro, found) if found else Section(title, "", (Sentence(EMPTY[title]),))


def _may_agree(head: Term, other: Term) -> bool:
    """Return whether two heads may describe the same thing: no ground arguments differ."""
    pairs = zip(args_of(head), args_of(other), strict=True)
    return all(one is two or not (one.is_ground and two.is_ground) for one, two in pairs)


def _capital(text: str) -> str:
    """Capitalise a sentence, unless it begins with a name from the game."""
    is_ours = text.split(" ", 1)[0] in {"it", "the", "if"}
    return text[:1].upper() + text[1:] if is_ours else text


def _may_make(rule: Rule, relation: Relation) -> bool:
    fact = args_of(rule.head)[0]
    return isinstance(fact, Variable) or Relation.of(fact) == relation


def _lines(rules: Iterable[Rule]) -> tuple[int, ...]:
    return tuple(rule.span.line for rule in rules)


def _may_text(conditions: Conditions, rule: Rule) -> str:
    role, move = args_of(rule.head)
    return f"{conditions.text(role)} may play {conditions.move(move)}"


def _percept_text(conditions: Conditions, rule: Rule) -> str:
    role, percept = args_of(rule.head)
    return f"{conditions.text(role)} is told {conditions.written(percept)}"


def _goal_text(conditions: Conditions, rule: Rule) -> str:
    role, value = args_of(rule.head)
    return f"{conditions.text(role)} scores {conditions.text(value)}"


def _end_text(conditions: Conditions, rule: Rule) -> str:
    return "the match is over"
