"""Checks for calls in the syntax of other languages, in conditions and statements of prefix KIF.

>>> import gdl
>>> [found] = gdl.check("(role w) (legal w a) (goal w 0) (init s) (<= terminal ~true(s))")
>>> found.instead
'(not (true s))'
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from gdl.check.diagnostic import Diagnostic, finding
from gdl.check.infix_rules import terms
from gdl.errors import Span
from gdl.rulesheet import KEYWORDS, RESERVED, Relation, Rulesheet
from gdl.rulesheet.infix import is_call
from gdl.syntax import Form, Group, Word

_TIGHT = re.compile(r"\w\(")
_SIGNS = frozenset({"\\+", "~", "!", "\u00ac", "not"})
_MARKS = ",&."  # may be joined to the name that follows
_NUMBERS = {**RESERVED, "distinct": 2}


def check_calls(rulesheet: Rulesheet) -> Iterator[Diagnostic]:
    """Find calls such as `does(w a)`, `~true(s)`, `(input(white b))` and `succ(1, 2).`."""
    if rulesheet.origin.is_epilog:
        return
    around = rulesheet.infix_rules.around
    forms = [form for form in rulesheet.forms if around(form) is None]
    calls = _Calls(rulesheet)
    yield from calls.of_statements(forms)
    for form in forms:
        text, start, end = form.span.source.text, form.span.start, form.span.end
        if isinstance(form, Group) and _TIGHT.search(text, start, end):
            yield from calls.within(form)


class _Calls:
    def __init__(self, rulesheet: Rulesheet) -> None:
        self._definitions = rulesheet.definitions
        self._terms = rulesheet.fluents | rulesheet.moves
        self._spelled = rulesheet.spelling.of
        self._names = KEYWORDS | {one.name.lower() for one in rulesheet.definitions}
        self._problems = [one.span for one in rulesheet.problems if one.span]

    def of_statements(self, forms: Sequence[Form]) -> Iterator[Diagnostic]:
        """Find facts that are written as calls, with or without a period."""
        for place, form in enumerate(forms[:-1]):
            call = forms[place : place + 2]
            if is_call(*call) and isinstance(call[1], Group) and call[1].head not in KEYWORDS:
                behind = forms[place + 2 : place + 3]
                is_mark = bool(behind) and str(behind[0]) in (",", ".")
                code = "keyword-arity" if _bare(form).lower() in RESERVED else "bare-word"
                yield self._finding(code, form, behind[0] if is_mark else call[1], call)

    def within(self, group: Group) -> Iterator[Diagnostic]:
        """Find calls in a statement or a condition."""
        name, *args = group.items or (group,)
        if group.head in ("<=", "and", "or", "not"):
            yield from self._among(group.items)
        elif isinstance(name, Word) and (meant := self._meant(name, args)):
            is_term = len(group.items) == 2 and self._is_wrong_term(args[0])
            code = "arity-clash" if is_term else _code(name)
            yield self._finding(code, group, group, group.items, meant)

    def _among(self, items: Sequence[Form]) -> Iterator[Diagnostic]:
        """Find calls among several conditions, with or without a sign in front."""
        place = 1
        while place < len(items):
            name = place + (str(items[place]) in _SIGNS)
            call = items[name : name + 2]
            if len(call) == 2 and is_call(*call) and (name > place or self._is_meant(*call)):
                end = name + 2
                yield self._finding(_code(call[0]), items[place], call[1], items[place:end])
            else:
                end = place + 1
                item = items[place]
                if isinstance(item, Group):
                    yield from self.within(item)
            place = end

    def _is_meant(self, name: Form, args: Form) -> bool:
        """Return whether a name and a group form one condition. `terminal(true (s))` is two."""
        word, num = _bare(name), len(_terms(_items(args)))
        if word.lower() in ("and", "or"):
            return any(map(is_call, _items(args), _items(args)[1:]))
        if word.lower() in _NUMBERS:
            expected = _NUMBERS[word.lower()]
            return num == expected or (expected == 1 and num > 1)
        is_alone = (self._spelled(word), 0) in self._definitions
        is_defined = (self._spelled(word), num) in self._definitions
        is_condition = isinstance(args, Group) and args.head in self._names
        return not is_condition or (is_defined and not is_alone)

    def _meant(self, name: Word, args: Sequence[Form]) -> str:
        """Return the relation with its arguments if they only fit with calls read as terms."""
        is_keyword = name.text.lower() in RESERVED
        if len(args) == 1 and is_call(name, args[0]) and not self._fits(name, 1):
            forms = list(_items(args[0]))
        else:
            parts = [_items(arg) if self._is_wrong_term(arg) else (arg,) for arg in args]
            forms = [form for part in parts for form in part]
            if is_keyword and len(forms) > len(args):
                return f"({name} {' '.join(_terms(forms))})"
        found = _terms(forms)
        is_meant = len(found) != len(args) and self._fits(name, len(found))
        return f"({name} {' '.join(found)})" if is_meant and not self._fits(name, len(args)) else ""

    def _fits(self, name: Word, num: int) -> bool:
        word = name.text.lower()
        if word in _NUMBERS:
            return num == _NUMBERS[word]
        return (self._spelled(name.text), num) in self._definitions

    def _is_wrong_term(self, term: Form) -> bool:
        """Return whether a term is written as `(cell(1 1 b))`, while others are `(cell 1 1 b)`."""
        items = _items(term)
        if len(items) != 2 or not is_call(*items):
            return False
        num = len(_terms(_items(items[1])))
        return num > 1 and Relation(self._spelled(str(items[0])), num) in self._terms

    def _finding(
        self, code: str, first: Form, last: Form, forms: Sequence[Form], text: str = ""
    ) -> Diagnostic:
        span = Span(first.span.source, first.span.start, last.span.end)
        if any(span.start <= one.start and one.end <= span.end for one in self._problems):
            code = "statement"
        instead = text or _terms(forms)[0]
        given = " ".join(span.source.text[span.start : span.end].split())
        message = f"'{given}' is the syntax of another language; write {instead}"
        return finding(code, span, message, instead)


def _items(form: Form) -> tuple[Form, ...]:
    return form.items if isinstance(form, Group) else ()


def _terms(forms: Sequence[Form]) -> list[str]:
    return terms(forms, is_prolog=False)


def _bare(name: Form) -> str:
    """Return a name without the marks and signs in front."""
    return str(name).lstrip(_MARKS + "~!\\+\u00ac")


def _code(name: Form) -> str:
    return "keyword-arity" if _bare(name).lower() in RESERVED else "undefined"
