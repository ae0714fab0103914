"""Syntax of other languages in conditions and statements, and its equivalent in GDL."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from gdl.check.diagnostic import Use
from gdl.check.likeness import undenied
from gdl.errors import RulesheetError, Span
from gdl.rulesheet import KEYWORDS, RESERVED, Relation, Rulesheet
from gdl.rulesheet.infix import RULE, is_arrow
from gdl.rulesheet.rules import CONNECTIVES
from gdl.syntax import Form, Group, Word, written

_SIGNS = frozenset({"+", "-", "*", "/", "mod"})
_RELATIONS = _SIGNS | {"is", "plus", "minus", "times"}
_SUM = re.compile(r"(\?\w+)[-+*/](?:\d+|\?\w+)")


def computing(number: str = "?n") -> str:
    """Return advice on how to express the successor of `number` in GDL."""
    result = "?m" if number != "?m" else "?n"
    return (
        "GDL cannot compute: write a table of facts, (succ 0 1) (succ 1 2) ..., and the condition "
        f"(succ {number} {result})"
    )


def summed(variable: str) -> str:
    """Return the variable in a sum such as `?n+1`, or "" if the word is not a sum."""
    found = _SUM.fullmatch(variable)
    return found[1] if found else ""


def is_computed(name: str, args: tuple[Form, ...]) -> bool:
    """Return whether a condition is arithmetic: `(is ?m (+ ?n 1))`, `(= ?m (+ ?n 1))`."""
    is_sum = any(isinstance(arg, Group) and arg.head in _SIGNS for arg in args)
    return len(args) > 1 and (is_sum or name.lower() in _RELATIONS)


def is_infix_sum(group: Group) -> bool:
    """Return whether a group is arithmetic in infix notation: `(?n + 1)`, `(?m is ?n + 1)`."""
    signs = (item.text.lower() for item in group.items[1:-1] if isinstance(item, Word))
    return len(group.items) > 2 and not _RELATIONS.isdisjoint(signs)


_COMMENTS = ("//", "/*", "#", "%", "--")
_EQUAL = frozenset({"=", "==", "eq", "equal", "same"})
UNEQUAL = frozenset({"!=", "/=", "<>", "\\=", "\\==", "=/=", "~=", "neq"})
_NUMERIC = frozenset({">", "<", ">=", "=<"})
_AND = frozenset({"&&", "&", "/\\", "\N{LOGICAL AND}", ",", "and"})
_OR = frozenset({"||", "|", "\\/", "\N{LOGICAL OR}", "or"})
CUT = "a cut of Prolog"
NOT_SIGNS = ("!", "~", "¬", "\\+", "-")


class Meaning(NamedTuple):
    """GDL equivalent of a foreign expression, with a hint for the author."""

    hint: str
    instead: str = ""
    span: Span | None = None  # what to replace; None means only the word


def comment(word: Word) -> str:
    """Return the start of a GDL comment if the word starts one in another language, else ""."""
    mark = next((mark for mark in _COMMENTS if word.text.startswith(mark)), "")
    return f";{word.text[len(mark) :]}" if mark else ""


def condition_meant(use: Use, rulesheet: Rulesheet) -> Meaning | None:
    """Return what to write in GDL for a condition whose relation is undefined.

    Return None if the condition does not look like another language.
    """
    if rulesheet.origin.is_epilog:
        return None
    if is_computed(use.word.text, use.args):
        return Meaning(computing())
    name, args = use.word.text, tuple(map(written, use.args))
    if not args and (alone := _alone(use.word, rulesheet)):
        return alone
    if len(args) == 1 and name in NOT_SIGNS:
        return _negation(name, args[0], use.form.span)
    if args and name in _AND | _OR:
        word = "and" if name in _AND else "or"
        return Meaning(f"'{name}' is '{word}' in GDL", word)
    compared = _compared(name, *args) if len(args) == 2 else None
    return compared or (_denied(use, rulesheet) if name.startswith(NOT_SIGNS) else None)


def _alone(word: Word, rulesheet: Rulesheet) -> Meaning | None:
    """Return what to write in GDL for a single word between conditions.

    Return None if the word is not syntax of another language.
    """
    if comment(word):
        return Meaning("comments begin with ';'", comment(word), word.span)
    if word.text in _AND:
        return Meaning(
            f"conditions that all have to hold stand next to each other, so leave '{word}' out"
        )
    if word.text in _OR:
        return Meaning("(or FIRST SECOND) says that one of two conditions holds")
    path = _path(rulesheet.forms, word.span) if word.text in NOT_SIGNS else []
    outer = path[-2] if len(path) > 1 else None
    following = _next_item(outer, path[-1]) if isinstance(outer, Group) else None
    if word.text == "!" and (following is None or _is_denial(following)):
        return Meaning(f"{CUT} has no meaning in GDL, which tries all rules; leave it out")
    if following is None:
        return None
    return _negation(word.text, written(following), _between(word, following))


def opposite_meant(use: Use, rulesheet: Rulesheet) -> Meaning | None:
    """Return what to write in GDL if a name negates a known relation, as in `(unowned ?x)`.

    Return None if it does not.
    """
    return None if rulesheet.origin.is_epilog else _denied(use, rulesheet)


def is_conjunction(word: str) -> bool:
    """Return whether a word between conditions means `and` in another language."""
    return word in _AND


def statement_meant(problem: RulesheetError, rulesheet: Rulesheet) -> Meaning | None:
    """Return what to write in GDL instead of a statement without meaning.

    Return None if the author's intention is unclear.
    """
    assert problem.span is not None
    path = _path(rulesheet.forms, problem.span)
    if not path or rulesheet.origin.is_epilog:
        return None
    form, outer = path[-1], path[-2] if len(path) > 1 else None
    if (form.head if isinstance(form, Group) else form.text.lower()) == "not":
        return _denial_meant(form, outer)
    if isinstance(form, Group) and outer is None and form.head in CONNECTIVES:
        return Meaning(f"a condition belongs in a rule: {RULE}")
    is_first = isinstance(outer, Group) and outer.items[0] is form
    if not isinstance(outer, Group) or not is_first or not problem.message.endswith("after '('"):
        return None
    is_rule = len(outer.items) > 1 and not is_arrow(outer.items[1])  # see `check_infix_rules`
    if len(path) == 2 and isinstance(form, Group) and is_rule:
        text = outer.span.source.text[form.span.start : outer.span.end]
        return Meaning("a rule begins with '<='", f"(<= {text}", outer.span)
    return _infix(outer)


def _denial_meant(form: Form, outer: Form | None) -> Meaning | None:
    """Return what to write in GDL for `not (p a)` and for `(not p a)`, or None for other forms."""
    if outer is None:
        return Meaning(f"a condition belongs in a rule: {RULE}")
    if isinstance(form, Word) and isinstance(outer, Group):
        following = _next_item(outer, form)
        if following is not None:
            return _negation("not", written(following), _between(form, following))
    elif isinstance(form, Group) and len(form.items) > 2 and isinstance(form.items[1], Word):
        text = " ".join(map(written, form.items[1:]))
        return _negation("not", f"({text})", form.span)
    return None


def statements_meant(use: Use, rulesheet: Rulesheet) -> Meaning | None:
    """Return the facts or the rule that a keyword with too many arguments was meant to be."""
    name, num = use.symbol.name, RESERVED[use.symbol.name]
    if len(use.args) <= num or rulesheet.origin.is_epilog:
        return None
    if len(_path(rulesheet.forms, use.form.span)) != 1:
        return None
    kind = {"role": Word, "init": Group}.get(name)
    if kind and all(isinstance(arg, kind) and not _is_condition(arg) for arg in use.args):
        facts = " ".join(f"({name} {written(arg)})" for arg in use.args)
        return Meaning("write one fact for each", facts, use.form.span)
    rest = use.args[num:]
    if not all(map(_is_condition, rest)):
        return None
    source = use.form.span.source.text
    head = " ".join([use.word.text, *map(written, use.args[:num])])
    text = source[rest[0].span.start : use.form.span.end]
    head = f"({head})" if num else head
    return Meaning(f"a rule is written {RULE}", f"(<= {head} {text}", use.form.span)


def inverted(use: Use) -> Meaning | None:
    """Return `(not (true FACT))` for `(true (not FACT))`, and do the same for `does`.

    Return None for all other conditions.
    """
    about = use.args[-1] if use.args else None
    if use.symbol.name not in ("true", "does") or not isinstance(about, Group):
        return None
    if about.head != "not" or len(about.items) != 2 or len(use.args) != RESERVED[use.symbol.name]:
        return None
    words = [use.word.text, *map(written, use.args[:-1]), written(about.items[1])]
    instead = f"(not ({' '.join(words)}))"
    return Meaning(f"write 'not' outside: {instead}", instead, use.form.span)


def _is_condition(form: Form) -> bool:
    return isinstance(form, Group) and form.head in KEYWORDS - {"<=", "random"}


def _negation(sign: str, condition: str, span: Span) -> Meaning:
    instead = f"(not {condition})"
    what = f"'{sign}' is 'not' in GDL" if sign != "not" else "'not' stands before one condition"
    return Meaning(f"{what}: {instead}", instead, span)


def _denied(use: Use, rulesheet: Rulesheet) -> Meaning | None:
    """Return what to write in GDL for `(!open ?x)` or `(unowned ?x)`, with a sign or a prefix.

    Return None if the name does not negate another one.
    """
    name = use.word.text
    bare, num = undenied(name), use.symbol.arity
    if not bare:
        return None
    args = "".join(f" {written(arg)}" for arg in use.args)
    spelled = rulesheet.spelling.of(bare)
    is_sign = name.startswith(NOT_SIGNS)
    known = {relation.name for relation in rulesheet.definitions} | RESERVED.keys()
    is_known = bare.lower() in known if is_sign else Relation(spelled, num) in rulesheet.definitions
    atom = f"({bare}{args})" if args else bare
    if not is_known and Relation(spelled, num) in rulesheet.fluents:
        atom, is_known = f"(true {atom})", True
    if is_sign and (is_known or name[0] != "-"):
        return _negation(name[: -len(bare)], atom, use.form.span)
    if not is_known:
        return None
    instead = f"(not {atom})"
    return Meaning(f"define it, or write {instead}", instead, use.form.span)


def _compared(name: str, left: str, right: str) -> Meaning | None:
    distinct = f"(distinct {left} {right}) says that two are not the same"
    if name.lower() in UNEQUAL:
        return Meaning(distinct, "distinct")
    if name.lower() in _EQUAL:
        return Meaning(f"write the same variable in both places; {distinct}")
    if name in _NUMERIC:
        return Meaning(
            "GDL cannot compare numbers: write a relation of facts, such as (succ 1 2), "
            "and rules such as (<= (greater ?a ?b) (succ ?b ?a))"
        )
    return None


def _infix(group: Group) -> Meaning | None:
    if len(group.items) == 1:
        inner = written(group.items[0])
        is_group = isinstance(group.items[0], Group)
        return Meaning(f"write {inner}", inner, group.span) if is_group else None
    if is_infix_sum(group):
        return Meaning(computing(), span=group.span)
    sign = group.items[1]
    if len(group.items) != 3 or not isinstance(sign, Word):
        return None
    left, right = written(group.items[0]), written(group.items[2])
    if sign.text.lower() in _AND | _OR:
        word = "and" if sign.text.lower() in _AND else "or"
        instead = f"({word} {left} {right})"
        return Meaning(f"write the word in front: {instead}", instead, group.span)
    found = _compared(sign.text, left, right)
    if found is not None and found.instead:
        return Meaning(found.hint, f"({found.instead} {left} {right})", group.span)
    return found._replace(span=group.span) if found else None


def _between(first: Form, last: Form) -> Span:
    return Span(first.span.source, first.span.start, last.span.end)


def _is_denial(form: Form) -> bool:
    """Return whether a form is already a `not`, so that a sign in front of it negates nothing."""
    return isinstance(form, Group) and form.head == "not"


def _next_item(group: Group, item: Form) -> Form | None:
    index = next(place for place, one in enumerate(group.items) if one is item) + 1
    return group.items[index] if index < len(group.items) else None


def _path(statements: Sequence[Form], span: Span) -> list[Form]:
    """Return the forms from a statement down to the one with the given span."""
    path: list[Form] = []
    inside = statements
    while index := bisect_right(inside, span.start, key=lambda form: form.span.start):
        form = inside[index - 1]
        path.append(form)
        if form.span == span:
            return path
        if not isinstance(form, Group):
            break
        inside = form.items
    return []
