"""`ggp analyze`: reaching a position, searching it, and showing what was found."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from ggp.cli import app
from tests.ggp.environments.rulesheets import ONE_ROUND

pytestmark = pytest.mark.usefixtures("kernels")

PYTHON = ["--engine", "interpreter", "--seed", "1"]  # quickly loaded; searches without lanes
LOST_AT_THE_EDGE = "(mark 2 2) (mark 1 2)"
WON = "(mark 1 1) (mark 2 1) (mark 1 2) (mark 2 2) (mark 1 3)"
KEYS = {"game", "engine", "played", "state", "terminal", "roles", "role", "move", "value"}
KEYS |= {"lower", "upper", "solved", "visits", "line", "moves", "seconds", "iterations", "playouts"}
KEYS |= {"iterations_per_second", "playouts_per_second", "depth", "nodes"}
GUESS = """
(role a) (role b) (role random) (init (round 1))
(<= (legal ?r heads) (role ?r)) (<= (legal ?r tails) (role ?r))
(<= (next (round 2)) (true (round 1))) (<= (next (said ?r ?x)) (does ?r ?x))
(<= terminal (true (round 2)))
(<= (goal a 100) (true (said a ?x)) (true (said random ?x)))
(<= (goal a 0) (true (said a ?x)) (not (true (said random ?x))))
(goal b 50) (goal random 50)
"""


def run(*args: str, code: int = 0) -> Any:
    """The result of `ggp analyze`."""
    done = CliRunner().invoke(app, ["analyze", *args])
    assert done.exit_code == code, done.output
    return done


def analyzed(*args: str) -> dict[str, Any]:
    """The JSON of an analysis."""
    found: dict[str, Any] = json.loads(run(*args, "--json").stdout)
    return found


@pytest.fixture
def guess(tmp_path: Path) -> str:
    """A file with a game in which three roles move at once, chance among them."""
    file = tmp_path / "guess.kif"
    file.write_text(GUESS, encoding="utf-8")
    return str(file)


@pytest.mark.parametrize("engine", ["lanes", "interpreter"])
def test_a_forced_win_is_found_and_said(engine: str) -> None:
    """The board, the moves, the proof and what is expected, in plain lines."""
    # With them a node may be solved that the game does not end in, and lengths are not known.
    without = ("--option", "prospects=off")
    position = ("ticTacToe", "--moves", LOST_AT_THE_EDGE)
    shown = run(*position, "--engine", engine, "--seconds", "30", *without).stdout

    assert "ticTacToe after (mark 2 2), (mark 1 2)" in shown
    assert "2 o x ·" in shown
    assert "win in 5 plies" in shown
    assert "proven win in 5 plies" in shown
    assert "expects (mark " in shown
    assert "playouts/s" in shown
    assert "\x1b" not in shown


def test_json_has_all_of_it() -> None:
    """Every move with its figures; the line that is expected is a proof here."""
    found = analyzed("ticTacToe", "--moves", LOST_AT_THE_EDGE, "--seconds", "30", *PYTHON)

    assert set(found) >= KEYS
    assert (found["role"], found["solved"], found["plies"]) == ("xplayer", True, 5)
    assert (found["value"], found["lower"], found["upper"]) == (100, 100, 100)
    assert found["played"] == [["(mark 2 2)", "noop"], ["noop", "(mark 1 2)"]]
    assert len(found["moves"]) == 7
    assert sum(move["share"] for move in found["moves"]) == pytest.approx(1, abs=0.01)
    assert found["line"][0] == [found["move"], "noop"]


@pytest.mark.parametrize(
    "moves",
    [
        [LOST_AT_THE_EDGE],
        ["(mark 2 2)", "( MARK 1 2 )"],
        ["(mark 2 2) noop", "noop (mark 1 2)"],
        ["((mark 2 2) noop) (mark 1 2)"],
    ],
)
def test_moves_are_understood_with_and_without_those_who_wait(moves: list[str]) -> None:
    """One move a ply, joint moves, and joint moves in parentheses lead to the same position."""
    options = [word for text in moves for word in ("--moves", text)]

    found = analyzed("ticTacToe", *options, "--option", "iterations=1", *PYTHON)

    assert found["played"] == [["(mark 2 2)", "noop"], ["noop", "(mark 1 2)"]]


def test_a_move_may_be_bare_where_one_role_decides() -> None:
    """As a person types it in `ggp play`, beside others that are not."""
    found = analyzed(
        "ticTacToe", "--moves", "mark 2 2 (mark 1 2) mark 1 1", *PYTHON, "--seconds", "0.1"
    )

    assert [" ".join(joint) for joint in found["played"]] == [
        "(mark 2 2) noop",
        "noop (mark 1 2)",
        "(mark 1 1) noop",
    ]


@pytest.mark.parametrize(
    ("moves", "words"),
    [
        ("(mark 2 2) (mark 2 2)", "ply 2: (mark 2 2) is no legal move of oplayer; expected one of"),
        ("noop (mark 2 2)", "ply 1: noop is no legal move of xplayer; expected one of: (mark 1 1)"),
        ("(mark 9 9) noop", "ply 1: (mark 9 9) is no legal move of xplayer"),
        ("mark 2 9", "; put a move of several words in parentheses, such as (mark 1 1)"),
        ("((mark 1 1))", "ply 1: expected 2 moves, one for each role (xplayer oplayer), got ("),
        (f"{WON} (mark 3 3)", "the game is over after ply 5, so the move (mark 3 3)"),
        ("(mark 1", "--moves:1:1: this '(' is never closed"),
        ("()", "expected a term"),
    ],
)
def test_wrong_moves_are_named(moves: str, words: str) -> None:
    """Which ply, whose move, and what would be legal; wrong use."""
    assert words in run("ticTacToe", "--moves", moves, code=2).stderr


def test_moves_at_once_are_shown_for_those_who_choose(guess: str) -> None:
    """A ply where several decide has a move for each of them, chance included."""
    found = analyzed(guess, "--moves", "heads tails heads", *PYTHON)
    wrong = run(guess, "--moves", "heads tails", code=2).stderr

    assert (found["terminal"], found["goals"]) == (True, {"a": 100, "b": 50})
    assert "ply 1: expected 3 moves, one for each role (a b random), got heads tails" in wrong


def test_a_role_may_be_asked_for(guess: str) -> None:
    """In any case; chance is none, and without a name it is one that has a choice."""
    few = ["--option", "iterations=5", *PYTHON]

    assert analyzed(guess, "--as", "B", *few)["role"] == "b"
    assert analyzed("ticTacToe", "--moves", "(mark 1 1)", *few)["role"] == "oplayer"
    assert "unknown role 'random'" in run(guess, "--as", "random", *few, code=2).stderr


def test_of_a_game_that_is_over_the_goals_are_shown() -> None:
    """There is nothing to search."""
    shown = run("ticTacToe", "--moves", WON, *PYTHON).stdout

    assert "The game is over after 5 plies: xplayer 100, oplayer 0." in shown


def test_every_player_that_searches_can_be_asked() -> None:
    """The greedy one too; one that does not search is refused."""
    found = analyzed("nim", "--player", "greedy:iterations=20", *PYTHON)
    refused = run("nim", "--player", "random", *PYTHON, code=2).stderr

    assert (found["iterations"], found["playouts"]) == (20, 0)
    assert "expected a player that searches, such as mcts or greedy, got 'random'" in refused


def test_the_table_has_as_many_lines_as_asked_for() -> None:
    """The others are counted."""
    shown = run("nim", "--option", "iterations=20", "--lines", "2", *PYTHON).stdout

    assert shown.count("(take") - shown.partition("see --lines")[2].count("(take") == 2
    assert "... and 14 more moves; see --lines" in shown


POKER = ("kuhnPoker", "--engine", "scalar", "--seconds", "30")
JACK = "noop ((got jack)) noop ((says first pass))"


def test_what_a_role_knows_and_should_do_is_shown() -> None:
    """Kuhn poker: the worlds, how likely cards are, how often to bluff, and the value in chips."""
    shown = run(*POKER, "--as", "second", "--seen", JACK, "--chip", "25").stdout

    assert "kuhnPoker, as second knows it" in shown
    assert "2. noop, saw (says first pass)" in shown
    assert "2 worlds" in shown
    assert re.search(r"50.0% +\(card first king\)", shown)
    assert re.search(r"bet +3\d\.\d% +2\d\.\d\d", shown)  # a third, or nearly
    assert re.search(r"solved: the position is worth 2\d\.\d\d points \(-\d\.\d+ chips\)", shown)
    assert re.search(
        r"the game is worth 51\.39 points \(\+0\.055\d chips\) to second; exploitability 0\.0",
        shown,
    )


def test_moves_tell_a_role_no_more_than_it_sees() -> None:
    """The same position by the moves that were made: only its own card is certain."""
    by_moves = analyzed(*POKER, "--as", "second", "--moves", "(deal king jack) pass")
    by_turns = analyzed(*POKER, "--as", "second", "--seen", JACK)

    solution = by_moves.pop("solution")
    assert by_turns.pop("solution").keys() == solution.keys()  # how close it comes depends on time
    assert by_moves == by_turns
    assert by_moves["worlds"] == 2
    assert by_moves["complete"] is True
    assert by_moves["facts"]["(card first king)"] == pytest.approx(0.5)
    assert by_moves["facts"]["(card second jack)"] == pytest.approx(1)
    assert solution["game_value"] == pytest.approx(50 + 25 / 18, abs=0.02)
    assert solution["value"] == pytest.approx(25, abs=0.1)
    assert sum(move["share"] for move in solution["moves"]) == pytest.approx(1)


def test_a_game_that_is_too_large_to_be_solved_shows_what_is_known() -> None:
    """With `--solve`, which asks for a solution, that is an error."""
    found = analyzed("phantomTicTacToe", "--engine", "scalar", "--as", "oplayer")
    refused = run("phantomTicTacToe", "--engine", "scalar", "--solve", code=1)

    assert found["solution"] is None
    assert "too large to be solved" in found["unsolved"]
    assert found["worlds"] == 1
    assert "too large to be solved" in refused.output


def test_moves_at_the_same_time_are_solved_if_that_is_asked_for(tmp_path: Path) -> None:
    """Everything is seen in such a game, but not in time."""
    file = tmp_path / "one_round.kif"
    file.write_text(ONE_ROUND)

    found = analyzed(str(file), "--solve", "--engine", "scalar", "--seconds", "30")

    assert [move["share"] for move in found["solution"]["moves"]] == pytest.approx(
        [1 / 3] * 3, abs=0.02
    )


@pytest.mark.parametrize(
    ("seen", "message"),
    [
        ("noop", "expected percepts after the move noop"),
        ("noop heads", "expected a list of percepts after noop"),
        ("noop ((got ace))", "turn 1: in no match of kuhnPoker can second see this"),
        ("noop ((got", "--seen:1:6: this '(' is never closed"),
    ],
)
def test_what_cannot_have_been_seen_is_an_error(seen: str, message: str) -> None:
    """The message says which turn it is."""
    done = run(*POKER, "--as", "second", "--seen", seen, code=2)

    assert message in done.output


def test_moves_and_what_was_seen_are_not_given_both() -> None:
    """One of them says where the role stands."""
    done = run(*POKER, "--seen", JACK, "--moves", "(deal king jack)", code=2)

    assert "expected either --moves or --seen, got both" in done.output
