"""Which rulesheet of a name is in force."""

from __future__ import annotations

from ggp.manager.store import rulesheets
from ggp.manager.store.database import opened
from tests.ggp.manager.desk import Home


async def test_a_clock_set_back_brings_no_older_rulesheet_into_force(home: Home) -> None:
    """The one that was kept last is, or the one that was preferred since."""
    async with opened(home.database) as database:
        async with database.writing() as session:
            old = await rulesheets.keep(session, "mine", "(role old)", now=2_000)
            await rulesheets.keep(session, "mine", "(role new)", now=1_000)
            latest = await rulesheets.latest(session, "mine")
            assert latest is not None
            assert latest.text == "(role new)"
            await rulesheets.prefer(session, old)
        async with database.reading() as session:
            latest = await rulesheets.latest(session, "mine")
            listed = [row.text for row in await rulesheets.custom(session)]

    assert latest is not None
    assert latest.text == "(role old)"
    assert listed == ["(role old)", "(role new)"]
