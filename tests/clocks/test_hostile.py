"""Two matches are played to their end while hundreds of requests try to disturb them."""

from __future__ import annotations

import asyncio
import random
import time
from pathlib import Path

import pytest
from attacking.hostile_requests import Attack, attack, attacks

import gdl
from ggp.protocol import EMPTY_TURN, Happened, Play, Start, Stop, encode
from ggp.protocol.client import send
from tests.ggp.server.processes import children, ggp_serve, memory_bytes
from tests.ggp.server.test_recorded import FILES, OWN, recorded

NUM_ATTACKERS = 25
NUM_WARM = 2
STARTCLOCK = 2
NUM_LEAVING = 3  # processes that have been told to go
MEBIBYTE = 1 << 20


@pytest.mark.parametrize(  # tests/ggp/server/test_hostile.py has a server in this process
    ("num_requests", "rounds"),
    [
        pytest.param(60, (2, 2), marks=pytest.mark.thorough),
        pytest.param(250, (6, 4), marks=pytest.mark.endurance),
    ],
)
async def test_hostile_requests_neither_delay_nor_spoil_running_matches(
    num_requests: int, rounds: tuple[int, int]
) -> None:
    """No late move, no illegal one; the server stays small, and so do its processes."""
    num_warming_up = 3 * num_requests // 10  # until the server has its working size
    with ggp_serve("--max-matches", "4", "--memory", "1024") as (address, pid):
        host, _, port = address.removeprefix("http://").rpartition(":")
        plans = attacks(seeds(), num_requests, seed=2)
        matches = asyncio.gather(
            Manager(address, "live.1", pennies(rounds[0]), playclock=2).play(),
            Manager(address, "live.2", pennies(rounds[1]), playclock=2).play(),
        )
        await assail(host, int(port), plans[:num_warming_up])
        before = memory_bytes(pid)
        is_still_playing = not matches.done()
        await assail(host, int(port), plans[num_warming_up:])
        after, engines = memory_bytes(pid), children(pid)
        plies = await matches

        assert await send(address, "( INFO )", timeout=1) != ""
    assert is_still_playing
    assert tuple(plies) == rounds
    assert after < before + 30 * MEBIBYTE
    assert len(engines) <= 4 + NUM_WARM + NUM_LEAVING


class Manager:
    """Plays the first role by asking the server, all others at random."""

    def __init__(self, address: str, match: str, rules: str, playclock: int) -> None:
        self._address = address
        self._match = match
        self._playclock = playclock
        self._text = rules
        self._rules = gdl.read_kif(self._text)
        self._machine = gdl.load(self._rules, "interpreter")
        self._rng = random.Random(match)

    async def play(self) -> int:
        """Play to the end; the number of plies."""
        machine, state, last, plies = self._machine, self._machine.initial_state(), EMPTY_TURN, 0
        role = machine.roles[0]
        start = Start(self._match, role.name, self._text, STARTCLOCK, self._playclock)
        assert await send(self._address, encode(start), timeout=STARTCLOCK) == "ready"
        while not machine.is_terminal(state):
            legal = [machine.legal_moves(state, each) for each in machine.roles]
            answer = await self._ask(last)
            assert answer in map(str, legal[0])
            moves = [gdl.read_term(answer, self._rules), *map(self._rng.choice, legal[1:])]
            state = machine.next_state(state, moves)
            texts = tuple(map(str, moves))
            last, plies = Happened(f"({' '.join(texts)})", texts), plies + 1
        assert await send(self._address, encode(Stop(self._match, last)), timeout=3) == "done"
        return plies

    async def _ask(self, last: Happened) -> str:
        began = time.monotonic()
        answer = await send(self._address, encode(Play(self._match, last)), timeout=60)
        assert time.monotonic() - began < self._playclock
        return answer


def pennies(num_rounds: int) -> str:
    """Two players show heads or tails for so many rounds: nothing to prove, so time is used."""
    steps = " ".join(f"(succ {number} {number + 1})" for number in range(num_rounds))
    return (
        f"(role left) (role right) (init (round 0)) {steps} (coin heads) (coin tails) "
        "(<= (legal ?p (show ?c)) (role ?p) (coin ?c)) "
        "(<= (next (round ?m)) (true (round ?n)) (succ ?n ?m)) "
        "(<= (next alike) (does left (show ?c)) (does right (show ?c))) "
        "(<= (goal left 100) (true alike)) (<= (goal left 0) (not (true alike))) "
        "(<= (goal right 0) (true alike)) (<= (goal right 100) (not (true alike))) "
        f"(<= terminal (true (round {num_rounds})))"
    )


async def assail(host: str, port: int, plans: list[Attack]) -> None:
    """Carry out attacks, many at a time."""
    free = asyncio.Semaphore(NUM_ATTACKERS)

    async def one(plan: Attack) -> None:
        async with free:
            await attack(host, port, plan)

    await asyncio.gather(*map(one, plans))


def seeds() -> list[bytes]:
    """Recorded requests: the real managers' where they are present, and our own."""
    return [request for path in present() for request in recorded(path, "server->player")]


def present() -> list[Path]:
    """The recordings that are there."""
    return [path for path in FILES if path.parent == OWN or path.exists()]
