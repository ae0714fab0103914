"""A manager with an account of each role, and what people with accounts do first."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from ipaddress import ip_network
from pathlib import Path
from typing import Any

from aiohttp import ClientSession, CookieJar
from aiohttp.test_utils import TestClient

from ggp.manager.domain.rights import Role
from ggp.manager.service import ManagerService
from tests.ggp.manager.desk import Home, ask, desk

PASSWORD = "a long password"
NETWORK = ip_network("127.0.0.0/8")
"""Where players of students may run."""
Client = TestClient[Any, Any]


@contextlib.asynccontextmanager
async def course(
    home: Home | Path, **changes: Any
) -> AsyncIterator[tuple[ManagerService, dict[str, Client]]]:
    """A manager with an account of each role, named as the role, and a browser for each."""
    settings = {"has_accounts": True, "player_networks": (NETWORK,), **changes}
    async with (
        desk(home, **settings) as (service, nobody),
        contextlib.AsyncExitStack() as on,
    ):
        people = {"nobody": nobody}
        for role in Role:
            people[role] = TestClient(nobody.server, cookie_jar=CookieJar(unsafe=True))
            on.push_async_callback(people[role].session.close)
        assert service.invitations is not None
        key = await service.invitations.first_host()
        await joined(people["host"], key, "host")
        for role in Role:
            if role is not Role.HOST:
                await joined(people[role], await invited(people["host"], role), role)
        yield service, people


async def invited(client: Client, role: str, **changes: Any) -> str:
    """The key of an invitation."""
    status, made = await ask(client, "POST", "/invitations", {"role": role, **changes})
    assert status == 201, made
    return str(made["key"])


async def joined(client: Client | ClientSession, key: str | None, name: str) -> None:
    """Make an account by a link."""
    body = {"key": key, "name": name, "password": PASSWORD}
    status, made = await ask(client, "POST", "/join", body)
    assert status == 200, made


async def log_in(client: Client, name: str, password: str = PASSWORD) -> int:
    """The status of the answer."""
    return (await ask(client, "POST", "/login", {"name": name, "password": password}))[0]
