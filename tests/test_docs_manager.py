"""Run every curl line of docs/manager/api.md, and compare the answer with the one shown there.

The quick tests send the requests themselves; the thorough ones run curl.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import shlex
import shutil
import subprocess
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from aiohttp import ClientSession, DummyCookieJar
from yarl import URL

from ggp.engine.process_pool import KERNELS
from ggp.manager.app import ROUTES, running
from ggp.tournament.plan import TournamentPlan
from tests.fakes.forkers import Forker
from tests.fakes.modules import Source, forked_modules, start_source
from tests.fakes.quick_sqlite import quick_sqlite
from tests.ggp.manager.api.course import NETWORK
from tests.ggp.manager.desk import config_for, desk
from tests.shared import REPOSITORY

FOLDER = REPOSITORY / "docs" / "manager"
PAGE = (FOLDER / "api.md").read_text(encoding="utf-8")
ADDRESS = "http://127.0.0.1:8080"
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"^\$ (.+)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)
BEFORE, ACCOUNTS = PAGE.split("\n## Accounts\n")


def commands(text: str) -> list[tuple[str, str]]:
    """The command lines of a text, each with the answer that it shows."""
    return [found for block in BLOCK.findall(text) for found in COMMAND.findall(block)]


COMMANDS = commands(BEFORE)
PARTS = {
    "rules": [one for one in COMMANDS if "/api/v1/rules/" in one[0]],
    "rest": [one for one in COMMANDS if "/api/v1/rules/" not in one[0]],
}
"""The lines about rules change nothing, so that the others do not need them."""


@pytest.fixture(scope="module")
def quick_engines(forkers: dict[str, Forker], kernels: None) -> None:
    """Engine processes are forked."""
    forkers[KERNELS].control()


@pytest.fixture(scope="module", autouse=True)
def quick_manager(quick_engines: None) -> Iterator[None]:
    """The manager's databases and processes are quick, as in its own tests."""
    sources = dict[str, Source]()
    with quick_sqlite(), forked_modules(sources):
        start_source(sources, "ggp.report")
        yield
    for source in sources.values():
        source.close()


Answer = Callable[[str, Callable[[str], bool]], Awaitable[str]]
"""Return what a line prints; it may stop once the function says that this is enough."""


@pytest.fixture(params=["here", pytest.param("curl", marks=pytest.mark.thorough)])
async def answer(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Answer]:
    """Run the lines of the page: in this process, as curl would, or by curl itself."""
    if request.param == "here":
        async with ClientSession(cookie_jar=DummyCookieJar()) as session:
            yield partial(asked, session, {})
    elif shutil.which("curl") is None or shutil.which("bash") is None:
        pytest.skip("needs curl and bash")
    else:
        yield partial(run, tmp_path)


async def run(folder: Path, line: str, _: Callable[[str], bool]) -> str:
    """Return what a line prints that a shell runs."""
    process = await asyncio.create_subprocess_exec(
        *("bash", "-c", line), stdout=subprocess.PIPE, cwd=folder
    )
    return (await process.communicate())[0].decode()


CURL = argparse.ArgumentParser(exit_on_error=False)
"""The options of curl that the page uses."""
for flag in ("-s", "-N", "-G"):
    CURL.add_argument(flag, action="store_true")
for name in ("-X", "-b", "-c", "-d", "-m", "url"):
    CURL.add_argument(name)
CURL.add_argument("-H", action="append", default=[])
CURL.add_argument("--data-urlencode", action="append", default=[])


