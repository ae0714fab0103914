"""Attacks on `ggp manager` over HTTP: connections, requests that ask for too much, many at once."""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import time
from collections import Counter
from collections.abc import AsyncIterator
from urllib.parse import urlsplit

from aiohttp import ClientError, ClientSession

from attacking.manager_scene import API, Answer, ask, manager
from attacking.rulesheets import endless, exploding
from attacking.stage import Attack, Stage
from ggp import games
from ggp.manager.config import ManagerConfig

FEW_FILES = ("bash", "-c", 'ulimit -n 600; exec "$@"', "bash")
"""Becomes a command that may have 600 descriptors, so that 700 connections do what 3,300 would."""
BATCH = 50
BROWSER = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "image"}
"""Headers of a request from a page of another site that embeds an image of ours."""
SMALL = "(role me) (init here) (legal me go) (<= (next there) (does me go)) (goal me 50) \
(<= terminal (true there))"
MAX_CHECK_SECONDS = 20.0
"""Within which an editor is answered, if only that others are."""
MAX_PROCESSES = 16
"""That a flood of requests may start, whatever the machine."""


async def idle_connections(stage: Stage) -> None:
    """Connections that send nothing, or half a request."""
    number, seconds = stage.size(700, 3300), stage.size(3, 30)
    prefix = FEW_FILES if stage.is_short else ()
    async with manager(stage, prefix=prefix) as (scene, _):
        writers: list[asyncio.StreamWriter] = []
        try:
            end = time.monotonic() + 2 * seconds
            while len(writers) < number and time.monotonic() < end:
                opened = [_connection(scene.program.address) for _ in range(BATCH)]
                writers += [one for one in await asyncio.gather(*opened) if one is not None]
            await asyncio.sleep(seconds)
        finally:
            for writer in writers:
                writer.transport.abort()
        await scene.recovered()


async def _connection(address: str) -> asyncio.StreamWriter | None:
    place = urlsplit(address)
    with contextlib.suppress(OSError, TimeoutError):
        async with asyncio.timeout(1.0):
            _, writer = await asyncio.open_connection(place.hostname, place.port)
            writer.write(f"GET / HTTP/1.1\r\nHost: {place.netloc}\r\nX-Slow: ".encode())
            return writer
    return None


async def huge_tournament(stage: Stage) -> None:
    """A tournament of 64 games, 64 players and 1,000 matches per pairing."""
    body = {
        "name": "huge",
        "games": sorted(name for name in games.names() if _num_roles(name) == 2)[:64],
        "players": [{"name": f"p{i}", "player": "random"} for i in range(64)],
        "matches": 1000,
    }
    seconds = float(stage.size(10, 60))
    async with manager(stage) as (scene, client):
        found = await ask(client, f"{API}/tournaments", body, seconds=seconds)
        if found.status == 0:
            stage.report.fault(f"a huge tournament was not answered within {seconds:.0f} s")
        if found.status == 201:  # it may be held, as long as it can be broken off again
            await ask(client, f"{API}/tournaments/{found.body['number']}/abort", {})
        await scene.recovered()


def _num_roles(game: str) -> int:
    return len(games.catalogue()[game].roles)


async def waiting_race(stage: Stage) -> None:
    """Many more matches than may wait, all set up at the same moment."""
    number, most = stage.size(300, 1000), ManagerConfig().max_waiting
    async with manager(stage) as (scene, client):
        body = {"game": "ticTacToe", "players": ["person", "person"]}
        wanted = (ask(client, f"{API}/matches", body, seconds=60) for _ in range(number))
        statuses = Counter(one.status for one in await asyncio.gather(*wanted))
        if statuses[201] > most:
            stage.report.fault(f"{statuses[201]} matches were set up, expected at most {most}")
        _check_statuses(stage, statuses)
        await scene.recovered()


async def many_checks(stage: Stage) -> None:
    """Exploding rulesheets to check, in the editor and as images in pages of other sites."""
    number, seconds = stage.size(24, 100), stage.size(4, 25)
    stage.report.most_growth = 1500.0
    async with manager(stage) as (scene, client):
        await ask(client, f"{API}/games", {"name": "boom", "text": exploding()}, seconds=30)
        async with _asking(client, number, endless(), seconds) as answers:
            worst = await _edit(client, time.monotonic() + seconds)
        if worst > MAX_CHECK_SECONDS:
            stage.report.fault(f"a small rulesheet was checked after {worst:.0f} s")
        if any(one.status == 200 for one in answers["other sites"]):
            stage.report.fault("pages of other sites can ask the API")
        most = stage.report.most_processes
        if most > MAX_PROCESSES:
            stage.report.fault(f"{most} processes, expected at most {MAX_PROCESSES}")
        await scene.recovered()


