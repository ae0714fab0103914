"""`ggp grade`: a table, JSON, CSV and a page; wrong use."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from ggp.cli import app
from ggp.grading import grader, series
from ggp.submission.confinement import is_possible
from tests.fakes.submissions import BAD, GOOD

pytestmark = pytest.mark.usefixtures("forked_submissions")

# No state is terminal, and first has no move on turn 3.
ENDLESS = """
(role white) (role black) (init (count 0)) (succ 0 1) (succ 1 2) (succ 2 3)
(<= (legal ?role wait) (role ?role)) (<= (next (count ?y)) (true (count ?x)) (succ ?x ?y))
(<= terminel (true (count 3))) (goal white 50) (goal black 50)
"""
STUCK = """
(role first) (role second) (init (s 1)) (succ 1 2) (succ 2 3) (succ 3 4) (legal second go)
(<= (legal first go) (true (s ?x)) (distinct ?x 3)) (<= (next (s ?y)) (true (s ?x)) (succ ?x ?y))
(<= terminal (true (s 4))) (goal first 50) (goal second 50)
"""
MOVE_LIMIT = 70  # instead of 1000
REASONS = {
    "endless": f"the match reached the limit of {MOVE_LIMIT} moves",
    "stuck": "the rules give role first no legal move on turn 3, and the state is not terminal",
}
PATIENT = ["--engine", "interpreter", "--startclock", "60", "--playclock", "60"]
ASKED = ["--against", "random", "--matches", "2", "--jobs", "1", *PATIENT]

needs_walls = pytest.mark.skipif(not is_possible(), reason="the kernel cannot confine a process")


def run(*args: str, code: int = 0) -> Any:
    """What a command prints that ends with this exit code."""
    done = CliRunner().invoke(app, ["grade", *args])
    assert done.exit_code == code, done.output
    return done


@pytest.fixture
def handed_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a good player and a bad one."""
    monkeypatch.setenv("COLUMNS", "80")
    (tmp_path / "good.py").write_text(GOOD["threaded"])
    (tmp_path / "bad.py").write_text(BAD["returns_none"][1])
    return tmp_path


def cached(grade: Callable[..., Any]) -> Callable[..., Any]:
    """Have a grading made once, whoever asks for it."""
    found: list[Any] = []

    def made(*args: Any) -> Any:
        if not found:
            found.append(grade(*args))
        return found[0]

    return made


