"""Definitions and renaming on public rulesheets, as `benchmarks/language_server.py` judges them."""

from __future__ import annotations

import pytest
from language_server import judge_definitions, judge_renaming, read

from ggp import games
from tests.shared import require
from tests.thorough import all_but

NAMES = [
    "blocker",
    "breakthrough",
    "buttons",
    "checkers",
    "chess_200",
    "connectFour",
    "dresden_mobility",
    "eightPuzzle",
    "hex",
    "nim1",
    "pentago",
    "ticTacToe",
]


@pytest.mark.parametrize("name", all_but(("ticTacToe", "goofspiel"), games.names()))
def test_every_symbol_of_a_bundled_game_has_its_definition(name: str) -> None:
    """At each of its places, by what the rules mean."""
    found = judge_definitions(games.text(name))

    assert found.wrong == ()
    assert found.num_places > 50


@pytest.mark.parametrize("name", all_but(("connectFour", "nim1"), NAMES))
def test_every_symbol_of_a_public_rulesheet_has_its_definition(name: str) -> None:
    """Whatever its author has done."""
    assert judge_definitions(read(require("corpus", "rules", f"{name}.kif"))).wrong == ()


@pytest.mark.parametrize("name", all_but(("ticTacToe", "buttons"), NAMES))
def test_renaming_everything_leaves_the_trace_unchanged(name: str) -> None:
    """The states, legal moves and goals are the same, by their new names."""
    text = read(require("corpus", "rules", f"{name}.kif"))
    trace = require("corpus", "traces", f"{name}.jsonl.gz")

    num_states, difference = judge_renaming(text, trace, seconds=1.0)

    assert difference == ""
    assert num_states > 0
