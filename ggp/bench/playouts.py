"""Speed of random playouts: how fast an engine plays, and with which results.

The rate is measured in a stretch of time in the middle of play. The means are over all playouts
that began before its end, so they have no bias. If only the playouts that ended in time counted,
short ones would have a better chance to count than long ones.
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

SLICE_SECONDS = 0.25  # how often a thread that plays checks whether to stop
SEED_RANGE = 1 << 32

# Play before the rate is measured: a share of the measured time, but at most LEAD_SECONDS.
LEAD_SHARE = 0.25
LEAD_SECONDS = 1.0

# When time is over, a playout of the interpreter may continue for this multiple of the time.
PATIENCE = 1.0

CUT_GOAL = 50  # the goal of a playout that the interpreter cut: who would win is unknown


@dataclass(frozen=True, slots=True)
class Counts:
    """Counts of playouts.

    Attributes:
        playouts: Playouts that ended.
        cut: Those of them that ended because they reached the limit.
        goal_totals: The sum of goals of each role. Empty if nothing was played.
        lost: Joint moves of playouts that were dropped before they ended.
    """

    playouts: int = 0
    cut: int = 0
    moves: int = 0
    goal_totals: tuple[int, ...] = ()
    lost: int = 0

    @classmethod
    def of(cls, counted: gdl.Playouts) -> Counts:
        """Return the counts of an engine."""
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


class Player(Protocol):
    """A player of random playouts with one engine, in one thread."""

    def play(self, seconds: float) -> Counts:
        """Continue to play for `seconds`."""
        ...

    def finish(self) -> Counts:
        """Finish the playouts that have begun."""
        ...


class LanesPlayer:
    """A player of hundreds of playouts at once."""

    def __init__(self, simulator: gdl.Simulator, seed: int, limit: int) -> None:
        self._lanes = simulator.lanes(seed)
        self._limit = limit

    def play(self, seconds: float) -> Counts:
        """Continue to play in all lanes for `seconds`."""
        return Counts.of(self._lanes.playouts(seconds=seconds, limit=self._limit))

    def finish(self) -> Counts:
        """Finish the current playout in each lane."""
        return Counts.of(self._lanes.finish(self._limit))


class ScalarPlayer:
    """A player of one state at a time. A playout that has begun is always finished."""

    def __init__(self, machine: gdl.CircuitMachine, seed: int, limit: int) -> None:
        self._machine = machine
        self._seeds = random.Random(seed)
        self._limit = limit

    def play(self, seconds: float) -> Counts:
        """Play for `seconds`, and then to the end of the playout."""
        seed = self._seeds.randrange(SEED_RANGE)
        played = self._machine.random_playouts(seconds=seconds, seed=seed, depth=self._limit)
        return Counts.of(played)

    def finish(self) -> Counts:
        """Return no counts, because nothing is left to finish."""
        return Counts()


class InterpreterPlayer:
    """A player of one state at a time, in Python."""

    def __init__(
        self, machine: gdl.StateMachine, seed: int, limit: int, patience: float = 0.0
    ) -> None:
        """Create a player whose playouts may run on for `patience` seconds when time is over."""
        self._machine = machine
        self._random = random.Random(seed)
        self._limit = limit
        self._patience = patience

    def play(self, seconds: float) -> Counts:
        """Play for `seconds`, and then to the end of the playout unless that takes too long."""
        start = time.perf_counter()
        parts = []
        while time.perf_counter() - start < seconds:
            parts.append(self.playout(start + seconds + self._patience))
        return Counts.together(parts)

    def playout(self, end: float = float("inf")) -> Counts:
        """Play one playout. It is lost if it runs past `end`, a time of `time.perf_counter`."""
        machine, state = self._machine, self._machine.initial_state()
        moves = 0
        while moves < self._limit and not machine.is_terminal(state):
            if time.perf_counter() > end:
                return Counts(lost=moves, goal_totals=(0,) * len(machine.roles))
            legal = [machine.legal_moves(state, role) for role in machine.roles]
            if not all(legal):  # a role without moves is stuck, and so is the game
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
    """The speed at which an engine plays.

    Attributes:
        seconds: Length of the measured stretch.
        rate: Counts in that stretch.
        whole: Counts before, in and after the stretch: all playouts from beginning to end.
        threads: Number of threads that played.
        cpu_seconds: Mean CPU time that a thread got in the stretch.
    """

    seconds: float
    rate: Counts
    whole: Counts
    threads: int
    cpu_seconds: float

    @property
    def playouts_per_cpu_second(self) -> float | None:
        """Rate of one thread while it had a core, or None if it never had one."""
        spent = self.cpu_seconds * self.threads
        return self.rate.playouts / spent if spent else None

    @property
    def playouts_per_second(self) -> float:
        """Rate of all threads together."""
        return self.rate.playouts / self.seconds

    @property
    def states_per_second(self) -> float:
        """Rate of states that were visited, including terminal ones."""
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
) -> list[Player]:
    """Return a player for each thread, but only one of the interpreter, due to Python's lock."""
    drawn = random.Random(seed)
    seeds = [seed, *(drawn.randrange(SEED_RANGE) for _ in range(threads - 1))]
    if loaded.simulator is not None:
        return [LanesPlayer(loaded.simulator, one, limit) for one in seeds]
    machine = loaded.scalar
    if machine is None:
        return [InterpreterPlayer(loaded.machine, seed, limit, PATIENCE * seconds)]
    machine.random_playouts(1, depth=limit)  # prepares what all threads share
    return [ScalarPlayer(machine.fork(), one, limit) for one in seeds]


def measure(
    players: list[Player], seconds: float, watch: Callable[[float], None] = lambda _: None
) -> Speed:
    """Play for `seconds`, after a lead that is not measured.

    Args:
        players: One player for each thread.
        seconds: How long to measure.
        watch: Called from time to time with the number of seconds measured so far.
    """
    lead = min(LEAD_SECONDS, LEAD_SHARE * seconds)
    stops = threading.Event()

    def work(player: Player) -> tuple[Counts, Counts, float, float]:
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
            stops.set()  # after Ctrl-C; otherwise they have stopped already
        results = [task.result() for task in tasks]
    rates, wholes, spent, cpu = zip(*results, strict=True)
    return Speed(
        sum(spent) / len(spent),
        Counts.together(rates),
        Counts.together(wholes),
        len(players),
        sum(cpu) / len(cpu),
    )


def _play(player: Player, seconds: float, stops: threading.Event) -> tuple[Counts, float]:
    """Play for `seconds`, or less if `stops` is set. Return the counts and the time it took."""
    start = time.perf_counter()
    parts = []
    while (left := seconds - (time.perf_counter() - start)) > 0 and not stops.is_set():
        parts.append(player.play(min(left, SLICE_SECONDS)))
    return Counts.together(parts), time.perf_counter() - start
