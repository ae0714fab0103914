"""A tournament file is read, and what is wrong in it is named."""

from __future__ import annotations

import pytest

from ggp.tournament.plan import Entrant, PlanError, TournamentPlan

FILE = """
games = ["ticTacToe"]
playclock = 2
[[players]]
name = "mcts"
[[players]]
name = "deep"
player = "alphabeta:depth=4"
"""


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
    ],
)
def test_what_is_wrong_is_named(text: str, message: str) -> None:
    """File and field, and what was expected."""
    with pytest.raises(PlanError, match=message):
        TournamentPlan.from_toml(text, "friday.toml")
