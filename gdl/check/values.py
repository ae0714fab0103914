"""Constants in conditions that nothing can have there: a forgotten `?`, another thing's name."""

from __future__ import annotations

from collections.abc import Iterator

from gdl.check.definitions import check_facts, check_moves
from gdl.check.diagnostic import Diagnostic, finding, first_word
from gdl.check.likeness import nearest
from gdl.check.roles import check_roles
from gdl.rulesheet import Rulesheet
from gdl.rulesheet.flow import ArgumentFlow, Place
from gdl.rulesheet.rules import CONNECTIVES
from gdl.syntax import Form, Group, Word, head_and_body, words

_ASKED = (check_facts, check_moves, check_roles)
"""What these ask about is not asked about again."""
_MOST_NAMED = 5  # values of a place in a message


def check_values(rulesheet: Rulesheet) -> Iterator[Diagnostic]:
    """Constants of conditions that no head and no fact has where they stand, nor a variable brings.

    A variable may bring all that may stand at any of its places, so what is found never holds.
    """
    if rulesheet.origin.builtins:  # which may make any number
        return
    flow = ArgumentFlow(rulesheet.rules)
    domain_of = {place: number for number, one in enumerate(flow.domains()) for place in one.places}
    made: dict[int, set[str]] = {}
    asked: list[tuple[int, Word, Form]] = []
    for rule in rulesheet.rules:
        head, body = head_and_body(rule.form)
        for place, word in _constants(head, rulesheet):
            made.setdefault(domain_of[place], set()).add(_name(word, rulesheet))
        for condition in body:
            for place, word in _constants(condition, rulesheet):
                asked.append((domain_of[place], word, rule.form))
    known = {found.span for check in _ASKED for found in check(rulesheet)}
    for domain, word, statement in asked:
        values = made.get(domain, set())
        if values and _name(word, rulesheet) not in values and word.span not in known:
            yield _finding(word, statement, values)


def _name(word: Word, rulesheet: Rulesheet) -> str:
    return str(rulesheet.term(word))


def _constants(form: Form, rulesheet: Rulesheet) -> Iterator[tuple[Place, Word]]:
    """The constants that are arguments in a head or condition, and their places."""
    waiting = [form]
    while waiting:
        form = waiting.pop()
        if not isinstance(form, Group):
            continue
        args = form.items[1:]
        waiting += args
        if form.head in CONNECTIVES:
            continue
        name = rulesheet.spelling.of(first_word(form).text)
        for number, arg in enumerate(args):
            if isinstance(arg, Word) and not arg.is_variable:
                yield Place(name, len(args), number), arg


def _finding(word: Word, statement: Form, values: set[str]) -> Diagnostic:
    variables = {one.text.lower() for one in words(statement) if one.is_variable}
    meant = nearest(word.text, values)
    if f"?{word.text.lower()}" in variables:
        meant = f"?{word.text}"
    named = sorted(values)
    more = f" and {len(named) - _MOST_NAMED} more" if len(named) > _MOST_NAMED else ""
    cure = f"did you mean '{meant}'?" if meant else ""
    cure = cure or f"what may stand there: {', '.join(named[:_MOST_NAMED])}{more}"
    message = f"nothing has '{word.text}' at this place, so this never holds; {cure}"
    return finding("undefined-value", word.span, message, instead=meant)
