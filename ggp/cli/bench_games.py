"""Gets games ready for `ggp bench`, and measures and signs random playouts."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, cast

import gdl
from ggp.cli.bench_playouts import (
    Counts,
    InterpreterPlayer,
    Measured,
    ScalarMachine,
    make_players,
    measure,
)
from ggp.cli.progress import Progress
from ggp.cli.rulesheets import RulesheetText, read_argument

# What a signature is made of: so many steps in each lane, or so many playouts of one state.
SIGNED_STEPS = 512
SIGNED_PLAYOUTS = {"scalar": 200, "interpreter": 5}

_SIGNATURE_BYTES = 8


@dataclass(frozen=True, slots=True)
class Case:
    """A game that is to be measured, not yet parsed."""

    name: str
    text: RulesheetText
    argument: str
    """Name of the game on the command line."""

    @classmethod
    def of(cls, argument: str) -> Case:
        """Case that an argument names.

        Raises:
            WrongUseError: There is neither such a bundled game nor such a file.
        """
        found = read_argument(argument)
        return cls(found.path.stem if found.path else found.name, found, argument)


@dataclass(frozen=True, slots=True)
class Terms:
    """Terms on which games are measured.

    Attributes:
        seconds: How long each.
        threads: How many play at once.
        engine: Who plays.
        has_gear: Whether lanes may use the second gear.
        seed: Of all random moves.
        limit: Joint moves after which a playout is cut.
    """

    seconds: float
    threads: int
    engine: gdl.Engine
    has_gear: bool
    seed: int
    limit: int


@dataclass(frozen=True, slots=True)
class Benched:
    """A game that was measured.

    Attributes:
        name: Of the game.
        loaded: Its reasoner.
        gear_seconds: What the second gear took to compile; None if it was not asked for.
        has_gear: Whether the second gear played.
        measured: How fast.
    """

    name: str
    loaded: gdl.Game
    gear_seconds: float | None
    has_gear: bool
    measured: Measured

    @property
    def ready_seconds(self) -> float:
        """From the text of the rules to the first move, without the second gear."""
        return sum(self.loaded.timings.values())

    @property
    def sizes(self) -> tuple[int, int, int] | tuple[None, None, None]:
        """Bases, inputs and gates; None for the interpreter, which has none."""
        circuit = self.loaded.circuit
        if circuit is None:
            return None, None, None
        is_scalar = self.loaded.simulator is None
        num_gates = circuit.netlist.num_gates if is_scalar else circuit.num_gates
        return circuit.netlist.num_bases, circuit.netlist.num_inputs, num_gates

    def to_json(self) -> dict[str, Any]:
        """The figures, for programs."""
        bases, inputs, gates = self.sizes
        measured = self.measured
        roles = [role.name for role in self.loaded.machine.roles]
        return {
            "game": self.name,
            "engine": self.loaded.engine,
            "threads": measured.threads,
            "seconds": measured.seconds,
            "cpu_seconds": measured.cpu_seconds,
            "ready_seconds": self.ready_seconds,
            "bases": bases,
            "inputs": inputs,
            "gates": gates,
            "playouts": measured.rate.playouts,
            "playouts_per_second": measured.playouts_per_second,
            "states_per_second": measured.states_per_second,
            "mean_length": measured.mean_length,
            "mean_goals": dict(zip(roles, measured.mean_goals, strict=True)),
        }


def bench(case: Case, progress: Progress, *, terms: Terms) -> Benched:
    """Measure a game.

    Raises:
        GdlError: The rules cannot be read or played, or not by this engine.
    """
    with ready(case, terms.engine, progress) as loaded:
        gear_seconds = compile_gear(loaded, progress) if terms.has_gear else None
        players = make_players(loaded, terms.threads, terms.seed, terms.limit, terms.seconds)

        def watch(spent: float) -> None:
            progress.say(f"playing on {loaded.engine}, {spent:.0f} s of {terms.seconds:g} s")

        measured = measure(players, terms.seconds, watch)
        has_gear = loaded.simulator is not None and loaded.simulator.has_gear
        return Benched(case.name, loaded, gear_seconds, has_gear, measured)


def sign(case: Case, progress: Progress, *, terms: Terms) -> str:
    """A figure that is the same wherever the same playouts are played.

    Raises:
        GdlError: The rules cannot be read or played, or not by this engine.
    """
    with ready(case, terms.engine, progress) as loaded:
        progress.say(f"playing on {loaded.engine}")
        counts = _signed_playouts(loaded, terms)
        found = f"{loaded.engine} {counts.playouts} {counts.moves} {counts.goal_totals}"
        return hashlib.blake2b(found.encode(), digest_size=_SIGNATURE_BYTES).hexdigest()


def _signed_playouts(loaded: gdl.Game, terms: Terms) -> Counts:
    if loaded.simulator is not None:
        lanes = loaded.simulator.lanes(terms.seed)
        return Counts.of(lanes.playouts(steps=SIGNED_STEPS, limit=terms.limit))
    num = SIGNED_PLAYOUTS[loaded.engine]
    if loaded.circuit is not None:
        machine = cast(ScalarMachine, loaded.machine)
        return Counts.of(machine.random_playouts(num, seed=terms.seed, depth=terms.limit))
    player = InterpreterPlayer(loaded.machine, terms.seed, terms.limit)
    return Counts.together(player.playout() for _ in range(num))


@contextmanager
def ready(case: Case, engine: gdl.Engine, progress: Progress) -> Iterator[gdl.Game]:
    """The game, ready to be played; in the end nothing more is compiled for it."""
    progress.say("getting ready")
    start = time.perf_counter()
    rulesheet = gdl.read_rules(case.text.text, case.text.name)
    reading = time.perf_counter() - start
    loaded = gdl.load(rulesheet, engine)
    loaded.timings["parse"] += reading
    try:
        yield loaded
    finally:
        if loaded.simulator is not None:
            loaded.simulator.stop_gear()


def compile_gear(loaded: gdl.Game, progress: Progress) -> float | None:
    """Compile the second gear of lanes; how many seconds that took."""
    if loaded.simulator is None:
        return None
    progress.say("compiling straight-line code, a minute at most")
    start = time.perf_counter()
    loaded.simulator.start_gear()
    loaded.simulator.wait_for_gear()
    return time.perf_counter() - start
