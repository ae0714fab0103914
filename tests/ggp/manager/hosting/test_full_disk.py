"""A database that cannot be written for a while: nothing is lost, and all goes on afterwards."""

from __future__ import annotations

from pathlib import Path

import pytest

from ggp.manager.domain.players import PERSON
from ggp.manager.hosting import host, match_writer
from ggp.manager.service import open_service
from ggp.manager.store import matches, rulesheets, tournaments
from ggp.manager.store.database import UnavailableError
from ggp.manager.store.tables import Status
from tests.ggp.manager.desk import (
    KEY,
    WAITING_GAME,
    Home,
    ask,
    by_hand,
    config_for,
    desk,
    found,
    over,
    over_tournament,
    turns,
    two,
    until_it_fails,
    until_true,
    until_turn,
    unwritable,
    write_down,
)

MOVE = {"role": "xplayer", "move": "(mark 2 2)", "turn": 1}
PLAN = {
    "name": "Friday",
    "games": ["ticTacToe"],
    "players": [{"name": "a", "player": "random"}, {"name": "b", "player": "legal"}],
}


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Matches wait for no disk."""
    monkeypatch.setattr(match_writer, "PATIENCE_SECONDS", 0.0)
    monkeypatch.setattr(host, "END_SECONDS", 0.0)


async def test_a_match_waits_until_its_turn_is_written(tmp_path: Path) -> None:
    """Then it goes on as if nothing had been."""
    async with desk(tmp_path) as (service, _):
        number = await service.host.set_up(two("connectFour"))
        await until_turn(service, number, 2)
        with unwritable(service.database):
            await until_it_fails(service.database)
            assert service.host.is_running(number)
        match = await over(service, number)
        played = await turns(service, number)

    assert match.status == Status.COMPLETED
    assert [turn.number for turn in played] == list(range(match.num_turns + 1))


async def test_a_move_that_cannot_be_kept_is_not_accepted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The person is told so, nothing has happened, and the same move counts later."""
    monkeypatch.setattr("ggp.manager.store.turns.PATIENCE_SECONDS", 0.0)
    async with desk(tmp_path) as (service, client):
        number = await service.host.set_up(by_hand())
        await until_turn(service, number, 0)
        with unwritable(service.database):
            refused, answer = await ask(client, "POST", f"/matches/{number}/moves?seat={KEY}", MOVE)
        accepted, _ = await ask(client, "POST", f"/matches/{number}/moves?seat={KEY}", MOVE)
        await until_turn(service, number, 1)

    assert (refused, accepted) == (503, 200)
    assert answer["error"].startswith("the database cannot be used now: ")


async def test_a_move_that_was_accepted_outlives_the_manager(home: Home) -> None:
    """Though the other one of its turn had not been made."""
    left = {"role": "left", "move": "go", "turn": 1}
    right = {"role": "right", "move": "wait", "turn": 1}
    async with desk(home) as (service, client):
        async with service.database.writing() as session:
            choosing = f"{WAITING_GAME} (legal right go)"
            await rulesheets.keep(session, "waiting", choosing, now=1)
        number = await service.host.set_up(by_hand("waiting", (PERSON, PERSON)))
        await until_turn(service, number, 0)
        assert (await ask(client, "POST", f"/matches/{number}/moves?seat={KEY}", left))[0] == 200
    async with desk(home) as (service, client):
        assert await turns(service, number) != []
        await service.host.resume(number)
        await until_true(lambda: service.tables.person_at(number, "right"))
        assert (await ask(client, "POST", f"/matches/{number}/moves?seat={KEY}", right))[0] == 200
        await until_turn(service, number, 1)
        played = await turns(service, number)

    assert played[1].moves == ("go", "wait")


@pytest.mark.usefixtures("hurried")
async def test_a_match_that_says_it_runs_and_does_not_is_taken_up_again(tmp_path: Path) -> None:
    """Its end could not be written either; it can be resumed, as soon as there is room."""
    async with desk(tmp_path) as (service, _):
        number = await service.host.set_up(by_hand())
        await until_turn(service, number, 0)
        with unwritable(service.database):
            with pytest.raises(UnavailableError, match="is aborted; this is stored"):
                await service.host.abort(number)
            with pytest.raises(UnavailableError):
                await service.host.look_after()
        assert (await found(service, number)).status == Status.RUNNING
        await service.host.look_after()
        assert (await found(service, number)).status == Status.ABORTED

        number = await service.host.set_up(two("connectFour"))
        with unwritable(service.database):
            await over(service, number)
        assert (await found(service, number)).status in {Status.WAITING, Status.RUNNING}
        await service.host.resume(number)
        assert (await over(service, number)).status == Status.COMPLETED


async def test_a_row_that_nobody_runs_is_interrupted(home: Home) -> None:
    """The second look interrupts it: at the first, it might have been set up this moment."""
    async with open_service(config_for(home)) as service:
        number = await write_down(service, two())
        async with service.database.writing() as session:
            await matches.set_status(session, number, Status.RUNNING)
        await service.host.look_after()
        first = (await found(service, number)).status
        await service.host.look_after()
        row = await found(service, number)

    assert first == Status.RUNNING
    assert (row.status, row.reason) == (Status.INTERRUPTED, "it was no longer running")


@pytest.mark.usefixtures("hurried")
async def test_a_tournament_goes_on_when_there_is_room_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every match of it is played to its end, and so is the tournament."""
    monkeypatch.setattr("ggp.manager.hosting.tournament_runner.SHORTEST_PAUSE", 0.01)
    async with desk(tmp_path) as (service, client):
        plan = {**PLAN, "games": ["connectFour"], "matches": 6}
        _, made = await ask(client, "POST", "/tournaments", plan)
        with unwritable(service.database):
            service.tournaments.start(made["number"])
            await until_it_fails(service.database)
        await over_tournament(service.tournaments, made["number"])
        _, state = await ask(client, "GET", "/tournaments/1")

    assert state["tournament"]["status"] == "completed"
    assert {fixture["status"] for fixture in state["fixtures"]} == {"completed"}


async def test_a_tournament_that_nobody_holds_is_taken_up_again(home: Home) -> None:
    """Whatever became of whoever held it."""
    async with desk(home) as (service, client):
        _, made = await ask(client, "POST", "/tournaments", PLAN)
        await service.tournaments.close()
        await service.tournaments.resume_all()
        await over_tournament(service.tournaments, made["number"])
        async with service.database.reading() as session:
            row = await tournaments.find(session, made["number"])

    assert row.status == Status.COMPLETED
