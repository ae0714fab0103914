"""Access: for this machine's people and programs, and who knows the token; for no other page."""

from __future__ import annotations

import asyncio
import gzip
import json
import zlib
from pathlib import Path

import pytest

from ggp.listener.bounds import is_loopback
from ggp.manager.config import AddressError, ManagerConfig, TokenError
from ggp.manager.web import responses
from tests.ggp.manager.desk import SECONDS, WAITING_GAME, desk, two, write_down

HERE = {"Host": "127.0.0.1:8080"}


ON_THIS_MACHINE: list[tuple[str, dict[str, str], int]] = [
    ("GET", HERE, 200),
    ("GET", {"Host": "localhost"}, 200),
    ("GET", {"Host": "[::1]:8080"}, 200),
    ("GET", {"Host": "evil.example"}, 403),
    ("GET", {"Host": "127.0.0.1.evil.example"}, 403),
    ("GET", {"Host": "[evil"}, 403),
    ("POST", HERE, 409),
    ("POST", {**HERE, "Origin": "http://127.0.0.1:8080"}, 409),
    ("POST", {**HERE, "Origin": "https://127.0.0.1:8080"}, 403),
    ("POST", {**HERE, "Origin": "https://127.0.0.1:8080", "X-Forwarded-Proto": "https"}, 409),
    ("POST", {**HERE, "Origin": "http://127.0.0.1:8080", "X-Forwarded-Proto": "https"}, 403),
    ("POST", {**HERE, "Origin": "http://evil.example"}, 403),
    ("POST", {**HERE, "Origin": "http://127.0.0.1:8081"}, 403),
    ("POST", {**HERE, "Origin": "null"}, 403),
    ("POST", {**HERE, "Sec-Fetch-Site": "cross-site"}, 403),
    ("POST", {**HERE, "Sec-Fetch-Site": "same-origin"}, 409),
    ("GET", {**HERE, "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Dest": "image"}, 403),
    ("GET", {**HERE, "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Dest": "document"}, 403),
    ("GET", {**HERE, "Sec-Fetch-Site": "same-site"}, 403),
    ("GET", {**HERE, "Sec-Fetch-Site": "same-origin"}, 200),
    ("GET", {**HERE, "Sec-Fetch-Site": "none"}, 200),
]
"""A request's method, its headers, and the status of the answer."""


async def test_a_manager_on_this_machine(tmp_path: Path) -> None:
    """Pages of other sites change nothing, whatever name they give this machine."""
    async with desk(tmp_path) as (service, client):
        number = await write_down(service, two())
        await service.host.abort(number)
        for method, headers, status in ON_THIS_MACHINE:
            path = f"/api/v1/matches/{number}" + ("/abort" if method == "POST" else "")
            async with client.request(method, path, headers=headers) as answer:
                assert answer.status == status, (method, headers)


@pytest.mark.parametrize(("target", "status"), [("document", 200), ("image", 403), ("iframe", 403)])
async def test_other_sites_may_link_to_pages_and_not_load_them(
    tmp_path: Path, target: str, status: int
) -> None:
    """A click on a link gets the page; nothing is loaded behind somebody's back."""
    headers = {**HERE, "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Dest": target}

    async with desk(tmp_path) as (_, client), client.get("/games", headers=headers) as answer:
        assert answer.status == status


@pytest.mark.parametrize(
    ("headers", "query", "status"),
    [
        ({}, "", 401),
        ({"Authorization": "Bearer wrong"}, "", 401),
        ({"Authorization": "Bearer \udcff"}, "", 401),
        ({"Authorization": "Bearer s3cret"}, "", 200),
        ({"Cookie": "ggp_token=s3cret"}, "", 200),
        ({"Host": "far.example", "Authorization": "Bearer s3cret"}, "", 200),
        ({}, "?token=wrong", 401),
        ({}, "?token=s3cret", 303),
    ],
)
async def test_a_manager_for_others_asks_for_its_token(
    tmp_path: Path, headers: dict[str, str], query: str, status: int
) -> None:
    """In a header, in the cookie that pages get, or once in the address."""
    async with (
        desk(tmp_path, token="s3cret") as (_, client),
        client.get(f"/api/v1/games{query}", headers=headers, allow_redirects=False) as answer,
    ):
        assert answer.status == status
        assert ("s3cret" in answer.headers.get("Set-Cookie", "")) == (status == 303)
        assert "token" not in answer.headers.get("Location", "")


async def test_who_opens_a_page_without_the_token_reads_what_is_missing(tmp_path: Path) -> None:
    """On a page; programs get JSON."""
    async with desk(tmp_path, token="s3cret") as (_, client):
        page = await client.get("/matches", headers={"Accept": "text/html"})
        text = await page.text()
        plain = await client.get("/matches")

    assert (page.status, plain.status) == (401, 401)
    assert "?token=TOKEN once" in text
    assert page.content_type == "text/html"
    assert plain.content_type == "application/json"


async def test_every_answer_says_what_our_pages_never_do(tmp_path: Path) -> None:
    """Scripts and styles come from here alone; errors are no exception."""
    async with desk(tmp_path) as (_, client):
        for path in ("/", "/api/v1/games", "/api/v1/nothing"):
            async with client.get(path) as answer:
                policy = answer.headers["Content-Security-Policy"]
                assert "default-src 'none'" in policy
                assert "frame-ancestors 'none'" in policy
                assert "unsafe" not in policy
                assert answer.headers["X-Content-Type-Options"] == "nosniff"


