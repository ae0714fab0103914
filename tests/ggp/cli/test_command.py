"""The command as users meet it: help, exit codes, and one line for every error."""

from __future__ import annotations

import contextlib
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

import ggp
from ggp import games as bundled
from ggp.cli import app, options
from ggp.players import registry
from tests.shared import REPOSITORY

VERBS = (
    *("serve", "match", "ping", "games", "replay", "check", "format", "bench", "analyze", "play"),
    *("lecture", "players"),
)
MEASURED = ("playouts", "search")  # what `ggp bench` measures


def run(*args: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run `ggp` in this process, without a terminal."""
    settings = {"NO_COLOR": "1", "COLUMNS": "120", **environment}
    with contextlib.chdir(REPOSITORY):
        done = CliRunner().invoke(app, list(args), env=settings, prog_name="ggp")
    return subprocess.CompletedProcess(args, done.exit_code, done.stdout, done.stderr)


def run_process(*args: str) -> subprocess.CompletedProcess[str]:
    """Run `ggp` as a user does, without a terminal."""
    return subprocess.run(
        [sys.executable, "-m", "ggp", *args],
        cwd=REPOSITORY,
        env={**os.environ, "NO_COLOR": "1", "COLUMNS": "120"},
        capture_output=True,
        text=True,
        timeout=600,
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
        (["macth"], 2, "ggp: there is no verb 'macth'; did you mean match?"),
        (["--versoin"], 2, "ggp: there is no option --versoin; did you mean --version?"),
        (["--version=3"], 2, "ggp: --version takes no value"),
        (["match"], 2, "ggp match: GAME is missing"),
        (["match", "nim"], 2, "ggp match: PLAYER... is missing"),
        (["games", "nim", "pig"], 2, "ggp games: expected the NAME of one game; only"),
        (["match", "nim", "legal", "legal", "--save"], 2, "--save: expected FILE after it"),
        (["serve", "--porrt", "1"], 2, "there is no option --porrt; did you mean --port?"),
        (["serve", "--port", "99999"], 2, "--port: expected a whole number from 0 to 65535, got"),
        (["serve", "--port=x"], 2, "expected a whole number from 0 to 65535, got 'x'"),
        (["serve", "--margin", "-1"], 2, "--margin: expected a number of at least 0, got '-1'"),
        (["serve", "--log-level", "x"], 2, "expected one of debug, info, warning, error, got 'x'"),
        (
            ["match", "ticTacToe", "mcts"],
            2,
            "2 roles (xplayer, oplayer), so expected 2 players, got 1",
        ),
        (["match", "pig", "mcts"], 2, "random is played by the referee"),
        (["match", "ticTacToe", "mcst", "legal"], 2, "did you mean mcts"),
        (["match", "ticTacToe", "mcts:d=1", "legal"], 2, "unknown option 'd'"),
        (["match", "ticTacToe", "legal", "legal", "--playclock", "0"], 2, "--playclock"),
        (["match", "ticTacToe", "legal", "legal", "--save", "/no/such/x"], 2, "no folder /no/such"),
        (["match", "ticTacToe", "legal", "legal", "--save", "/tmp"], 2, "/tmp is a folder"),
        (["match", "ticTacTo", "mcts"], 2, "did you mean ticTacToe"),
        (["match", "no.kif", "mcts"], 2, "no.kif: there is no such file"),
        (["match", "/tmp", "mcts"], 2, "/tmp: expected a file, but this is a folder"),
        (["match", sys.executable, "mcts"], 2, "expected text, got a binary file"),
        (["match", "nim", "a=b:c", "legal"], 2, "NAME:KEY=VALUE"),
        (["match", "nim", "a=b:c", "legal"], 2, "or an address http://HOST:PORT"),
        (["match", "nim", "no.such:Player", "legal"], 2, "or an address http://HOST:PORT"),
        (["match", "nim", "ftp://foo", "legal"], 2, "expected an address http://HOST:PORT"),
        (["match", "nim", "http://", "legal"], 2, "expected an address http://HOST:PORT"),
        (
            ["match", "nim", "legal", "http://127.0.0.1:1"],
            1,
            "127.0.0.1:1: no program listens there",
        ),
        (["ping", "ftp://foo"], 2, "expected an address http://HOST:PORT, got ftp://"),
        (["ping", "http://127.0.0.1:99999"], 2, "with a port from 1 to 65535"),
        (["games", "README.md"], 2, "README.md is a file; show its rules"),
        (["games", "chess960"], 2, "unknown game 'chess960'"),
        (["games", "nim", "--notation", "kif"], 2, "--notation needs --source"),
        (["games", "--source"], 2, "--source needs the NAME"),
        (["games", "--prose"], 2, "--prose needs the NAME"),
        (["games", "nim", "--prose", "--json"], 2, "give only one of --prose, --source and --json"),
        (["games", "nim", "--source", "--notation", "pdf"], 2, "expected kif or epilog, got: pdf"),
        (["replay", "nim", "no.jsonl"], 2, "no.jsonl: there is no such file or folder"),
        (["replay", "nim", sys.executable], 2, "expected text in UTF-8, got a binary file"),
        (["replay", "nim", "README.md"], 1, "README.md:1: expected a line of JSON"),
        (["replay", "games", "README.md"], 2, "expected one folder of traces"),
        (["bench", "plyouts"], 2, "there is no verb 'plyouts'; did you mean playouts?"),
        (["bench", "playouts"], 2, "ggp bench playouts: GAME|FILE... is missing"),
        (["bench", "playouts", "nim", "--threads", "0"], 2, "expected a whole number from 1 to"),
        (
            ["bench", "playouts", "nim", "--seconds", "nan"],
            2,
            "--seconds: expected a finite number of",
        ),
        (["bench", "playouts", "nim", "--engine", "x"], 2, "lanes, scalar, interpreter, got 'x'"),
        (["bench", "playouts", "nim", "--enigne", "lanes"], 2, "did you mean --engine"),
        (
            ["bench", "playouts", "nim", "nimm"],
            2,
            "ggp bench playouts: nimm: there is no file and no bundled game",
        ),
        (
            ["bench", "search", "nim", "--player", "random"],
            2,
            "expected a player that keeps a search tree",
        ),
        (
            ["bench", "search", "nim", "--player", "greedy", "--threads", "2"],
            2,
            "cannot search with several threads",
        ),
        (["analyze", "nim", "--engine", "scalar", "--player", "mcst"], 2, "did you mean mcts"),
        (["analyze", "nim", "--time", "5"], 2, "no option --time; did you mean --seconds? (see"),
        (["match", "nim", "legal", "legal", "--time", "5"], 2, "did you mean --playclock? (see"),
        (["match", "nim", "legal", "legal", "-n", "40"], 2, "did you mean --matches? (see"),
        (["games", "nim", "--svg", "x.svg"], 2, "did you mean --picture? (see"),
        (["bench", "playouts", "nim", "--workers", "2"], 2, "did you mean --threads? (see"),
        (["ping", "http://x", "--zzz"], 2, "there is no option --zzz (see"),
        (["play", "nim", "mcts"], 2, "got also: mcts; did you mean --against mcts? (see"),
        (["play", "nim", "http://x:1"], 2, "did you mean --against http://x:1? (see"),
        (["play", "nim", "nonsense"], 2, "got also: nonsense (see"),
        (["serve", "greedy"], 2, "did you mean --player greedy? (see"),
        (["serve", "9000"], 2, "did you mean --port 9000? (see"),
        (["lecture", "alphabeta", "x.svg"], 2, "did you mean --svg x.svg? (see"),
        (["validate"], 2, "ggp: there is no verb 'validate'; did you mean check?"),
        (["train"], 2, "ggp: there is no verb 'train'; did you mean learn?"),
        (["help"], 2, "ggp: there is no verb 'help'; did you mean --help?"),
        (["players", "mcst"], 2, "unknown player 'mcst': did you mean mcts"),
        (["check", "no.kif"], 2, "ggp check: no.kif: there is no such file"),
        (["format", "--write", "-"], 2, "it cannot change standard input (-)"),
        (["format", "--write", "nim"], 2, "nim is a bundled game"),
    ],
)
def test_every_error_is_one_line(
    args: list[str], code: int, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On standard error, with what was expected, after the verb; no stack trace."""
    monkeypatch.chdir(REPOSITORY)

    done = CliRunner().invoke(app, args)

    assert (done.exit_code, done.stdout) == (code, "")
    assert said in done.stderr
    assert len(done.stderr.splitlines()) == 1
    words = args[:2] if args[0] == "bench" and args[1] in MEASURED else args[:1]
    verb = " ".join(["ggp", *words]) if args[0] in VERBS else "ggp"
    assert done.stderr.startswith(f"{verb}: ")


@pytest.mark.parametrize(
    ("args", "code", "said"),
    [
        (
            ["games", "nim", "--picture", "/no/such/x.svg"],
            2,
            "--picture: there is no folder /no/su",
        ),
        (["lecture", "alphabeta", "--svg", "/no/such/x"], 2, "--svg: there is no folder /no/such"),
        (["learn", "nim", "--out", "/no/such/x"], 2, "--out: there is no folder /no/such"),
        (["learn", "nim", "--curve", "/no/such/x"], 2, "--curve: there is no folder /no/such"),
        (["book", "build", "nim", "--out", "/no/such/x"], 2, "--out: there is no folder /no/such"),
        (["play", "nim", "--adviser", "nobody"], 2, "--adviser: unknown player 'nobody'"),
        (["serve", "--memory", "64"], 2, "--memory: expected 0 for no limit, or at least 1024 MB"),
        (
            ["match", "nim", "legal", "legal", "--playclock", "3601"],
            2,
            "from 1 to 3600, got '3601'",
        ),
        (
            ["match", "nim", "legal", "legal", "--startclock", "9999"],
            2,
            "from 1 to 3600, got '9999",
        ),
        (["play", "nim", "--clock", "3601"], 2, "--clock: expected a whole number from 1 to 3600"),
        (["match", "nim", "legal", "mcts:memory=99999999999"], 2, "number from 1 to 65536, got"),
        (["play", "nim", "--against", "first=legal"], 2, "--against: first is your own role"),
        (["learn", "nim", "--games", "-1"], 2, "expected a whole number from 0 to 1000000, got"),
        (
            ["match", "nim", "legal", "mcts:c=x"],
            2,
            "option c: expected auto or a number of at least 0",
        ),
        (
            ["match", "nim", "legal", "legal", "--wrong"],
            2,
            "no option --wrong (see ggp match --help",
        ),
        (["manager", "--token", ""], 2, "--token: token: expected letters, digits and signs, such"),
        (
            ["manager", "--token", " "],
            2,
            "got nothing; if no token is given, the manager generates",
        ),
        (["manager", "--player-files", "/no/folder"], 2, "--player-files"),
        (["manager", "--db", "foo"], 2, "--db: database 'foo': expected sqlite:///FILE or"),
        (["manager", "--db", "sqlite:////no/x.db"], 2, "database sqlite:////no/x.db: unable to"),
    ],
)
def test_what_cannot_be_is_said_before_the_work(args: list[str], code: int, said: str) -> None:
    """A missing folder, an adviser, a database: in one line that names the option, as wrong use."""
    done = CliRunner().invoke(app, args)

    assert (done.exit_code, done.stdout) == (code, "")
    assert said in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert done.stderr.startswith(f"ggp {args[0]}")


@pytest.mark.parametrize("args", [["manager"], ["tournament", "cup.toml"]])
def test_hosting_says_what_to_install(args: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Its packages are an extra; where they are missing, a line says how to get them."""
    monkeypatch.setitem(sys.modules, "sqlalchemy", None)

    done = CliRunner().invoke(app, args)

    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr == (
        f"ggp {args[0]}: hosting needs sqlalchemy, which is not installed; "
        "type  pip install 'ggp-agent[manager]'  or, in a clone,  pip install '.[manager]'\n"
    )


def test_an_error_in_the_rules_shows_the_place(tmp_path: Path) -> None:
    """File, line, column, and the line with a caret under it."""
    rules = tmp_path / "bad.kif"
    rules.write_text("(role x)\n(init (cell 1 1 b)\n")

    done = run("match", str(rules), "legal")

    assert done.returncode == 1
    first, *picture = done.stderr.splitlines()
    assert first.startswith(f"ggp match: {rules}:2:1: ")
    assert picture[:2] == ["    (init (cell 1 1 b)", "    ^"]
    assert picture[2:] == [f"ggp check {rules} tells more about these rules"]


@pytest.mark.parametrize("verb", ["", *VERBS, "bench playouts", "bench search"])
def test_help_speaks_the_language_of_the_documentation(verb: str) -> None:
    """`-h` is `--help`; flags take nothing, values are called as the documentation calls them."""
    short, long = (run(*verb.split(), option, COLUMNS="80").stdout for option in ("-h", "--help"))

    assert short == long
    assert re.search(r"<\w+", long) is None
    assert all(len(line) <= 80 for line in long.splitlines())


def test_usage_names_the_arguments() -> None:
    """`GAME PLAYER...`, and in brackets what may be left out."""
    assert "ggp match [OPTIONS] GAME PLAYER..." in run("match", "-h").stdout
    assert "ggp games [OPTIONS] [NAME]" in run("games", "-h").stdout


def test_help_texts_are_broken_by_the_screen_only() -> None:
    """A paragraph of the help has no line breaks of its own."""
    wide = run("serve", "-h", COLUMNS="300").stdout

    assert (
        "a Dresden GameController. The server answers each in its own dialect. Ctrl-C stops" in wide
    )


def test_an_error_of_a_real_process_is_one_line() -> None:
    """Nothing that a test within the process would not see."""
    done = run_process("macth", "ticTacToe", "mcts")

    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1


def test_a_closed_pipe_is_no_error_to_speak_of() -> None:
    """`ggp games | head -1` ends without a word."""
    command = f"{sys.executable} -m ggp games --json | true"

    done = subprocess.run(
        ["bash", "-c", command], cwd=REPOSITORY, capture_output=True, text=True, check=False
    )

    assert done.stderr == ""


def test_help_of_serve_names_all_players() -> None:
    """They are written twice, so that `--help` need not import them."""
    assert tuple(sorted(registry.BUILT_IN)) == options.BUILT_IN
    shown = " ".join(run("serve", "--help", COLUMNS="300").stdout.split())
    assert ", ".join(options.BUILT_IN) in shown


def test_players_and_their_options_are_listed() -> None:
    """All of them with a line each; of one, every option with its default and its meaning."""
    listed, one, as_json = run("players"), run("players", "mcts"), run("players", "--json")

    assert all(re.search(rf"^ ?{name} ", listed.stdout, re.M) for name in registry.BUILT_IN)
    for option in registry.BUILT_IN["mcts"].OPTIONS:
        default = "none" if option.default in (None, "") else option.default
        assert re.search(rf"^ ?{option.name} +{default}", one.stdout, re.M)
    [legal] = [each for each in json.loads(as_json.stdout) if each["name"] == "legal"]
    assert legal["options"] == []


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


def test_the_rules_of_a_game_or_a_file_are_told_in_prose(tmp_path: Path) -> None:
    """By the name of a game, or of a file."""
    file = tmp_path / "mine.kif"
    file.write_text(bundled.text("nim"))

    told, of_file = run("games", "nim", "--prose"), run("games", str(file), "--prose")

    assert "may play `" in told.stdout
    assert of_file.stdout == told.stdout


@pytest.mark.parametrize(("notation", "start"), [("kif", "(role"), ("epilog", "role(")])
def test_the_source_of_a_game_is_printed(notation: str, start: str) -> None:
    """In either notation."""
    done = run("games", "nim", "--source", "--notation", notation)

    assert any(line.startswith(start) for line in done.stdout.splitlines())
