"""A role with 47 million legal moves: nobody can list them, but one is made in each turn."""

from __future__ import annotations

import asyncio
import re

import pytest

from ggp.clock import Deadline
from ggp.engine import EngineConfig, EnginePool, EngineSetup, MatchEngine, MoveOrigin

pytestmark = pytest.mark.usefixtures("kernels")

PATIENCE_SECONDS = 60.0
MANY = " ".join(f"(number {number})" for number in range(83))
RULES = f"""{MANY} (role red) (role blue) (init (step 0)) (succ 0 1) (succ 1 2) (succ 2 3)
(<= (legal red (pick ?a ?b ?c ?d)) (number ?a) (number ?b) (number ?c) (number ?d) (distinct ?a ?b))
(legal blue noop)
(<= (next (step ?m)) (true (step ?n)) (succ ?n ?m)) (<= (next (last ?m)) (does red ?m))
(<= terminal (true (step 3))) (goal red 50) (goal blue 50)"""


async def test_a_legal_move_is_made_in_time_where_nobody_could_list_them(pool: EnginePool) -> None:
    """From the first turn on, whichever moves the manager says were made."""
    setup = EngineSetup(RULES, "red", playclock=1)
    config = EngineConfig(player="mcts", reasoner="interpreter")
    engine = await MatchEngine.start(pool, setup, config, Deadline.after(1), has_standby=True)
    choices = []
    for happened in (None, ["(pick 1 2 3 4)", "noop"], ["(pick 82 1 82 82)", "noop"]):
        async with asyncio.timeout(PATIENCE_SECONDS):
            choices.append(await engine.play(happened, Deadline.after(1), Deadline.after(50)))
    outcome = await engine.stop(["(pick 4 3 2 1)", "noop"], seconds=60)

    for choice in choices:
        found = re.fullmatch(r"\(pick (\d+) (\d+) \d+ \d+\)", choice.move)
        assert found is not None
        assert found[1] != found[2]
        assert choice.origin is MoveOrigin.FIRST_LEGAL
        assert choice.in_control
    assert outcome is not None
    assert outcome.goals == (50, 50)
