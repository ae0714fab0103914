"""Rights of callers: by their address, and by the page that a browser shows."""

from __future__ import annotations

import ipaddress
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from tests.ggp.server.wire import Wire, serving, start

ELSEWHERE = "127.0.0.2"
PAGE = "Origin: https://example.org\r\n"
OTHER_PAGE = "Origin: https://example.net\r\n"
LOOPBACK = ipaddress.ip_network("127.0.0.0/8")
READABLE = "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: cors\r\n"
BLIND = "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: no-cors\r\n"


@pytest.fixture
async def wire() -> AsyncIterator[Wire]:
    """A server that plays a match of this address's program."""
    async with serving() as found:
        assert await found.say(start("m")) == "ready"
        yield found


@pytest.mark.parametrize(
    "stranger", [{"source": ELSEWHERE}, {"page": PAGE}], ids=["another address", "a page"]
)
@pytest.mark.parametrize("message", ["( STOP m NIL )", "( ABORT m )", "( PLAY m NIL )"])
async def test_a_match_belongs_to_who_began_it(
    wire: Wire, stranger: dict[str, str], message: str
) -> None:
    """A stranger's word is refused with the reason, and the match goes on."""
    refused = await replace(wire, **stranger).post(message)  # type: ignore[arg-type]  # by name

    assert refused.status == 403
    assert refused.body.startswith("expected a message from the caller that began match m, ")
    assert await wire.say("( PLAY m NIL )") == "take"


async def test_a_stranger_may_play_a_match_of_the_same_name(wire: Wire) -> None:
    """Two managers need not know of each other's names."""
    stranger = replace(wire, source=ELSEWHERE)

    assert await stranger.say(start("m", role="black")) == "ready"
    assert await stranger.say("( PLAY m NIL )") == "noop"
    assert await stranger.say("( ABORT m )") == "aborted"
    assert await wire.say("( PLAY m NIL )") == "take"


async def test_the_addresses_of_one_manager_speak_for_each_other() -> None:
    """As it was said that they do."""
    async with serving(one_manager=(LOOPBACK,)) as wire:
        await wire.say(start("m"))

        assert await replace(wire, source=ELSEWHERE).say("( PLAY m NIL )") == "take"


async def test_only_the_clients_that_may_come_are_let_in() -> None:
    """The others get one line, whatever they say."""
    allowed = (ipaddress.ip_network(ELSEWHERE),)
    async with serving(allowed_clients=allowed) as wire:
        refused = await wire.post("( INFO )")

        assert (refused.status, refused.body) == (403, "this address may not come here\n")
        assert "available" in await replace(wire, source=ELSEWHERE).say("( INFO )")


async def test_a_page_may_be_a_manager() -> None:
    """Gamemaster is one: it is of another site, and reads the replies."""
    async with serving() as wire:
        page = replace(wire, page=PAGE + READABLE)

        assert await page.say(start("m")) == "ready"
        assert await page.say("( PLAY m NIL )") == "take"
        assert (await replace(wire, page=OTHER_PAGE).post("( ABORT m )")).status == 403


async def test_a_page_that_cannot_read_the_reply_is_no_manager() -> None:
    """A picture or a form may ask how we are, and do nothing."""
    async with serving() as wire:
        page = replace(wire, page=BLIND)

        assert (await page.post(start("m"))).status == 403
        assert "available" in await page.say("( INFO )")


async def test_pages_leave_places_to_others() -> None:
    """All pages together get half; INFO, ping and START tell them the same."""
    async with serving(max_matches=2) as wire:
        page = replace(wire, page=PAGE)
        assert await page.say(start("a")) == "ready"

        assert "(status busy)" in await page.say("( INFO )")
        assert await page.say("(ping)") == "busy"
        assert await page.say(start("b")) == "busy"
        assert "(status available)" in await wire.say("( INFO )")
        assert await wire.say("(ping)") == "ready"
        assert await wire.say(start("b")) == "ready"


async def test_pages_that_are_named_are_the_only_ones() -> None:
    """Whatever others ask is refused."""
    async with serving(allowed_pages=("https://example.org",)) as wire:
        refused = await replace(wire, page=OTHER_PAGE).post("( INFO )")

        assert refused.status == 403
        assert refused.body.startswith("expected a page that --allow-page names, got: ")
        assert "available" in await replace(wire, page=PAGE).say("( INFO )")
        assert "available" in await wire.say("( INFO )")
