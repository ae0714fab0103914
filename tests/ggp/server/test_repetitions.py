"""Repeated messages are not taken for news, and news not for repetitions."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Iterator

import pytest

from ggp.engine import EngineConfig
from ggp.log import LOGGER
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


class Turns(logging.Handler):
    """A handler that keeps the turns in which PLAYs were answered, as the log tells them."""

    def __init__(self) -> None:
        super().__init__()
        self._told: asyncio.Queue[object] = asyncio.Queue()

    def emit(self, record: logging.LogRecord) -> None:
        """Keep the turn if the line is about the answer to a PLAY."""
        fields = vars(record).get("fields", {})
        if "turn" in fields and fields.get("kind") == "PLAY":
            self._told.put_nowait(fields["turn"])

    async def next(self) -> object:
        """Return the turn of the next answer that has left."""
        return await self._told.get()

    async def of(self, wire: Wire, message: str) -> object:
        """Send a PLAY and return the turn in which it is answered."""
        assert (await wire.post(message)).status == 200
        return await self.next()


@pytest.fixture
def turns(caplog: pytest.LogCaptureFixture) -> Iterator[Turns]:
    """The turns that the server's log tells."""
    caplog.set_level(logging.INFO, LOGGER.name)
    handler = Turns()
    LOGGER.addHandler(handler)
    yield handler
    LOGGER.removeHandler(handler)


async def test_moves_put_in_the_place_of_ours_are_new_each_time(wire: Wire, turns: Turns) -> None:
    """We answer paper, and the manager says four times that rock was played."""
    await wire.say(start("m", "left", rules=ROSHAMBO))
    assert await wire.say("(PLAY m NIL)") == "paper"
    assert await turns.next() == 0

    told = [await turns.of(wire, "(PLAY m (rock well))") for _ in range(4)]

    assert told == [1, 2, 3, 4]


async def test_moves_of_others_that_cannot_be_made_again_are_a_repetition(
    wire: Wire, turns: Turns
) -> None:
    """Our own move would be legal again; that of the role in control is not."""
    await wire.say(start("m", "a", rules=IN_TURN))
    assert await wire.say("(PLAY m NIL)") == "wait"
    assert await turns.next() == 0

    messages = ["(PLAY m (wait go wait))"] * 3 + ["(PLAY m (wait wait go))"] * 2
    told = [await turns.of(wire, message) for message in messages]

    assert told == [1, 1, 1, 2, 2]


async def test_who_hung_up_and_asks_again_repeats_itself(turns: Turns) -> None:
    """A manager whose patience is shorter than its clock: the game is where it was."""
    async with serving(engine=SLOW) as wire:
        await wire.say(start("m", "left", clocks="1 2", rules=ROSHAMBO))
        _, writer = await asyncio.open_connection(wire.host, wire.port)
        writer.write(GgpBase.framing.request("(PLAY m (rock well))", host="h", receiver="tester"))
        await writer.drain()
        await wire.say("(ping)")
        writer.transport.abort()
        told = [await turns.of(wire, "(PLAY m (rock well))"), await turns.next()]

        assert told == [1, 1]  # to the client that is gone, and to the one that is not
        assert await turns.of(wire, "(PLAY m (rock well))") == 2


async def test_a_copy_that_comes_while_the_first_is_unanswered_is_a_repetition(
    turns: Turns,
) -> None:
    """Both get the answer of the same turn; the next message is of the next one."""
    async with serving(engine=SLOW) as wire:
        await wire.say(start("m", "left", clocks="1 1", rules=ROSHAMBO))
        copies = [turns.of(wire, "(PLAY m (rock well))") for _ in range(2)]
        told: list[object] = await asyncio.gather(*copies)

        assert told == [1, 1]
        assert await turns.of(wire, "(PLAY m (rock well))") == 2
