"""Let pairs of scripted people play each other over HTTP, and check that no match is stuck or lost.

    python benchmarks/people.py --pairs 50 --minutes 5

Each pair starts by a challenge link, plays with clocks, and does what people do. It looks at the
position before it moves, offers and declines draws, takes moves back, and resigns. It also closes
its page and comes back, and plays a rematch. A match is stuck if nothing happens for `--patience`
seconds although a player is to move. A match is lost if the manager lacks a move that it accepted.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from aiohttp import ClientSession, ClientTimeout, TCPConnector
from databases import fresh
from processes import running

API = "/api/v1"
GAMES = ("ticTacToe", "connectFour", "phantomTicTacToe")
CLOCK = {"kind": "game", "seconds": 120, "increment": 5}
WHIMS = {"resign": 0.01, "draw": 0.02, "take-back": 0.03, "leave": 0.03}
"""How often a person does something before a move."""
AWAY_SECONDS = 1.0


class StuckError(Exception):
    """A match that should continue is stuck."""


@dataclass(slots=True)
class Diary:
    """The events of all pairs.

    Attributes:
        seconds: Of each move, from when it was sent to when the other person read of the turn.
    """

    endings: dict[str, int] = field(default_factory=dict)
    seconds: list[float] = field(default_factory=list)
    refused: dict[int, int] = field(default_factory=dict)
    """Requests by status; 409 means that a request came a moment too late."""
    moves: int = 0
    stuck: int = 0
    lost: int = 0


@dataclass(slots=True)
class Board:
    """What two people share of their match, to compare with the manager's state.

    Attributes:
        accepted: The moves that the manager has accepted, by role and turn.
    """

    number: int
    accepted: dict[tuple[str, int], str] = field(default_factory=dict)
    sent: dict[int, float] = field(default_factory=dict)
    taken_back: bool = False


@dataclass(slots=True)
class Script:
    """A person in a match: reads its events, and acts when it is to move."""

    client: ClientSession
    board: Board
    key: str
    diary: Diary
    rng: random.Random
    think: float
    patience: float
    role: str = ""
    place: str = ""

    async def play(self) -> None:
        """Play the match to its end."""
        own = await self.ask("GET", f"matches/{self.board.number}/seat")
        self.role = own["roles"][0]
        while not await self._look():
            await asyncio.sleep(AWAY_SECONDS * self.rng.random())

    async def _look(self) -> bool:
        """Open the page and act on what it shows; return whether the match is over."""
        async for name, data in self._events():
            if name == "ended":
                return True
            if name == "turn" and data["number"] in self.board.sent:
                sent = self.board.sent.pop(data["number"])
                self.diary.seconds.append(time.monotonic() - sent)
            if name == "taken-back":
                self.board.taken_back = True
            if name == "people" and not await self._act(data):
                return False
        return False

    async def _events(self) -> AsyncIterator[tuple[str, Any]]:
        headers = {"Last-Event-ID": self.place} if self.place else {}
        path = f"{API}/matches/{self.board.number}/events?seat={self.key}"
        heard = time.monotonic()
        async with self.client.get(path, headers=headers) as answer:
            assert answer.status == 200, answer.status
            name = ""
            async for line in answer.content:
                text = line.decode().rstrip("\n")
                if text.startswith(":") and time.monotonic() - heard > self.patience:
                    raise StuckError(f"match {self.board.number}")
                if text.startswith("id: "):
                    self.place = text[4:]
                elif text.startswith("event: "):
                    name = text[7:]
                elif text.startswith("data: "):
                    heard = time.monotonic()
                    yield name, json.loads(text[6:])

    async def _act(self, people: Any) -> bool:
        """Answer offers, and move if it is our turn; return whether the page stays open."""
        for offer in people["offers"]:
            if offer["role"] != self.role:
                agrees = self.rng.random() < 0.5
                what = "offers" if agrees else "declines"
                await self._do(what, {"kind": offer["kind"]})
        if self.role not in [one["role"] for one in people["waiting"]]:
            return True
        await asyncio.sleep(self.think * 2 * self.rng.random())
        whim = self._whim()
        if whim == "leave":
            return False
        if whim == "resign":
            await self._do("resign", {})
        elif whim:
            await self._do("offers", {"kind": whim})
        await self._move(people["turn"])
        return True

    def _whim(self) -> str:
        left = self.rng.random()
        for whim, share in WHIMS.items():
            left -= share
            if left < 0:
                return whim
        return ""

    async def _move(self, turn: int) -> None:
        path = f"matches/{self.board.number}/positions/{turn - 1}"
        position = await self.ask("GET", path)
        moves = position.get("legal", {}).get(self.role, [])
        if len(moves) < 2:  # the match ended by a draw or resignation meanwhile
            return
        move = self.rng.choice(moves)
        began = time.monotonic()
        self.board.sent.setdefault(turn, began)
        done = await self._do("moves", {"move": move, "turn": turn})
        if done:
            self.board.accepted[self.role, turn] = move
            self.diary.moves += 1

    async def _do(self, what: str, body: dict[str, Any]) -> bool:
        body = {"role": self.role, **body}
        found = await self.ask("POST", f"matches/{self.board.number}/{what}", body)
        return "error" not in found

    async def ask(self, method: str, path: str, body: Any = None) -> Any:
        """Return the answer to a request; raise an error for the manager's internal errors."""
        address = f"{API}/{path}?seat={self.key}"
        async with self.client.request(method, address, json=body) as answer:
            if answer.status >= 400:
                self.diary.refused[answer.status] = self.diary.refused.get(answer.status, 0) + 1
            assert answer.status < 500 or answer.status == 503, await answer.text()
            return await answer.json()


