"""Tests of the tools on standard input and output."""

from __future__ import annotations

import json
import subprocess
import sys


def test_a_client_that_dies_is_no_fault() -> None:
    """Nobody reads the answer; the server ends, and has nothing to complain about."""
    server = subprocess.Popen(
        [sys.executable, "-m", "ggp", "mcp"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert server.stdin is not None
    assert server.stdout is not None
    server.stdout.close()
    who = {"protocolVersion": "2025-06-18", "capabilities": {}}
    who["clientInfo"] = {"name": "test", "version": "1"}
    asked = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": who}
    _, errors = server.communicate(f"{json.dumps(asked)}\n".encode(), timeout=120)

    assert (server.returncode, errors) == (0, b"")
