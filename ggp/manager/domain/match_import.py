"""Matches that were played elsewhere come in, once they have been played over by their rules."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any, Final

from ggp.clock import milliseconds_since_1970
from ggp.manager.domain.games import Catalogue
from ggp.manager.domain.players import MAX_NAME
from ggp.manager.errors import ConflictError, WrongRequestError
from ggp.manager.store import matches, rulesheets
from ggp.manager.store.database import Database
from ggp.manager.store.matches import PlayedTurn
from ggp.manager.store.tables import MatchRow, SeatRow, Status
from ggp.match.referee import is_played
from ggp.match.rulebook import Rulebook
from ggp.records.record import MatchRecord
from ggp.records.xml import from_xml
from ggp.sandbox import SandboxPool, SandboxRulebook

MAX_TURNS: Final = 5000
MAX_MATCH_ID: Final = 200
IMPORTED: Final = "imported; it was not played to its end"


def record_text(fields: Mapping[str, Any]) -> str:
    """The text of a record whose JSON has been read already.

    Raises:
        WrongRequestError: It holds what no JSON can.
    """
    try:
        return json.dumps(fields, allow_nan=False)
    except (ValueError, RecursionError) as error:
        raise WrongRequestError(f"record: {error}") from error


def record_from(text: str) -> MatchRecord:
    """The record in a text, JSON or XML.

    Raises:
        RecordError: It is neither.
    """
    return from_xml(text) if text.lstrip().startswith("<") else MatchRecord.from_text(text)


class MatchImport:
    """Keeps matches that were played elsewhere."""

    def __init__(self, database: Database, catalogue: Catalogue, sandboxes: SandboxPool) -> None:
        self._database = database
        self._catalogue = catalogue
        self._sandboxes = sandboxes

    async def add(self, game: str, text: str) -> int:
        """Keep a match of a game; its number.

        Raises:
            UnknownNameError: There is no such game.
            RecordError: The text is no record.
            WrongRequestError: It is not one of this game.
            ConflictError: A match with its id is here.
        """
        if "\0" in text or "\\u0000" in text:  # some databases cannot keep it
            raise WrongRequestError("record: expected a text without NUL")
        record = record_from(text)
        rules = await self._catalogue.rules_of(game)
        # In a process, our own rules too: thousands of turns would hold up everybody else's match.
        book = await SandboxRulebook.open(rules.text, game, self._sandboxes)
        roles = book.roles
        try:
            _check_sizes(record, roles)
            await _play_over(record, book)
        finally:
            await book.close()
        row = _row(record, game, roles)
        async with self._database.writing() as session:
            if await matches.has_id(session, record.match_id):
                raise ConflictError(f"record: match {record.match_id} is here already")
            now = milliseconds_since_1970()
            row.rulesheet_id = await rulesheets.keep(
                session, game, rules.text, now, is_bundled=rules.is_bundled
            )
            number = await matches.create(session, row)
            for turn in _turns(record, len(roles)):
                await matches.add_turn(session, number, turn)
            if record.is_completed and record.goals is not None:
                await matches.complete(session, number, record.goals, now)
            else:
                await matches.set_status(session, number, Status.ABORTED, IMPORTED, now)
        return number


def _check_sizes(record: MatchRecord, roles: tuple[str, ...]) -> None:
    if not 0 < len(record.match_id) <= MAX_MATCH_ID:
        raise WrongRequestError(f"matchId: expected 1 to {MAX_MATCH_ID} characters")
    if len(record.moves) > MAX_TURNS:
        raise WrongRequestError(f"moves: expected at most {MAX_TURNS}, got {len(record.moves)}")
    for name, clock in (("startClock", record.startclock), ("playClock", record.playclock)):
        if not 0 <= clock < 2**31:
            raise WrongRequestError(f"{name}: expected a number of seconds, got {clock}")
    if any(not 0 <= one < 2**62 for one in (record.start_time, *record.state_times)):
        raise WrongRequestError("startTime: expected milliseconds since 1970")
    rows = [("moves", row) for row in record.moves] + [("errors", row) for row in record.errors]
    if record.goals is not None:
        rows.append(("goalValues", tuple(map(str, record.goals))))
    if record.player_names is not None:
        rows.append(("playerNamesFromHost", record.player_names))
    for name, row in rows:
        if row and len(row) != len(roles):
            raise WrongRequestError(
                f"{name}: expected one for each of {', '.join(roles)}, got {len(row)}"
            )


async def _play_over(record: MatchRecord, book: Rulebook) -> None:
    """See that the rules allow just what the record says."""
    position = await book.first()
    for turn, moves in enumerate(record.moves, start=1):
        _compare(record, turn - 1, position.facts)
        for role, move, legal in zip(book.roles, moves, position.legal, strict=False):
            if move not in legal:
                raise WrongRequestError(f"moves: {move:.100} of {role} is not legal in turn {turn}")
        if position.is_terminal:
            raise WrongRequestError(f"moves: the game is over after {turn - 1} turns")
        position = await book.after(position.facts, moves)
    _compare(record, len(record.moves), position.facts)
    if record.is_completed:
        played = [goal or 0 for goal in position.goals]
        if not position.is_terminal or list(record.goals or ()) != played:
            raise WrongRequestError(
                f"goalValues: by the rules they are {played or 'not yet given'}"
            )


def _compare(record: MatchRecord, turn: int, facts: tuple[str, ...]) -> None:
    if not record.states:
        raise WrongRequestError("states: expected those of the match, got none")
    if set(record.states[turn]) != set(facts):
        raise WrongRequestError(f"states: by the rules, that after turn {turn} is another")


def _row(record: MatchRecord, game: str, roles: tuple[str, ...]) -> MatchRow:
    names = record.player_names or roles
    token = record.random_token
    if len(token) > 32:
        token = hashlib.sha256(token.encode()).hexdigest()[:32]
    return MatchRow(
        match_id=record.match_id,
        game=game,
        roles=list(roles),
        seats=[
            SeatRow(role_index=index, role=role, player_name=names[index][:MAX_NAME] or role)
            for index, role in enumerate(roles)
            if is_played(role)
        ],
        startclock=record.startclock,
        playclock=record.playclock,
        is_scrambled=record.is_scrambled,
        random_token=token,
        created=record.start_time,
        extra=dict(record.extra),
    )


def _turns(record: MatchRecord, num_roles: int) -> list[PlayedTurn]:
    """The rows of a match; where the record is silent about errors, there were none."""
    silent = ("",) * num_roles
    return [
        PlayedTurn(
            number,
            record.moves[number - 1] if number else (),
            facts,
            (record.errors[number] or silent) if number < len(record.errors) else silent,
            record.state_times[number] if number < len(record.state_times) else record.start_time,
        )
        for number, facts in enumerate(record.states)
    ]
