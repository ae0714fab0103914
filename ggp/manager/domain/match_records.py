"""Records of matches in GGP-Base's format: exporting them in parts, and importing them."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from itertools import islice
from typing import Any, Final

from ggp.clock import milliseconds_since_1970
from ggp.manager.domain.games import Catalogue
from ggp.manager.domain.names import MAX_NAME
from ggp.manager.domain.people import WON, settled_goals
from ggp.manager.domain.rights import VisibleMatch
from ggp.manager.errors import ConflictError, WrongRequestError
from ggp.manager.store import matches, rulesheets
from ggp.manager.store.database import Database
from ggp.manager.store.matches import PlayedTurn
from ggp.manager.store.tables import Ending, MatchRow, SeatRow, Status
from ggp.manager.store.turns import TurnText, pages
from ggp.match.referee import is_played
from ggp.match.rulebook import Rulebook
from ggp.records.record import ENDING, ENDING_REASON, MatchRecord
from ggp.records.xml import record_from, xml_end, xml_start, xml_state
from ggp.sandbox import SandboxPool, SandboxRulebook
from ggp.term_text import spaced, spaced_group

MAX_TURNS: Final = 5000
MAX_MATCH_ID: Final = 200
MAX_REASON: Final = 500
IMPORTED: Final = "imported, but it was not played to its end"


async def turns_json(
    database: Database, number: int, first: int, sight: VisibleMatch
) -> AsyncIterator[bytes]:
    """Yield the turns from `first` on as one JSON list. Leave out what `sight` hides."""
    comma = "["
    async for page in pages(database, number, first):
        yield (comma + ",".join(map(sight.text, page))).encode()
        comma = ","
    yield b"[]" if comma == "[" else b"]"


async def record_json(database: Database, number: int) -> AsyncIterator[bytes]:
    """Yield the record of a match as JSON."""
    head, last = await _head(database, number)
    fields = head.to_json()
    for name in ("states", "stateTimes", "moves", "errors"):
        del fields[name]
    yield json.dumps(fields).removesuffix("}").encode() + b', "states": ['
    kept, comma = _Kept(), ""
    async for page in pages(database, number, last=last):
        yield (comma + await _written(kept.after(page), _state_json, ", ")).encode()
        comma = ", "
    yield (await asyncio.to_thread(kept.end, _end_json)).encode()


async def record_xml(database: Database, number: int) -> AsyncIterator[bytes]:
    """Yield the record of a match as GGP-Base's XML."""
    head, last = await _head(database, number)
    yield xml_start(head).encode()
    kept = _Kept()
    async for page in pages(database, number, last=last):
        yield (await _written(kept.after(page), lambda text: xml_state(json.loads(text)))).encode()
    yield (await asyncio.to_thread(kept.end, xml_end)).encode()


class _Kept:
    def __init__(self) -> None:
        self._times: list[int] = []
        self._moves: list[str] = []
        self._errors: list[str] = []

    def after(self, page: Sequence[TurnText]) -> list[str]:
        for turn in page:
            self._times.append(turn.time)
            self._errors.append(turn.errors)
            if turn.number > 0:
                self._moves.append(turn.moves)
        return [turn.facts for turn in page]

    def end(self, write: Callable[[list[int], Iterable[Any], Iterable[Any]], str]) -> str:
        return write(self._times, map(json.loads, self._moves), map(json.loads, self._errors))


async def _head(database: Database, number: int) -> tuple[MatchRecord, int]:
    """Return the record without turns, and the number of the last turn so far.

    The match may still be running, so the export stops at this turn.
    """
    async with database.reading() as session:
        match = await matches.find(session, number)
        return await matches.record_head(session, number), match.num_turns


async def _written(texts: list[str], write: Callable[[str], str], between: str = "") -> str:
    """Convert texts with `write` in a thread, a few at a time, so that other tasks can run."""
    found, left = [], iter(texts)
    while some := list(islice(left, 16)):
        found.append(await asyncio.to_thread(between.join, map(write, some)))
    return between.join(found)


