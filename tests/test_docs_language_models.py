"""docs/language_models.md keeps its word: the program and the commands of a tournament do run."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

import pytest

from tests.fakes.chat import Asked, Chat, Reply, chatting
from tests.fakes.near_sandbox import near_sandboxes
from tests.shared import REPOSITORY
from tests.test_readme import BLOCK, section

DOCUMENT = (REPOSITORY / "docs" / "language_models.md").read_text(encoding="utf-8")
MODEL = "llm:http://127.0.0.1:8080/v1,model=NAME"
SECONDS = 240.0


async def output(folder: Path, *command: str) -> str:
    """What a command prints that ends well, in a folder."""
    programs = str(Path(sys.executable).parent)
    process = await asyncio.create_subprocess_exec(
        *command,
        cwd=folder,
        env={**os.environ, "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    async with asyncio.timeout(SECONDS):
        told, _ = await process.communicate()
    assert process.returncode == 0, told.decode()
    return told.decode()


def program() -> str:
    """The program that the page shows."""
    [found] = [
        body
        for language, body in BLOCK.findall(section("Any game as tools", DOCUMENT))
        if language == "python"
    ]
    return str(found)


def test_the_program_plays_a_move(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is run as it stands, with a server within this process."""
    mcp = pytest.importorskip("mcp")
    from ggp.mcp_server.server import make_server

    monkeypatch.setattr(mcp, "stdio_client", lambda _: make_server())
    with near_sandboxes():
        exec(compile(program(), "<program>", "exec"), {"__name__": "__main__"})

    told = capsys.readouterr().out
    assert "Turn 2: oplayer to move." in told
    assert told.endswith("['oplayer']\n")


@pytest.mark.thorough
async def test_the_program_starts_a_server(tmp_path: Path) -> None:
    """It is run as it stands, in a process of its own."""
    pytest.importorskip("mcp")

    told = await output(tmp_path, sys.executable, "-c", program())

    assert "Turn 2: oplayer to move." in told
    assert told.endswith("['oplayer']\n")


@pytest.mark.thorough
async def test_a_scrambled_tournament_runs(tmp_path: Path) -> None:
    """Command after command, of a smaller game and with fewer matches."""

    def first(asked: Asked) -> Reply:
        return f"MOVE: {asked.legal[0]}"

    [(_, commands)] = BLOCK.findall(section("A scrambled tournament", DOCUMENT))
    commands = commands.replace("connectFour", "ticTacToe").replace("--matches 10", "--matches 2")
    async with chatting(Chat(first)) as spec:
        lines = commands.replace(MODEL, spec).splitlines()
        told = [await output(tmp_path, *line.split()) for line in lines]

    assert ["turns asked: " in text for text in told] == [False, True, True]
    names = ["mapping", "other-1", "other-2", "plain-1", "plain-2"]
    assert sorted(path.stem for path in tmp_path.glob("*.json")) == names
