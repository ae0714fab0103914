"""The tutorials keep their word: files are saved, commands run, and answers are those shown."""

from __future__ import annotations

import asyncio
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ggp.cli import app
from ggp.submission.confinement import is_possible
from tests.fakes.forkers import OWN
from tests.ggp.manager.desk import desk
from tests.shared import REPOSITORY

pytestmark = pytest.mark.usefixtures("kernels")

STEP = re.compile(
    r"[Ss]ave this as `(?P<file>[\w.]+)`[^`]*?```\w+\n(?P<text>.*?)^```$"
    r"|^```console\n(?P<session>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
COMMAND = re.compile(r"^\$ (.+)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)
QUICK = {
    "--show-output": "--show-output --startclock 60 --playclock 60",
    "--minutes 2": "--batches 2 --gate-matches 0",
    "ggp match": "ggp match --engine interpreter",
}
"""What stands in the place of that which takes minutes, or a core for more than a moment."""
PAGES = ("first_player", "first_game", "first_training")
ADDRESS = "http://127.0.0.1:8080"


@pytest.fixture(autouse=True)
def own_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Engines are started in the folder of the test, whatever other tests have them forked from."""
    for (owner, name), means in OWN.items():
        monkeypatch.setattr(owner, name, means)


def commands(name: str) -> Iterator[tuple[str, str]]:
    """The command lines of a page, each with what it shows; files of the page are saved before."""
    page = REPOSITORY / "docs" / "tutorials" / f"{name}.md"
    for step in STEP.finditer(page.read_text(encoding="utf-8")):
        if step["file"]:
            Path(step["file"]).write_text(step["text"], encoding="utf-8")
        yield from COMMAND.findall(step["session"] or "")


def run(line: str) -> str:
    """What a command line prints, in this process if it is one of `ggp`."""
    for long, quick in QUICK.items():
        line = line.replace(long, quick)
    if line.startswith("ggp "):
        result = CliRunner().invoke(app, shlex.split(line)[1:])
        assert "internal error" not in result.stderr, result.stderr
        return result.stdout
    line = re.sub(r"^python ", f"{sys.executable} ", line)
    line = line.replace("| ggp ", f"| {sys.executable} -m ggp ")
    done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, check=False)
    return done.stdout


def assert_shown(line: str, shown: str, printed: str) -> None:
    """What is printed is what the page shows; three dots stand for anything, blanks for more."""
    # Tables are as wide as what stands in them.
    plain, said = (re.sub("─+", "─", text) for text in (shown, printed))
    words = [re.escape(word).replace(r"\.\.\.", ".*") for word in plain.split()]
    spaced = r"\s+".join(words).replace(r"\s+.*\s+", r"\s.*\s")
    assert re.fullmatch(rf"\s*{spaced}\s*", said, re.DOTALL), f"{line}\n{printed}"


@pytest.mark.thorough  # `tests/ggp/cli/test_tutorials.py` follows parts of two of them
@pytest.mark.parametrize("name", PAGES)
def test_the_tutorial_does_what_it_shows(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Step after step, in an empty folder."""
    if name == "first_training" and find_spec("gymnasium") is None:
        pytest.skip("needs the extra rl")
    if name == "first_player" and not is_possible():
        pytest.skip("the kernel cannot confine a process")
    monkeypatch.chdir(tmp_path)
    for line, shown in commands(name):
        assert_shown(line, shown, run(line))


@pytest.mark.thorough  # the manager's page is followed too: `test_docs_manager`
@pytest.mark.skipif(not is_possible(), reason="the kernel cannot confine a process")
@pytest.mark.skipif(shutil.which("curl") is None, reason="needs curl and bash")
async def test_the_course_can_be_held(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """KEY and SOURCE stand for those that were told last."""
    pytest.importorskip("argon2", reason="needs argon2-cffi, of the extra `manager`")
    monkeypatch.chdir(tmp_path)
    files = tmp_path / "players"
    files.mkdir()
    async with desk(tmp_path, has_accounts=True, submissions=files) as (service, client):
        assert service.invitations is not None
        told = {"KEY": str(await service.invitations.first_host()), "SOURCE": ""}
        address = str(client.make_url("")).rstrip("/")
        for line, shown in commands("first_course"):
            given = re.sub(r"\b(KEY|SOURCE)\b", lambda name: told[name[0]], line)
            printed = await asyncio.to_thread(run, given.replace(ADDRESS, address))
            assert_shown(line, shown, printed)
            for name, value in re.findall(r'"(key|source)": "(.+?)"', printed):
                told[name.upper()] = value
