"""Whole matches with the recorded bytes of real players: what we send is what the servers sent."""

from __future__ import annotations

import ast
import asyncio
import json
import re
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass

import pytest

import gdl
from ggp.match.errors import MatchError
from ggp.match.events import Asked, Event
from ggp.match.referee import MatchSetup, Referee
from ggp.match.rulebook import MachineRulebook
from ggp.protocol import Start, decode
from ggp.protocol.dialects import DIALECTS
from ggp.records.record import MatchRecord
from ggp.seating.remote import RemoteSeat
from tests.fakes.foreign import Foreign, running, says, sends, silent, word_of
from tests.shared import require
from tests.waiting import PATIENCE

_LINE = re.compile(r"#(\d+) (server->player|player->server) \d+B (b(?:'.*'|\".*\"))$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Exchange:
    """A message of a real server, and what a real player answered; whole requests and replies."""

    request: bytes
    reply: bytes

    @property
    def body(self) -> str:
        """The message."""
        return self.request.partition(b"\r\n\r\n")[2].decode()


def exchanges(name: str, match: str) -> list[Exchange]:
    """All of one match, in order, from a log of one player's bytes."""
    text = require("protocol", name).read_text(encoding="utf-8")
    told: dict[int, dict[str, bytes]] = {}
    for number, way, literal in _LINE.findall(text):
        parts = told.setdefault(int(number), {})
        parts[way] = parts.get(way, b"") + ast.literal_eval(literal)
    found = [
        Exchange(one["server->player"], one.get("player->server", b"")) for one in told.values()
    ]
    return [one for one in found if f" {match} " in one.body]


def player_of(recorded: Sequence[Exchange]) -> Foreign:
    """A player that answers with the recorded bytes, one reply after the other of a word."""
    words = {word_of(one.request) for one in recorded}
    return Foreign(
        {
            word: [sends(one.reply) for one in recorded if word_of(one.request) == word]
            for word in words
        }
    )


def setup_of(start: str, rules: str | None = None) -> MatchSetup:
    """The match that a START begins."""
    message = decode(start)
    assert isinstance(message, Start)
    rules = message.rules if rules is None else rules
    return MatchSetup(
        match_id=message.match,
        rulebook=MachineRulebook(gdl.load(gdl.read_kif(rules), "interpreter")),
        rules=rules,
        startclock=message.startclock,
        playclock=message.playclock,
        seed=1,
    )


async def test_a_match_of_ggp_base_is_played_again_byte_for_byte() -> None:
    """Each request is the recorded one, headers and all, and the record is GGP-Base's."""
    recorded = [exchanges(name, "Match.plain.1") for name in ("x.log", "o.log")]
    players = [player_of(one) for one in recorded]

    async with AsyncExitStack() as stack:
        seats = []
        for player, name in zip(players, ("P1", "P2"), strict=True):
            # By that name, which the server found for the address and put into Host.
            address = await stack.enter_async_context(running(player, host="localhost"))
            seats.append(RemoteSeat(address, name, lambda _: None))
        record = await Referee(setup_of(recorded[0][0].body), seats).run()

    assert [player.requests for player in players] == [
        [one.request for one in match] for match in recorded
    ]
    theirs = MatchRecord.from_text(require("protocol", "match_plain.json").read_text())
    assert (record.moves, record.errors, record.goals) == (
        theirs.moves,
        theirs.errors,
        theirs.goals,
    )
    assert list(map(set, record.states)) == list(map(set, theirs.states))
    assert set(json.loads(json.dumps(record.to_json()))) == set(
        json.loads(require("protocol", "match_plain.json").read_text())
    )


async def test_a_match_of_dresden_is_played_again_byte_for_byte() -> None:
    """The other player was not recorded, but its moves were told."""
    recorded = exchanges("dresden.log", "D.Match.1")
    last = [decode(one.body).last for one in recorded[2:]]  # type: ignore[union-attr]  # turns
    others = [(one.items or ("", ""))[1] for one in last]
    first, second = player_of(recorded), Foreign({"PLAY": [says(move) for move in others]})
    start = exchanges("x.log", "Match.plain.1")[0].body  # the same rules as they were written
    rules = decode(start)
    assert isinstance(rules, Start)

    async with AsyncExitStack() as stack:
        seats = [
            RemoteSeat(
                await stack.enter_async_context(running(player)),
                name,
                lambda _: None,
                DIALECTS["dresden"],
            )
            for player, name in ((first, "P1"), (second, "P2"))
        ]
        record = await Referee(setup_of(recorded[0].body, rules.rules), seats).run()

    assert first.requests == [one.request for one in recorded]
    assert record.is_completed
    assert not any(any(row) for row in record.errors)
    assert "(mark 2 3)" in record.moves[0]  # in the rules' own case


async def test_a_player_that_thinks_is_told_when_the_match_is_broken_off() -> None:
    """Both get ABORT, the one in the middle of its PLAY too, and it is the recorded one."""
    recorded = [exchanges(name, "Match.abort.1") for name in ("x.log", "o.log")]
    quick, slow = player_of(recorded[0]), Foreign({"PLAY": silent})

    async with running(quick, "localhost") as one, running(slow, "localhost") as other:
        seats = [RemoteSeat(one, "P1", lambda _: None), RemoteSeat(other, "P2", lambda _: None)]
        referee = Referee(setup_of(recorded[0][0].body), seats)
        match = asyncio.create_task(referee.run())
        async with asyncio.timeout(PATIENCE):
            await slow.heard("PLAY").wait()
            match.cancel()
            await asyncio.gather(match, return_exceptions=True)

    assert quick.requests[-1] == recorded[0][-1].request
    assert slow.requests[-1] == recorded[1][-1].request
    assert slow.words == ["START", "PLAY", "ABORT"]
    assert (referee.record.is_aborted, referee.record.is_completed) == (True, False)


@pytest.mark.parametrize(
    ("match", "reason"),
    [("stuck.nogoal", "no goal value"), ("stuck.nolegal", "no legal move")],
)
async def test_where_ggp_base_dies_without_a_word_players_are_released(
    match: str, reason: str
) -> None:
    """Otherwise on purpose: its players stay busy for ever, ours get ABORT."""
    recorded = exchanges("stuck.log", match)
    player = Foreign({"PLAY": says("x")})

    async with running(player, "localhost") as address:
        seat = RemoteSeat(address, "P1", lambda _: None)
        with pytest.raises(MatchError, match=reason):
            await Referee(setup_of(recorded[0].body), [seat]).run()

    assert player.requests[:-1] == [one.request for one in recorded]
    assert player.bodies[-1] == f"( ABORT {match} )"


async def test_the_role_of_chance_gets_no_message() -> None:
    """The referee plays it, and tells its moves to the others as GGP-Base did."""
    [*recorded] = exchanges("random_role.log", "rnd.1")
    moves = [decode(one.body).last.items for one in recorded[2:]]  # type: ignore[union-attr]
    setup = setup_of(recorded[0].body)
    index = next(place for place, role in enumerate(setup.rulebook.roles) if role != "random")
    own = [says(told[index]) for told in moves if told]
    player = Foreign({"PLAY": own})
    asked: list[Event] = []

    async with running(player, "localhost") as address:
        seat = RemoteSeat(address, "P1", lambda _: None)
        record = await Referee(setup, [seat], asked.append).run()

    # Chance goes its own way, so the recorded moves need not be legal for long.
    assert player.requests[0].split(b"\r\n\r\n")[1] == recorded[0].body.encode()
    assert player.words == ["START", *["PLAY"] * len(record.moves), "STOP"]
    assert all(len(decode(body).last.items or ()) == 2 for body in player.bodies[2:])  # type: ignore[union-attr]
    assert sum(isinstance(event, Asked) for event in asked) == len(record.moves)
