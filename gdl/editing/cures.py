"""Changes that do what a finding of `gdl.check` asks for."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from gdl.check import Diagnostic
from gdl.check.keywords import meant_keywords, missing_keywords
from gdl.editing.draft import Draft
from gdl.editing.index import Occurrence, Part, Space, Symbol
from gdl.editing.renaming import Edit
from gdl.rulesheet import RESERVED
from gdl.syntax import Form, Group, Word, head_and_body

# Of the message: a rule, and the condition that asks for what it defines.
_NONE_AT_ALL = re.compile(r"write (\(<= .+\)) and here (\(not .+?\))(?:; else|$)")


class Cure(NamedTuple):
    """A change and its title."""

    title: str
    edits: tuple[Edit, ...]


def cures(draft: Draft, found: Diagnostic) -> list[Cure]:
    """Changes that do what a finding asks for; none if only its author can know."""
    make = _CURES.get(found.code)
    if make is None or (draft.is_epilog and found.code not in _IN_BOTH):
        return []
    return list(make(draft, found))


def _replaced(draft: Draft, found: Diagnostic) -> Iterator[Cure]:
    one = draft.at(found.span.start)
    if one is not None and not (draft.is_epilog and one.symbol.space is Space.VARIABLE):
        yield from _written(draft, found, draft.index.places(one.symbol))


def _spelled(draft: Draft, found: Diagnostic) -> Iterator[Cure]:
    one = draft.at(found.span.start)
    if draft.is_epilog or one is None:
        return
    is_variable = one.symbol.space is Space.VARIABLE
    places = draft.index.occurrences
    yield from _written(
        draft, found, [p for p in places if not is_variable or p.statement == one.statement]
    )


def _written(draft: Draft, found: Diagnostic, places: Iterable[Occurrence]) -> Iterator[Cure]:
    one = draft.at(found.span.start)
    text = draft.text[one.start : one.end] if one else ""
    edits = tuple(
        Edit(place.start, place.end, found.instead)
        for place in places
        if draft.text[place.start : place.end] == text
    )
    if edits and found.instead:
        everywhere = f" at all {len(edits)} places" if len(edits) > 1 else ""
        yield Cure(f"Write '{found.instead}'{everywhere}", edits)


def _undefined(draft: Draft, found: Diagnostic) -> Iterator[Cure]:
    one = draft.at(found.span.start)
    if one is not None and not draft.is_epilog:
        fluent = Symbol(Space.TERM, one.symbol.name, one.symbol.arity)
        places = draft.index.definitions(fluent)
        if any(place.is_argument_of(word, 0) for place in places for word in ("init", "next")):
            span = one.form.span
            edits = (Edit(span.start, span.start, "(true "), Edit(span.end, span.end, ")"))
            yield Cure("Ask for the fact with 'true'", edits)
            return
        if any(place.is_argument_of("legal", 1) for place in draft.index.places(fluent)):
            yield from _with_does(draft, one)
            return
    yield from _replaced(draft, found)


def _with_does(draft: Draft, one: Occurrence) -> Iterator[Cure]:
    """Ask for a move of the one role that is clear: the only one there is, or in the statement."""
    rulesheet = draft.rulesheet
    roles = {str(role) for role in rulesheet.roles} if rulesheet else set()
    if len(roles) != 1:
        roles = {
            draft.text[place.start : place.end]
            for place in draft.index.occurrences
            if place.statement == one.statement and (_is_role(place) or _has_turn(draft, place))
        }
    if len(roles) == 1:
        span, role = one.form.span, roles.pop()
        edits = (Edit(span.start, span.start, f"(does {role} "), Edit(span.end, span.end, ")"))
        yield Cure(f"Ask for the move of {role} with 'does'", edits)


def _has_turn(draft: Draft, one: Occurrence) -> bool:
    before = draft.text[: one.start].rstrip().lower()
    return before.endswith("(control")


def _without_parentheses(draft: Draft, found: Diagnostic) -> Iterator[Cure]:
    text = draft.text[found.span.start : found.span.end].strip("()").strip()
    if text and not set("();") & set(text):
        yield Cure(f"Write {text} without parentheses", (_edit(found, text),))


def _without_arrow(draft: Draft, found: Diagnostic) -> Iterator[Cure]:
    statement = _statement(draft, found.span.start)
    if statement is not None:
        head = head_and_body(statement)[0].span
        text = draft.text[head.start : head.end]
        edit = Edit(statement.span.start, statement.span.end, text)
        yield Cure("Write a fact without '<='", (edit,))


def _removed(draft: Draft, found: Diagnostic) -> Iterator[Cure]:
    statement = _statement(draft, found.span.start)
    if statement is not None:
        yield Cure("Remove this statement", (_removal(draft, statement),))


def _unused(draft: Draft, found: Diagnostic) -> Iterator[Cure]:
    one = draft.at(found.span.start)
    if one is None or _lacks_keyword(draft):
        return
    numbers = [
        place.statement
        for place in draft.index.places(one.symbol)
        if place.part is Part.HEAD and place.holder is None
    ]
    edits = tuple(_removal(draft, draft.statements[number]) for number in numbers)
    if edits:
        yield Cure(f"Remove the relation '{_found_text(draft, found)}'", edits)


def _lacks_keyword(draft: Draft) -> bool:
    """Whether rules are missing that may need what is not used now."""
    return draft.rulesheet is None or bool(missing_keywords(draft.rulesheet))


def _unread(draft: Draft, found: Diagnostic) -> Iterator[Cure]:
    one = draft.at(found.span.start)
    if one is None or _lacks_keyword(draft):
        return
    makers = [
        place.statement
        for place in draft.index.places(one.symbol)
        if place.part is Part.HEAD and any(place.is_argument_of(x, 0) for x in ("init", "next"))
    ]
    edits = tuple(_removal(draft, draft.statements[number]) for number in sorted({*makers}))
    if edits:
        yield Cure(f"Remove the facts '{_found_text(draft, found)}'", edits)


def _kept(draft: Draft, found: Diagnostic) -> Iterator[Cure]:
    statement = _statement(draft, found.span.start)
    if statement is not None and found.instead:
        end = statement.span.end
        yield Cure(
            f"Keep the facts '{_found_text(draft, found)}'",
            (Edit(end, end, f"\n{found.instead}"),),
        )


def _found_text(draft: Draft, found: Diagnostic) -> str:
    return draft.text[found.span.start : found.span.end]


def _removal(draft: Draft, statement: Form) -> Edit:
    start, end = statement.span.start, statement.span.end
    text = draft.text
    is_alone = not text[text.rfind("\n", 0, start) + 1 : start].strip()
    line_end = text.find("\n", end)
    line_end = len(text) if line_end < 0 else line_end + 1
    if is_alone and not text[end:line_end].strip():
        return Edit(text.rfind("\n", 0, start) + 1, line_end, "")
    return Edit(start, end, "")


def _keyword_head(draft: Draft, found: Diagnostic) -> Iterator[Cure]:
    if _found_text(draft, found).lower() == "true":
        for word, meaning in (("next", "of the next state"), ("init", "of the first state")):
            yield Cure(f"Write '{word}': a fact {meaning}", (_edit(found, word),))


def _keyword_term(draft: Draft, found: Diagnostic) -> Iterator[Cure]:
    one = draft.at(found.span.start)
    if one is None or not isinstance(one.form, Group) or len(one.form.items) != 2:
        return
    inner, outer = one.form.items[1].span, one.form.span
    text = draft.text[inner.start : inner.end]
    word = _found_text(draft, found)
    yield Cure(f"Take '{word}' out", (Edit(outer.start, outer.end, text),))


def _unknown_role(draft: Draft, found: Diagnostic) -> Iterator[Cure]:
    rulesheet = draft.rulesheet
    for role in rulesheet.roles if rulesheet else ():
        yield Cure(f"Write '{role}'", (_edit(found, str(role)),))


def _unsafe_not(draft: Draft, found: Diagnostic) -> Iterator[Cure]:
    yield from _bound_by_role(draft, found)
    told = _NONE_AT_ALL.search(found.message)
    statement = _statement(draft, found.span.start)
    if told is None or statement is None:
        return
    rule, condition = told.groups()
    name = condition.removeprefix("(not ").strip("()").split()[0]
    if any(one.symbol.name == name for one in draft.index.occurrences):
        return
    place, end = _innermost(statement, "not", found.span.start).span, statement.span.end
    edits = (Edit(place.start, place.end, condition), Edit(end, end, f"\n{rule}"))
    yield Cure(f"Say that there is none at all, by a relation '{name}'", edits)


def _innermost(form: Form, word: str, offset: int) -> Form:
    """The last group with a word in front on the way to an offset."""
    found = form
    while isinstance(form, Group):
        if form.head == word:
            found = form
        inner = (one for one in form.items if one.span.start <= offset < one.span.end)
        form = next(inner)
    return found


def _bound_by_role(draft: Draft, found: Diagnostic) -> Iterator[Cure]:
    one = draft.at(found.span.start)
    if one is None or one.symbol.space is not Space.VARIABLE:
        return
    places = draft.index.places(one.symbol)
    if not any(map(_is_role, places)):
        return
    statement = draft.statements[one.statement]
    if not isinstance(statement, Group):
        return
    name = draft.text[one.start : one.end]
    title = f"Add the condition (role {name})"
    if statement.head == "<=":
        head, conditions = head_and_body(statement)
        end = (conditions[-1] if conditions else head).span.end
        yield Cure(title, (Edit(end, end, f"{_break(draft, conditions)}(role {name})"),))
        return
    span = statement.span
    edits = (Edit(span.start, span.start, "(<= "), Edit(span.end, span.end, f" (role {name}))"))
    yield Cure(title, edits)


def _break(draft: Draft, conditions: tuple[Form, ...]) -> str:
    if not conditions:
        return " "
    start = conditions[-1].span.start
    line = draft.text.rfind("\n", 0, start) + 1
    before = draft.text[line:start]
    return f"\n{before}" if not before.strip() else " "


def _is_role(one: Occurrence) -> bool:
    roled = ("role", "does", "legal", "goal", "sees", "input")
    return any(one.is_argument_of(word, 0) for word in roled)


def _closed(draft: Draft, found: Diagnostic) -> Iterator[Cure]:
    if _found_text(draft, found) == ")":
        yield Cure("Remove this ')'", (_edit(found, ""),))
        return
    statement = _statement(draft, found.span.start)
    if statement is None or _found_text(draft, found) != "(":
        return
    end = statement.span.end
    missing = _depth(draft.text[statement.span.start : end])
    last = _last_argument(statement)
    if missing == 1 and last is not None:
        word, end = last
        yield Cure(f"Close '{word}' with ')'", (Edit(end, end, ")"),))
    elif missing > 0:
        yield Cure(f"Close it with '{')' * missing}'", (Edit(end, end, ")" * missing),))


def _last_argument(statement: Form) -> tuple[str, int] | None:
    """A keyword that has too many arguments, as it is not closed, and the end of its own."""
    waiting = [statement]
    while waiting:
        form = waiting.pop()
        if not isinstance(form, Group):
            continue
        num = {**RESERVED, "not": 1, "distinct": 2}.get(form.head, 0)
        if 0 < num < len(form.items) - 1:
            return form.head, form.items[num].span.end
        waiting.extend(form.items)
    return None


def _depth(text: str) -> int:
    lines = (line.partition(";")[0] for line in text.split("\n"))
    return sum(line.count("(") - line.count(")") for line in lines)


def _arrow(draft: Draft, found: Diagnostic) -> Iterator[Cure]:
    if "a rule begins with '<='" in found.message:
        yield Cure("Write '<='", (_edit(found, "<="),))


def _added(*lines: str) -> Callable[[Draft, Diagnostic], Iterator[Cure]]:

    def add(draft: Draft, found: Diagnostic) -> Iterator[Cure]:
        meant = meant_keywords(draft.rulesheet).values() if draft.rulesheet else ()
        if found.code.removeprefix("no-") in meant:
            return  # it is there, but misspelt
        role = draft.at(_role_offset(draft, found))
        name = draft.text[role.start : role.end] if role else ""
        yield _appended(draft, "\n".join(lines).format(role=name))

    return add


def _appended(draft: Draft, rules: str) -> Cure:
    before = "" if not draft.text or draft.text.endswith("\n") else "\n"
    end = len(draft.text)
    return Cure(f"Add {' '.join(rules.split())}", (Edit(end, end, f"{before}{rules}\n"),))


def _role_offset(draft: Draft, found: Diagnostic) -> int:
    statement = _statement(draft, found.span.start)
    if isinstance(statement, Group) and len(statement.items) > 1:
        return statement.items[1].span.start
    return found.span.start


def _statement(draft: Draft, offset: int) -> Form | None:
    for statement in draft.statements:
        if statement.span.start <= offset < max(statement.span.end, statement.span.start + 1):
            return statement
    return None


def _edit(found: Diagnostic, text: str) -> Edit:
    return Edit(found.span.start, found.span.end, text)


def _rule_added(draft: Draft, found: Diagnostic) -> Iterator[Cure]:
    if found.instead:
        yield _appended(draft, found.instead)


def _word_statement(draft: Draft, found: Diagnostic) -> Iterator[Cure]:
    if isinstance(_statement(draft, found.span.start), Word):
        yield from _removed(draft, found)


_CURES: dict[str, Callable[[Draft, Diagnostic], Iterator[Cure]]] = {
    "syntax": _closed,
    "statement": _arrow,
    "bare-word": _word_statement,
    "spelling": _spelled,
    "duplicate": _removed,
    "empty-body": _without_arrow,
    "needless-parentheses": _without_parentheses,
    "keyword-head": _keyword_head,
    "keyword-body": _replaced,
    "keyword-term": _keyword_term,
    "unsafe-head": _bound_by_role,
    "unsafe-not": _unsafe_not,
    "unsafe-distinct": _bound_by_role,
    "variable-fact": _bound_by_role,
    "undefined": _undefined,
    "undefined-fact": _replaced,
    "undefined-move": _replaced,
    "undefined-value": _replaced,
    "misspelt": _replaced,
    "misspelt-keyword": _replaced,
    "unused": _unused,
    "unread-fact": _unread,
    "no-role": _added("(role player)"),
    "unknown-role": _unknown_role,
    "no-legal": _added("(legal {role} noop)"),
    "no-init": _rule_added,
    "play-no-move": _rule_added,
    "no-terminal": _added("(<= terminal\n    (true over))"),
    "play-lost": _kept,
}
_IN_BOTH = (
    "undefined",
    "undefined-fact",
    "undefined-move",
    "undefined-value",
    "misspelt",
    "misspelt-keyword",
    "unknown-role",
    "duplicate",
    "unused",
    "unread-fact",
)
"""Codes whose cures are the same in Epilog."""
