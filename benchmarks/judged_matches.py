"""Matches judged by a referee that knows everything: true states, and late answers."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

import gdl
from ggp.belief import Belief
from ggp.clock import Deadline
from ggp.players import Player, create

MARGIN_SECONDS: Final = 0.2
"""Before the end of its clock at which a player must have answered, as in matches of ours."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """A belief after a turn.

    Attributes:
        role: The role that has the belief.
        turn: Number of turns played.
        is_true: Whether the true state is in it.
        probability: Probability that the belief gives the true state.
        is_complete: Whether the belief reports that it is complete.
        is_consistent: Whether it reports that its worlds agree with what was seen.
        num_worlds: Number of its worlds.
        seconds: Seconds in which it followed the turn.
        answer: The role's answer in the turn; None if the referee drew its move.
    """

    role: gdl.Role
    turn: int
    is_true: bool
    probability: float
    is_complete: bool
    is_consistent: bool
    num_worlds: int
    seconds: float
    answer: Answer | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """A player's answer in a turn.

    Attributes:
        seconds: Time since it got the previous turn; its belief follows, then it chooses.
        is_legal: Whether it is a legal move.
        is_late: Whether the playclock was over.
    """

    seconds: float
    is_legal: bool
    is_late: bool


@dataclass
class Players:
    """Players of a match that know what their roles know.

    Attributes:
        spec: Spec of each player.
        startclock: Seconds to prepare.
        playclock: Seconds for an answer.
    """

    spec: str
    startclock: float
    playclock: float

    def begin(self, game: gdl.Game, beliefs: Mapping[gdl.Role, Belief], seed: int) -> None:
        """Let a player for each belief prepare for a match.

        Raises:
            PlayerSpecError: There is no such player, or it has no such option.
        """
        self._players: dict[gdl.Role, Player] = {}
        for role, belief in beliefs.items():
            player = create(self.spec, game, role, {}, seed)
            player.belief = belief
            player.prepare(game.initial_state(), Deadline.after(self.startclock))
            self._players[role] = player

    def answer(
        self, role: gdl.Role, spent: float, legal: tuple[gdl.Move, ...]
    ) -> tuple[gdl.Move | None, Answer]:
        """Return a role's move, or None if it is not legal, and how the player answered.

        Args:
            role: Who is asked.
            spent: Seconds of the clock that are over.
            legal: The moves that are legal.
        """
        player, begun = self._players[role], time.perf_counter()
        deadline = Deadline.after(self.playclock - MARGIN_SECONDS - spent)
        assert player.belief is not None
        player.belief.assume(is_over=False)
        state = player.belief.sample().state
        move = player.choose(state, deadline) if player.legal_moves(state) else None
        seconds = spent + time.perf_counter() - begun
        is_legal = move in legal
        return move if is_legal else None, Answer(seconds, is_legal, seconds > self.playclock)


def believers(game: gdl.Game, seed: int = 0, **options: int) -> dict[gdl.Role, Belief]:
    """Return a belief for each role that a player has."""
    roles = [role for role in game.roles if not gdl.is_random(role)]
    return {role: Belief(game, role, seed, **options) for role in roles}


def judged_match(
    game: gdl.Game,
    beliefs: dict[gdl.Role, Belief],
    rng: random.Random,
    seconds: float,
    most_turns: int = 1_000,
    players: Players | None = None,
) -> Iterator[Judgement]:
    """Play a match and judge each belief after each turn.

    Args:
        game: Its rules.
        beliefs: Beliefs of the roles. They get the first state and their role's moves and percepts.
        rng: Draws the moves of roles without a player, with equal probability.
        seconds: Time of a belief for a turn.
        most_turns: Turns after which the match is stopped.
        players: Players of the roles that have a belief; if None, the moves are random.
    """
    state = game.initial_state()
    for belief in beliefs.values():
        belief.know(state)
    if players is not None:
        players.begin(game, beliefs, rng.getrandbits(31))
    spent, answers = dict.fromkeys(beliefs, 0.0), dict[gdl.Role, Answer]()
    for turn in range(1, most_turns + 1):
        if game.is_terminal(state):
            return
        legal = {role: game.legal_moves(state, role) for role in game.roles}
        made = {role: rng.choice(known) for role, known in legal.items()}
        if players is not None:
            for role in beliefs:
                move, answers[role] = players.answer(role, spent[role], legal[role])
                made[role] = made[role] if move is None else move
        moves = tuple(made.values())
        percepts = {role: frozenset(game.percepts(state, moves, role)) for role in beliefs}
        state = game.next_state(state, moves)
        for role, belief in beliefs.items():
            begun = time.perf_counter()
            belief.advance(made[role], percepts[role], Deadline.after(seconds))
            spent[role] = time.perf_counter() - begun
            probability = belief.probability(state)
            yield Judgement(
                role=role,
                turn=turn,
                is_true=probability > 0,
                probability=probability,
                is_complete=belief.is_complete,
                is_consistent=belief.is_consistent,
                num_worlds=belief.worlds.num,
                seconds=spent[role],
                answer=answers.get(role),
            )
