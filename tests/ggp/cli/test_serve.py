"""`ggp serve` and `ggp ping`, as a user runs them."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from ggp.cli import app
from tests.ggp.cli.test_match import player_saying
from tests.shared import REPOSITORY

GGP = [sys.executable, "-c", "from ggp.cli import main; main()"]
SECONDS = 300


def test_ping_shows_what_a_player_says_of_itself() -> None:
    """Its name and status, and how long it took to answer."""
    with player_saying({"INFO": "((name My-Player) (status available))"}, []) as address:
        found = ggp("ping", address)

    assert found.exit_code == 0
    assert re.search(r"^name +My-Player$", found.stdout, re.MULTILINE)
    assert re.search(r"^status +available$", found.stdout, re.MULTILINE)
    assert re.search(r"^latency +[\d.]+ ms$", found.stdout, re.MULTILINE)


@pytest.mark.thorough
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ping_finds_a_server_until_a_signal_stops_it(number: signal.Signals) -> None:
    """At the address that it prints; exit code 0, a word about it, and no engine is left behind."""
    with server("--name", "My Player", "--player", "legal") as (address, process):
        found = ggp("ping", address)
        children = descendants(process.pid)
        process.send_signal(number)
        code = process.wait(SECONDS)
        assert process.stdout is not None
        last = process.stdout.read()

    assert found.exit_code == 0
    assert re.search(r"^name +My-Player$", found.stdout, re.MULTILINE)
    assert re.search(r"^status +available$", found.stdout, re.MULTILINE)
    assert re.search(r"^latency +[\d.]+ ms$", found.stdout, re.MULTILINE)
    assert (code, last) == (0, "stopped\n")
    assert children
    assert not any(is_running(child) for child in children)


def test_a_port_in_use_is_said_in_one_line() -> None:
    """Exit code 1, and what to do."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        found = subprocess.run(
            [*GGP, "serve", "--port", str(port)],
            cwd=REPOSITORY,
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )

    assert found.returncode == 1
    assert found.stderr == (
        f"ggp serve: cannot listen on 127.0.0.1:{port}: the port is in use; "
        "choose another with --port\n"
    )


@pytest.mark.parametrize("verb", ["serve", "manager"])
def test_metrics_without_their_extra_say_what_to_type(
    verb: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One line, before anything has begun."""
    monkeypatch.setitem(sys.modules, "prometheus_client", None)

    result = CliRunner().invoke(app, [verb, "--metrics-port", "9150"])

    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == (
        f"ggp {verb}: --metrics-port needs prometheus-client, which is not installed; type  "
        "pip install 'ggp-agent[metrics]'  or, in a clone,  pip install '.[metrics]'\n"
    )


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (["--player", "mtcs"], "mcts"),
        (["--player", "no.such:Player"], "no.such"),
        (["--option", "c"], "KEY=VALUE"),
        (["--option", "cc=1"], "cc"),
        (["--port", "99999"], "--port"),
        (["--log-format", "xml"], "json"),
    ],
)
def test_wrong_use_is_said_in_one_line(arguments: list[str], hint: str) -> None:
    """Exit code 2, before anything is started."""
    found = ggp("serve", *arguments)

    assert found.exit_code == 2
    assert hint in found.stderr
    assert found.stderr.count("\n") == 1


def test_ping_says_why_nobody_answers() -> None:
    """Exit code 1 and the cause."""
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
        found = ggp("ping", f"http://127.0.0.1:{port}", "--timeout", "1")

    assert found.exit_code == 1
    assert found.stderr == (
        f"ggp ping: no answer from http://127.0.0.1:{port}: "
        "no program listens there; is the player running?\n"
    )


def test_ping_is_not_content_with_any_answer() -> None:
    """Exit code 1: something else lives at that address."""
    with socket.socket() as listening, ThreadPoolExecutor(1) as pool:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        answering = pool.submit(answer_with_a_page, listening)
        found = ggp("ping", f"127.0.0.1:{listening.getsockname()[1]}")
        answering.result(SECONDS)

    assert found.exit_code == 1
    assert "got: <html>no player</html>" in found.stderr
    assert found.stderr.count("\n") == 1


def answer_with_a_page(listening: socket.socket) -> None:
    """Be a web server, once."""
    client, _ = listening.accept()
    with client:
        client.recv(10_000)
        client.sendall(b"HTTP/1.0 404 Not Found\r\n\r\n<html>no player</html>")


@contextmanager
def server(*arguments: str) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """A running `ggp serve` on a free port; gives its address and its process."""
    command = [*GGP, "serve", "--port", "0", *arguments]
    with subprocess.Popen(
        command, cwd=REPOSITORY, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        try:
            process.stdout.readline()
            yield process.stdout.readline().strip(), process
        finally:
            process.terminate()
            process.wait(SECONDS)


def ggp(*arguments: str) -> Result:
    """One command, run to its end in this process."""
    return CliRunner().invoke(app, list(arguments), prog_name="ggp")


def descendants(pid: int) -> list[int]:
    """The processes that a process has started."""
    found = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):  # it may have ended just now
            parent = status.read_text(encoding="utf-8").rpartition(")")[2].split()[1]
            found += [int(status.parent.name)] if parent == str(pid) else []
    return found


def is_running(pid: int) -> bool:
    """Whether there is such a process."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
