"""Using the pages as a person does: a manager of its own, and Chromium."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

CHROMIUM = shutil.which("chromium")
GGP = [sys.executable, "-c", "from ggp.cli import main; main()"]
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking"]
MILLISECONDS = 20_000
"""Time that a page may take for anything."""
REFUSED = tuple(
    f"Failed to load resource: the server responded with a status of {status}"
    for status in (400, 503)
)
"""The browser's messages on refused requests: a wrong one, and one for which a busy machine has no
time. The page repeats an analysis that was refused for lack of time.
"""

PASSWORD = "a long password"
AXE = os.environ.get("GGP_TEST_AXE", "")
"""The file axe.min.js of axe-core; without it accessibility is not looked at."""
GRAVE = {"serious", "critical"}


@contextlib.contextmanager
def running(folder: Path, *arguments: str, pattern: str = r"http://[\w.]+:\d+") -> Iterator[str]:
    """The address that `ggp ...` prints, as long as the `with` lasts."""
    process = subprocess.Popen(
        [*GGP, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )
    assert process.stdout is not None
    try:
        found = None
        while found is None:
            line = process.stdout.readline()
            assert line, f"ggp {' '.join(arguments)} ended without an address"
            found = re.search(pattern, line)
        yield found[0]
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(30)
        process.stdout.close()


class Person:
    """Somebody with a browser of their own; what goes wrong in it fails the test."""

    def __init__(self, browser: Any, address: str) -> None:
        self._browser, self._address = browser, address
        self.faults: list[str] = []
        self._open(None)

    def _open(self, kept: Any) -> None:
        self._context = self._browser.new_context(base_url=self._address, storage_state=kept)
        self._context.set_default_timeout(MILLISECONDS)
        self.page = self._context.new_page()
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))

    def close(self) -> None:
        """Close the browser."""
        self._context.close()

    def come_back(self) -> None:
        """Close the browser, and open it again with what it keeps."""
        kept = self._context.storage_state()
        self._context.close()
        self._open(kept)

    def go(self, place: str) -> Any:
        """Open a page and look whether axe finds something grave."""
        self.page.goto(place)
        self.check()
        return self.page

    def check(self) -> None:
        """See that axe finds nothing grave, light or dark, and that nothing sticks out."""
        for scheme in ("dark", "light"):
            self.page.emulate_media(color_scheme=scheme)
            if AXE:
                self.page.evaluate(Path(AXE).read_text(encoding="utf-8"))
                found = self.page.evaluate("axe.run()")["violations"]
                self.faults += [
                    f"{self.page.url}: {scheme}: {one['id']}: {one['nodes'][0]['target']}"
                    for one in found
                    if one["impact"] in GRAVE
                ]
        size = self.page.viewport_size
        self.page.set_viewport_size({"width": 360, "height": 740})
        wide = self.page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
        self.faults += [f"{self.page.url}: {wide} pixels beyond a phone's edge"] if wide > 0 else []
        self.page.set_viewport_size(size)

    def join(self, link: str, name: str) -> None:
        """Make an account by a link."""
        self.go(link)
        self.page.fill("#name", name)
        self.page.fill("#password", PASSWORD)
        self.page.press("#password", "Enter")
        self.page.wait_for_url(re.compile("/matches$"))

    def upload(self, name: str, text: str) -> None:
        """Upload a Python file as a player, on the page of the account."""
        file = {"name": f"{name}.py", "mimeType": "text/x-python", "buffer": text.encode()}
        self.page.fill("#upload input[name=name]", name)
        self.page.set_input_files("#upload input[name=text]", file)
        self.page.click("#upload button")

    def invite(self, role: str) -> str:
        """A link for an account of a role."""
        self.go("/accounts")
        self.page.select_option("#role", role)
        self.page.click("#invite button")
        told = self.page.locator("#invite output")
        told.filter(has_text="/join?key=").wait_for()
        return str(told.inner_text())


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A manager in an empty folder."""
    with running(tmp_path_factory.mktemp("manager"), "manager", "--port", "0") as found:
        yield found


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Chromium."""
    api = pytest.importorskip("playwright.sync_api")
    with api.sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield found
        found.close()


@pytest.fixture
def page(browser: Any, address: str) -> Iterator[Any]:
    """A page of the manager; what goes wrong in it, or offends its policy, fails the test."""
    context = browser.new_context(base_url=address)
    context.set_default_timeout(MILLISECONDS)
    opened, faults = context.new_page(), []
    opened.on("pageerror", lambda error: faults.append(str(error)))

    def listen(said: Any) -> None:
        if said.type == "error" and not said.text.startswith(REFUSED):
            faults.append(said.text)

    opened.on("console", listen)
    yield opened
    context.close()
    assert faults == [], "\n".join(faults)
