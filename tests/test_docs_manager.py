"""docs/manager.md keeps its word: every curl line in it is run, and gets the answer it shows."""

from __future__ import annotations

import asyncio
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from ggp.engine.pool import KERNELS
from ggp.manager.app import ROUTES, running
from ggp.tournament.plan import TournamentPlan
from tests.fakes.forkers import Forker
from tests.fakes.modules import Source, forked_modules, start_source
from tests.fakes.quick_sqlite import quick_sqlite
from tests.ggp.manager.api.course import NETWORK
from tests.ggp.manager.desk import config_for, desk
from tests.shared import REPOSITORY

PAGE = (REPOSITORY / "docs" / "manager.md").read_text(encoding="utf-8")
ADDRESS = "http://127.0.0.1:8080"
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"^\$ (.+)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)
BEFORE, ACCOUNTS = PAGE.split("### Accounts over HTTP\n")


def commands(text: str) -> list[tuple[str, str]]:
    """The command lines of a text, each with the answer that it shows."""
    return [found for block in BLOCK.findall(text) for found in COMMAND.findall(block)]


COMMANDS = commands(BEFORE)


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


@pytest.fixture
def curl() -> None:
    """What runs the lines of the page."""
    if shutil.which("curl") is None or shutil.which("bash") is None:
        pytest.skip("needs curl and bash")


async def answer(folder: Path, line: str, shown: str) -> str:
    """What a line prints; it must be what the page shows, three dots stand for anything."""
    process = await asyncio.create_subprocess_exec(
        *("bash", "-c", line), stdout=subprocess.PIPE, cwd=folder
    )
    printed = (await process.communicate())[0].decode()
    pattern = ".*".join(re.escape(part) for part in shown.strip().split("..."))
    is_cut = shown.strip().endswith("...")
    found = re.match(pattern + ("" if is_cut else r"\s*\Z"), printed, re.DOTALL)
    assert found, f"{line[:120]}: {printed[:500]}"
    return printed


@pytest.mark.usefixtures("curl")
async def test_every_line_of_the_page_gets_the_answer_it_shows(tmp_path: Path) -> None:
    """In the order of the page, against one manager; KEY stands for the key told last."""
    key = ""
    async with running(config_for(tmp_path)) as address:
        for line, shown in COMMANDS:
            given = re.sub(r"\bKEY\b", key, line)
            printed = await answer(tmp_path, given.replace(ADDRESS, address), shown)
            for told in re.findall(r'"(?:key|xplayer)": "([\w-]{20,})"', printed):
                key = told


@pytest.mark.usefixtures("curl")
async def test_every_line_about_accounts_gets_the_answer_it_shows(tmp_path: Path) -> None:
    """Against a manager that has some; KEY and TOKEN stand for the key that was told last."""
    pytest.importorskip("argon2", reason="needs argon2-cffi, of the extra `manager`")
    async with desk(tmp_path, has_accounts=True, player_networks=(NETWORK,)) as (service, client):
        assert service.invitations is not None
        key = await service.invitations.first_host()
        assert key is not None
        for line, shown in commands(ACCOUNTS):
            given = re.sub(r"\b(KEY|TOKEN)\b", key, line)
            printed = await answer(
                tmp_path, given.replace(ADDRESS, str(client.make_url("")).rstrip("/")), shown
            )
            for told in re.findall(r'"key": "(.+?)"', printed):
                key = told


def test_the_page_shows_the_operations() -> None:
    """All but a few that are like those it shows."""
    lines = "\n".join(line for line, _ in COMMANDS)
    alike = {"take-back", "try", "statistics", "rules"}

    for route in ROUTES:
        last = route.path.rpartition("/")[2]
        shown = last if "{" not in last else route.path.split("/")[1]
        assert shown in alike or re.search(rf"/{re.escape(shown)}\b", lines), route.path


def test_the_tournament_of_the_page_can_be_held() -> None:
    """Its file is one."""
    [text] = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)

    plan = TournamentPlan.from_toml(text, "page")

    assert [entrant.player for entrant in plan.players] == ["mcts", "alphabeta"]
