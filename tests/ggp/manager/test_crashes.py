"""A tournament whose process is killed goes on, and comes out as one that was never disturbed."""

from __future__ import annotations

import random
import signal
from pathlib import Path

import pytest
from crashes import Tournament, lost

from ggp.manager.app import running
from ggp.manager.config import ManagerConfig
from ggp.manager.service import open_service
from ggp.manager.store import tournaments
from ggp.manager.store.database import opened
from ggp.manager.store.ownership import InUseError
from ggp.manager.store.status import Status
from ggp.manager.tournaments import Holder, table_of
from ggp.manager.views import table_view
from ggp.match.tournament.plan import TournamentPlan
from tests.ggp.manager.desk import config_for, over_tournament

GAMES = ["ticTacToe", "connectFour"]


async def held(folder: Path) -> object:
    """The table of the tournament in a folder, which is held to its end in this process."""
    async with open_service(config_for(folder)) as service:
        holder = Holder(service)
        text = (folder / "plan.toml").read_text(encoding="utf-8")
        plan = TournamentPlan.from_toml(text, "plan")
        number = await holder.create_or_find(plan)
        await over_tournament(holder, number)
        async with service.database.reading() as session:
            assert (await tournaments.find(session, number)).status == Status.COMPLETED
            return table_view(table_of(plan, await tournaments.entries(session, number)))


async def test_a_tournament_survives_being_killed(tmp_path: Path) -> None:
    """No turn is lost, each is the one of the undisturbed run, and so is the table."""
    luck = random.Random(7)
    for name in ("peace", "war"):
        (tmp_path / name).mkdir()
    peace, war = (Tournament.make(tmp_path / name, GAMES, 12) for name in ("peace", "war"))
    table = await held(peace.folder)
    whole = peace.turns()

    for _ in range(3):
        before = war.turns()
        assert war.crash(1 + luck.randrange(len(whole) // 12), luck.random() * 0.02)
        assert lost(before, war.turns()) == {}
    written = war.turns()

    assert 0 < len(written) < len(whole)
    assert await held(war.folder) == table
    assert lost(written, war.turns()) == {}
    assert war.turns() == whole


async def test_ctrl_c_leaves_a_tournament_where_it_was(tmp_path: Path) -> None:
    """It is not broken off: the same command goes on with it."""
    one = Tournament.make(tmp_path, ["connectFour"], 40)
    assert one.crash(5, 0.0, signal.SIGINT)
    written = one.turns()

    url = config_for(tmp_path).database
    async with opened(url) as database, database.reading() as session:
        [row] = await tournaments.listed(session)

    assert row.status == Status.RUNNING
    assert len(written) >= 5
    assert lost(written, one.turns()) == {}


async def test_a_manager_goes_on_with_its_tournaments_by_itself(tmp_path: Path) -> None:
    """As soon as it is open again."""
    config = config_for(tmp_path)
    plan = TournamentPlan.read(
        {"name": "t", "games": ["ticTacToe"], "players": ["legal", "random"]}
    )
    async with open_service(config) as service:
        holder = Holder(service)
        number = await holder.create(plan)
        await holder.close()

    async with running(config) as _:
        pass
    async with open_service(config) as service:
        holder = Holder(service)
        await holder.resume_all()
        await over_tournament(holder, number)
        async with service.database.reading() as session:
            assert (await tournaments.find(session, number)).status == Status.COMPLETED


async def test_two_managers_do_not_share_a_database(tmp_path: Path) -> None:
    """They would play each turn twice."""
    config: ManagerConfig = config_for(tmp_path)
    async with open_service(config):
        with pytest.raises(InUseError, match="another manager or tournament uses it"):
            async with open_service(config):
                pass
    async with open_service(config):
        pass
