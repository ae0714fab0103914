"""A tournament whose process is killed goes on, and comes out as one that was never disturbed."""

from __future__ import annotations

import random
import signal
from pathlib import Path

import pytest
from crashes import Tournament, lost

from ggp.manager.api.tournament_answers import TableAnswer
from ggp.manager.app import running
from ggp.manager.config import ManagerConfig
from ggp.manager.domain.tournaments import table_of
from ggp.manager.service import open_service
from ggp.manager.store import tournaments
from ggp.manager.store.claim import InUseError
from ggp.manager.store.database import opened
from ggp.manager.store.tables import Status
from ggp.tournament.plan import TournamentPlan
from tests.ggp.manager.desk import Home, config_for, over_tournament

GAMES = ["ticTacToe", "connectFour"]


async def held(home: Home, file: Path) -> object:
    """The table of the tournament at a home, which is held to its end in this process."""
    async with open_service(config_for(home)) as service:
        plan = TournamentPlan.from_toml(file.read_text(encoding="utf-8"), "plan")
        number = await service.tournament_maker.find_or_write_down(plan)
        await over_tournament(service.tournaments, number)
        async with service.database.reading() as session:
            assert (await tournaments.find(session, number)).status == Status.COMPLETED
            return TableAnswer.of(table_of(plan, await tournaments.entries(session, number)))


@pytest.mark.thorough
async def test_a_tournament_survives_being_killed(home: Home, other_home: Home) -> None:
    """No turn is lost, each is the one of the undisturbed run, and so is the table."""
    luck = random.Random(7)
    async with (
        Tournament.made(home.folder, home.database, GAMES, 3) as peace,
        Tournament.made(other_home.folder, other_home.database, GAMES, 3) as war,
    ):
        table = await held(home, peace.file)
        whole = await peace.turns()

        for _ in range(2):
            before = await war.turns()
            assert await war.crash(1 + luck.randrange(len(whole) // 12), luck.random() * 0.02)
            assert lost(before, await war.turns()) == {}
        written = await war.turns()

        assert 0 < len(written) < len(whole)
        assert await held(other_home, war.file) == table
        assert lost(written, await war.turns()) == {}
        assert await war.turns() == whole


@pytest.mark.thorough
async def test_ctrl_c_leaves_a_tournament_where_it_was(home: Home) -> None:
    """It is not broken off: the same command goes on with it."""
    async with Tournament.made(home.folder, home.database, ["connectFour"], 8) as one:
        assert await one.crash(5, 0.0, signal.SIGINT)
        written = await one.turns()

        async with opened(home.database) as database, database.reading() as session:
            [row] = await tournaments.listed(session)

        assert row.status == Status.RUNNING
        assert len(written) >= 5
        assert lost(written, await one.turns()) == {}


async def test_a_manager_goes_on_with_its_tournaments_by_itself(home: Home) -> None:
    """As soon as it is open again."""
    config = config_for(home)
    plan = TournamentPlan.read(
        {"name": "t", "games": ["ticTacToe"], "players": ["legal", "random"]}
    )
    async with open_service(config) as service:
        number = await service.tournaments.create(plan)
        await service.tournaments.close()

    async with running(config) as _:
        pass
    async with open_service(config) as service:
        await service.tournaments.resume_all()
        await over_tournament(service.tournaments, number)
        async with service.database.reading() as session:
            assert (await tournaments.find(session, number)).status == Status.COMPLETED


async def test_two_managers_do_not_share_a_database(home: Home) -> None:
    """They would play each turn twice."""
    config: ManagerConfig = config_for(home)
    async with open_service(config):
        with pytest.raises(InUseError, match="another manager or tournament uses it"):
            async with open_service(config):
                pass
    async with open_service(config):
        pass
