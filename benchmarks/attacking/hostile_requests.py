"""Hostile requests: real ones damaged at random, and some built to do harm."""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ggp import games
from ggp.protocol import EMPTY_TURN, Info, Play, Start, Stop, encode

PATIENCE_SECONDS = 2.0  # an attacker gives up then; the server waits longer for the slow ones

Damage = Callable[[bytes, random.Random], bytes]


@dataclass(frozen=True, slots=True)
class Attack:
    """One client: what it sends, in pieces, and how long it waits before each."""

    pieces: tuple[bytes, ...]
    pause: float = 0.0
    is_reading: bool = True


def managers_requests(game: str) -> list[bytes]:
    """Return what a game manager sends in a match of a bundled game, from INFO to STOP."""
    start = Start("evil.4", "xplayer", games.text(game), 3600, 3600)
    messages = (Info(), start, Play("evil.4", EMPTY_TURN), Stop("evil.4", EMPTY_TURN))
    return [_post(encode(message).encode()) for message in messages]


def attacks(seeds: Sequence[bytes], number: int, seed: int) -> list[Attack]:
    """Return `number` attacks: seeds damaged at random, and every tenth one of the worst."""
    rng = random.Random(seed)
    worst = _worst()
    return [
        worst[index // 10 % len(worst)] if index % 10 == 0 else _damaged(rng.choice(seeds), rng)
        for index in range(number)
    ]


async def attack(host: str, port: int, plan: Attack) -> None:
    """Carry out one attack and accept any answer."""
    with contextlib.suppress(OSError, TimeoutError):
        async with asyncio.timeout(PATIENCE_SECONDS):
            reader, writer = await asyncio.open_connection(host, port)
            with contextlib.closing(writer.transport):
                await _carry_out(plan, reader, writer)


async def _carry_out(
    plan: Attack, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
) -> None:
    for piece in plan.pieces:
        await asyncio.sleep(plan.pause)  # slowness is the attack
        writer.write(piece)
        await writer.drain()
    if plan.is_reading:
        await reader.read()


def _damaged(seed: bytes, rng: random.Random) -> Attack:
    request = seed
    for _ in range(rng.randint(1, 3)):
        request = rng.choice(_DAMAGES)(request, rng)
    if rng.random() < 0.2:  # slowly, in two pieces
        cut = rng.randint(0, len(request))
        return Attack((request[:cut], request[cut:]), pause=0.3)
    return Attack((request,), is_reading=rng.random() < 0.9)


def _cut(request: bytes, rng: random.Random) -> bytes:
    return request[: rng.randint(0, len(request))]


def _drop(request: bytes, rng: random.Random) -> bytes:
    start = rng.randint(0, len(request))
    return request[:start] + request[start + rng.randint(1, 20) :]


def _double(request: bytes, rng: random.Random) -> bytes:
    start = rng.randint(0, len(request))
    return request[:start] + request[start : start + 200] * 2 + request[start + 200 :]


def _flip(request: bytes, rng: random.Random) -> bytes:
    changed = bytearray(request or b" ")
    for _ in range(rng.randint(1, 8)):
        changed[rng.randrange(len(changed))] = rng.randrange(256)
    return bytes(changed)


def _scramble_body(request: bytes, rng: random.Random) -> bytes:
    """Damage the message only and state its true length, so that it reaches the decoder."""
    body = request.partition(b"\r\n\r\n")[2]
    damaged = rng.choice([_cut, _drop, _double, _flip, _insert])(body, rng)
    return _post(damaged)


def _insert(request: bytes, rng: random.Random) -> bytes:
    start = rng.randint(0, len(request))
    sign = rng.choice(
        [b"(", b")", b"[", b",", b'"', b"\0", b"\n", b"%", b"/*", b"\xff\xfe", b"NIL"]
    )
    return request[:start] + sign * rng.randint(1, 50) + request[start:]


def _wrong_length(request: bytes, rng: random.Random) -> bytes:
    length = rng.choice([b"-1", b"0", b"3", b"77777", b"x", b"1e3", b"9" * 30])
    head, _, body = request.partition(b"\r\n\r\n")
    return b"POST / HTTP/1.0\r\nContent-Length: " + length + b"\r\n\r\n" + (body or head)


def _line_ends(request: bytes, _: random.Random) -> bytes:
    return request.replace(b"\r\n", b"\n")


_DAMAGES: list[Damage] = [
    *(_cut, _drop, _double, _flip, _insert, _wrong_length, _line_ends),
    *(_scramble_body,) * 6,
]


def _post(body: bytes) -> bytes:
    return b"POST / HTTP/1.0\r\nContent-Length: %d\r\n\r\n" % len(body) + body


def _worst() -> list[Attack]:
    grows = "(role a) (init (s 0)) (<= (true2 (f ?x)) (true2 ?x)) (true2 0) (legal a b)"
    takes = "(role white) (init (s 0)) (legal white take) (<= terminal (true (s 1))) (goal white 0)"
    endless = f"( START evil.1 a ({grows} (<= terminal (true2 z)) (goal a 0)) 3600 3600)"
    taken = f"( START evil.2 white ({takes}) 1 3600)"
    return [
        Attack((_post(b"(" * 1_900_000),)),
        Attack((_post(b"start(a,b," + b"x," * 900_000),)),
        Attack((_post(b"f(" + b"/*" * 900_000),)),
        Attack((_post(b" " * 1_900_000),)),
        Attack((_post(b"(PLAY m (" + b"(" * 50_000 + b")" * 50_000 + b"))"),)),
        Attack((b"POST / HTTP/1.0\r\nContent-Length: 99999999999\r\n\r\n" + b"x" * 3_000_000,)),
        Attack((b"GET /" + b"%28" * 80_000 + b" HTTP/1.1\r\n\r\n",)),
        Attack((b"GET / HTTP/1.1\r\n" + b"X: " + b"y" * 3_000_000,)),
        Attack((b"POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 6\r\n\r\n(INFO)" * 2000,)),
        Attack((b"POST / HTTP/1.0\r\nContent-Length: 8\r\n\r\n", b"( IN", b"FO"), pause=0.5),
        Attack(tuple(bytes([char]) for char in b"POST / HTTP/1.0\r\nX: y"), pause=0.1),
        Attack((b"",), pause=1.5),
        Attack((_post(b"( START evil.3 a (" + b"( <= ( p ?x ) ) " * 20_000 + b") 1 1)"),)),
        Attack((_post(endless.encode()), _post(b"(ABORT evil.1)")), is_reading=False),
        Attack((_post(b"(ABORT evil.1)"),)),
        Attack((_post(taken.encode()),)),
        Attack((_post(b"(PLAY evil.2 (take take take))"),)),
        Attack((_post(b"(ABORT evil.2)"),)),
        Attack((_post(b"(PLAY live.1 (a b c d))"), b"")),
        Attack((_post(b"(PLAY live.2 (a"), b"")),
    ]
