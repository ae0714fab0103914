"""Epilog: text to tokens. Comments are dropped, each token knows its place."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING

from gdl.epilog.symbols import SYMBOL, is_variable, read_string
from gdl.errors import GdlSyntaxError, Source, Span

if TYPE_CHECKING:  # whoever reads nothing does not wait for it
    from pyparsing import ParseResults

_BLANKS = " \t\r\n\f\v\xa0\ufeff"  # with the byte order mark that some editors write
_COMMENT = r"%[^\r\n]*|//[^\r\n]*|/\*[\s\S]*?\*/"
_STRING = r'"(?:[^"\\]|\\[\s\S])*"'
_MARKS = r":-|::|==>|[(),\[\]!~&|.]"
_MEANT = {  # what authors write who think of another notation; longer marks first
    "=>": "'==>'",
    "->": "'==>'",
    ":=": "':-'",
    "<=": "':-', or the relation 'leq'",
    ">=": "the relation 'leq'",
    "<": "the relation 'less'",
    ">": "the relation 'less'",
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
    """One symbol, variable, string or mark as it is written.

    `text` of a string is the symbol that it stands for; the end of the text has an empty one.
    """

    kind: TokenKind
    text: str
    span: Span

    @property
    def is_name(self) -> bool:
        """Whether the token can stand before the parenthesis of its arguments."""
        return self.kind in (TokenKind.SYMBOL, TokenKind.STRING)

    def __str__(self) -> str:
        if self.kind is TokenKind.END:
            return "the end of the text"
        return f"'{self.span.source.text[self.span.start : self.span.end]}'"


def scan(source: Source) -> tuple[list[Token], list[GdlSyntaxError]]:
    """All tokens of a text in order, the last one of kind `END`, and what is none.

    That is a character that Epilog does not use, or a string that is not closed.
    """
    import pyparsing as pp

    found: list[Token] = []
    errors: list[GdlSyntaxError] = []

    def keep(_text: str, start: int, tokens: ParseResults) -> list[str]:
        text: str = tokens[0]
        span = Span(source, start, start + len(text))
        if not text.startswith(("%", "//", "/*")):
            try:
                found.append(_token(text, span))
            except GdlSyntaxError as error:
                # Of '=>' the second character is a part of the same fault.
                if not errors or errors[-1].span is None or errors[-1].span.end <= start:
                    errors.append(error)
        return []

    anything = r"[\s\S]"  # matched last, so that the error can name the character
    pattern = "|".join((_COMMENT, _STRING, _MARKS, SYMBOL, anything))
    token = pp.Regex(pattern).set_whitespace_chars(_BLANKS).set_parse_action(keep)
    end = pp.StringEnd().set_whitespace_chars(_BLANKS)
    (pp.ZeroOrMore(token) + end).parse_with_tabs().parse_string(source.text)
    found.append(Token(TokenKind.END, "", Span(source, len(source.text), len(source.text))))
    return found, errors


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
