"""docs/protocol.md keeps its word: every curl line in it is run, and gets the reply it shows."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.ggp.server.processes import ggp_serve
from tests.shared import REPOSITORY

PAGE = (REPOSITORY / "docs" / "protocol.md").read_text(encoding="utf-8")
ADDRESS = "http://127.0.0.1:9147"
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Command:
    """A line to type, and what it should print; three dots stand for anything."""

    line: str
    output: str

    def is_shown_by(self, printed: str) -> bool:
        """Whether the page shows what was printed."""
        pattern = ".*".join(re.escape(part) for part in self.output.split("..."))
        return re.fullmatch(pattern, printed.strip(), re.DOTALL) is not None


@pytest.mark.thorough
def test_every_line_of_the_page_gets_the_reply_it_shows() -> None:
    """In the order of the page, against one server."""
    if shutil.which("curl") is None or shutil.which("bash") is None:
        pytest.skip("needs curl and bash")

    with ggp_serve() as (address, _):
        for command in commands():
            printed = typed(command.line.replace(ADDRESS, address))
            assert command.is_shown_by(printed), f"{command.line[:100]}: {printed}"


def test_the_page_shows_every_message_of_every_dialect() -> None:
    """So that the test above runs them all."""
    lines = "\n".join(command.line for command in commands())

    for word in ("INFO", "PREVIEW", "START", "PLAY", "STOP", "ABORT"):
        assert re.search(rf"'\( {word}|\"\( {word}", lines)
    for word in ("START", "PLAY", "STOP"):
        assert f"'({word} D." in lines
    for word in ("info", "ping", "start", "play", "abort"):
        assert re.search(rf"['\"]{word}\(", lines)


def test_three_dots_stand_for_anything_else_for_itself() -> None:
    """The comparison can fail."""
    command = Command("curl", "(mark ...)\nready")

    assert command.is_shown_by("(mark 1 1)\r\nready\n".replace("\r", ""))
    assert not command.is_shown_by("(mark 1 1)")
    assert not command.is_shown_by("noop\nready")


def commands() -> list[Command]:
    """The lines after a dollar sign, each with what follows it."""
    found = []
    for block in BLOCK.findall(PAGE):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            line, _, output = part.partition("\n")
            found.append(Command(line, output.strip()))
    return found


def typed(line: str) -> str:
    """Output of a line when it is typed in the repository's folder."""
    scripts = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-c", line],
        cwd=REPOSITORY,
        env={**os.environ, "PATH": scripts},
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    return done.stdout.replace("\r", "") + done.stderr
