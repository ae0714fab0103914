"""/me/messages: webhooks are signed, retried and bounded, and mail is sent. Both begin off."""

from __future__ import annotations

import asyncio
import socketserver
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from ipaddress import ip_network
from typing import Any

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from ggp.manager.hosting import delivery, messages
from ggp.manager.hosting.delivery import SIGNATURE, signature
from ggp.manager.store.messages import MAX_KEPT, About, News
from tests.ggp.manager.api.course import Client, course, invited, joined
from tests.ggp.manager.desk import Home, ask, over_tournament, until_so

LOCAL = (ip_network("127.0.0.0/8"),)
CHALLENGE = {"game": "ticTacToe", "players": ["person", "person:@student"]}


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Messages are looked for and tried again at once."""
    monkeypatch.setattr(messages, "LOOK_SECONDS", 0.01)
    monkeypatch.setattr(messages, "RETRY_MILLISECONDS", (0, 0))
    monkeypatch.setattr(messages, "WAIT_MILLISECONDS", 0)


@dataclass
class Webhook:
    """A server that gets messages, and what it got.

    Attributes:
        answers: The statuses of its next answers. 200 once there are none left.
    """

    url: str = ""
    answers: list[int] = field(default_factory=list)
    got: list[tuple[str, bytes]] = field(default_factory=list)

    async def answer(self, request: web.Request) -> web.Response:
        """Keep the signature and the body."""
        self.got.append((request.headers[SIGNATURE], await request.read()))
        status = self.answers.pop(0) if self.answers else 200
        return web.Response(status=status, headers={"Location": "http://10.0.0.1/"})


@asynccontextmanager
async def webhook(*answers: int) -> AsyncIterator[Webhook]:
    """Run a server that gets messages."""
    made = Webhook(answers=list(answers))
    app = web.Application()
    app.router.add_post("/hook", made.answer)
    async with TestServer(app) as server:
        made.url = str(server.make_url("/hook"))
        yield made


async def settled(client: Client, number: int = 1) -> dict[str, Any]:
    """Return the caller's messages once there are `number` and none is to be sent."""

    async def is_so() -> bool:
        _, found = await ask(client, "GET", "/me/messages")
        rows = found["messages"]
        return len(rows) >= number and all(row["due"] is None for row in rows)

    await until_so(is_so)
    _, found = await ask(client, "GET", "/me/messages")
    return dict(found)


async def subscribe(client: Client, url: str, *about: str) -> tuple[int, Any]:
    """Let messages be posted to a webhook."""
    return await ask(client, "POST", "/me/messages", {"about": about, "webhook": url})


async def test_a_challenge_reaches_the_webhook_signed(home: Home) -> None:
    """Only the student who asked for such messages gets one."""
    async with course(home, webhook_networks=LOCAL) as (_, people), webhook() as hook:
        student = people["student"]
        await ask(people["lecturer"], "POST", "/challenges", CHALLENGE)
        _, before = await ask(student, "GET", "/me/messages")
        _, made = await subscribe(student, hook.url, "challenge")
        await ask(people["lecturer"], "POST", "/challenges", CHALLENGE)
        after = await settled(student)

    assert (before["about"], before["messages"]) == ([], [])
    assert [(one["about"], one["problem"]) for one in after["messages"]] == [("challenge", "")]
    [(signed, body)] = hook.got
    assert b"lecturer wants to play ticTacToe with you" in body
    assert signed == signature(made["secret"], body)


@pytest.mark.parametrize(
    ("answers", "attempts", "problem"),
    [
        ([500], 2, ""),
        ([500, 500, 500], 3, "expected an answer with status 200, got 500"),
        ([302, 302, 302], 3, "expected an answer with status 200, got 302"),
    ],
)
async def test_a_failed_message_is_tried_again(
    home: Home, answers: list[int], attempts: int, problem: str
) -> None:
    """A few times. Redirections are not followed, wherever they lead."""
    async with course(home, webhook_networks=LOCAL) as (_, people), webhook(*answers) as hook:
        await subscribe(people["student"], hook.url, "challenge")
        await ask(people["lecturer"], "POST", "/challenges", CHALLENGE)
        [found] = (await settled(people["student"]))["messages"]

    assert (found["attempts"], found["problem"]) == (attempts, problem)
    assert len(hook.got) == attempts


async def test_a_webhook_elsewhere_is_not_called(home: Home) -> None:
    """Neither by number nor by a name that leads out of the allowed networks."""
    elsewhere = (ip_network("192.0.2.0/24"),)
    async with course(home, webhook_networks=elsewhere) as (_, people), webhook() as hook:
        port = hook.url.rsplit(":", 1)[1]
        for client, url in (
            (people["student"], f"http://127.0.0.1:{port}"),
            (people["lecturer"], f"http://localhost:{port}"),
        ):
            await subscribe(client, url, "challenge")
        await ask(people["lecturer"], "POST", "/challenges", CHALLENGE)
        other = {**CHALLENGE, "players": ["person", "person:@lecturer"]}
        await ask(people["student"], "POST", "/challenges", other)
        found = [await settled(people[role]) for role in ("student", "lecturer")]

    assert hook.got == []
    assert all("in no network" in one["messages"][0]["problem"] for one in found)


