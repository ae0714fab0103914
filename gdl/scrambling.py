"""Scrambling: the same game with other names and other orders of arguments.

>>> from gdl.kif import read_kif, read_term
>>> rules = read_kif("(role x) (init (cell 1 2 b)) (legal x (mark 1 2)) (goal x 100)")
>>> other = scramble(rules, seed=1)
>>> move = other.move(read_term("(mark 1 2)"))
>>> str(other.original(move))
'(mark 1 2)'

Scrambling is a bijection of ground terms that preserves subterms. Each symbol gets the same new
name everywhere, and its arguments get the same new order everywhere. So a rule fires in one game if
and only if the scrambled rule fires in the other. The same holds for positions, legal moves, goals
and percepts. Everything that has a meaning in GDL stays unchanged: keywords, the order of their
arguments, and numbers that may be goals.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any, TypeVar

from gdl.kif import format_kif
from gdl.rulesheet import KEYWORDS, Relation, Rulesheet
from gdl.rulesheet.flow import GOAL_VALUE, ROLE, ArgumentFlow, Domain, Place
from gdl.syntax import Form, Group, head_and_body, words
from gdl.terms import Compound, Constant, Term
from gdl.tokens import NUMBER

_CONSONANTS = "bdfgklmnprstvz"
_VOWELS = "aiou"

Order = tuple[int, ...]
"""For each new argument position, the old one, from 0."""


@dataclass(frozen=True, slots=True)
class Scrambled:
    """Scrambled game, which can translate terms to and from the original game.

    Attributes:
        text: The rules in prefix KIF.
        game: The name of the rulesheet that was scrambled.
        symbols: The new name of each symbol other than keywords. Some keep their names.
        board: The new order of arguments of each symbol for which it has changed.
    """

    text: str
    game: str
    seed: int
    symbols: Mapping[str, str]
    board: Mapping[Relation, Order]

    @property
    def mapping(self) -> dict[str, Any]:
        """All data needed to translate terms, for JSON."""
        board = {str(relation): list(order) for relation, order in self.board.items()}
        return {
            "game": self.game,
            "seed": self.seed,
            "symbols": dict(self.symbols),
            "board": board,
        }

    def move(self, term: Term) -> Term:
        """Translate a move, a fact or any other ground term into the scrambled game."""
        name = self.symbols.get(str(term), str(term))
        if not isinstance(term, Compound):
            return Constant(name)
        args = tuple(map(self.move, term.args))
        order = self.board.get(Relation.of(term), range(len(args)))
        return Compound(self.symbols.get(term.name, term.name), tuple(args[old] for old in order))

    def original(self, term: Term) -> Term:
        """Translate a ground term of the scrambled game back into the original game."""
        names = {new: old for old, new in self.symbols.items()}
        return self._original(term, names)

    def _original(self, term: Term, names: Mapping[str, str]) -> Term:
        if not isinstance(term, Compound):
            return Constant(names.get(str(term), str(term)))
        name = names.get(term.name, term.name)
        order = self.board.get(Relation(name, len(term.args)), range(len(term.args)))
        args = dict(zip(order, (self._original(arg, names) for arg in term.args), strict=True))
        return Compound(name, tuple(args[old] for old in range(len(args))))


def scramble(rules: Rulesheet, seed: int, *, symbols: bool = True, board: bool = True) -> Scrambled:
    """Return a scrambled version of a game. The same seed gives the same version.

    Args:
        symbols: Give symbols and variables other names, and shuffle the rules. Roles stay in the
            same order. `random` and numbers that may be goals keep their names. So do roles that
            rules derive, because their order depends on their names.
        board: Give arguments another order. Without `symbols`, also swap the names of coordinates:
            constants that occur in two arguments of the same symbol.

    Raises:
        RulesheetError: A statement has no meaning.
    """
    if rules.problems:
        raise rules.problems[0]

    def rng_for(purpose: str) -> random.Random:
        """Return a random generator for one purpose, so that new names do not depend on `board`."""
        return random.Random(f"{seed} {purpose} {rules.digest}")

    names = _symbols(rules)
    if symbols:
        fixed = _fixed(rules)
        made = invented_words(names, rng_for("symbols"))
        names |= {name: next(made) for name in names if name not in fixed}
    elif board:
        names |= _swapped(rules, rng_for("constants"))
    orders = _orders(rules, rng_for("arguments")) if board else {}
    statements = [*rules.forms]
    if symbols:
        roles = list(filter(_is_about_roles, statements))
        others = [form for form in statements if form not in roles]
        rng_for("rules").shuffle(others)
        statements = roles + others
    writer = _Writer(rules, names, orders)
    variables = rng_for("variables") if symbols else None
    text = "\n".join(writer.statement(form, variables) for form in statements)
    comments = _comments(_plain_places(rules), names)
    return Scrambled(comments + format_kif(text, rules.name), rules.name, seed, names, orders)


def _is_about_roles(statement: Form) -> bool:
    head, _ = head_and_body(statement)
    return isinstance(head, Group) and head.head == "role"


def _symbols(rules: Rulesheet) -> dict[str, str]:
    found = {
        rules.spelling.of(word.text)
        for form in rules.forms
        for word in words(form)
        if not word.is_variable
    }
    return {name: name for name in sorted(found - KEYWORDS)}


def _fixed(rules: Rulesheet) -> frozenset[str]:
    """Return symbols that must keep their names: numbers in goals, and roles ordered by name."""
    flow = ArgumentFlow(rules.rules)
    fixed = frozenset(filter(NUMBER.fullmatch, flow.domain(GOAL_VALUE).constants))
    roles = rules.definitions.get(Relation("role", 1), ())
    return fixed if all(rule.is_fact for rule in roles) else fixed | flow.domain(ROLE).constants


def _swapped(rules: Rulesheet, rng: random.Random) -> dict[str, str]:
    """Return new names for constants that are coordinates: a permutation of their old names."""
    flow = ArgumentFlow(rules.rules)
    domains = flow.domains()
    fixed = _fixed(rules) | flow.domain(ROLE).constants | KEYWORDS
    groups: dict[tuple[int, ...], list[str]] = {}
    for name in sorted(set().union(*(domain.constants for domain in domains)) - fixed):
        own = [number for number, domain in enumerate(domains) if name in domain.constants]
        if any(_is_of_coordinates(domains[number]) for number in own):
            groups.setdefault(tuple(own), []).append(name)
    found: dict[str, str] = {}
    for group in groups.values():
        found.update(zip(group, _shuffled(group, rng), strict=True))
    return found


def _is_of_coordinates(domain: Domain) -> bool:
    """Return whether a domain covers several arguments of one symbol, such as row and column."""
    places = [place[:2] for place in domain.places if place.name not in KEYWORDS]
    return len(set(places)) < len(places)


def _orders(rules: Rulesheet, rng: random.Random) -> dict[Relation, Order]:
    """Return new orders of arguments that keep adjacent coordinates next to each other, in order.

    If columns and rows were swapped, a board would be drawn on its side. If the coordinates of a
    place were separated, lines between places would not be recognised. In a fact such as
    `(line 1 2 3 4)`, no rule says which two of the numbers are the column and row of one end.
    """
    plain = _plain_places(rules)
    domains = ArgumentFlow(rules.rules).domains()
    coordinates = {
        place
        for domain in domains
        if ROLE not in domain.places
        if _is_of_coordinates(domain) or (domain.constants and domain.constants <= plain.keys())
        for place in domain.places
    }
    relations = {
        Relation(place.name, place.arity)
        for domain in domains
        for place in domain.places
        if place.arity > 1 and place.name not in KEYWORDS
    }
    found = {}
    for relation in sorted(relations):
        blocks: list[list[int]] = []
        for at in range(relation.arity):
            is_coordinate = Place(*relation, at) in coordinates
            if is_coordinate and at and Place(*relation, at - 1) in coordinates:
                blocks[-1].append(at)
            else:
                blocks.append([at])
        found[relation] = tuple(chain(*_shuffled(blocks, rng)))
    return {
        relation: order
        for relation, order in found.items()
        if order != tuple(range(relation.arity))
    }


_Item = TypeVar("_Item")


def _shuffled(items: list[_Item], rng: random.Random) -> list[_Item]:
    """Return the items in a random order that differs from theirs, unless there is only one."""
    found = rng.sample(items, len(items))
    return found if found != items else [*items[1:], *items[:1]]


_NUMBERED = re.compile(r"([a-z]+)([0-9]{1,2})")
_NAMES_IN_LINE = 8


def _plain_places(rules: Rulesheet) -> dict[str, str]:
    """Map each name that looks like a place on a board to a name that reveals nothing else.

    Such names are numbers, consecutive letters, and words with a number: `row3` becomes `aa3`.
    """
    found: dict[str, str] = {}
    words: dict[str, str] = {}
    for domain in ArgumentFlow(rules.rules).domains():
        letters = sorted(name for name in domain.constants if re.fullmatch("[a-z]", name))
        if len(letters) > 1 and ord(letters[-1]) - ord(letters[0]) < len(letters):
            found |= {name: name for name in letters}
        for name in sorted(domain.constants):
            if re.fullmatch("[0-9]{1,3}", name):
                found[name] = name
            elif match := _NUMBERED.fullmatch(name):
                word, number = match.groups()
                letter = chr(ord("a") + len(words) % 26)
                found[name] = (
                    name if len(word) == 1 else words.setdefault(word, 2 * letter) + number
                )
    return found


def _comments(plain: Mapping[str, str], names: Mapping[str, str]) -> str:
    """Return comments that say which new names stand for places, so that boards can be drawn."""
    # A name that looked like a place may now belong to another symbol.
    moved = [old for old, new in names.items() if new != old and (old in plain or new in plain)]
    pairs = sorted(f"{names[name]}={plain.get(name, name)}" for name in moved)
    lines = [
        " ".join([";;@places", *pairs[start : start + _NAMES_IN_LINE]])
        for start in range(0, len(pairs), _NAMES_IN_LINE)
    ]
    return "".join(f"{line}\n" for line in lines)


def invented_words(
    taken: Iterable[str], rng: random.Random, num_syllables: int = 2
) -> Iterator[str]:
    """Yield distinct pronounceable words that are neither keywords nor in `taken`.

    Words that differ only by case count as equal. Once the short words run out, yield longer ones.
    """
    seen = {*KEYWORDS, *(name.lower() for name in taken)}
    tries = 0
    while True:
        syllables = num_syllables + tries // 200
        word = "".join(
            rng.choice(_CONSONANTS) + rng.choice(_VOWELS) for _ in range(syllables)
        ) + rng.choice(_CONSONANTS)
        if word in seen:
            tries += 1
            continue
        seen.add(word)
        yield word


class _Writer:
    """Writer of statements with new names and new orders of arguments."""

    def __init__(
        self, rules: Rulesheet, names: Mapping[str, str], orders: Mapping[Relation, Order]
    ) -> None:
        self._spelled = rules.spelling.of
        self._names = names
        self._orders = orders

    def statement(self, form: Form, rng: random.Random | None) -> str:
        """Return the text of a statement. If `rng` is given, rename its variables."""
        variables = {word.text.lower(): "" for word in words(form) if word.is_variable}
        if rng is not None:
            made = invented_words([name[1:] for name in variables], rng, num_syllables=1)
            variables = {name: f"?{next(made)}" for name in variables}
        head, body = head_and_body(form)
        write = self._written(lambda name: variables[name] or name)
        if not body:
            return write(head)
        # The line break after the head puts each condition on its own line.
        return f"(<= {write(head)}\n{' '.join(map(write, body))})"

    def _written(self, variable: Callable[[str], str]) -> Callable[[Form], str]:
        def write(form: Form) -> str:
            if not isinstance(form, Group):
                if form.is_variable:
                    return variable(form.text.lower())
                name = self._spelled(form.text)
                return self._names.get(name, name)
            first, *rest = form.items
            name = self._spelled(str(first))
            args = [write(item) for item in rest]
            order = self._orders.get(Relation(name, len(args)), range(len(args)))
            return f"({' '.join([write(first), *(args[old] for old in order)])})"

        return write
