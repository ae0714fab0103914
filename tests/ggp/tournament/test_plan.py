"""A tournament file is read, and what is wrong in it is named."""

from __future__ import annotations

import json

import pytest

from ggp.rating.sprt import StopRule
from ggp.tournament.plan import Entrant, PlanError, TournamentPlan
from tests.shared import REPOSITORY

FILE = """
games = ["ticTacToe"]
playclock = 2
[[players]]
name = "mcts"
[[players]]
name = "deep"
player = "alphabeta:depth=4"
"""
TWO = "games = ['x']\nplayers = ['a', 'b']\n"
STOP = "stop = { elo0 = 0, elo1 = 20 }"


def test_a_file_is_read() -> None:
    """Entries that a file lacks have defaults; a player without a spec is the one of its name.

    Without a name in it, the tournament is called as the file, less its ending.
    """
    plan = TournamentPlan.from_toml(FILE, "friday.toml")

    assert plan.name == "friday"
    assert plan.form == "round-robin"
    assert plan.players == (Entrant("mcts", "mcts"), Entrant("deep", "alphabeta:depth=4"))
    assert plan.playclock == 2


def test_a_plan_survives_json() -> None:
    """The plan that is kept in the database is the same tournament."""
    plan = TournamentPlan.from_toml(FILE, "friday.toml")

    assert TournamentPlan.read(plan.to_json()) == plan


def test_a_plan_with_a_stop_rule_survives_json() -> None:
    """What it does not say of the errors is 0.05."""
    text = TWO + "stop = { elo0 = 0, elo1 = 20, beta = 0.1 }"
    plan = TournamentPlan.from_toml(text, "friday.toml")

    assert plan.stop == StopRule(elo0=0, elo1=20, alpha=0.05, beta=0.1)
    assert TournamentPlan.read(json.loads(json.dumps(plan.to_json()))) == plan


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("games =", "friday.toml: expected TOML"),
        ("games = []\nplayers = ['a']", "games: expected a list of 1 to 64"),
        ("games = ['x']", "players: expected a list"),
        ("games = ['x']\nplayers = ['a', 'a']", r"players\[1\].name: 'a' takes part already"),
        ("games = ['x']\nplayers = [{nam = 'a'}]", r"players\[0\]: expected name, player"),
        (
            "games = ['x']\nplayers = ['a']\nplayclock = 0",
            "playclock: expected a whole number from 1",
        ),
        (
            "games = ['x']\nplayers = [{name = 'a', dialect = 'kif'}]",
            r"players\[0\].dialect: expected one of ggp-base, dresden",
        ),
        ("games = ['x']\nplayers = ['a']\nform = 'cup'", "form: expected one of round-robin"),
        ("games = ['x']\nplayers = ['a']\nplaclock = 1", "placlock: no such field"),
        (TWO + "stop = 20", "stop: expected elo0, elo1 and perhaps alpha and beta, got 20"),
        (TWO + "stop = { elo1 = 20 }", "stop: expected elo0, elo1"),
        (TWO + "stop = { elo0 = 0, elo1 = 20, gamma = 1 }", "stop: expected elo0, elo1"),
        (TWO + "stop = { elo0 = 'a', elo1 = 20 }", "stop.elo0: expected a number from -1000"),
        (TWO + "stop = { elo0 = 0, elo1 = nan }", "stop.elo1: expected a number"),
        (TWO + "stop = { elo0 = 0, elo1 = true }", "stop.elo1: expected a number"),
        (TWO + "stop = { elo0 = 20, elo1 = 20 }", "stop.elo1: expected at least 1 more than elo0"),
        (TWO + "stop = { elo0 = 0, elo1 = 20, beta = 0 }", "stop.beta: expected a number from 0.0"),
        (TWO + "matches = 3\n" + STOP, "matches: expected an even number"),
        (TWO + "form = 'swiss'\n" + STOP, "stop: expected form round-robin or gauntlet"),
        (TWO.replace("'b'", "'b', 'c'") + STOP, "stop: expected two players, got 3"),
    ],
)
def test_what_is_wrong_is_named(text: str, message: str) -> None:
    """File and field, and what was expected."""
    with pytest.raises(PlanError, match=message):
        TournamentPlan.from_toml(text, "friday.toml")


@pytest.mark.parametrize("form", ["continuous", "knockout"])
def test_the_examples_are_plans(form: str) -> None:
    """Those that the documentation names."""
    file = REPOSITORY / "examples" / f"{form}.toml"

    plan = TournamentPlan.from_toml(file.read_text(encoding="utf-8"), str(file))

    assert plan.form == form
