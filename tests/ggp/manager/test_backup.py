"""A backup has all that a manager keeps, and what is restored of it plays on."""

from __future__ import annotations

import asyncio
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import text

from ggp.manager.backup import BackupError, check_backup, restore_backup, write_backup
from ggp.manager.store import matches
from ggp.manager.store.database import opened
from ggp.manager.store.location import DatabaseError
from ggp.manager.store.tables import PlayerRow, Status
from ggp.terminal.keeping_view import print_backup
from tests.ggp.manager.desk import Home, ask, desk, over, turns, two

UPLOAD = f"{'0123456789abcdef' * 4}.py"


async def played(home: Home, file: Path) -> list[matches.PlayedTurn]:
    """Back a manager up that runs, in the middle of a match; the turns that were over by then."""
    uploads = home.folder / "uploads"
    uploads.mkdir()
    (uploads / UPLOAD).write_text("class Mine: ...")
    async with desk(home) as (service, _):
        number = await service.host.set_up(two())
        await over(service, number)
        async with service.database.writing() as session:
            await matches.take_back(session, number, 3)
            await matches.set_status(session, number, Status.RUNNING)
            await session.execute(text("update matches set goals = null"))
        until_then = await turns(service, number)
        writing = asyncio.create_task(write_backup(home.database, file, uploads))
        for _ in range(3):  # what comes meanwhile keeps nobody waiting
            await over(service, await service.host.set_up(two()))
        manifest = await writing
    assert manifest.database.rows["matches"] >= 1
    return until_then


async def test_a_match_goes_on_from_a_backup_elsewhere(
    home: Home, other_home: Home, tmp_path: Path
) -> None:
    """Turns are as they were; the player that was uploaded is there; the rest is played."""
    file, uploads = tmp_path / "a.backup", other_home.folder / "new" / "uploads"
    before = await played(home, file)
    assert file.stat().st_mode & 0o077 == 0

    await restore_backup(file, other_home.database, uploads)

    assert (uploads / UPLOAD).read_text() == "class Mine: ..."
    async with desk(other_home) as (service, client):
        assert await turns(service, 1) == before
        assert (await ask(client, "POST", "/matches/1/resume"))[0] == 200
        row = await over(service, 1)
        assert (row.status, len(row.goals or ())) == (Status.COMPLETED, 2)
        assert (await turns(service, 1))[: len(before)] == before
    with pytest.raises(DatabaseError, match=r"expected (a new file|an empty one)"):
        await restore_backup(file, other_home.database, uploads)


async def test_every_table_is_moved(home: Home) -> None:
    """A process that restores a backup has imported hardly anything else."""
    asked = "from ggp.manager.store.restoring import TABLES; print(*(one.name for one in TABLES))"
    said = subprocess.run([sys.executable, "-c", asked], capture_output=True, check=True, text=True)
    async with opened(home.database) as database, database.reading() as session:
        names = await session.scalars(text("select name from sqlite_master where type = 'table'"))

        assert sorted(said.stdout.split()) == sorted(set(names) - {"alembic_version"})


async def test_a_database_moves_to_a_server(other_home: Home, tmp_path: Path) -> None:
    """From a file: the match goes on, what has no value has none, and numbers go on."""
    if not other_home.database.startswith("postgresql"):
        pytest.skip("needs a PostgreSQL server")
    home, file = Home.at(tmp_path), tmp_path / "a.backup"
    before = await played(home, file)

    await restore_backup(file, other_home.database, tmp_path / "new")

    async with desk(other_home) as (service, client):
        assert await turns(service, 1) == before
        async with service.database.reading() as session:
            assert await session.scalar(text("select goals is null from matches where id = 1"))
        assert (await ask(client, "POST", "/matches/1/resume"))[0] == 200
        assert (await over(service, 1)).status == Status.COMPLETED
        assert await service.host.set_up(two()) > 1


async def test_uploaded_players_that_are_left_out_are_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """When it is written, read and restored, with the cure; not those whose files are in it."""
    home, uploads = Home.at(tmp_path), tmp_path / "uploads"
    uploads.mkdir()
    (uploads / UPLOAD).write_text("class Mine: ...")
    async with desk(home) as (service, _):
        async with service.database.writing() as session:
            for number in range(3):
                source = f"submission-{UPLOAD.removesuffix('.py') if number else 64 * 'f'}:Mine"
                row = PlayerRow(name=f"p{number}", source=source, dialect="", created=1)
                row.is_retired = number == 2
                session.add(row)
        left_out = await write_backup(home.database, tmp_path / "left.backup", None)
        with_one = await write_backup(home.database, tmp_path / "one.backup", uploads)
    again = await check_backup(tmp_path / "left.backup")
    restored = await restore_backup(tmp_path / "left.backup", f"sqlite:///{tmp_path}/b.db", None)
    print_backup(tmp_path / "left.backup", restored)

    assert (left_out.missing, with_one.missing) == (2, 1)
    assert (again.missing, restored.missing) == (2, 2)
    said = capsys.readouterr().err
    assert "lacks the files of 2 uploaded players" in said
    assert "--submissions FOLDER" in said


async def test_what_is_damaged_is_not_restored(tmp_path: Path) -> None:
    """A byte that changed, a part that is missing, and a file that is none."""
    home, file, bad = Home.at(tmp_path), tmp_path / "a.backup", tmp_path / "bad.backup"
    await played(home, file)
    whole = file.read_bytes()
    middle = len(whole) // 2
    for damaged, said in (
        (whole[:middle] + bytes([whole[middle] ^ 1]) + whole[middle + 1 :], "damaged"),
        (whole[:middle], "damaged or incomplete"),
        (Path(home.database.removeprefix("sqlite:///")).read_bytes(), "is a database, which"),
        (b"no backup", "this file is something else"),
        (b"", "this file is something else"),
    ):
        bad.write_bytes(damaged)
        with pytest.raises(BackupError, match=rf"bad\.backup: .*{said}"):
            await restore_backup(bad, f"sqlite:///{tmp_path}/new.db", tmp_path / "uploads")
        assert not (tmp_path / "new.db").exists()
    with pytest.raises(BackupError, match="this file already exists"):
        await write_backup(home.database, file, None)
    assert (await check_backup(file)).submissions == [f"submissions/{UPLOAD}"]


async def test_what_is_no_database_of_a_manager_is_not_backed_up(tmp_path: Path) -> None:
    """One whose first start is under way; nothing could be restored from that."""
    with closing(sqlite3.connect(tmp_path / "a.db")) as connection:
        connection.execute("create table more (number integer)")

    with pytest.raises(DatabaseError, match="no tables of a game manager"):
        await write_backup(f"sqlite:///{tmp_path}/a.db", tmp_path / "a.backup", None)
    assert not (tmp_path / "a.backup").exists()
