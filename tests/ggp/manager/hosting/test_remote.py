"""Players that run elsewhere: what they are sent when a match stops, and when it goes on."""

from __future__ import annotations

import asyncio
import contextlib
import resource
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from ggp.manager.domain.matches import MatchPlan
from ggp.manager.service import open_service
from ggp.manager.store.tables import Status
from tests.ggp.manager.desk import SECONDS, Home, config_for, over, turns, until, until_turn
from tests.ggp.manager.desk import found as match_of

MOVES = ["(mark 1 1)", "noop", "(mark 1 2)", "noop", "(mark 1 3)", "noop"]


class Player:
    """Marks the first row, and stops to think before its third move until it may go on."""

    def __init__(self) -> None:
        self.words: list[str] = []
        self.texts: list[str] = []
        self.thinks = asyncio.Event()
        self.goes_on = asyncio.Event()

    async def answer(self, request: web.Request) -> web.Response:
        """Answer as a player of GGP-Base."""
        text = await request.text()
        word = text.split()[1]
        self.words.append(word)
        self.texts.append(text)
        if word != "PLAY":
            return web.Response(text="ready")
        turn = self.words.count("PLAY") - 1
        if turn >= 2 and not self.goes_on.is_set():
            self.thinks.set()
            self.words.pop()
            await self.goes_on.wait()
        return web.Response(text=MOVES[min(turn, len(MOVES) - 1)])


@pytest.fixture
async def player() -> AsyncIterator[tuple[Player, MatchPlan]]:
    """One that answers, and a match for it."""
    found = Player()
    app = web.Application()
    app.router.add_post("/", found.answer)
    async with TestServer(app) as server:
        address = f"http://127.0.0.1:{server.port}"
        yield found, MatchPlan(game="ticTacToe", players=(address, "legal"), seed=1)
        found.goes_on.set()


async def test_a_player_elsewhere_stays_in_a_match_that_will_go_on(
    home: Home, player: tuple[Player, MatchPlan]
) -> None:
    """The manager stops and starts again; the player sees no ABORT and no second START."""
    found, proposal = player
    async with open_service(config_for(home)) as service:
        number = await service.host.set_up(proposal)
        async with asyncio.timeout(SECONDS):
            await found.thinks.wait()
    found.goes_on.set()
    async with open_service(config_for(home)) as service:
        await service.host.resume(number)
        match = await over(service, number)
        played = await turns(service, number)

    assert match.status == Status.COMPLETED
    assert [turn.moves[0] for turn in played[1:3]] == MOVES[:2]
    assert found.words.count("START") == 1
    assert "ABORT" not in found.words
    assert found.words[-1] == "STOP"


async def test_a_player_elsewhere_is_told_that_a_match_is_broken_off(
    home: Home, player: tuple[Player, MatchPlan]
) -> None:
    """Else it would be busy for ever."""
    found, proposal = player
    async with open_service(config_for(home)) as service:
        number = await service.host.set_up(proposal)
        await until_turn(service, number, 1)
        with contextlib.suppress(asyncio.CancelledError):
            await service.host.abort(number)

    assert found.words[-1] == "ABORT"


async def test_a_scrambled_match_tells_no_name(
    home: Home, player: tuple[Player, MatchPlan]
) -> None:
    """Neither of the game nor of its moves; what is kept of it is in the rules' own words."""
    found, proposal = player
    found.goes_on.set()
    async with open_service(config_for(home)) as service:
        number = await service.host.set_up(replace(proposal, is_scrambled=True))
        await over(service, number)
        played = await turns(service, number)

    sent = " ".join(found.texts)
    assert not any(word in sent for word in ("xplayer", "mark", "noop", "cell"))
    assert "( role " in sent
    assert played[1].moves == ("(mark 1 1)", "noop")


async def test_a_match_rests_as_long_as_the_manager_has_no_files_left(
    home: Home, player: tuple[Player, MatchPlan]
) -> None:
    """Nobody is blamed, no move is made for anybody, and it goes on by itself."""
    found, proposal = player
    async with open_service(config_for(home)) as service:
        number = await service.host.set_up(proposal)
        async with asyncio.timeout(SECONDS):
            await found.thinks.wait()
        with no_files_left():
            found.goes_on.set()
            await until(service, number, '"status":"waiting"')
            resting = await match_of(service, number)
            assert service.host.is_running(number)
        match = await over(service, number)
        played = await turns(service, number)

    assert resting.status == Status.WAITING
    assert "Too many open files" in resting.reason
    assert match.status == Status.COMPLETED
    assert match.reason == ""
    assert {error[:2] for turn in played for error in turn.errors}.isdisjoint({"CE", "TO"})
    assert found.words.count("START") == 1
    assert "ABORT" not in found.words


@contextlib.contextmanager
def no_files_left() -> Iterator[None]:
    """Let this process open no file more, until the end; those that are open stay so."""
    usual = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (3, usual[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, usual)
