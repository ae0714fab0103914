"""Two people play each other, each in a browser of their own; a third one looks on."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.ggp.manager.browsing import CHROMIUM, MILLISECONDS, PASSWORD, Person, running

api = pytest.importorskip(
    "playwright.sync_api", reason="the package playwright is not installed (extra `browser`)"
)
pytestmark = [
    pytest.mark.thorough,
    pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium on this machine"),
]
api.expect.set_options(timeout=MILLISECONDS)
SEATED = re.compile(r"/matches/\d+$")


@contextlib.contextmanager
def people(browser: Any, address: str, number: int) -> Iterator[list[Person]]:
    """So many people; what went wrong in their browsers fails the test."""
    found = [Person(browser, address) for _ in range(number)]
    yield found
    for person in found:
        person.close()
        assert person.faults == [], "\n".join(person.faults)


def tell(person: Person, path: str, body: dict[str, Any]) -> Any:
    """What the API answers to a person's browser."""
    answer = person.page.request.post(f"/api/v1{path}", data=body)
    assert answer.ok, answer.text()
    return answer.json()


def join(person: Person, key: str, name: str) -> None:
    """Make an account by an invitation."""
    tell(person, "/join", {"key": key, "name": name, "password": PASSWORD})


def challenge(person: Person, game: str, against: str, **fields: str) -> None:
    """Fill the form of the page to play, and begin."""
    page = person.go(f"/play?game={game}")
    page.select_option("select[name=opponent]", against)
    for name, value in fields.items():
        field = page.locator(f"#play [name={name}]")
        if field.evaluate("(one) => one.tagName") == "SELECT":
            field.select_option(value)
        else:
            field.fill(value)
    page.click("#play button[type=submit]")


def seated(*persons: Person, before: str = "") -> str:
    """The path of the match whose page all come to; the key of a seat is not in the address.

    Args:
        before: The path of the match before, which they leave.
    """
    for person in persons:
        person.page.wait_for_url(lambda url: SEATED.search(url) and urlsplit(url).path != before)
        api.expect(person.page.locator("#people li")).to_have_count(2)
    paths: set[str] = {urlsplit(person.page.url).path for person in persons}
    assert len(paths) == 1
    return paths.pop()


def move(person: Person, other: Person, square: str) -> None:
    """A person points at a square when it is their turn, and not the other's."""
    api.expect(person.page.locator("#whose")).to_have_text("Your move.")
    api.expect(other.page.locator("#whose")).to_contain_text("is to move")
    api.expect(other.page.locator("#board .open")).to_have_count(0)
    person.page.locator(f'#board [data-words="{square}"].open').click()


def look_on(person: Person, path: str) -> None:
    """See that who looks on at the beginning of connect four is told who moves, and cannot."""
    page = person.go(path)
    api.expect(page.locator("#whose")).to_have_text("You are watching. Ann (red) is to move.")
    api.expect(page.locator("#board svg")).to_be_visible()
    page.locator("#board").click()
    api.expect(page.locator("#notice")).to_contain_text("You are watching")
    for action in ("#choice", "#resign", "#draw", "#take-back", "#abort"):
        api.expect(page.locator(action)).to_be_hidden()
    body = {"role": "red", "move": "(drop 1)", "turn": 1}
    assert page.request.post(f"/api/v1{path}/moves", data=body).status == 403