@contextlib.asynccontextmanager
async def _asking(
    client: ClientSession, number: int, text: str, seconds: float
) -> AsyncIterator[dict[str, list[Answer]]]:
    """Send all requests at once; yield the answers so far; hang up at the end of the block."""
    found: dict[str, list[Answer]] = {"checks": [], "other sites": []}

    async def check() -> None:
        body = {"text": text, "play": True}
        found["checks"].append(await ask(client, f"{API}/rules/check", body, seconds=seconds))

    async def peek(path: str) -> None:
        found["other sites"].append(await ask(client, path, headers=BROWSER, seconds=seconds))

    tasks = [asyncio.create_task(check()) for _ in range(number)]
    paths = (f"{API}/games/boom/{what}" for what in ("picture", "roles"))
    tasks += [asyncio.create_task(peek(path)) for path in paths for _ in range(number)]
    try:
        yield found
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _edit(client: ClientSession, end: float) -> float:
    """Check a small rulesheet again and again; return the longest wait for an answer."""
    worst = 0.0
    while (now := time.monotonic()) < end:
        await ask(client, f"{API}/rules/check", {"text": SMALL}, seconds=max(1.0, end - now))
        worst = max(worst, time.monotonic() - now)
        await asyncio.sleep(0.5)
    return worst


async def junk(stage: Stage) -> None:
    """Meaningless requests: each must be refused, and none with an internal error."""
    async with manager(stage) as (scene, client):
        statuses = Counter[int]()
        for _ in range(stage.size(1, 20)):
            for path, headers, body in JUNK:
                statuses[await _sent(client, path, headers, body)] += 1
        if accepted := sum(num for status, num in statuses.items() if 200 <= status < 400):
            stage.report.fault(f"{accepted} meaningless requests were accepted")
        _check_statuses(stage, statuses)
        await scene.recovered()


async def _sent(client: ClientSession, path: str, headers: dict[str, str], body: bytes) -> int:
    """Return the status of the answer to a POST of these bytes; 0 without an answer."""
    types = {"Content-Type": "application/json"}
    try:
        async with client.post(f"{API}{path}", data=body, headers=types | headers) as answer:
            return answer.status
    except (ClientError, OSError, TimeoutError):
        return 0


def _check_statuses(stage: Stage, statuses: Counter[int]) -> None:
    """Check that every refused client got a reason."""
    for status, number in statuses.items():
        if status == 0 or status in {500, 502}:
            what = "no answer" if status == 0 else f"status {status}"
            stage.report.fault(f"{number} requests got {what}")


JUNK: tuple[tuple[str, dict[str, str], bytes], ...] = (
    ("/matches", {"Content-Encoding": "gzip"}, b"no gzip at all"),
    ("/matches", {"Content-Encoding": "gzip"}, gzip.compress(bytes(20 << 20))),
    ("/matches", {"Content-Encoding": "unknown"}, b"{}"),
    ("/matches", {}, b"[" * 100_000),
    ("/matches", {}, b'{"game": "\xff"}'),
    ("/matches", {}, b'{"game": "ticTacToe", "players": ["a\\u0000b", "random"]}'),
    (
        "/matches",
        {},
        b'{"game": "ticTacToe", "players": ["http://127.0.0.1:1\\r\\nX: y", "legal"]}',
    ),
    ("/matches/1e5/abort", {}, b"{}"),
    ("/matches/import", {}, b'{"game": "ticTacToe", "record": "<!DOCTYPE x [<!ENTITY y \'z\'>]>"}'),
    ("/games", {}, b'{"name": "n", "text": "' + b"(" * 100_000 + b'"}'),
    ("/games", {}, b'{"name": "n", "text": "(goal me ' + b"9" * 5000 + b')"}'),
    ("/tournaments", {}, b'{"name": "t", "games": "ticTacToe", "players": 3}'),
)
"""Path, headers and body."""

ATTACKS = (
    Attack("waiting-race", "a thousand matches set up at the same moment", waiting_race),
    Attack("idle-connections", "thousands of connections with half a request", idle_connections),
    Attack("huge-tournament", "a tournament of a hundred million matches", huge_tournament),
    Attack("junk", "meaningless requests", junk),
    Attack("many-checks", "floods of rulesheets to check, other sites' too", many_checks),
)
