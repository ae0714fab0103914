"""A course with accounts, as people do it in a browser: from the first link to a rating."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.ggp.manager.browsing import CHROMIUM, MILLISECONDS, Person, running

api = pytest.importorskip(
    "playwright.sync_api", reason="the package playwright is not installed (extra `browser`)"
)
pytest.importorskip("argon2", reason="needs argon2-cffi, of the extra `manager`")
pytestmark = [
    pytest.mark.thorough,
    pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium on this machine"),
]

UPLOADED = """
from ggp.players import Player

class Comet(Player):
    def choose(self, state, deadline):
        return self.legal_moves(state)[0]
"""
api.expect.set_options(timeout=MILLISECONDS)


@pytest.fixture
def first_link(tmp_path: Path) -> Iterator[str]:
    """The link that a manager with accounts prints when it is started in an empty folder."""
    folder = tmp_path / "submissions"
    folder.mkdir()
    arguments = (
        *("manager", "--port", "0", "--accounts", "--submissions", str(folder)),
        *("--player-network", "127.0.0.0/8"),
    )
    with running(tmp_path, *arguments, pattern=r"http://[\w.]+:\d+/join\?\S+") as found:
        yield found


@pytest.fixture(scope="module")
def player(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a student's player."""
    folder = tmp_path_factory.mktemp("player")
    with running(folder, "serve", "--port", "0", "--player", "random") as found:
        yield found


def test_a_course_from_the_first_link_to_a_rating(
    browser: Any, first_link: str, player: str
) -> None:
    """The host invites a lecturer, who invites a student, whose player plays and is seen."""
    address = first_link.partition("/join")[0]
    host, lecturer, student, spectator = (Person(browser, address) for _ in range(4))
    host.join(first_link, "Helen")
    lecturer.join(host.invite("lecturer"), "Leo")
    spectator.join(lecturer.invite("spectator"), "Spike")
    student.join(lecturer.invite("student"), "Stella")

    page = student.go("/me")
    page.fill("#name", "starlet")
    page.fill("#source", "http://192.0.2.7:9147")
    page.press("#source", "Enter")
    api.expect(page.locator("#source-error")).to_contain_text(
        "a network for students' players (127.0.0.0/8), got"
    )
    api.expect(page.locator("#source")).to_be_focused()
    api.expect(page.locator("#source")).to_have_attribute("aria-invalid", "true")
    student.check()
    page.fill("#source", player)
    page.press("#source", "Enter")
    api.expect(page.locator("#my-players tr[data-player=starlet]")).to_be_visible()
    student.upload("comet", UPLOADED)
    api.expect(page.locator("#my-players tr[data-player=comet]")).to_contain_text("submission-")
    page = student.go("/matches")
    page.select_option("#new-match select[name=game]", "ticTacToe")
    page.locator("#seats input").nth(0).fill("starlet")
    page.locator("#seats input").nth(1).fill("random")
    page.click("#new-match button[type=submit]")
    api.expect(page.locator("#status")).to_have_text("completed", timeout=3 * MILLISECONDS)

    page = lecturer.go("/students")
    row = page.locator("#students tbody tr").filter(has_text="starlet")
    api.expect(row).to_have_count(1)
    cells = row.locator("td")
    api.expect(cells.nth(0)).to_have_text("Stella")
    api.expect(cells.nth(1)).to_have_text("starlet")
    api.expect(cells.nth(2)).to_have_text("1")
    api.expect(cells.nth(3)).to_have_text(re.compile(r"\d"))
    assert page.request.get("/api/v1/students.csv").text().count("starlet") == 1

    page = spectator.go("/matches")
    api.expect(page.locator("#new-match")).to_have_count(0)
    api.expect(page.locator("#matches tbody tr")).to_have_count(1)
    host.go("/accounts")
    for person in (host, lecturer, student, spectator):
        assert person.faults == [], "\n".join(person.faults)


def test_who_forgot_the_password_gets_a_new_one(browser: Any, first_link: str) -> None:
    """What is wrong is told beside its field; a link brings a new password."""
    address = first_link.partition("/join")[0]
    host, student = Person(browser, address), Person(browser, address)
    host.join(first_link, "Helen")
    student.join(host.invite("student"), "Stella")
    page = student.go("/me")
    page.fill("#label", "my script")
    page.press("#label", "Enter")
    api.expect(page.locator("form[data-path='/me/tokens'] output")).not_to_be_empty()
    page.click("#log-out")
    page.wait_for_url(re.compile("/login$"))
    page = student.go("/play")
    assert page.url.endswith("/login?next=/play")
    page.fill("#name", "Stella")
    page.fill("#password", "wrong")
    page.press("#password", "Enter")
    api.expect(page.locator("#password-error")).to_contain_text("wrong name or password")
    student.check()

    page = host.go("/accounts")
    page.click("tr[data-name=Stella] button.reset")
    told = page.locator("#reset-link output")
    api.expect(told).to_contain_text("/join?key=")
    api.expect(page.locator("#reset-link .local")).to_contain_text("only on this machine")
    host.check()
    page = student.go(str(told.inner_text()))
    page.fill("#password", "another password")
    page.press("#password", "Enter")
    page.wait_for_url(re.compile("/matches$"))
    api.expect(student.go("/me").locator("#tokens tbody tr")).to_have_count(0)

    for person in (host, student):
        assert person.faults == [], "\n".join(person.faults)


def test_what_is_wrong_with_a_file_stays_in_its_form(browser: Any, first_link: str) -> None:
    """Until it is tried again; a line at the edge of the page is gone before it is understood."""
    host = Person(browser, first_link.partition("/join")[0])
    host.join(first_link, "Helen")
    page = host.go("/players")
    alert = page.locator("#upload [role=alert]")

    host.upload("comet", "class Comet: pass")
    api.expect(alert).to_contain_text("Python file: ")
    api.expect(page.locator("#notice")).to_be_empty()
    host.upload("comet", UPLOADED + UPLOADED.replace("class Comet", "class Second"))
    several = re.compile(r"^Class \(if several\): .* there are \w+, \w+; enter here which one")
    api.expect(alert).to_have_text(several)
    host.upload("comet", UPLOADED)
    api.expect(page.locator("tr[data-player=comet]")).to_be_visible()
    api.expect(alert).to_be_empty()


def test_a_student_retires_a_player_and_deletes_its_file(browser: Any, first_link: str) -> None:
    """On the page of the account, where the file can go as soon as no player is it."""
    address = first_link.partition("/join")[0]
    host, student = Person(browser, address), Person(browser, address)
    host.join(first_link, "Helen")
    student.join(host.invite("student"), "Stella")
    page = student.go("/me")
    student.upload("comet", UPLOADED)
    files = page.locator("#my-files tbody tr")
    api.expect(files).to_contain_text("Retire comet first")
    student.check()
    page.click("#my-players tr[data-player=comet] button")
    api.expect(files).to_contain_text("no player")
    files.locator("button").click()
    api.expect(files).to_have_count(0)

    for person in (host, student):
        assert person.faults == [], "\n".join(person.faults)