@needs_walls
def test_the_same_is_said_everywhere(handed_in: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the table, in JSON, as CSV and on the page; bad players are no failure of the command."""
    page, table = handed_in / "grades.html", handed_in / "grades.csv"
    files = [str(handed_in / name) for name in ("good.py", "bad.py")]
    asked = ["--games", "ticTacToe", "--against", "random", "legal", "--matches", "1"]
    asked += ["--jobs", "1", *PATIENT]
    monkeypatch.setattr(series, "grade_all", cached(series.grade_all))

    shown = run(*files, *asked, "--html", str(page), "--csv", str(table)).stdout
    as_json = json.loads(run(*files, *asked, "--json").stdout)

    assert max(len(line) for line in shown.splitlines() if "│" in line or "─" in line) <= 80
    assert "failed: illegal moves" in shown
    assert "bad.py: ticTacToe, xplayer, turn 1: returned None; return an element" in shown
    assert [one["verdict"] for one in as_json["table"]] == ["passed", "failed: illegal moves"]
    assert as_json["measured"][0]["output_bytes"] > 0
    rows = list(csv.DictReader(table.read_text().splitlines()))
    points = [row["ticTacToe against random"] for row in rows]
    assert points == [f"{one['cells'][0]['points']:.1f}" for one in as_json["table"]]
    assert [(row["points"], row["lost by mistakes"]) for row in rows[1:]] == [("0.0", "2")]
    html = page.read_text()
    for row in rows:
        assert f'</td><td class="n">{float(row["points"]):.0f}<br>' in html
    for text in (shown, html):
        assert "Lost by mistakes in a quarter of the turns or more: 2 of 2 matches." in text
    assert "failed: illegal moves" in html
    assert "found (mark" in html
    assert "(control xplayer)" in html
    assert "<script" not in html


@needs_walls
def test_files_that_are_the_same_are_named(at_fault: Path) -> None:
    """Also where only blanks differ; it is no failure."""
    (at_fault / "twin.py").write_text(GOOD["threaded"].replace("\n", "  \r\n") + "\n\n")
    asked = ["good.py", "bad.py", "twin.py", "--games", "stuck.kif", *ASKED]

    done = run(*asked, "--html", "g.html", code=1)

    said = "good.py, twin.py: the same file, except perhaps for blanks and line breaks."
    assert f"\n{said}\n" in done.stdout
    assert said in (at_fault / "g.html").read_text()


@needs_walls
def test_what_is_shown_cannot_move_the_cursor_nor_be_a_formula_nor_markup(tmp_path: Path) -> None:
    """Texts of a submission are hostile wherever they end up."""
    file = tmp_path / "bad.py"
    file.write_text("raise ValueError('\\x1b[2J<script>')")
    page, table = tmp_path / "grades.html", tmp_path / "grades.csv"
    asked = ["--games", "ticTacToe", "--against", "random", *PATIENT]

    shown = run(str(file), *asked, "--html", str(page), "--csv", str(table)).stdout

    assert "ValueError" in shown
    assert "\x1b" not in shown + page.read_text() + table.read_text()
    assert "<script>" not in page.read_text()


@pytest.fixture
def at_fault(handed_in: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Beside the players, two games whose matches do not come to an end."""
    monkeypatch.chdir(handed_in)
    monkeypatch.setattr(grader, "MOVE_LIMIT", MOVE_LIMIT)
    (handed_in / "endless.kif").write_text(ENDLESS)
    (handed_in / "stuck.kif").write_text(STUCK)
    return handed_in


@needs_walls
@pytest.mark.parametrize("game", REASONS)
def test_who_played_no_match_to_its_end_has_not_passed(at_fault: Path, game: str) -> None:
    """Nor failed: the game is to blame, and named; the exit code says that something is missing."""
    asked = ["good.py", "--games", f"{game}.kif", *ASKED]

    shown = run(*asked, "--html", "grades.html", "--csv", "grades.csv", code=1).stdout

    said = (
        f"good.py against random, as {'white' if game == 'endless' else 'first'}: {REASONS[game]}"
    )
    said += f"; ggp check {game}.kif tells more about these rules"
    assert f"{game}: 2 of 2 matches did not come to an end and count for nothing" in shown
    [row] = csv.DictReader((at_fault / "grades.csv").read_text().splitlines())
    assert (row["verdict"], row["points"], row["unfinished"]) == ("not graded", "", "2")
    assert said.partition(" ")[2] in row["why unfinished"]
    for text in (shown, (at_fault / "grades.html").read_text()):
        assert said in text
        assert "not graded" in text
        assert "passed" not in text.replace("0 of 1 passed", "").replace(".passed", "")
        assert "()" not in text


@needs_walls
def test_games_at_fault_leave_the_points_of_the_others(at_fault: Path) -> None:
    """What was graded in other games stands, with the same points as without those at fault."""
    games = ["endless.kif", "stuck.kif", "ticTacToe"]

    alone = json.loads(run("good.py", "--games", "ticTacToe", *ASKED, "--json").stdout)
    book = json.loads(run("good.py", "--games", *games, *ASKED, "--json").stdout)

    [grade] = book["table"]
    assert grade["verdict"] == "passed"
    assert grade["cells"][2:] == alone["table"][0]["cells"]
    assert [cell["matches"] for cell in grade["cells"]] == [0, 0, 2]
    assert [len(cell["unfinished"]) for cell in grade["cells"]] == [2, 2, 0]
    assert [text.partition(":")[0] for text in book["unfinished"]] == ["endless", "stuck"]


@needs_walls
def test_matches_that_a_game_did_not_let_end_are_not_lost(at_fault: Path) -> None:
    """Also where a later match in that game costs the submission's process."""
    leaving = "    def set_up(self):\n        if self.role.name == 'black': os._exit(1)\n"
    (at_fault / "leaves.py").write_text(f"import os\n{GOOD['legal']}{leaving}")

    book = json.loads(run("leaves.py", "--games", "endless.kif", *ASKED, "--json").stdout)

    [cell] = book["table"][0]["cells"]
    assert (cell["matches"], cell["forfeited"], len(cell["unfinished"])) == (1, 1, 1)
    assert book["table"][0]["verdict"] == "failed: crashed"


@needs_walls
def test_a_game_at_fault_does_not_hide_that_a_player_is_not_repeatable(at_fault: Path) -> None:
    """The first match that came to an end is played again, of whatever game it is."""
    steps = " ".join(f"(succ {step} {step + 1})" for step in range(64))
    (at_fault / "coins.kif").write_text(
        f"(role first) (role second) (init (s 0)) {steps} (legal first a) (legal first b) "
        "(legal second a) (legal second b) (<= (next (s ?y)) (true (s ?x)) (succ ?x ?y)) "
        "(<= terminal (true (s 64))) (goal first 50) (goal second 50)"
    )
    tossing = "return self.legal_moves(state)[os.urandom(1)[0] % 2]"  # alike in one of 2 ** 64
    first = "return self.legal_moves(state)[0]"
    (at_fault / "tosses.py").write_text(f"import os\n{GOOD['legal'].replace(first, tossing)}")
    asked = ["--games", "stuck.kif", "coins.kif", *ASKED, "--json"]

    book = json.loads(run("tosses.py", *asked).stdout)

    assert "differently when played again" in book["table"][0]["unrepeatable"]


@needs_walls
def test_what_is_missing_is_a_row_with_no_points(at_fault: Path) -> None:
    """As what is there and cannot be loaded, however the name is wrong; the others are graded."""
    (at_fault / "empty").mkdir()
    (at_fault / "link.py").symlink_to("good.py")  # another's file under a name of one's own
    wrong = ["none.py", "n*.py", "empty", "good.py:Nope", "good.py:a-b", "link.py"]

    shown = run("good.py", *wrong, "--games", "ticTacToe", *ASKED, "--csv", "grades.csv").stdout

    rows = list(csv.DictReader((at_fault / "grades.csv").read_text().splitlines()))
    assert [row["file"] for row in rows] == ["good.py", *wrong]
    assert rows[0]["verdict"] == "passed"
    assert {row["verdict"] for row in rows[1:]} == {"failed: cannot be loaded"}
    assert {(row["matches"], row["points"]) for row in rows[1:]} == {("2", "0.0")}
    assert f"empty: there is no file {at_fault / 'empty' / 'player.py'}" in shown


@needs_walls
def test_what_was_denied_is_said_once(handed_in: Path) -> None:
    """The reason names the first three acts, a line below it those beyond."""
    files = [f"/etc/{name}" for name in ("passwd", "shadow", "hosts", "fstab")]
    lines = "".join(
        f"        try: open({file!r})\n        except OSError: pass\n" for file in files
    )
    first = "        return self.legal_moves(state)[0]"
    (handed_in / "thief.py").write_text(GOOD["legal"].replace(first, lines + first))

    shown = run(str(handed_in / "thief.py"), "--games", "ticTacToe", *ASKED).stdout

    assert "failed: forbidden attempts" in shown
    assert [shown.count(file) for file in files] == [1, 1, 1, 1]


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["none.py", "--games", "ticTacToe"], "none.py: there is no file /"),
        (["good.py", "--games", "ticTacTo"], "did you mean ticTacToe"),
        (["good.py", "--games", "ticTacToe", "--against", "mcts:iterations=0"], "got 0"),
        (["good.py", "--games", "ticTacToe", "--against", "mtcs"], "did you mean mcts"),
        (["none.py", "n*.py", "--games", "ticTacToe"], "none of the 2 submissions can be read"),
    ],
)
def test_wrong_use_is_told_before_anything_runs(
    handed_in: Path, monkeypatch: pytest.MonkeyPatch, args: list[str], said: str
) -> None:
    """Exit code 2, and what would be right."""
    monkeypatch.chdir(handed_in)

    done = run(*args, "--engine", "interpreter", code=2)

    assert said in " ".join(done.stderr.split())


def test_what_cannot_be_confined_is_not_run(
    handed_in: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Unless whoever asks vouches for it."""
    monkeypatch.setattr(sys, "platform", "darwin")

    done = run(str(handed_in / "good.py"), "--games", "ticTacToe", code=1)

    assert "--unconfined" in done.stderr


def test_who_vouches_for_a_file_may_run_it_without_walls(handed_in: Path) -> None:
    """The result says so."""
    asked = ["--games", "ticTacToe", "--against", "random", *PATIENT]

    done = run(str(handed_in / "good.py"), *asked, "--matches", "1", "--unconfined")

    assert "passed" in done.stdout
    assert "with your own permissions" in done.stdout