async def test_a_body_beyond_the_bound_is_refused(tmp_path: Path) -> None:
    """Before it is read to its end."""
    body = b'{"text": "' + b"x" * 5000 + b'"}'
    async with (
        desk(tmp_path, max_body_bytes=1000) as (_, client),
        client.post(
            "/api/v1/rules/check", data=body, headers={"Content-Type": "application/json"}
        ) as answer,
    ):
        assert answer.status == 413


@pytest.mark.parametrize("token", ["", " ", "\t\n", "two words", "caf\xe9", "a\x00b"])
def test_a_token_that_is_none_is_refused(token: str) -> None:
    """A variable that was not set would let everybody in."""
    with pytest.raises(TokenError, match=r"^token: expected letters, digits and signs, such as "):
        ManagerConfig(token=token)


def packed(text: bytes) -> bytes:
    """As gzip has it, the same each time: parameters of tests are compared between processes."""
    return gzip.compress(text, 9, mtime=0)


BODY = b'{"text": "(role me)"}'
FORMATTED = '{"text": "(role me)\\n"}'


@pytest.mark.parametrize(
    ("coding", "body", "status", "message"),
    [
        ("gzip", packed(BODY), 200, FORMATTED),
        ("deflate", zlib.compress(BODY), 200, FORMATTED),
        ("identity", BODY, 200, FORMATTED),
        ("gzip", b"junk", 400, "Content-Encoding: expected a body compressed with gzip"),
        ("gzip", packed(BODY)[:-9], 400, "Content-Encoding: expected a body compressed with gzip"),
        ("br", b"junk", 415, "Content-Encoding: expected none, gzip or deflate, got 'br'"),
        ("gzip", packed(b" " * 50_000_000), 413, "50000"),
    ],
)
async def test_packed_bodies_are_unpacked_within_bounds(
    tmp_path: Path, coding: str, body: bytes, status: int, message: str
) -> None:
    """A body not packed so is the client's mistake; a small body does not become a large one."""
    headers = {"Content-Type": "application/json", "Content-Encoding": coding}
    async with (
        desk(tmp_path, max_body_bytes=50_000) as (_, client),
        client.post("/api/v1/rules/format", data=body, headers=headers) as answer,
    ):
        assert answer.status == status
        assert message in await answer.text()


async def test_a_body_must_come_in_time(tmp_path: Path) -> None:
    """The error says how long that is."""
    head = b"POST /api/v1/rules/format HTTP/1.1\r\nHost: localhost\r\n"
    typed = b"Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"
    async with desk(tmp_path, receive_seconds=0.2) as (_, client):
        reader, writer = await asyncio.open_connection(client.host, client.port)
        writer.write(head + typed)
        async with asyncio.timeout(SECONDS):
            answer = await reader.read()
        writer.close()

    assert answer.startswith(b"HTTP/1.1 408")
    assert b"expected the whole body within 0.2 s" in answer


async def test_a_client_may_end_its_side_and_still_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As `nc -N` does: it has its answer, however often is looked whether it is there."""
    monkeypatch.setattr(responses, "LOOK_SECONDS", 0.001)
    body = json.dumps({"text": WAITING_GAME, "play": False}).encode()
    head = b"POST /api/v1/rules/check HTTP/1.1\r\nHost: localhost\r\n"
    typed = b"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(body)
    async with desk(tmp_path) as (_, client):
        reader, writer = await asyncio.open_connection(client.host, client.port)
        writer.write(head + typed + body)
        writer.write_eof()
        async with asyncio.timeout(SECONDS):
            answer = await reader.read()
        writer.close()

    assert answer.startswith(b"HTTP/1.1 200")


@pytest.mark.parametrize(
    ("host", "is_own"),
    [
        ("localhost", True),
        ("127.8.9.1", True),
        ("::1", True),
        ("[::1]", True),
        ("10.0.0.1", False),
        ("0.0.0.0", False),
        ("localhost.example", False),
        ("", False),
    ],
)
def test_which_hosts_are_this_machine(host: str, is_own: bool) -> None:
    """Names that only look like it are not."""
    assert is_loopback(host) is is_own


@pytest.mark.parametrize(
    "address", ["", "http://", "http://[", "http://127.0.0.1:99999", "ftp://h:1"]
)
def test_what_is_no_address_of_a_player(address: str) -> None:
    """The error says what one looks like."""
    with pytest.raises(AddressError, match="expected http://HOST:PORT"):
        ManagerConfig().check_address(address)


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("127.0.0.1", 200),
        ("games.example.org", 200),
        ("GAMES.example.org:8443", 200),
        ("192.0.2.7:8080", 200),
        ("[2001:db8::7]", 200),
        ("evil.example", 403),
        ("games.example.org.evil.example", 403),
    ],
)
async def test_a_manager_with_accounts_knows_its_names(
    tmp_path: Path, host: str, status: int
) -> None:
    """A page of another site may let a name of its own lead here."""
    names = frozenset({"games.example.org"})
    async with (
        desk(tmp_path, has_accounts=True, names=names) as (_, client),
        client.get("/login", headers={"Host": host}) as answer,
    ):
        assert answer.status == status
        assert status == 200 or f"--name {host}" in await answer.text()
