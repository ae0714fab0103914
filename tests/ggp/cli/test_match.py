"""`ggp match` plays, shows, saves and counts."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from typer.testing import CliRunner

from ggp.cli import app
from ggp.cli.match import DialectName
from ggp.protocol.dialects import DIALECTS
from ggp.records.record import MatchRecord
from tests.shared import REPOSITORY
from tests.thorough import all_but

pytestmark = pytest.mark.usefixtures("ready_forkers", "kernels")

FAST = ["--startclock", "3", "--playclock", "2"]
CALM = ["--startclock", "60", "--playclock", "60"]
"""Clocks of players that are not meant to be late, however busy the machine is."""
STUCK = """
(role me) (init (count 1)) (<= (legal me go) (true (count 1)))
(next (count 0)) (<= terminal (true (count 9))) (goal me 0)
"""


Answer = str | Callable[[], str]


def run(*args: str, code: int = 0) -> str:
    """The output of `ggp` with these arguments."""
    result = CliRunner().invoke(app, list(args))
    assert result.exit_code == code, result.output
    return result.stdout


def test_a_match_shows_moves_states_and_a_table() -> None:
    """Plain lines without a terminal: the board, who moved, and the goals in the end."""
    shown = run("match", "ticTacToe", "legal", "random", "--seed", "1", *FAST)

    assert "legal (xplayer) against random (oplayer)" in shown
    assert "3 · · ·" in shown
    assert "  1. xplayer  (mark" in shown
    assert "goal   errors   mean time" in shown
    assert "\x1b" not in shown


def test_quiet_shows_the_table_only() -> None:
    """No move, no state."""
    shown = run("match", "ticTacToe", "legal", "random", "--quiet", *FAST)

    assert "mark" not in shown
    assert "xplayer   legal" in shown


def test_json_is_one_record_a_match_and_nothing_else() -> None:
    """Each line is a match in GGP-Base's JSON."""
    shown = run("match", "ticTacToe", "random", "legal", "--matches", "2", "--json", *FAST)

    records = [MatchRecord.from_text(line) for line in shown.splitlines()]

    assert len(records) == 2
    assert records[0].match_id != records[1].match_id
    assert all(record.is_completed for record in records)
    assert all(not any(map(any, record.errors)) for record in records)


def test_the_same_seed_gives_the_same_moves() -> None:
    """Chance and random players are repeatable."""
    args = ["match", "pig", "random", "random", "--seed", "5", "--json", *FAST]

    once, again = (json.loads(run(*args)) for _ in range(2))

    assert once["moves"] == again["moves"]


def test_several_matches_are_counted_and_saved(tmp_path: Path) -> None:
    """A line a match, a table of players over all of them, a numbered file each."""
    save = tmp_path / "out.json"

    shown = run(
        *["match", "ticTacToe", "legal", "random", "--matches", "2", "--swap", "--seed", "1"],
        *["--save", str(save), *FAST],
    )

    first, second = (
        MatchRecord.from_text((tmp_path / f"out-{number}.json").read_text()) for number in (1, 2)
    )
    assert (first.player_names, second.player_names) == (("legal", "random"), ("random", "legal"))
    assert "match 2 of 2: random (xplayer)" in shown
    assert "95 % interval" in shown


def test_a_match_at_its_limit_is_no_error() -> None:
    """It has no result, and says so."""
    shown = run("match", "ticTacToe", "legal", "legal", "--move-limit", "2", *FAST)

    assert "No result: the match reached the limit of 2 moves." in shown
    assert "legal#1" in shown


def test_rules_that_get_stuck_end_the_match_with_1(tmp_path: Path) -> None:
    """The error names the role; the record is saved all the same, as aborted."""
    rules, save = tmp_path / "stuck.kif", tmp_path / "out.json"
    rules.write_text(STUCK)

    result = CliRunner().invoke(app, ["match", str(rules), "legal", "--save", str(save), *FAST])

    assert result.exit_code == 1
    assert "the rules give role me no legal move on turn 2" in result.stderr
    assert f"ggp check {rules} tells more about these rules" in result.stderr
    assert MatchRecord.from_text(save.read_text()).is_aborted


