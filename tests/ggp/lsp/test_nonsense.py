"""A client that sends nonsense gets an error, and the server lives."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

OPENED = {"uri": "file:///nowhere/x.kif", "languageId": "gdl", "version": 1, "text": "(role x)"}


class Wire:
    """A client that writes and reads messages itself."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "ggp", "lsp", "--no-play"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )

    def send(self, message: object) -> None:
        """Send what JSON can hold."""
        self.send_bytes(json.dumps(message).encode())

    def send_bytes(self, body: bytes, length: int | None = None) -> None:
        """Send a body of a length, which may be said wrongly."""
        assert self.process.stdin is not None
        length = len(body) if length is None else length
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%b" % (length, body))
        self.process.stdin.flush()

    def receive(self) -> dict[str, Any]:
        """The next message that is no notification."""
        assert self.process.stdout is not None
        while True:
            length = 0
            while (line := self.process.stdout.readline()) != b"\r\n":
                assert line, "the server died"
                if line.lower().startswith(b"content-length:"):
                    length = int(line.split(b":")[1])
            found: dict[str, Any] = json.loads(self.process.stdout.read(length))
            if "id" in found:
                return found

    def ask(self, number: int, method: str, params: object) -> dict[str, Any]:
        """The answer to a request."""
        self.send({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        found = self.receive()
        assert found["id"] == number
        return found

    def end(self) -> None:
        """End the server, and whatever it would still say."""
        self.process.kill()
        self.process.communicate()

    def is_alive(self) -> bool:
        """Whether a request is answered as it should."""
        params = {"textDocument": {"uri": OPENED["uri"]}, "position": {"line": 0, "character": 2}}
        found = self.ask(999, "textDocument/hover", params)
        return "role" in str(found["result"])


@pytest.fixture(scope="module")
def wire() -> Iterator[Wire]:
    """A client with one open text."""
    found = Wire()
    found.ask(1, "initialize", {"capabilities": {}, "processId": None, "rootUri": None})
    found.send({"jsonrpc": "2.0", "method": "initialized", "params": {}})
    opened = {"textDocument": OPENED}
    found.send({"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": opened})
    yield found
    found.end()


OUTSIDE = {"textDocument": {"uri": OPENED["uri"]}, "position": {"line": -5, "character": 0}}
REQUESTS: list[tuple[str, Any]] = [
    ("textDocument/hover", OUTSIDE),
    ("textDocument/hover", {}),
    ("textDocument/hover", {"textDocument": 3, "position": "here"}),
    ("textDocument/hover", None),
    ("textDocument/rename", {"textDocument": {"uri": OPENED["uri"]}, "position": {}}),
    ("textDocument/noSuchFeature", {"a": 1}),
    ("textDocument/completion", {"textDocument": {"uri": "nonsense:"}, "position": {}}),
    ("workspace/executeCommand", {"command": "rm", "arguments": ["-rf"]}),
    ("workspace/executeCommand", {"command": "ggp.draw", "arguments": [1, 2, 3]}),
    ("workspace/executeCommand", {"command": "ggp.draw", "arguments": ["file:///nowhere/y.kif"]}),
    ("workspace/executeCommand", {"command": "ggp.why", "arguments": ["file:///nowhere/y.kif"]}),
    ("workspace/executeCommand", {"command": "ggp.why", "arguments": [None, {"a": 1}, []]}),
]


@pytest.mark.parametrize(("method", "params"), REQUESTS)
def test_a_request_without_sense_is_answered_with_an_error(
    wire: Wire, method: str, params: object
) -> None:
    """Whatever is wrong with it, the client need not wait for ever."""
    assert "error" in wire.ask(7, method, params)
    assert wire.is_alive()


@pytest.mark.parametrize("line", [0, 1, 10**9])
def test_a_place_outside_the_text_is_the_nearest_one(wire: Wire, line: int) -> None:
    """There is nothing there, and no error."""
    place = {"line": line, "character": 10**9}
    params = {"textDocument": {"uri": OPENED["uri"]}, "position": place}

    assert "error" not in wire.ask(8, "textDocument/hover", params)


@pytest.mark.parametrize(
    "body",
    [
        b"{",
        b"nonsense",
        b"\xff\xfe",
        b"[]",
        b"3",
        b"{}",
        b"[" * 100_000,
        b'{"jsonrpc": "1.0", "method": "x"}',
        b'{"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": 4}',
        b'{"jsonrpc": "2.0", "method": "textDocument/didChange", "params": {}}',
        b'{"jsonrpc": "2.0", "method": 5}',
        b'{"jsonrpc": "2.0", "id": 77, "result": "unasked"}',
    ],
)
def test_a_message_that_is_none_does_no_harm(wire: Wire, body: bytes) -> None:
    """The next one is answered."""
    wire.send_bytes(body)

    wire.send({"jsonrpc": "2.0", "id": 5, "method": "textDocument/codeLens", "params": {}})
    while wire.receive()["id"] != 5:
        pass
    assert wire.is_alive()


def test_headers_without_sense_are_passed_over(wire: Wire) -> None:
    """However long they are."""
    assert wire.process.stdin is not None
    wire.process.stdin.write(b"x" * 200_000 + b"\r\nContent-Length: many\r\n")

    assert wire.is_alive()


def test_a_text_of_anything_is_a_text(wire: Wire) -> None:
    """Surrogates, zeros, brackets without end."""
    for number, text in enumerate(["\0", "\ud800 (", "(" * 5000, ")" * 5000, '"', "p :- ", "\r"]):
        uri = f"file:///nowhere/{number}.kif"
        opened = {"textDocument": {**OPENED, "uri": uri, "text": text}}
        wire.send({"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": opened})
        params = {"textDocument": {"uri": uri}}
        for method in ("documentSymbol", "semanticTokens/full", "codeLens"):
            assert "error" not in wire.ask(9, f"textDocument/{method}", params)
    assert wire.is_alive()


def test_ctrl_c_ends_it() -> None:
    """Although it waits for input."""
    wire = Wire()
    wire.ask(1, "initialize", {"capabilities": {}, "processId": None, "rootUri": None})
    wire.process.send_signal(signal.SIGINT)
    assert wire.process.wait(300) == -signal.SIGINT
    wire.end()


def test_after_shutdown_a_request_is_refused_and_exit_ends() -> None:
    """As the protocol has it."""
    wire = Wire()
    assert "error" in wire.ask(1, "textDocument/hover", {})  # before anything was said
    wire.ask(2, "initialize", {"capabilities": {}, "processId": None, "rootUri": None})
    wire.ask(3, "shutdown", None)
    assert "error" in wire.ask(4, "textDocument/hover", {})
    wire.send({"jsonrpc": "2.0", "method": "exit"})
    assert wire.process.wait(300) == 0
    wire.end()


@pytest.mark.parametrize("length", [b"abc", b"99999999999", b"-5", b"1e3", b"9" * 300])
def test_a_length_without_sense_holds_nothing_up(wire: Wire, length: bytes) -> None:
    """The message is passed over, and the next one read."""
    assert wire.process.stdin is not None
    body = b'{"jsonrpc": "2.0", "id": 66, "method": "shutdown"}'
    wire.process.stdin.write(b"Content-Length: %b\r\n\r\n%b" % (length, body))

    wire.send({"jsonrpc": "2.0", "id": 6, "method": "textDocument/codeLens", "params": {}})
    while (found := wire.receive())["id"] != 6:
        assert found["id"] is None  # the length was refused
    assert wire.is_alive()


HEAVY = {
    "brackets": "(" * 490_000,
    "nested": "(<= a " + "(not " * 98_000,
    "quotes": '"' * 400_000,
    "roles": "".join(f"(role r{number})" for number in range(40_000)),
    "huge": "(" * 5_000_000,
}


@pytest.mark.parametrize("kind", HEAVY)
def test_a_text_that_takes_long_holds_no_other_up(wire: Wire, kind: str) -> None:
    """While it is analysed a hover elsewhere is answered; its next version is analysed at once."""
    uri = f"file:///nowhere/heavy/{kind}.kif"
    opened = {"textDocument": {**OPENED, "uri": uri, "text": HEAVY[kind]}}
    wire.send({"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": opened})
    document = {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 3}}
    asked = {"jsonrpc": "2.0", "id": 55, "method": "textDocument/hover", "params": document}
    wire.send(asked)
    wire.send({**asked, "id": 999, "params": {**document, "textDocument": {"uri": OPENED["uri"]}}})

    answers = [wire.receive()]
    while answers[-1]["id"] != 999:
        answers.append(wire.receive())
    assert "role" in str(answers[-1]["result"])

    change = {"textDocument": {"uri": uri, "version": 2}, "contentChanges": [{"text": "(role y)"}]}
    wire.send({"jsonrpc": "2.0", "method": "textDocument/didChange", "params": change})
    wire.send({**asked, "id": 56})
    while answers[-1]["id"] != 56:
        answers.append(wire.receive())
    assert "role" in str(answers[-1]["result"])
    [first] = [one for one in answers if one["id"] == 55]
    assert first.get("error", {}).get("code") in (-32801, -32803)  # changed, or refused at once
