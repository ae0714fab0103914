"""/submissions: a player is uploaded, registered, and plays."""

from __future__ import annotations

import pytest

from ggp.manager.domain import uploads
from ggp.submission.confinement import is_possible
from ggp.submission.process import Loaded
from tests.fakes.submissions import BAD, GOOD
from tests.ggp.manager.api.course import course, invited, joined, log_in
from tests.ggp.manager.desk import Home, ask, desk, over, two

_FAILS = """from ggp.players import Player


class Fails(Player):
    def choose(self, state, deadline):
        return 1 // 0
"""

pytestmark = [
    pytest.mark.skipif(not is_possible(), reason="the kernel cannot confine a process"),
    pytest.mark.usefixtures("ready_forkers", "submission_source"),
]


async def test_an_uploaded_player_plays(home: Home) -> None:
    """By the name that it was registered with; one that fails has its answers missing.

    The match says why, and a rating is nothing that moves in its place can win.
    """
    folder = home.folder / "players"
    folder.mkdir()
    async with desk(home, submissions=folder) as (service, client):
        for name, text in (("good", GOOD["one_ply"]), ("bad", _FAILS)):
            status, found = await ask(client, "POST", "/submissions", {"text": text})
            player = {"name": name, "source": found["source"]}
            assert (status, (await ask(client, "POST", "/players", player))[0]) == (201, 201)
        plan = two(players=("good", "bad"), startclock=20, playclock=20)
        match = await over(service, await service.host.set_up(plan))
        _, record = await ask(client, "GET", f"/matches/{match.id}/record")

        _, turns = await ask(client, "GET", f"/matches/{match.id}/turns")
        _, ratings = await ask(client, "GET", "/ratings")
        told = [(await ask(client, "GET", f"/players/{one}/status"))[1] for one in ("good", "bad")]

    errors = [row for row in record["errors"] if any(row)]
    assert match.status == "completed"
    assert {row[0] for row in errors} == {""}
    assert {row[1] for row in errors} == {"CE"}
    assert len(list(folder.iterdir())) == 2
    reasons = {turn["replies"][1]["fallback"] for turn in turns[1:]} - {""}
    assert reasons == {"bad:6: ZeroDivisionError: integer division or modulo by zero"}
    assert [row["name"] for row in ratings] == ["good", "bad"]
    assert [(one["status"], one["problem"]) for one in told] == [
        ("available", ""),
        ("failing", f"its last match failed: {reasons.pop()}"),
    ]


async def test_forbidden_attempts_are_told(home: Home, caplog: pytest.LogCaptureFixture) -> None:
    """To lecturers and to its owner, once a match is over; no other student sees them."""
    folder = home.folder / "players"
    folder.mkdir()
    text = BAD["opens_a_socket"][1]
    async with course(home, submissions=folder) as (service, people):
        student = people["student"]
        _, found = await ask(student, "POST", "/submissions", {"text": text})
        await ask(student, "POST", "/players", {"name": "spy", "source": found["source"]})
        plan = two(players=("spy", "random"), startclock=20, playclock=20)
        match = await over(service, await service.host.set_up(plan))
        await joined(people["nobody"], await invited(people["host"], "student"), "another")
        await log_in(people["nobody"], "another")
        pages = {
            (name, path): await (await people[name].get(path)).text()
            for name in ("lecturer", "student", "nobody")
            for path in (f"/matches/{match.id}", "/players/spy")
        }
        _, table = await ask(people["lecturer"], "GET", "/students")
        students = await (await people["lecturer"].get("/students")).text()

    assert match.status == "completed"
    told = "open a socket"
    assert {who for who, text in pages.items() if told in text} == {
        who for who in pages if who[0] != "nobody"
    }
    shown = pages["lecturer", f"/matches/{match.id}"]
    assert "spy (xplayer) tried forbidden actions, which were denied: look up a machine" in shown
    assert {row["player"]: row["attempts"] for row in table} == {"spy": 1, "": 0}
    assert '<a href="/players/spy#attempts">1</a>' in students
    assert (
        f"match {match.id}: spy attempted forbidden actions, which were blocked: look up a machine"
        in caplog.text
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("class Mine:\n    def choose(self) return 1\n", "player.py:2: SyntaxError"),
        ("print(1)\n", "expected a subclass of ggp.players.Player; there is none"),
        ("import nothing_of_that_name\n", "player.py:1: ModuleNotFoundError"),
        ("import os\nos._exit(3)\n", "its process ended: exit status 3"),
        (
            f"{GOOD['legal']}    def __init__(self):\n        pass\n",
            "5 were given; write set_up() in place of __init__",
        ),
        (f"{GOOD['legal']}    def set_up(self):\n        1 / 0\n", "made: player.py:8: ZeroDiv"),
        (
            f"{GOOD['legal']}    ENGINE = 'lanes'\n    def __init__(self):\n        pass\n",
            "Mine cannot be made: TypeError",
        ),
    ],
    ids=["no Python", "no player", "fails", "exits", "no arguments", "set_up", "compiled"],
)
async def test_a_file_without_a_player_is_refused(home: Home, text: str, said: str) -> None:
    """When it is uploaded, with the line; it is not kept."""
    async with desk(home, submissions=home.folder / "players") as (_, client):
        status, answer = await ask(client, "POST", "/submissions", {"text": text})

    assert status == 400
    assert answer["field"] == "text"
    assert "no player can be loaded: " in answer["error"]
    assert said in answer["error"]
    assert not list((home.folder / "players").glob("*"))


