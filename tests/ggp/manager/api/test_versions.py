"""Versions of players: numbered, with notes and the log of their check; they can be restored."""

from __future__ import annotations

import pytest

from ggp.manager.api.players import PLAYER
from ggp.manager.domain import uploads
from ggp.submission.confinement import is_possible
from ggp.submission.process import Loaded
from tests.ggp.manager.api.course import course
from tests.ggp.manager.desk import Home, ask, found, over, two

FIRST, SECOND = "http://127.0.0.1:9", "http://127.0.0.1:10"


async def test_versions_are_numbered_and_can_be_restored(home: Home) -> None:
    """The current one has the source that matches use."""
    async with course(home) as (_, people):
        student = people["student"]
        await ask(student, "POST", "/players", {"name": "mine", "source": FIRST})
        new = {"source": SECOND, "note": "searches deeper"}
        made, version = await ask(student, "POST", "/players/mine/versions", new)
        _, second = await ask(student, "GET", "/players/mine")
        restored, _ = await ask(student, "POST", "/players/mine/versions/1/restore")
        _, first = await ask(student, "GET", "/players/mine")
        _, listed = await ask(student, "GET", "/players/mine/versions")
        missing, _ = await ask(student, "POST", "/players/mine/versions/3/restore")
        async with student.get("/players/mine") as answer:
            page = await answer.text()

    assert (made, restored, missing) == (201, 200, 404)
    assert (version["number"], version["note"]) == (2, "searches deeper")
    assert [(one["source"], one["version"]) for one in (second, first)] == [(SECOND, 2), (FIRST, 1)]
    assert [(one["number"], one["source"]) for one in listed] == [(2, SECOND), (1, FIRST)]
    assert "searches deeper" in page


async def test_a_retired_player_comes_back_as_its_next_version(home: Home) -> None:
    """Its earlier versions are kept."""
    async with course(home) as (_, people):
        student = people["student"]
        await ask(student, "POST", "/players", {"name": "mine", "source": FIRST})
        await ask(student, "DELETE", "/players/mine")
        await ask(student, "POST", "/players", {"name": "mine", "source": SECOND})
        _, listed = await ask(student, "GET", "/players/mine/versions")

    assert [one["number"] for one in listed] == [2, 1]


async def test_a_match_names_the_versions_that_played(home: Home) -> None:
    """On its page and in the API, also after a new version."""
    async with course(home) as (service, people):
        lecturer = people["lecturer"]
        await ask(lecturer, "POST", "/players", {"name": "shared", "source": "random"})
        await ask(lecturer, "POST", "/players/shared/versions", {"source": "legal"})
        number = await service.host.set_up(two(players=("shared", "random")))
        await over(service, number)
        await ask(lecturer, "POST", "/players/shared/versions", {"source": "random"})
        _, match = await ask(people["student"], "GET", f"/matches/{number}")
        seats = (await found(service, number)).seats
        async with lecturer.get(f"/matches/{number}") as answer:
            page = await answer.text()

    assert [seat["version"] for seat in match["seats"]] == [2, None]
    assert [seat.shown_name for seat in seats] == ["shared v2", "random"]
    assert "shared v2" in page


async def test_only_the_owner_sees_and_adds_versions(home: Home) -> None:
    """Students cannot change a shared player, nor see what its versions were."""
    async with course(home) as (_, people):
        await ask(people["lecturer"], "POST", "/players", {"name": "shared", "source": "random"})
        statuses = [
            (await ask(people["student"], method, f"/players/shared/versions{more}", body))[0]
            for method, more, body in (
                ("GET", "", None),
                ("POST", "", {"source": FIRST}),
                ("POST", "/1/restore", None),
            )
        ]
        both, problem = await ask(
            people["lecturer"], "POST", "/players/shared/versions", {"source": "x", "text": "y"}
        )

    assert statuses == [403, 403, 403]
    assert both == 400
    assert problem["error"].startswith("source: expected either source or text")


@pytest.mark.skipif(not is_possible(), reason="needs a kernel that confines processes")
async def test_a_failed_check_is_a_version_with_its_reason(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It does not play, and cannot be restored."""

    async def tried(_starter: object, submission: object, _seconds: float) -> Loaded:
        is_good = "class First" in submission.file.read_text()  # type: ignore[attr-defined]
        return Loaded("First") if is_good else Loaded(wrong="player.py has no player")

    monkeypatch.setattr(uploads, "tried", tried)
    folder = home.folder / "files"
    folder.mkdir()
    async with course(home, submissions=folder) as (_, people):
        student = people["student"]
        _, kept = await ask(student, "POST", "/submissions", {"text": PLAYER})
        await ask(student, "POST", "/players", {"name": "mine", "source": kept["source"]})
        failed, problem = await ask(
            student, "POST", "/players/mine/versions", {"text": "x = 1", "note": "oops"}
        )
        _, listed = await ask(student, "GET", "/players/mine/versions")
        _, player = await ask(student, "GET", "/players/mine")
        restored, _ = await ask(student, "POST", "/players/mine/versions/2/restore")
        again = {"text": PLAYER + "\n# better", "note": "works"}
        passed, _ = await ask(student, "POST", "/players/mine/versions", again)
        _, after = await ask(student, "GET", "/players/mine")
        in_use, _ = await ask(student, "DELETE", f"/submissions/{kept['source']}")

    assert (failed, restored, passed) == (400, 409, 201)
    assert in_use == 409  # the first version may be restored
    assert "player.py has no player" in problem["error"]
    assert [(one["number"], bool(one["problem"]), one["note"]) for one in listed] == [
        (2, True, "oops"),
        (1, False, ""),
    ]
    assert (player["version"], after["version"]) == (1, 3)