def _state_json(facts: str) -> str:
    return json.dumps(spaced_group(json.loads(facts)))


def _end_json(times: list[int], moves: Iterable[Any], errors: Iterable[Any]) -> str:
    joint = [[spaced(move) for move in row] for row in moves]
    parts = (("stateTimes", times), ("moves", joint), ("errors", list(errors)))
    return "]" + "".join(f', "{name}": {json.dumps(value)}' for name, value in parts) + "}"


def record_text(fields: Mapping[str, Any]) -> str:
    """Return a record as text, given a JSON object."""
    try:
        return json.dumps(fields, allow_nan=False)
    except (ValueError, RecursionError) as error:
        raise WrongRequestError(f"record: {error}") from error


class MatchImport:
    """The importer of matches that were played elsewhere."""

    def __init__(self, database: Database, catalogue: Catalogue, sandboxes: SandboxPool) -> None:
        self._database = database
        self._catalogue = catalogue
        self._sandboxes = sandboxes

    async def add(self, game: str, text: str) -> int:
        """Import a match of a game and return its number."""
        if "\0" in text or "\\u0000" in text:  # some databases cannot store NUL
            raise WrongRequestError("record: expected a text without NUL")
        record = record_from(text)
        rules = await self._catalogue.rules_of(game)
        # Read bundled rules in a process too. Thousands of turns here would delay other matches.
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
                raise ConflictError(f"record: this manager already has match {record.match_id}")
            now = milliseconds_since_1970()
            row.rulesheet_id = await rulesheets.keep(
                session, game, rules.text, now, is_bundled=rules.is_bundled
            )
            number = await matches.create(session, row)
            for turn in _turns(record, len(roles)):
                await matches.add_turn(session, number, turn)
            if record.is_completed and record.goals is not None:
                reason = str(record.extra.get(ENDING_REASON, ""))[:MAX_REASON]
                await matches.complete(session, number, record.goals, now, _ending(record), reason)
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
    if record.is_completed and _ending(record) is not Ending.RULES:
        _check_settled(record, book.roles, is_terminal=position.is_terminal)
    elif record.is_completed:
        if not position.is_terminal:
            raise WrongRequestError(
                "moves: the record is completed, but by the rules the game is not over after "
                f"{len(record.moves)} turns"
            )
        played, given = [goal or 0 for goal in position.goals], list(record.goals or ())
        if given != played:
            raise WrongRequestError(
                f"goalValues: expected {played}, the goals by the rules, got {given}"
            )


def _ending(record: MatchRecord) -> Ending:
    try:
        return Ending(record.extra.get(ENDING, Ending.RULES))
    except ValueError:
        raise WrongRequestError(f"ending: expected one of {', '.join(Ending)}") from None


def _check_settled(record: MatchRecord, roles: Sequence[str], *, is_terminal: bool) -> None:
    """Check that people ended the match before its rules did, with goals that fit the ending."""
    goals = tuple(record.goals or ())
    losers = {role for role, goal in zip(roles, goals, strict=True) if goal != WON}
    if is_terminal or not losers or goals != settled_goals(roles, losers):
        raise WrongRequestError(
            f"goalValues: expected the goals of a match with the ending {_ending(record)}, "
            f"got {list(goals)}"
        )


def _compare(record: MatchRecord, turn: int, facts: tuple[str, ...]) -> None:
    if not record.states:
        raise WrongRequestError("states: expected the states of the match, got none")
    if set(record.states[turn]) != set(facts):
        raise WrongRequestError(f"states: the rules lead to another state after turn {turn}")


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
        extra={
            name: value
            for name, value in record.extra.items()
            if name not in {ENDING, ENDING_REASON}
        },
    )


def _turns(record: MatchRecord, num_roles: int) -> list[PlayedTurn]:
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
