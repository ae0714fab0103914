"""Reports for each role after a turn: moves, percepts and who was in control."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from ggp.match.rulebook import Position, Rulebook
from ggp.match.seat import TurnReport
from ggp.records.record import MatchRecord

_CONTROL = re.compile(r"\(control ([^\s()]+)\)", re.IGNORECASE)


class TurnReports:
    """The turn reports of one match. It remembers which role was in control in the last turn."""

    def __init__(self, book: Rulebook) -> None:
        self._book = book
        self._in_control: str | None = None

    async def after(self, position: Position, moves: Sequence[str]) -> Position:
        """Return the position after a joint move.

        Raises:
            GgpError: The rules cannot be evaluated.
            GdlError: Likewise.
        """
        self._in_control = in_control(self._book.roles, position)
        return await self._book.after(position.facts, moves)

    async def position(self, record: MatchRecord) -> Position:
        """Return the position at which a record ends, with the percepts of the last move.

        Raises:
            GgpError: The rules cannot be evaluated.
            GdlError: Likewise.
        """
        self._in_control = None
        if not record.moves:
            return await self._book.at(record.states[-1])
        before = await self._book.at(record.states[-2])
        self._in_control = in_control(self._book.roles, before)
        if self._book.has_percepts:
            return await self._book.after(record.states[-2], record.moves[-1])
        return await self._book.at(record.states[-1])

    async def history(self, record: MatchRecord) -> Mapping[str, tuple[TurnReport, ...]]:
        """Return the reports of all turns so far for each role, to send them again.

        Raises:
            GgpError: The rules cannot be evaluated.
            GdlError: Likewise.
        """
        roles = self._book.roles
        report: dict[str, list[TurnReport]] = {role: [] for role in roles}
        for turn, moves in enumerate(record.moves, start=1):
            seen: tuple[tuple[str, ...], ...] = ()
            if self._book.has_percepts:
                seen = (await self._book.after(record.states[turn - 1], moves)).percepts
            for index, role in enumerate(roles):
                percepts = seen[index] if seen else None
                report[role].append(TurnReport(turn, moves, percepts, moves[index], roles=roles))
        return {role: tuple(turns) for role, turns in report.items()}

    def report(self, role: str, record: MatchRecord, position: Position) -> TurnReport:
        """Return a role's report of the last turn.

        `record` must end at `position`, which `after` or `position` must have returned last.
        """
        roles, moves = self._book.roles, record.moves[-1] if record.moves else None
        index = roles.index(role)
        single = None
        if moves is not None and self._in_control is not None:
            single = moves[roles.index(self._in_control)]
        return TurnReport(
            len(record.moves),
            moves,
            position.percepts[index] if position.percepts else None,
            None if moves is None else moves[index],
            single,
            roles,
            position.legal[index] if position.legal else (),
        )


def in_control(roles: Sequence[str], position: Position) -> str | None:
    """Return the role whose turn it is, or None if that is unclear or several roles choose.

    If no role has a choice, the fact `(control ROLE)` decides.
    """
    choosing = [role for role, legal in zip(roles, position.legal, strict=False) if len(legal) > 1]
    if len(roles) == 1:
        return roles[0]
    if choosing:
        return choosing[0] if len(choosing) == 1 else None
    found = [match[1].lower() for fact in position.facts if (match := _CONTROL.fullmatch(fact))]
    return next((role for role in roles if [role.lower()] == found), None)