def test_two_without_accounts_meet_by_a_link(browser: Any, address: str) -> None:
    """They play connect four to its end, take back, come back, and play again."""
    with people(browser, address, 3) as (ann, bob, eve):
        challenge(ann, "connectFour", "link", role="red", name="Ann", minutes="5")
        link = ann.page.get_by_label("Link for yellow").input_value()
        ann.check()
        page = bob.go(link)
        api.expect(page.locator("#challenge")).to_contain_text("5 min + 5 s per move")
        page.fill("#accept [name=name]", "Bob")
        page.click("#accept button[type=submit]")
        path = seated(ann, bob)
        api.expect(ann.page.locator("#people")).to_contain_text("Bob")

        look_on(eve, path)
        api.expect(ann.page.locator("#take-back")).to_be_hidden()
        move(ann, bob, "1 1")
        api.expect(bob.page.locator("#people li[data-waited]")).to_contain_text("Bob")
        ann.page.click("#take-back")
        bob.page.locator("#offers").get_by_role("button", name="Accept").click()
        api.expect(ann.page.locator("#place")).to_have_text("Turn 0 of 0")
        api.expect(ann.page.locator("#offers")).to_be_empty()
        move(ann, bob, "1 1")
        bob.come_back()
        page = bob.go("/play")
        page.locator("#running a").first.click()
        api.expect(ann.page.locator("#people .connected")).to_have_count(2)
        bob.check()
        for column, (mover, other) in zip("212121", [(bob, ann), (ann, bob)] * 3, strict=True):
            move(mover, other, f"{column} 1")
        api.expect(ann.page.locator("#status")).to_have_text("completed")
        api.expect(bob.page.locator("td[data-role=red]")).to_have_text("100")

        ann.page.click("#rematch")
        bob.page.locator("#offers").get_by_role("button", name="Accept").click()
        seated(ann, bob, before=path)
        move(bob, ann, "4 1")
        ann.page.once("dialog", lambda dialog: dialog.accept())
        ann.page.click("#resign")
        api.expect(bob.page.locator("#reason")).to_contain_text("yellow (Ann) resigned")
        api.expect(bob.page.locator("td[data-role=red]")).to_have_text("100")


def test_two_meet_in_the_lobby_and_agree_on_a_draw(browser: Any, address: str) -> None:
    """They play tic-tac-toe to its end, then a draw; and once somebody is too slow."""
    with people(browser, address, 2) as (ann, bob):
        challenge(ann, "ticTacToe", "anybody", name="Ann", role="xplayer", clock="move")
        api.expect(ann.page.locator("#state")).to_contain_text("Waiting")
        page = bob.go("/play")
        row = page.locator("#lobby tr", has_text="Ann")
        api.expect(row).to_contain_text("1 min per move")
        bob.check()
        page.once("dialog", lambda dialog: dialog.accept("Bob"))
        row.get_by_role("button", name="Accept").click()
        path = seated(ann, bob)
        move(ann, bob, "1 1")
        move(bob, ann, "2 1")
        api.expect(ann.page.locator("#whose")).to_have_text("Your move.")
        bob.page.click("#draw")
        ann.page.locator("#offers").get_by_role("button", name="Decline").click()
        told = "You offered a draw. It was declined."
        api.expect(bob.page.locator("#offers")).to_have_text(told)
        api.expect(ann.page.locator("#offers")).to_be_empty()
        for square, mover, other in (("1 2", ann, bob), ("2 2", bob, ann), ("1 3", ann, bob)):
            move(mover, other, square)
            api.expect(bob.page.locator("#offers")).to_be_empty()
        api.expect(bob.page.locator("td[data-role=xplayer]")).to_have_text("100")

        bob.page.click("#rematch")
        ann.page.locator("#offers").get_by_role("button", name="Accept").click()
        seated(ann, bob, before=path)
        move(bob, ann, "2 2")
        api.expect(ann.page.locator("#whose")).to_have_text("Your move.")
        ann.page.click("#draw")
        bob.page.locator("#offers").get_by_role("button", name="Accept").click()
        for person in (ann, bob):
            api.expect(person.page.locator("#reason")).to_contain_text("agreed")
            api.expect(person.page.locator("td[data-role]")).to_have_text(["50", "50"])

        challenge(bob, "ticTacToe", "anybody", role="xplayer", clock="move", seconds="1")
        page = ann.go("/play")
        page.locator("#lobby tr", has_text="Bob").get_by_role("button", name="Accept").click()
        seated(ann, bob)
        move(bob, ann, "2 2")  # there is more time for the first move of each
        move(ann, bob, "1 1")
        api.expect(ann.page.locator("#reason")).to_contain_text("xplayer (Bob) ran out of time")


