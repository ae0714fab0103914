"""The pages, used as a person does: in Chromium, with two players that `ggp serve` runs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.ggp.manager.browsing import CHROMIUM, MILLISECONDS, running

api = pytest.importorskip(
    "playwright.sync_api", reason="the package playwright is not installed (extra `browser`)"
)
pytestmark = [
    pytest.mark.thorough,
    pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium on this machine"),
]

BROKEN = "(role x)\n(init (step 1))\n(<= (legal ?p (mark ?x))\n    (role ?p))\n"
api.expect.set_options(timeout=MILLISECONDS)


@pytest.fixture(scope="module")
def players(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """The addresses of two players, by the names that they are registered under."""
    folder = tmp_path_factory.mktemp("players")
    arguments = ("serve", "--port", "0", "--player", "random")
    with running(folder, *arguments) as one, running(folder, *arguments) as other:
        yield {"one": one, "other": other}


@pytest.fixture
def registered(page: Any, players: dict[str, str]) -> dict[str, str]:
    """The two players, registered on the page if they are not yet."""
    for name, source in players.items():
        page.goto("/players")
        if page.locator(f"tr[data-player={name}]").count() == 0:
            page.fill("input[name=name]", name)
            page.fill("input[name=source]", source)
            page.click("#register button")
            page.wait_for_selector(f"tr[data-player={name}]")
    return players


def test_registered_players_tell_how_they_are(page: Any, registered: dict[str, str]) -> None:
    """The page asks each for its status."""
    page.goto("/players")

    for name in registered:
        status = page.locator(f"tr[data-player={name}] td.status")
        api.expect(status).to_contain_text("available")


def test_errors_call_a_field_what_the_form_calls_it(page: Any) -> None:
    """And go to it."""
    page.goto("/players")
    page.fill("input[name=name]", "far")
    page.fill("input[name=source]", "http://192.0.2.7:9147")
    page.click("#register button")

    refusal = page.locator("#register [role=alert]")
    api.expect(refusal).to_have_text(
        re.compile("^Address or kind: players on 192.0.2.7 are not allo")
    )
    api.expect(page.locator("input[name=source]")).to_be_focused()


def test_match_is_watched_to_its_end_and_stepped_back(
    page: Any, registered: dict[str, str]
) -> None:
    """Set up by the form; the page follows, and steps where one wants to look again."""
    page.goto("/matches")
    page.select_option("#new-match select[name=game]", "connectFour")
    for seat, name in enumerate(registered):
        page.locator("#seats input").nth(seat).fill(name)
    page.fill("input[name=startclock]", "30")
    page.click("#new-match button[type=submit]")

    api.expect(page.locator("#status")).to_have_text("completed", timeout=2 * MILLISECONDS)
    # Not as many as the page lists: if the match is over when it opens, it may still be at it.
    turns = page.request.get(f"/api/v1{urlsplit(page.url).path}").json()["turns"]
    api.expect(page.locator("#board [data-words] circle")).to_have_count(turns)
    api.expect(page.locator("#place")).to_have_text(f"Turn {turns} of {turns}")
    api.expect(page.locator("#board [data-words]")).to_have_count(42)
    page.keyboard.press("ArrowLeft")

    api.expect(page.locator("#place")).to_have_text(f"Turn {turns - 1} of {turns}")
    api.expect(page.locator("#board [data-words] circle")).to_have_count(turns - 1)


COUNTING = "(role ann) (init (step 0)) (goal ann 50) (<= terminal (true (step 120)))" + "".join(
    f" (<= (legal ann (count {n})) (true (step {n}))) (<= (next (step {n + 1})) (true (step {n})))"
    for n in range(120)
)
"""A game of 120 turns."""


def asked_positions(page: Any) -> list[int]:
    """The turns whose positions the page asks for, from now on."""
    asked: list[int] = []

    def listen(request: Any) -> None:
        if found := re.search(r"/positions/(\d+)$", request.url):
            asked.append(int(found[1]))

    page.on("request", listen)
    return asked


def test_the_page_of_a_long_match_asks_for_the_last_position(page: Any) -> None:
    """Not for each one on the way there; and it plays the turns at the pace that is chosen."""
    assert page.request.post("/api/v1/games", data={"name": "counting", "text": COUNTING}).ok
    body = {"game": "counting", "players": ["legal"], "startclock": 5, "playclock": 1}
    number = page.request.post("/api/v1/matches", data=body).json()["number"]
    page.goto(f"/matches/{number}")
    api.expect(page.locator("#status")).to_have_text("completed")
    asked = asked_positions(page)
    page.reload()

    api.expect(page.locator("#board svg")).to_be_attached()
    api.expect(page.locator("#place")).to_have_text("Turn 120 of 120")
    assert set(asked) == {120}
    page.select_option("#pace", "5")
    page.click("#play")
    api.expect(page.locator("#place")).to_have_text(re.compile(r"Turn [2-9]\d? of 120"))
    page.keyboard.press("End")
    api.expect(page.locator("#play")).to_have_attribute("aria-label", "Play the turns")
    assert list(dict.fromkeys(asked))[:4] == [120, 0, 1, 2]
    page.keyboard.press("Home")
    api.expect(page.locator("#place")).to_have_text("Turn 0 of 120")
    assert asked.count(0) == 1


def test_an_earlier_position_is_asked_for_once_while_the_match_goes_on(page: Any) -> None:
    """And stays; the list goes on, and its moves have the names that people read."""
    body = {"game": "connectFour", "players": ["person", "legal"]}
    made = page.request.post("/api/v1/matches", data=body).json()
    place, key = f"/matches/{made['number']}", made["keys"]["red"]
    asked = asked_positions(page)
    page.goto(place)
    for turn in (1, 3, 5):
        if turn == 3:
            page.locator("#turns li:nth-child(1) button").click()
        if turn > 1:
            api.expect(page.locator("#turns li")).to_have_count(turn - 1)
        move = {"role": "red", "move": f"(drop {turn})", "turn": turn}
        assert page.request.post(f"/api/v1{place}/moves?seat={key}", data=move).ok

    api.expect(page.locator("#turns li")).to_have_count(6)
    api.expect(page.locator("#turns li").nth(4)).to_have_text("drop a disc in column 5")
    api.expect(page.locator("#place")).to_have_text("Turn 1 of 6")
    assert asked.count(1) == 1
    assert max(asked) <= 2
    page.request.post(f"/api/v1{place}/abort?seat={key}")


def test_person_plays_by_clicking_and_by_the_keyboard(page: Any) -> None:
    """Squares that are open can be clicked, or reached by Tab and chosen by Enter."""
    page.goto("/play?game=ticTacToe")
    page.select_option("select[name=role]", "xplayer")
    page.fill("input[name=against]", "random")
    page.click("#play button[type=submit]")

    for turn in range(1, 9, 2):
        # After the last turn, the page shows the turn before it says that the match is over.
        page.wait_for_function(
            "(num) => document.querySelectorAll('#board .open').length === num"
            " || document.querySelector('#status.completed')",
            arg=10 - turn,
        )
        if page.locator("#status.completed").count():
            break
        square = page.locator("#board .open").first
        if turn % 4 == 1:
            square.click()
        else:
            square.press("Enter")
        page.locator(f"#turns li:nth-child({turn + 1}), #status.completed").first.wait_for()
        if page.locator("#status.completed").count():
            break

    # The last square left is taken without being asked.
    api.expect(page.locator("#status")).to_have_text("completed")
    api.expect(page.locator("#board path").nth(2)).to_be_attached()  # the board may come later
    api.expect(page.locator("td[data-role]").last).to_have_text(re.compile(r"\d"))
    goals = [int(cell) for cell in page.locator("td[data-role]").all_text_contents()]
    assert sum(goals) == 100


def test_analysis_is_a_table_that_keeps_up(page: Any) -> None:
    """At once when it is ticked, again after the next move, and gone when it is not wanted."""
    page.goto("/play?game=ticTacToe")
    page.fill("input[name=against]", "legal")
    page.click("#play button[type=submit]")
    api.expect(page.locator("#board .open")).to_have_count(9)

    page.click("#hint")
    api.expect(page.locator("#notice")).to_contain_text("(mark", timeout=3 * MILLISECONDS)
    page.check("#analysis")
    rows = page.locator("#table tbody tr")
    api.expect(rows.first).to_contain_text("(mark", timeout=3 * MILLISECONDS)
    page.locator('#board [data-words="2 2"].open').click()
    api.expect(page.locator("#turns li")).to_have_count(2)
    api.expect(page.locator("#board .open")).to_have_count(7)
    api.expect(rows.first).to_contain_text("(mark", timeout=3 * MILLISECONDS)
    api.expect(rows.filter(has_text="(mark 2 2)")).to_have_count(0)
    page.uncheck("#analysis")

    api.expect(page.locator("#table")).to_be_empty()


def test_statistics_of_a_game_come_when_they_are_wanted(page: Any) -> None:
    """The catalogue plays at random when somebody asks."""
    page.goto("/games")

    page.click("[data-statistics=ticTacToe] summary")

    # The pictures of all games come first.
    told = page.locator("[data-statistics=ticTacToe] dl")
    api.expect(told).to_contain_text("goal of xplayer", timeout=3 * MILLISECONDS)


def test_piece_and_aim_are_pointed_at_one_after_the_other(page: Any) -> None:
    """A place leaves the moves that name it; the next one settles which."""
    page.goto("/play?game=breakthroughSmall")
    page.select_option("select[name=role]", "white")
    page.fill("input[name=against]", "random")
    page.click("#play button[type=submit]")

    page.locator('#board [data-words="3 2"].open').click()
    api.expect(page.locator("#moves button")).to_have_count(3)
    named = re.compile(r"^\(move 3 2 \d 3\): move white's piece from column 3, row 2 to column")
    api.expect(page.locator("#moves button").first).to_have_text(named)
    page.locator('#board [data-words="3 3"].open').click()

    api.expect(page.locator("#turns li").first).to_have_text(
        "move white's piece from column 3, row 2 to column 3, row 3"
    )


def test_broken_rule_is_shown_at_its_line(page: Any) -> None:
    """While one types: beside the line, and in words below."""
    page.goto("/editor?game=ticTacToe")
    api.expect(page.locator("#verdict")).to_have_text("Nothing is wrong.")

    page.fill("#rules", BROKEN)

    finding = page.locator("#findings li.error", has_text="?x")
    api.expect(finding).to_have_attribute("data-line", "3")
    api.expect(page.locator("#colours .error").first).to_have_attribute("data-number", "3")
    finding.locator("button").click()
    chosen = "(area) => area.value.slice(area.selectionStart, area.selectionEnd)"
    assert page.locator("#rules").evaluate(chosen) == "?x"


def test_the_word_at_the_cursor_is_explained(page: Any) -> None:
    """What it is and who uses it; a button leads to its definition."""
    page.goto("/editor?game=ticTacToe")
    rules = page.locator("#rules")
    place = "(area) => { const at = area.value.indexOf('(line ?') + 2;"
    place += " area.focus(); area.setSelectionRange(at, at); }"

    rules.evaluate(place)

    api.expect(page.locator("#symbol strong").first).to_have_text("line/1")
    api.expect(page.locator("#symbol")).to_contain_text("view, 1 argument")
    page.click("#symbol button")
    chosen = "(area) => area.value.slice(area.selectionStart, area.selectionEnd)"
    assert rules.evaluate(chosen) == "line"


def test_rules_are_not_lost_by_leaving(page: Any) -> None:
    """Whoever has changed them is asked."""
    asked: list[str] = []

    def leave(dialog: Any) -> None:
        asked.append(dialog.type)
        dialog.accept()

    page.on("dialog", leave)
    page.goto("/editor")
    page.get_by_role("link", name="Games", exact=True).click()
    page.wait_for_url("**/games")
    assert asked == []
    page.goto("/editor")
    page.locator("#rules").press_sequentially("(role somebody) ")
    page.get_by_role("link", name="Games", exact=True).click()
    page.wait_for_url("**/games")

    assert asked == ["beforeunload"]


def test_rules_that_were_kept_are_replaced_when_somebody_says_so(page: Any) -> None:
    """Not before that; and the catalogue tells their roles."""
    page.goto("/editor")
    page.fill("#name", "countdown")
    page.click("#keep")
    api.expect(page.locator("#play")).to_be_visible()
    page.goto("/editor")
    page.fill("#name", "countdown")
    asked: list[str] = []

    def refuse(dialog: Any) -> None:
        asked.append(dialog.message)
        dialog.dismiss()

    page.once("dialog", refuse)
    with page.expect_event("dialog"):
        page.click("#keep")
    api.expect(page.locator("#play")).to_be_hidden()
    page.once("dialog", lambda dialog: dialog.accept())
    page.click("#keep")
    api.expect(page.locator("#play")).to_be_visible()
    page.goto("/games")

    assert asked == ["A game named countdown exists already. Replace it with these rules?"]
    card = page.locator("#game-countdown")
    api.expect(card).to_contain_text("A game for one: count down from 3.")
    api.expect(card.locator("[data-roles-of]")).to_have_text("player")


def test_match_that_was_saved_is_taken_in_on_the_page(page: Any, tmp_path: Path) -> None:
    """As it was exported, under another name; what is no record is said at its field."""
    made = page.request.post(
        "/api/v1/matches", data={"game": "ticTacToe", "players": ["random", "legal"], "seed": 1}
    ).json()["number"]
    page.goto(f"/matches/{made}")
    api.expect(page.locator("#status")).to_have_text("completed")
    with page.expect_download() as exported:
        page.click("text=Record (XML)")
    text = Path(exported.value.path()).read_text(encoding="utf-8")
    saved = tmp_path / "match.xml"
    saved.write_text(re.sub(r"<matchId>.*?</matchId>", "<matchId>m.1</matchId>", text))
    page.goto("/matches")
    page.click("#import summary")
    page.select_option("#import-match select", "ticTacToe")
    page.set_input_files("#import-match input[type=file]", saved)
    page.click("#import-match button")
    page.wait_for_url(re.compile(r"/matches/\d+$"))
    assert not page.url.endswith(f"/matches/{made}")
    api.expect(page.locator("#status")).to_have_text("completed")
    api.expect(page.locator("#values")).to_be_hidden()
    page.goto("/matches")
    saved.write_text("no record")
    page.click("#import summary")
    page.set_input_files("#import-match input[type=file]", saved)
    page.click("#import-match button")
    api.expect(page.locator("#notice")).to_contain_text("expected a match record")


def test_a_report_is_made_and_a_mistake_tried_again(page: Any) -> None:
    """The second move of `legal` beside the corner loses; whoever plays it again may do better."""
    body = {"game": "ticTacToe", "players": ["legal", "legal"], "startclock": 5, "playclock": 1}
    number = page.request.post("/api/v1/matches", data=body).json()["number"]
    page.goto(f"/matches/{number}")
    page.click("#report")
    page.wait_for_url("**/report")  # and its script: without it the button does nothing
    page.click("#ask")
    api.expect(page.locator("#making")).to_be_visible()
    api.expect(page.locator("#done")).to_have_text(re.compile(r"\d of \d|Waiting"))
    blunder = page.locator("#turn-2")
    # An idle machine with two cores takes a minute.
    api.expect(blunder).to_contain_text("Turn 2, oplayer: blunder", timeout=30 * MILLISECONDS)
    api.expect(page.locator("#accuracy tbody tr")).to_have_count(2)
    marks = page.locator(".report-chart a")
    sizes = [name.rsplit(": ", 1)[1] for name in page.locator(".mistake h3").all_text_contents()]
    assert marks.count() == len(sizes)
    assert sizes == sorted(sizes, key=["blunder", "mistake", "inaccuracy"].index)
    page.click('a[href="#turn-2"]')
    api.expect(page.locator("#turn-2:target")).to_be_visible()
    blunder.get_by_role("button").click()

    api.expect(page.locator("#place")).to_have_text("Turn 1 of 1")
    page.locator('#board [data-words="2 2"].open').click()
    api.expect(page.locator("#turns li")).to_have_count(3)


def test_a_match_is_played_on_from_a_turn_that_its_address_names(page: Any) -> None:
    """As a new one, which tells where it comes from."""
    body = {"game": "ticTacToe", "players": ["legal", "legal"], "startclock": 5, "playclock": 1}
    number = page.request.post("/api/v1/matches", data=body).json()["number"]
    page.goto(f"/matches/{number}")
    api.expect(page.locator("#status")).to_have_text("completed")
    page.goto(f"/matches/{number}#turn-2")
    page.reload()
    api.expect(page.locator("#place")).to_contain_text("Turn 2 of")
    page.click("#branch summary")
    page.fill("#branch input[name=players]", "random")
    page.click("#branch button")

    api.expect(page.locator("#board .open")).to_have_count(7)
    api.expect(page.get_by_role("link", name=f"turn 2 of match {number}")).to_be_visible()


def test_what_goes_wrong_in_a_random_game_stays_to_be_read(page: Any) -> None:
    """In the panel where the game would stand."""
    page.goto("/editor")
    page.fill("#rules", "(role x")

    page.click("#try")

    api.expect(page.locator("#statistics .bad")).to_contain_text("1:1")


def test_tournament_of_four_is_run_and_its_table_read(
    page: Any, registered: dict[str, str]
) -> None:
    """The table has everybody, and the points are those of the matches played."""
    names = [*registered, "legal", "random"]
    page.goto("/tournaments")
    page.fill("input[name=name]", "cup")
    page.select_option("select[name=form]", "round-robin")
    page.fill("input[name=meetings]", "1")
    page.fill("input[name=startclock]", "30")
    page.select_option("select[name=games]", ["ticTacToe"])
    page.fill("textarea[name=players]", "\n".join(names))
    page.click("#new-tournament button[type=submit]")

    status = page.locator("#tournament .status").first
    api.expect(status).to_have_text("completed", timeout=2 * MILLISECONDS)
    rows = page.locator("#table tbody tr")
    cells = [rows.nth(at).locator("td").all_text_contents() for at in range(rows.count())]

    assert sorted(row[1] for row in cells) == sorted(names)
    assert [int(row[3]) for row in cells] == [3] * 4
    assert sum(float(row[2]) for row in cells) == 6


def test_a_tournament_stops_by_a_test_that_the_form_asks_for(page: Any) -> None:
    """What is wrong with the test is said at its field."""
    page.goto("/tournaments")
    page.click("#new summary") if page.locator("#new:not([open])").count() else None
    page.fill("input[name=name]", "which is stronger")
    page.select_option("select[name=games]", ["ticTacToe"])
    page.fill("textarea[name=players]", "random\nlegal")
    page.fill("input[name=elo0]", "0")
    page.fill("input[name=elo1]", "-5")
    page.click("#new-tournament button[type=submit]")
    api.expect(page.locator("#notice")).to_contain_text("or by: expected at least 1 more")
    api.expect(page.locator("input[name=elo1]")).to_be_focused()
    page.fill("input[name=elo1]", "20")
    page.click("#new-tournament button[type=submit]")

    api.expect(page.locator("#test")).to_contain_text("LLR")


def test_a_continuous_tournament_is_joined_left_and_ended(page: Any) -> None:
    """All on its page: it begins without anybody, and shows who is in and who is out."""
    page.goto("/tournaments")
    page.click("#new summary") if page.locator("#new:not([open])").count() else None
    page.fill("input[name=name]", "all day")
    page.select_option("select[name=form]", "continuous")
    page.select_option("select[name=games]", ["ticTacToe"])
    page.fill("textarea[name=players]", "")
    page.click("#new-tournament button[type=submit]")
    for name in ("ann", "bob"):
        page.fill("#join input[name=name]", name)
        page.fill("#join input[name=player]", "random")
        page.click("#join button")
        api.expect(page.locator(f"tr[data-player={name}] .presence")).to_have_text("in")

    api.expect(page.locator("#recent td a").last).to_have_text("completed")
    page.get_by_role("button", name="Remove bob").click()
    api.expect(page.locator("tr[data-player=bob] .presence")).to_have_text("left")
    api.expect(page.locator("#out li")).to_contain_text("by hand")
    page.click("#end")

    api.expect(page.locator("#tournament .status").first).to_have_text("completed")
    api.expect(page.get_by_role("link", name="Table as CSV")).to_be_visible()


def test_a_bracket_is_read_as_a_list(page: Any) -> None:
    """Round by round, with a bye and the winner."""
    page.goto("/tournaments")
    page.click("#new summary") if page.locator("#new:not([open])").count() else None
    page.fill("input[name=name]", "knocked out")
    page.select_option("select[name=form]", "knockout")
    page.select_option("select[name=games]", ["ticTacToe"])
    page.fill("textarea[name=players]", "x = random\ny = random\nz = random")
    page.click("#new-tournament button[type=submit]")

    api.expect(page.get_by_text("Winner:")).to_be_visible()
    rounds = page.get_by_role("list", name="Bracket").locator("> li")
    api.expect(rounds).to_have_count(2)
    api.expect(rounds.first).to_contain_text("x has a bye")
