"""The quick gate: does the search with a network beat the same one without, in a few seconds?

Short matches in one thread, each opening twice with seats swapped, both sides with as much time of
the thread. It passes only where the network leads clearly; the rest is left open.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

import gdl
from ggp.clock import Deadline
from ggp.search.arrays.tree.search import LaneSearch
from ggp.search.choices import choices_in, deciders_of

LEAD = 4
"""Matches that one side must have won more than the other."""
RESERVE_SECONDS = 0.5
"""Before the deadline: the search that follows has a tree to make."""
OPENING_PLIES = 3
MATCHES = 8
"""For which the time shall be enough."""
LEAST_SECONDS, MOST_SECONDS = 0.015, 0.05
"""Of a move; in less there is room for a batch or two, which says nothing about a real turn."""

MakeSearch = Callable[[gdl.State, gdl.Role, int, bool], LaneSearch]
"""A search from a state, for a role, with a seed, with the network or without."""


class Verdict(NamedTuple):
    """How the matches ended: whether the network leads clearly, and what both have won."""

    is_passed: bool
    won: int
    lost: int
    drawn: int


def quick_gate(game: gdl.Game, make: MakeSearch, deadline: Deadline, seed: int) -> Verdict:
    """Play until one side leads clearly, or the time is over."""
    luck = random.Random(seed)
    won = lost = drawn = 0
    plies = _plies(game, luck)
    seconds = (deadline.remaining() - RESERVE_SECONDS) / (MATCHES * max(1, plies))
    seconds = min(MOST_SECONDS, max(LEAST_SECONDS, seconds))
    opening: list[tuple[gdl.Move, ...]] = []
    number = 0
    while abs(won - lost) < LEAD:
        if number % 2 == 0:
            opening = _opening(game, luck)
        begin = time.monotonic()
        match = _Match(game, make, luck.randrange(1 << 31), seconds)
        lead = match.play(opening, number % 2, deadline)
        if lead is None:
            break
        won, lost, drawn = won + (lead > 0), lost + (lead < 0), drawn + (lead == 0)
        number += 1
        # Where others are at work, matches take longer than their moves: then these are shorter.
        room = (deadline.remaining() - RESERVE_SECONDS) / max(1, MATCHES - number)
        factor = room / (time.monotonic() - begin)
        seconds = min(MOST_SECONDS, max(LEAST_SECONDS, seconds * min(1.0, factor)))
    return Verdict(won - lost >= LEAD, won, lost, drawn)


def _plies(game: gdl.Game, luck: random.Random) -> int:
    """How long a random game is."""
    state, plies = game.initial_state(), 0
    while not game.is_terminal(state) and (choices := choices_in(game, state)):
        state = game.next_state(state, [luck.choice(moves) for moves in choices])
        plies += 1
    return plies


def _opening(game: gdl.Game, luck: random.Random) -> list[tuple[gdl.Move, ...]]:
    """Moves at random, after which the game goes on."""
    state, moves = game.initial_state(), []
    for _ in range(OPENING_PLIES):
        joint = tuple(luck.choice(choices) for choices in choices_in(game, state))
        following = game.next_state(state, joint) if joint else state
        if not joint or game.is_terminal(following):
            break
        state = following
        moves.append(joint)
    return moves


class _Match:
    """A match between two searches of one game, which has two roles."""

    def __init__(self, game: gdl.Game, make: MakeSearch, seed: int, seconds: float) -> None:
        self._game = game
        self._make = make
        self._seed = seed
        self._seconds = seconds
        self._debts = [0.0, 0.0]

    def play(
        self, opening: Sequence[tuple[gdl.Move, ...]], taught: int, deadline: Deadline
    ) -> float | None:
        """By how much the role number `taught`, with the network, is ahead; None: out of time."""
        game = self._game
        state = game.initial_state()
        for joint in opening:
            state = game.next_state(state, joint)
        searches = [
            self._make(state, role, self._seed + number, number == taught)
            for number, role in enumerate(game.roles)
        ]
        while not game.is_terminal(state):
            choices = choices_in(game, state)
            if deadline.remaining() < RESERVE_SECONDS or not choices:
                return None
            moves = [legal[0] for legal in choices]
            for own in deciders_of(choices):
                moves[own] = self._think(own, searches[own], deadline)
            state = game.next_state(state, moves)
            for search in searches if not game.is_terminal(state) else []:
                search.advance(tuple(moves), state)
        goals = [game.goal(state, role) for role in game.roles]
        return goals[taught] - goals[1 - taught]

    def _think(self, own: int, search: LaneSearch, deadline: Deadline) -> gdl.Move:
        """A move: who has thought for too long has less time for the next one."""
        start = time.thread_time()
        end = start + self._seconds - self._debts[own]
        while time.thread_time() < end and not search.is_decided and search.step(deadline):
            pass
        move = search.result().move
        self._debts[own] = max(0.0, time.thread_time() - end)
        return move
