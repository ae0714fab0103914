"""The moves of a PLAY or STOP: bounded, checked and spelled as KIF, whatever notation they had."""

from __future__ import annotations

import re

from ggp.protocol.brackets import BracketedText, infix_arguments, kif_items
from ggp.protocol.errors import ProtocolError
from ggp.protocol.limits import MessageLimits
from ggp.protocol.messages import Happened, Notation
from ggp.protocol.spelling import compact_spelling

_TERM = "a term such as mark(1,1)"
_MARKS = {"(", ")", "[", "]", ","}
_DEPTH_MARK = re.compile(r"[(\[]|[)\]]")
_INFIX_TOKEN = re.compile(r'\s*+("(?:[^"\\]|\\.)*+"|[()\[\],]|[^\s()\[\],"]++)')


def happened(piece: BracketedText, notation: Notation, limits: MessageLimits) -> Happened:
    """Report of the last turn in an argument.

    Raises:
        ProtocolError: It is too long, nested too deeply or, in infix, no term.
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
    """An infix term as KIF: `mark(1,1)` becomes `(mark 1 1)`.

    Raises:
        ProtocolError: It is no term.
    """
    parts: list[str] = []
    position, depth, before = piece.start, 0, ","  # a term may stand after `,` and after a functor
    while token := _INFIX_TOKEN.match(piece.text, position, piece.end):
        word, position = token.group(1), token.end()
        if word == ")" and depth and before != ",":
            if before != "functor":  # `noop()` is the bare `noop` of KIF
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
    """A string stands for the symbol of its characters, where KIF can write that symbol."""
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
            expected = f"at most {limits.depth} brackets within each other"
            raise ProtocolError("moves", expected, "one more", mark.start() + 1)
