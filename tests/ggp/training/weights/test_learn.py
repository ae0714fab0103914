"""Learning works on small games, the same each time, and what it writes is what it learned."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import get_args
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from typer.testing import CliRunner

import gdl
from ggp import games
from ggp.cli import app
from ggp.search.core.playout import sample_states
from ggp.search.evaluation import named, read_weights
from ggp.training.weights.curve import svg
from ggp.training.weights.learn import (
    Method,
    Point,
    Settings,
    against_untrained,
    learn,
    to_weights,
)
from ggp.training.weights.model import FeatureSpace, LinearModel
from ggp.training.weights.selfplay import ContestConditions, ContestScore

pytestmark = pytest.mark.usefixtures("kernels")

QUICK = Settings(games=40, random_games=200, depth=1, points=0)

# Two runners on a track of eight fields go one or two steps in turn; who is first at the end wins.
# The untrained evaluation sees neither goals nor moves change, so it knows nothing of the race.
RACE = """
(role a) (role b)
(init (at a 0)) (init (at b 0)) (init (turn a))
(other a b) (other b a)
(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6) (succ 6 7) (succ 7 8)
(<= (plus ?x 1 ?y) (succ ?x ?y))
(<= (plus ?x 2 ?z) (succ ?x ?y) (succ ?y ?z))
(<= (legal ?r stay) (other ?r ?o) (true (turn ?o)))
(<= (legal ?r (go ?n)) (true (turn ?r)) (true (at ?r ?x)) (plus ?x ?n ?y))
(<= (next (at ?r ?y)) (does ?r (go ?n)) (true (at ?r ?x)) (plus ?x ?n ?y))
(<= (next (at ?r ?x)) (does ?r stay) (true (at ?r ?x)))
(<= (next (turn ?r)) (other ?r ?o) (true (turn ?o)))
(<= won (true (at ?r 8)))
(<= terminal won)
(<= (goal ?r 100) (true (at ?r 8)))
(<= (goal ?r 0) (other ?r ?o) (true (at ?o 8)))
(<= (goal ?r 50) (role ?r) (not won))
"""


@pytest.fixture(scope="module")
def race() -> gdl.Game:
    """The compiled race."""
    return gdl.load(RACE, "scalar")


@pytest.mark.parametrize("method", get_args(Method))
def test_what_is_learned_beats_the_untrained(race: gdl.Game, method: Method) -> None:
    """It has found out that it is good to be ahead."""
    settings = replace(QUICK, method=method)
    weights = to_weights(race, "race", settings, learn(race, settings))
    ahead = [float(weights.features[f"(at a {field})"][0]) for field in (1, 7)]

    score = against_untrained(race, weights, ContestConditions(30, depth=1, opening_plies=2))

    assert score.rate > 0.65
    assert ahead[1] > ahead[0]


@pytest.mark.parametrize("method", get_args(Method))
def test_the_same_seed_gives_the_same_weights(race: gdl.Game, method: Method) -> None:
    """And another seed others."""
    settings = replace(QUICK, method=method, games=5, random_games=20)

    first, second, third = (
        learn(race, each).model.weights for each in (settings, settings, replace(settings, seed=2))
    )

    assert np.array_equal(first, second)
    assert first.shape != third.shape or not np.array_equal(first, third)


def test_the_model_and_its_file_agree() -> None:
    """The weights are for plain counts, the model's for centred and scaled ones."""
    machine = gdl.load(games.text("ticTacToe"), "interpreter")
    settings = replace(QUICK, games=0, random_games=10, evaluations=("mobility",))
    learned = learn(machine, settings)

    evaluate = named(machine, "linear", to_weights(machine, "ticTacToe", settings, learned))

    for state in sample_states(machine, num=20):
        assert evaluate(state) == pytest.approx(learned.model(state), abs=0.01)


def test_roles_of_a_tug_of_war_share_their_weights(race: gdl.Game) -> None:
    """So their values make 100 together."""
    learned = learn(race, replace(QUICK, games=0, random_games=50))

    for state in sample_states(race, num=20):
        assert sum(learned.model(state)) == pytest.approx(100)


def test_a_model_comes_nearer_to_its_target() -> None:
    """One state, told to be won for one role and of no account for the other."""
    machine = gdl.load(games.text("ticTacToe"), "interpreter")
    states = sample_states(machine, num=50)
    model = LinearModel(FeatureSpace(machine, states, {}), 2, is_tug_of_war=False)
    won, unknown = 1.0, float("nan")

    for _ in range(20):
        model.learn(states[:1], np.array([[won, unknown]]), 1.0)

    value, other = model(states[0])
    assert value > 80
    assert other == 50


@pytest.mark.parametrize(
    ("game", "method"),
    [
        ("maze", "samuel"),
        ("pig", "td"),
        pytest.param("rockPaperScissors", "samuel", marks=pytest.mark.thorough),
        pytest.param("threePlayerTicTacToe", "samuel", marks=pytest.mark.thorough),
    ],
)
def test_games_of_any_kind_can_be_learned(game: str, method: Method) -> None:
    """Puzzles, three roles, chance, and all at once."""
    settings = replace(QUICK, method=method, games=1, random_games=2, points=1, point_games=1)
    machine = gdl.load(games.text(game), "interpreter")

    learned = learn(machine, settings)

    assert np.isfinite(learned.model.weights).all()
    assert [point.games for point in learned.points] == [0, 1]


def test_the_curve_is_a_picture() -> None:
    """Well-formed, with a dot for each point of each line; names in it are text."""
    points = [Point(0, 45.0, ContestScore(1, 0, 1)), Point(50, 30.0, ContestScore(2, 0, 0))]

    picture = ET.fromstring(svg(points, "a < b"))

    tags = [element.tag.rpartition("}")[2] for element in picture.iter()]
    assert tags.count("circle") == 4
    assert "a < b" in {element.text for element in picture.iter()}


def test_the_verb_writes_a_file_that_players_take(tmp_path: Path) -> None:
    """From the command line to the evaluation."""
    rules, file, curve = (tmp_path / name for name in ("race.kif", "w.json", "c.svg"))
    rules.write_text(RACE, encoding="utf-8")
    small = ["--games", "4", "--random-games", "20", "--test", "4", "--depth", "1"]

    done = CliRunner().invoke(
        app,
        ["learn", str(rules), "--method", "td", *small, "--out", str(file), "--curve", str(curve)],
    )

    assert done.exit_code == 0, done.output
    assert "in 4 games" in done.output
    weights = read_weights(file)
    assert weights.figures["games against the untrained"] == 4
    named(gdl.load(RACE), "linear", weights)
    assert curve.read_text(encoding="utf-8").startswith("<svg")


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["ticTacToe", "--out", "/no/such/folder/w.json"], "there is no folder /no/such/folder"),
        (["ticTacToe", "--method", "td", "--feature", "mobilty"], "did you mean mobility"),
        (["ticTacTo"], "did you mean ticTacToe"),
    ],
)
def test_wrong_use_is_told_before_anything_is_learned(args: list[str], message: str) -> None:
    """In one line."""
    done = CliRunner().invoke(app, ["learn", *args])

    assert done.exit_code == 2
    assert message in done.output.replace("\n", " ")
