"""Games whose rules take long: slowness is not mistaken for a hang."""

from __future__ import annotations

import pytest

from ggp.clock import Deadline
from ggp.engine import EngineConfig, EnginePool, EngineSetup, MatchEngine, MoveOrigin
from tests.waiting import PATIENCE

pytestmark = pytest.mark.usefixtures("kernels")

# Each step looks for a combination of digits that is not `known`: 300,000 tries.
SLOW = """
(role me) (init (step 0)) (succ 0 1) (succ 1 2) (succ 2 3)
(digit 0) (digit 1) (digit 2) (digit 3) (digit 4)
(digit 5) (digit 6) (digit 7) (digit 8) (digit 9)
(<= impossible (true (step ?n)) (digit ?a) (digit ?b) (digit ?c) (digit ?d) (digit ?e)
    (succ ?f ?g) (not (known ?n ?a ?b ?c ?d ?e ?f)))
(<= (known ?n ?a ?b ?c ?d ?e ?f) (true (step ?n)) (succ ?f ?g)
    (digit ?a) (digit ?b) (digit ?c) (digit ?d) (digit ?e))
(<= (legal me go) (not impossible))
(<= (legal me stay) (not impossible))
(<= (next (step ?m)) (does me ?any) (true (step ?n)) (succ ?n ?m))
(<= terminal (true (step 3)))
(goal me 100)
"""


async def test_a_process_busy_with_a_step_is_not_replaced(pool: EnginePool) -> None:
    """Another one would have to make the step as well."""
    config = EngineConfig(player="legal", patience_seconds=0.1, reasoner="interpreter")
    setup = EngineSetup(SLOW, "me", 1)
    engine = await MatchEngine.start(pool, setup, config, Deadline.after(PATIENCE))
    before = engine.pid

    hasty = await engine.play(["go"], Deadline.after(0))
    patient = await engine.play(["go"], Deadline.after(PATIENCE))

    assert hasty.origin is MoveOrigin.GUESS
    assert hasty.move == "stay"  # legal before, and not made since
    assert patient.origin is MoveOrigin.SEARCH
    assert patient.position is not None
    assert patient.position.turn == 2
    assert engine.pid == before
