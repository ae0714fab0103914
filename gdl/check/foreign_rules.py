"""Rules and calls in the syntax of other languages: `head :- conditions`, `name(arguments)`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from gdl.check.diagnostic import Diagnostic, finding
from gdl.check.foreign import NOT_SIGNS, UNEQUAL, is_conjunction
from gdl.errors import Span
from gdl.rulesheet import KEYWORDS, RESERVED, Relation, Rulesheet
from gdl.rulesheet.infix import is_call
from gdl.syntax import Form, Group, Word

_NOT = (*NOT_SIGNS, "not")
_PARTS = re.compile(r"(,|\\==|\\=|!=|=\\=|=/=)")
_SIGN = re.compile(r"\\\+|[~!\u00ac]")
_CUTS = ("!,", "!.")  # cuts of Prolog, where `!` is not a negation


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
    """Translate adjacent terms to KIF. Copy unknown syntax unchanged."""
    found: list[str] = []
    forms = [part for form in forms for part in _parts(form)]
    is_denied = False
    place = 0
    while place < len(forms):
        form = forms[place]
        text, name = "", form.text.strip(",&").strip(".") if isinstance(form, Word) else ""
        sign = _SIGN.match(name)
        if sign is not None and name not in UNEQUAL | {sign[0]}:  # as in `!done`
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
    """Split a word at commas. Return an empty list for a Prolog cut."""
    if not isinstance(form, Word) or form.text.strip(",.") == "":
        return [form]
    if form.text in _CUTS:
        return []
    parts = [part for part in _PARTS.split(form.text) if part and part != ","]
    return [replace(form, text=part) for part in parts] if len(parts) > 1 else [form]


def _bare(text: str) -> str:
    """Remove superfluous parentheses: from `((p ?x))`, and from a single word."""
    is_wrapped = text.startswith("((") or (text.startswith("(") and " " not in text)
    return text[1:-1] if is_wrapped else text


def _compared(conditions: list[str]) -> list[str]:
    """Replace each sequence `a`, `!=`, `b` by `(distinct a b)`.

    The same applies to the other signs in `UNEQUAL`.
    """
    found: list[str] = []
    for condition in conditions:
        if len(found) > 1 and found[-1] in UNEQUAL:
            found.pop()
            found.append(f"(distinct {found.pop()} {condition})")
        else:
            found.append(condition)
    return found


_TIGHT = re.compile(r"\w\(")
_SIGNS = frozenset({"\\+", "~", "!", "\u00ac", "not"})
_MARKS = ",&."  # may be attached to the name that follows
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
                code = "keyword-arity" if _bare_call(form).lower() in RESERVED else "bare-word"
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
        """Return whether a name and the group after it are one condition.

        `terminal(true (s))` is two conditions: `terminal` and `(true s)`.
        """
        word, num = _bare_call(name), len(_terms(_items(args)))
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
        """Return a relation with the arguments that the author meant, or "" if there is no mistake.

        It is a mistake if the number of arguments is right only when calls among them, such as
        `f(a b)`, are read as terms.
        """
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
        """Return whether a term is written `(cell(1 1 b))`, but `(cell 1 1 b)` elsewhere."""
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


def _bare_call(name: Form) -> str:
    """Return a name without leading punctuation and signs of negation."""
    return str(name).lstrip(_MARKS + "~!\\+\u00ac")


def _code(name: Form) -> str:
    return "keyword-arity" if _bare_call(name).lower() in RESERVED else "undefined"
