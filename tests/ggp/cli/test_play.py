"""`ggp play` from the command line: seats, files, pipes and a terminal."""

from __future__ import annotations

import logging
import os
import pty
import select
import subprocess
import sys
from pathlib import Path

import pytest

import gdl
from ggp.cli import app
from ggp.clock import Deadline
from ggp.players import Player
from ggp.records.record import MatchRecord
from tests.shared import REPOSITORY

pytestmark = pytest.mark.usefixtures("kernels")


def run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], script: str, *args: str
) -> tuple[int, str, str]:
    """The exit code of `ggp play` with these lines from a pipe, and what it wrote."""
    reading, writing = os.pipe()
    os.write(writing, script.encode())
    os.close(writing)
    with os.fdopen(reading) as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        with pytest.raises(SystemExit) as left:
            app(["play", *args])
    written = capsys.readouterr()
    assert isinstance(left.value.code, int)
    return left.value.code, written.out, written.err


def test_a_game_of_one_role_is_played_alone(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """No opponent, no process; the record is that of a match that was left."""
    file = tmp_path / "match.json"

    code, shown, errors = run(
        monkeypatch, capsys, "1\n1\nquit\n", "eightPuzzle", "--record", str(file), "--seed", "1"
    )

    record = MatchRecord.from_text(file.read_text())
    assert (code, errors) == (0, "")
    assert "You have left the match after 2 turns." in shown
    assert record.is_aborted
    assert record.player_names == ("person",)
    assert len(record.moves) == 2


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["noGame"], "noGame"),
        (["ticTacToe", "--as", "xplayr"], "--as: unknown role 'xplayr': did you mean xplayer"),
        (["ticTacToe", "--against", "mcst"], "did you mean mcts"),
        (["ticTacToe", "--against", "oplayr=random"], "--against: unknown role 'oplayr'"),
        (["eightPuzzle", "--against", "random"], "--against: the game has no role other"),
        (["ticTacToe", "--adviser", "legal"], "--adviser: expected a player that searches"),
        (["threePlayerTicTacToe", "--against", "h:9"], "oplayer and zplayer at one address, h:9"),
        (["ticTacToe", "--record", "/no/folder/x"], "--save: there is no folder /no/folder"),
    ],
)
def test_wrong_use_is_said_in_a_line(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    args: list[str],
    message: str,
) -> None:
    """Before anything begins; exit code 2."""
    code, shown, errors = run(monkeypatch, capsys, "", *args)

    assert (code, shown, len(errors.splitlines())) == (2, "", 1)
    assert message in errors


class Talker(Player):
    """Fails, and says what it knows."""

    def choose(self, state: gdl.State, deadline: Deadline) -> gdl.Move:
        """Nothing."""
        raise ValueError(f"I hold {' '.join(map(str, self.machine.facts(state)))}")


def test_warnings_of_the_opponents_wait_for_the_end_where_something_is_hidden(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """They may tell what an opponent holds."""
    reading, writing = os.pipe()
    os.write(writing, b"pass\nboard\n")
    os.close(writing)
    talker = "tests.ggp.cli.test_play:Talker"
    with os.fdopen(reading) as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        with pytest.raises(SystemExit):
            app(
                ["play", "kuhnPoker", "--against", talker, "--engine", "interpreter", "--seed", "1"]
            )
    shown, errors = capfd.readouterr()

    assert "states agree with what you have seen" in shown
    assert "I hold" not in shown
    assert "I hold (card" in errors
    assert not logging.getLogger("ggp").handlers


@pytest.mark.thorough
def test_a_person_plays_at_a_terminal() -> None:
    """Against an engine process, with undo; Ctrl-C ends it with a word and 130."""
    command = [sys.executable, "-m", "ggp", "play", "ticTacToe", "--against", "legal"]
    environment = os.environ | {"TERM": "xterm", "PROMPT_TOOLKIT_NO_CPR": "1"}
    master, slave = pty.openpty()
    with subprocess.Popen(
        command, cwd=REPOSITORY, stdin=slave, stdout=slave, stderr=slave, env=environment
    ) as process:
        os.close(slave)
        try:
            seen = _until(master, "xplayer>")
            os.write(master, b"2 2\r")
            seen += _until(master, "(mark 1 1)", "xplayer>")
            os.write(master, b"undo\r")
            seen += _until(master, "Taken back", "xplayer>")
            os.write(master, b"\x03")
            seen += _until(master, "interrupted")
            process.wait(timeout=300)
        finally:
            process.kill()
            os.close(master)

    assert process.returncode == 130
    assert "You have left the match after 0 turns." in seen


def _until(master: int, *texts: str) -> str:
    """The text that is written until these texts have come, one after the other."""
    seen = ""
    rest = list(texts)
    start = 0
    while rest:
        readable, _, _ = select.select([master], [], [], 300)
        assert readable, seen
        chunk = os.read(master, 1 << 16)
        assert chunk, seen
        seen += chunk.decode("utf-8", "replace")
        while rest and (at := seen.find(rest[0], start)) >= 0:
            start = at + len(rest.pop(0))
    return seen
