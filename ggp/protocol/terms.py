"""Terms as text: check and parse the terms of a PLAY or STOP, and convert their notation.

The functions work on the form of a term, whatever it means.

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

from ggp.protocol.brackets import BracketedText, infix_arguments, kif_items
from ggp.protocol.errors import ProtocolError
from ggp.protocol.messages import Happened, Message, MessageLimits, Notation, Play, Stop

_TERM = "a term such as mark(1,1)"
_MARKS = {"(", ")", "[", "]", ","}
_DEPTH_MARK = re.compile(r"[(\[]|[)\]]")
_INFIX_TOKEN = re.compile(r'\s*+("(?:[^"\\]|\\.)*+"|[()\[\],]|[^\s()\[\],"]++)')


def happened(piece: BracketedText, notation: Notation, limits: MessageLimits) -> Happened:
    """Parse the argument that reports the last turn.

    Raises:
        ProtocolError: The argument is too long, nested too deeply or, in infix notation, not a
            term.
    """
    _check_size(piece, limits)
    if notation is Notation.PREFIX:
        return _prefix_happened(piece)
    if not piece.is_list:
        return Happened(kif_term(piece), None)
    pieces, _ = infix_arguments(piece.text, piece.start + 1, "moves")
    items = tuple(kif_term(item) for item in pieces)
    return Happened(f"({' '.join(items)})", items)


def kif_term(piece: BracketedText) -> str:
    """Convert an infix term to KIF: `mark(1,1)` becomes `(mark 1 1)`.

    Raises:
        ProtocolError: The text is not a term.
    """
    parts: list[str] = []
    position, depth, before = piece.start, 0, ","  # a term may follow `,` or a functor
    while token := _INFIX_TOKEN.match(piece.text, position, piece.end):
        word, position = token.group(1), token.end()
        if word == ")" and depth and before != ",":
            if before != "functor":  # `noop()` is `noop` in KIF
                parts.append(")")
            depth, before = depth - 1, ")"
        elif word == "," and depth and before in {")", "word"}:
            before = ","
        elif word not in _MARKS and before in {",", "functor"}:
            is_functor = piece.text.startswith("(", position, piece.end)
            _open_functor(parts, before)
            parts.append(_symbol(word))
            before = "functor" if is_functor else "word"
            depth, position = depth + is_functor, position + is_functor
        else:
            raise ProtocolError("moves", _TERM, word, token.start(1) + 1)
    if depth or before not in {")", "word"}:
        raise ProtocolError("moves", _TERM, str(piece), piece.position)
    return "".join(parts)


def _symbol(word: str) -> str:
    """Return a string without its quotes if KIF can write its characters as a symbol."""
    bare = word[1:-1]
    is_string = word.startswith('"') and bare and not re.search(r'[\s();"\\]', bare)
    return bare if is_string else word


def _open_functor(parts: list[str], before: str) -> None:
    if before == "functor":
        parts[-1] = f"({parts[-1]}"
    if parts:
        parts.append(" ")


def _prefix_happened(piece: BracketedText) -> Happened:
    if not piece.is_list:
        return Happened(str(piece), None)
    items, _ = kif_items(piece.text, piece.start + 1, "moves", len(piece))
    texts = tuple(compact_spelling(str(item)) for item in items)
    return Happened(f"({' '.join(texts)})", texts)


def _check_size(piece: BracketedText, limits: MessageLimits) -> None:
    if len(piece) > limits.num_moves_characters:
        expected = f"at most {limits.num_moves_characters} characters of moves"
        raise ProtocolError("moves", expected, f"{len(piece)}", piece.position)
    depth = 0
    for mark in _DEPTH_MARK.finditer(piece.text, piece.start, piece.end):
        depth += 1 if mark.group() in "([" else -1
        if depth > limits.depth:
            expected = f"at most {limits.depth} nested brackets"
            raise ProtocolError("moves", expected, "one more", mark.start() + 1)


# Words as in `brackets`, and strings in double quotes, which may contain blanks.
_LEXEME = re.compile(r'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)|[()]|;[^\r\n]*+|[^\s();]++', re.DOTALL)
# As in `gdl.epilog.tokens`, without importing gdl: a server answers INFO before that.
_PLAIN_SYMBOL = re.compile(r"-?[0-9]+|[a-z0-9][A-Za-z0-9_]*")


def ggp_base_spelling(text: str) -> str:
    """Return KIF with one blank between tokens and without comments, as GGP-Base prints it."""
    return " ".join(_lexemes(text))


def compact_spelling(text: str) -> str:
    """Return KIF with a blank between items and no other blanks."""
    parts: list[str] = []
    before = "("
    for lexeme in _lexemes(text):
        if before != "(" and lexeme != ")":
            parts.append(" ")
        parts.append(lexeme)
        before = lexeme
    return "".join(parts)


def infix_spelling(term: str) -> str:
    """Convert a ground KIF term to Epilog: `(mark 1 1)` becomes `mark(1,1)`."""
    parts: list[str] = []
    before = ""
    for lexeme in _lexemes(term):
        if lexeme != ")" and before not in {"", "(", "functor"}:
            parts.append(",")
        if lexeme == "(":
            before = lexeme
        elif before == "(":
            parts.append(f"{_infix_symbol(lexeme)}(")
            before = "functor"
        else:
            parts.append(lexeme if lexeme == ")" else _infix_symbol(lexeme))
            before = lexeme
    return "".join(parts)


def listed(last: Happened, form: str, items: Iterable[str]) -> str:
    """Format the report on the last turn: the items in the list format `form`, or NIL."""
    return "NIL" if last.items is None else form.format(" ".join(items))


def turn_words(message: Play | Stop) -> str:
    """Return the turn's number and our own move with a blank before each, or "" without them."""
    if message.turn is None:
        return ""
    return f" {message.turn.number} {message.turn.own_move or 'NIL'}"


def word_of(message: Message) -> str:
    """Return the command word that a message begins with."""
    return type(message).__name__.upper()


def _infix_symbol(word: str) -> str:
    # Use a string if the first letter is upper case or there are special characters.
    return word if _PLAIN_SYMBOL.fullmatch(word) or word.startswith('"') else f'"{word}"'


def _lexemes(text: str) -> list[str]:
    return [lexeme for lexeme in _LEXEME.findall(text) if not lexeme.startswith(";")]
