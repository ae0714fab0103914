"""/submissions: a player is uploaded, registered, and plays."""

from __future__ import annotations

import pytest

from ggp.submission.confinement import is_possible
from tests.fakes.submissions import BAD, GOOD
from tests.ggp.manager.desk import Home, ask, desk, over, two

pytestmark = pytest.mark.skipif(not is_possible(), reason="the kernel cannot confine a process")


async def test_an_uploaded_player_plays(home: Home) -> None:
    """By the name that it was registered with; one whose process dies has its answers missing."""
    folder = home.folder / "players"
    folder.mkdir()
    async with desk(home, submissions=folder) as (service, client):
        for name, text in (("good", GOOD["one_ply"]), ("bad", BAD["exits"][1])):
            status, found = await ask(client, "POST", "/submissions", {"text": text})
            player = {"name": name, "source": found["source"]}
            assert (status, (await ask(client, "POST", "/players", player))[0]) == (201, 201)
        plan = two(players=("good", "bad"), startclock=20, playclock=20)
        match = await over(service, await service.host.set_up(plan))
        _, record = await ask(client, "GET", f"/matches/{match.id}/record")

    errors = [row for row in record["errors"] if any(row)]
    assert match.status == "completed"
    assert {row[0] for row in errors} == {""}
    assert {row[1] for row in errors} == {"CE"}
    assert len(list(folder.iterdir())) == 2


@pytest.mark.parametrize(
    ("text", "said"),
    [("x" * 262_145, "at most 262144 characters"), ("\u00e4" * 140_000, "at most 262,144 bytes")],
)
async def test_what_is_too_long_is_refused(home: Home, text: str, said: str) -> None:
    """By its bytes as well as by its letters."""
    async with desk(home, submissions=home.folder) as (_, client):
        status, answer = await ask(client, "POST", "/submissions", {"text": text})

    assert status == 400
    assert said in answer["error"]


@pytest.mark.parametrize(
    "source",
    ["submission-", f"submission-{'0' * 64}", "submission-../../etc/passwd", "submission-x:y"],
)
async def test_only_what_was_uploaded_can_be_registered(home: Home, source: str) -> None:
    """A source is no path."""
    async with desk(home, submissions=home.folder) as (_, client):
        status, answer = await ask(client, "POST", "/players", {"name": "x", "source": source})

    assert status == 400
    assert "POST /submissions" in answer["error"]


async def test_nobody_uploads_anything_unless_that_was_said(home: Home) -> None:
    """The message says how."""
    async with desk(home) as (_, client):
        status, answer = await ask(client, "POST", "/submissions", {"text": "1"})

    assert status == 400
    assert "--submissions FOLDER" in answer["error"]
