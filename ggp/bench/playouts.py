"""Speed of random playouts: how fast a reasoner plays, with the mean length and mean goals.

The speed is measured in an interval in the middle of play. The means include all playouts that
started before the end of the interval, so they are unbiased. If only the playouts that finished in
time were counted, short playouts would be more likely to count than long ones.
"""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Protocol

import gdl

SLICE_SECONDS = 0.25  # how often a playing thread checks whether to stop
SEED_RANGE = 1 << 32

# Play for some time before measuring: a share of the measured time, but at most LEAD_SECONDS.
LEAD_SHARE = 0.25
LEAD_SECONDS = 1.0

# When the time is up, a playout of the interpreter may continue for this multiple of the time.
PATIENCE = 1.0

CUT_GOAL = 50  # goal of a playout that the interpreter cut off, because the winner is unknown


@dataclass(frozen=True, slots=True)
class Counts:
    """Counts of playouts.

    Attributes:
        playouts: Number of playouts that ended.
        cut: How many of these ended because they reached the limit on joint moves.
        goal_totals: The sum of goals of each role. Empty if nothing was played.
        lost: Number of joint moves in playouts that were abandoned before they ended.
    """

    playouts: int = 0
    cut: int = 0
    moves: int = 0
    goal_totals: tuple[int, ...] = ()
    lost: int = 0

    @classmethod
    def of(cls, counted: gdl.Playouts) -> Counts:
        """Convert a reasoner's playouts to counts."""
        return cls(counted.count, counted.cut, counted.moves, counted.goal_totals)

    @classmethod
    def together(cls, parts: Iterable[Counts]) -> Counts:
        """Return the sum of all parts."""
        found = [part for part in parts if part.goal_totals]
        return cls(
            sum(part.playouts for part in found),
            sum(part.cut for part in found),
            sum(part.moves for part in found),
            tuple(map(sum, zip(*(part.goal_totals for part in found), strict=True))),
            sum(part.lost for part in found),
        )


class PlayoutPlayer(Protocol):
    """Plays random playouts with one reasoner, in one thread."""

    def play(self, seconds: float) -> Counts:
        """Play for about `seconds`, and return the counts of this call.

        Start with the playouts that the previous call left unfinished.
        """
        ...

    def finish(self) -> Counts:
        """Finish the playouts that `play` left unfinished. Return the counts of this call."""
        ...


class LanesPlayer:
    """Plays hundreds of playouts at the same time."""

    def __init__(self, simulator: gdl.Simulator, seed: int, limit: int) -> None:
        self._lanes = simulator.lanes(seed)
        self._limit = limit

    def play(self, seconds: float) -> Counts:
        """Play in all lanes for `seconds`, starting with unfinished playouts. Return the counts."""
        return Counts.of(self._lanes.playouts(seconds=seconds, limit=self._limit))

    def finish(self) -> Counts:
        """Finish the current playout in each lane. Return the counts."""
        return Counts.of(self._lanes.finish(self._limit))


class ScalarPlayer:
    """Plays one playout at a time on the scalar circuit. `play` finishes its last playout."""

    def __init__(self, machine: gdl.CircuitMachine, seed: int, limit: int) -> None:
        self._machine = machine
        self._seeds = random.Random(seed)
        self._limit = limit

    def play(self, seconds: float) -> Counts:
        """Play for `seconds`, and then finish the current playout. Return the counts."""
        seed = self._seeds.randrange(SEED_RANGE)
        played = self._machine.random_playouts(seconds=seconds, seed=seed, depth=self._limit)
        return Counts.of(played)

    def finish(self) -> Counts:
        """Return no counts, because nothing is left to finish."""
        return Counts()


class InterpreterPlayer:
    """Plays one playout at a time with the interpreter."""

    def __init__(
        self, machine: gdl.StateMachine, seed: int, limit: int, patience: float = 0.0
    ) -> None:
        """Create a player whose last playout may exceed the time by `patience` seconds."""
        self._machine = machine
        self._random = random.Random(seed)
        self._limit = limit
        self._patience = patience

    def play(self, seconds: float) -> Counts:
        """Play for `seconds`, and then finish the current playout unless that takes too long.

        Return the counts.
        """
        start = time.perf_counter()
        parts = []
        while time.perf_counter() - start < seconds:
            parts.append(self.playout(start + seconds + self._patience))
        return Counts.together(parts)

    def playout(self, end: float = float("inf")) -> Counts:
        """Play one playout and return its counts.

        Abandon it if it runs past `end`, a time of `time.perf_counter`.
        """
        machine, state = self._machine, self._machine.initial_state()
        moves = 0
        while moves < self._limit and not machine.is_terminal(state):
            if time.perf_counter() > end:
                return Counts(lost=moves, goal_totals=(0,) * len(machine.roles))
            legal = [machine.legal_moves(state, role) for role in machine.roles]
            if not all(legal):  # the game is stuck if a role has no moves
                break
            state = machine.next_state(state, [self._random.choice(each) for each in legal])
            moves += 1
        is_cut = moves >= self._limit and not machine.is_terminal(state)
        goals = (CUT_GOAL if is_cut else machine.goal(state, role) for role in machine.roles)
        return Counts(1, int(is_cut), moves, tuple(goals))

    def finish(self) -> Counts:
        """Return no counts, because nothing is left to finish."""
        return Counts()


