"""Engines: each match has one, which searches in a process. It answers even if this process fails.

    pool = EnginePool()
    await pool.start(num_warm=1)
    engine = await MatchEngine.start(
        pool, EngineSetup(rules, "xplayer", 10), EngineConfig(player="mcts"), Deadline.after(29)
    )
    choice = await engine.play(None, Deadline.after(9))
    choice = await engine.play(JointMove(("(mark 1 1)", "noop")), Deadline.after(9))
    outcome = await engine.stop(JointMove(("noop", "(mark 3 3)")))
    await pool.close()

This package does not handle HTTP. `ggp.match.session` recognises repeated messages.
"""

from ggp.engine.answers import (
    NO_MOVE,
    SOUND_ORIGINS,
    Choice,
    EnginePosition,
    MoveOrigin,
    Outcome,
)
from ggp.engine.config import EngineConfig, EngineSetup, Reasoner
from ggp.engine.errors import EngineError, MoveError, RulesError, WorkerLostError
from ggp.engine.match_engine import MatchEngine
from ggp.engine.process_pool import EnginePool
from ggp.match.steps import JointMove, Percepts, SingleMove, Step

__all__ = [
    "NO_MOVE",
    "SOUND_ORIGINS",
    "Choice",
    "EngineConfig",
    "EngineError",
    "EnginePool",
    "EnginePosition",
    "EngineSetup",
    "JointMove",
    "MatchEngine",
    "MoveError",
    "MoveOrigin",
    "Outcome",
    "Percepts",
    "Reasoner",
    "RulesError",
    "SingleMove",
    "Step",
    "WorkerLostError",
]
