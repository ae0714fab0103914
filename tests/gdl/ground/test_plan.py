"""However the clauses are rewritten, the ground program says what the interpreter says."""

from __future__ import annotations

import pytest

import gdl
from gdl.ground.grounding import ground
from gdl.ground.plan import GroundingLimits, prepare
from gdl.rulesheet import Relation
from tests.gdl.ground import randomrules
from tests.gdl.ground.lockstep import assert_agrees
from tests.shared import require
from tests.thorough import all_but

EVERYTHING = GroundingLimits(on_demand=1, gain=1, unfolded=1)


_SEEDS = range(16)


@pytest.mark.parametrize("seed", all_but(range(6), _SEEDS))
def test_relations_on_demand_agree_with_the_interpreter(seed: int) -> None:
    """Random rules: recursion, negation and open arguments, whatever can be on demand is."""
    rulesheet = gdl.read_kif(randomrules.rulesheet(seed))

    program = ground(rulesheet, limits=EVERYTHING)

    assert assert_agrees(rulesheet, program, plies=12) > 0


def test_the_random_rules_put_relations_on_demand() -> None:
    """Most of them do, so that the law above says something."""
    sheets = [gdl.read_kif(randomrules.rulesheet(seed)) for seed in _SEEDS]

    assert sum(bool(prepare(sheet, EVERYTHING).asked) for sheet in sheets) > len(_SEEDS) // 2


@pytest.mark.parametrize("seed", range(4))
def test_rules_computed_as_a_whole_agree_with_the_interpreter(seed: int) -> None:
    """The same rules without demand."""
    rulesheet = gdl.read_kif(randomrules.rulesheet(seed))

    program = ground(rulesheet)

    assert assert_agrees(rulesheet, program, plies=12) > 0


_CORPUS = ("chess_200", "checkers", "crisscross", "knightThrough", "minichess", "wargame03")


@pytest.mark.parametrize("name", all_but(["knightThrough", "minichess"], _CORPUS))
def test_corpus_games_on_demand_agree_with_the_interpreter(name: str) -> None:
    """Rulesheets of other authors."""
    path = require("corpus", "rules", f"{name}.kif")
    rulesheet = gdl.read_rules(path.read_text(errors="replace"), name)

    program = ground(rulesheet, limits=EVERYTHING)

    assert assert_agrees(rulesheet, program, plies=15, seconds=2) > 0


def test_what_threatens_in_chess_is_asked() -> None:
    """Otherwise its threats hold for every piece that could be left aside: it would not ground."""
    path = require("corpus", "rules", "chess.kif")
    rulesheet = gdl.read_rules(path.read_text(errors="replace"), "chess")

    plan = prepare(rulesheet)

    heads = [clause for clause in plan.clauses if clause.relation.name == "threatened_with_capture"]
    assert heads
    for clause in heads:
        assert Relation.of(clause.positive[0]) in plan.asked


def test_a_game_without_large_relations_is_only_split() -> None:
    """Nothing else is done to it."""
    rulesheet = gdl.read_kif(randomrules.rulesheet(0))

    assert not prepare(rulesheet).asked
