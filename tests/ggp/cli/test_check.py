"""`ggp check`: what it prints, and how it exits."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from ggp.cli import app

pytestmark = pytest.mark.usefixtures("kernels")

FAULTY = "(role x)\n(<= (legal ?p (mark ?x))\n    (role ?p))\n"
CLEAN = "(role x)\n(legal x go)\n(next over)\n(<= terminal (true over))\n(goal x 100)\n"


def check(*arguments: str, text: str | None = None) -> Result:
    """The outcome of `ggp check`, with the text on its standard input."""
    return CliRunner().invoke(app, ["check", *arguments], input=text)


def test_finding_is_shown_with_its_line_and_a_caret(tmp_path: Path) -> None:
    """An author sees what is wrong, where, and what would be right."""
    file = tmp_path / "rules.kif"
    file.write_text(FAULTY)

    result = check(str(file), "--no-play")

    assert result.exit_code == 1
    assert (
        f"{file}:2:21: error: variable ?x of the head is in no condition; add a condition that "
        "binds it [unsafe-head]\n"
        "    (<= (legal ?p (mark ?x))\n"
        "                        ^~\n"
    ) in result.stdout
    assert result.stdout.endswith(f"{file}: 1 error, 2 warnings, 0 notes\n")


@pytest.mark.parametrize("text", ["", "; nothing yet\n"])
def test_nothing_is_pointed_at_where_nothing_is(text: str) -> None:
    """Of an empty file, or one of comments, the findings stand alone."""
    result = check("-", "--no-play", text=text)

    assert result.exit_code == 1
    assert "error: no role is named" in result.stdout
    assert "^" not in result.stdout


def test_clean_rulesheet_is_one_line_and_success() -> None:
    """Standard input is read as `-`."""
    result, drawn = check("-", text=CLEAN), check("-", "--drawing", text=CLEAN)

    assert (result.exit_code, result.stdout) == (0, "<stdin>: 0 errors, 0 warnings, 0 notes\n")
    assert (drawn.exit_code, drawn.stdout.endswith(result.stdout)) == (0, True), drawn.stderr


@pytest.mark.parametrize("text", [FAULTY, f"{CLEAN}("])
def test_what_is_not_looked_at_is_told(text: str) -> None:
    """Nobody waits for what errors stand in the way of."""
    result = check("-", "--drawing", "--structure", text=text)

    for part in "drawing", "structure":
        assert f"{part}: not checked because the rules have an error; correct it" in result.stdout


def test_a_comment_that_names_no_move_is_pointed_at() -> None:
    """A warning at its place, whether the rules can be read or not; one that names some is none."""
    faulty = f"{CLEAN}  ;;@move (go ?x): to ?y\n;;@move go: go on\n"

    read, unread = check("-", text=faulty), check("-", text=f"{faulty}(")

    for result in read, unread:
        assert (
            "<stdin>:6:5: warning: @move: the pattern has no variable ?y [annotation]\n"
            "      ;;@move (go ?x): to ?y\n"
            "        ^~~~~~~~~~~~~~~~~~~~\n"
        ) in result.stdout
        assert result.stdout.count("[annotation]") == 1
    assert (read.exit_code, unread.exit_code) == (0, 1)


def test_bundled_game_is_named_without_a_path() -> None:
    """A game of ours has no finding at all."""
    result = check("ticTacToe", "--playouts", "2")

    assert result.exit_code == 0
    assert "ticTacToe.kif: 0 errors, 0 warnings, 0 notes" in result.stdout


def test_json_holds_every_finding_of_every_file(tmp_path: Path) -> None:
    """One list, one object a file, for other programs."""
    (tmp_path / "a.kif").write_text(FAULTY)
    (tmp_path / "b.kif").write_text(CLEAN)

    result = check("--json", "--no-play", str(tmp_path / "a.kif"), str(tmp_path / "b.kif"))

    first, second = json.loads(result.stdout)
    assert (first["errors"], second["findings"]) == (1, [])
    assert first["findings"][-1] == {
        "line": 2,
        "column": 21,
        "length": 2,
        "severity": "error",
        "code": "unsafe-head",
        "message": "variable ?x of the head is in no condition; add a condition that binds it",
    }


@pytest.mark.parametrize(
    ("option", "code"), [((), "play-endless"), (("--steps", "9"), None), (("--no-play",), None)]
)
def test_playing_can_be_bounded_and_left_out(option: tuple[str, ...], code: str | None) -> None:
    """A game of eight steps is endless to a check of five."""
    steps = "".join(f"(succ {n} {n + 1})\n" for n in range(8))
    rules = (
        f"{steps}(role x)\n(legal x go)\n(goal x 0)\n(init (step 0))\n"
        "(<= terminal (true (step 8)))\n"
        "(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))\n"
    )

    result = check("-", "--json", "--steps", "5", *option, text=rules)

    found = [one["code"] for one in json.loads(result.stdout)[0]["findings"]]
    assert found == ([code] if code else [])


def test_unreadable_file_exits_with_two_and_one_line() -> None:
    """The nearest bundled game is offered; the other files are checked all the same."""
    result = check("tictactoe", "-", "--no-play", text=CLEAN)

    assert result.exit_code == 2
    assert result.stderr.count("\n") == 1
    assert "did you mean ticTacToe" in result.stderr
    assert "<stdin>: 0 errors" in result.stdout


def test_a_binary_file_exits_with_two(tmp_path: Path) -> None:
    """It cannot be read as rules at all."""
    file = tmp_path / "binary.kif"
    file.write_bytes(b"\x7fELF\0\0")

    result = check(str(file))

    assert result.exit_code == 2
    assert "expected text, got a binary file" in result.stderr


def test_old_rulesheets_in_latin_1_are_read(tmp_path: Path) -> None:
    """Rulesheets of 2006 name their authors in that encoding."""
    file = tmp_path / "latin.kif"
    file.write_bytes(
        b"; J\xf6rg\n(role x) (init s) (legal x go) (goal x 50) (<= terminal (true s))"
    )

    result = check(str(file))

    assert result.exit_code == 0
    assert "latin.kif" in result.stdout


def test_unbalanced_text_is_one_error() -> None:
    """A text that cannot be read is not played."""
    result = check("-", text="(role x")

    assert result.exit_code == 1
    assert result.stdout == (
        "<stdin>:1:1: error: this '(' is never closed [syntax]\n"
        "    (role x\n    ^\n<stdin>: 1 error, 0 warnings, 0 notes\n"
    )


def test_markup_in_rules_is_shown_as_it_is() -> None:
    """Square brackets of a rulesheet are no colours."""
    result = check("-", "--no-play", text="(role [bold]x) (<= (p ?[red]y) (role [bold]x))")

    assert "?[red]y" in result.stdout


def test_epilog_is_checked_as_well() -> None:
    """Either notation is read."""
    result = check("-", text="role(x)\nlegal(x,go)\nnext(over)\ngoal(x,1)\nterminal :- true(over)")

    assert (result.exit_code, result.stdout) == (0, "<stdin>: 0 errors, 0 warnings, 0 notes\n")


def test_structure_is_shown_in_words_and_in_numbers() -> None:
    """`--structure` says what makes no difference: here a lamp that nobody looks at."""
    lamp = "(legal x light)\n(<= (next lamp) (does x light))\n"

    done = check("-", "--no-play", "--structure", text=CLEAN + lamp)
    numbers = json.loads(check("-", "--no-play", "--structure", "--json", text=CLEAN + lamp).stdout)

    assert "structure: 2 moves, 1 of them different in what matters\n" in done.stdout
    assert numbers[0]["structure"]["irrelevant"] == 1