async def test_one_of_several_players_is_named_when_it_is_registered(home: Home) -> None:
    """The file is kept; a name that is none of them is refused with those that are."""
    text = GOOD["legal"] + GOOD["random"].replace("Mine", "Other")
    async with desk(home, submissions=home.folder) as (_, client):
        _, kept = await ask(client, "POST", "/submissions", {"text": text})
        answers = [
            await ask(client, "POST", "/players", {"name": "x", "source": kept["source"] + which})
            for which in ("", ":None", ":Other")
        ]

    assert [status for status, _ in answers] == [400, 400, 201]
    assert "there are Mine, Other" in answers[0][1]["error"]
    assert "append :CLASS to the source" in answers[0][1]["error"]
    assert "it has Mine, Other" in answers[1][1]["error"]
    assert answers[0][1]["example"] == {"source": f"{kept['source']}:Mine"}
    assert "example" not in answers[1][1]


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


async def test_a_file_that_is_registered_by_its_name_is_to_be_uploaded(home: Home) -> None:
    """Where that is possible; else it is to be served."""
    files = {"name": "file", "source": "mini.py"}
    async with desk(home, submissions=home.folder) as (_, client):
        status, answer = await ask(client, "POST", "/players", files)
    async with desk(home) as (_, client):
        _, other = await ask(client, "POST", "/players", files)

    assert status == 400
    assert "(My players for students) or with POST /api/v1/submissions" in answer["error"]
    assert other["error"].endswith("`ggp serve --player mini.py` and give its address")


async def test_nobody_uploads_anything_unless_that_was_said(home: Home) -> None:
    """The message says how."""
    async with desk(home) as (_, client):
        status, answer = await ask(client, "POST", "/submissions", {"text": "1"})

    assert status == 400
    assert "--submissions FOLDER" in answer["error"]


async def test_an_uploaded_player_is_called_by_its_class(home: Home) -> None:
    """On the pages, instead of a long hash."""
    (folder := home.folder / "players").mkdir()
    async with desk(home, submissions=folder) as (_, client):
        _, kept = await ask(client, "POST", "/submissions", {"text": GOOD["legal"]})
        _, made = await ask(client, "POST", "/players", {"name": "x", "source": kept["source"]})
        pages = []
        for path in ("/players", "/players/x"):
            async with client.get(path) as answer:
                pages.append(await answer.text())

    short = f"Mine of {kept['source'][: len('submission-') + 8]}..."
    assert made["source"] == f"{kept['source']}:Mine"
    assert all(short in page and kept["source"] not in page for page in pages)


async def test_a_student_sees_and_deletes_its_files_on_its_page(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those that no player is; who has too many is told where."""

    async def tried(*_: object) -> Loaded:
        return Loaded("Mine")

    monkeypatch.setattr(uploads, "tried", tried)
    monkeypatch.setattr(uploads, "MAX_OF_STUDENT", 2)
    delete = 'data-path="/submissions/{}"'
    async with course(home, submissions=home.folder) as (_, people):
        student, other = people["student"], people["nobody"]
        await joined(other, await invited(people["lecturer"], "student"), "Eve")
        sources = []
        for who, text in ((student, "1"), (student, "2"), (other, "3")):
            _, kept = await ask(who, "POST", "/submissions", {"text": text})
            sources.append(kept["source"])
        await ask(student, "POST", "/players", {"name": "one", "source": sources[0]})
        status, refused = await ask(student, "POST", "/submissions", {"text": "4"})
        page = await (await student.get("/me")).text()
        await ask(student, "DELETE", "/players/one")
        later = await (await student.get("/me")).text()

    assert status == 409
    assert "(/me, My files)" in refused["error"]
    assert [source in page for source in sources] == [True, True, False]
    assert [delete.format(source) in page for source in sources] == [False, True, False]
    assert "Retire one first" in page
    assert [delete.format(source) in later for source in sources] == [True, True, False]
