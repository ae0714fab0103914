"""Find out which legal move a text means. A text may mean one, several or none.

>>> names = {"(drop 1)": "drop in column 1", "(drop 4)": "drop in column 4"}
>>> read_move("`drop(4)`", names)
Understood(move='(drop 4)', name='drop in column 4', note='')
>>> read_move("drop", names).moves == names
True
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher, get_close_matches
from typing import Final

from ggp.naming.template import Template
from ggp.naming.words import MAX_READ, key, tokens
from ggp.protocol import shown
from ggp.term_text import first_term

MAX_NEAREST: Final = 5
MAX_COMPARED: Final = 100
"""Number of moves to compare in detail: those with the most words in common with the text."""
MAX_SHOWN: Final = 80
_NUMBER = re.compile(r"#?\s*([0-9]{1,6})\.?")
_DRESS = " \t\r\n`*_\"'“”$"

Tokens = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Understood:
    """Result of reading a text that means exactly one legal move.

    Attributes:
        move: The GDL term.
        note: How the text was understood. Empty if it was the move's name or term.
    """

    move: str
    name: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Ambiguous:
    """Result of reading a text that may mean several legal moves.

    Attributes:
        moves: The GDL terms of these moves, each with its name.
    """

    reason: str
    moves: dict[str, str]


@dataclass(frozen=True, slots=True)
class NotUnderstood:
    """Result of reading a text that means no legal move.

    Attributes:
        meant: GDL term of a move that is not legal now, or None if the text is not a move.
        nearest: Names of legal moves, by their GDL terms, the most similar first.
    """

    reason: str
    meant: str | None
    nearest: dict[str, str]


Reading = Understood | Ambiguous | NotUnderstood


def read_move(
    text: str,
    names: Mapping[str, str],
    templates: Iterable[Template] = (),
    name_of: Callable[[str], str] = str,
    *,
    is_numbered: bool = False,
) -> Reading:
    """Find out which move a text means.

    Args:
        names: Names of all legal moves, in the order of the moves.
        templates: Templates of the game's moves, used to recognise moves that are not legal.
        name_of: Function that returns the name of a move that is not legal.
        is_numbered: Whether `4` may select the fourth move. If so, `#4` always does.
    """
    text = text[:MAX_READ].strip()
    if move := _exact(text, names):
        return Understood(move, names[move])
    number = _number(text, names) if is_numbered else None
    if number and text.startswith("#"):
        return Understood(number, names[number], f"understood as: {names[number]}")
    for tier, found in enumerate(_tiers(tokens(text), names)):
        if number and tier >= _TIERS_BEFORE_NUMBERS:
            break
        possible = dict.fromkeys([*found, number] if found and number else found)
        if len(possible) == 1:
            [move] = possible
            return Understood(move, names[move], f"understood as: {names[move]}")
        if possible:
            return _ambiguous(text, list(possible), names, number)
    if number:
        return Understood(number, names[number], f"understood as: {names[number]}")
    meant = _meant(text, templates)
    what = f"{name_of(meant)} is not legal now" if meant else f"{_shown(text)} is no move here"
    return NotUnderstood(what, meant, nearest(meant or text, names))


def nearest(text: str, names: Mapping[str, str], num: int = MAX_NEAREST) -> dict[str, str]:
    """Return the `num` moves whose words are most similar to those of a text, with their names."""
    words = Counter(tokens(text))
    known = {move: (tokens(move), tokens(name)) for move, name in names.items()}

    def common(move: str) -> int:
        return max((Counter(one) & words).total() for one in known[move])

    candidates = sorted(names, key=common, reverse=True)[:MAX_COMPARED]
    said = tokens(text)
    ratios = {
        move: max(SequenceMatcher(None, said, one, autojunk=False).ratio() for one in known[move])
        for move in candidates
    }
    letters = {
        move: SequenceMatcher(None, text.casefold(), move, autojunk=False).ratio()
        for move in candidates
    }
    best = sorted(candidates, key=lambda move: (ratios[move], letters[move]), reverse=True)
    return {move: names[move] for move in best[:num]}


def alike(text: str, names: Mapping[str, str]) -> list[str]:
    """Return the moves that have a word, or nearly one, in common with a text. Keep their order."""
    said = tokens(text)
    known = {move: {*tokens(move), *tokens(name)} for move, name in names.items()}
    return [
        move for move, words in known.items() if any(get_close_matches(one, words) for one in said)
    ]


def _exact(text: str, names: Mapping[str, str]) -> str | None:
    """Return the move whose term or name is the text, ignoring case and outer punctuation."""
    bare = text.strip(_DRESS)
    for said in (text, bare):
        if said in names:
            return said
        found = next((move for move, name in names.items() if name == said), None)
        if found:
            return found
    term = first_term(bare)
    if term is not None and "".join(term.split()) == "".join(bare.split()):
        if term in names:
            return term
        folded = [move for move in names if move.casefold() == term.casefold()]
        if len(folded) == 1:
            return folded[0]
    words = key(text)
    for said_of in (names, {move: move for move in names}):
        same = [move for move, said in said_of.items() if words and key(said) == words]
        if len(same) == 1:
            return same[0]
    return None


_TIERS_BEFORE_NUMBERS: Final = 2


def _tiers(said: Tokens, names: Mapping[str, str]) -> Iterator[list[str]]:
    """Yield lists of moves that a text may mean. The lists go from exact to loose matches."""
    if not said:
        return
    known = {move: {tokens(name), tokens(move)} for move, name in names.items()}

    def fitting(fits: Callable[[Tokens], bool]) -> list[str]:
        return [move for move, texts in known.items() if any(map(fits, texts))]

    num = len(said)
    yield fitting(lambda one: one == said)
    yield fitting(lambda one: one[1:] == said)
    yield fitting(lambda one: _begins(one, said))
    yield fitting(lambda one: any(one[at : at + num] == said for at in range(len(one))))
    if num > 1 and not all(word.isdecimal() for word in said):
        yield fitting(lambda one: _is_within(said, one))


def _begins(one: Tokens, said: Tokens) -> bool:
    """Return whether the words in `one` begin with those in `said`.

    The last word of `said` may be incomplete, unless it is a number.
    """
    last = said[-1]
    at = len(said) - 1
    if len(one) <= at or one[:at] != said[:at]:
        return False
    return one[at] == last if last.isdecimal() else one[at].startswith(last)


def _is_within(said: Tokens, one: Tokens) -> bool:
    left = iter(one)
    return all(word in left for word in said)


def _number(text: str, names: Mapping[str, str]) -> str | None:
    match = _NUMBER.fullmatch(text)
    moves = list(names)
    return moves[int(match[1]) - 1] if match and 1 <= int(match[1]) <= len(moves) else None


def _ambiguous(
    text: str, found: list[str], names: Mapping[str, str], number: str | None
) -> Ambiguous:
    reason = f"{_shown(text)} may be {len(found)} moves"
    if number:
        bare = text.strip(" .#")
        reason = f"{_shown(text)} may be move number {bare}, type #{bare}, or the move's own {bare}"
    return Ambiguous(reason, {move: names[move] for move in found})


def _meant(text: str, templates: Iterable[Template]) -> str | None:
    """Return the term of the move, perhaps illegal, that a text means, or None."""
    templates = list(templates)
    bare = text.strip(_DRESS)
    words = key(bare)
    term = first_term(bare)
    for template in templates:
        head, arity = template.pattern[0].lower(), len(template.pattern) - 1
        if words[:1] == (head,) and len(words) == arity + 1:
            flat = f"({' '.join(words)})" if arity else head
            return term if term and term.startswith("(") and arity else flat
    said = tokens(text)
    return next(filter(None, (template.meant(said) for template in templates)), None)


def _shown(text: str) -> str:
    return repr(shown(text, MAX_SHOWN))
