"""The belief of a role in a game of incomplete information (GDL-II).

A belief is the set of worlds that agree with the role's own moves and percepts, and the probability
of each world. As long as there are few enough worlds, the belief holds all of them and is complete.
Otherwise it holds a sample (a particle filter). When too few worlds of the sample are left, the
belief draws a new sample by replaying earlier turns. Time and memory are bounded. If the belief
finds no world, it makes one up, if possible after the move that the role has made. So the caller
always has a state to play in.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np

import gdl
from ggp.belief.filtering import Filter, Stepper
from ggp.belief.lane_stepper import LaneStepper
from ggp.belief.plain_stepper import PlainStepper
from ggp.belief.worlds import Model, TurnPercepts, World, Worlds, draws, joined
from ggp.clock import Deadline

KEPT_OF_TURN: Final = 2048


class Snapshot(NamedTuple):
    """The belief before a turn, or a sample of it."""

    turn: int  # number of turns played before the snapshot
    worlds: Worlds
    is_complete: bool  # whether the snapshot has all possible worlds


class Past:
    """Snapshots of a belief, with about `room` worlds in total. The first one is always kept."""

    def __init__(self, room: int) -> None:
        self._room = room
        self.snapshots: list[Snapshot] = []
        self.newest_complete: Snapshot | None = None  # the newest complete belief, with all worlds

    def add(self, turn: int, worlds: Worlds, is_complete: bool, rng: np.random.Generator) -> None:
        """Add a snapshot of the belief before a turn."""
        if is_complete:
            self.newest_complete = Snapshot(turn, worlds, True)
        most = min(KEPT_OF_TURN, self._room)
        if worlds.num > most:
            worlds, is_complete = worlds.resampled(most, rng).normalised(), False
        self.snapshots.append(Snapshot(turn, worlds, is_complete))
        while len(self.snapshots) > 2 and sum(s.worlds.num for s in self.snapshots) > self._room:
            # Drop every second snapshot of the older half, because recent snapshots are needed most
            # often.
            del self.snapshots[1 : max(2, len(self.snapshots) // 2) : 2]

    def back_from(self, turn: int, num_turns: int) -> Snapshot:
        """Return the newest snapshot at least `num_turns` before `turn`, or the oldest snapshot."""
        older = [s for s in self.snapshots if s.turn <= turn - num_turns]
        return older[-1] if older else self.snapshots[0]

    @property
    def parts(self) -> list[Worlds]:
        """The worlds of all kept snapshots."""
        kept = [snapshot.worlds for snapshot in self.snapshots]
        return kept if self.newest_complete is None else [*kept, self.newest_complete.worlds]


MAX_WORLDS: Final = 1 << 16
SECONDS_PER_TURN: Final = 0.5
"""Seconds for a turn if there is no deadline."""
KEPT_SHARE: Final = 0.3
"""Share of a turn's time for carrying the worlds forward. The rest is for drawing a new sample."""
FIRST_SECONDS: Final = 0.1
"""Seconds for the first attempt to find more worlds."""
FEW_WORLDS: Final = 64
"""A sample with fewer worlds than this is replaced by a new one."""
FEW_SHARE: Final = 16
"""The limit is the maximum number of worlds divided by this, if that is less than `FEW_WORLDS`."""
FIRST_WIDTH: Final = 4096
"""Number of worlds carried forward in the first attempt to draw a new sample."""


