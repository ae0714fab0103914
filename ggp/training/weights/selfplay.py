"""Games between evaluations, each looking a few plies ahead with alpha-beta."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

import gdl
from ggp.clock import Deadline
from ggp.search.core.choices import choices_in, goals_in, random_index, require_moves
from ggp.search.core.playout import HORIZON
from ggp.search.evaluation.evaluation import EVEN, Evaluation
from ggp.search.textbook.adversarial import alphabeta, minimax

Backed = tuple[float | None, ...]


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A game that was played. `T` states, those before the end, in order."""

    states: tuple[gdl.State, ...]
    backed: tuple[Backed, ...]
    """For each state and role the value, 0..100, that its search backed up; None without one."""
    goals: tuple[float, ...]
    """Of each role at the end, 0..100."""


class SelfPlaySeat:
    """A role's player: an evaluation, how far it looks, and how often it makes a random move."""

    def __init__(self, evaluate: Evaluation, depth: int, exploration: float = 0.0) -> None:
        self.evaluate = evaluate
        self.depth = depth
        self.exploration = exploration

    def choose(
        self, machine: gdl.StateMachine, state: gdl.State, role: gdl.Role, rng: random.Random
    ) -> tuple[gdl.Move, float | None]:
        """A move, and its value if it was searched for; draws lots between equal moves."""
        moves = machine.legal_moves(state, role)
        if rng.random() < self.exploration:
            return rng.choice(moves), None
        # Of two others each follows its own goal; alpha-beta would take them for a conspiracy.
        search = minimax.search if len(machine.roles) > 2 else alphabeta.search
        found = search(
            machine,
            state,
            role,
            depth=self.depth,
            evaluate=self.evaluate,
            deadline=Deadline.never(),
            first=rng.choice(moves),
        )
        return found.result.move, found.value


def play(
    machine: gdl.StateMachine,
    seats: Sequence[SelfPlaySeat],
    rng: random.Random,
    opening: random.Random | None = None,
    opening_plies: int = 0,
) -> PlayedGame:
    """Play one game. A game that gets too long counts as undecided.

    Args:
        machine: The game.
        seats: Who plays each role; that of `random` is not asked.
        rng: Decides all that is left to chance, but for the opening.
        opening: Makes the first moves of all roles; the same as `rng` if None.
        opening_plies: How many plies are random.

    Raises:
        StuckError: The rules leave a role without a move.
    """
    state = machine.initial_state()
    states: list[gdl.State] = []
    backed: list[Backed] = []
    chance = random_index(machine)
    while not machine.is_terminal(state):
        choices = choices_in(machine, state)
        if not choices:
            require_moves(machine, state, f"on turn {len(states) + 1}")
        if len(states) == HORIZON:
            return PlayedGame(tuple(states), tuple(backed), (EVEN,) * len(machine.roles))
        states.append(state)
        joint: list[gdl.Move] = []
        values: list[float | None] = []
        for index, (role, moves) in enumerate(zip(machine.roles, choices, strict=True)):
            move: gdl.Move
            value: float | None = None
            if len(states) <= opening_plies:
                move = (opening or rng).choice(moves)
            elif len(moves) == 1 or index == chance:
                move = rng.choice(moves)
            else:
                move, value = seats[index].choose(machine, state, role, rng)
            joint.append(move)
            values.append(value)
        backed.append(tuple(values))
        state = machine.next_state(state, joint)
    return PlayedGame(tuple(states), tuple(backed), goals_in(machine, state))


def random_game(machine: gdl.StateMachine, rng: random.Random) -> PlayedGame:
    """A game in which everybody moves at random."""
    return play(machine, (), rng, opening_plies=HORIZON)
