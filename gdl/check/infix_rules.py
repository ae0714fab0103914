"""Rules of other languages whose arrow stands between head and conditions, rewritten in GDL.

>>> import gdl
>>> [found] = gdl.check("(role x) (legal x go) (goal x 0) (p 1) (terminal) :- (p 1), !(p 2)")
>>> found.instead
'(<= terminal (p 1) (not (p 2)))'
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from gdl.check.diagnostic import Diagnostic, finding
from gdl.check.foreign import NOT_SIGNS, UNEQUAL, is_conjunction
from gdl.rulesheet import RESERVED, Rulesheet
from gdl.rulesheet.infix import is_call
from gdl.syntax import Form, Group, Word

_NOT = (*NOT_SIGNS, "not")
_PARTS = re.compile(r"(,|\\==|\\=|!=|=\\=|=/=)")
_SIGN = re.compile(r"\\\+|[~!\u00ac]")
_CUTS = ("!,", "!.")  # no condition follows that they could negate


def check_infix_rules(rulesheet: Rulesheet) -> Iterator[Diagnostic]:
    """Find rules such as `(legal ?p go) :- (role ?p), !(true done)` and `p(X) :- q(X).`."""
    for rule in rulesheet.infix_rules.rules:
        forms, arrow = rule.forms, rule.arrow
        is_prolog = any(map(is_call, forms, forms[1:]))
        conditions = _compared(terms(forms[arrow + 1 :], is_prolog=is_prolog))
        [head, *more] = terms(forms[:arrow], is_prolog=arrow > 1) or [""]
        head = head[1:-1] if head.startswith("(") and " " not in head else head
        instead = f"(<= {' '.join([head, *more, *conditions])})" if head else ""
        yield finding("statement", rule.span, rule.problem.message, instead)


def terms(forms: Sequence[Form], *, is_prolog: bool) -> list[str]:
    """Return adjacent terms in KIF, and copy what is not understood."""
    found: list[str] = []
    forms = [part for form in forms for part in _parts(form)]
    is_denied = False
    place = 0
    while place < len(forms):
        form = forms[place]
        text, name = "", form.text.strip(",&").strip(".") if isinstance(form, Word) else ""
        sign = _SIGN.match(name)
        if sign is not None and name not in UNEQUAL | {sign[0]}:  # joined to what it negates
            name, is_denied = name[sign.end() :], not is_denied
        place += 1
        if isinstance(form, Group):
            text = _group(form, is_prolog=is_prolog)
        elif name in _NOT and place < len(forms):
            is_denied = not is_denied
        elif place < len(forms) and name and is_call(form, forms[place]):
            text = _call(name, forms[place], is_prolog=is_prolog)
            place += 1
        elif name and not is_conjunction(name):
            text = f"?{name}" if is_prolog and name[0].isupper() else name
        if text:
            found.append(f"(not {_bare(text)})" if is_denied else text)
            is_denied = False
    return found


def _group(group: Group, *, is_prolog: bool) -> str:
    items = group.items
    is_tight = len(items) == 2 and is_call(items[0], items[1])  # `(p(f a))` as well as `(p (f a))`
    if is_tight and is_prolog:
        return terms(items, is_prolog=True)[0]
    if group.head in ("and", "or") or (is_tight and group.head != "not"):
        return f"({' '.join([str(items[0]), *terms(items[1:], is_prolog=is_prolog)])})"
    inner = terms(items, is_prolog=is_prolog)
    return inner[0] if group.head == "not" and inner else f"({' '.join(inner)})"


def _call(name: str, group: Form, *, is_prolog: bool) -> str:
    assert isinstance(group, Group)
    args = terms(group.items, is_prolog=is_prolog)
    if len(args) > 1 and RESERVED.get(name.lower()) == 1:
        args = [f"({' '.join(args)})"]  # `true(cell 1 1 b)`
    return f"({' '.join([name, *args])})" if args else name


def _parts(form: Form) -> list[Form]:
    """Split a word at commas. Return no part for a cut of Prolog."""
    if not isinstance(form, Word) or form.text.strip(",.") == "":
        return [form]
    if form.text in _CUTS:
        return []
    parts = [part for part in _PARTS.split(form.text) if part and part != ","]
    return [replace(form, text=part) for part in parts] if len(parts) > 1 else [form]


def _bare(text: str) -> str:
    """Return `not(p(X))` without its extra parentheses, and a word without its own."""
    is_wrapped = text.startswith("((") or (text.startswith("(") and " " not in text)
    return text[1:-1] if is_wrapped else text


def _compared(conditions: list[str]) -> list[str]:
    """Return the conditions, joining those with a sign such as `!=` between them."""
    found: list[str] = []
    for condition in conditions:
        if len(found) > 1 and found[-1] in UNEQUAL:
            found.pop()
            found.append(f"(distinct {found.pop()} {condition})")
        else:
            found.append(condition)
    return found
