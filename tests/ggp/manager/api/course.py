"""A manager with an account of each role, and what people with accounts do first."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import AsyncIterator
from dataclasses import dataclass
from ipaddress import ip_network
from pathlib import Path
from typing import Any

from aiohttp import ClientSession, CookieJar
from aiohttp.test_utils import TestClient
from sqlalchemy.engine import make_url

from ggp.manager.domain.rights import Role
from ggp.manager.service import ManagerService
from ggp.manager.web.access import SESSION_COOKIE
from tests.ggp.manager.desk import Home, ask, desk

PASSWORD = "a long password"
NETWORK = ip_network("127.0.0.0/8")
"""Where players of students may run."""
Client = TestClient[Any, Any]


@dataclass(frozen=True, slots=True)
class _Template:
    """A database with an account of each role, and the key of each account's session."""

    database: bytes
    keys: dict[str, str]


_templates: list[_Template] = []
"""One, once it is made: making the accounts takes longer than most tests."""


@contextlib.asynccontextmanager
async def course(
    home: Home | Path, **changes: Any
) -> AsyncIterator[tuple[ManagerService, dict[str, Client]]]:
    """A manager with an account of each role, named as the role, and a browser for each."""
    home = Home.at(home) if isinstance(home, Path) else home
    url = make_url(home.database)
    if url.get_backend_name() != "sqlite":
        async with _open(home, **changes) as (service, people):
            await _join_all(service, people)
            yield service, people
        return
    template = await _template()
    Path(str(url.database)).write_bytes(template.database)
    async with _open(home, **changes) as (service, people):
        for role, key in template.keys.items():
            people[role].session.cookie_jar.update_cookies({SESSION_COOKIE: key})
        yield service, people


@contextlib.asynccontextmanager
async def _open(
    home: Home, **changes: Any
) -> AsyncIterator[tuple[ManagerService, dict[str, Client]]]:
    settings = {"has_accounts": True, "player_networks": (NETWORK,), **changes}
    async with (
        desk(home, **settings) as (service, nobody),
        contextlib.AsyncExitStack() as on,
    ):
        people = {"nobody": nobody}
        for role in Role:
            people[role] = TestClient(nobody.server, cookie_jar=CookieJar(unsafe=True))
            on.push_async_callback(people[role].session.close)
        yield service, people


async def _template() -> _Template:
    if not _templates:
        with tempfile.TemporaryDirectory() as folder:
            home = Home.at(Path(folder))
            async with _open(home) as (service, people):
                await _join_all(service, people)
                cookies = {role: people[role].session.cookie_jar for role in Role}
                keys = {str(role): next(iter(jar)).value for role, jar in cookies.items()}
            _templates.append(_Template(Path(folder, "ggp.db").read_bytes(), keys))
    return _templates[0]


async def _join_all(service: ManagerService, people: dict[str, Client]) -> None:
    assert service.invitations is not None
    key = await service.invitations.first_host()
    await joined(people["host"], key, "host")
    for role in Role:
        if role is not Role.HOST:
            await joined(people[role], await invited(people["host"], role), role)


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
