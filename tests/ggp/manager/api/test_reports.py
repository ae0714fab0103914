"""/matches/N/report over HTTP and as a page, and matches that go on from a position of another."""

from __future__ import annotations

import html
from dataclasses import replace

import pytest

from ggp.manager.service import ManagerService
from ggp.manager.store import reports
from ggp.report.match_report import MatchReport, MoveReport, Worth
from tests.ggp.manager.desk import SECONDS, Home, ask, desk, over, turns, two, until_so, write_down

LOSS = MoveReport(2, 1, "(mark 1 2)", "(mark 2 2)", 50, 0, True, ("(mark 2 2)", "(mark 3 3)"))
WORTHS = (Worth((50, 50), True), Worth((50, 50), True), Worth((100, 0), True))
REPORT = MatchReport("ticTacToe", ("xplayer", "oplayer"), WORTHS, (LOSS,))


async def played(service: ManagerService) -> int:
    """A match that is over; its number."""
    number = await service.host.set_up(two())
    await over(service, number)
    return number


async def reported(service: ManagerService, report: MatchReport = REPORT) -> int:
    """A match with a report; its number."""
    number = await played(service)
    async with service.database.writing() as session:
        await reports.ask(session, number, 1)
        await reports.complete(session, number, report.to_json())
    return number


@pytest.mark.usefixtures("report_source")
async def test_a_report_is_asked_for_and_comes(home: Home) -> None:
    """404 before, 202 as long as it is made, then 200."""
    async with desk(home) as (service, client):
        number = await played(service)
        path = f"/matches/{number}/report"
        before = await ask(client, "GET", path)
        asked = await ask(client, "POST", path)
        answers = []

        async def is_made() -> bool:
            answers.append(await ask(client, "GET", path))
            return answers[-1][0] != 202

        await until_so(is_made, 3 * SECONDS)
        again = await ask(client, "POST", path)
        shown = (await ask(client, "GET", f"/matches/{number}"))[1]

    *while_made, (status, report) = answers
    assert (before[0], asked[0], status) == (404, 202, 200)
    assert {state["status"] for _, state in while_made} <= {"waiting", "running"}
    assert report["turns"] == shown["turns"]
    assert len(report["worths"]) == shown["turns"] + 1
    assert report["worths"][0] == {"goals": [50, 50], "proven": True}
    assert [player["role"] for player in report["players"]] == ["xplayer", "oplayer"]
    assert again == (
        202,
        {"status": "completed", "why": ""} | dict.fromkeys(("done", "total"), shown["turns"] + 1),
    )


async def test_there_is_none_on_a_match_that_is_not_over(home: Home) -> None:
    """In a game of hidden information it would tell what nobody may know."""
    async with desk(home) as (service, client):
        number = await write_down(service, two("phantomTicTacToe"))
        asked = await ask(client, "POST", f"/matches/{number}/report")
        found = await ask(client, "GET", f"/matches/{number}/report")
        nowhere = await ask(client, "POST", "/matches/99/report")
        async with client.get(f"/matches/{number}/report") as page:
            assert page.status == 404

    assert asked == (
        409,
        {"error": f"match {number} is waiting; a report can be requested when it is over"},
    )
    assert (found[0], nowhere[0]) == (404, 404)


async def test_the_page_shows_chart_accuracy_and_mistakes(home: Home) -> None:
    """A mark of the chart leads to the mistake, with the position before it."""
    async with desk(home) as (service, client):
        number = await reported(service)
        async with client.get(f"/matches/{number}/report") as answer:
            page = await answer.text()
        async with client.get(f"/api/v1/matches/{number}/positions/1/picture") as answer:
            kind, svg = answer.content_type, await answer.text()

    assert 'href="#turn-2"' in page
    assert 'id="turn-2"' in page
    assert "Turn 2, oplayer: blunder" in page
    assert "50 → 0 (proven)" in page
    assert "Better: <code>(mark 2 2), then (mark 3 3)</code>" in page
    assert 'data-turn="1" data-role="oplayer"' in page
    assert f"/api/v1/matches/{number}/positions/1/picture" in page
    assert (kind, svg[:4]) == ("image/svg+xml", "<svg")


async def test_the_page_blames_nobody_for_moves_made_in_its_place(home: Home) -> None:
    """They have a table of their own."""
    told = replace(REPORT, moves=(replace(LOSS, made_for="TO"),))
    async with desk(home) as (service, client):
        number = await reported(service, told)
        async with client.get(f"/matches/{number}/report") as answer:
            page = await answer.text()
        _, found = await ask(client, "GET", f"/matches/{number}/report")

    assert "1 of 1 moves of oplayer, where it had a choice, were made for it" in page
    assert "No marked moves" in page
    assert "<td>its answer was late</td>" in page
    assert (found["players"][1]["made_for"], found["moves"][0]["made_for"]) == (1, "TO")
    assert (found["players"][1]["accuracy"], found["moves"][0]["mark"]) == (None, None)


