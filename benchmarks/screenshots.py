"""Take pictures of every page of the manager, light and dark, on a desktop and on a phone.

    pip install -e '.[browser]'
    python benchmarks/screenshots.py docs/pictures
    python benchmarks/screenshots.py /tmp/pictures --axe node_modules/axe-core/axe.min.js

The script starts a manager on its own database, and plays some matches and a tournament. With
`--axe` it checks each page for accessibility faults (https://github.com/dequelabs/axe-core,
`npm install axe-core`), and fails if one is serious.
"""

from __future__ import annotations

import argparse
import base64
import json
import re
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlencode

from playwright.sync_api import Browser, Page, sync_playwright

CHROMIUM = "/usr/bin/chromium"
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking"]
SIZES = {"desktop": (1000, 720), "phone": (390, 780)}
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
WEBP = {"format": "webp", "quality": 60}
SHOWN = {"report-embed": "#embed", "match-why": "#why-part", "editor-why": ".editor"}
"""What a picture begins with, where that is not the page's head."""
WAITED = {
    **dict.fromkeys(("match", "match-why", "person", "hidden", "people"), "#board svg"),
    "challenge": "#accept:not([hidden])",
    "play": "#lobby tbody tr",
}
"""What there must be on a page before its picture is taken."""
SCRIPTS = {
    "continuous": "for (let timer = 1; timer < 100; timer += 1) clearInterval(timer)",
    "play": "document.querySelector('[name=opponent]').value = 'link';"
    "document.querySelector('[name=opponent]').dispatchEvent(new Event('change'))",
}
"""What is done with a page first: one would load itself anew; one has more to show."""
GRAVE = {"serious", "critical"}
BROKEN = "(role x)\n(<= (legal ?p (mark ?x))\n    (role ?p))\n(init (step 1))\n"


@contextmanager
def manager() -> Iterator[str]:
    """Run a manager with an empty database for the duration of the `with`; yield its address."""
    with tempfile.TemporaryDirectory() as folder:
        process = subprocess.Popen(
            [sys.executable, "-m", "ggp", "manager", "--port", "0", "--db", "sqlite:///pages.db"],
            stdout=subprocess.PIPE,
            text=True,
            cwd=folder,
        )
        try:
            assert process.stdout is not None
            found = None
            while found is None:
                found = re.search(r"http://\S+", process.stdout.readline())
            yield found[0].rstrip("/")
        finally:
            process.terminate()
            process.wait()


