"""Samples of a game, from random play: states, and the facts that each joint move adds."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import gdl

MAX_STATES: Final = 600
MAX_INTERPRETED: Final = 160
"""Maximum number of states to sample with the interpreter, which may need milliseconds per
state."""
MAX_STEPS: Final = 100
"""Maximum number of steps in one game, so that a sample has several games even if they are
endless."""

Facts = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SampledStep:
    """A step of a random game: the resulting facts, the new facts, and the roles with a choice."""

    facts: Facts
    new: Facts
    choosers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Sample:
    """The facts of the initial state, and the steps of random games."""

    first: Facts
    steps: Sequence[SampledStep]

    @property
    def states(self) -> list[Facts]:
        """The facts of all states. The first one is the initial state."""
        return [self.first, *(step.facts for step in self.steps)]


def sample_of(game: gdl.Game, max_states: int | None = None) -> Sample:
    """Return a sample of at most `max_states` steps. It is the same in each call."""
    if max_states is None:
        max_states = MAX_INTERPRETED if game.engine == "interpreter" else MAX_STATES
    rng, first = random.Random(0), game.initial_state()
    steps: list[SampledStep] = []
    while len(steps) < max_states:
        played = _play(game, first, rng, min(MAX_STEPS, max_states - len(steps)))
        if not played:
            break
        steps += played
    return Sample(_facts(game, first), steps)


def _play(
    game: gdl.Game, state: gdl.State, rng: random.Random, max_steps: int
) -> list[SampledStep]:
    steps: list[SampledStep] = []
    facts = _facts(game, state)
    while len(steps) < max_steps and not game.is_terminal(state):
        legal = [game.legal_moves(state, role) for role in game.roles]
        if not all(legal):
            break
        choosers = tuple(role for role, moves in enumerate(legal) if len(moves) > 1)
        state = game.next_state(state, [rng.choice(moves) for moves in legal])
        before, facts = set(facts), _facts(game, state)
        steps.append(SampledStep(facts, tuple(f for f in facts if f not in before), choosers))
    return steps


def _facts(game: gdl.Game, state: gdl.State) -> Facts:
    return tuple(map(str, game.facts(state)))
