"""`ggp serve` as a process: what it knows of games and kernels, and how it ends."""

from __future__ import annotations

import asyncio
import os
import sys
from asyncio.subprocess import PIPE, Process
from pathlib import Path

import pytest

import gdl
from ggp.bench import server_process
from ggp.bench.server_process import KERNELS_VARIABLE, ServerProcess, _environment
from ggp.engine.process import WARM
from ggp.errors import CommandFailedError
from ggp.protocol.client import info


@pytest.mark.parametrize("named", ["", "elsewhere"])
def test_games_are_unknown_and_kernels_are_shared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, named: str
) -> None:
    """The cache is the folder given; the kernels are those of this process."""
    monkeypatch.setenv(KERNELS_VARIABLE, named)

    found = _environment(tmp_path, is_cold=False)

    assert found["GGP_CACHE_DIR"] == str(tmp_path)
    assert found[KERNELS_VARIABLE] == (named or str(gdl.cache_folder()))


def test_after_an_install_not_even_kernels_are_known(tmp_path: Path) -> None:
    """They are compiled into the same folder."""
    assert os.environ[KERNELS_VARIABLE]  # the tests have some

    found = _environment(tmp_path, is_cold=True)

    assert KERNELS_VARIABLE not in found


FAKE = """
import json, signal, sys
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM])
print("ggp serve: a title\\nhttp://127.0.0.1:9147", flush=True)
for number in range(9):
    print(json.dumps({"event": WARM % number}), file=sys.stderr, flush=True)
signal.sigwait([signal.SIGTERM])
print(json.dumps({"event": "stopped"}), file=sys.stderr)
"""


async def start_fake(_: str, *__: str, stderr: int, limit: int, environment: object) -> Process:
    """Start a process that says what a server says, and no more."""
    program = f"WARM = {WARM!r}\n{FAKE}"
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-I", "-S", "-c", program), stdout=PIPE, stderr=stderr, limit=limit
    )


async def test_a_server_is_ready_when_it_is_warm_and_leaves_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In the end its log is whole, and its process gone."""
    monkeypatch.setattr(server_process, "start_module", start_fake)

    async with ServerProcess.running("legal", seed=0, is_cold=False) as server:
        assert server.address == "http://127.0.0.1:9147"

    assert len(server.lines) == 10
    assert server.lines[-1] == {"event": "stopped"}
    assert server._process.returncode == 0


async def test_a_server_that_ends_at_once_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not a wait without an end."""
    monkeypatch.setattr(sys.modules[__name__], "FAKE", "")
    monkeypatch.setattr(server_process, "start_module", start_fake)

    with pytest.raises(CommandFailedError, match="printed no address"):
        async with ServerProcess.running("legal", seed=0, is_cold=False):
            pass


@pytest.mark.thorough
async def test_a_server_answers_while_it_runs_and_leaves_nothing() -> None:
    """Its address is asked as a manager would; in the end its log is whole and its process gone."""
    async with ServerProcess.running("legal", seed=0, is_cold=False) as server:
        asked = await info(server.address, timeout=10)

    assert asked.status == "available"
    assert [line["kind"] for line in server.lines if line["event"] == "message"] == ["INFO"]
    assert server._process.returncode == 0


@pytest.mark.thorough
async def test_a_server_that_does_not_start_is_an_error() -> None:
    """Not a wait without an end."""
    with pytest.raises(CommandFailedError, match="printed no address"):
        async with ServerProcess.running("noSuchPlayer", seed=0, is_cold=False):
            pass
