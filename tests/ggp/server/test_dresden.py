"""Matches of hidden information that a controller of Dresden runs with our server in them."""

from __future__ import annotations

import logging
import random
from collections.abc import Callable, Sequence

import pytest

from ggp.engine import EngineConfig
from tests.ggp.belief.games import DICE
from tests.ggp.server.dresden_controller import (
    RACE,
    Controller,
    Form,
    later,
    later_with_nil,
    older,
    request,
)
from tests.ggp.server.recorded_dresden import LATER, LATER_WITH_NIL, OLDER, START
from tests.ggp.server.wire import parsed, serving

FORMS = [older, later, later_with_nil]
Recorded = Sequence[tuple[bytes, str]]


@pytest.mark.parametrize("recorded", [OLDER, LATER, LATER_WITH_NIL], ids=["old", "new", "nil"])
async def test_a_recorded_match_is_answered_without_an_error(
    recorded: Recorded, caplog: pytest.LogCaptureFixture
) -> None:
    """START, the first turn, later ones with and without percepts, STOP; literal bytes."""
    async with serving() as wire:
        started = parsed(await wire.raw(START))
        replies = [parsed(await wire.raw(sent)) for sent, _ in recorded]
        again = parsed(await wire.raw(recorded[-1][0]))

    assert (started.status, started.body) == (200, "ready")
    assert [(reply.status, reply.body) for reply in replies] == [
        (200, said) for _, said in recorded
    ]
    assert again.body == "busy"
    assert not _complaints(caplog)


async def test_the_connection_is_closed_after_each_reply() -> None:
    """That controller reads to the end of the stream, whatever Content-Length says."""
    async with serving() as wire:
        raw = await wire.raw(START)  # returns at the end of the stream

    assert raw.startswith(b"HTTP/1.0 200 OK\r\n")
    assert raw.endswith(b"\r\n\r\nready")


@pytest.mark.parametrize("recorded", [OLDER, LATER], ids=["old", "new"])
async def test_a_repeated_turn_is_answered_alike(recorded: Recorded) -> None:
    """A controller whose connection broke asks again; percepts are not perceived twice."""
    async with serving() as wire:
        await wire.raw(START)
        for sent, said in recorded[:-1]:
            assert parsed(await wire.raw(sent)).body == said
        # Only the later form tells a repeated turn from a next one that looks the same.
        assert parsed(await wire.raw(recorded[-2][0])).body == recorded[-2][1]


async def test_a_stop_in_mid_match_and_an_abort_end_it() -> None:
    """Dresden breaks off with STOP; others of that form may know ABORT."""
    async with serving() as wire:
        await wire.raw(START)
        await wire.raw(request("(PLAY D.Match.7 0 NIL NIL)"))
        stopped = parsed(await wire.raw(request("(STOP D.Match.7 1 NOOP ((ROLLED 1 2)))")))
        after = parsed(await wire.raw(request("(PLAY D.Match.7 2 NOOP ())")))
        await wire.raw(START)
        aborted = parsed(await wire.raw(request("(ABORT D.Match.7)")))

    assert [stopped.body, after.body, aborted.body] == ["done", "busy", "aborted"]


@pytest.mark.usefixtures("ready_forkers")
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("role", ["white", "black"])
async def test_dice_and_moves_that_percepts_name_are_followed(
    form: Callable[[str], Form], role: str, caplog: pytest.LogCaptureFixture
) -> None:
    """As in backgammon: of many joint moves one agrees, and what we answer is always legal."""
    config = EngineConfig(player="random", seed=1, reasoner="interpreter")
    async with serving(engine=config, has_processes=True) as wire:
        for seed in range(3):
            controller = Controller(wire, RACE, role, f"D.{seed}", form, random.Random(seed))
            await controller.run()

            assert not controller.illegal
            assert controller.said[-1][1] == "done"
            assert len(controller.said) > 6
    assert not _complaints(caplog)


async def test_what_no_state_agrees_with_is_answered_and_complained_of(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """A percept that cannot be; the match goes on."""
    async with serving() as wire:
        await wire.raw(START)
        await wire.raw(OLDER[0][0])
        reply = parsed(await wire.raw(request("(PLAY D.Match.7 ((ROLLED 7 7)))")))

    assert reply.status == 200
    assert "no state agrees with the percepts" in "".join(_complaints(caplog))


@pytest.mark.usefixtures("ready_forkers")
async def test_the_one_of_144_joint_moves_is_found(caplog: pytest.LogCaptureFixture) -> None:
    """Over forty turns, in which the state of each follows from what was seen alone."""
    config = EngineConfig(player="legal", reasoner="scalar")
    async with serving(engine=config, has_processes=True) as wire:
        controller = Controller(wire, DICE, "me", "D.9", older, random.Random(9))
        await controller.run()

    assert not controller.illegal
    assert len(controller.said) == 42
    assert not _complaints(caplog)


def _complaints(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [one.getMessage() for one in caplog.records if one.levelno >= logging.WARNING]
