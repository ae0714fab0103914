r"""Parse tree that both notations share, and detection of a text's notation.

>>> is_epilog("My game\n(role x)"), is_epilog("# My game\nrole(x)")
(False, True)
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gdl.errors import GdlSyntaxError, Source, Span

MAX_DEPTH = 100  # of nested groups; real rules stay below 30, and `str` must not overflow the stack


@dataclass(frozen=True, slots=True, eq=False)
class Word:
    """Symbol as written in the text, such as `cell`, `?x`, `<=` or `2x`."""

    text: str
    span: Span

    @property
    def is_variable(self) -> bool:
        """Whether the word is a variable (`?x`)."""
        return self.text.startswith("?")

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True, eq=False)
class Group:
    """Parenthesised sequence of forms, such as `(cell 1 ?y b)`."""

    items: tuple[Form, ...]
    span: Span

    @property
    def head(self) -> str:
        """First word in lower case, or "" if the group does not start with a word."""
        first = self.items[0] if self.items else None
        return first.text.lower() if isinstance(first, Word) else ""

    def __str__(self) -> str:
        return f"({' '.join(map(str, self.items))})"


Form = Word | Group


def words(form: Form) -> Iterator[Word]:
    """Yield all words of a form, from left to right."""
    stack: list[Form] = [form]
    while stack:
        top = stack.pop()
        if isinstance(top, Word):
            yield top
        else:
            stack.extend(reversed(top.items))


_REMARK = re.compile(r'("[^"\r\n]*")|;[^\r\n]*')


def written(form: Form) -> str:
    """Return a form as written in its source (`X` in Epilog), on one line without comments."""
    text = form.span.source.text[form.span.start : form.span.end]
    text = _REMARK.sub(lambda found: found[1] or " ", text) if ";" in text else text
    return " ".join(text.split()) or str(form)


def head_and_body(statement: Form) -> tuple[Form, tuple[Form, ...]]:
    """Return the head of a rule or fact, and its conditions."""
    if isinstance(statement, Group) and statement.head == "<=" and len(statement.items) > 1:
        return statement.items[1], statement.items[2:]
    return statement, ()


def only_form(forms: Sequence[Form], source: Source, expected: str) -> Form:
    """Return the only form of a text. Raise GdlSyntaxError if there is none or more than one."""
    if len(forms) != 1:
        span = forms[1].span if forms else Span(source, 0, 0)
        raise GdlSyntaxError(f"expected one {expected}, got {len(forms)}", span)
    return forms[0]


_PIECE = re.compile(
    r"""
    (?P<nothing>  ;[^\r\n]* | (?<!\S)(?:%|//)[^\r\n]* | /\*[\s\S]*?\*/ )
    | (?P<open>   \( )
    | (?P<close>  \) )
    | (?P<arrow>  :- | :: )
    | (?P<sign>   ==> | [&|~,] )
    | (?P<word>   "(?:[^"\\\r\n]|\\.)*" | [^\s\ufeff()&|~,;:"]+ )
    """,
    re.VERBOSE,
)
_MAX_JUDGED = 200_000  # only this many characters are examined
_CLEAR = 30  # if one notation is ahead by this many statements, it is certain


def is_epilog(text: str, default: bool | None = None) -> bool:
    """Return whether a text is in Epilog notation instead of prefix KIF.

    Count the statements that begin in each notation: `(role x)` in KIF, `role(x)` and `p :- q` in
    Epilog. Ignore titles, comments and code fences. On a tie, return `default`. Without a default,
    return whether the first character outside comments is not a parenthesis.
    """
    lead, first = _lead(text)
    if lead:
        return lead > 0
    return default if default is not None else first not in ("", "(", ")")


def _lead(text: str) -> tuple[int, str]:
    """Return by how many statements Epilog is ahead of KIF, and the first token of the text."""
    lead = depth = 0
    first = before = ""  # `before` is the kind of the last token
    word_end, follows_sign = -1, False  # end of the last word, and whether a sign precedes it
    for found in _PIECE.finditer(text, 0, _MAX_JUDGED):
        kind, start = str(found.lastgroup), found.start()
        if kind == "nothing":
            continue
        first = first or found[0]
        if kind == "open":
            if before not in ("sign", "arrow") and text[start - 1 : start] in ("", "\n", "\r"):
                depth = 0  # the previous statement is not closed
            if not depth:
                is_call = before == "word" and word_end == start
                lead += not follows_sign if is_call else -(before not in ("sign", "arrow"))
            depth += 1
        elif kind == "close":
            depth = max(0, depth - 1)
        elif kind == "arrow":
            lead += not depth and before == "word"
        elif kind == "word":
            follows_sign = before in ("sign", "arrow")
            is_name = text[found.end() - 1].isalnum() or text[found.end() - 1] in '_"'
            word_end = found.end() if is_name else -1
        before = kind
        if abs(lead) == _CLEAR:
            break
    return lead, first
