"""What somebody may see of a match: all of it, what one role knows, or what everybody knows.

In a game of hidden information (GDL-II) a person sees what the rules let its role see, as long as
the match is not over, and shows by a key whose person it is. Spectators see who plays, how many
turns there have been and the clock; or all, if the match was set up so.
"""

from __future__ import annotations

import hmac
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, TypeVar

from ggp.manager.store.matches import PlayedTurn
from ggp.manager.store.tables import OVER, MatchRow, SeatRow
from ggp.manager.store.turns import TurnText

T = TypeVar("T")
NOTHING: Final = "nothing"
ALL: Final = "all"
"""What spectators of a match of hidden information may see before it is over."""


@dataclass(frozen=True, slots=True)
class Sight:
    """What somebody sees of a match.

    Attributes:
        role: Whose percepts are seen, where it is not; empty if nobody's.
        role_index: Its place among the roles; -1 if it is nobody's.
    """

    is_whole: bool
    role: str = ""
    role_index: int = -1

    def turn(self, turn: PlayedTurn) -> dict[str, Any]:
        """A turn, as far as it is seen, as JSON has it."""
        fields = turn.fields()
        if self.is_whole:
            return fields
        return fields | {
            "moves": self._own(fields["moves"], None),
            "facts": [],
            "errors": self._own(fields["errors"], ""),
            "replies": self._own(fields["replies"], {}),
            "percepts": self._own(fields["percepts"], None),
        }

    def text(self, turn: TurnText) -> str:
        """A turn, as far as it is seen, as the text of JSON."""
        if self.is_whole:
            return turn.json()
        names = ("moves", "facts", "errors", "replies", "percepts")
        read = {name: json.loads(getattr(turn, name)) for name in names}
        seen = self.turn(PlayedTurn(turn.number, time=turn.time, **read))
        texts: dict[str, Any] = {name: json.dumps(seen[name]) for name in names}
        return replace(turn, **texts).json()

    def _own(self, row: Sequence[T], unseen: T | None) -> list[T | None]:
        return [one if index == self.role_index else unseen for index, one in enumerate(row)]


WHOLE: Final = Sight(is_whole=True)
"""Of a match in which nothing is hidden, or that is over."""
COMMON: Final = Sight(is_whole=False)
"""What everybody knows."""


def is_closed(match: MatchRow) -> bool:
    """Whether a match may not be shown as it is, to some at least."""
    return match.hides and match.status not in OVER


def sight_of(match: MatchRow, key: str) -> Sight:
    """What somebody sees of a match who has this key, or none."""
    if not is_closed(match):
        return WHOLE
    for seat in match.seats:
        if _opens(key, seat):
            return Sight(False, seat.role, seat.role_index)
    return WHOLE if match.spectators == ALL else COMMON


def is_seat_of(match: MatchRow, role: str, key: str) -> bool:
    """Whether somebody with this key may act for a role; where no seat has one, everybody may."""
    return not match.hides or any(one.role == role and _opens(key, one) for one in match.seats)


def has_seat(match: MatchRow, key: str) -> bool:
    """Whether a key is that of a seat of a match."""
    return any(_opens(key, one) for one in match.seats)


def sights_of(match: MatchRow) -> list[Sight]:
    """All that people and spectators may see of a match that is not over, beside the whole."""
    if not match.hides:
        return []
    people = [Sight(False, one.role, one.role_index) for one in match.seats if one.key]
    return [COMMON, *people]


def _opens(key: str, seat: SeatRow) -> bool:
    given, known = (one.encode("utf-8", "surrogatepass") for one in (key, seat.key))
    return bool(known) and hmac.compare_digest(given, known)
