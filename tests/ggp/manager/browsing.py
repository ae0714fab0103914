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
REFUSED = "Failed to load resource: the server responded with a status of 400"
"""The browser's message on a request that is refused, as is meant."""


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
    assert faults == []
