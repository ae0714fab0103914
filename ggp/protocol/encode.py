"""Messages to text, as each game manager writes them, and the replies of a player."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ggp.protocol.dialects import dresden, gamemaster, ggp_base
from ggp.protocol.messages import Dialect, Info, Message, Notation
from ggp.protocol.spelling import infix_spelling


def encode(message: Message, dialect: Dialect = Dialect.GGP_BASE) -> str:
    """The message as the managers of a dialect write it, blank for blank.

    Rules must be in the notation that the dialect uses. A message that the dialect lacks is
    written in the same style.
    """
    return _WRITERS[dialect](message)


def reply(content: str, notation: Notation, identifier: str | None = None) -> str:
    """A reply's text: a KIF term, wrapped in `reply` if an identifier is given."""
    if notation is Notation.PREFIX:
        return content if identifier is None else f"(reply {identifier} {content})"
    content = infix_spelling(content)
    return content if identifier is None else f"reply({identifier},{content})"


def info_reply(info: Info, pairs: Sequence[tuple[str, str]]) -> str:
    """The reply to INFO: what there is to know of a player, as pairs of words."""
    if info.notation is Notation.PREFIX:
        return f"({' '.join(f'({key} {value})' for key, value in pairs)})"
    text = f"[{','.join(f'[{key},{value}]' for key, value in pairs)}]"
    return text if info.identifier is None else f"reply({info.identifier},{text})"


_WRITERS: dict[Dialect, Callable[[Message], str]] = {
    Dialect.GGP_BASE: ggp_base.write,
    Dialect.DRESDEN: dresden.write,
    Dialect.GAMEMASTER: gamemaster.write,
}