class Belief:
    """The worlds that one role considers possible."""

    def __init__(
        self, game: gdl.Game, role: gdl.Role, seed: int | None = None, max_worlds: int = MAX_WORLDS
    ) -> None:
        """Create a belief whose only world is the initial state. It holds at most `max_worlds`."""
        self.role = role  # the role whose belief this is
        self._seed = seed
        self._wanted_worlds = max_worlds
        self._few = min(FEW_WORLDS, max_worlds // FEW_SHARE)
        self._game = game
        self._own = game.roles.index(role)
        self._rng = np.random.default_rng(seed)
        self._stepper: Stepper = (
            PlainStepper(game.machine, self._own)
            if game.circuit is None
            else LaneStepper(game, self._own)
        )
        self._max_worlds = min(max_worlds, self._stepper.room // 4)
        self._filter = Filter(self._stepper, self._own, self._rng)
        self.know(game.initial_state())

    @property
    def turns(self) -> tuple[TurnPercepts, ...]:
        """The role's move and percepts in each turn since `know` was last called."""
        return tuple(self._turns)

    @property
    def num_tried(self) -> int:
        """Number of joint moves tried so far, in all worlds together."""
        return self._filter.num_tried

    def trust(self, model: Model) -> None:
        """Weight the moves of the other roles by a model from now on.

        If the game is not compiled, the model is ignored.
        """
        self._stepper.model = model

    def know(self, state: gdl.State) -> None:
        """Restart the belief from the true state. It is the only world from now on."""
        self._turns: list[TurnPercepts] = []
        self._past = Past(self._stepper.room // 2)
        self.worlds = self._stepper.begin(state)  # the possible worlds; at least one
        # Whether the worlds agree with everything that the role has seen. If not, they are made up.
        self.is_consistent = self.is_complete = True

    def advance(
        self,
        own_move: gdl.Move,
        percepts: frozenset[gdl.Term],
        deadline: Deadline | None = None,
        *,
        is_over: bool | None = None,
    ) -> None:
        """Follow a turn in which the role made a move and saw percepts.

        Args:
            deadline: When to return. None means half a second from now.
            is_over: Whether the game has ended, or None if that is unknown.
        """
        if deadline is None or math.isinf(deadline.moment):
            deadline = Deadline.after(SECONDS_PER_TURN)
        turn = TurnPercepts(own_move, percepts, is_over)
        if self.is_consistent:
            self._past.add(len(self._turns), self.worlds, self.is_complete, self._rng)
        self._turns.append(turn)
        most = deadline.earlier(KEPT_SHARE * deadline.remaining())
        carried = self._filter.carry_on(self.worlds, turn, self._max_worlds, most)
        is_complete = self.is_complete and carried.is_exhaustive
        worlds = carried.worlds if self.is_consistent else carried.worlds.take(slice(0, 0))
        if not is_complete and worlds.num < self._few:
            worlds, is_complete = self._drawn_anew(worlds, deadline)
        self.is_consistent = worlds.num > 0
        # Whether the worlds include every possible state.
        self.is_complete = is_complete and self.is_consistent
        if not worlds.num:
            worlds = carried.worlds if carried.worlds.num else self._made_up(own_move)
        self.worlds = worlds
        self._stepper.keep_only([worlds, *self._past.parts])

    @property
    def is_thin(self) -> bool:
        """Whether too few worlds were found although more may exist."""
        return not self.is_complete and (not self.is_consistent or self.worlds.num < self._few)

    def widen(self, deadline: Deadline) -> None:
        """Search for more worlds until there are enough.

        Each attempt may take twice as long as the one before.
        """
        seconds = FIRST_SECONDS
        while self.is_thin and not deadline.is_over():
            found = self.worlds if self.is_consistent else self.worlds.take(slice(0, 0))
            worlds, is_complete = self._drawn_anew(found, deadline.within(seconds))
            if worlds.num:
                self.worlds, self.is_consistent, self.is_complete = worlds, True, is_complete
            self._stepper.keep_only([self.worlds, *self._past.parts])
            seconds *= 2

    def assume(self, is_over: bool) -> None:
        """Take into account whether the game has ended: drop the worlds that contradict this.

        If all worlds contradict it, keep all.
        """
        worlds = self.worlds
        counts = self._stepper.count_legal(worlds, Deadline.after(SECONDS_PER_TURN))
        agree = np.ones(worlds.num, np.bool_)
        agree[: len(counts)] = (counts == 0).all(axis=1) == is_over
        if agree.any() and not agree.all():
            self.worlds = worlds.take(agree).normalised()
            if self._turns:
                self._turns[-1] = replace(self._turns[-1], is_over=is_over)

    def on(self, game: gdl.Game, deadline: Deadline) -> Belief:
        """Return a belief of the same role that uses another reasoner. It replays all turns.

        Args:
            game: The same game on the other reasoner.
            deadline: When to be done. Each turn gets an equal share of the time.

        Raises:
            GdlError: The other reasoner does not know the state from which the belief started.
        """
        other = Belief(game, self.role, self._seed, self._wanted_worlds)
        start = self._past.snapshots[0].worlds if self._past.snapshots else self.worlds
        other.know(game.state_of(self._game.facts(start.states[0])))
        for done, turn in enumerate(self._turns):
            share = deadline.remaining() / (len(self._turns) - done)
            end = Deadline.after(share)
            other.advance(turn.own_move, turn.percepts, end, is_over=turn.is_over)
        return other

    def is_possible(self, moves: tuple[gdl.Move, ...]) -> bool:
        """Return whether a joint move is legal in one of the worlds that can be checked in time."""
        return self._stepper.is_legal(self.worlds, moves, Deadline.after(SECONDS_PER_TURN))

    def sample(self) -> World:
        """Return a random world, drawn by weight."""
        row = int(draws(self.worlds.weights, 1, self._rng)[0])
        moves = self._stepper.joint_move(self.worlds.moves[row])
        return World(self.worlds.states[row], moves)

    def probability(self, state: gdl.State) -> float:
        """Return the probability of a state. It is 0 if no world has this state."""
        keys = self._stepper.begin(state).keys
        return float(self.worlds.weights[(self.worlds.keys == keys).all(axis=1)].sum())

    def probabilities(self) -> dict[gdl.Term, float]:
        """Return the probability of each fact that is true in some world."""
        worlds, numbering = self.worlds, self._game.numbering
        found: dict[gdl.Term, float] = {}
        if worlds.packed is None or numbering is None:
            for state, weight in zip(worlds.states, worlds.weights.tolist(), strict=True):
                for fact in self._game.facts(state):
                    found[fact] = found.get(fact, 0.0) + weight
            return found
        for first in range(0, worlds.num, FIRST_WIDTH):
            part = slice(first, first + FIRST_WIDTH)
            bits = np.unpackbits(worlds.packed[part].view(np.uint8), axis=1, bitorder="little")
            shares = worlds.weights[part] @ bits
            for number in np.flatnonzero(bits.any(axis=0)).tolist():
                fact = numbering.facts[number]
                found[fact] = found.get(fact, 0.0) + float(shares[number])
        return found

    # --- When the true world may be lost ----------------------------------------------------------

    def _drawn_anew(self, worlds: Worlds, deadline: Deadline) -> tuple[Worlds, bool]:
        """Add worlds by replaying earlier turns. Also return whether these are all possible worlds.

        Start from the newest complete belief, then from ever older snapshots. After the oldest
        snapshot, begin again with the newest, and carry twice as many worlds forward.
        """
        now, num_turns, width = len(self._turns), 1, min(FIRST_WIDTH, self._max_worlds)
        found = [worlds]
        complete = self._past.newest_complete
        if complete is not None:
            half = deadline.within(deadline.remaining() / 2)
            anew, is_exhaustive = self._replayed(complete, self._max_worlds, half)
            if is_exhaustive:
                return anew, True
            found.append(anew)
        while sum(part.num for part in found) < self._few and not deadline.is_over():
            snapshot = self._past.back_from(now, num_turns)
            anew, is_exhaustive = self._replayed(snapshot, width, deadline)
            if is_exhaustive:
                return anew, True
            found.append(anew)
            num_turns *= 2
            if snapshot.turn == self._past.snapshots[0].turn:
                num_turns, width = 1, min(2 * width, self._max_worlds)
        # Weight each sample by its size.
        parts = [part.take(slice(None), part.weights * part.num) for part in found]
        merged = joined(parts).merged()
        if merged.num > self._max_worlds:
            merged = merged.resampled(self._max_worlds, self._rng)
        return merged.normalised(), False

    def _replayed(self, snapshot: Snapshot, width: int, deadline: Deadline) -> tuple[Worlds, bool]:
        worlds, is_exhaustive = snapshot.worlds, snapshot.is_complete
        for turn in self._turns[snapshot.turn :]:
            if not worlds.num or deadline.is_over():
                return worlds.take(slice(0, 0)), is_exhaustive and not worlds.num
            worlds, is_whole = self._filter.carry_on(worlds, turn, width, deadline)
            is_exhaustive = is_exhaustive and is_whole
        return worlds, is_exhaustive

    def _made_up(self, own_move: gdl.Move) -> Worlds:
        machine, world = self._game.machine, self.sample()
        legal = [machine.legal_moves(world.state, role) for role in machine.roles]
        if machine.is_terminal(world.state) or not all(legal):
            return self._stepper.begin(world.state)
        moves = [known[int(self._rng.integers(len(known)))] for known in legal]
        known_moves = legal[self._own]
        moves[self._own] = own_move if own_move in known_moves else moves[self._own]
        made = self._stepper.begin(machine.next_state(world.state, moves))
        numbers = self._stepper.move_numbers(moves)
        made.moves[0] = -1 if numbers is None else numbers
        return made
