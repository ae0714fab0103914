"""The greedy player's selection rules: by the lecture's formulas, and in whole games."""

from __future__ import annotations

import pytest

import gdl
from ggp import games
from ggp.lectures import greedy
from ggp.search.textbook.greedy.search import GreedySettings
from ggp.search.textbook.greedy.tree import RULES


@pytest.mark.parametrize(
    ("rule", "values"),
    [
        ("utility", [60, 55, 30]),
        ("visits", [-6, -3, -1]),
        ("exploit_explore", [100, 125, 120]),
        ("uct", [90.97, 98.80, 105.87]),
    ],
)
def test_scores_are_those_worked_out_by_hand(rule: str, values: list[float]) -> None:
    """Children of utility 60, 55, 30 with 6, 3, 1 of 10 visits."""
    assert greedy.scores(rule) == pytest.approx(values, abs=0.006)


def test_every_rule_plays_every_game() -> None:
    """A figure for each rule and game, and the lecture's formulas above."""
    report = greedy.run(rounds=5, puzzles=("towersOfHanoi",), duels=("ticTacToe",))

    goals = report.parts[1]
    assert getattr(goals, "columns", ()) == ("game", *RULES)
    assert [row[0] for row in getattr(goals, "rows", ())] == ["towersOfHanoi", "ticTacToe"]
    assert [claim.what for claim in report.claims if not claim.agrees] == ["uct, C = 50: scores"]


def test_games_of_fixed_rounds_are_the_same_each_time() -> None:
    """No clock decides, so the figures can be compared."""
    machine = gdl.Interpreter(gdl.read_kif(games.text("towersOfHanoi"), "towersOfHanoi"))
    settings = GreedySettings(select="utility", c=greedy.C)

    played = [greedy.play(machine, machine.roles[0], settings, 40, seed=1) for _ in range(2)]

    assert played[0] == played[1]
    assert played[0].goal == 100
    assert played[0].num_moves == 7


def test_rules_that_only_look_at_goals_agree_where_there_are_none() -> None:
    """Before the end of ticTacToe the rules of the game tell nothing; all estimates are equal."""
    machine = gdl.Interpreter(gdl.read_kif(games.text("ticTacToe"), "ticTacToe"))

    played = {
        greedy.play(machine, machine.roles[0], GreedySettings(select=rule), 10, seed=0)
        for rule in RULES
    }

    assert len(played) == 1
