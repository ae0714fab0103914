"""Games of incomplete information (GDL-II), in the forms in which managers tell percepts."""

from __future__ import annotations

import logging

import pytest

import gdl
from ggp.clock import Deadline
from ggp.engine import EngineConfig, EnginePool, EngineSetup, JointMove, MatchEngine, Percepts, Step
from ggp.engine.worker.service import GUESSES
from ggp.players import Player
from tests.ggp.belief.games import COIN
from tests.waiting import PATIENCE

pytestmark = pytest.mark.usefixtures("kernels")


@pytest.mark.parametrize(
    "step",
    [
        Percepts(("clang",), own_move="wait"),
        Percepts(("CLANG",)),
        JointMove(("clang",)),
        JointMove(("wait", "(throw edge)")),
    ],
    ids=["with own move", "without own move", "in the place of moves", "moves all the same"],
)
async def test_a_legal_move_of_a_believed_state_is_answered(pool: EnginePool, step: Step) -> None:
    """The player is given a state that agrees with what was seen."""
    setup = EngineSetup(COIN, "guesser", 5)
    config = EngineConfig(player="random", seed=1, reasoner="interpreter")
    engine = await MatchEngine.start(pool, setup, config, Deadline.after(PATIENCE))
    await engine.play(None, Deadline.after(PATIENCE))

    choice = await engine.play(step, Deadline.after(PATIENCE))

    assert engine.has_percepts
    assert choice.position is not None
    assert choice.position.turn == 1
    assert choice.move in {"(guess heads)", "(guess tails)", "(guess edge)"}
    assert choice.position.joint_move == ("wait", "(throw edge)")


class Confident(Player):
    """Says how likely its belief holds the coin to lie on its edge."""

    def choose(self, state: gdl.State, deadline: Deadline) -> gdl.Move:
        """The first legal move."""
        assert self.belief is not None
        share = self.belief.probabilities().get(gdl.read_term("(lies edge)"), 0.0)
        moves = self.legal_moves(state)
        self.report(moves[0], edge=share)
        return moves[0]


async def test_a_player_is_given_the_belief(pool: EnginePool) -> None:
    """On the reasoner that it plays on, in each turn."""
    setup = EngineSetup(COIN, "guesser", 5)
    player = "tests.ggp.engine.test_incomplete_information:Confident"
    for reasoner in ("interpreter", "scalar"):
        config = EngineConfig(player=player, seed=1, reasoner=reasoner)
        engine = await MatchEngine.start(pool, setup, config, Deadline.after(PATIENCE))
        await engine.play(None, Deadline.after(PATIENCE))

        choice = await engine.play(Percepts(("clang",)), Deadline.after(PATIENCE))

        assert choice.search_info == {"edge": 1.0}
        await engine.abort()


async def test_who_plays_by_one_position_is_told_of_the_player_that_does_not(
    pool: EnginePool, caplog: pytest.LogCaptureFixture
) -> None:
    """In the log, as the match begins."""
    for player in ("mcts", "hidden"):
        with caplog.at_level(logging.INFO):
            config = EngineConfig(player=player, seed=1, reasoner="interpreter")
            setup = EngineSetup(COIN, "guesser", 5)
            engine = await MatchEngine.start(pool, setup, config, Deadline.after(10))
            await engine.abort()

    assert sum(GUESSES in one.getMessage() for one in caplog.records) == 1
