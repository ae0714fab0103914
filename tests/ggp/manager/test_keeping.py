"""`ggp manager prune` and `doctor`: what is old goes, and what is wrong is said."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text
from typer.testing import CliRunner

from ggp.cli import app
from ggp.cli.checks import check_folder
from ggp.manager.backup import restore_backup, write_backup
from ggp.manager.doctor import Finding, examine
from ggp.manager.domain.uploads import _write
from ggp.manager.store import matches, retention
from ggp.manager.store.database import opened
from ggp.manager.store.tables import Status, TournamentRow
from ggp.submission.confinement import is_possible, landlock_version
from tests.ggp.manager.desk import Home, _empty_database, ask, desk, over, turns, two

DAY = 24 * 60 * 60 * 1000


async def test_what_is_old_goes_and_results_stay(home: Home) -> None:
    """One match that was over long ago, one just now, one that can go on, one of a tournament."""
    now = int(1000 * time.time())
    async with desk(home) as (service, client):
        numbers = [await service.host.set_up(two(seed=seed)) for seed in range(4)]
        for number in numbers:
            await over(service, number)
        async with service.database.writing() as session:
            going_on = TournamentRow(name="cup", plan={}, status=Status.RUNNING, created=1)
            session.add(going_on)
            await session.flush()
            for number in (1, 3, 4):
                (await matches.find(session, number)).ended = now - 8 * DAY
            await matches.set_status(session, 3, Status.INTERRUPTED)
            (await matches.find(session, 4)).tournament_id = going_on.id
        before = await ask(client, "GET", "/matches/1")

        removed = await retention.prune(service.database, now - 7 * DAY, now)

        left = [len(await turns(service, number)) for number in numbers]
        assert (removed.matches, left[0], removed.turns > 4) == (1, 0, True)
        assert all(num > 4 for num in left[1:])
        after = await ask(client, "GET", "/matches/1")
        assert after[1]["goals"] == before[1]["goals"] != []
        for place in ("/matches/1/record", "/matches/1/positions/0"):
            status, answer = await ask(client, "GET", place)
            assert (status, "turns were deleted" in answer["error"]) == (404, True)
        async with client.get("/matches/1") as page:
            assert "The moves have been deleted." in await page.text()
        assert (await retention.prune(service.database, now - 7 * DAY, now)).matches == 0


def found(findings: Sequence[Finding], check: str) -> str:
    """What a check found that is not as it should be; else empty."""
    wrong = [one for one in findings if one.check == check and one.level != "ok"]
    return "; ".join(f"{one.level}: {one.text}" for one in wrong)


async def test_a_doctor_names_what_is_wrong(tmp_path: Path) -> None:
    """Nothing of a sound manager that runs; each fault of a database that somebody has spoilt."""
    home = Home.at(tmp_path)
    async with desk(home) as (service, _):
        await over(service, await service.host.set_up(two()))
        sound = await examine(home.database, None)
    assert {one.check for one in sound} >= {"schema", "size", "descriptors", "confinement"}
    assert [one for one in sound if one.level == "fault"] == []
    assert "a manager is using it" in [one.text for one in sound]

    engine = create_engine(home.database)  # which, unlike a manager, lets rows refer to nothing
    with engine.begin() as connection:
        connection.execute(text("update turns set time = :then"), {"then": 4102444800000})
        connection.execute(text("update matches set rulesheet_id = 99, owner_id = 7"))
        connection.execute(
            text("insert into players values (1, 'a', 'submission-ab', '', 1, false, null, 1)")
        )
    engine.dispose()
    (tmp_path / "ggp.db").chmod(0o666)

    findings = await examine(home.database, tmp_path)

    assert found(findings, "damage").startswith(
        "fault: 1 row of matches without the row of rulesheets that it refers to"
    )
    assert found(findings, "orphans") == "warning: matches of missing accounts: 1"
    assert "fault: an entry is dated" in found(findings, "clock")
    assert "ab.py of a player is missing" in found(findings, "uploads")
    assert "can be changed by everybody" in found(findings, "permissions")
    assert "the database's files can be read by everybody" in found(findings, "permissions")
    assert "no manager is using it" in [one.text for one in findings]


async def test_nobody_else_reads_what_the_manager_makes(tmp_path: Path) -> None:
    """Its database and what SQLite puts beside it, uploads, a restored database."""
    uploads, url = tmp_path / "uploads", f"sqlite:///{tmp_path}/new.db"
    check_folder("--submissions", uploads, is_made=True)
    async with opened(url, alone=True):
        made = [one.name for one in tmp_path.iterdir()]
        _write(uploads, "ab", b"")
        findings = await examine(url, uploads)
        await write_backup(url, tmp_path / "a.backup", uploads)
    await restore_backup(tmp_path / "a.backup", f"sqlite:///{tmp_path}/b.db", tmp_path / "again")

    assert {"new.db", "new.db-wal", "new.db-shm", "new.db.lock"} <= set(made)
    modes = {one.name: one.stat().st_mode & 0o777 for one in tmp_path.rglob("*")}
    assert {name for name, mode in modes.items() if mode & 0o077} == set(), modes
    assert found(findings, "permissions") == found(findings, "uploads") == ""
    uploads.chmod(0o750)
    assert "can be read by its group" in found(await examine(url, uploads), "uploads")


def test_the_verbs_on_a_command_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They stand behind `ggp manager`, and say what is missing and what they have done."""
    monkeypatch.chdir(tmp_path)

    def run(*args: str) -> tuple[int, str]:
        done = CliRunner().invoke(app, ["manager", *args])
        return done.exit_code, done.output

    collect = ["collect", "b", "--submissions", "."]
    for verb in (["backup", "a"], ["doctor"], ["prune", "--older-than", "1"], collect):
        code, said = run(*verb)
        assert (code, "there is no file ggp.db" in said) == (2, True), said
    assert "did you mean backup?" in run("bakcup")[1]
    (tmp_path / "ggp.db").write_bytes(_empty_database())

    code, said = run("backup", "a.backup")
    assert (code, "0 matches" in said) == (0, True), said
    code, said = run("restore", "a.backup", "--db", "sqlite:///b.db")
    assert (code, "restored to sqlite:///b.db" in said) == (0, True), said
    code, said = run("prune", "--older-than", "0", "--db", "sqlite:///b.db")
    assert (code, said.startswith("would be removed: 0 turns")) == (0, True), said
    code, said = run("doctor", "--db", "sqlite:///b.db", "--json")
    assert (code, '"check":"schema","level":"ok"' in said) == (0, True), said
    assert '"check":"permissions","level":"ok"' in said
    assert run(*collect) == (0, "no student has a player in a file\n")
    (tmp_path / "b" / "Ada--old.py").touch()
    assert "b/Ada--old.py was in the folder before and is not the file of a" in run(*collect)[1]
    level = "ok" if is_possible() and landlock_version() else "warning"
    assert f'"check":"confinement","level":"{level}"' in said
