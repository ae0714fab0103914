"""Scanner of Epilog, and the spelling of GDL's symbols and variables in Epilog.

An Epilog symbol must not start with an upper-case letter and may contain only a few special
characters. All other symbols are written as strings in double quotes:

    >>> write_symbol("cell"), write_symbol("+"), read_string('"Mark"')
    ('cell', '"+"', 'Mark')

A KIF symbol cannot contain some characters, such as spaces and parentheses. In the symbol for a
string they are escaped as in a URL: `"a b"` becomes `a%20b`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING

from gdl.errors import GdlSyntaxError, Source, Span
from gdl.tokens import BLANKS, COMMENT

if TYPE_CHECKING:
    from pyparsing import ParseResults


SYMBOL = r"(?:-?\d+\.\d+|-?[\w](?:[\w+*-]|\.(?=\w))*)"  # also matches variables
_PLAIN_SYMBOL = re.compile(r"-?[0-9]+|[a-z0-9][A-Za-z0-9_]*")  # accepted by every Epilog reader

_ESCAPES = {
    " ": "%20",
    "\t": "%09",
    "\n": "%0A",
    "\v": "%0B",
    "\f": "%0C",
    "\r": "%0D",
    "(": "%28",
    ")": "%29",
    ";": "%3B",
    "\xa0": "%A0",
    "\ufeff": "%FE",
}
_EMPTY = "%00"  # the symbol for the empty string
_QUESTION_MARK = "%3F"  # escaped only if the symbol would otherwise be a variable
_CHARACTERS = {code: char for char, code in _ESCAPES.items()} | {"%25": "%"}
_CODES = "|".join([*_CHARACTERS, _EMPTY, _QUESTION_MARK])
_ESCAPED = re.compile(_CODES)
_TO_ESCAPE = re.compile(rf"[{''.join(map(re.escape, _ESCAPES))}]|%(?={_CODES.replace('%', '')})")


def is_variable(text: str) -> bool:
    """Return whether an Epilog word is a variable: it is `_` or begins in upper case."""
    return text == "_" or text[0].isupper()


def read_string(quoted: str) -> str:
    """Return the symbol for a string. `quoted` includes the quotes."""
    text = re.sub(r"\\(.)", r"\1", quoted[1:-1], flags=re.DOTALL)
    if not text:
        return _EMPTY
    text = _TO_ESCAPE.sub(lambda match: _ESCAPES.get(match[0], "%25"), text)
    return _QUESTION_MARK + text[1:] if text[0] == "?" else text


def write_symbol(text: str) -> str:
    """Return the Epilog spelling of a symbol: unchanged, or as a string in double quotes."""
    if _PLAIN_SYMBOL.fullmatch(text):
        return text
    plain = _ESCAPED.sub(lambda match: _unescaped(match[0]), text)
    escaped = plain.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _unescaped(code: str) -> str:
    if code == _EMPTY:
        return ""
    return "?" if code == _QUESTION_MARK else _CHARACTERS[code]


class Renaming:
    """New names for the variables of one sentence. Different variables get different names.

    Epilog distinguishes `XY` from `Xy`, but GDL ignores the case of variables. So the second one
    gets a number.
    """

    def __init__(self, translate: Callable[[str], str]) -> None:
        self._translate = translate
        self._found: dict[str, str] = {}
        self._taken: set[str] = set()

    def of(self, name: str) -> str:
        """Return the new name of a variable."""
        found = self._found.get(name)
        if found is None:
            plain = found = self._translate(name)
            number = 2
            while found.lower() in self._taken:
                found = f"{plain}_{number}"
                number += 1
            self._taken.add(found.lower())
            self._found[name] = found
        return found


def kif_variable(name: str) -> str:
    """Return the KIF variable for an Epilog variable, `?x` for `X`."""
    return "?" + name.lower()


def epilog_variable(name: str) -> str:
    """Return the Epilog variable for a KIF variable, `X` for `?x`. Other characters become `_`."""
    letters = re.sub(r"[^A-Za-z0-9_]", "_", name[1:])
    return letters[0].upper() + letters[1:] if letters[:1].isalpha() else "V" + letters


_COMMENT = r"%[^\r\n]*|//[^\r\n]*|/\*[\s\S]*?\*/"
_ATOM = re.compile(r';\s*~?\s*[\w"][^\s(]*\s*(?:[(&|).].*)?')
_STRING = r'"(?:[^"\\]|\\[\s\S])*"'
_MARKS = r":-|::|==>|[(),\[\]!~&|.]"
_MEANT = {  # operators of other notations, longer ones first
    "=>": "'==>'",
    "->": "'==>'",
    ":=": "':-'",
    "<=": "':-', or the relation 'leq'",
    ">=": "the relation 'leq'",
    "<": "the relation 'less'",
    ">": "the relation 'less'",
    ";": "'|', or '%' before a comment",
    "=": "the relation 'same'",
    ":": "':-' or '::'",
    "?": "a variable, which starts with an upper-case letter",
}
_NEVER_CLOSED = {'"': "this '\"' is never closed", "/": "expected '//' or a comment '/* ... */'"}


class TokenKind(Enum):
    """Kind of a token."""

    SYMBOL = auto()
    VARIABLE = auto()
    STRING = auto()
    MARK = auto()
    END = auto()


@dataclass(frozen=True, slots=True, eq=False)
class Token:
    """Symbol, variable, string or mark. The `text` of a string is the symbol that it denotes."""

    kind: TokenKind
    text: str
    span: Span

    @property
    def is_name(self) -> bool:
        """Whether the token can be followed by arguments in parentheses."""
        return self.kind in (TokenKind.SYMBOL, TokenKind.STRING)

    def __str__(self) -> str:
        if self.kind is TokenKind.END:
            return "the end of the text"
        return f"'{self.span.source.text[self.span.start : self.span.end]}'"


def scan(source: Source) -> tuple[list[Token], list[GdlSyntaxError]]:
    """Return the tokens of a text, the last one of kind `END`, and the errors."""
    import pyparsing as pp

    found: list[Token] = []
    errors: list[GdlSyntaxError] = []

    def keep(_text: str, start: int, tokens: ParseResults) -> list[str]:
        text: str = tokens[0]
        span = Span(source, start, start + len(text))
        is_comment = text.startswith(("%", "//", "/*")) or _is_kif_comment(text, span)
        if not is_comment:
            try:
                found.append(_token(text, span))
            except GdlSyntaxError as error:
                # For example, the second character of '=>' belongs to the same error.
                if not errors or errors[-1].span is None or errors[-1].span.end <= start:
                    errors.append(error)
        return []

    kif_comment = COMMENT.pattern  # written by authors who know prefix KIF
    anything = r"[\s\S]"  # matched last, so that the error can name the character
    pattern = "|".join((_COMMENT, kif_comment, _STRING, _MARKS, SYMBOL, anything))
    token = pp.Regex(pattern).set_whitespace_chars(BLANKS).set_parse_action(keep)
    end = pp.StringEnd().set_whitespace_chars(BLANKS)
    (pp.ZeroOrMore(token) + end).parse_with_tabs().parse_string(source.text)
    found.append(Token(TokenKind.END, "", Span(source, len(source.text), len(source.text))))
    return found, errors


def _is_kif_comment(text: str, span: Span) -> bool:
    """Return whether a `;` begins a comment. In Prolog it separates alternatives."""
    if not text.startswith(";"):
        return False
    line = span.source.text[: span.start].rpartition("\n")[2]
    return not line.strip() or not _ATOM.fullmatch(text.rstrip())


def _token(text: str, span: Span) -> Token:
    first = text[0]
    if first == '"' and len(text) > 1:
        return Token(TokenKind.STRING, read_string(text), span)
    if first.isalnum() or first == "_" or (first == "-" and len(text) > 1):
        return Token(TokenKind.VARIABLE if is_variable(text) else TokenKind.SYMBOL, text, span)
    if first in "(),[]!~&|." or text in (":-", "::", "==>"):
        return Token(TokenKind.MARK, text, span)
    raise _unexpected(span)


def _unexpected(span: Span) -> GdlSyntaxError:
    text = span.source.text
    for mark, meant in _MEANT.items():
        if text.startswith(mark, span.start):
            place = Span(span.source, span.start, span.start + len(mark))
            return GdlSyntaxError(f"unexpected '{mark}'; did you mean {meant}?", place)
    first = text[span.start]
    message = _NEVER_CLOSED.get(first, f"unexpected character {first!r}; put it into a string")
    return GdlSyntaxError(message, span)
