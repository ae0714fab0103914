"""Paths on the command line: whatever is wrong with one is said in a line that names it.

Which options and arguments take a path, the parsers say, so that new ones are tried as well.
"""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import typer
from typer.testing import CliRunner

from ggp.cli import app
from ggp.cli.verbs import VERBS, Several, command_of

pytestmark = pytest.mark.usefixtures("kernels")

FILLED = {
    "FACT": ["(control xplayer)"],
    "PLAYER...": ["legal", "legal"],
    "RECORD": ["match.json"],
    "TRACE...": ["match.json"],
    "FILE": ["cup.toml"],
}
"""Words for arguments that must be there; others are games, and where they are not:"""
FILLED_FOR = {
    "grade files": "mine.py",
    "book show book": "nim.book",
    "manager backup file": "new.backup",
    "manager collect folder": "folder",
}
NEEDED = {
    "lecture --svg": ["bins"],
    "manager collect folder": ["--submissions", "folder"],
    "manager collect --db": ["--submissions", "folder"],
    "manager prune --db": ["--older-than", "1"],
}
ENDINGS = {"games --picture": ".svg"}
CUP = """
form = "round-robin"
games = ["ticTacToe"]
players = ["random", "legal"]
startclock = 1
playclock = 1
"""
MINE = """
from ggp.players import Player

class Mine(Player):
    def choose(self, state, deadline):
        return self.legal_moves(state)[0]
"""


class Place(NamedTuple):
    """An option or an argument that takes a path, and all of its verb."""

    verb: str
    param: Any
    params: list[Any]

    @property
    def name(self) -> str:
        """The verb, and the option."""
        return f"{self.verb} {self.param.opts[0]}"


def places() -> Iterator[Place]:
    """All of them."""
    root = typer.main.get_command(app)
    groups = {name: verb.verbs for name, verb in VERBS.items() if isinstance(verb, Several)}
    singles = [name for name in VERBS if name not in groups]
    for verb in [*singles, *(f"{name} {sub}" for name, subs in groups.items() for sub in subs)]:
        params = command_of(root, verb.split()).params
        for param in params:
            kind = re.search("GAME|FILE|FOLDER|RECORD|RULES|TRACE|PLAYER", str(param.metavar))
            if kind or param.type.name == "path" or param.opts == ["--db"]:
                yield Place(verb, param, params)


PLACES = {place.name: place for place in places()}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What verbs need beside a wrong path, and things that are none."""
    found = tmp_path_factory.mktemp("paths")
    (found / "mine.py").write_text(MINE)
    (found / "cup.toml").write_text(CUP)
    (found / "plain.txt").write_text("")
    (found / "folder").mkdir()
    (found / "loop").symlink_to(found / "loop")
    (found / "loop.svg").symlink_to(found / "loop.svg")
    (found / "locked").write_text("")
    (found / "locked").chmod(0)
    record, book = str(found / "match.json"), str(found / "nim.book")
    for args in ("match ticTacToe legal legal --save", record), ("book build nim --out", book):
        assert CliRunner().invoke(app, [*args[0].split(), args[1]]).exit_code == 0
    return found


def wrong_paths(place: Place) -> Iterator[str]:
    """Missing, below a file, of the wrong kind, without an end, too long, not to be read."""
    ending = ENDINGS.get(place.name, "")
    yield from (f"nowhere/lost{ending}", f"plain.txt/lost{ending}", f"loop{ending}")
    yield "n" * 300 + ending
    if not ending:
        yield "plain.txt" if place.param.metavar == "FOLDER" else "folder"
    is_saved = place.param.type.name == "path" and place.param.opts[0].startswith("--")
    if not ending and not (is_saved and os.geteuid() == 0):
        yield "/proc/self/mem" if os.geteuid() == 0 else "locked"  # who is root may read all else


def command(place: Place, path: str) -> list[str]:
    """A command line with a path in its place, and all else as it should be."""
    values = [path]
    if "PLAYER" in str(place.param.metavar):
        values = [f"mcts:book={path}", *["legal"] * (place.verb == "match")]
    elif place.param.opts == ["--db"]:
        values = [f"sqlite:///{path}"]
    arguments, options = [], NEEDED.get(place.name, [])
    for param in place.params:
        name = param.opts[0]
        filled = FILLED.get(str(param.metavar), ["ticTacToe"])
        given = FILLED_FOR.get(f"{place.verb} {name}")
        words = values if param is place.param else [given] if given else filled
        if name.startswith("-") and (param is place.param or param.metavar == "GAME..."):
            options = [*options, name, *words]
        elif not name.startswith("-") and (param is place.param or param.required):
            arguments += words
    return [*place.verb.split(), *arguments, *options]


@pytest.mark.parametrize("name", PLACES)
def test_a_wrong_path_is_named(name: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In one line, by its option or itself; nothing is begun, and nothing is left."""
    monkeypatch.chdir(folder)
    monkeypatch.setattr(logging.root, "handlers", [])
    place, before = PLACES[name], sorted(folder.iterdir())
    for path in wrong_paths(place):
        result = CliRunner().invoke(app, command(place, path))

        said = result.stderr.strip()
        assert result.exit_code in {1, 2}, (path, result.output)
        assert said.startswith(f"ggp {place.verb}: "), path
        assert "\n" not in said, path
        assert any(name in said for name in (path, place.param.opts[0], "FILE: ")), said
        assert not re.search("internal error|number|Errno", said), said
        assert sorted(folder.iterdir()) == before