async def test_a_webhook_that_hangs_holds_nothing_up(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The manager waits for a bounded time, and gives up after some attempts."""
    monkeypatch.setattr(delivery, "SEND_SECONDS", 0.05)

    async def hang(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()

    server = await asyncio.start_server(hang, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    async with server, course(home, webhook_networks=LOCAL) as (_, people):
        await subscribe(people["student"], f"http://127.0.0.1:{port}/", "challenge")
        await ask(people["lecturer"], "POST", "/challenges", CHALLENGE)
        [found] = (await settled(people["student"]))["messages"]

    assert (found["attempts"], found["problem"]) == (3, "no answer within 0.05 s")


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"webhook": "ftp://127.0.0.1/"}, "webhook: expected a URL such as"),
        ({"webhook": "http://a@127.0.0.1/"}, "webhook: expected a URL such as"),
        ({"mail": "ann@example.org"}, "mail: this manager sends no mail"),
        ({"about": ["weather"]}, "about.0: expected one of turn, challenge, check or results"),
    ],
)
async def test_a_place_that_cannot_be_is_refused(
    home: Home, body: dict[str, Any], message: str
) -> None:
    """The message names the field."""
    async with course(home, webhook_networks=LOCAL) as (_, people):
        status, problem = await ask(
            people["student"], "POST", "/me/messages", {"about": ["turn"], **body}
        )

    assert status == 400
    assert problem["error"].startswith(message)


async def test_a_person_who_is_away_is_told_of_a_turn(home: Home) -> None:
    """Once for each turn."""
    async with course(home, webhook_networks=LOCAL) as (_, people), webhook() as hook:
        student = people["student"]
        await subscribe(student, hook.url, "turn")
        body = {"game": "ticTacToe", "players": ["person", "legal"]}
        await ask(student, "POST", "/matches", body)
        await settled(student)
        move = {"role": "xplayer", "move": "(mark 2 2)", "turn": 1}
        await ask(student, "POST", "/matches/1/moves", move)
        found = await settled(student, 2)

    assert {one["text"] for one in found["messages"]} == {"Match 1 waits for your move"}
    assert len(hook.got) == 2


async def test_participants_are_told_that_results_are_out(home: Home) -> None:
    """Once, as members of a team too. Other students get no message."""
    async with course(home, webhook_networks=LOCAL) as (service, people), webhook() as hook:
        lecturer, student, other = people["lecturer"], people["student"], people["nobody"]
        await joined(other, await invited(lecturer, "student"), "Eve")
        await ask(student, "POST", "/teams", {"name": "Knights"})
        await ask(student, "POST", "/players", {"name": "knight", "source": "http://127.0.0.1:9"})
        for client in (student, other):
            await subscribe(client, hook.url, "results")
        final = {
            "name": "final",
            "games": ["ticTacToe"],
            "players": ["knight", "legal"],
            "startclock": 1,
            "playclock": 1,
            "matches": 1,
            "results": "lecturers",
        }
        await ask(lecturer, "POST", "/tournaments", final)
        await ask(lecturer, "POST", "/tournaments/1/abort")
        await over_tournament(service.tournaments, 1)
        _, before = await ask(student, "GET", "/me/messages")
        await ask(lecturer, "POST", "/tournaments/1/results", {"results": "everyone"})
        found = await settled(student)
        _, of_other = await ask(other, "GET", "/me/messages")

    assert before["messages"] == of_other["messages"] == []
    assert [one["text"] for one in found["messages"]] == ["The results of final are out"]


async def test_messages_are_bounded_and_told_once(home: Home) -> None:
    """The oldest ones go first."""
    async with course(home, webhook_networks=LOCAL) as (service, people), webhook() as hook:
        await subscribe(people["student"], hook.url, "challenge")
        _, account = await ask(people["student"], "GET", "/me")
        assert service.messages is not None
        for number in range(MAX_KEPT + 5):
            news = News(About.CHALLENGE, f"subject {number}", "text", "/")
            for _ in range(2):
                await service.messages.tell([account["id"]], news)
        found = await settled(people["student"])

    assert len(found["messages"]) == MAX_KEPT


class MailServer(socketserver.StreamRequestHandler):
    """As much of SMTP as it takes to get a message."""

    letters: list[str]

    def handle(self) -> None:
        """Answer a client."""
        self.wfile.write(b"220 here\r\n")
        while line := self.rfile.readline().strip():
            if line.upper() == b"DATA":
                self.wfile.write(b"354 go on\r\n")
                letter = b""
                while (part := self.rfile.readline()) != b".\r\n":
                    letter += part
                self.letters.append(letter.decode())
            self.wfile.write(b"221 bye\r\n" if line.upper() == b"QUIT" else b"250 fine\r\n")


@contextmanager
def mail_server() -> Iterator[tuple[str, list[str]]]:
    """Run a mail server. Return its address and the messages that it gets."""
    letters: list[str] = []
    handler = type("Handler", (MailServer,), {"letters": letters})
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"smtp://127.0.0.1:{server.server_address[1]}", letters
        server.shutdown()


async def test_mail_is_sent_through_the_server_of_the_host(home: Home) -> None:
    """With the page that it is about."""
    with mail_server() as (address, letters):
        settings = {"mail_server": address, "mail_from": "ggp@example.org"}
        async with course(home, **settings) as (_, people):
            body = {"about": ["challenge"], "mail": "ann@example.org"}
            await ask(people["student"], "POST", "/me/messages", body)
            await ask(people["lecturer"], "POST", "/challenges", CHALLENGE)
            [found] = (await settled(people["student"]))["messages"]

    assert found["problem"] == ""
    assert "To: ann@example.org" in letters[0]
    assert "Page: /challenges/1" in letters[0]
