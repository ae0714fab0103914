"""Whatever the OpenAPI document allows or forbids is answered without a fault of ours."""

from __future__ import annotations

import asyncio
import json
import os
import shutil

import pytest
from aiohttp import ClientSession

from ggp.manager.app import running
from ggp.manager.hosting import clocks
from tests.ggp.manager.desk import Home, config_for

CHECKS = (
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_schema_conformance",
)
ENDLESS = "/api/v1/matches/{number}/events"
"""Ends when the match does."""
PATIENCE = "60"
"""Seconds to wait for an answer: some measure how fast the machine is, which may be busy."""


@pytest.mark.thorough
@pytest.mark.parametrize("server", [""], ids=["sqlite"])  # what a body may be, no database knows
async def test_schemathesis_finds_no_fault(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run of its boundary values, with a match to ask for.

    Hundreds of tournaments are not held against the speed of this machine.
    """
    monkeypatch.setattr(clocks, "MAX_SECONDS", 0.0)
    program = os.environ.get("SCHEMATHESIS") or shutil.which("schemathesis")
    if program is None:
        pytest.skip("needs schemathesis: on the PATH, or named by SCHEMATHESIS")
    async with running(config_for(home)) as address, ClientSession() as session:
        body = {"game": "ticTacToe", "players": ["random", "legal"], "seed": 1}
        await session.post(f"{address}/api/v1/matches", json=body)
        async with session.get(f"{address}/api/v1/openapi.json") as answer:
            document = await answer.json()
        (home.folder / "openapi.json").write_text(json.dumps(document), encoding="utf-8")
        process = await asyncio.create_subprocess_exec(
            *(program, "run", str(home.folder / "openapi.json"), "--url", address),
            *("--phases", "coverage", "--seed", "1"),
            *("--checks", ",".join(CHECKS), "--exclude-path", ENDLESS, "--no-color"),
            *("--request-timeout", PATIENCE),
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            cwd=home.folder,
        )
        printed, _ = await process.communicate()

    assert process.returncode == 0, printed.decode()[-5000:]
