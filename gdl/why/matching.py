"""Rules at given values: the head of a rule made equal to a fact, and its body accordingly."""

from __future__ import annotations

import re
from collections.abc import Sequence

from gdl.rulesheet import Comparison, Disjunction, Item, Literal, Rule
from gdl.terms import Compound, Term, Variable, substitute, variables

Bindings = dict[Variable, Term]

_ASKED = "?#"
"""Begins the variables of a question, so that they are none of a rule's."""
_RENAMED = re.compile(r"\?#+")


def matched(pattern: Term, fact: Term, known: Bindings) -> Bindings | None:
    """The values with which a pattern is a ground fact, the known ones among them; None if none."""
    found = dict(known)
    waiting = [(pattern, fact)]
    while waiting:
        left, right = waiting.pop()
        if isinstance(left, Variable):
            if found.setdefault(left, right) is not right:
                return None
        elif left.is_ground:
            if left is not right:
                return None
        else:
            assert isinstance(left, Compound)
            if not isinstance(right, Compound) or _symbol(left) != _symbol(right):
                return None
            waiting.extend(zip(left.args, right.args, strict=True))
    return found


def body_for(rule: Rule, atom: Term) -> tuple[Item, ...] | None:
    """The body of a rule where its head is an instance of an atom; None where it never is.

    The atom may have variables, which have nothing to do with those of the rule.
    """
    if atom.is_ground:
        found = matched(rule.head, atom, {})
        return None if found is None else tuple(at(item, found) for item in rule.body)
    apart = {name: Variable(f"{_ASKED}{name.name[1:]}") for name in variables(atom)}
    found = _unified(substitute(atom, dict(apart)), rule.head)
    if found is None:
        return None
    values = {name: _resolved(name, found) for name in found}
    return tuple(at(item, values) for item in rule.body)


def at(item: Item, values: Bindings) -> Item:
    """A condition with the values that variables have."""
    if isinstance(item, Literal):
        return Literal(substitute(item.atom, values), item.is_positive, item.span)
    if isinstance(item, Comparison):
        left, right = substitute(item.left, values), substitute(item.right, values)
        return Comparison(left, right, item.is_distinct, item.span)
    branches = tuple(tuple(at(part, values) for part in branch) for branch in item.branches)
    return Disjunction(branches, item.span)


def compared(item: Comparison) -> Bindings | None:
    """The values with which a comparison holds; None where it fails."""
    if item.left.is_ground and item.right.is_ground:
        return {} if (item.left is not item.right) == item.is_distinct else None
    if item.is_distinct:
        return {}
    if item.left.is_ground:
        return matched(item.right, item.left, {})
    return matched(item.left, item.right, {}) if item.right.is_ground else {}


def text_of(item: Item) -> str:
    """A condition as it is shown."""
    return _RENAMED.sub("?", str(item))


def shown(term: Term) -> str:
    """A fact as it is shown."""
    return _RENAMED.sub("?", str(term))


def nearest_to(fact: Term, known: Sequence[Term], most: int) -> tuple[str, ...]:
    """The facts of the same symbol that agree in most arguments, and in one at least."""
    if not isinstance(fact, Compound):
        return ()
    scored = []
    for other in known:
        if isinstance(other, Compound) and _symbol(other) == _symbol(fact):
            same = [left is right for left, right in zip(fact.args, other.args, strict=True)]
            # Boards name a place first and what lies there last.
            if any(same) or len(same) == 1:
                scored.append((-sum(same), [not one for one in same], str(other)))
    best = min(scored, default=None)
    return tuple(text for score, _, text in sorted(scored)[:most] if best and score == best[0])


def _symbol(term: Compound) -> tuple[str, int]:
    return term.name, len(term.args)


def _unified(asked: Term, head: Term) -> Bindings | None:
    found: Bindings = {}
    waiting = [(asked, head)]
    while waiting:
        left, right = (_followed(term, found) for term in waiting.pop())
        if left is right:
            continue
        if isinstance(right, Variable) and not isinstance(left, Variable):
            left, right = right, left
        if isinstance(left, Variable):
            if left in variables(_resolved(right, found)):
                return None
            found[left] = right
        elif (
            isinstance(left, Compound)
            and isinstance(right, Compound)
            and _symbol(left) == _symbol(right)
        ):
            waiting.extend(zip(left.args, right.args, strict=True))
        else:
            return None
    return found


def _followed(term: Term, found: Bindings) -> Term:
    while isinstance(term, Variable) and term in found:
        term = found[term]
    return term


def _resolved(term: Term, found: Bindings) -> Term:
    term = _followed(term, found)
    if isinstance(term, Compound) and not term.is_ground:
        return Compound(term.name, tuple(_resolved(arg, found) for arg in term.args))
    return term