async def test_the_page_offers_a_report_that_nobody_asked_for(home: Home) -> None:
    """And says why there is none."""
    async with desk(home) as (service, client):
        number = await played(service)
        async with client.get(f"/matches/{number}/report") as answer:
            offer = await answer.text()
        async with service.database.writing() as session:
            await reports.ask(session, number, 1)
            await reports.give_up(session, number, "it took too long")
        async with client.get(f"/matches/{number}/report") as answer:
            refusal = await answer.text()

    assert "Create report" in offer
    assert "There is no report: it took too long." in refusal


async def test_a_match_goes_on_from_a_position_of_another(home: Home) -> None:
    """By the same rules, to its own end; nobody is rated by it."""
    async with desk(home) as (service, client):
        number = await played(service)
        rated = await ask(client, "GET", "/ratings")
        body = {"turn": 3, "players": ["legal", "random"]}
        status, made = await ask(client, "POST", f"/matches/{number}/branches", body)
        match = await over(service, made["number"])
        old, new = await turns(service, number), await turns(service, made["number"])

        assert (status, match.status, match.goals is not None) == (201, "completed", True)
        assert [turn.facts for turn in new[:4]] == [turn.facts for turn in old[:4]]
        assert new[4].moves[1] != "noop"
        shown = (await ask(client, "GET", f"/matches/{match.id}"))[1]
        assert (shown["origin"], shown["origin_turn"]) == (number, 3)
        assert await ask(client, "GET", "/ratings") == rated


async def test_a_person_may_move_before_the_others_have_been_told(home: Home) -> None:
    """The position is shown at once; the move waits for the match to begin."""
    async with desk(home) as (service, client):
        number = await played(service)
        body = {"turn": 1, "players": ["legal", "person"]}
        _, made = await ask(client, "POST", f"/matches/{number}/branches", body)
        path, seat = f"/matches/{made['number']}", f"?seat={made['keys']['oplayer']}"
        taken = (await turns(service, number))[1].moves[0]
        move = "(mark 2 2)" if taken != "(mark 2 2)" else "(mark 1 1)"
        moved = await ask(
            client, "POST", f"{path}/moves{seat}", {"role": "oplayer", "move": move, "turn": 2}
        )
        again = await ask(
            client, "POST", f"{path}/moves{seat}", {"role": "xplayer", "move": move, "turn": 2}
        )

    assert moved == (200, {})
    assert again[0] == 404


@pytest.mark.parametrize(
    ("turn", "players", "status", "error"),
    [
        (99, ["person", "legal"], 404, "cannot continue from turn 99; expected a turn from 0 to"),
        (1, ["person"], 400, "players: ticTacToe takes 2 players (xplayer, oplayer), got 1"),
        (-1, ["person", "legal"], 400, "turn: "),
    ],
)
async def test_a_branch_that_cannot_be_is_refused(
    home: Home, turn: int, players: list[str], status: int, error: str
) -> None:
    """With what would be right."""
    async with desk(home) as (service, client):
        number = await played(service)
        body = {"turn": turn, "players": players}
        found, answer = await ask(client, "POST", f"/matches/{number}/branches", body)

    assert found == status
    assert error in answer["error"]


async def test_nobody_plays_on_with_what_was_hidden(home: Home) -> None:
    """Who has seen something cannot forget it; nor where a match still runs."""
    async with desk(home) as (service, client):
        hidden = await service.host.set_up(two("phantomTicTacToe"))
        await over(service, hidden)
        waiting = await write_down(service, two())
        body = {"turn": 0, "players": ["person", "legal"]}
        answers = [
            await ask(client, "POST", f"/matches/{number}/branches", body)
            for number in (hidden, waiting)
        ]

    assert [status for status, _ in answers] == [409, 409]


async def test_a_report_says_what_decided_the_match(home: Home) -> None:
    """As `ggp report` does; also which falls have no mark, because who fell was behind."""
    fall = replace(LOSS, turn=1, before=18.55, after=0, is_proven=False, is_sure=False)
    worths = (Worth((81.45, 18.55), False), *WORTHS[1:])
    report = replace(REPORT, worths=worths, moves=(fall, LOSS), evaluation="random games")
    async with desk(home) as (service, client):
        number = await reported(service, report)
        _, told = await ask(client, "GET", f"/matches/{number}/report")
        async with client.get(f"/matches/{number}/report") as answer:
            page = html.unescape(await answer.text())

    assert told["explanations"] == [
        "Decided in turn 2: oplayer played (mark 1 2) (xplayer 50 → 100, oplayer 50 → 0).",
        "2 of 3 positions are proven; the others are estimated by tree search with random games.",
        "Not marked, as the role was behind and may have lost already: turn 1, oplayer 19 → 0.",
    ]
    assert all(f"<p>{text}</p>" in page for text in told["explanations"])
