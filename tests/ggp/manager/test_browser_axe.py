"""axe finds nothing grave on any page of the manager: light, dark, and on a phone."""

from __future__ import annotations

import re
import time
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from ggp.manager.app import ACCOUNT_PAGES, PAGES
from tests.ggp.manager.browsing import AXE, CHROMIUM, GRAVE, Person, running

api = pytest.importorskip(
    "playwright.sync_api", reason="the package playwright is not installed (extra `browser`)"
)
pytest.importorskip("argon2", reason="needs argon2-cffi, of the extra `manager`")
FOUND = find_spec("axe_playwright_python")
FILE = AXE or (FOUND and FOUND.origin and str(Path(FOUND.origin).with_name("axe.min.js"))) or ""
pytestmark = [
    pytest.mark.thorough,
    pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium on this machine"),
    pytest.mark.skipif(
        not FILE, reason="needs axe-playwright-python, or GGP_TEST_AXE, the file axe.min.js"
    ),
]
LOOKS = {"light": (1000, 720), "dark": (1000, 720), "phone": (360, 740)}
ALL_RULES = "{resultTypes: ['violations']}"
OF_COLOURS = "{resultTypes: ['violations'], runOnly: ['color-contrast', 'link-in-text-block']}"
"""The dark look differs from the light one in colours only."""
BROKEN = "(role x)\n(init (step 1))\n(<= (legal ?p (mark ?x))\n    (role ?p))\n"
SECONDS = 120.0
"""For what is played or reported, on a busy machine."""
PAIR = ("random", "random")


class Author:
    """Who fills a manager by its API, with the rights of a person's browser."""

    def __init__(self, person: Person) -> None:
        self._request = person.page.request

    def ask(self, path: str, body: Any = None) -> Any:
        """The JSON of an answer; by POST if there is a body."""
        place = f"/api/v1{path}"
        answer = self._request.get(place) if body is None else self._request.post(place, data=body)
        assert answer.ok, f"{path}: {answer.text()}"
        return answer.json()

    def until(self, path: str, *signs: str) -> None:
        """Wait until one of these words stands in an answer."""
        end = time.monotonic() + SECONDS
        while not any(sign in str(self.ask(path)) for sign in signs):
            assert time.monotonic() < end, f"{path}: none of {signs} after {SECONDS} s"
            time.sleep(0.2)

    def match(self, game: str, *players: str) -> Any:
        """A match that has been set up."""
        clocks = {"seed": 1} if "person" not in players else {}
        return self.ask("/matches", {"game": game, "players": players, **clocks})

    def tournament(self, form: str, *names: str) -> str:
        """The page of a tournament between these."""
        players = [{"name": name, "player": "random"} for name in names]
        plan = {"form": form, "games": ["ticTacToe"], "players": players, "matches": 1, "seed": 1}
        plan |= {"name": form, "pause": 60 if form == "continuous" else 0}
        return f"/tournaments/{self.ask('/tournaments', plan)['number']}"


def filled(host: Person) -> dict[str, str]:
    """Addresses of all pages that who has an account sees, by the names of what they show."""
    author = Author(host)
    author.ask("/players", {"name": "away", "source": "http://127.0.0.1:9"})
    done = author.match("ticTacToe", *PAIR)["number"]
    author.until(f"/matches/{done}", "'completed'")
    author.ask(f"/matches/{done}/report", {})
    seated = author.match("connectFour", "person", "legal")["number"]
    hidden = author.match("phantomTicTacToe", "person", "legal")["number"]
    wish = {"game": "hex", "players": ["person", "person:anybody"]}
    author.ask("/challenges", wish)
    clock = {"kind": "game", "seconds": 300, "increment": 3}
    made = author.ask("/challenges", {**wish, "players": ["person", "person:link"], "clock": clock})
    [link] = made["links"].values()
    cups = {
        form: author.tournament(form, "ann", "bea", "cy") for form in ("round-robin", "knockout")
    }
    cups["continuous"] = author.tournament("continuous", "dan", "eve")
    author.ask("/calendar", {"kind": "freeze", "time": "2099-12-01T18:00", "note": "final"})
    plan = {"name": "open", "games": ["ticTacToe"], "players": ["random"], "sign_up": True}
    clock = {"kind": "move", "seconds": 60}
    opened = author.ask("/tournaments", {**plan, "clock": clock})["number"]
    for form in ("round-robin", "knockout"):
        author.until(cups[form], "'completed'")
    author.until(f"/matches/{done}/report", "worths")
    return {
        **{name: f"/{name}" for name in ("play", "matches", "tournaments", "players")},
        **{name: f"/{name}" for name in ("editor", "me", "accounts", "students")},
        **cups,
        "game to play": "/play?game=ticTacToe",
        "broken rules": "/editor?game=ticTacToe",
        "match": f"/matches/{done}",
        "report": f"/matches/{done}/report",
        "report to come": f"/matches/{seated}/report",
        "person": f"/matches/{seated}",
        "hidden": f"/matches/{hidden}",
        "challenge": f"/challenges/{made['number']}?link={link}",
        "player": "/players/away",
        "rated player": "/players/ann",
        "pairing": "/players/ann/against/bea",
        "scrimmages": "/scrimmages",
        "sign-up": f"/tournaments/{opened}",
        "nothing": "/nothing",
        "games": "/games",  # the last one: its many pictures are drawn for longer than it is shown
    }


