"""Worlds of OpenSpiel's phantom games, which its own states cannot draw.

In `phantom_ttt` and `dark_hex` a player tries cells until one is free. So a history that is
possible for a player has that player's own attempts, free or taken as they were, and any attempts
of the other. As many histories are drawn as time allows.
"""

from __future__ import annotations

import random
import time
from typing import Any

MAX_WORLDS = 300
SECONDS = 0.5
PATIENCE_SECONDS = 20.0


def worlds_of(game: Any, state: Any, rng: random.Random) -> list[Any]:
    """Return states of a phantom game that are possible for the player to move, at least one."""
    player = state.current_player()
    attempts = _attempts(game, state, player)
    wanted = state.information_state_string(player)
    found: list[Any] = []
    start = time.perf_counter()
    while len(found) < MAX_WORLDS:
        seconds = time.perf_counter() - start
        if seconds > (SECONDS if found else PATIENCE_SECONDS):
            break
        world = _drawn(game, attempts, player, rng)
        if world is not None and world.information_state_string(player) == wanted:
            found.append(world)
    return found or [state.clone()]


def _attempts(game: Any, state: Any, player: int) -> list[tuple[int, bool]]:
    """Return the player's own attempts, and whether each cell was free."""
    replayed, attempts = game.new_initial_state(), []
    for action in state.history():
        mover = replayed.current_player()
        replayed.apply_action(action)
        if mover == player:
            attempts.append((action, replayed.current_player() != player))
    return attempts


def _drawn(
    game: Any, attempts: list[tuple[int, bool]], player: int, rng: random.Random
) -> Any | None:
    """Return a random history; None if an own attempt ends differently, or the game ends."""
    world = game.new_initial_state()
    free = {action for action, was_free in attempts if was_free}
    waiting = iter(attempts)
    following = next(waiting, None)
    while not world.is_terminal():
        if world.current_player() == player:
            if following is None:
                return world
            action, was_free = following
            world.apply_action(action)
            if (world.current_player() != player) != was_free:
                return None
            free.discard(action)
            following = next(waiting, None)
        else:
            legal = [action for action in world.legal_actions() if action not in free]
            if not legal:
                return None
            world.apply_action(rng.choice(legal))
    return None
