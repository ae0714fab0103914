"""Terms as text, from one notation to another, without any knowledge of what they mean.

>>> ggp_base_spelling("(mark 1 1)")
'( mark 1 1 )'
>>> compact_spelling("( MARK  1 1 )")
'(MARK 1 1)'
>>> infix_spelling("(move (cell 1 2) up)")
'move(cell(1,2),up)'
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from ggp.protocol.messages import Happened, Message, Play, Stop

_LEXEME = re.compile(r'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)|[()]|;[^\n]*+|[^\s();]++', re.DOTALL)
_PLAIN_SYMBOL = re.compile(r"-?[0-9]+|[a-z0-9][A-Za-z0-9_]*")


def ggp_base_spelling(text: str) -> str:
    """KIF with one blank between any two tokens and no comments, as GGP-Base prints it."""
    return " ".join(_lexemes(text))


def compact_spelling(text: str) -> str:
    """KIF with no blank that could be left out, except one between items."""
    parts: list[str] = []
    before = "("
    for lexeme in _lexemes(text):
        if before != "(" and lexeme != ")":
            parts.append(" ")
        parts.append(lexeme)
        before = lexeme
    return "".join(parts)


def infix_spelling(term: str) -> str:
    """A ground KIF term in Epilog's notation: `(mark 1 1)` becomes `mark(1,1)`."""
    parts: list[str] = []
    before = ""
    for lexeme in _lexemes(term):
        if lexeme != ")" and before not in {"", "(", "functor"}:
            parts.append(",")
        if lexeme == "(":
            before = lexeme
        elif before == "(":
            parts.append(f"{_symbol(lexeme)}(")
            before = "functor"
        else:
            parts.append(lexeme if lexeme == ")" else _symbol(lexeme))
            before = lexeme
    return "".join(parts)


def listed(last: Happened, form: str, items: Iterable[str]) -> str:
    """Report in a PLAY or STOP: its items, spelled already, in a form for lists, or NIL."""
    return "NIL" if last.items is None else form.format(" ".join(items))


def turn_words(message: Play | Stop) -> str:
    """The turn's number and our own move, where a PLAY or STOP has them, after a blank each."""
    if message.turn is None:
        return ""
    return f" {message.turn.number} {message.turn.own_move or 'NIL'}"


def word_of(message: Message) -> str:
    """The word that a message begins with."""
    return type(message).__name__.upper()


def _symbol(word: str) -> str:
    """Symbol in Epilog: a string if it has an upper-case letter first or strange characters."""
    return word if _PLAIN_SYMBOL.fullmatch(word) or word.startswith('"') else f'"{word}"'


def _lexemes(text: str) -> list[str]:
    return [lexeme for lexeme in _LEXEME.findall(text) if not lexeme.startswith(";")]
