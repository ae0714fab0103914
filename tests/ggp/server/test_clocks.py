"""Answers leave in time, and nobody waits for a search that is none of his business."""

from __future__ import annotations

import asyncio

import pytest

from ggp import clock
from ggp.engine import EngineConfig
from ggp.processes.lag import MEMORY_SECONDS, UNKNOWN_LAG, UNKNOWN_SECONDS, Lag
from ggp.server.deadlines import margin_of
from ggp.server.turn_trace import TurnTrace
from tests.fakes.clock import FakeClock
from tests.ggp.server.conftest import SECONDS_BETWEEN_LOOKS
from tests.ggp.server.wire import RULES, Wire, serving, start
from tests.thorough import all_but

pytestmark = pytest.mark.usefixtures("fake_clock")


MISBEHAVED = "tests.ggp.engine.odd_players"

CHOICE = RULES.replace(
    "(<= (legal ?p take)", "(<= (legal ?p wait) (true (control ?p))) (<= (legal ?p take)"
)
"""The same game with a second move, so that there is something to think about."""


@pytest.mark.parametrize(
    ("seconds", "margin", "expected"),
    [
        (10, 1.0, 1.0),
        (1, 1.0, 0.25),
        (2, 3.0, 0.5),
        (60, 3.0, 3.0),
        (1, None, 0.15),
        (2, None, 0.2),
        (60, None, 0.35),
    ],
)
def test_the_margin_is_less_for_short_clocks(
    seconds: int, margin: float | None, expected: float
) -> None:
    """At most a quarter of the clock; by default a tenth, within limits."""
    assert margin_of(margin, seconds) == expected


def test_the_clock_began_before_the_message_arrived() -> None:
    """The manager had to connect and send it, and the answer has a way to go."""
    assert TurnTrace(arrived=100.0, travelling=0.25).began == 99.75


@pytest.mark.parametrize(
    ("seconds", "lag", "expected"), [(10, 0.0, 1.0), (10, 0.5, 2.0), (1, 0.1, 0.45), (1, 9.0, 0.6)]
)
def test_the_margin_grows_with_the_lag(seconds: int, lag: float, expected: float) -> None:
    """Twice: until the request is read, and until the answer leaves; some of the clock remains."""
    assert margin_of(1.0, seconds, lag) == pytest.approx(expected)


def test_the_longest_delay_of_late_is_the_lag() -> None:
    """It is forgotten after a while, and then the next one counts."""
    lag = Lag()
    for delay, now in ((0.5, 1.0), (0.1, 2.0), (0.2, 3.0)):
        lag.note(delay, now)

    assert lag.seconds(now=4.0) == 0.5
    assert lag.seconds(now=1.1 + MEMORY_SECONDS) == 0.2
    assert lag.seconds(now=3.1 + MEMORY_SECONDS) == 0.0


def test_at_first_more_lag_is_expected_than_was_seen() -> None:
    """The rules are compiled just then."""
    lag = Lag(clock.now)
    now = clock.now()

    assert lag.seconds_since(now) == UNKNOWN_LAG
    assert lag.seconds_since(now - 2 * UNKNOWN_SECONDS) == 0.0


async def test_whoever_keeps_the_loop_busy_is_noticed(fake_clock: FakeClock) -> None:
    """The next look comes late, as an answer would."""
    lag = Lag(clock.now)
    watching = asyncio.create_task(lag.watch())
    await asyncio.sleep(0)
    fake_clock.advance(SECONDS_BETWEEN_LOOKS + 0.1)
    for _ in range(5):  # rounds of the loop until the look that is due
        await asyncio.sleep(0)
    watching.cancel()

    assert lag.seconds() == pytest.approx(0.1)


@pytest.mark.parametrize("player", all_but(["Deaf"], ["Watchful", "Deaf"]))
async def test_a_move_leaves_before_the_playclock_ends(player: str) -> None:
    """Whether the player uses all its time or never comes back."""
    engine = EngineConfig(player=f"{MISBEHAVED}:{player}", reasoner="interpreter")
    async with serving(engine=engine) as wire:
        await wire.say(start("m", rules=CHOICE, clocks="1 2"))
        began = clock.now()
        move = await wire.say("( PLAY m NIL )")
        seconds = clock.now() - began

    assert move in {"take", "wait"}
    assert 0.5 < seconds < 2.0


async def test_info_and_abort_are_answered_while_a_match_thinks() -> None:
    """Unlike GGP-Base's player, which answers one message after the other."""
    engine = EngineConfig(player=f"{MISBEHAVED}:Watchful", reasoner="interpreter")
    async with serving(engine=engine) as wire:
        await wire.say(start("m", rules=CHOICE, clocks="1 8"))
        thinking = asyncio.create_task(wire.say("( PLAY m NIL )"))
        await wire.say("(ping)")
        began = clock.now()
        info, aborted = await asyncio.gather(wire.say("( INFO )"), wire.say("( ABORT m )"))
        move = await thinking
        seconds = clock.now() - began

    assert "(status available)" in info
    assert aborted == "aborted"
    assert move in {"take", "wait", "nil", "busy"}
    assert seconds < 3


async def test_a_play_repeated_while_it_is_computed_gets_the_same_answer() -> None:
    """And the search is not begun again: both answers leave at once."""
    engine = EngineConfig(player=f"{MISBEHAVED}:Watchful", reasoner="interpreter")
    async with serving(engine=engine) as wire:
        await wire.say(start("m", rules=CHOICE, clocks="1 2"))
        first = asyncio.create_task(wire.say("( PLAY m NIL )"))
        await wire.say("(ping)")
        moves = [await wire.say("( PLAY m NIL )"), await first]
        after = await wire.say("( PLAY m (take noop ) )")

    assert moves[0] == moves[1]
    assert after == "noop"


async def test_a_play_that_comes_during_start_waits_for_the_rules() -> None:
    """After a START that took too long the manager goes on; so do we."""
    async with serving() as wire:
        beginning = asyncio.create_task(wire.say(start("m")))
        move = await until_known(wire, "( PLAY m NIL )")

        assert move == "take"
        assert await beginning == "ready"


async def test_the_engines_are_gone_when_the_server_is() -> None:
    """A match under way does not hold the server up."""
    engine = EngineConfig(player=f"{MISBEHAVED}:Deaf", reasoner="interpreter")
    began = clock.now()
    async with serving(engine=engine) as wire:
        await wire.say(start("m", rules=CHOICE, clocks="1 60"))
        thinking = asyncio.create_task(wire.raw(b"GET /(PLAY+m+NIL) HTTP/1.0\r\n\r\n"))
        await wire.say("(ping)")
    await thinking

    assert clock.now() - began < 10


async def until_known(wire: Wire, message: str) -> str:
    """The first answer that is not `busy`: the START may be on its way still."""
    while (reply := await wire.say(message)) == "busy":
        pass
    return reply
