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
from ggp.manager.domain.players import PERSON
from ggp.manager.service import open_service
from ggp.manager.store.tables import Status
from tests.ggp.manager.desk import (
    SECONDS,
    Home,
    by_hand,
    config_for,
    over,
    turns,
    until,
    until_turn,
)
from tests.ggp.manager.desk import found as match_of

MOVES = ["(mark 1 1)", "noop", "(mark 1 2)", "noop", "(mark 1 3)", "noop"]


class Player:
    """Marks the first row, and stops to think before its third move until it may go on."""

    def __init__(self) -> None:
        self.words: list[str] = []
        self.texts: list[str] = []
        self.thinks = asyncio.Event()
        self.goes_on = asyncio.Event()
        self.num_free = 2
        """Moves before it stops to think."""
        self.has_forgotten = False
        self.num_forgotten = 0
        """Messages before the START of the match that it knows."""

    def forget(self) -> None:
        """Start anew: it knows no match, and stops no more to think."""
        self.words, self.has_forgotten = [], True
        self.goes_on.set()

    async def answer(self, request: web.Request) -> web.Response:
        """Answer as a player of GGP-Base."""
        text = await request.text()
        word = text.split()[1]
        self.words.append(word)
        self.texts.append(text)
        if word != "PLAY":
            if word == "START":
                self.has_forgotten, self.num_forgotten = False, len(self.words)
            return web.Response(text="ready")
        turn = self.words[self.num_forgotten :].count("PLAY") - 1
        if turn >= self.num_free and not self.goes_on.is_set():
            self.thinks.set()
            self.words.pop()
            await self.goes_on.wait()
        move = MOVES[min(turn, len(MOVES) - 1)]
        return web.Response(text="busy" if self.has_forgotten else move)


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


@pytest.mark.parametrize("num_played", [1, 2])
async def test_a_match_begins_anew_whose_player_does_not_know_it_any_more(
    home: Home, player: tuple[Player, MatchPlan], num_played: int
) -> None:
    """It was started anew, as the manager was: it is not to blame."""
    found, proposal = player
    found.num_free = num_played
    async with open_service(config_for(home)) as service:
        number = await service.host.set_up(proposal)
        async with asyncio.timeout(SECONDS):
            await found.thinks.wait()
    found.forget()
    async with open_service(config_for(home)) as service:
        await service.host.resume(number)
        match = await over(service, number)
        played = await turns(service, number)

    assert found.words[:4] == ["PLAY", "ABORT", "START", "PLAY"]
    assert found.words[-1] == "STOP"
    assert match.status == Status.COMPLETED
    assert [turn.moves[0] for turn in played[1:3]] == MOVES[:2]
    assert not any("busy" in error for turn in played for error in turn.errors)
    assert [turn.number for turn in played] == list(range(match.num_turns + 1))


async def test_who_forgets_a_match_that_was_not_interrupted_is_to_blame(
    home: Home, player: tuple[Player, MatchPlan]
) -> None:
    """Its answers are illegal, and it is said what they mean."""
    found, proposal = player
    async with open_service(config_for(home)) as service:
        number = await service.host.set_up(proposal)
        async with asyncio.timeout(SECONDS):
            await found.thinks.wait()
        found.forget()
        match = await over(service, number)
        played = await turns(service, number)

    assert match.status == Status.COMPLETED
    assert played[3].errors[0] == "IL busy"
    assert played[3].replies[0]["fallback"] == "it does not know this match: was it restarted?"


async def test_a_match_with_a_person_does_not_begin_anew(
    home: Home, player: tuple[Player, MatchPlan]
) -> None:
    """The moves of people are not taken back: it is broken off, and counts for nobody."""
    found, proposal = player
    found.goes_on.set()
    plan = replace(by_hand(), players=(proposal.players[0], PERSON))
    async with open_service(config_for(home)) as service:
        number = await service.host.set_up(plan)
        await until_turn(service, number, 1)
    found.forget()
    async with open_service(config_for(home)) as service:
        await service.host.resume(number)
        match = await over(service, number)

    assert match.status == Status.ABORTED
    assert "no longer knows the match" in match.reason


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
