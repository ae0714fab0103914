"""Completions for the word that an author is typing."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from gdl.editing.draft import Draft
from gdl.editing.index import Kind, Occurrence, Space, Symbol
from gdl.rulesheet import RESERVED
from gdl.tokens import TOKEN, WORD_CHARACTER

_EPILOG_TOKEN = re.compile(r'%[^\r\n]*|"[^"\r\n]*"?|:-|::|==>|[(),&|~]|[^\s(),&|~%":]+')
_CONNECTIVES = ("<=", "not", "or", "and", "::")
_IN_HEADS = ("<=", "role", "init", "next", "legal", "goal", "terminal", "base", "input", "sees")
_IN_BODIES = ("true", "does", "not", "or", "distinct", "role", "and")
_OF_TERMS = {
    ("init", 0): Kind.BASE,
    ("next", 0): Kind.BASE,
    ("base", 0): Kind.BASE,
    ("true", 0): Kind.BASE,
    ("legal", 1): Kind.INPUT,
    ("does", 1): Kind.INPUT,
    ("input", 1): Kind.INPUT,
    ("sees", 1): Kind.PERCEPT,
}
_WITH_ROLE = ("role", "does", "legal", "goal", "sees", "input")
_RELATIONS = (Kind.STATIC, Kind.VIEW, Kind.MOVE_VIEW)


class Completion(NamedTuple):
    """Word to offer, with its kind and its number of arguments."""

    word: str
    kind: Kind
    detail: str = ""


class _Frame(NamedTuple):
    """Unclosed parenthesis before the cursor: its keyword or symbol, and how many items follow.

    An item is a word or a group. In Epilog the symbol comes before the parenthesis.
    """

    head: str
    length: int


def completions(draft: Draft, offset: int) -> list[Completion]:
    """Return the words that an author may want to type at an offset, the most likely first."""
    text = draft.text[_statement_start(draft, offset) : offset]
    if draft.is_epilog:
        frames, prefix = _epilog_frames(text)
    else:
        if ";" in text[text.rfind("\n") + 1 :]:
            return []  # inside a comment
        frames, prefix = _kif_frames(text)
    found = dict.fromkeys(_offered(draft, offset, frames, prefix))
    return [one for one in found if one.word != prefix or one.kind is Kind.KEYWORD]


def begun(draft: Draft, offset: int) -> int:
    """Return the start of the word that ends at `offset`, or `offset` if no word ends there."""
    end = r"[\w+*.-]*\Z" if draft.is_epilog else rf"{WORD_CHARACTER}*\Z"
    line = draft.text.rfind("\n", 0, offset) + 1
    found = re.search(end, draft.text[line:offset])
    return line + found.start() if found else offset


def _statement_start(draft: Draft, offset: int) -> int:
    opening = "(" if not draft.is_epilog else ""
    start = offset
    while start > 0:
        start = draft.text.rfind("\n", 0, start - 1) + 1 if start > 1 else 0
        first = draft.text[start : start + 1]
        if start < offset and first.strip() and (not opening or first == opening):
            return start
    return 0


def _kif_frames(text: str) -> tuple[list[_Frame], str]:
    opened: list[list[str]] = [[]]
    prefix = ""
    for match in TOKEN.finditer(text):
        word = match[0]
        prefix = ""
        if word == "(":
            opened.append([])
        elif word == ")":
            if len(opened) > 1:
                opened.pop()
            opened[-1].append("()")
        elif word.startswith(";"):
            continue
        elif match.end() == len(text):
            prefix = word
        else:
            opened[-1].append(word)
    frames = [_Frame(items[0].lower() if items else "", len(items)) for items in opened[1:]]
    return frames, prefix


def _epilog_frames(text: str) -> tuple[list[_Frame], str]:
    frames: list[_Frame] = [_Frame("<=", 1)]
    before = ""
    prefix = ""
    for match in _EPILOG_TOKEN.finditer(text):
        word, prefix = match[0], ""
        if word == "(":
            frames.append(_Frame(before.lower() or "and", 1))
        elif word == ")":
            if len(frames) > 1:
                frames.pop()
        elif word == ",":
            frames[-1] = frames[-1]._replace(length=frames[-1].length + 1)
        elif word in (":-", "::", "==>"):
            frames = [_Frame("<=", 2)]
        elif match.end() == len(text) and word not in "&|~":
            prefix = word
        is_name = word not in ("(", ")", ",", ":-", "::", "==>", "&", "|", "~")
        before = word if is_name else ""
    return frames, prefix


def _offered(draft: Draft, offset: int, frames: list[_Frame], prefix: str) -> Iterator[Completion]:
    is_variable = prefix[:1].isupper() if draft.is_epilog else prefix.startswith("?")
    variables = list(_variables(draft, offset))
    if is_variable:
        yield from variables
        return
    if not frames:
        return
    frame = frames[-1]
    if not draft.is_epilog and frame.length == 0:  # after an opening parenthesis
        yield from _heads(draft, frames[:-1])
        return
    if frame.head in _CONNECTIVES:
        yield from _atoms(draft, frame, is_word=not draft.is_epilog)
        return
    index = frame.length - 1
    wanted = _OF_TERMS.get((frame.head, index))
    if draft.is_epilog and wanted is not None:
        yield from _of_kinds(draft, (wanted,))
    yield from _arguments(draft, frame.head, index)
    yield from variables


def _heads(draft: Draft, outer: list[_Frame]) -> Iterator[Completion]:
    if not outer:
        yield from (_keyword(word) for word in _IN_HEADS)
        yield from _of_kinds(draft, _RELATIONS)
        return
    frame = outer[-1]
    if frame.head in _CONNECTIVES:
        yield from _atoms(draft, frame, is_word=False)
        return
    wanted = _OF_TERMS.get((frame.head, frame.length - 1))
    functions = (Kind.FUNCTION, Kind.BASE, Kind.INPUT)
    for kinds in ((wanted,), functions) if wanted is not None else (functions,):
        found = [one for one in _of_kinds(draft, kinds) if one.detail]
        yield from found
        if found:
            return


def _atoms(draft: Draft, frame: _Frame, *, is_word: bool) -> Iterator[Completion]:
    is_head = frame.head in ("<=", "::") and frame.length == 1
    kinds = (*_RELATIONS, Kind.UNDEFINED, Kind.BASE) if draft.is_epilog else _RELATIONS
    relations = _of_kinds(draft, kinds)
    words = (_keyword(word) for word in (_IN_HEADS[1:] if is_head else _IN_BODIES))
    found = [*words, *relations] if is_head else [*relations, *words]
    yield from (one for one in found if not is_word or not one.detail)


def _keyword(word: str) -> Completion:
    arity = RESERVED.get(word, 2)
    return Completion(word, Kind.KEYWORD, _detail(arity))


def _of_kinds(draft: Draft, kinds: Iterable[Kind]) -> Iterator[Completion]:
    index = draft.index
    for kind in kinds:
        for symbol, places in index.by_symbol.items():
            if index.kind(symbol) is kind:
                yield _completion(draft, places[0], kind)


def _completion(draft: Draft, one: Occurrence, kind: Kind) -> Completion:
    return Completion(draft.text[one.start : one.end], kind, _detail(one.symbol.arity))


def _detail(arity: int) -> str:
    return f"/{arity}" if arity else ""


def _variables(draft: Draft, offset: int) -> Iterator[Completion]:
    number = -1
    for found, statement in enumerate(draft.statements):
        if statement.span.start < offset:
            number = found
    for symbol in draft.index.variables_of(number):
        places = draft.index.places(symbol)
        if not all(place.end == offset for place in places):  # used elsewhere
            yield _completion(draft, places[0], Kind.VARIABLE)


def _arguments(draft: Draft, head: str, position: int) -> Iterator[Completion]:
    index = draft.index
    if position == 0 and head in _WITH_ROLE:
        yield from _of_kinds(draft, (Kind.ROLE,))
    constants: dict[Symbol, Occurrence] = {}
    others: dict[Symbol, Occurrence] = {}
    for one in index.occurrences:
        if one.symbol.space is not Space.TERM or one.symbol.arity or one.holder is None:
            continue
        is_here = one.holder.name == head and one.holder.position == position
        (constants if is_here else others).setdefault(one.symbol, one)
    for one in (*constants.values(), *others.values()):
        yield _completion(draft, one, index.kind(one.symbol))
