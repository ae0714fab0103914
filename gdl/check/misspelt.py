"""Names that occur once and resemble a name used in the same places (`misspelt`)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from gdl.check.always_holds import check_question_marks
from gdl.check.diagnostic import Diagnostic, as_written, finding, first_word, uses
from gdl.check.likeness import num_wrong
from gdl.check.misspelt_keyword import check_misspelt_keywords
from gdl.check.roles import check_roles
from gdl.check.undefined import check_facts, check_moves
from gdl.rulesheet import KEYWORDS, Relation, Rulesheet
from gdl.syntax import Group, Word, words

_SHORT = 2
"""Names up to this length, such as `?x` and `b`, do not come from a scrambler."""
_WORDS = (
    "adjacent agent black blank block blue board card cell checker choice clock color colour "
    "column connected control coordinate count counter current direction done down draw east "
    "empty finished game green grid height index left level line location lose loser lost mark "
    "marked move noop north number object occupied open opponent other over owner pass pawn "
    "phase piece place player plus position queen red result right role rook round row rows "
    "score side size south square start state stay step stone succ successor take tile time "
    "token turn value wait wall west white width win winner won"
)
_COMMON = frozenset(_WORDS.split())


def is_scrambled(rulesheet: Rulesheet) -> bool:
    """Return whether the names look scrambled: none is short or a word that many rulesheets use.

    Scrambled names are drawn at random, so a resemblance between them means nothing.
    """
    return not any(_is_familiar(word) for form in rulesheet.forms for word in words(form))


def _is_familiar(word: Word) -> bool:
    name = word.text.lower().removeprefix("?")
    if not word.is_variable and name in KEYWORDS:
        return False
    return (len(name) <= _SHORT and name.isalpha()) or name in _COMMON


_OFTEN = 3  # a name must occur this often to count as meant despite two wrong letters
_MAX_COMMAS = 50
_MAX_PAIRS = 20_000  # comparing takes time, and rulesheets are untrusted

_Place = tuple[str, int]
_PLACES: dict[_Place, _Place] = {
    **{(word, 0): ("role", 0) for word in ("role", "does", "legal", "goal", "sees", "input")},
    **{(word, 1): ("move", 0) for word in ("does", "legal", "input")},
    **{(word, 0): ("fact", 0) for word in ("true", "init", "next", "base")},
}
"""For each argument of a keyword, the group of arguments that have the same values."""

_SIMILAR = (
    check_misspelt_keywords,
    check_facts,
    check_moves,
    check_roles,
    check_question_marks,
)


def check_misspelling(rulesheet: Rulesheet) -> Iterator[Diagnostic]:
    """Find constants, functions and variables that occur once and resemble another name.

    Leave out names that another check reports, and names in percepts, which no rule reads.
    """
    if not rulesheet.origin.is_epilog:
        yield from _with_commas(rulesheet)
    if is_scrambled(rulesheet):
        return
    yield from _variables(rulesheet)
    counts = Counter(word.text.lower() for form in rulesheet.forms for word in words(form))
    names = _names(rulesheet)
    usual = {symbol: counts[symbol.name.lower()] for symbol in names}
    usual = {symbol: count for symbol, count in usual.items() if count > 1}
    asked = {found.span for check in _SIMILAR for found in check(rulesheet)}
    percepts = (use.args[1] for use in uses(rulesheet) if use.symbol == ("sees", 2))
    asked |= {word.span for percept in percepts for word in words(percept)}
    num_pairs = 0
    for symbol, found in names.items():
        word, places = found[0].word, {name.place for name in found}
        if counts[symbol.name.lower()] > 1 or word.span in asked:
            continue
        num_pairs += len(usual)
        if num_pairs > _MAX_PAIRS:
            return
        alike = [
            other
            for other, count in usual.items()
            if other.arity == symbol.arity
            and (num := num_wrong(symbol.name, other.name))
            and (num == 1 or count >= _OFTEN or places & {name.place for name in names[other]})
        ]
        if alike:
            meant = max(alike, key=lambda other: usual[other]).name
            yield finding(
                "misspelt",
                word.span,
                f"'{symbol.name}' occurs nowhere else in the rules; did you mean '{meant}'?",
                instead=meant,
            )


def _with_commas(rulesheet: Rulesheet) -> Iterator[Diagnostic]:
    found = (word for form in rulesheet.forms for word in words(form) if word.text[-1] == ",")
    for word in islice(found, _MAX_COMMAS):
        meant = word.text.rstrip(",")
        cure = f"; did you mean '{meant}'?" if meant else ""
        message = f"the comma in '{word.text}' is part of the name; separate with spaces{cure}"
        yield finding("misspelt", word.span, message, instead=meant)


def _variables(rulesheet: Rulesheet) -> Iterator[Diagnostic]:
    """Find variables that occur once and resemble a more frequent variable of the same rule.

    Variables that differ only in the last letter, such as `?newx` and `?newy`, count as different.
    """
    rules = [[it for it in words(form) if it.is_variable] for form in rulesheet.forms]
    places = {(word.span.start, _bare(as_written(word))) for found in rules for word in found}
    counts = Counter(name for _, name in places)  # one Epilog rule may become several rules
    num_pairs = 0
    for found in rules:
        texts = {as_written(word) for word in found}
        usual = [text for text in sorted(texts) if counts[_bare(text)] > 1]
        for word in found:
            if counts[name := _bare(as_written(word))] > 1:
                continue
            num_pairs += len(usual)
            if num_pairs > _MAX_PAIRS:
                return
            alike = [text for text in usual if _is_slip(name, _bare(text))]
            if alike:
                meant = max(alike, key=lambda text: counts[_bare(text)])
                message = f"{as_written(word)} occurs once in this rule; did you mean {meant}?"
                yield finding("misspelt", word.span, message, instead=meant)


def _bare(variable: str) -> str:
    return variable.lower().removeprefix("?")


def _is_slip(name: str, other: str) -> bool:
    num_same = min(len(name), len(other)) - (len(name) == len(other))
    return num_wrong(name, other) > 0 and name[:num_same] != other[:num_same]


class _Name(NamedTuple):
    word: Word
    place: _Place


def _names(rulesheet: Rulesheet) -> dict[Relation, list[_Name]]:
    """Return the constants and functions used as arguments, with the places of each."""
    names: dict[Relation, list[_Name]] = defaultdict(list)
    for use in uses(rulesheet):
        for index, arg in enumerate(use.args):
            word = first_word(arg)
            if not word.is_variable:
                num_args = len(arg.items) - 1 if isinstance(arg, Group) else 0
                symbol = Relation(rulesheet.spelling.of(word.text), num_args)
                place = (use.symbol.name, index)
                names[symbol].append(_Name(word, _PLACES.get(place, place)))
    return names