def settle(page: Any, name: str) -> None:
    """Bring a page into a state in which it shows much."""
    page.wait_for_load_state("load")
    if name in {"match", "person", "hidden"}:
        page.wait_for_selector("#board svg")
    if name == "match":
        page.click("#why-part summary")
        page.click("#why-ended")
        page.wait_for_selector("#answer li")
    if name == "broken rules":
        page.wait_for_selector("#verdict:has-text('Nothing is wrong.')")
        page.fill("#rules", BROKEN)
        page.wait_for_selector("#findings li.error")
    # Not those of the games, each of which has statistics made.
    opened = "document.querySelectorAll('details:not([data-statistics])')"
    page.evaluate(f"{opened}.forEach((one) => {{ one.open = true; }})")
    # Pages of what goes on load themselves anew.
    page.evaluate("for (let timer = 1; timer < 100; timer += 1) clearInterval(timer)")


def look(page: Any, name: str, axe: str) -> list[str]:
    """What is wrong with a page, in any of its looks."""
    page.evaluate(axe)
    faults = []
    for look, (width, height) in LOOKS.items():
        is_dark = look == "dark"
        rules = OF_COLOURS if is_dark else ALL_RULES
        page.emulate_media(color_scheme="dark" if is_dark else "light")
        page.set_viewport_size({"width": width, "height": height})
        faults += [
            f"{name}, {look}: {one['id']}: {node['target']} {node['failureSummary']}"
            for one in page.evaluate(f"axe.run({rules}).then((found) => found.violations)")
            if one["impact"] in GRAVE
            for node in one["nodes"]
        ]
        wide = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
        faults += [f"{name}, {look}: {wide} pixels beyond the edge"] if wide > 0 else []
    return faults


def test_axe_finds_nothing_grave_on_any_page(browser: Any, tmp_path: Path) -> None:
    """Of a manager with accounts, in which something of each kind has been played."""
    axe = Path(FILE).read_text(encoding="utf-8")
    submissions = tmp_path / "submissions"
    submissions.mkdir()
    arguments = ("manager", "--port", "0", "--accounts", "--submissions", str(submissions))
    faults, shown = [], {"/", "/join", "/login"}
    with running(tmp_path, *arguments, pattern=r"http://[\w.]+:\d+/join\?\S+") as link:
        address = link.partition("/join")[0]
        host, stranger = Person(browser, address), Person(browser, address)
        page = host.page
        page.set_default_timeout(1000 * SECONDS)
        page.goto(link)
        faults += look(page, "join", axe)
        page.fill("#name", "Helen")
        page.fill("#password", "a long password")
        page.press("#password", "Enter")
        page.wait_for_url(re.compile("/matches$"))
        stranger.page.goto("/login")
        faults += look(stranger.page, "login", axe)
        for name, place in filled(host).items():
            page.goto(place)
            settle(page, name)
            faults += look(page, name, axe)
            shown.add(place.partition("?")[0])
        page.evaluate("document.body.append(new Image())")
        assert "image-alt" in "".join(look(page, "harmed", axe))

    patterns = [re.sub(r"{\w+}", "[^/]+", one.path) for one in (*PAGES, *ACCOUNT_PAGES)]
    assert [one for one in patterns if not any(re.fullmatch(one, place) for place in shown)] == []
    faults += host.faults + stranger.faults
    assert faults == [], "\n".join(faults)
