"""Sequential games in Epilog, as Gamemaster plays them: single moves, silence out of control."""

from __future__ import annotations

import pytest

from ggp import games
from ggp.clock import Deadline
from ggp.engine import EngineConfig, EnginePool, EngineSetup, MatchEngine, SingleMove
from tests.waiting import PATIENCE

pytestmark = pytest.mark.usefixtures("kernels")


async def start(pool: EnginePool, game: str, role: str) -> MatchEngine:
    """A match with the first legal move as its player."""
    setup = EngineSetup(games.text(game, "epilog"), role, 5)
    return await MatchEngine.start(
        pool, setup, EngineConfig(player="legal", reasoner="interpreter"), Deadline.after(PATIENCE)
    )


async def test_both_roles_of_a_sequential_game_agree_on_who_decides(pool: EnginePool) -> None:
    """In each turn exactly one of two engines is in control, to the end of the game."""
    first = await start(pool, "ticTacToe", "xplayer")
    second = await start(pool, "ticTacToe", "oplayer")
    step: SingleMove | None = None
    for _ in range(5):
        choices = [await engine.play(step, Deadline.after(PATIENCE)) for engine in (first, second)]
        in_control = [choice for choice in choices if choice.in_control]
        assert len(in_control) == 1
        step = SingleMove(in_control[0].move)

    outcomes = [await engine.stop(step) for engine in (first, second)]

    assert outcomes[0] is not None
    assert outcomes[0] == outcomes[1]


async def test_a_forced_move_in_control_is_not_kept_silent(pool: EnginePool) -> None:
    """The fact of control says whose move it is when no role has a choice."""
    rules = """
        role(a)
        role(b)
        init(control(b))
        init(step(0))
        action(go)
        legal(go) :- step(X)
        go :: step(0) ==> ~step(0) & step(1)
        go :: control(b) ==> ~control(b) & control(a)
        goal(a,50)
        goal(b,50)
        terminal :- step(1)
    """
    setup = EngineSetup(rules, "b", 5, notation="epilog")
    config = EngineConfig(player="legal", reasoner="interpreter")
    mover = await MatchEngine.start(pool, setup, config, Deadline.after(PATIENCE))
    setup = EngineSetup(rules, "a", 5, notation="epilog")
    other = await MatchEngine.start(pool, setup, config, Deadline.after(PATIENCE))

    moving, waiting = [await each.play(None, Deadline.after(PATIENCE)) for each in (mover, other)]

    assert (moving.move, moving.in_control) == ("go", True)
    assert not waiting.in_control
