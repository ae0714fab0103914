"""The command as users meet it: help, exit codes, and one line for every error."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import ggp
from tests.shared import REPOSITORY


def run(*args: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run `ggp` as a user does, without a terminal."""
    return subprocess.run(
        [sys.executable, "-m", "ggp", *args],
        cwd=REPOSITORY,
        env={**os.environ, "NO_COLOR": "1", "COLUMNS": "120", **environment},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_without_arguments_the_verbs_are_listed() -> None:
    """`ggp` alone is `ggp --help`."""
    alone, asked = run(), run("--help")

    assert alone.returncode == 0
    assert alone.stdout == asked.stdout
    assert all(verb in alone.stdout for verb in ("match", "games", "replay", "serve"))


def test_version_is_that_of_the_package() -> None:
    """`ggp --version` says what is installed."""
    assert run("--version").stdout == f"ggp {ggp.__version__}\n"


@pytest.mark.parametrize(
    ("args", "code", "said"),
    [
        (["macth"], 2, "No such command 'macth'"),
        (["match"], 2, "Missing argument"),
        (["match", "ticTacToe", "mcts"], 2, "2 roles (xplayer, oplayer), so expected 2 PLAYER"),
        (["match", "pig", "mcts"], 2, "random is played by the referee"),
        (["match", "ticTacToe", "mcst", "legal"], 2, "did you mean mcts"),
        (["match", "ticTacToe", "mcts:d=1", "legal"], 2, "unknown option 'd'"),
        (["match", "ticTacToe", "legal", "legal", "--playclock", "0"], 2, "--playclock"),
        (["match", "ticTacToe", "legal", "legal", "--save", "/no/such/x"], 2, "no folder /no/such"),
        (["match", "ticTacTo", "mcts"], 1, "did you mean ticTacToe"),
        (["match", "no.kif", "mcts"], 1, "no.kif: No such file"),
        (["match", "ticTacToe", "legal", "http://127.0.0.1:1"], 1, "cannot connect"),
        (["games", "chess960"], 1, "unknown game 'chess960'"),
        (["games", "--source"], 2, "--source needs the NAME"),
        (["games", "nim", "--source", "--notation", "pdf"], 2, "expected kif or epilog, got: pdf"),
        (["replay", "nim", "no.jsonl"], 1, "no.jsonl"),
        (["replay", "games", "no.jsonl"], 1, "expected one folder of traces"),
    ],
)
def test_every_error_is_one_line(args: list[str], code: int, said: str) -> None:
    """On standard error, with what was expected; nothing on standard output, no stack trace."""
    done = run(*args)

    assert (done.returncode, done.stdout) == (code, "")
    assert said in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_an_error_in_the_rules_shows_the_place(tmp_path: Path) -> None:
    """File, line, column, and the line with a caret under it."""
    rules = tmp_path / "bad.kif"
    rules.write_text("(role x)\n(init (cell 1 1 b)\n")

    done = run("match", str(rules), "legal")

    assert done.returncode == 1
    first, *picture = done.stderr.splitlines()
    assert first.startswith(f"{rules}:2:1: ")
    assert picture == ["    (init (cell 1 1 b)", "    ^"]


def test_a_closed_pipe_is_no_error_to_speak_of() -> None:
    """`ggp games | head -1` ends without a word."""
    command = f"{sys.executable} -m ggp games --json | true"

    done = subprocess.run(
        ["bash", "-c", command], cwd=REPOSITORY, capture_output=True, text=True, check=False
    )

    assert done.stderr == ""


def test_help_does_not_load_what_is_heavy() -> None:
    """`ggp --help` answers at once because pyparsing, aiohttp and the language stay unloaded."""
    script = (
        "import sys, ggp.cli\n"
        "sys.argv = ['ggp', '--help']\n"
        "try: ggp.cli.main()\n"
        "except SystemExit: pass\n"
        "print([m for m in ('pyparsing', 'aiohttp', 'gdl', 'asyncio') if m in sys.modules])\n"
    )

    done = subprocess.run(
        [sys.executable, "-c", script], cwd=REPOSITORY, capture_output=True, text=True, check=True
    )

    assert done.stdout.splitlines()[-1] == "[]"


def test_games_are_listed_and_shown() -> None:
    """The table names every game; one game comes with its rules and its counts."""
    table, one = run("games"), run("games", "ticTacToe")

    assert "Tic-tac-toe" in table.stdout
    assert "connectFour" in table.stdout
    assert "9, 72, 504" in one.stdout
    assert "xplayer, oplayer" in one.stdout


def test_games_as_json_have_the_same_content() -> None:
    """A list of all, or the one asked for."""
    listed = json.loads(run("games", "--json").stdout)
    one = json.loads(run("games", "nim", "--json").stdout)

    assert one in listed
    assert one["roles"] == ["first", "second"]


@pytest.mark.parametrize(("notation", "start"), [("kif", "(role"), ("epilog", "role(")])
def test_the_source_of_a_game_is_printed(notation: str, start: str) -> None:
    """In either notation."""
    done = run("games", "nim", "--source", "--notation", notation)

    assert any(line.startswith(start) for line in done.stdout.splitlines())
