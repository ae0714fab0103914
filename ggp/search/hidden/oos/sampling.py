"""Plays of a game, of which each teaches regrets to one role.

Online outcome sampling: V. Lisy, M. Lanctot, M. Bowling, Online Monte Carlo Counterfactual Regret
Minimization for Search in Imperfect Information Games, AAMAS 2015. A play $z$ is drawn with a known
probability $q(z)$, in which the role that learns explores and all others play by their regrets.
What it brings is divided by that probability, so that on average it is what the whole game brings:

    regret(I, a) += u(z) p'(h) / q(z) (p(ha, z) - p(h, z)),

where $p'(h)$ is how likely the others lead to $h$, and $p(h, z)$ how likely all play from there to
$z$. Chance is drawn as it is and cancels out.

A part of the plays is *aimed* at what our role has done and seen in the match so far: our role
makes the moves that it has made, the others explore, and a play in which it would see something
else is dropped. So $q$ is the sum of what a play is likely to be drawn with either way.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ggp.search.hidden.game_kernels import (
    advance,
    choose,
    draw,
    goal_of,
    holds,
    kernel,
    list_legal,
    load,
    make,
)
from ggp.search.hidden.key_index import NONE, bucket_of
from ggp.search.hidden.oos.table import (
    FloatArray,
    IntArray,
    LongArray,
    Table,
    Words,
    add_set,
    match_regrets,
)

if TYPE_CHECKING:
    from gdl import ScalarPlaces as Places

LONGEST_PATH = 1 << 12  # choices of a play
PLAYS, STATES, DEEPEST, TRIED, PASSED, STAMP = range(6)  # of `counters`
LEARNER, IS_AIMED, PASSES, LENGTH, TURN = range(5)  # of `now`
PLAIN, AIMED = range(2)  # of `odds`
RANDOM = 3  # of `settings`, where the kernels of the game have their generator
_PARTS = 1 << 30  # of a probability, to draw by it

# Columns of `Play.path` and, after the odds, of `Play.led`: a choice, and what led to it.
SET, SLOT, ROLE, TURN_OF = range(4)
OTHERS, OWN = 2, 3


class Play(NamedTuple):
    """All that plays work on. `W` words, `R` roles, `I` inputs, `P` percepts, `T` turns so far."""

    layout: IntArray  # of the game
    memory: IntArray  # of the game
    table: Table
    start: IntArray  # [W] the first state, packed
    start_known: Words  # [R] what each role knows there
    percept_starts: IntArray  # [R + 1]
    percepts: IntArray  # [P] literals
    move_numbers: IntArray  # [I]
    players: IntArray  # [R] whether a role is a player, not `random`
    aim_moves: IntArray  # [T] the inputs of our moves
    aim_known: Words  # [T] what we knew after them
    known: Words  # [R] what each role knows in this play
    is_inside: IntArray  # [R] whether a role has met no new set yet
    reaches: FloatArray  # [R] how likely each role has played so
    legal: IntArray  # [I] room for legal moves
    stamps: LongArray  # [I] when a move was legal last
    path: IntArray  # [LONGEST_PATH, 4] the choices that were made
    led: FloatArray  # [LONGEST_PATH, 4] how likely each was reached
    now: LongArray  # [5]
    odds: FloatArray  # [2] how likely this play is drawn if plays are aimed or not
    settings: LongArray  # [4] the last is the generator
    counters: LongArray  # [6]


class Manner(NamedTuple):
    """How plays are drawn.

    Attributes:
        own: Our role.
        exploring: The part of the moves of who learns that are drawn with equal odds.
        aiming: The part of the plays that are aimed at the match.
        horizon: A play is over after so many turns, worth half of the points.
    """

    own: int
    exploring: float
    aiming: float
    horizon: int


@kernel
def run(at: Places, play: Play, manner: Manner, num: int) -> None:
    """So many plays; the players learn in turn."""
    for _ in range(num):
        _begin(at, play, manner)
        if _is_played(at, play, manner):
            goal = 50
            if holds(at, play.memory, at.terminal):
                goal = goal_of(at, play.layout, play.memory, play.now[LEARNER])
            _count(play)
            _learn(play, manner, goal / 100.0 - 0.5)


@kernel
def _begin(at: Places, play: Play, manner: Manner) -> None:
    """Go back to the first state; the next player learns."""
    now, num_roles = play.now, len(play.players)
    learner = (now[LEARNER] + 1) % num_roles
    while play.players[learner] == 0:
        learner = (learner + 1) % num_roles
    now[LEARNER], now[LENGTH], now[TURN], now[PASSES] = learner, 0, 0, 1
    now[IS_AIMED] = len(play.aim_known) > 0 and _lot(play) < manner.aiming
    play.odds[PLAIN] = play.odds[AIMED] = 1.0
    play.counters[TRIED] += now[IS_AIMED]
    load(at, play.layout, play.memory, play.start)
    for role in range(num_roles):
        play.known[role] = play.start_known[role]
        play.is_inside[role] = play.players[role]
        play.reaches[role] = 1.0


@kernel
def _is_played(at: Places, play: Play, manner: Manner) -> bool:
    """Play to the end; False if it goes another way than an aimed play should."""
    now, memory, num_aims = play.now, play.memory, len(play.aim_known)
    while now[TURN] < manner.horizon and not holds(at, memory, at.terminal):
        for role in range(at.num_roles):
            move = _move(at, play, manner, role)
            if move == NONE:
                return False
            memory[at.chosen + role] = move
        make(at, play.layout, memory)
        _perceive(at, play)
        turn = now[TURN]
        if turn < num_aims and play.known[manner.own] != play.aim_known[turn]:
            now[PASSES] = 0
            if now[IS_AIMED]:
                return False
        advance(at, play.layout, memory)
        now[TURN] += 1
    if now[TURN] < num_aims:
        now[PASSES] = 0
    return bool(now[PASSES] or not now[IS_AIMED])


@kernel
def _count(play: Play) -> None:
    """Count a play."""
    counters, now = play.counters, play.now
    counters[PASSED] += now[IS_AIMED]
    counters[PLAYS] += 1
    counters[STATES] += now[TURN]
    counters[DEEPEST] = max(counters[DEEPEST], now[LENGTH])


@kernel
def _move(at: Places, play: Play, manner: Manner, role: int) -> int:
    """The move of a role; NONE if it has no legal one."""
    turn, move, aimed_move = play.now[TURN], NONE, NONE
    if role == manner.own and turn < len(play.aim_moves):
        aimed_move = int(play.aim_moves[turn])
    if play.is_inside[role] == 1 or aimed_move != NONE:
        size = list_legal(at, play.layout, play.memory, role, play.legal, 0)
        if size == 1:
            move = int(play.legal[0])
        elif size > 1 and play.now[LENGTH] < LONGEST_PATH:
            number = _set_here(play, role, size, aimed_move != NONE)
            if number != NONE:
                move = _move_in(play, manner, role, number, aimed_move)
    if move == NONE:
        move = int(choose(at, play.layout, play.memory, play.settings, role))
    return move


@kernel
def _move_in(play: Play, manner: Manner, role: int, number: int, aimed_move: int) -> int:
    """The move that a role chooses in an information set; NONE if an aimed one is not there."""
    table, now, odds = play.table, play.now, play.odds
    # On the way to where the match is, aimed plays let all others explore.
    explores = manner.exploring if role == now[LEARNER] else 0.0
    explores_aimed = manner.exploring if now[TURN] < len(play.aim_known) else explores
    if now[IS_AIMED] == 0:
        slot = _drawn(play, number, explores)
    elif aimed_move == NONE:
        slot = _drawn(play, number, explores_aimed)
    else:
        slot = _slot_of(table, number, aimed_move)
        if slot == NONE:
            return NONE
    _note(play, number, slot, role)
    share, size = table.shares[slot], table.sizes[number]
    odds[PLAIN] *= explores / size + (1.0 - explores) * share
    if aimed_move == NONE:
        odds[AIMED] *= explores_aimed / size + (1.0 - explores_aimed) * share
    play.reaches[role] *= share
    return int(table.moves[slot])


@kernel
def _set_here(play: Play, role: int, size: int, is_aimed_at: bool) -> int:
    """The information set of a role; NONE if there is no room, or legal moves are not as before.

    The first new set on the way of a role is kept, and the role plays at random behind it; but not
    on the way of the match.
    """
    table, key = play.table, play.known[role]
    bucket = bucket_of(table.buckets, table.keys, key)
    number = int(table.buckets[bucket])
    if number == NONE:
        if not is_aimed_at:
            play.is_inside[role] = 0
        return add_set(table, bucket, key, play.legal, size)
    if table.sizes[number] != size:
        return NONE
    play.counters[STAMP] += 1
    for k in range(size):
        play.stamps[play.legal[k]] = play.counters[STAMP]
    for slot in range(table.firsts[number], table.firsts[number] + size):
        if play.stamps[table.moves[slot]] != play.counters[STAMP]:
            return NONE
    return number


@kernel
def _slot_of(table: Table, number: int, move: int) -> int:
    """The slot of a move in a set; NONE if it is not there."""
    first = table.firsts[number]
    for slot in range(first, first + table.sizes[number]):
        if table.moves[slot] == move:
            return int(slot)
    return NONE


@kernel
def _drawn(play: Play, number: int, explores: float) -> int:
    """A slot of a set: by how often moves are made now, or one of all."""
    table = play.table
    first, size = table.firsts[number], table.sizes[number]
    if explores > 0.0 and _lot(play) < explores:
        return int(first + draw(play.settings, size))
    lot = _lot(play)
    slot = first
    while slot + 1 < first + size:
        lot -= table.shares[slot]
        if lot < 0.0:
            break
        slot += 1
    return int(slot)


@kernel
def _note(play: Play, number: int, slot: int, role: int) -> None:
    """Note a choice, and what led to it."""
    others, length = 1.0, play.now[LENGTH]
    for other in range(len(play.reaches)):
        if other != role:
            others *= play.reaches[other]
    path, led = play.path, play.led
    path[length, SET], path[length, SLOT] = number, slot
    path[length, ROLE], path[length, TURN_OF] = role, play.now[TURN]
    led[length, OTHERS], led[length, OWN] = others, play.reaches[role]
    led[length, PLAIN], led[length, AIMED] = play.odds[PLAIN], play.odds[AIMED]
    play.now[LENGTH] += 1


@kernel
def _learn(play: Play, manner: Manner, utility: float) -> None:
    """Teach the learner its regrets, and count what the others play."""
    table, path, led = play.table, play.path, play.led
    num_aims = len(play.aim_known)
    plain = 1.0 - manner.aiming if num_aims > 0 else 1.0
    aimed = manner.aiming if num_aims > 0 and play.now[PASSES] else 0.0
    drawn = plain * play.odds[PLAIN] + aimed * play.odds[AIMED]
    tail = 1.0
    for k in range(play.now[LENGTH] - 1, -1, -1):
        number, slot = path[k, SET], path[k, SLOT]
        share = table.shares[slot]
        first, size = table.firsts[number], table.sizes[number]
        if path[k, ROLE] == play.now[LEARNER]:
            weight = utility * led[k, OTHERS] / drawn * tail
            for other in range(first, first + size):
                table.regrets[other] -= share * weight
            table.regrets[slot] += weight
            match_regrets(table, number)
        elif path[k, TURN_OF] >= num_aims:  # of what is over nobody asks any more
            met = plain * led[k, PLAIN] + aimed * led[k, AIMED]
            weight = play.counters[PLAYS] * led[k, OWN] / met
            for other in range(first, first + size):
                table.sums[other] += weight * table.shares[other]
        tail *= share


@kernel
def _perceive(at: Places, play: Play) -> None:
    """Let the roles know what they see of the joint move."""
    for role in range(at.num_roles):
        move = play.move_numbers[play.memory[at.chosen + role]]
        known = mix(play.known[role] ^ mix(np.uint64(move) + np.uint64(1)))
        start = play.percept_starts[role]
        for k in range(start, play.percept_starts[role + 1]):
            if holds(at, play.memory, play.percepts[k]):
                percept = np.uint64(k - start) + np.uint64(0x9E3779B97F4A7C15)
                known = mix(known ^ mix(percept))
        play.known[role] = known


@kernel
def mix(number: np.uint64) -> np.uint64:
    """The finaliser of splitmix64, as `ggp.belief.information` has it."""
    number = (number ^ (number >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    number = (number ^ (number >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return number ^ (number >> np.uint64(31))


@kernel
def _lot(play: Play) -> float:
    """A number from 0 to below 1."""
    return draw(play.settings, _PARTS) / _PARTS
