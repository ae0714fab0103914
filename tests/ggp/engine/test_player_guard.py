"""The guard of a player: a new one knows what the one before it was told."""

from __future__ import annotations

import pytest

import gdl
from ggp import games
from ggp.clock import Deadline
from ggp.engine.config import EngineConfig
from ggp.engine.worker.player_guard import Outlets, PlayerGuard

pytestmark = pytest.mark.usefixtures("kernels")


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
    choice = guard.choose(state, legal, Deadline.after(5), lambda *_: None)
    assert choice.search_info["told"] == ["(mark 1 1) noop", "noop (mark 1 2)"]


def test_what_is_drawn_with_a_seed_does_not_depend_on_when_the_game_is_compiled() -> None:
    """The player on the compiled game, asked in the same turn or the next, draws the same."""
    assert _drawn(fast_from=None) == _drawn(fast_from=0) == _drawn(fast_from=2)


def _drawn(fast_from: int | None) -> list[str]:
    """Moves of a player; in that turn it is asked on both games."""
    rules = games.text("connectFour")
    game, fast = gdl.load(rules, "interpreter"), gdl.load(rules, "scalar")
    config = EngineConfig(player="tests.ggp.engine.odd_players:Drawing", seed=1)
    guard = PlayerGuard(config, game, game.roles[0], Outlets(lambda *_: None))
    state, chosen = game.initial_state(), list[str]()
    for turn in range(4):
        legal = game.legal_moves(state, game.roles[0])
        move = guard.choose(state, legal, Deadline.never(), lambda *_: None).move
        if turn == fast_from:
            state, game = fast.state_of(game.facts(state)), fast
            guard.adopt(fast)
            move = guard.choose(state, legal, Deadline.never(), lambda *_: None).move
        chosen.append(move)
        [own] = [each for each in game.legal_moves(state, game.roles[0]) if str(each) == move]
        moves = (own, *(game.legal_moves(state, role)[0] for role in game.roles[1:]))
        state = game.next_state(state, moves)
        guard.advance(moves, state)
    return chosen
