"""Matches on their way out: turns, and records as GGP-Base writes them, a page of turns at a time.

Other threads do the writing, so that a long match holds nobody up.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from itertools import islice
from typing import Any, TypeVar

from ggp.manager.domain.sight import Sight
from ggp.manager.store import matches
from ggp.manager.store.database import Database
from ggp.manager.store.turn_texts import TurnText, pages
from ggp.records.record import MatchRecord
from ggp.records.xml import xml_end, xml_start, xml_state
from ggp.term_text import spaced, spaced_group

T = TypeVar("T")


async def turns_json(
    database: Database, number: int, first: int, sight: Sight
) -> AsyncIterator[bytes]:
    """The turns of a match from `first` on, as one list, as far as somebody sees them."""
    comma = "["
    async for page in pages(database, number, first):
        yield (comma + ",".join(map(sight.text, page))).encode()
        comma = ","
    yield b"[]" if comma == "[" else b"]"


async def record_json(database: Database, number: int) -> AsyncIterator[bytes]:
    """The record of a match in JSON.

    Raises:
        UnknownMatchError: There is none of this number.
    """
    head, last = await _head(database, number)
    fields = head.to_json()
    for name in ("states", "stateTimes", "moves", "errors"):
        del fields[name]
    yield json.dumps(fields).removesuffix("}").encode() + b', "states": ['
    kept, comma = _Kept(), ""
    async for page in pages(database, number, last=last):
        yield (comma + await _written(kept.after(page), _state_json, ", ")).encode()
        comma = ", "
    yield (await asyncio.to_thread(_end_json, kept)).encode()


async def record_xml(database: Database, number: int) -> AsyncIterator[bytes]:
    """The record of a match in the XML of GGP-Base.

    Raises:
        UnknownMatchError: There is none of this number.
    """
    head, last = await _head(database, number)
    yield xml_start(head).encode()
    kept = _Kept()
    async for page in pages(database, number, last=last):
        yield (await _written(kept.after(page), lambda text: xml_state(json.loads(text)))).encode()
    yield (await asyncio.to_thread(kept.end, xml_end)).encode()


class _Kept:
    """The part of a match that comes after the states, and is small."""

    def __init__(self) -> None:
        self.times: list[int] = []
        self._moves: list[str] = []
        self._errors: list[str] = []

    def after(self, page: Sequence[TurnText]) -> list[str]:
        """Keep it of a page; the states of that."""
        for turn in page:
            self.times.append(turn.time)
            self._errors.append(turn.errors)
            if turn.number > 0:
                self._moves.append(turn.moves)
        return [turn.facts for turn in page]

    def end(self, write: Callable[[list[int], Iterable[Any], Iterable[Any]], T]) -> T:
        """All of it, written."""
        return write(self.times, map(json.loads, self._moves), map(json.loads, self._errors))


async def _head(database: Database, number: int) -> tuple[MatchRecord, int]:
    """The record without turns, and the number of its last one: it may go on meanwhile."""
    async with database.reading() as session:
        match = await matches.find(session, number)
        return await matches.record_head(session, number), match.num_turns


async def _written(texts: list[str], write: Callable[[str], str], between: str = "") -> str:
    """The texts after `write`, a few at a time: threads give way between two, not within one."""
    found, left = [], iter(texts)
    while some := list(islice(left, 16)):
        found.append(await asyncio.to_thread(_joined, some, write, between))
    return between.join(found)


def _joined(texts: list[str], write: Callable[[str], str], between: str) -> str:
    return between.join(map(write, texts))


def _state_json(facts: str) -> str:
    return json.dumps(spaced_group(json.loads(facts)))


def _end_json(kept: _Kept) -> str:
    def write(times: list[int], moves: Iterable[Any], errors: Iterable[Any]) -> str:
        joint = [[spaced(move) for move in row] for row in moves]
        parts = (("stateTimes", times), ("moves", joint), ("errors", list(errors)))
        return "".join(f', "{name}": {json.dumps(value)}' for name, value in parts)

    return "]" + kept.end(write) + "}"
