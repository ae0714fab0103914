"""Beliefs in random matches, judged by a referee that knows the true state."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from dataclasses import dataclass

import gdl
from ggp.belief import Belief
from ggp.clock import Deadline


@dataclass(frozen=True, slots=True)
class Judgement:
    """A belief after a turn.

    Attributes:
        role: Whose.
        turn: How many turns there were.
        is_true: Whether the true state is in it.
        probability: How likely the belief holds it to be.
        is_complete: Whether the belief says that nothing is missing.
        is_consistent: Whether it says that its worlds agree with what was seen.
        num_worlds: How many worlds it has.
        seconds: How long it took to follow the turn.
    """

    role: gdl.Role
    turn: int
    is_true: bool
    probability: float
    is_complete: bool
    is_consistent: bool
    num_worlds: int
    seconds: float


def believers(game: gdl.Game, seed: int = 0, **options: int) -> dict[gdl.Role, Belief]:
    """A belief for each role that somebody plays."""
    roles = [role for role in game.roles if not gdl.is_random(role)]
    return {role: Belief(game, role, seed, **options) for role in roles}


def judged_match(
    game: gdl.Game,
    beliefs: dict[gdl.Role, Belief],
    rng: random.Random,
    seconds: float,
    most_turns: int = 1_000,
) -> Iterator[Judgement]:
    """Play a random match and judge each belief after each turn.

    Args:
        game: Its rules.
        beliefs: They are told the first state, and what their roles make and see.
        rng: Draws the moves, each as likely as the others.
        seconds: That a belief is given for a turn.
        most_turns: When to stop, if the match goes on.
    """
    state = game.initial_state()
    for belief in beliefs.values():
        belief.know(state)
    for turn in range(1, most_turns + 1):
        if game.is_terminal(state):
            return
        moves = tuple(rng.choice(game.legal_moves(state, role)) for role in game.roles)
        percepts = {role: frozenset(game.percepts(state, moves, role)) for role in beliefs}
        state = game.next_state(state, moves)
        for role, belief in beliefs.items():
            own_move, begun = moves[game.roles.index(role)], time.perf_counter()
            belief.advance(own_move, percepts[role], Deadline.after(seconds))
            spent, probability = time.perf_counter() - begun, belief.probability(state)
            yield Judgement(
                role=role,
                turn=turn,
                is_true=probability > 0,
                probability=probability,
                is_complete=belief.is_complete,
                is_consistent=belief.is_consistent,
                num_worlds=belief.worlds.num,
                seconds=spent,
            )
