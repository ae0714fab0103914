"""Repeated messages are not taken for news, and news not for repetitions."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from ggp.engine import EngineConfig
from ggp.protocol.dialects.base import GgpBase
from tests.ggp.server.wire import Wire, serving, start

ROSHAMBO = (
    "(role left) (role right) (init (round 0)) "
    "(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6) "
    "(role_has left paper) (role_has left rock) (role_has right rock) (role_has right well) "
    "(<= (legal ?p ?w) (role_has ?p ?w) (true (round ?n))) "
    "(<= (next (round ?m)) (true (round ?n)) (succ ?n ?m)) "
    "(<= terminal (true (round 6))) (goal left 50) (goal right 50)"
)
"""All moves of all turns are legal in each; the player `legal` answers `paper`."""

IN_TURN = (
    "(role a) (role b) (role c) (init (control b)) "
    "(<= (legal ?r go) (true (control ?r))) "
    "(<= (legal ?r wait) (role ?r) (not (true (control ?r)))) "
    "(<= (next (control c)) (true (control b))) (<= (next (control b)) (true (control c))) "
    "(<= (next x) (true (control b))) (<= (next y) (true (control c))) "
    "(<= terminal (true over)) (goal a 50) (goal b 50) (goal c 50)"
)

pytestmark = pytest.mark.usefixtures("fake_clock")
"""Role `a` only looks on while `b` and `c` move in turn."""

SLOW = EngineConfig(player="tests.ggp.engine.odd_players:Watchful", reasoner="interpreter")
"""A player that thinks until its clock is over."""


@pytest.fixture
async def wire() -> AsyncIterator[Wire]:
    """A server whose player answers the first legal move at once."""
    async with serving() as found:
        yield found


async def turn_of(wire: Wire, caplog: pytest.LogCaptureFixture, message: str) -> object:
    """The turn in which a PLAY is answered, as the log tells it once the answer has left."""
    before = len(told_turns(caplog))
    assert (await wire.post(message)).status == 200
    await until_told(before + 1, caplog)
    return told_turns(caplog)[-1]


async def until_told(num_turns: int, caplog: pytest.LogCaptureFixture) -> None:
    """Wait until the log has so many lines of PLAYs."""
    async with asyncio.timeout(10):
        while len(told_turns(caplog)) < num_turns:
            await asyncio.sleep(0.01)


def told_turns(caplog: pytest.LogCaptureFixture) -> list[object]:
    """The turns of all PLAYs that were answered so far."""
    fields = [vars(record).get("fields", {}) for record in caplog.records]
    return [one["turn"] for one in fields if "turn" in one and one.get("kind") == "PLAY"]


async def test_moves_put_in_the_place_of_ours_are_new_each_time(
    wire: Wire, caplog: pytest.LogCaptureFixture
) -> None:
    """We answer paper, and the manager says four times that rock was played."""
    caplog.set_level("INFO")
    await wire.say(start("m", "left", rules=ROSHAMBO))
    assert await wire.say("(PLAY m NIL)") == "paper"

    turns = [await turn_of(wire, caplog, "(PLAY m (rock well))") for _ in range(4)]

    assert turns == [1, 2, 3, 4]


async def test_moves_of_others_that_cannot_be_made_again_are_a_repetition(
    wire: Wire, caplog: pytest.LogCaptureFixture
) -> None:
    """Our own move would be legal again; that of the role in control is not."""
    caplog.set_level("INFO")
    await wire.say(start("m", "a", rules=IN_TURN))
    assert await wire.say("(PLAY m NIL)") == "wait"

    messages = ["(PLAY m (wait go wait))"] * 3 + ["(PLAY m (wait wait go))"] * 2
    turns = [await turn_of(wire, caplog, message) for message in messages]

    assert turns == [1, 1, 1, 2, 2]


async def test_who_hung_up_and_asks_again_repeats_itself(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """A manager whose patience is shorter than its clock: the game is where it was."""
    caplog.set_level("INFO")
    async with serving(engine=SLOW) as wire:
        await wire.say(start("m", "left", clocks="1 2", rules=ROSHAMBO))
        _, writer = await asyncio.open_connection(wire.host, wire.port)
        writer.write(GgpBase.framing.request("(PLAY m (rock well))", host="h", receiver="tester"))
        await writer.drain()
        await wire.say("(ping)")
        writer.transport.abort()
        turn = await turn_of(wire, caplog, "(PLAY m (rock well))")
        await until_told(2, caplog)  # whose client is gone, and whose is not

        assert turn == 1
        assert await turn_of(wire, caplog, "(PLAY m (rock well))") == 2


async def test_a_copy_that_comes_while_the_first_is_unanswered_is_a_repetition(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Both get the answer of the same turn; the next message is of the next one."""
    caplog.set_level("INFO")
    async with serving(engine=SLOW) as wire:
        await wire.say(start("m", "left", clocks="1 1", rules=ROSHAMBO))
        copies = [turn_of(wire, caplog, "(PLAY m (rock well))") for _ in range(2)]
        turns: list[object] = await asyncio.gather(*copies)

        assert turns == [1, 1]
        assert await turn_of(wire, caplog, "(PLAY m (rock well))") == 2
