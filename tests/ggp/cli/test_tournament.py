"""`ggp tournament`: what is wrong with a file is said with its name, and is wrong use."""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from ggp.cli import app, tournament
from ggp.errors import WrongUseError
from ggp.manager.config import ManagerConfig
from ggp.tournament.plan import TournamentPlan
from tests.waiting import wait_until

PLAN = """
games = ["ticTacToe"]
players = ["random", "legal"]
"""


@pytest.mark.parametrize(
    ("plan", "said"),
    [
        ('form = "cup"' + PLAN, "form: expected one of round-robin"),
        ("playclock = 0" + PLAN, "playclock: expected a whole number from 1 to 3600, got 0"),
        ("playclok = 1" + PLAN, "playclok: no such field"),
        ("two matches" + PLAN, "expected TOML"),
        (PLAN.replace("legal", "legl"), "expected a registered player, http://HOST:PORT or one of"),
        (PLAN.replace("legal", "own:Own"), "start it with `ggp serve --player own:Own` and give"),
        (PLAN.replace("ticTacToe", "ticTacTo"), "unknown game 'ticTacTo': did you mean ticTacToe"),
        (PLAN.replace(', "legal"', ""), "ticTacToe takes 2 players, but only 1 take part"),
    ],
)
def test_a_wrong_plan_is_named_by_its_file(plan: str, said: str, tmp_path: Path) -> None:
    """Whatever is wrong with it, the exit code is that of wrong use."""
    file = tmp_path / "friday.toml"
    file.write_text(plan, encoding="utf-8")

    done = CliRunner().invoke(
        app, ["tournament", str(file), "--db", f"sqlite:///{tmp_path}/ggp.db"]
    )

    assert done.exit_code == 2, done.output
    assert done.stderr.startswith(f"ggp tournament: {file}: ")
    assert said in done.stderr


def test_a_number_without_end_is_told_where_the_table_is() -> None:
    """Only what ends a tournament takes its number."""
    done = CliRunner().invoke(app, ["tournament", "2", "--csv", "t2.csv"])

    assert done.exit_code == 2
    assert "a tournament's number needs --end" in done.stderr
    assert "/api/v1/tournaments/2/table.csv" in done.stderr


def test_a_url_that_is_none_names_its_option(tmp_path: Path) -> None:
    """`--db ggp.db` is the commonest slip."""
    file = tmp_path / "friday.toml"
    file.write_text(PLAN, encoding="utf-8")

    done = CliRunner().invoke(app, ["tournament", str(file), "--db", "ggp.db"])

    assert done.exit_code == 2
    assert "--db: database 'ggp.db': expected sqlite:///FILE or" in done.stderr


def test_games_for_one_are_neither_won_nor_lost(tmp_path: Path) -> None:
    """Their matches and points stand in the table, but in no other column."""
    file = tmp_path / "alone.toml"
    clocks = "startclock = 1\nplayclock = 1\nmatches = 1\n"
    file.write_text(clocks + PLAN.replace("ticTacToe", "eightPuzzle"), encoding="utf-8")

    done = CliRunner().invoke(
        app, ["tournament", str(file), "--db", f"sqlite:///{tmp_path}/ggp.db"]
    )

    assert done.exit_code == 0, done.output
    assert "Games for one player bring points; they are not won, drawn or lost." in done.stdout


def test_answers_that_were_replaced_stand_in_the_table(tmp_path: Path) -> None:
    """A player that was not reached at all did not play."""
    file = tmp_path / "gone.toml"
    clocks = "startclock = 1\nplayclock = 1\nmatches = 1\n"
    file.write_text(clocks + PLAN.replace("random", "http://127.0.0.1:9"), encoding="utf-8")

    done = CliRunner().invoke(
        app, ["tournament", str(file), "--db", f"sqlite:///{tmp_path}/ggp.db"]
    )

    assert done.exit_code == 0, done.output
    assert "TO, IL, CE: answers that were late, illegal or missing" in done.stdout
    assert re.search(r" absent *\n", done.stdout), done.stdout


def test_a_stop_rule_ends_it_early_and_the_table_says_so(tmp_path: Path) -> None:
    """Asked again, it plays no more, and tells the same."""
    file = tmp_path / "stop.toml"
    plan = 'games = ["chomp"]\nplayers = ["random", "legal"]'  # legal eats the poison at once
    fields = "matches = 40\njobs = 1\nseed = 1\nstop = { elo0 = 0, elo1 = 400 }\n"
    file.write_text(fields + plan, encoding="utf-8")
    command = ["tournament", str(file), "--db", f"sqlite:///{tmp_path}/ggp.db"]

    done = CliRunner().invoke(app, command)
    again = CliRunner().invoke(app, [*command, "--json"])

    assert (done.exit_code, again.exit_code) == (0, 0), done.output + again.output
    found = json.loads(again.stdout)
    assert found["test"]["verdict"] == "elo1"
    assert {row["matches"] for row in found["rows"]} == {2 * found["test"]["pairs"]}
    said = f"SPRT, 0 or 400 Elo: LLR {found['test']['llr']:.2f}, bounds -2.94 and 2.94, "
    assert said + f"{found['test']['pairs']} pairs; elo1 accepted" in done.stdout


