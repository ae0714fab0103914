"""Attacks on `ggp serve`: repeated STARTs, messages from strangers, rules that explode."""

from __future__ import annotations

import asyncio
import contextlib
import re
import time
from collections.abc import AsyncIterator
from urllib.parse import urlsplit

from attacking.player import STEADY
from attacking.report import MAX_RECOVERY_SECONDS
from attacking.rulesheets import endless, exploding
from attacking.server_scene import GAME, Beside, server
from attacking.stage import Attack, Stage
from attacking.weighing import num_abandoned
from ggp import games

STRANGER = "127.0.0.2"
"""Another address of this machine, as if it were another machine."""
MIN_MEMORY = 1024  # MB; the least that `ggp serve --memory` takes
REPLY_SECONDS = 5.0
MAX_REPLY_BYTES = 10_000


def start(match: str, role: str, rules: str, startclock: int, playclock: int) -> str:
    """Return a START."""
    return f"( START {match} {role} ({rules}) {startclock} {playclock} )"


async def say(address: str, text: str, seconds: float = REPLY_SECONDS, source: str = "") -> str:
    """Return the reply to a message; empty if there was none in time.

    Args:
        address: Of the player.
        text: The message.
        seconds: How long to wait before going away.
        source: The address of this machine to come from; empty for the usual one.
    """
    place = urlsplit(address)
    local = (source, 0) if source else None
    with contextlib.suppress(OSError, TimeoutError):
        async with asyncio.timeout(seconds):
            reader, writer = await asyncio.open_connection(
                place.hostname, place.port, local_addr=local
            )
            try:
                body = text.encode()
                head = f"POST / HTTP/1.0\r\nContent-Length: {len(body)}\r\n\r\n"
                writer.write(head.encode() + body)
                reply = await reader.read(MAX_REPLY_BYTES)
                return reply.decode("utf-8", "replace").partition("\r\n\r\n")[2].strip()
            finally:
                writer.close()
    return ""


@contextlib.asynccontextmanager
async def saying(address: str, texts: list[str], seconds: float) -> AsyncIterator[list[str]]:
    """Send all messages at once; yield the replies so far; hang up at the end of the block."""
    replies: list[str] = []

    async def one(text: str) -> None:
        replies.append(await say(address, text, seconds))

    tasks = [asyncio.create_task(one(text)) for text in texts]
    try:
        yield replies
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def idle_player(stage: Stage) -> tuple[str, ...]:
    """Return options of a player that does not search, in the short form."""
    return STEADY if stage.is_short else ()


def _quiet(stage: Stage) -> tuple[str, ...]:
    """Return options of a player that neither searches nor compiles rules, in the short form."""
    return ("--engine", "interpreter", *STEADY) if stage.is_short else ()


async def same_start(stage: Stage) -> None:
    """Copies of one START with the longest clocks; each waiting client occupies a place."""
    seconds = stage.size(3, 20)
    stage.report.most_growth = stage.size(600, 1000)  # in the full form, the match is searched
    async with server(stage, *_quiet(stage)) as (scene, _):
        address = scene.program.address
        text = start("copied", "white", games.text(GAME), 3600, 3600)
        async with saying(address, [text] * 130, seconds + 1):
            await asyncio.sleep(seconds)
        await scene.recovered()
        if left := await _abandoned(address):
            stage.report.fault(f"{left} connections whose clients left are still open")


async def _abandoned(address: str) -> int:
    """Return the number of connections of absent clients, when none should be open any more."""
    port, end = urlsplit(address).port or 0, time.monotonic() + MAX_RECOVERY_SECONDS
    while (left := num_abandoned(port)) and time.monotonic() < end:
        await asyncio.sleep(0.1)
    return left


async def hijacked(stage: Stage) -> None:
    """Messages with the running match's name: unreadable rules, and STARTs from strangers."""
    async with server(stage, *_quiet(stage)) as (scene, beside):
        address = scene.program.address
        for _ in range(stage.size(1, 4)):
            match, role = beside.match_id, beside.role
            rules = games.text(GAME)
            await say(address, start(match, role, "(role", 5, 2))
            await say(address, start(match, role, "(role me)", 5, 2))
            await say(address, start(match, role, "(legal white))", 5, 2), source=STRANGER)
            await say(address, start(match, role, rules, 5, 2), source=STRANGER)
            await say(address, f"( PLAY {match} ((move 1 1 1 2) noop) )", source=STRANGER)
            await say(address, f"( STOP {match} NIL )", source=STRANGER)
            await say(address, f"( ABORT {match} )", source=STRANGER)
            await asyncio.sleep(stage.size(0, 3))
        await scene.recovered()


async def many_starts(stage: Stage) -> None:
    """STARTs of hundreds of matches that are never played."""
    seconds, number = stage.size(3, 20), stage.size(60, 200)
    stage.report.most_growth = stage.size(600, 1000)  # a dozen processes; in full they search
    async with server(stage, *idle_player(stage)) as (scene, _):
        names = ("connectFour", "othello", "hex", "ticTacToe")
        texts = [
            start(f"many.{i}", _first_role(names[i % 4]), games.text(names[i % 4]), 5, 5)
            for i in range(number)
        ]
        async with saying(scene.program.address, texts, seconds + 1):
            await asyncio.sleep(seconds)
        await scene.recovered()


async def exploding_rules(stage: Stage) -> None:
    """Rulesheets whose moves cannot be listed or found, three at once."""
    seconds = stage.size(4, 30)
    stage.report.most_growth = 6000.0  # three processes of at most 4 GB each: less than half of it
    async with server(stage) as (scene, _):
        sheets = (exploding(), endless(), exploding(60, 4))
        texts = [start(f"boom.{i}", "white", text, 60, 60) for i, text in enumerate(sheets)]
        async with saying(scene.program.address, texts, seconds + 1):
            await asyncio.sleep(seconds)
        await scene.recovered()


async def least_memory(stage: Stage) -> None:
    """No attack, but the smallest documented memory: the tree must fit in it."""
    options = ("--memory", str(MIN_MEMORY))
    async with server(stage, *options) as (scene, beside):
        await _turns(beside, stage.size(4, 60))
        await scene.recovered()
        log = (stage.folder / f"{stage.report.name}.log").read_text(encoding="utf-8")
        for reason in re.findall(r"the engine is replaced: (.*)", log):
            stage.report.fault(f"a search process was replaced: {reason}")


async def _turns(beside: Beside, number: int) -> None:
    wanted = beside.num_turns + number
    while beside.num_turns < wanted:
        await asyncio.sleep(0.1)


def _first_role(game: str) -> str:
    return games.catalogue()[game].roles[0]


ATTACKS = (
    Attack("same-start", "130 copies of one START with clocks of an hour", same_start),
    Attack("hijacked", "a running match's name in strangers' and unreadable messages", hijacked),
    Attack("many-starts", "200 STARTs of matches that are never played", many_starts),
    Attack("exploding-rules", "three rulesheets that explode, at once", exploding_rules),
    Attack("least-memory", "matches in the least memory that is documented", least_memory),
)
