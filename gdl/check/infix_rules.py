"""Rules of other languages whose arrow stands between head and conditions, written as one of GDL.

>>> import gdl
>>> [found] = gdl.check("(role x) (legal x go) (goal x 0) (p 1) (terminal) :- (p 1), !(p 2)")
>>> found.instead
'(<= terminal (p 1) (not (p 2)))'
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from gdl.check.diagnostic import Diagnostic, finding
from gdl.check.foreign import NOT_SIGNS, RULE, UNEQUAL, is_arrow, is_conjunction
from gdl.errors import Span
from gdl.rulesheet import Rulesheet
from gdl.syntax import Form, Group, Word

_NOT = (*NOT_SIGNS, "not")
_CUTS = ("!,", "!.")  # where no condition follows that it could deny


def check_infix_rules(rulesheet: Rulesheet) -> Iterator[Diagnostic]:
    """Rules such as `(legal ?p go) :- (role ?p), !(true done)`, and `legal(P, go) :- role(P).`."""
    if rulesheet.origin.is_epilog:
        return
    forms = rulesheet.forms
    for place, form in enumerate(forms):
        if place and is_arrow(form) and form.span.column > 1 and not is_arrow(forms[place - 1]):
            start, end = _head(forms, place), _end(forms, place)
            if end > place + 1:
                span = Span(form.span.source, forms[start].span.start, forms[end - 1].span.end)
                yield from _findings(forms[start:end], place - start, span)
        elif isinstance(form, Group) and len(form.items) > 1 and is_arrow(form.items[1]):
            yield from _findings(form.items, 1, form.span)


def _findings(forms: Sequence[Form], arrow: int, span: Span) -> Iterator[Diagnostic]:
    terms = _terms(forms[:arrow], is_prolog=False)
    if not terms:  # `and` and signs alone are no head
        return
    [head, *more] = terms
    is_prolog = any(map(_is_call, forms, forms[1:]))
    conditions = _compared(_terms(forms[arrow + 1 :], is_prolog=is_prolog))
    head = head[1:-1] if head.startswith("(") and " " not in head else head
    yield finding(
        "statement",
        span,
        f"'{forms[arrow]}' stands between head and conditions; a rule is written {RULE}",
        instead=f"(<= {' '.join([head, *more, *conditions])})",
    )


def _head(forms: Sequence[Form], arrow: int) -> int:
    """The place where the head begins: `legal(P, go)` are two forms."""
    is_call = arrow > 1 and _is_call(forms[arrow - 2], forms[arrow - 1])
    return arrow - 2 if is_call else arrow - 1


def _is_call(name: Form, args: Form) -> bool:
    is_name = isinstance(name, Word) and name.text[-1].isalnum()
    return is_name and isinstance(args, Group) and name.span.end == args.span.start


def _end(forms: Sequence[Form], arrow: int) -> int:
    """The place behind the last condition.

    A rule ends with a period, before the head of another one, and where a line begins with a
    statement after no comma.
    """
    place = arrow + 1
    while place < len(forms):
        before, form = forms[place - 1], forms[place]
        is_open = place == arrow + 1 or (isinstance(before, Word) and before.text[-1] in ",&!~+")
        if isinstance(before, Word) and before.text.endswith(".") and not is_open:
            return place
        following = next((n for n in (place + 1, place + 2) if _is_arrow_at(forms, n)), None)
        if following is not None and _head(forms, following) == place:
            return place
        if form.span.column == 1 and not is_open:
            return place
        place += 1
    return place


def _is_arrow_at(forms: Sequence[Form], place: int) -> bool:
    return place < len(forms) and is_arrow(forms[place])


def _terms(forms: Sequence[Form], *, is_prolog: bool) -> list[str]:
    """The terms that stand beside each other, in KIF; what is not understood stays as it is."""
    found: list[str] = []
    forms = [part for form in forms for part in _parts(form)]
    is_denied = False
    place = 0
    while place < len(forms):
        form = forms[place]
        text, name = "", form.text.strip(",").removesuffix(".") if isinstance(form, Word) else ""
        place += 1
        if isinstance(form, Group):
            inner = _terms(form.items, is_prolog=is_prolog)
            text = inner[0] if form.head == "not" and inner else f"({' '.join(inner)})"
        elif name in _NOT and place < len(forms):
            is_denied = not is_denied
        elif place < len(forms) and name and _is_call(form, forms[place]):
            args = forms[place]
            assert isinstance(args, Group)
            text = f"({' '.join([name, *_terms(args.items, is_prolog=True)])})"
            place += 1
        elif name and not is_conjunction(name):
            text = f"?{name}" if is_prolog and name[0].isupper() else name
        if text:
            found.append(f"(not {_bare(text)})" if is_denied else text)
            is_denied = False
    return found


def _parts(form: Form) -> list[Form]:
    """A form, or those that commas part within one word; none for a cut of Prolog."""
    if not isinstance(form, Word) or form.text.strip(",.") == "":
        return [form]
    if form.text in _CUTS:
        return []
    parts = [part for part in form.text.split(",") if part]
    return [replace(form, text=part) for part in parts] if len(parts) > 1 else [form]


def _bare(text: str) -> str:
    """A term without the parentheses of `not(p(X))`."""
    return text[1:-1] if text.startswith("((") or " " not in text.strip("()") else text


def _compared(conditions: list[str]) -> list[str]:
    """The conditions, those with a sign such as `!=` in the middle as one."""
    found: list[str] = []
    for condition in conditions:
        if len(found) > 1 and found[-1] in UNEQUAL:
            found.pop()
            found.append(f"(distinct {found.pop()} {condition})")
        else:
            found.append(condition)
    return found
