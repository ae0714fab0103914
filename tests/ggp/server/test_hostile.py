"""A match is played to its end while requests try to disturb it."""

from __future__ import annotations

import asyncio

from attacking.hostile_requests import attacks

from tests.clocks.test_hostile import Manager, assail, pennies, seeds
from tests.ggp.server.wire import serving

NUM_REQUESTS = 40
NUM_ROUNDS = 3


async def test_hostile_requests_do_not_spoil_a_running_match() -> None:
    """All its moves are legal, and the server answers afterwards."""
    async with serving(max_matches=4) as wire:
        address = f"http://{wire.host}:{wire.port}"
        match = Manager(address, "live.1", pennies(NUM_ROUNDS), playclock=60).play()
        plans = attacks(seeds(), NUM_REQUESTS, seed=2)
        plies, _ = await asyncio.gather(match, assail(wire.host, wire.port, plans))

        assert "(name tester)" in await wire.say("( INFO )")
    assert plies == NUM_ROUNDS
