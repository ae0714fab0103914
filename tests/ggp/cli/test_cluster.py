"""The option `--cluster`: a cluster that cannot be used is told in one line, before the work."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ggp.cli import app
from ggp.cluster import connection

VERBS = (["book", "build", "ticTacToe"], ["learn", "ticTacToe", "--method", "td"])


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("verb", VERBS)
def test_wrong_address_is_wrong_use(verb: list[str]) -> None:
    """Whether it is no address, or no program listens there."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    for address, said in (
        ("head", "expected HOST:PORT"),
        (f"127.0.0.1:{port}", "no program listens"),
    ):
        done = CliRunner().invoke(app, [*verb, "--cluster", address])

        assert (done.exit_code, done.stdout) == (2, "")
        assert "--cluster: " in done.stderr
        assert said in done.stderr
        assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("verb", VERBS)
def test_without_ray_a_line_says_what_to_install(
    verb: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is an extra."""
    monkeypatch.setattr(connection, "find_spec", lambda _: None)

    done = CliRunner().invoke(app, [*verb, "--cluster", "auto"])

    assert (done.exit_code, done.stdout) == (1, "")
    assert "pip install 'ggp-agent[cluster]'" in done.stderr
    assert len(done.stderr.splitlines()) == 1
