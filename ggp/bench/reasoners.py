"""Speed of the reasoners: random playouts of a game per second, and a signature of the playouts."""

from __future__ import annotations

import hashlib
import time
from dataclasses import dataclass
from typing import Any

import gdl
from ggp.bench.playouts import Counts, InterpreterPlayer, Speed, make_players, measure
from ggp.log import ReportLine
from ggp.rulesheets import RulesheetText, find_text


@dataclass(frozen=True, slots=True)
class Case:
    """A game to measure. Its rules have not been parsed yet.

    Attributes:
        argument: The command-line argument that names the game.
    """

    name: str
    sheet: RulesheetText
    argument: str

    @classmethod
    def of(cls, argument: str) -> Case:
        """Return the case for a command-line argument.

        Raises:
            WrongUseError: There is neither a bundled game nor a file of that name.
        """
        found = find_text(argument)
        return cls(found.path.stem if found.path else found.name, found, argument)

    def ready(self, engine: gdl.Engine, report: ReportLine) -> gdl.Game:
        """Return the game, ready to play.

        Raises:
            GdlError: The rules cannot be read, or cannot be played by this engine.
        """
        report("getting ready")
        start = time.perf_counter()
        rulesheet = gdl.read_rules(self.sheet.text, self.sheet.name)
        reading = time.perf_counter() - start
        loaded = gdl.load(rulesheet, engine)
        loaded.timings["parse"] += reading
        return loaded


REASONERS: dict[str, gdl.Engine] = {
    "lanes": "lanes",
    "scalar": "scalar",
    "interpreter": "interpreter",
}
"""All reasoners, with the engine that each uses."""
COMPARED_LIMIT = 4096
"""Number of joint moves after which a playout is cut off when reasoners are compared."""

# A signature covers this many steps in each lane, or this many playouts without lanes.
SIGNED_STEPS = 512
SIGNED_PLAYOUTS = {"scalar": 200, "interpreter": 5}
SIGNATURE_BYTES = 8


@dataclass(frozen=True, slots=True)
class PlayoutTerms:
    """The settings for measuring games.

    Attributes:
        seconds: How long to measure each game.
        threads: Number of threads that play in parallel.
        seed: The seed of all random moves.
        limit: Number of joint moves after which a playout is cut off.
    """

    seconds: float
    threads: int
    engine: gdl.Engine
    seed: int
    limit: int


@dataclass(frozen=True, slots=True)
class PlayoutFigures:
    """Measurements of random playouts of a game.

    Attributes:
        name: The name of the game.
        loaded: The game with its reasoner.
        speed: How fast the playouts were.
    """

    name: str
    loaded: gdl.Game
    speed: Speed

    @property
    def ready_seconds(self) -> float:
        """Seconds from reading the rules to the first move."""
        return sum(self.loaded.timings.values())

    @property
    def sizes(self) -> tuple[int, int, int] | tuple[None, None, None]:
        """Numbers of bases, inputs and gates. All are None if the interpreter plays."""
        circuit = self.loaded.circuit
        if circuit is None:
            return None, None, None
        is_scalar = self.loaded.simulator is None
        num_gates = circuit.netlist.num_gates if is_scalar else circuit.num_gates
        return circuit.netlist.num_bases, circuit.netlist.num_inputs, num_gates

    def to_json(self) -> dict[str, Any]:
        """Return the measurements as JSON data."""
        bases, inputs, gates = self.sizes
        speed = self.speed
        roles = [role.name for role in self.loaded.machine.roles]
        return {
            "game": self.name,
            "engine": self.loaded.engine,
            "threads": speed.threads,
            "seconds": speed.seconds,
            "cpu_seconds": speed.cpu_seconds,
            "ready_seconds": self.ready_seconds,
            "bases": bases,
            "inputs": inputs,
            "gates": gates,
            "playouts": speed.rate.playouts,
            "playouts_per_second": speed.playouts_per_second,
            "states_per_second": speed.states_per_second,
            "mean_length": speed.mean_length,
            "mean_goals": dict(zip(roles, speed.mean_goals, strict=True)),
        }


@dataclass(frozen=True, slots=True)
class Comparison:
    """Comparison of the reasoners on a game.

    Attributes:
        rates: Playouts per second of CPU time for each reasoner. None if it cannot play the game.
        length: Mean length of a playout, in joint moves.
    """

    name: str
    rates: dict[str, float | None]
    length: float | None

    def to_json(self) -> dict[str, object]:
        """Return the measurements as JSON data."""
        return {
            "game": self.name,
            "playouts_per_cpu_second": self.rates,
            "mean_length": self.length,
        }


def measure_playouts(case: Case, report: ReportLine, terms: PlayoutTerms) -> PlayoutFigures:
    """Play a game at random for `terms.seconds`, and return the measurements.

    Raises:
        GdlError: The rules cannot be read, or cannot be played by this engine.
    """
    loaded = case.ready(terms.engine, report)
    players = make_players(loaded, terms.threads, terms.seed, terms.limit, terms.seconds)

    def watch(spent: float) -> None:
        report(f"playing on {loaded.engine}, {spent:.0f} s of {terms.seconds:g} s")

    return PlayoutFigures(case.name, loaded, measure(players, terms.seconds, watch))


def compare(case: Case, report: ReportLine, seconds: float, seed: int) -> Comparison:
    """Play a game at random on each reasoner for `seconds`, and return the rates.

    Raises:
        GdlError: Not even the interpreter can play the game.
    """
    rates: dict[str, float | None] = dict.fromkeys(REASONERS)
    length = None
    for reasoner, engine in REASONERS.items():
        terms = PlayoutTerms(seconds, 1, engine, seed, COMPARED_LIMIT)
        try:
            found = measure_playouts(case, report, terms)
        except gdl.GroundingError:
            continue
        rates[reasoner] = found.speed.playouts_per_cpu_second
        length = length or found.speed.mean_length
    return Comparison(case.name, rates, length)


def sign_playouts(case: Case, report: ReportLine, terms: PlayoutTerms) -> str:
    """Return a signature of some playouts. On any computer, equal playouts have equal signatures.

    Raises:
        GdlError: The rules cannot be read, or cannot be played by this engine.
    """
    loaded = case.ready(terms.engine, report)
    report(f"playing on {loaded.engine}")
    counts = _signed_playouts(loaded, terms)
    return signature(f"{loaded.engine} {counts.playouts} {counts.moves} {counts.goal_totals}")


def signature(text: str) -> str:
    """Return a short hash of a text."""
    return hashlib.blake2b(text.encode(), digest_size=SIGNATURE_BYTES).hexdigest()


def _signed_playouts(loaded: gdl.Game, terms: PlayoutTerms) -> Counts:
    if loaded.simulator is not None:
        lanes = loaded.simulator.lanes(terms.seed)
        return Counts.of(lanes.playouts(steps=SIGNED_STEPS, limit=terms.limit))
    num = SIGNED_PLAYOUTS[loaded.engine]
    if loaded.scalar is not None:
        return Counts.of(loaded.scalar.random_playouts(num, seed=terms.seed, depth=terms.limit))
    player = InterpreterPlayer(loaded.machine, terms.seed, terms.limit)
    return Counts.together(player.playout() for _ in range(num))