@dataclass(frozen=True, slots=True)
class Terms:
    """How long people play, and how they behave."""

    seconds: float
    think: float = 1.0
    patience: float = 60.0
    seed: int = 1


async def play_pair(client: ClientSession, pair: int, terms: Terms, diary: Diary) -> None:
    """Let two people play one match after the other until the time is over."""
    rng = random.Random(f"{terms.seed}:{pair}")
    end = time.monotonic() + terms.seconds
    while time.monotonic() < end:
        number, keys = await challenge(client, rng, diary)
        while number:
            board = Board(number)
            scripts = [
                Script(client, board, key, diary, rng, terms.think, terms.patience) for key in keys
            ]
            try:
                await asyncio.gather(*(script.play() for script in scripts))
            except StuckError:
                diary.stuck += 1
                return
            await check(scripts[0])
            number = 0
            if time.monotonic() < end and rng.random() < 0.3:
                number, keys = await rematch(scripts)


async def challenge(
    client: ClientSession, rng: random.Random, diary: Diary
) -> tuple[int, list[str]]:
    """Start a match by a challenge link; return its number and the keys of both."""
    body = {
        "game": rng.choice(GAMES),
        "players": ["person", "person:link"],
        "sides": "random",
        "clock": CLOCK,
    }
    while True:
        async with client.post(f"{API}/challenges", json=body) as answer:
            made = await answer.json()
            if answer.status == 201:
                break
            diary.refused[answer.status] = diary.refused.get(answer.status, 0) + 1
        await asyncio.sleep(rng.random())
    (link,) = made["links"].values()
    accepting = f"{API}/challenges/{made['number']}/accept"
    async with client.post(accepting, json={"link": link}) as answer:
        taken = await answer.json()
        assert answer.status == 200, taken
    return taken["match"], [made["key"], taken["key"]]


async def rematch(scripts: list[Script]) -> tuple[int, list[str]]:
    """Start a rematch with swapped seats; return the number of the match and the keys."""
    keys, number = [], 0
    for script in (*scripts, scripts[0]):
        body = {"role": script.role, "kind": "rematch"}
        found = await script.ask("POST", f"matches/{script.board.number}/offers", body)
        number = found["number"] or 0
        keys.append(found["key"])
    return number, [keys[2], keys[1]]


async def check(script: Script) -> None:
    """Check that the manager has each accepted move, turn by turn to the end."""
    board, diary = script.board, script.diary
    match = await script.ask("GET", f"matches/{board.number}")
    turns = await script.ask("GET", f"matches/{board.number}/turns")
    ending = match["ending"] or match["status"]
    diary.endings[ending] = diary.endings.get(ending, 0) + 1
    is_whole = [turn["number"] for turn in turns] == list(range(match["turns"] + 1))
    kept = {
        (role, turn["number"]): move
        for turn in turns[1:]
        for role, move in zip(match["roles"], turn["moves"], strict=True)
    }
    last = match["turns"]
    missing = [
        at
        for at, move in board.accepted.items()
        if at[1] <= last and kept.get(at) != move and not board.taken_back
    ]
    early = not board.taken_back and any(turn > last + 1 for _, turn in board.accepted)
    if match["status"] != "completed" or not is_whole or missing or early:
        diary.lost += 1
        print(f"match {board.number}: {match['status']} {match['reason']} {missing}")


async def play_all(address: str, pairs: int, terms: Terms) -> Diary:
    """Let `pairs` pairs play at the same time."""
    diary = Diary()
    connector = TCPConnector(limit=0)
    async with ClientSession(
        address, connector=connector, timeout=ClientTimeout(total=None, sock_read=None)
    ) as client:
        await asyncio.gather(*(play_pair(client, pair, terms, diary) for pair in range(pairs)))
    return diary


def tell(diary: Diary) -> bool:
    """Print the results; return whether nothing was stuck or lost."""
    endings = ", ".join(f"{number} {name}" for name, number in sorted(diary.endings.items()))
    print(f"{sum(diary.endings.values())} matches ({endings}), {diary.moves} moves")
    if len(diary.seconds) > 1:
        parts = statistics.quantiles(diary.seconds, n=100)
        print(
            f"from a move to the turn at both: {1000 * statistics.median(diary.seconds):.0f} ms "
            f"(median), {1000 * parts[98]:.0f} ms (99 %), {1000 * max(diary.seconds):.0f} ms (most)"
        )
    print(f"refused: {diary.refused or 'nothing'}")
    print(f"stuck: {diary.stuck}, lost: {diary.lost}")
    return not (diary.stuck or diary.lost)


async def measure(options: argparse.Namespace) -> int:
    """Measure according to the options; return 1 if a match was stuck or lost."""
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        url = await stack.enter_async_context(fresh(folder, options.db))
        manager = await stack.enter_async_context(running("manager", "--port", "0", "--db", url))
        terms = Terms(60 * options.minutes, options.think, options.patience, options.seed)
        diary = await play_all(manager.address, options.pairs, terms)
        print(f"{manager.cpu_seconds():.0f} s of the manager's time, {manager.megabytes():.0f} MB")
    return 0 if tell(diary) else 1


def main() -> int:
    """Parse the command line and measure."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--pairs", type=int, default=50)
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--think", type=float, default=1.0, help="mean seconds before a move")
    parser.add_argument("--patience", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--db", default="", help="URL of a PostgreSQL server (default: SQLite)")
    return asyncio.run(measure(parser.parse_args()))


if __name__ == "__main__":
    sys.exit(main())
