"""Whole matches, replayed from the bytes that real game managers sent."""

from __future__ import annotations

import ast
import asyncio
import re
from pathlib import Path

import pytest

import gdl
from ggp.engine import EngineConfig
from ggp.protocol import Abort, Info, Play, Preview, Start, Stop, decode
from tests.ggp.server.wire import Response, parsed, serving
from tests.shared import SHARED, require
from tests.thorough import all_but

OWN = Path(__file__).parent / "recorded"
THEIRS = SHARED / "protocol"
FILES = [
    OWN / "ggp_base.log",
    OWN / "dresden.log",
    THEIRS / "x.log",
    THEIRS / "o.log",
    THEIRS / "dresden.log",
    THEIRS / "random_role.log",
    THEIRS / "stuck.log",
]
WORDS = {Start: "ready", Preview: "ready", Stop: "done", Abort: "aborted"}


@pytest.mark.parametrize(
    "path",
    all_but(FILES[:3], FILES, is_whole=True),
    ids=lambda path: f"{path.parent.name}/{path.name}",
)
async def test_recorded_matches_are_played_to_their_end(path: Path) -> None:
    """Every message has its answer, every PLAY a legal move of the state that it leads to."""
    requests = recorded_requests(path)
    referees: dict[str, Referee] = {}

    async with serving() as wire:
        for request in requests:
            response = await wire.send(request)
            assert response.status == 200, response.body
            judge(request, response, referees)

    assert len(requests) >= 5


@pytest.mark.usefixtures("ready_forkers")
@pytest.mark.parametrize("name", ["ggp_base.log", "dresden.log"])
async def test_our_own_bytes_have_not_changed(name: str) -> None:
    """Header by header; who relies on them should see a change coming."""
    requests = recorded(OWN / name, "server->player")
    answers = recorded(OWN / name, "player->server")

    async with serving(engine=EngineConfig(player="legal"), has_processes=True) as wire:
        for request, answer in zip(requests, answers, strict=True):
            assert re.sub(rb"Date: [^\r]*\r\n", b"", await wire.raw(request)) == answer


async def test_odd_requests_to_a_real_player_do_not_hurt_ours() -> None:
    """Ours says what is wrong in one line where GGP-Base's player hangs."""
    text = require("protocol", "probe_player.txt").read_text(encoding="utf-8")
    requests = [ast.literal_eval(line[4:]) for line in re.findall(r"^  > b.*$", text, re.MULTILINE)]

    # A client that sends less than it promised waits until its time is up.
    async with serving(receive_seconds=0.3) as wire:
        answers = await asyncio.gather(*map(wire.raw, requests))
        assert await wire.say("(INFO)")

    assert len(requests) > 40
    for request, answer in zip(requests, answers, strict=True):
        assert not answer or parsed(answer).status in {100, 200, 400, 404, 408}, request


class Referee:
    """The match as the rules of its START have it."""

    def __init__(self, start: Start) -> None:
        self.machine = gdl.load(rules := gdl.read_kif(start.rules), "interpreter")
        self.rules = rules
        self.state = self.machine.initial_state()
        names = [role.name.lower() for role in self.machine.roles]
        self.role = self.machine.roles[names.index(start.role.lower())]

    def advance(self, moves: tuple[str, ...] | None) -> None:
        """Make the joint move that a message tells."""
        if moves is not None:
            terms = [gdl.read_term(move, self.rules) for move in moves]
            self.state = self.machine.next_state(self.state, terms)

    def legal(self) -> list[str]:
        """The legal moves of the player's role, in the rulesheet's spelling."""
        return [str(move) for move in self.machine.legal_moves(self.state, self.role)]


def judge(request: bytes, response: Response, referees: dict[str, Referee]) -> None:
    """Check one answer against the rules of its match."""
    message = decode(message_of(request))
    if isinstance(message, Start):
        referees[message.match] = Referee(message)
    if isinstance(message, Play):
        referee = referees[message.match]
        referee.advance(message.last.joint_move())
        assert response.body in referee.legal()
    elif isinstance(message, Info):
        assert response.body.startswith("((name tester) (status available)")
    else:
        assert response.body == WORDS[type(message)]


def message_of(request: bytes) -> str:
    """The message in a recorded request."""
    head, _, body = request.partition(b"\r\n\r\n")
    return "(INFO)" if head.startswith(b"GET") else body.decode()


def recorded_requests(path: Path) -> list[bytes]:
    """Requests of the game manager; skips the calling test if the file is not there."""
    if path.parent == THEIRS:
        require("protocol", path.name)
    return recorded(path, "server->player")


def recorded(path: Path, direction: str) -> list[bytes]:
    """All that went in one direction."""
    text = path.read_text(encoding="utf-8")
    sent = re.findall(rf"{direction} (?:\d+B )?(b(?:'.*'|\".*\"))$", text, re.MULTILINE)
    return [ast.literal_eval(literal) for literal in sent]
