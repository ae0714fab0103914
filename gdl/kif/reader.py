"""Prefix KIF: text to forms.

pyparsing splits the text into words, parentheses and comments; the nesting is kept on a stack of
our own, so reading is linear in the size of the text and a hostile depth is an error, not a crash.

    >>> [str(form) for form in read_forms("(role x) ; the only one")]
    ['(role x)']
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import pyparsing as pp

from gdl.errors import GdlSyntaxError, Source, Span
from gdl.rulesheet import Rulesheet
from gdl.syntax import MAX_DEPTH, Form, Group, Word
from gdl.terms import Term

_BLANKS = " \t\r\n\f\v\xa0\ufeff"  # with the byte order mark that some editors write


@dataclass(frozen=True, slots=True, eq=False)
class Comment:
    """A remark from `;` to the end of its line, which only the formatter looks at."""

    text: str
    span: Span


def scan(source: Source) -> list[Word | Comment]:
    """All words, parentheses (as words) and comments of a text, in order."""
    found: list[Word | Comment] = []

    def keep(_text: str, start: int, tokens: pp.ParseResults) -> list[str]:
        text: str = tokens[0]
        kind = Comment if text.startswith(";") else Word
        found.append(kind(text, Span(source, start, start + len(text))))
        return []

    token = pp.Regex(rf";[^\r\n]*|[()]|[^{_BLANKS}();]+").set_whitespace_chars(_BLANKS)
    end = pp.StringEnd().set_whitespace_chars(_BLANKS)
    grammar = pp.ZeroOrMore(token.set_parse_action(keep)) + end
    grammar.parse_with_tabs().parse_string(source.text)
    return found


def read_forms(text: str, name: str = "<text>") -> tuple[Form, ...]:
    """The top-level forms of a KIF text; comments are dropped.

    Args:
        text: Any number of words and parenthesised groups.
        name: What the text is called in error messages, such as its file name.

    Raises:
        GdlSyntaxError: A parenthesis has no partner, or groups nest deeper than `MAX_DEPTH`.
    """
    source = Source(name, text)
    return _nest(token for token in scan(source) if isinstance(token, Word))


def _nest(tokens: Iterable[Word]) -> tuple[Form, ...]:
    top: list[Form] = []
    opened: list[tuple[Word, list[Form]]] = []  # each open parenthesis and what surrounds it
    for token in tokens:
        if token.text == "(":
            if len(opened) == MAX_DEPTH:
                raise GdlSyntaxError(f"groups nest deeper than {MAX_DEPTH}", token.span)
            opened.append((token, top))
            top = []
        elif token.text == ")":
            if not opened:
                raise GdlSyntaxError("this ')' closes nothing; remove it", token.span)
            start, outer = opened.pop()
            span = Span(token.span.source, start.span.start, token.span.end)
            outer.append(Group(tuple(top), span))
            top = outer
        else:
            top.append(token)
    if opened:
        raise GdlSyntaxError("this '(' is never closed", opened[0][0].span)
    return tuple(top)


def read_kif(text: str, name: str = "<text>") -> Rulesheet:
    """The rulesheet that a KIF text describes.

    A text that is one group around all statements, as the START message has it, is read as well.

    Raises:
        GdlSyntaxError: See `read_forms`.
    """
    forms = read_forms(text, name)
    if len(forms) == 1 and isinstance(forms[0], Group) and _is_wrapped(forms[0]):
        forms = forms[0].items
    return Rulesheet.from_forms(forms, name)


def _is_wrapped(group: Group) -> bool:
    return bool(group.items) and isinstance(group.items[0], Group)


def read_term(text: str, rulesheet: Rulesheet | None = None, name: str = "<term>") -> Term:
    """The one term that a text holds, such as a move.

    Args:
        text: One word or group.
        rulesheet: If given, symbols take the spelling they have there.
        name: What the text is called in error messages.

    Raises:
        GdlSyntaxError: The text holds no term, or more than one.
    """
    forms = read_forms(text, name)
    if len(forms) != 1:
        span = forms[1].span if forms else Span(Source(name, text), 0, 0)
        raise GdlSyntaxError(f"expected one term, got {len(forms)}", span)
    return (rulesheet or Rulesheet.from_forms((), name)).term(forms[0])
