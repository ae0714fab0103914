"""Rules that leave a role without a move: every verb that searches says so, and who."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from ggp.cli import app

pytestmark = pytest.mark.usefixtures("kernels")

# b never has a move; a is alone and has none; b has none in the third state.
RELATIVE = "(role a) (role b) (init x) (legal a go) (<= terminal (true y)) (goal a 50) (goal b 50)"
DEEP = """
(role a) (role b) (init (s 1)) (succ 1 2) (succ 2 3) (succ 3 4)
(<= (legal a go) (true (s ?x)))
(<= (legal b go) (true (s ?x)) (distinct ?x 3))
(<= (next (s ?y)) (true (s ?x)) (succ ?x ?y))
(<= terminal (true (s 4))) (goal a 50) (goal b 50)
"""


@pytest.mark.parametrize(
    "command",
    [
        ["analyze", "GAME", "--engine", "interpreter"],
        ["bench", "search", "GAME", "--seconds", "0.1", "--player", "greedy"],
        ["learn", "GAME", "--method", "td"],
        ["book", "build", "GAME"],
    ],
    ids=lambda command: " ".join(command[:2]),
)
def test_each_verb_says_that_a_role_has_no_move(command: list[str], tmp_path: Path) -> None:
    """As `ggp match` and `ggp play` say it, with 1; no file is written."""
    rules = tmp_path / "stuck.kif"
    rules.write_text(RELATIVE, encoding="utf-8")

    done = CliRunner().invoke(app, [str(rules) if word == "GAME" else word for word in command])

    assert done.exit_code == 1, done.output
    reason = "the rules give role b no legal move on turn 1, and the state is not terminal"
    assert f"{reason}; ggp check {rules} tells more about these rules" in done.stderr
    assert list(tmp_path.iterdir()) == [rules]


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        (["analyze", "GAME", "--moves", "go go go go"], "role b no legal move on turn 3"),
        (["learn", "GAME", "--method", "td"], "role b no legal move on turn 3"),
        (["book", "build", "GAME"], "a role no legal move in 1 of 3 states that are not terminal"),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_so_is_one_that_gets_stuck_later(command: list[str], expected: str, tmp_path: Path) -> None:
    """A game that gets stuck within a search is not counted as one without a result."""
    rules = tmp_path / "stuck.kif"
    rules.write_text(DEEP, encoding="utf-8")

    done = CliRunner().invoke(app, [str(rules) if word == "GAME" else word for word in command])

    assert done.exit_code == 1, done.output
    assert expected in done.stderr
