"""Messages to text, as each game manager writes them, and the replies of a player."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from ggp.protocol.messages import (
    Abort,
    Dialect,
    Happened,
    Info,
    Message,
    Notation,
    Ping,
    Play,
    Preview,
    Start,
    Stop,
)
from ggp.protocol.spelling import compact_spelling, ggp_base_spelling, infix_spelling


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


def _ggp_base(message: Message) -> str:
    match message:
        case Preview():
            rules = ggp_base_spelling(message.rules)
            return f"( PREVIEW ({rules} ) {message.previewclock} )"
        case Start():
            rules = ggp_base_spelling(message.rules)
            clocks = f"{message.startclock} {message.playclock}"
            return f"( START {message.match} {message.role} ({rules} ) {clocks})"
        case Play() | Stop():
            last = _listed(message.last, "({} )", map(ggp_base_spelling, message.last.items or ()))
            return f"( {_word(message)} {message.match}{_turn(message)} {last} )"
        case Abort():
            return f"( ABORT {message.match} )"
        case _:
            return f"( {_word(message)} )"


def _dresden(message: Message) -> str:
    match message:
        case Preview():
            rules = compact_spelling(message.rules).upper()
            return f"(PREVIEW ({rules} ) {message.previewclock})"
        case Start():
            rules = compact_spelling(message.rules).upper()
            clocks = f"{message.startclock} {message.playclock}"
            return f"(START {message.match} {message.role.upper()} ({rules} ) {clocks})"
        case Play() | Stop():
            items = (compact_spelling(item).upper() for item in message.last.items or ())
            last = _listed(message.last, "({})", items)
            return f"({_word(message)} {message.match}{_turn(message).upper()} {last})"
        case Abort():
            return f"(ABORT {message.match})"
        case _:
            return f"({_word(message)})"


def _gamemaster(message: Message) -> str:
    match message:
        case Start():
            clocks = f"{message.startclock},{message.playclock}"
            return f"start({message.match},{message.role},[{message.rules}],{clocks})"
        case Play() | Stop():
            move = message.last.single_move()
            term = "nil" if move is None else infix_spelling(move)
            return f"{_word(message).lower()}({message.match},{term})"
        case Abort():
            return f"abort({message.match})"
        case Info() | Ping():
            return f"{_word(message).lower()}({message.identifier or ''})"
        case _:
            return f"{_word(message).lower()}()"


def _listed(last: Happened, form: str, items: Iterable[str]) -> str:
    return "NIL" if last.items is None else form.format(" ".join(items))


def _turn(message: Play | Stop) -> str:
    if message.turn is None:
        return ""
    return f" {message.turn.number} {message.turn.own_move or 'NIL'}"


def _word(message: Message) -> str:
    return type(message).__name__.upper()


_WRITERS: dict[Dialect, Callable[[Message], str]] = {
    Dialect.GGP_BASE: _ggp_base,
    Dialect.DRESDEN: _dresden,
    Dialect.GAMEMASTER: _gamemaster,
}
