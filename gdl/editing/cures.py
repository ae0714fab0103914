"""Quick fixes for the findings of `gdl.check`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from textwrap import shorten

from gdl.check import Diagnostic, Severity
from gdl.check.foreign import CUT, is_conjunction
from gdl.check.misspelt_keyword import missing_keywords
from gdl.editing import additions
from gdl.editing.additions import Cure, edit_at, is_balanced
from gdl.editing.draft import Draft
from gdl.editing.index import Occurrence, Part, Space, Symbol
from gdl.editing.renaming import Edit
from gdl.rulesheet import RESERVED
from gdl.syntax import Form, Group, head_and_body
from gdl.tokens import BLANKS

_LONGEST_TITLE = 80  # in characters
_ENDS = frozenset(BLANKS + ");")  # characters that end a word, except "("
_FORWARD = ("->", "=>", "==>")  # arrows from a condition to its consequence
_MEANT = re.compile(r"\(or is (\S+(?: or \S+)*) meant, which .+?\?\)")  # one variable or several


def cures(draft: Draft, found: Diagnostic) -> list[Cure]:
    """Return the quick fixes for a finding. Return [] if only the author can know what to do."""
    make = _CURES.get(found.code)
    if make is None or (draft.is_epilog and found.code not in _IN_BOTH):
        return []
    return [
        Cure(cure.title, tuple(_apart(draft.text, edit) for edit in cure.edits))
        for cure in make(draft, found)
    ]


def _apart(text: str, edit: Edit) -> Edit:
    """Add spaces to an edit if it would join words or create a call, as in `(won)(lost)`."""
    start, end, new = edit
    before, after = text[start - 1 : start] if start else "", text[end : end + 1]
    if not new:
        return Edit(start, end, " ") if _joint(before, after) else edit
    if _joint(before, new[0]) not in ("", _joint(before, text[start : start + 1])):
        new = f" {new}"
    if _joint(new[-1], after) not in ("", _joint(text[end - 1 : end], after)):
        new = f"{new} "
    return Edit(start, end, new)


def _joint(left: str, right: str) -> str:
    """Return what two adjacent characters form: "word", "call" as in `p(`, or "" for neither."""
    if not left or not right or left in _ENDS | {"("} or right in _ENDS:
        return ""
    return "call" if right == "(" else "word"


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


def _renamed_or(
    make: Callable[[Draft, Diagnostic], Iterator[Cure]],
) -> Callable[[Draft, Diagnostic], Iterator[Cure]]:
    """Return a function that offers a similar name, then what `make` offers, then other names."""

    def cure(draft: Draft, found: Diagnostic) -> Iterator[Cure]:
        yield from _spelled(draft, found)
        yield from make(draft, found)
        if meant := _MEANT.search(found.message):
            for name in meant[1].split(" or "):
                yield from _spelled(draft, replace(found, instead=name))

    return cure


def _whole(draft: Draft, found: Diagnostic) -> Iterator[Cure]:
    """Offer to replace the marked expression with the proposed GDL."""
    if found.instead and not found.instead.startswith(";"):
        title = shorten(f"Write {found.instead}", _LONGEST_TITLE, placeholder=" ...")
        yield Cure(title, (edit_at(found, found.instead),))


def _undefined(draft: Draft, found: Diagnostic) -> Iterator[Cure]:
    if found.instead.startswith("("):
        yield from _whole(draft, found)
        return
    if found.instead.startswith(";"):
        yield from _comment(draft, found)
        return
    if is_conjunction(draft.text_of(found)) or CUT in found.message:
        yield Cure(f"Leave '{draft.text_of(found)}' out", (edit_at(found, ""),))
        return
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
            yield from additions.ask_with_does(draft, one)
            return
    yield from _replaced(draft, found)


def _without_parentheses(draft: Draft, found: Diagnostic) -> Iterator[Cure]:
    text = draft.text[found.span.start : found.span.end].strip("()").strip()
    if text and not set("();") & set(text):
        yield Cure(f"Write {text} without parentheses", (edit_at(found, text),))


def _without_arrow(draft: Draft, found: Diagnostic) -> Iterator[Cure]:
    statement = draft.statement_at(found.span.start)
    if statement is not None:
        head = head_and_body(statement)[0].span
        text = draft.text[head.start : head.end]
        edit = Edit(statement.span.start, statement.span.end, text)
        yield Cure("Write a fact without '<='", (edit,))


def _removed(draft: Draft, found: Diagnostic) -> Iterator[Cure]:
    statement = draft.statement_at(found.span.start)
    if statement is not None:
        yield Cure("Remove this statement", (_removal(draft, statement),))


def _unused(draft: Draft, found: Diagnostic) -> Iterator[Cure]:
    one = draft.at(found.span.start)
    if one is None or _is_in_doubt(draft):
        return
    numbers = [
        place.statement
        for place in draft.index.places(one.symbol)
        if place.part is Part.HEAD and place.holder is None
    ]
    edits = tuple(_removal(draft, draft.statements[number]) for number in numbers)
    if edits:
        yield Cure(f"Remove the relation '{draft.text_of(found)}'", edits)


def _is_in_doubt(draft: Draft) -> bool:
    """Return whether unused names may still be needed, because rules are wrong or missing."""
    is_lacking = draft.rulesheet is None or bool(missing_keywords(draft.rulesheet))
    return is_lacking or any(one.severity is not Severity.NOTE for one in draft.diagnostics)


def _unread(draft: Draft, found: Diagnostic) -> Iterator[Cure]:
    one = draft.at(found.span.start)
    if one is None or _is_in_doubt(draft):
        return
    makers = [
        place.statement
        for place in draft.index.places(one.symbol)
        if place.part is Part.HEAD and any(place.is_argument_of(x, 0) for x in ("init", "next"))
    ]
    edits = tuple(_removal(draft, draft.statements[number]) for number in sorted({*makers}))
    if edits:
        yield Cure(f"Remove the facts '{draft.text_of(found)}'", edits)


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
    if draft.text_of(found).lower() == "true":
        for word, meaning in (("next", "of the next state"), ("init", "of the first state")):
            yield Cure(f"Write '{word}': a fact {meaning}", (edit_at(found, word),))


def _keyword_term(draft: Draft, found: Diagnostic) -> Iterator[Cure]:
    if found.instead:
        yield from _whole(draft, found)
        return
    one, word = draft.at(found.span.start), draft.text_of(found)
    if one is None or not isinstance(one.form, Group) or len(one.form.items) != 2:
        return
    if word.lower() == "not":
        return  # without the `not`, the rest means the opposite
    inner, outer = one.form.items[1].span, one.form.span
    text = draft.text[inner.start : inner.end]
    yield Cure(f"Take '{word}' out", (Edit(outer.start, outer.end, text),))


def _unknown_role(draft: Draft, found: Diagnostic) -> Iterator[Cure]:
    rulesheet = draft.rulesheet
    for role in rulesheet.roles if rulesheet else ():
        yield Cure(f"Write '{role}'", (edit_at(found, str(role)),))


def _statement(draft: Draft, found: Diagnostic) -> Iterator[Cure]:
    if found.instead:
        yield from _whole(draft, found)
    elif "a rule begins with '<='" in found.message:
        statement = draft.statement_at(found.span.start)
        turned = "" if statement is None else _turned(draft, statement)
        if statement is not None and turned:
            yield from _whole(draft, replace(found, span=statement.span, instead=turned))
        else:
            yield Cure("Write '<='", (edit_at(found, "<="),))


def _turned(draft: Draft, statement: Form) -> str:
    """Turn `(=> CONDITION HEAD)` into a rule. Return "" if the head seems to come first."""
    parts = statement.items if isinstance(statement, Group) else ()
    if len(parts) != 3 or str(parts[0]) not in _FORWARD or _is_keyword_head(parts[1]):
        return ""
    condition, head = (draft.text[one.span.start : one.span.end] for one in parts[1:])
    return f"(<= {head} {condition})"


def _is_keyword_head(form: Form) -> bool:
    name = form.head if isinstance(form, Group) else str(form)
    return name in RESERVED and name not in ("true", "does")


def _comment(draft: Draft, found: Diagnostic) -> Iterator[Cure]:
    """Offer to turn the rest of the line into a comment, or to replace a call in foreign syntax."""
    if found.instead.startswith("("):
        yield from _whole(draft, found)
    rest = re.split(r"[\r\n]", draft.text[found.span.end :], maxsplit=1)[0]
    if found.instead.startswith(";") and is_balanced(
        rest
    ):  # otherwise the comment would hide a ')'
        yield Cure("Begin the comment with ';'", (edit_at(found, found.instead),))


_CURES: dict[str, Callable[[Draft, Diagnostic], Iterator[Cure]]] = {
    "syntax": additions.close,
    "statement": _statement,
    "bare-word": _comment,
    "spelling": _spelled,
    "duplicate": _removed,
    "empty-body": _without_arrow,
    "needless-parentheses": _without_parentheses,
    "arity-clash": _whole,
    "keyword-arity": _whole,
    "keyword-head": _keyword_head,
    "keyword-body": _replaced,
    "keyword-term": _keyword_term,
    "unsafe-head": _renamed_or(additions.bind_by_role),
    "unsafe-not": _renamed_or(additions.say_none_at_all),
    "unsafe-distinct": _renamed_or(additions.bind_by_role),
    "variable-fact": additions.bind_by_role,
    "undefined": _undefined,
    "undefined-fact": _replaced,
    "undefined-move": _replaced,
    "undefined-value": _replaced,
    "misspelt": _replaced,
    "misspelt-keyword": _replaced,
    "unused": _unused,
    "unread-fact": _unread,
    "no-role": additions.adding("(role player)"),
    "unknown-role": _unknown_role,
    "no-legal": additions.adding("(legal {role} noop)"),
    "no-init": additions.add_rule,
    "play-no-move": additions.add_rule,
    "no-terminal": additions.adding("(<= terminal\n    (true over))"),
    "play-lost": additions.keep_facts,
    "play-doubled": additions.add_condition,
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
"""Codes of findings that have the same quick fixes in KIF and Epilog."""
