"""Quick fixes that add missing rules, conditions and parentheses."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from gdl.check import Diagnostic
from gdl.check.misspelt_keyword import meant_keywords
from gdl.editing.draft import Draft
from gdl.editing.index import Occurrence, Space
from gdl.editing.renaming import Edit
from gdl.rulesheet import RESERVED
from gdl.syntax import Form, Group, head_and_body
from gdl.tokens import COMMENT

# Finds in a message the rule to add, and the condition that needs the relation it defines.
_NONE_AT_ALL = re.compile(r"write (\(<= .+\)) and here (\(not .+?\))(?:; else|$)")

_OTHER_ROLE = re.compile(r"for the other role add (\(role .+?\) \(distinct .+?\))")


class Cure(NamedTuple):
    """Quick fix: its title in the editor, and the edits to make."""

    title: str
    edits: tuple[Edit, ...]


def edit_at(found: Diagnostic, text: str) -> Edit:
    """Return the edit that puts `text` in place of the text that a finding marks."""
    return Edit(found.span.start, found.span.end, text)


def keep_facts(draft: Draft, found: Diagnostic) -> Iterator[Cure]:
    """Offer to insert the proposed rules, which preserve facts, after the marked statement."""
    statement = draft.statement_at(found.span.start)
    if statement is not None and found.instead:
        end = statement.span.end
        yield Cure(
            f"Keep the facts '{draft.text_of(found)}'",
            (Edit(end, end, f"\n{found.instead}"),),
        )


def add_rule(draft: Draft, found: Diagnostic) -> Iterator[Cure]:
    """Offer to add the rules that a finding proposes."""
    if found.instead:
        yield _appended(draft, found.instead)


def adding(*lines: str) -> Callable[[Draft, Diagnostic], Iterator[Cure]]:
    """Return a function that offers to add `lines` to the rules.

    The role of the marked statement replaces `{role}` in them. If the finding itself proposes
    rules, the function offers those instead.
    """

    def add(draft: Draft, found: Diagnostic) -> Iterator[Cure]:
        meant = meant_keywords(draft.rulesheet).values() if draft.rulesheet else ()
        if found.code.removeprefix("no-") in meant:
            return  # the keyword is there, but misspelt
        role = draft.at(_role_offset(draft, found))
        name = draft.text[role.start : role.end] if role else ""
        yield _appended(draft, found.instead or "\n".join(lines).format(role=name))

    return add


def _appended(draft: Draft, rules: str) -> Cure:
    title, end = f"Add {' '.join(rules.split())}", len(draft.text)
    if draft.wrap_end is not None:
        return Cure(title, (Edit(draft.wrap_end, draft.wrap_end, f"\n{rules}\n"),))
    before = "" if not draft.text or draft.text.endswith("\n") else "\n"
    return Cure(title, (Edit(end, end, f"{before}{rules}\n"),))


def _role_offset(draft: Draft, found: Diagnostic) -> int:
    statement = draft.statement_at(found.span.start)
    if isinstance(statement, Group) and len(statement.items) > 1:
        return statement.items[1].span.start
    return found.span.start


def ask_with_does(draft: Draft, one: Occurrence) -> Iterator[Cure]:
    """Offer to wrap a move in `does` if it is clear which role makes the move.

    That is clear if the game has only one role, or if the statement mentions only one.
    """
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


def add_condition(draft: Draft, found: Diagnostic) -> Iterator[Cure]:
    """Offer to insert the proposed condition after the marked one."""
    if found.instead:
        end = found.span.end
        before = draft.text[draft.text.rfind("\n", 0, end) + 1 : found.span.start]
        gap = " " if before.strip() else f"\n{before}"
        yield Cure(f"Add the condition {found.instead}", (Edit(end, end, f"{gap}{found.instead}"),))


def say_none_at_all(draft: Draft, found: Diagnostic) -> Iterator[Cure]:
    """Offer a new relation for facts that must not exist. Then offer what `bind_by_role` offers."""
    yield from bind_by_role(draft, found)
    named = _NONE_AT_ALL.search(found.message)
    statement = draft.statement_at(found.span.start)
    if named is None or statement is None:
        return
    rule, condition = named.groups()
    name = condition.removeprefix("(not ").strip("()").split()[0]
    if any(one.symbol.name == name for one in draft.index.occurrences):
        return
    place, end = _innermost(statement, "not", found.span.start).span, statement.span.end
    edits = (Edit(place.start, place.end, condition), Edit(end, end, f"\n{rule}"))
    yield Cure(f"Require that none exists, with a relation '{name}'", edits)


def _innermost(form: Form, word: str, offset: int) -> Form:
    """Return the innermost group around an offset that starts with `word`."""
    found = form
    while isinstance(form, Group):
        if form.head == word:
            found = form
        inner = (one for one in form.items if one.span.start <= offset < one.span.end)
        form = next(inner)
    return found


def bind_by_role(draft: Draft, found: Diagnostic) -> Iterator[Cure]:
    """Offer to add a condition that makes a variable a role, or the other role, if that fits."""
    one = draft.at(found.span.start)
    if one is None or one.symbol.space is not Space.VARIABLE:
        return
    statement = draft.statements[one.statement]
    places = draft.index.places(one.symbol)
    other = _OTHER_ROLE.search(found.message)
    if not isinstance(statement, Group) or not (other or any(map(_is_role, places))):
        return
    condition = other[1] if other else f"(role {draft.text[one.start : one.end]})"
    title = f"Add {condition}: the other role" if other else f"Add the condition {condition}"
    if statement.head == "<=":
        head, conditions = head_and_body(statement)
        end = (conditions[-1] if conditions else head).span.end
        yield Cure(title, (Edit(end, end, f"{_break(draft, conditions)}{condition}"),))
        return
    span = statement.span
    edits = (Edit(span.start, span.start, "(<= "), Edit(span.end, span.end, f" {condition})"))
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


def close(draft: Draft, found: Diagnostic) -> Iterator[Cure]:
    """Offer to add missing parentheses, or to remove an extra one."""
    if draft.text_of(found) == ")":
        yield Cure("Remove this ')'", (edit_at(found, ""),))
        return
    statement = draft.statement_at(found.span.start)
    if statement is None or draft.text_of(found) != "(":
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
    """Return a keyword with too many arguments, and the offset where its last proper argument ends.

    The keyword's parenthesis is probably not closed. Return None if there is no such keyword.
    """
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


def is_balanced(text: str) -> bool:
    """Return whether the parentheses in a text are balanced. Ignore those in comments."""
    depth = 0
    for mark in re.findall(r"[()]", COMMENT.sub("", text)):
        depth += 1 if mark == "(" else -1
        if depth < 0:
            return False
    return not depth


def _depth(text: str) -> int:
    bare = COMMENT.sub("", text)
    return bare.count("(") - bare.count(")")