@dataclass(frozen=True, slots=True)
class Speed:
    """The speed at which a reasoner plays.

    Attributes:
        seconds: Length of the measured interval.
        rate: Counts within that interval.
        whole: Counts of all playouts, including those before and after the interval.
        threads: Number of threads that played.
        cpu_seconds: Mean CPU time that a thread received in the interval.
    """

    seconds: float
    rate: Counts
    whole: Counts
    threads: int
    cpu_seconds: float

    @property
    def playouts_per_cpu_second(self) -> float | None:
        """Playout rate of one thread while it had a core, or None if it never had one."""
        spent = self.cpu_seconds * self.threads
        return self.rate.playouts / spent if spent else None

    @property
    def playouts_per_second(self) -> float:
        """Playout rate of all threads together."""
        return self.rate.playouts / self.seconds

    @property
    def states_per_second(self) -> float:
        """Rate of visited states, including terminal ones."""
        return (self.rate.playouts + self.rate.moves + self.rate.lost) / self.seconds

    @property
    def mean_length(self) -> float | None:
        """Mean number of joint moves of a playout, or None if none has ended."""
        return self.whole.moves / self.whole.playouts if self.whole.playouts else None

    @property
    def mean_goals(self) -> list[float | None]:
        """Mean goal of each role, or None for all roles if no playout has ended."""
        num = self.whole.playouts
        return [total / num if num else None for total in self.whole.goal_totals]


def make_players(
    loaded: gdl.Game, threads: int, seed: int, limit: int, seconds: float
) -> list[PlayoutPlayer]:
    """Return one player per thread, or a single player if the interpreter plays.

    The interpreter is Python code, and Python's global lock lets only one thread run such code.
    """
    drawn = random.Random(seed)
    seeds = [seed, *(drawn.randrange(SEED_RANGE) for _ in range(threads - 1))]
    if loaded.simulator is not None:
        return [LanesPlayer(loaded.simulator, one, limit) for one in seeds]
    machine = loaded.scalar
    if machine is None:
        return [InterpreterPlayer(loaded.machine, seed, limit, PATIENCE * seconds)]
    machine.random_playouts(1, depth=limit)  # prepares data that all threads share
    return [ScalarPlayer(machine.fork(), one, limit) for one in seeds]


def measure(
    players: list[PlayoutPlayer], seconds: float, watch: Callable[[float], None] = lambda _: None
) -> Speed:
    """Play in all threads for `seconds`, after an initial phase that is not measured.

    Return the speed.

    Args:
        players: One player for each thread.
        seconds: How long to measure.
        watch: Called periodically with the number of seconds measured so far.
    """
    lead = min(LEAD_SECONDS, LEAD_SHARE * seconds)
    stops = threading.Event()

    def work(player: PlayoutPlayer) -> tuple[Counts, Counts, float, float]:
        before, _ = _play(player, lead, stops)
        began = time.thread_time()
        rate, spent = _play(player, seconds, stops)
        cpu = time.thread_time() - began
        after = Counts() if stops.is_set() else player.finish()
        return rate, Counts.together([before, rate, after]), spent, cpu

    with ThreadPoolExecutor(len(players)) as pool:
        tasks = [pool.submit(work, player) for player in players]
        start = time.perf_counter() + lead
        try:
            while wait(tasks, timeout=SLICE_SECONDS).not_done:
                watch(min(seconds, max(0.0, time.perf_counter() - start)))
        finally:
            stops.set()  # needed after Ctrl-C; otherwise the threads have already stopped
        results = [task.result() for task in tasks]
    rates, wholes, spent, cpu = zip(*results, strict=True)
    return Speed(
        sum(spent) / len(spent),
        Counts.together(rates),
        Counts.together(wholes),
        len(players),
        sum(cpu) / len(cpu),
    )


def _play(player: PlayoutPlayer, seconds: float, stops: threading.Event) -> tuple[Counts, float]:
    """Play for `seconds`, or until `stops` is set. Return the counts and the elapsed time."""
    start = time.perf_counter()
    parts = []
    while (left := seconds - (time.perf_counter() - start)) > 0 and not stops.is_set():
        parts.append(player.play(min(left, SLICE_SECONDS)))
    return Counts.together(parts), time.perf_counter() - start
