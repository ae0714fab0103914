"""The weights file: what is written is read again, and what does not fit is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import gdl
from ggp import games
from ggp.players.evaluation_options import evaluation_from
from ggp.players.options import PlayerSpecError
from ggp.search.core.playout import sample_states
from ggp.search.evaluation import Weights, WeightsError, named, read_weights, write_weights
from ggp.search.evaluation.linear import LinearEvaluation, squashed
from ggp.search.evaluation.weights import digest

MACHINE = gdl.load(games.text("ticTacToe"), "interpreter")


def weights(**features: tuple[float, float]) -> Weights:
    """Weights for tic-tac-toe: two patterns, and what is given besides."""
    patterns = {"(cell ? ? x)": (1.5, -1.5), "(cell 2 2 o)": (-1.0, 1.0)}
    return Weights(
        game="ticTacToe",
        rules=digest(MACHINE),
        roles=("xplayer", "oplayer"),
        bias=(0.25, -0.25),
        features={**patterns, **features},
        method="samuel",
        figures={"games": 3, "seconds": 1.5},
    )


def written(tmp_path: Path, **changed: object) -> Path:
    """A weights file in which some fields are changed."""
    file = tmp_path / "weights.json"
    write_weights(weights(), file)
    file.write_text(json.dumps(json.loads(file.read_text()) | changed), encoding="utf-8")
    return file


def test_a_file_gives_back_what_was_written(tmp_path: Path) -> None:
    """Every field."""
    file = tmp_path / "weights.json"

    write_weights(weights(mobility=(0.5, 0.5)), file)

    assert read_weights(file) == weights(mobility=(0.5, 0.5))


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("format", "else", "format: expected \"ggp weights\", got 'else'"),
        ("version", 2, "version: expected 1, got 2"),
        ("roles", [], "roles: expected a list of names"),
        ("bias", [1.0], "bias: expected 2 numbers, one per role"),
        ("bias", [1.0, True], "bias: expected 2 numbers"),
        ("features", [], "features: expected an object"),
        ("features", {"(a ?)": [1, None]}, r"features.\(a \?\): expected 2 numbers"),
        ("rules", 7, "rules: expected a text"),
    ],
)
def test_a_broken_field_is_named(tmp_path: Path, field: str, value: object, message: str) -> None:
    """With the file, and what would be right."""
    file = written(tmp_path, **{field: value})

    with pytest.raises(WeightsError, match=message) as raised:
        read_weights(file)

    assert str(raised.value).startswith(f"{file}: ")


@pytest.mark.parametrize("text", ["", "{", "[]", '{"bias": NaN}', "[" * 100_000])
def test_what_is_no_weights_file_is_refused(tmp_path: Path, text: str) -> None:
    """Half a file, another file, and one that would break a careless reader."""
    file = tmp_path / "weights.json"
    file.write_text(text, encoding="utf-8")

    with pytest.raises(WeightsError, match="expected"):
        read_weights(file)


def test_a_number_that_is_none_is_refused(tmp_path: Path) -> None:
    """JSON as Python reads it has NaN; no evaluation has."""
    file = written(tmp_path, bias=[float("nan"), 0.0])

    with pytest.raises(WeightsError, match="bias: expected 2 numbers"):
        read_weights(file)


def test_weights_of_another_game_are_refused() -> None:
    """By its roles, or where these are the same by its rules."""
    other_roles = gdl.load(games.text("connectFour"), "interpreter")
    other_rules = gdl.load(f"{games.text('ticTacToe')} (extra fact)", "interpreter")

    with pytest.raises(WeightsError, match="expected weights for the roles red yellow"):
        named(other_roles, "linear", weights())
    with pytest.raises(WeightsError, match="those of ticTacToe, whose rules differ"):
        named(other_rules, "linear", weights())


def test_layout_and_comments_make_no_other_game() -> None:
    """The same statements in another order and another case are the same rules."""
    forms = gdl.read_rules(games.text("ticTacToe")).forms
    shuffled = "\n".join(str(form).upper() for form in reversed(forms))

    assert digest(gdl.load(shuffled, "interpreter")) == digest(MACHINE)


def test_a_feature_that_is_no_pattern_is_refused() -> None:
    """Neither an evaluation nor a term."""
    with pytest.raises(WeightsError, match="expected a pattern of facts, got '\\(cell'"):
        named(MACHINE, "linear", weights(**{"(cell": (1.0, 1.0)}))


def test_the_value_is_the_squashed_sum() -> None:
    """Counts times weights, and the bias."""
    evaluate = named(MACHINE, "linear", weights())
    read = gdl.read_rules(games.text("ticTacToe"))
    texts = ("(cell 1 1 x)", "(cell 1 2 x)", "(cell 2 2 o)", "(control xplayer)")
    state = MACHINE.state_of([gdl.read_term(text, read) for text in texts])

    values = evaluate(state)

    assert values == pytest.approx((squashed(0.25 + 2 * 1.5 - 1), squashed(-0.25 - 2 * 1.5 + 1)))


def test_weights_by_fact_give_the_same_value() -> None:
    """A search in array code adds up the same value as the evaluation."""
    evaluate = named(MACHINE, "linear", weights())
    assert isinstance(evaluate, LinearEvaluation)
    facts = evaluate.facts

    for state in sample_states(MACHINE, num=10):
        rows = [facts.bias, *(facts.weights_of(fact) for fact in MACHINE.facts(state))]
        sums = [sum(column) for column in zip(*rows, strict=True)]
        assert evaluate(state) == pytest.approx([squashed(total) for total in sums])


def test_players_take_the_file(tmp_path: Path) -> None:
    """The option weights reads it, for the evaluation that has weights."""
    file = str(written(tmp_path))

    evaluate = evaluation_from({"weights": file}, MACHINE)

    state = MACHINE.initial_state()
    assert evaluate(state) == named(MACHINE, "linear", weights())(state)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"weights": "/no/such/file"}, "option weights: /no/such/file: cannot be read"),
        ({"weights": "x", "eval": "goal"}, "works only with eval=linear, got eval=goal"),
        ({"eval": "gaol"}, "option eval: expected one of linear, "),
    ],
)
def test_players_refuse_what_they_cannot_use(options: dict[str, str], message: str) -> None:
    """As any wrong option."""
    with pytest.raises(PlayerSpecError, match=message):
        evaluation_from(options, MACHINE)
