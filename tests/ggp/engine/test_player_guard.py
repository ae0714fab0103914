"""The guard of a player: a new one knows what the one before it was told."""

from __future__ import annotations

import gdl
from ggp import games
from ggp.clock import Deadline
from ggp.engine.config import EngineConfig
from ggp.engine.worker.player_guard import Outlets, PlayerGuard


def test_the_player_on_the_compiled_game_gets_the_moves_made_before() -> None:
    """One that remembers them has lost none."""
    rules = games.text("ticTacToe")
    slow, fast = gdl.load(rules, "interpreter"), gdl.load(rules, "scalar")
    config = EngineConfig(player="tests.ggp.engine.odd_players:Counting")
    guard = PlayerGuard(config, slow, slow.roles[0], Outlets(lambda *_: None))
    state = slow.initial_state()
    for _ in range(2):
        moves = tuple(slow.legal_moves(state, role)[0] for role in slow.roles)
        state = slow.next_state(state, moves)
        guard.advance(moves, state)

    guard.adopt(fast)

    state = fast.state_of(slow.facts(state))
    legal = fast.legal_moves(state, fast.roles[0])
    decision = guard.choose(state, legal, Deadline.after(5), lambda *_: None)
    assert '"told": ["(mark 1 1) noop", "noop (mark 1 2)"]' in decision.search_info