def test_two_play_without_seeing_what_the_other_does(browser: Any, address: str) -> None:
    """Phantom tic-tac-toe, to its end; one that is broken off is shown when both want it."""
    with people(browser, address, 3) as (ann, bob, eve):
        challenge(ann, "phantomTicTacToe", "link", role="xplayer", name="Ann")
        page = bob.go(ann.page.get_by_label("Link for oplayer").input_value())
        ann.go("/play")
        page.fill("#accept [name=name]", "Bob")
        page.click("#accept button[type=submit]")
        ann.page.locator("#lobby").get_by_role("button", name="Go to match").click()
        path = seated(ann, bob)
        eve.go(path)
        plan = [("1 1", ann), ("2 1", bob), ("1 2", ann), ("2 2", bob), ("1 3", ann)]
        for square, mover in plan:
            api.expect(mover.page.locator("#whose")).to_have_text("Your move.")
            mover.page.locator(f'#board [data-words="{square}"].open').click()
        for person in (ann, bob, eve):
            api.expect(person.page.locator("#status")).to_have_text("completed")
            api.expect(person.page.locator("#turns")).to_contain_text("mark column 2, row 2")

        bob.page.click("#rematch")
        ann.page.locator("#offers").get_by_role("button", name="Accept").click()
        path = seated(ann, bob, before=path)
        bob.page.locator('#board [data-words="3 3"].open').click()
        api.expect(ann.page.locator("#whose")).to_have_text("Your move.")
        page = eve.go(path)
        api.expect(page.locator("#turns li").first).to_have_text("not shown yet")
        body = {"role": "oplayer", "move": "(mark 1 1)", "turn": 2}
        assert page.request.post(f"/api/v1{path}/moves", data=body).status == 403
        ann.page.click("#abort")
        for person in (ann, eve):
            api.expect(person.page.locator("#status")).to_have_text("aborted")
            api.expect(person.page.locator("#turns")).not_to_contain_text("column 3, row 3")
            assert "(mark 3 3)" not in person.page.request.get(f"/api/v1{path}/turns").text()
        ann.page.click("#reveal")
        bob.page.locator("#offers").get_by_role("button", name="Accept").click()
        for person in (ann, bob):
            api.expect(person.page.locator("#turns")).to_contain_text("column 3, row 3")


def test_two_with_accounts_challenge_each_other_by_name(browser: Any, tmp_path: Path) -> None:
    """A seat is the account's, in any browser; another account has no part in it."""
    pytest.importorskip("argon2", reason="needs argon2-cffi, of the extra `manager`")
    arguments = ("manager", "--port", "0", "--accounts")
    pattern = r"http://[\w.]+:\d+/join\?\S+"
    with running(tmp_path, *arguments, pattern=pattern) as link:
        address = link.partition("/join")[0]
        with people(browser, address, 5) as (helen, stella, sam, sid, elsewhere):
            join(helen, link.partition("key=")[2], "Helen")
            invited = tell(helen, "/invitations", {"role": "student", "accounts": 3})["key"]
            for person, name in ((stella, "Stella"), (sam, "Sam"), (sid, "Sid")):
                join(person, invited, name)
            challenge(stella, "ticTacToe", "account", role="xplayer", account="sam")
            api.expect(sid.go("/play").locator("#no-challenges")).to_be_visible()
            page = sam.go("/tournaments")
            page.get_by_role("link", name="Stella wants to play with you").click()
            row = page.locator("#lobby tr", has_text="Stella")
            row.get_by_role("button", name="Accept").click()
            path = seated(stella, sam)
            move(stella, sam, "2 2")
            api.expect(sam.page.locator("#abort")).to_be_visible()
            stella.close()

            tell(elsewhere, "/login", {"name": "Stella", "password": PASSWORD})
            page = elsewhere.go("/play")
            page.locator("#running a").click()
            move(sam, elsewhere, "1 1")
            move(elsewhere, sam, "3 3")
            api.expect(sam.page.locator("#abort")).to_be_hidden()
            page = sid.go(path)
            api.expect(page.locator("#whose")).to_contain_text("You are watching.")
            body = {"role": "oplayer", "move": "(mark 1 2)", "turn": 4}
            assert page.request.post(f"/api/v1{path}/moves", data=body).status == 403
            assert page.request.post(f"/api/v1{path}/abort").status == 403
            sam.page.once("dialog", lambda dialog: dialog.accept())
            sam.page.click("#resign")
            api.expect(page.locator("#reason")).to_contain_text("oplayer (Sam) resigned")
            api.expect(page.locator("td[data-role=xplayer]")).to_have_text("100")
