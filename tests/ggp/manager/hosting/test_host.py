"""Matches are hosted: written turn by turn, broken off, taken up again, one beside the other."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from ggp.errors import GgpError
from ggp.manager.domain.players import PERSON
from ggp.manager.errors import ConflictError
from ggp.manager.hosting import cores
from ggp.manager.service import open_service
from ggp.manager.store import rulesheets
from ggp.manager.store.tables import Status
from tests.ggp.manager.desk import (
    KEY,
    SECONDS,
    Home,
    ask,
    by_hand,
    config_for,
    desk,
    found,
    over,
    turns,
    two,
    until_turn,
)

pytestmark = pytest.mark.usefixtures("kernels")

STUCK = "(role left) (role right) (init a) (legal left go) (<= terminal (true b)) (next a)"


async def test_a_match_is_played_to_its_end_and_written_turn_by_turn(home: Home) -> None:
    """The START phase, then a row for each joint move, then the goals."""
    async with desk(home) as (service, _):
        number = await service.host.set_up(two())
        match = await over(service, number)
        played = await turns(service, number)

    assert match.status == Status.COMPLETED
    assert sum(match.goals or ()) == 100
    assert [turn.number for turn in played] == list(range(match.num_turns + 1))
    assert 5 <= match.num_turns <= 9
    assert all(len(turn.moves) == 2 for turn in played[1:])
    assert {reply["role"] for reply in played[1].replies} == {"xplayer", "oplayer"}


async def test_the_same_seed_is_the_same_match(home: Home) -> None:
    """The players' luck comes from the match's seed, and from nothing else."""
    async with desk(home) as (service, _):
        numbers = [await service.host.set_up(two(seed=seed)) for seed in (5, 5, 6)]
        for number in numbers:
            await over(service, number)
        moves = [[turn.moves for turn in await turns(service, number)] for number in numbers]

    assert moves[0] == moves[1] != moves[2]


async def test_a_match_that_goes_on_is_the_one_that_was_never_interrupted(home: Home) -> None:
    """No turn is lost, none is played twice, and the luck is what it would have been."""
    plan = two("connectFour", seed=3)
    async with open_service(config_for(home)) as service:
        whole = await service.host.set_up(plan)
        await over(service, whole)
        broken = await service.host.set_up(plan)
        await until_turn(service, broken, 4)
    async with open_service(config_for(home)) as service:
        before = await found(service, broken)
        await service.host.resume(broken)
        await over(service, broken)
        once, again = await turns(service, whole), await turns(service, broken)

    assert before.status == Status.INTERRUPTED
    assert before.num_turns >= 4
    assert [turn.moves for turn in once] == [turn.moves for turn in again]


async def test_a_match_that_is_aborted_says_so(home: Home) -> None:
    """Its turns stay; it does not go on."""
    async with desk(home) as (service, _):
        number = await service.host.set_up(two(players=(PERSON, "legal")))
        await until_turn(service, number, 0)
        await service.host.abort(number)
        match = await found(service, number)

        with pytest.raises(
            ConflictError, match="aborted; only an interrupted match can be resumed"
        ):
            await service.host.resume(number)

    assert (match.status, match.reason) == (Status.ABORTED, "by hand")


async def test_a_match_may_be_aborted_before_it_begins(home: Home) -> None:
    """Nothing of it runs later."""
    async with desk(home) as (service, _):
        number = await service.host.set_up(two())
        await service.host.abort(number)

        assert (await found(service, number)).status == Status.ABORTED
        assert not service.host.is_running(number)
        assert await turns(service, number) == []


async def test_a_match_that_is_over_stays_as_it_came_out(home: Home) -> None:
    """Whoever aborts it a moment too late changes nothing."""
    async with desk(home) as (service, _):
        number = await service.host.set_up(two())
        await over(service, number)
        await service.host.abort(number)

        assert (await found(service, number)).status == Status.COMPLETED


async def test_a_match_with_bad_rules_harms_no_other(home: Home) -> None:
    """It is aborted, with the reason; the one beside it is played to its end."""
    async with desk(home) as (service, _):
        async with service.database.writing() as session:
            await rulesheets.keep(session, "stuck", STUCK, now=1)
        bad = await service.host.set_up(two("stuck"))
        good = await service.host.set_up(two())
        matches = [await over(service, number) for number in (bad, good)]

    assert [match.status for match in matches] == [Status.ABORTED, Status.COMPLETED]
    assert "no legal move" in matches[0].reason


async def test_a_match_has_a_limit_of_moves(home: Home) -> None:
    """A limit applies where one was set."""
    async with desk(home) as (service, _):
        number = await service.host.set_up(two(move_limit=2))
        match = await over(service, number)

    assert match.reason == "the match reached the limit of 2 moves"
    assert match.num_turns == 2


async def test_many_matches_are_played_at_once(home: Home) -> None:
    """Those of players that do not think need no core and no process."""
    async with desk(home, num_cores=1) as (service, _):
        numbers = [await service.host.set_up(two(seed=seed)) for seed in range(8)]
        matches = await asyncio.gather(*(over(service, number) for number in numbers))

    assert {match.status for match in matches} == {Status.COMPLETED}


async def test_a_match_that_waits_says_for_which_others(home: Home) -> None:
    """They may be those of a person who has gone away."""
    async with desk(home, num_cores=1) as (service, client):
        async with service.host._cores.taken(1, match=77):
            number = await service.host.set_up(two(players=("mcts", "random")))
            await asyncio.sleep(0)
            _, match = await ask(client, "GET", f"/matches/{number}")
            page = await (await client.get(f"/matches/{number}")).text()
            await ask(client, "POST", f"/matches/{number}/abort")
        ended = await over(service, number)

    assert match["status"] == "waiting"
    assert match["reason"] == "queued until cores are free; matches with cores: 77"
    assert match["reason"] in page
    assert ended.status == Status.ABORTED


async def test_others_have_the_core_of_a_match_whose_person_is_away(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Others have it meanwhile; when the person has moved, the program thinks again."""
    monkeypatch.setattr(cores, "IDLE_SECONDS", -1.0)
    async with desk(home, num_cores=1) as (service, client):
        plan = by_hand(players=(PERSON, "mcts"))
        number = await service.host.set_up(replace(plan, playclock=2))
        await until_turn(service, number, 0)
        had = set(service.host._cores.holders)
        async with asyncio.timeout(SECONDS), service.host._cores.taken(1, match=77):
            meanwhile = set(service.host._cores.holders)
        body = {"role": "xplayer", "move": "mark 1 1", "turn": 1}
        moved = await ask(client, "POST", f"/matches/{number}/moves?seat={KEY}", body)
        await until_turn(service, number, 1)
        has = set(service.host._cores.holders)

    assert had == has == {number}
    assert meanwhile == {77}
    assert moved[0] == 200


async def test_too_many_matches_are_refused(home: Home) -> None:
    """Before anything of them is written down."""
    async with desk(home, max_waiting=1) as (service, _):
        await service.host.set_up(two(players=(PERSON, PERSON)))

        with pytest.raises(GgpError, match="1 matches are already waiting or running"):
            await service.host.set_up(two())


async def test_a_manager_that_stops_begins_nothing_new(home: Home) -> None:
    """A match that is set up then waits for the next manager."""
    async with desk(home) as (service, _):
        await service.host.close()

        with pytest.raises(ConflictError, match="the manager is shutting down"):
            await service.host.set_up(two())