async def asked(
    session: ClientSession, cookies: dict[str, str], line: str, is_enough: Callable[[str], bool]
) -> str:
    """Return what curl would print; a request with `-m` ends when that is enough.

    Args:
        cookies: Those that curl keeps in files, by the file's name.
    """
    name, *words = shlex.split(line)
    assert name == "curl"
    options = CURL.parse_args(words)
    headers = {"Content-Type": "application/x-www-form-urlencoded"} if options.d else {}
    headers |= dict(one.split(": ", 1) for one in options.H)
    if options.b:
        headers["Cookie"] = cookies[options.b]
    query = dict(one.split("=", 1) for one in options.data_urlencode)
    url = URL(options.url, encoded=True).update_query(query)
    method = options.X or ("GET" if options.d is None else "POST")
    body = None if options.d is None else options.d.encode()
    printed = b""
    async with session.request(method, url, data=body, headers=headers) as response:
        if options.c:
            cookies[options.c] = "; ".join(
                f"{name}={one.value}" for name, one in response.cookies.items()
            )
        async for chunk in response.content.iter_any():
            printed += chunk
            if options.m and is_enough(printed.decode()):
                break
    return printed.decode()


async def checked(answer: Answer, line: str, shown: str) -> str:
    """Return what a line prints, which must be what the page shows; dots stand for anything."""
    pattern = ".*".join(re.escape(part) for part in shown.strip().split("..."))
    wanted = re.compile(pattern + ("" if shown.strip().endswith("...") else r"\s*\Z"), re.DOTALL)

    def is_enough(text: str) -> bool:  # a match has begun, so that people can move
        return wanted.match(text) is not None and '"number":0,"moves"' in text

    printed = await answer(line, is_enough)
    assert wanted.match(printed), f"{line[:120]}: {printed[:500]}"
    return printed


@pytest.mark.parametrize("part", PARTS)
async def test_every_line_of_the_page_gets_the_answer_it_shows(
    answer: Answer, tmp_path: Path, part: str
) -> None:
    """In the order of the page, against one manager; KEY stands for the key told last."""
    key = ""
    async with running(config_for(tmp_path)) as address:
        for line, shown in PARTS[part]:
            given = re.sub(r"\bKEY\b", key, line)
            printed = await checked(answer, given.replace(ADDRESS, address), shown)
            for told in re.findall(r'"(?:key|xplayer)": "([\w-]{20,})"', printed):
                key = told


async def test_every_line_about_accounts_gets_the_answer_it_shows(
    answer: Answer, tmp_path: Path
) -> None:
    """Against a manager that has some; KEY and TOKEN stand for the key that was told last."""
    pytest.importorskip("argon2", reason="needs argon2-cffi, of the extra `manager`")
    async with desk(tmp_path, has_accounts=True, player_networks=(NETWORK,)) as (service, client):
        assert service.invitations is not None
        key = await service.invitations.first_host()
        assert key is not None
        for line, shown in commands(ACCOUNTS):
            given = re.sub(r"\b(KEY|TOKEN)\b", key, line)
            given = given.replace(ADDRESS, str(client.make_url("")).rstrip("/"))
            for told in re.findall(r'"key": "(.+?)"', await checked(answer, given, shown)):
                key = told


async def test_curl_gets_the_answer_of_a_line(tmp_path: Path) -> None:
    """As this process does, which asks in its place."""
    if shutil.which("curl") is None or shutil.which("bash") is None:
        pytest.skip("needs curl and bash")
    line, shown = next(one for one in COMMANDS if "--data-urlencode" in one[0] or "-d" in one[0])
    async with running(config_for(tmp_path)) as address:
        await checked(partial(run, tmp_path), line.replace(ADDRESS, address), shown)


def test_the_page_shows_the_operations() -> None:
    """All but a few that are like those it shows."""
    lines = "\n".join(line for line, _ in COMMANDS)
    alike = {"take-back", "try", "statistics", "rules"}

    for route in ROUTES:
        last = route.path.rpartition("/")[2]
        shown = last if "{" not in last else route.path.split("/")[1]
        assert shown in alike or re.search(rf"/{re.escape(shown)}\b", lines), route.path


def test_the_tournament_of_the_page_can_be_held() -> None:
    """The example of a tournament file for lecturers is valid."""
    page = (FOLDER / "lecturers.md").read_text(encoding="utf-8")
    [text] = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)

    plan = TournamentPlan.from_toml(text, "page")

    assert [entrant.player for entrant in plan.players] == ["mcts", "alphabeta"]
