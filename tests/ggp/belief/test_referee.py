"""A referee that knows the true state looks for it in the belief of every role."""

from __future__ import annotations

import random
import time
from pathlib import Path
from unittest.mock import ANY

import pytest
from judged_matches import Answer, Players, believers, judged_match

import gdl
from ggp import games
from ggp.clock import Deadline
from ggp.players import Player
from tests.ggp.belief.games import BOXES, COIN, DICE, HIDDEN
from tests.shared import SHARED
from tests.thorough import all_but

pytestmark = pytest.mark.usefixtures("kernels")

BUNDLED = [name for name in games.names() if "(sees" in games.text(name)]
FOREIGN = sorted((SHARED / "corpus_gdl2").glob("*.gdl"))
CHEAT = "tests.ggp.belief.test_referee:Cheat"
QUICK = ("boxes", "coin", "darkHex3", "kuhnPoker")
QUICK_FOREIGN = [path for path in FOREIGN if path.stem in {"sjl_meier", "sjl_montyhall"}]
OWN = {"boxes": BOXES, "coin": COIN, "dice": DICE, "hidden": HIDDEN}


@pytest.mark.parametrize("name", all_but(QUICK, [*OWN, *BUNDLED]))
def test_the_true_state_is_believed(name: str) -> None:
    """In all turns of two matches, unless the belief says that some are missing."""
    judge(OWN.get(name) or games.text(name))


@pytest.mark.parametrize("path", all_but(QUICK_FOREIGN, FOREIGN), ids=lambda path: path.stem)
def test_the_true_state_of_foreign_games_is_believed(path: Path) -> None:
    """Likewise."""
    judge(path.read_text())


class Cheat(Player):
    """Answers what is no move, or too late what is one."""

    def choose(self, state: gdl.State, deadline: Deadline) -> gdl.Move:
        """No move when there is a choice, else the only one when the clock is over."""
        moves = self.legal_moves(state)
        if len(moves) > 1:
            return gdl.read_term("(guess wrong)")
        time.sleep(0.02)
        return moves[0]


def test_answers_are_judged_by_rules_and_clock() -> None:
    """A player answers legally and in time; one that cheats or sleeps is found out."""
    found = {"random": answers_of("random", 5.0), CHEAT: answers_of(CHEAT, 0.01)}

    assert [(one.is_legal, one.is_late) for one in found["random"]] == [(True, False)] * 2
    assert [(one.is_legal, one.is_late) for one in found[CHEAT]] == [(True, True), (False, ANY)]


def answers_of(spec: str, playclock: float) -> list[Answer]:
    """The answers of a player that guesses a coin."""
    game = gdl.load(COIN, "interpreter")
    players = Players(spec, startclock=1.0, playclock=playclock)
    match = judged_match(game, believers(game), random.Random(1), 0.1, players=players)
    return [judgement.answer for judgement in match if judgement.answer is not None]


def judge(rules: str) -> None:
    """See to it that the true state is in each belief that is complete."""
    game = gdl.load(rules)
    beliefs = believers(game, max_worlds=4096)
    rng = random.Random(1)
    judgements = [
        judgement
        for _ in range(2)
        for judgement in judged_match(game, beliefs, rng, seconds=10.0, most_turns=20)
    ]
    assert judgements
    assert all(judgement.is_true or not judgement.is_complete for judgement in judgements)
    assert judgements[0].is_complete