def test_a_knockout_prints_its_bracket_and_writes_its_table(tmp_path: Path) -> None:
    """In 80 columns no line is longer and no table broken in two; how far it is was said."""
    file = tmp_path / "cup.toml"
    players = "".join(f'[[players]]\nname = "player {name}"\nplayer = "random"\n' for name in "abc")
    fields = 'form = "knockout"\ngames = ["chomp"]\n'
    file.write_text(fields + players, encoding="utf-8")
    table = tmp_path / "cup.csv"

    done = CliRunner().invoke(
        app,
        ["tournament", str(file), "--db", f"sqlite:///{tmp_path}/ggp.db", "--csv", str(table)],
        env={"COLUMNS": "80"},
    )

    assert done.exit_code == 0, done.output
    lines = done.stdout.splitlines()
    assert lines[1:3] == ["Semifinals", "  player a: a bye"]
    assert [line for line in lines if line.startswith("Winner: player ")]
    assert max(map(len, lines)) <= 80
    assert sum("player" in line and "points" in line for line in lines) == 1
    assert re.search(r"^ggp tournament: (\d+) of \1 matches$", done.stderr, re.MULTILINE)
    assert table.read_text(encoding="utf-8").startswith("place,player,points,matches,")


def test_a_continuous_tournament_ends_when_its_time_is_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Here at once; the same command prints its table again."""
    monkeypatch.setattr("ggp.manager.domain.tournaments.MILLISECONDS_A_MINUTE", 300)
    file = tmp_path / "day.toml"
    file.write_text('form = "continuous"\nminutes = 1\njobs = 1\n' + PLAN, encoding="utf-8")
    command = ["tournament", str(file), "--db", f"sqlite:///{tmp_path}/ggp.db"]

    done = CliRunner().invoke(app, command)
    again = CliRunner().invoke(app, [*command, "--json"])

    assert (done.exit_code, again.exit_code) == (0, 0), done.output + again.output
    assert {row["name"] for row in json.loads(again.stdout)["rows"]} == {"random", "legal"}
    assert "random" in done.stdout


async def test_a_continuous_tournament_is_ended_by_another_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By its plan, while another command holds it; both find the same table."""
    file = tmp_path / "day.toml"
    file.write_text('form = "continuous"\njobs = 1\n' + PLAN, encoding="utf-8")
    config = ManagerConfig(database=f"sqlite:///{tmp_path}/ggp.db", num_cores=1)
    plan = TournamentPlan.from_toml(file.read_text(encoding="utf-8"), str(file))
    is_held, follow = asyncio.Event(), tournament._follow

    async def held(*args: Any) -> None:
        is_held.set()
        await follow(*args)

    with pytest.raises(WrongUseError, match="this tournament has not begun"):
        await tournament._hold(plan, config, file, is_ended=True)
    monkeypatch.setattr(tournament, "_follow", held)
    holder = asyncio.create_task(tournament._hold(plan, config, file, is_ended=False))
    await is_held.wait()
    ended = await tournament._hold(plan, config, file, is_ended=True)
    again = await tournament._hold(1, config, file, is_ended=True)

    assert (await holder).table == ended.table == again.table
    assert {row.name for row in ended.table.rows} == {"random", "legal"}
    with pytest.raises(WrongUseError, match="there is no tournament 2"):
        await tournament._hold(2, config, file, is_ended=True)


@pytest.mark.thorough
def test_a_continuous_tournament_is_ended_from_elsewhere(tmp_path: Path) -> None:
    """By its plan, while another command holds it; both print its table, as do later ones."""
    file = tmp_path / "day.toml"
    file.write_text('form = "continuous"\njobs = 1\n' + PLAN, encoding="utf-8")
    db = ["--db", f"sqlite:///{tmp_path}/ggp.db"]
    early = CliRunner().invoke(app, ["tournament", str(file), *db, "--end"])
    command = [sys.executable, "-m", "ggp", "tournament", str(file), *db]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as holder:
        wait_until(lambda: "running" in statuses(tmp_path / "ggp.db"))
        ended = CliRunner().invoke(app, ["tournament", str(file), *db, "--end"])
        printed, _ = holder.communicate(timeout=600)
    again = CliRunner().invoke(app, ["tournament", "1", *db, "--end"])
    lost = CliRunner().invoke(app, ["tournament", "2", *db, "--end"])

    assert (ended.exit_code, holder.returncode, again.exit_code) == (0, 0, 0), ended.output
    assert ended.stdout == printed == again.stdout
    assert "random" in printed
    assert (early.exit_code, lost.exit_code) == (2, 2)
    assert "this tournament has not begun" in early.stderr
    assert "there is no tournament 2" in lost.stderr


def statuses(file: Path) -> list[str]:
    """Those of the tournaments in a database."""
    with contextlib.closing(sqlite3.connect(file)) as database:
        return [status for (status,) in database.execute("select status from tournaments")]