def ask(address: str, path: str, body: dict[str, Any] | None = None) -> Any:
    """Call the API, by POST if there is a body; return its answer."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(f"{address}/api/v1{path}", data)  # noqa: S310 our own manager
    request.add_header("Content-Type", "application/json")
    with urllib.request.urlopen(request) as answer:  # noqa: S310 likewise
        return json.load(answer)


def status(found: dict[str, Any]) -> str:
    """Return the status of a match or a tournament."""
    return str(found.get("tournament", found)["status"] if "fixtures" in found else found["status"])


def wait_for(address: str, path: str) -> None:
    """Wait until a match or a tournament is over."""
    print("waiting for", path, flush=True)
    while status(ask(address, path)) in {"waiting", "running"}:
        time.sleep(0.3)


def fill(address: str) -> dict[str, str]:
    """Play something; return the pages that show it, by the names of their pictures."""
    ask(address, "/players", {"name": "deep", "source": "alphabeta:depth=2"})
    ask(address, "/players", {"name": "away", "source": "http://127.0.0.1:9"})
    clocks = {"startclock": 5, "playclock": 1}
    for game, players in {
        "hex": ["random", "random"],
        "othello": ["random", "legal"],
        "connectFour": ["deep", "greedy"],
    }.items():
        made = ask(address, "/matches", {"game": game, "players": players, "seed": 1, **clocks})
        wait_for(address, f"/matches/{made['number']}")
    match = made["number"]
    ask(address, f"/matches/{match}/report", {})
    while "worths" not in ask(address, f"/matches/{match}/report"):
        time.sleep(0.3)
    mine = ask(
        address, "/matches", {"game": "ticTacToe", "players": ["person", "random"], **clocks}
    )
    hidden = seat_in_hidden_match(address)
    cup = ask(
        address,
        "/tournaments",
        {
            "name": "Spring cup",
            "form": "round-robin",
            "games": ["ticTacToe"],
            "players": [
                {"name": name, "player": name} for name in ("legal", "random", "greedy", "deep")
            ],
            "matches": 1,
            "rounds": 1,
            "seed": 1,
            **clocks,
        },
    )
    wait_for(address, f"/tournaments/{cup['number']}")
    return {
        "matches": "/matches",
        "match": f"/matches/{match}",
        "report": f"/matches/{match}/report",
        "report-embed": f"/matches/{match}/report",
        "match-why": f"/matches/{match}",
        "report-to-come": f"/matches/{match - 1}/report",
        "person": f"/matches/{mine['number']}?seat={mine['keys']['xplayer']}",
        "hidden": hidden,
        **between_people(address),
        "play": "/play",
        "games": "/games",
        "editor": "/editor",
        "editor-why": "/editor?game=ticTacToe",
        "tournaments": "/tournaments",
        "tournament": f"/tournaments/{cup['number']}",
        "knockout": knockout(address),
        "continuous": continuous(address),
        "players": "/players",
        "player": "/players/deep",
    }


def knockout(address: str) -> str:
    """Return the page of a finished knockout of five."""
    players = [{"name": name, "player": "random"} for name in ("ann", "bea", "cy", "dan", "eve")]
    plan = {"name": "Knocked out", "form": "knockout", "games": ["ticTacToe"], "players": players}
    made = ask(address, "/tournaments", {**plan, "seed": 1, "matches": 1})
    wait_for(address, f"/tournaments/{made['number']}")
    return f"/tournaments/{made['number']}"


def continuous(address: str) -> str:
    """Return the page of a running continuous tournament in which one player is missing."""
    players = [{"name": name, "player": "random"} for name in ("ann", "bea", "cy", "dan")]
    players.append({"name": "gone", "player": "http://127.0.0.1:9"})
    plan = {"name": "All day", "form": "continuous", "games": ["ticTacToe"], "players": players}
    made = ask(address, "/tournaments", {**plan, "seed": 1, "pause": 2})
    path = f"/tournaments/{made['number']}"
    while (found := ask(address, path))["planned"] < 12 or found["pool"][4]["state"] == "in":
        time.sleep(0.3)
    return path


def wait_for_turn(address: str, path: str, turn: int) -> None:
    """Wait until a turn of a match has been played."""
    while (ask(address, path)["people"] or {"turn": 0})["turn"] != turn:
        time.sleep(0.1)


def seat_in_hidden_match(address: str) -> str:
    """Return the page of a person in a match of phantom tic-tac-toe, some turns after the start."""
    made = ask(address, "/matches", {"game": "phantomTicTacToe", "players": ["person", "person"]})
    path = f"/matches/{made['number']}"
    script = {1: ("xplayer", "1 1"), 2: ("oplayer", "2 2"), 4: ("xplayer", "2 2")}
    script |= {5: ("xplayer", "3 1"), 6: ("oplayer", "2 1")}
    for turn, (role, square) in script.items():
        wait_for_turn(address, path, turn)
        body = {"role": role, "move": f"(mark {square})", "turn": turn}
        ask(address, f"{path}/moves?seat={made['keys'][role]}", body)
    wait_for_turn(address, path, 9)
    return f"{path}?seat={made['keys']['xplayer']}"


def between_people(address: str) -> dict[str, str]:
    """Return an open challenge, and a match of two people in which one of them offers a draw."""
    clock = {"kind": "game", "seconds": 1800, "increment": 3}
    wish = {"game": "hex", "players": ["person", "person:anybody"], "name": "Ann", "clock": clock}
    ask(address, "/challenges", wish)
    wish = {**wish, "game": "connectFour", "players": ["person", "person:link"]}
    made = ask(address, "/challenges", {**wish, "name": "Cleo"})
    link = {"link": made["links"]["yellow"]}
    challenge = f"/challenges/{made['number']}?{urlencode(link)}"
    made = ask(address, "/challenges", wish)
    accepted = {"link": made["links"]["yellow"], "name": "Bob"}
    found = ask(address, f"/challenges/{made['number']}/accept", accepted)
    path = f"/matches/{found['match']}"
    keys = [made["key"], found["key"]]
    for turn, column in enumerate((4, 3, 4, 5, 3), start=1):
        wait_for_turn(address, path, turn)
        body = {"role": ("yellow", "red")[turn % 2], "move": f"(drop {column})", "turn": turn}
        ask(address, f"{path}/moves?seat={keys[(turn + 1) % 2]}", body)
    wait_for_turn(address, path, 6)
    ask(address, f"{path}/offers?seat={keys[0]}", {"role": "red", "kind": "draw"})
    return {"challenge": challenge, "people": f"{path}?seat={keys[1]}"}


def settle(page: Page, name: str) -> None:
    """Bring a page into the state for its picture."""
    page.wait_for_load_state("load")
    page.evaluate(SCRIPTS.get(name, "null"))
    if name == "match":
        page.wait_for_selector("#turns li:nth-child(12)")
        page.click("#turns li:nth-child(12) button")
        page.wait_for_selector("#place:has-text('Turn 12 of')")
    if name == "match-why":
        page.wait_for_selector("#turns li:nth-child(12)")
        page.click("#why-part summary")
        page.click("#why-ended")
        page.wait_for_selector("#answer li")
        page.click("#embed summary")
    if name == "report-embed":
        page.click("#embed summary")
    if name == "editor-why":
        settle_reasons(page)
    if name in WAITED:
        page.wait_for_selector(WAITED[name])
    if name == "report":
        page.wait_for_function("document.images[0].naturalWidth > 0")
    if name == "games":
        page.wait_for_function(
            "[...document.images].slice(0, 2).every((image) => image.naturalWidth > 0)"
        )
    if name == "editor":
        page.fill("#rules", BROKEN)
        page.wait_for_selector("#findings li")
    if name == "players":
        page.wait_for_function(
            "[...document.querySelectorAll('td.status')].every((one) => one.textContent !== '…')"
        )
    page.wait_for_timeout(300)
    page.locator(SHOWN.get(name, "header")).evaluate("(element) => element.scrollIntoView()")


def settle_reasons(page: Page) -> None:
    """Bring the editor into a state with an explained word, completions, and a reason why not."""
    page.wait_for_selector("#verdict:has-text('Nothing is wrong.')")
    page.select_option("#position select[name=xplayer]", "(mark 2 2)")
    page.click("#position [type=submit]")
    page.wait_for_selector("#position .note:has-text('After 1 turn')")
    page.fill("#why input", "(legal oplayer (mark 2 2))")
    page.press("#why input", "Enter")
    page.wait_for_selector("#answer li")
    page.locator("#rules").evaluate(
        "(area) => { area.focus(); const at = area.value.indexOf('(<= decided') + 6;"
        " area.setSelectionRange(at, at); }"
    )
    page.wait_for_selector("#symbol pre")


def faults(page: Page, axe: str) -> list[str]:
    """Return faults that axe finds on a page, serious ones first."""
    page.evaluate(axe)
    found = page.evaluate("axe.run()")["violations"]
    return [
        f"{one['impact']}: {one['id']}: {one['nodes'][0]['target']} {one['help']}" for one in found
    ]


def look(page: Page, address: str, pages: dict[str, str], folder: Path, axe: str) -> Iterator[str]:
    """Take a picture of each page; return its faults.

    Args:
        page: Of the size and the colours that are wanted; its name says which.
        address: Of the manager.
        pages: Their paths, by the names of their pictures.
        folder: Where the pictures go, with the names of the pages.
        axe: The source of axe; empty if nothing is to be checked.
    """
    for name, path in pages.items():
        page.goto(address + path)
        settle(page, name)
        picture = page.context.new_cdp_session(page).send("Page.captureScreenshot", WEBP)
        file = folder.with_name(f"{name}-{folder.name}.webp")
        file.write_bytes(base64.b64decode(picture["data"]))
        wide = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
        if wide > 0:
            yield f"serious: {name} {folder.name}: {wide} pixels beyond the edge"
        for fault in faults(page, axe) if axe else ():
            yield f"{fault} ({name} {folder.name})"


def look_at_all(browser: Browser, address: str, folder: Path, axe: str) -> list[str]:
    """Take all the pictures; return the faults of the pages."""
    pages = fill(address)
    found: list[str] = []
    for (size, (width, height)), scheme in product(SIZES.items(), SCHEMES):
        context = browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme="dark" if scheme == "dark" else "light",
            bypass_csp=True,  # the policy forbids what axe and Playwright put into pages
        )
        page = context.new_page()
        page.on("pageerror", lambda error: print("serious:", error))
        found += look(page, address, pages, folder / f"{size}-{scheme}", axe)
        context.close()
    return found


def main() -> int:
    """Take the pictures that the command line requests."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("folder", type=Path, help="folder for the pictures")
    parser.add_argument("--axe", type=Path, help="path of axe.min.js, to check each page")
    parser.add_argument("--chromium", default=CHROMIUM, help="the browser")
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    axe = given.axe.read_text(encoding="utf-8") if given.axe else ""
    with manager() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=given.chromium, args=FLAGS)
        found = look_at_all(browser, address, given.folder, axe)
        browser.close()
    print("\n".join(found))
    return int(any(fault.split(":")[0] in GRAVE for fault in found))


if __name__ == "__main__":
    sys.exit(main())
