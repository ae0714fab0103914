"""`ggp match` plays, shows, saves and counts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ggp.cli import app
from ggp.cli.match_view import thoughts_line
from ggp.cli.seats import is_address
from ggp.match.events import Reply
from ggp.match.record import MatchRecord

FAST = ["--startclock", "3", "--playclock", "2"]
STUCK = """
(role me) (init (count 1)) (<= (legal me go) (true (count 1)))
(next (count 0)) (<= terminal (true (count 9))) (goal me 0)
"""


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
    assert MatchRecord.from_text(save.read_text()).is_aborted


@pytest.mark.parametrize(
    "text",
    ["http://127.0.0.1:9147", "https://host/player", "localhost:9147", "10.0.0.1:80/x"],
)
def test_addresses_are_told_from_names(text: str) -> None:
    """An address has a scheme or a port."""
    assert is_address(text)


@pytest.mark.parametrize("text", ["mcts", "mcts:c=0.7", "package.module:Class", "greedy:n=1,m=2"])
def test_names_are_told_from_addresses(text: str) -> None:
    """A colon alone makes no address."""
    assert not is_address(text)


@pytest.mark.parametrize(
    ("thoughts", "line"),
    [
        ({}, ""),
        ({"forced": True}, ""),
        ({"value": 51.2, "visits": 12345, "lower": 0, "upper": 100}, "value 51, 12,345 visits"),
        ({"value": 50.0, "lower": 100.0, "upper": 100.0, "nodes": 9}, "value 100, proven, 9 nodes"),
        ({"value": "much", "visits": None}, ""),
    ],
)
def test_thoughts_are_told_in_few_words(thoughts: dict[str, object], line: str) -> None:
    """Figures we know; whatever else a player says is left out."""
    assert thoughts_line(Reply("x", "noop", thoughts=thoughts)) == line
