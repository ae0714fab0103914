"""Processes of our own: they run this program, and nothing that lies about by chance."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path

import pytest

from ggp.engine import EnginePool
from ggp.processes.children import end_process, start_module
from ggp.sandbox import Sandbox, questions
from tests.waiting import PATIENCE

TRAPS = ("resource.py", "json.py", "ggp.py", "gdl.py")


@pytest.fixture
def trapped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with files that say when they are imported."""
    for name in TRAPS:
        text = f"open({str(tmp_path / 'sprung')!r}, 'a').write({name!r})\n"
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


async def test_a_sandbox_imports_nothing_from_the_current_folder(trapped: Path) -> None:
    """Rules are looked at in any folder without running what lies there."""
    async with Sandbox() as sandbox:
        assert await sandbox.ask(questions.format_rules, "(role   me)") == "(role me)\n"

    assert not (trapped / "sprung").exists()


@pytest.mark.usefixtures("own_processes")
async def test_an_engine_imports_nothing_from_the_current_folder(trapped: Path) -> None:
    """Likewise where a player is started."""
    async with EnginePool() as pool:
        worker = await pool.acquire()

        assert worker.is_alive

    assert not (trapped / "sprung").exists()


async def test_it_imports_from_where_this_process_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An engine knows the modules that its server knows."""
    (tmp_path / "spoken.py").write_text("print('hello')\n", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))

    process = await start_module("spoken", stderr=asyncio.subprocess.DEVNULL, limit=100)
    said, _ = await process.communicate()

    assert said == b"hello\n"


async def test_nothing_is_open_of_a_process_that_was_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not even its pipes, though a child of its still has them."""
    text = (
        "import subprocess, sys\n"
        "sleep = 'import time; time.sleep(600)'\n"  # `input()` would end with the parent's pipe
        "child = subprocess.Popen([sys.executable, '-c', sleep])\n"
        "print(child.pid, flush=True)\n"
        "child.wait()\n"
    )
    (tmp_path / "parent.py").write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    process = await start_module("parent", stderr=asyncio.subprocess.DEVNULL, limit=100)
    assert process.stdout is not None
    child = int(await process.stdout.readline())

    await end_process(process)

    try:
        async with asyncio.timeout(PATIENCE):
            assert await process.stdout.read() == b""
    finally:
        os.kill(child, signal.SIGKILL)


async def test_who_ends_a_process_takes_its_status_from_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """One that has ended by itself is not looked at by two; asyncio would warn of that."""
    (tmp_path / "brief.py").write_text("input()\n", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    for _ in range(5):
        process = await start_module("brief", stderr=asyncio.subprocess.DEVNULL, limit=100)
        looks: list[None] = []
        monkeypatch.setattr(
            process._transport._proc,  # type: ignore[attr-defined]
            "poll",
            lambda looks=looks: looks.append(None),
        )
        assert process.stdin is not None
        process.stdin.write(b"\n")
        await end_process(process)
        assert not looks
        assert process.returncode in {0, -signal.SIGKILL}

    assert "Unknown child process" not in caplog.text