UNGROUNDED = """
(role me) (init (s 0)) (<= (init (p)) (does me noop)) (legal me go)
(<= (next (s 1)) (true (s 0))) (<= terminal (true (s 1))) (goal me 50)
"""


def test_why_rules_are_not_compiled_is_said_without_a_place_nobody_knows(tmp_path: Path) -> None:
    """The player has the rules in one line, without a file; `ggp check` finds the place."""
    rules = tmp_path / "odd.kif"
    rules.write_text(UNGROUNDED)

    shown = run("match", str(rules), "mcts", "--startclock", "60")

    text = " ".join(shown.split())
    assert "<rules>" not in text
    assert "'init/1' depends on the state" in text
    assert "ggp check tells more about these rules" in text


CRASHING = """
from ggp.players import Player

class Crashing(Player):
    def choose(self, state, deadline):
        raise ValueError("oops")
"""


@pytest.mark.parametrize("source", all_but(["forked"], ["forked", "own"]))
def test_a_player_that_fails_does_not_look_healthy(
    source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    """Its moves are marked as fallbacks, and counted as errors.

    Processes of its own find its module in the current folder; others are told where it lies.
    """
    (tmp_path / "crashing_player.py").write_text(CRASHING)
    monkeypatch.chdir(tmp_path)
    module = f"{tmp_path}/crashing_player.py"
    if source == "own":
        request.getfixturevalue("own_processes")
        module = "crashing_player"

    args = [f"{module}:Crashing", "random", "--seed", "1", "--save", "match.json", *CALM]
    shown = run("match", "ticTacToe", *args)

    assert "  1. xplayer  (mark 1 1)   mark column 1, row 1   fallback: first legal" in shown
    assert re.search(r"^Errors of .*crashing_player(\.py)?:Crashing: \d fallback", shown, re.M)
    record = MatchRecord.from_text(Path("match.json").read_text())
    assert record.errors[1] == ("FB first legal", "")
    told = run("report", "match.json", "--rounds", "1")
    assert re.search(r"(\d) of \1 moves of xplayer, where it had a choice, were made for it", told)
    assert re.search(r"^ xplayer +- +0 +0 +0", told, re.M)


SLOW = """
import time
from ggp.players import Player

class Slow(Player):
    def choose(self, state, deadline):
        moves = self.legal_moves(state)
        time.sleep(1.5)
        return moves[0]
"""


def test_a_player_that_is_late_is_told_of_once_a_match(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """By its name and the playclock; the turns in which it had no choice lost nothing."""
    (tmp_path / "mine.py").write_text(SLOW)
    monkeypatch.chdir(tmp_path)
    clocks = ["--startclock", "3", "--playclock", "1", "--move-limit", "4"]

    slow = f"{tmp_path}/mine.py:Slow"
    result = CliRunner().invoke(app, ["match", "ticTacToe", slow, "legal", *clocks])

    late = f"{slow} took longer than the playclock of 1 s in 2 turns"
    assert result.stderr.count(f"{slow} took longer") == 1
    assert f"ggp match: warning: {late}" in result.stderr
    assert f"Errors of {slow}: 2 fallback (first legal)." in result.stdout
    assert not [line for line in caplog.messages if "by the deadline" in line]


TALKING = """
from ggp.players import Player
print("loaded")

class Talking(Player):
    def advance(self, moves, state):
        print("seen", end=" ")

    def choose(self, state, deadline):
        print("\x1b[31mchosen")
        print("x" * 100_000)
        return str(self.legal_moves(state)[0])
"""


def test_what_a_player_in_a_file_prints_is_shown_and_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """It is named by its path; a text that it returns for a move is an error that says so."""
    (tmp_path / "my bots").mkdir()
    (tmp_path / "my bots" / "talking.py").write_text(TALKING)
    monkeypatch.chdir(tmp_path)
    talking = f"{tmp_path}/my bots/talking.py"
    args = ["match", "ticTacToe", talking, "random", "--record", "r.json", *CALM]

    shown = run(*args, "--show-output")

    record = MatchRecord.from_text(Path("r.json").read_text())
    said = "".join(row[0] for row in record.printed)
    assert said.startswith("loaded\n\x1b[31mchosen\nxxx")
    assert "xxx\n... (more is in the log)\nseen" in said
    assert all(len(row[0]) < 5000 for row in record.printed)
    assert "     xplayer prints: \\x1b[31mchosen" in shown
    errors = [line for line in caplog.messages if "returned a str, '(mark" in line]
    assert "return an element of self.legal_moves(state)" in errors[0]
    assert f"Errors of {talking}: {len(errors)} fallback (first legal)." in shown
    assert f"{talking} printed" not in shown
    lines = run(*args, "--json").splitlines()
    assert [json.loads(line)["printed"][0][1] for line in lines] == [""]


LOUD = """
from ggp.players import Player

class Loud(Player):
    def choose(self, state, deadline):
        for _ in range(600):
            print("x" * 999)
        return self.legal_moves(state)[0]
"""


def test_who_prints_too_much_is_told_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lines are counted that are not kept, and a bound is named that grading and uploads have."""
    (tmp_path / "loud.py").write_text(LOUD)
    monkeypatch.chdir(tmp_path)

    loud = f"{tmp_path}/loud.py"
    shown = run("match", "ticTacToe", loud, "legal", "--quiet", *CALM)

    which = "the first 4,000 characters of each turn"
    found = re.search(rf"^{loud} printed (\S+)00 lines: --show-output shows {which}.$", shown, re.M)
    assert found is not None
    assert int(found[1].replace(",", "")) >= 18  # three turns at least, in which it has a choice
    assert re.search(
        rf"^{loud} printed \d\.\d MiB in a match: graded or uploaded, it fails if it prints more "
        r"than 1 MiB\.$",
        shown,
        re.M,
    )


def test_the_startclock_is_searched() -> None:
    """What a player has looked at in it is said before the first move."""
    clocks = ["--startclock", "60", "--playclock", "60"]  # only as much as 20 iterations take
    player = "mcts:tree=python,iterations=20"
    shown = run("match", "nim", player, "random", "--seed", "1", *clocks)

    before, _, _ = shown.partition("  1. ")
    said = r"^mcts\S* has looked at (\S+).* positions? before the first move$"
    told = re.search(said, before, re.M)
    assert told is not None
    assert told[1] != "0"


def test_engines_that_die_are_counted() -> None:
    """In the line of the turn in which they did, and in the table."""
    shown = run("match", "nim", "tests.ggp.engine.odd_players:Leaving", "random", *FAST)

    assert "the engine was replaced" in shown
    assert shown.splitlines()[-1].startswith("Replaced: processes that died or hung")


def test_swapping_a_single_match_is_said_to_be_useless() -> None:
    """A warning; the match is played all the same."""
    result = CliRunner().invoke(app, ["match", "nim", "legal", "legal", "--swap", "--quiet", *FAST])

    assert result.exit_code == 0
    assert result.stderr.startswith("ggp match: warning: --swap has no effect on a single match")


def test_rules_with_errors_are_played_with_a_warning(tmp_path: Path) -> None:
    """They may do well all the same; whoever wrote them learns of it."""
    file = tmp_path / "mine.kif"
    file.write_text(
        "(role me) (input ?r go) (legal me go) (<= (next over) (does me go)) (goal me 1)"
        "(<= terminal (true over))"
    )

    result = CliRunner().invoke(app, ["match", str(file), "legal", "--quiet", *FAST])

    assert result.exit_code == 0
    assert result.stderr.startswith("warning: the rules have an error; ggp check ")


@pytest.fixture
def odd_player() -> Iterator[str]:
    """The address of a player that is busy when asked, and plays nonsense."""
    answers = {"INFO": "((name odd) (status busy))", "START": "busy", "PLAY": "(nonsense)"}
    with player_saying(answers, []) as address:
        yield address


@contextmanager
def player_saying(answers: Mapping[str, Answer], sent: list[str]) -> Iterator[str]:
    """The address of a player with an answer for each word; what it is sent is kept in `sent`."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            sent.append(body)
            found = answers.get(body.replace("(", " ").split()[0], "done")
            answer = (found if isinstance(found, str) else found()).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, format: str, *args: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def test_players_that_may_not_play_are_warned_of(odd_player: str) -> None:
    """Busy at INFO, not ready at START; in the end its errors are counted by kind."""
    result = CliRunner().invoke(
        app, ["match", "ticTacToe", odd_player, "random", "--quiet", "--seed", "1", *FAST]
    )

    assert result.exit_code == 0
    assert f"warning: {odd_player} says that it is busy" in result.stderr
    assert "warning: odd answers START with busy, not ready" in result.stderr
    assert "Errors of odd: " in result.stdout
    assert "illegal (IL)." in result.stdout


def test_a_player_is_spoken_to_in_the_dialect_that_is_asked_for(tmp_path: Path) -> None:
    """Dresden's players are not asked who they are, and shouted at."""
    sent: list[str] = []
    answers = {"START": "READY", "PLAY": "GO", "STOP": "DONE"}
    rules = tmp_path / "one.kif"
    rules.write_text(
        "(role me) (init (s 0)) (legal me go) (next (s 1)) (<= terminal (true (s 1))) (goal me 50)",
        encoding="utf-8",
    )

    with player_saying(answers, sent) as address:
        output = run("match", str(rules), address, "--dialect", "dresden", "--json", *FAST)

    assert [text.split()[0] for text in sent] == ["(START", "(PLAY", "(STOP"]
    assert sent[0].endswith(
        " ME ((ROLE ME) (INIT (S 0)) (LEGAL ME GO) (NEXT (S 1)) "
        "(<= TERMINAL (TRUE (S 1))) (GOAL ME 50) ) 3 2)"
    )
    record = json.loads(output)
    assert (record["goalValues"], record["errors"]) == ([50], [[""], [""]])


def test_the_dialects_of_the_command_line_are_those_of_the_protocol() -> None:
    """They are written twice, so that `--help` need not import the protocol."""
    assert [name.value for name in DialectName] == list(DIALECTS)


def test_ctrl_c_ends_a_match_with_a_word() -> None:
    """Exit code 130."""
    interrupts = iter([signal.SIGINT])  # both roles are asked; a second one ends asyncio at once

    def interrupt() -> str:
        for number in interrupts:
            os.kill(os.getpid(), number)
        return "noop"

    answers: dict[str, Answer] = {"INFO": "((name me) (status available))", "START": "ready"}
    answers["PLAY"] = interrupt
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with player_saying(answers, []) as address:
            seats = [f"{address}/x", f"{address}/o"]
            result = CliRunner().invoke(app, ["match", "ticTacToe", *seats, *CALM])
    finally:
        signal.signal(signal.SIGINT, before)

    assert result.exit_code == 130
    assert result.stderr.splitlines()[-1] == "ggp match: interrupted"


@pytest.mark.thorough
def test_ctrl_c_ends_a_process_with_a_word() -> None:
    """Exit code 130."""
    command = [sys.executable, "-m", "ggp", "match", "connectFour", "mcts", "legal"]
    command += ["--startclock", "1", "--playclock", "9"]
    # A shell starts what is in its background deaf for Ctrl-C, these tests perhaps, and so on.
    before = signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        process = subprocess.Popen(
            command, cwd=REPOSITORY, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
    finally:
        signal.signal(signal.SIGINT, before)
    with process:
        assert process.stdout is not None
        process.stdout.readline()  # START is answered
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=300)

    assert (process.returncode, errors.splitlines()[-1]) == (130, "ggp match: interrupted")
