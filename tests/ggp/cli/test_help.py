"""What `ggp VERB --help` says, and what it need not load to say it."""

from __future__ import annotations

import inspect
import json
import shlex
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from importlib import import_module
from importlib.metadata import version
from typing import Any

import pytest
import typer

from ggp import games
from ggp.cli import app
from ggp.cli.verbs import VERBS as ALL_VERBS
from ggp.cli.verbs import Several, command_of, words_of
from tests.shared import REPOSITORY
from tests.thorough import all_but

LEAVES: dict[str, str] = {
    leaf: summary
    for name, verb in ALL_VERBS.items()
    for leaf, summary in (
        {f"{name} {inner}": text for inner, text in verb.verbs.items()}
        | ({name: verb.summary} if verb.is_verb else {})
        if isinstance(verb, Several)
        else {name: verb}
    ).items()
}
"""The verbs with those of groups, and the first line of each one's help."""
ROOT: Any = typer.main.get_command(app)

HEAVY = (
    "aiohttp",
    "alembic",
    "asyncio",
    "gdl",
    "importlib.metadata",
    "jinja2",
    "llvmlite",
    "numba",
    "numpy",
    "prompt_toolkit",
    "pyparsing",
    "ray",
    "sqlalchemy",
)
QUICK: tuple[tuple[list[str], set[str]], ...] = (
    (["--version"], {"asyncio", "gdl"}),
    (["games"], {"asyncio", "numba", "numpy", "pyparsing", "typer.rich_utils"}),
    (["games", "nim", "--json"], {"asyncio", "numba", "numpy", "pyparsing", "rich.console"}),
    (["ping", "http://127.0.0.1:1"], {"numba", "aiohttp", "sqlalchemy"}),
    (["check", "nim", "--no-play"], {"asyncio", "numba", "aiohttp", "sqlalchemy"}),
    (["format", "nim"], {"asyncio", "numba", "aiohttp", "sqlalchemy"}),
    (["match", "ticTacToe", "legal", "legal", "--quiet"], {"ray"}),
    # No machine has this address: the server ends before it listens.
    (["serve", "--host", "192.0.2.1"], {"gdl", "ggp.players", "jinja2", "numpy", "pyparsing"}),
)
"""Commands, and what they need not load."""
FORKING = """
import json, os, sys
from ggp.cli import main
for args in json.loads(sys.argv[1]):
    if "--help" in args: import typer.rich_utils  # each needs it
    if os.fork() == 0:
        sys.argv = ["ggp", *args]
        try: main()
        except SystemExit: print("\\nLOADED", json.dumps([args, [*sys.modules]]), flush=True)
        os._exit(0)
    os.wait()
"""


FEW = ("", "match", "bench search", "tournament")
"""Verbs whose help every run asks for: with and without inner verbs, light and heavy."""


@cache
def _loaded(*, is_whole: bool) -> dict[tuple[str, ...], set[str]]:
    """Modules loaded when each command ends: all in one go, as a process is slow to start."""
    commands = [args for args, _ in QUICK]
    commands += [[*verb.split(), "--help"] for verb in (("", *LEAVES) if is_whole else FEW)]
    done = subprocess.run(
        [sys.executable, "-c", FORKING, json.dumps(commands)],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        check=True,
    )
    loaded = [json.loads(line[7:]) for line in done.stdout.splitlines() if line[:7] == "LOADED "]
    return {tuple(args): set(modules) for args, modules in loaded}


@pytest.fixture(scope="module")
def loaded_by() -> Callable[..., set[str]]:
    """A function for the modules that a process has loaded when it ends."""
    quick = _loaded(is_whole=False)
    return lambda *args: quick[args] if args in quick else _loaded(is_whole=True)[args]


@pytest.mark.parametrize("verb", all_but(FEW, ["", *LEAVES], is_whole=True))
def test_help_loads_nothing_heavy(verb: str, loaded_by: Callable[..., set[str]]) -> None:
    """`ggp VERB --help` answers at once: no reasoner, server or database, and no other verb."""
    loaded = loaded_by(*verb.split(), "--help")

    assert loaded.isdisjoint(HEAVY)
    others = {*ALL_VERBS} - {*verb.split()[:1]}
    assert not [one for one in others if f"ggp.cli.{one}" in loaded]


def test_help_does_not_load_pydantic(loaded_by: Callable[..., set[str]]) -> None:
    """The reader of the command line does without it, in the versions that are asked for."""
    if version("typer") >= "0.28":
        pytest.skip("this typer is newer than what pyproject.toml asks for")

    assert "pydantic" not in loaded_by("--help")


@pytest.mark.parametrize(("args", "unneeded"), QUICK)
def test_what_is_quick_loads_nothing_that_it_does_not_need(
    args: list[str], unneeded: set[str], loaded_by: Callable[..., set[str]]
) -> None:
    """Looking something up does not wait for the reasoner that compiles."""
    assert loaded_by(*args).isdisjoint(unneeded)


def help_of(verb: str) -> str:
    """What is written in the function of a verb."""
    module, *_ = words = verb.split()
    group = ALL_VERBS[module]
    if isinstance(group, Several) and len(words) > 1:
        module = group.module or module
    return inspect.getdoc(getattr(import_module(f"ggp.cli.{module}"), words[-1])) or ""


@pytest.mark.parametrize("verb", LEAVES)
def test_examples_in_the_help_are_well_formed(verb: str) -> None:
    """There is one at least, and each names a verb, and options and values that it takes."""
    _, _, examples = help_of(verb).partition("Examples:")
    lines = examples.split("\n")[1:]

    assert any(line.strip().startswith(f"ggp {verb}") for line in lines)
    for line in lines:
        [program, *args] = shlex.split(line)
        words = words_of(ROOT, args)
        command_of(ROOT, args).make_context(words[-1], args[len(words) :])
        assert program == "ggp"


def test_examples_of_games_are_bundled_games_or_files() -> None:
    """So that they can be tried as they stand."""
    _, _, examples = help_of("games").partition("Examples:")
    named: set[str] = set()
    for line in examples.split("\n")[1:]:
        args = shlex.split(line)[1:]
        named |= set(command_of(ROOT, args).make_context("games", args[1:]).params["names"])

    assert {name for name in named if "." not in name} <= set(games.names())


@pytest.mark.parametrize("verb", LEAVES)
def test_the_list_of_verbs_has_the_first_line_of_each_help(verb: str) -> None:
    """It is written twice, so that the list need not load the verbs."""
    [first, *_] = help_of(verb).split("\n\n")

    assert " ".join(first.split()) == LEAVES[verb]
