"""Extract the rules from a START as text, without parsing them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ggp.protocol.brackets import BracketedText, infix_arguments, skip_kif_blank
from ggp.protocol.messages import Notation

_KIF_RULESET = re.compile(r"\s*+ruleset(?=[\s()])", re.IGNORECASE)
_KIF_STATEMENT = re.compile(
    r"(?:<=|role|init|next|legal|goal|base|input|sees)(?=\s)(?!\s*+:-)", re.IGNORECASE
)
_EPILOG_COMMENT = re.compile(
    r'("(?:[^"\\]|\\.)*+")|%[^\r\n]*+|//[^\r\n]*+|/\*(?:[^*]|\*(?!/))*+(?:\*/|\Z)', re.DOTALL
)
_INFIX_RULESET = re.compile(r"(?:ruleset\s*+(?=\())?+[(\[]", re.IGNORECASE)


def rules_text(piece: BracketedText, notation: Notation) -> str:
    """Extract the rules from an argument that has them in parentheses, a list or double quotes."""
    if notation is Notation.INFIX:
        return joined_rules([piece])
    if piece.text.startswith("[", piece.start):
        return joined_rules([piece])
    if not piece.is_list:
        return str(piece)
    inside = str(piece.inside)
    word = _KIF_RULESET.match(inside)
    return inside[word.end() :] if word else inside


def is_statement(piece: BracketedText, *, is_alone: bool) -> bool:
    """Return whether a list is a KIF statement and not a list of rules.

    Args:
        is_alone: Whether no other list follows directly.
    """
    start = skip_kif_blank(piece.text, piece.start + 1)
    if not piece.text.startswith("(", piece.start) or piece.text[start] in "()[":
        return False
    if _KIF_RULESET.match(piece.text, start):
        return False
    return not is_alone or _KIF_STATEMENT.match(piece.text, start) is not None


def joined_rules(pieces: Sequence[BracketedText]) -> str:
    """Extract the rules from infix arguments. Return one rule per line.

    The rules are in a list, which may begin with the word `ruleset`, in `ruleset(...)`, or in
    double quotes. Alternatively, each rule is a separate argument.
    """
    if len(pieces) == 1:
        pieces = _unwrapped(pieces[0])
    texts = [str(piece) for piece in pieces]
    if texts and texts[0].lower() == "ruleset":
        del texts[0]
    return "\n".join(texts)


def rules_notation(rules: str) -> Notation:
    """Detect the notation of rules."""
    import gdl  # import late, so that a server can answer INFO before

    return Notation.INFIX if gdl.is_epilog(rules) else Notation.PREFIX


def epilog_of(text: str, name: str = "rules") -> str:
    """Return rules in Epilog, without comments. Rules already in Epilog stay unchanged.

    Raises:
        GdlError: The rules cannot be read, or cannot be written in Epilog.
    """
    import gdl

    if not gdl.is_epilog(text):
        return gdl.write_epilog(gdl.read_kif(text, name)).strip()
    bare = _EPILOG_COMMENT.sub(lambda found: found[1] or " ", text)
    return "\n".join(line.strip() for line in re.split(r"[\r\n]+", bare) if line.strip())


def _unwrapped(piece: BracketedText) -> list[BracketedText]:
    text = str(piece)
    opening = _INFIX_RULESET.match(text)
    if opening is None and len(text) > 1 and text[0] == text[-1] == '"':
        quoted = re.sub(r"\\(.)", _unescaped, text[1:-1])
        return [BracketedText(quoted, 0, len(quoted))]
    if opening is None or text[-1] not in ")]":
        return [piece]
    pieces, end = infix_arguments(text, opening.end(), "rules")
    return pieces if end == len(text) - 1 else [piece]


def _unescaped(match: re.Match[str]) -> str:
    return {"n": "\n", "t": "\t"}.get(match.group(1), match.group(1))
