"""A referee that knows the true state looks for it in the belief of every role."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import gdl
from ggp import games
from ggp.measure.beliefs import believers, judged_match
from tests.ggp.belief.games import BOXES, COIN, DICE, HIDDEN
from tests.shared import SHARED

BUNDLED = [name for name in games.names() if "(sees" in games.text(name)]
FOREIGN = sorted((SHARED / "corpus_gdl2").glob("*.gdl"))
OWN = {"boxes": BOXES, "coin": COIN, "dice": DICE, "hidden": HIDDEN}


@pytest.mark.parametrize("name", [*OWN, *BUNDLED])
def test_the_true_state_is_believed(name: str) -> None:
    """In all turns of two matches, unless the belief says that some are missing."""
    judge(OWN.get(name) or games.text(name))


@pytest.mark.parametrize("path", FOREIGN, ids=lambda path: path.stem)
def test_the_true_state_of_foreign_games_is_believed(path: Path) -> None:
    """Likewise."""
    judge(path.read_text())


def judge(rules: str) -> None:
    """See to it that the true state is in each belief that is complete."""
    game = gdl.load(rules)
    beliefs = believers(game, max_worlds=4096)
    rng = random.Random(1)
    judgements = [
        judgement
        for _ in range(2)
        for judgement in judged_match(game, beliefs, rng, seconds=0.1, most_turns=20)
    ]
    assert judgements
    assert all(judgement.is_true or not judgement.is_complete for judgement in judgements)
    assert judgements[0].is_complete
