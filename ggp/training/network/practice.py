"""Practice: a network that begins with nothing learns a game by playing it against itself.

It plays a batch of games, is fitted to samples of the last batches, and plays the next one.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import gdl
from ggp.search.evaluation.network.kernel import MOST_VALUE, WORD_BITS
from ggp.search.evaluation.network.network import NetworkValues, ValueNetwork
from ggp.search.evaluation.weights import digest
from ggp.training.network.batch_play import BatchPlay, BatchPlaySettings, PracticeError
from ggp.training.network.gradient_descent import (
    Experience,
    Parameters,
    Samples,
    Trainer,
    mean_error,
)

RANDOM_BATCHES = 20  # of games sampled at random, that it begins with
TWO = 2
RANDOM_PASSES = 3  # through their samples
MOST_BYTES = 64 << 20  # of the states that are kept


@dataclass(frozen=True, slots=True)
class PracticeSettings:
    """Settings of practice."""

    units: int = 64  # a power of two
    rate: float = 0.003  # size of the first steps; they shrink to 0
    kept: int = 60  # batches whose samples are drawn from
    passes: int = 3  # samples drawn for each new one
    seed: int = 1
    games: BatchPlaySettings = field(default_factory=BatchPlaySettings)


@dataclass(frozen=True, slots=True)
class Progress:
    """Progress of practice."""

    share: float  # of the time
    batches: int
    samples: int
    error: float
    """Mean distance between the network's values and those of the batch before it learned it."""


class PracticeState(NamedTuple):
    """All that practice has come to; a file can keep it."""

    numbers: dict[str, Any]  # counts and the state of what draws lots, as JSON has them
    arrays: dict[str, NDArray[Any]]


class Practice:
    """A network that learns a game."""

    def __init__(
        self,
        game: gdl.Game,
        settings: PracticeSettings,
        state: PracticeState | None = None,
        start: ValueNetwork | None = None,
    ) -> None:
        """Play at random, and learn from how it ends; or go on from a state, or from a network.

        Args:
            settings: Those of the practice; a state is of one with the same.
            start: A network of the game, from which it goes on where there is no state.

        Raises:
            PracticeError: It is no compiled game of turns, or no random game came to an end.
            ValueError: The state is damaged or is that of another game; also KeyError, TypeError.
        """
        self._game = game
        self._settings = settings
        self._play = BatchPlay(game, settings.games, settings.seed)
        assert game.simulator is not None
        self._bases = game.simulator.circuit.phases[0].netlist.bases
        self._num_phases = len(game.simulator.circuit.phases)
        self._parts: deque[Experience] = deque(maxlen=settings.kept)
        self.num_batches = self.num_samples = 0
        if state is not None:
            self._go_on(state)
        elif start is not None:
            self._go_on_from(start)
        else:
            self._begin()

    def _begin(self) -> None:
        game, settings = self._game, self._settings
        samples = Samples.of([self._play.play(None) for _ in range(RANDOM_BATCHES)])
        if not len(samples):
            raise PracticeError(
                "practice: expected games that end, but none of the random ones did"
            )
        self._columns = samples.columns
        self._reference: NDArray[np.bool_] = samples.inputs().mean(0) > 1 / 2
        self._is_shared = len(game.roles) == TWO and bool(
            (samples.found.values.sum(1) == MOST_VALUE).all()
        )
        self._make_parameters()
        for _ in range(RANDOM_PASSES):
            self._trainer.learn(samples, len(samples), settings.rate)

    def _go_on_from(self, network: ValueNetwork) -> None:
        """Begin with what a network knows: it may have other units than the settings say."""
        place_of = {str(fact): place for place, fact in enumerate(self._bases)}
        self._columns = np.array([place_of[fact] for fact in network.facts], np.int64)
        self._reference = network.reference
        self._is_shared = network.is_shared
        self.num_batches = int(network.figures.get("batches", 0))
        self.num_samples = int(network.figures.get("samples", 0))
        num_units = len(network.start)
        self._parameters = Parameters(
            network.rows.copy(),
            network.start.copy(),
            network.output.reshape(-1, num_units).copy(),
            network.bias.reshape(-1).copy(),
        )
        self._trainer = Trainer(self._parameters, self._settings.seed)

    def _make_parameters(self) -> None:
        outputs = self._num_phases * len(self._game.roles)
        self._parameters = Parameters.at_random(
            len(self._columns), self._settings.units, outputs, self._settings.seed
        )
        self._trainer = Trainer(self._parameters, self._settings.seed)

    def state(self) -> PracticeState:
        """All that it has come to; practice that goes on from there ends as this one does."""
        trainer, parts = self._trainer, self._parts
        numbers = {
            "batches": self.num_batches,
            "samples": self.num_samples,
            "steps": trainer.num_steps,
            "is shared": self._is_shared,
            "luck of games": self._play.rng.bit_generator.state,
            "luck of training": trainer.rng.bit_generator.state,
        }
        arrays: dict[str, NDArray[Any]] = {
            "columns": self._columns,
            "reference": self._reference,
            "sizes": np.array([len(part.states) for part in parts], np.int64),
        }
        learned = [*self._parameters.arrays(), *trainer.moments()]
        arrays |= {f"learned {number}": array for number, array in enumerate(learned)}
        if parts:
            arrays |= Samples.of(parts, self._columns).found._asdict()
        return PracticeState(numbers, arrays)

    def _go_on(self, state: PracticeState) -> None:
        numbers, arrays = state
        self._columns, self._reference = arrays["columns"], arrays["reference"]
        num_columns, num_roles = len(self._columns), len(self._game.roles)
        if self._columns.dtype != np.int64 or self._reference.shape != (num_columns,):
            raise ValueError("columns: expected whole numbers, and a reference for each")
        if num_columns and not 0 <= self._columns.min() <= self._columns.max() < len(self._bases):
            raise ValueError("columns: expected numbers of base propositions")
        self._is_shared = bool(numbers["is shared"])
        self.num_batches, self.num_samples = int(numbers["batches"]), int(numbers["samples"])
        self._make_parameters()
        trainer = self._trainer
        for number, array in enumerate([*self._parameters.arrays(), *trainer.moments()]):
            saved = arrays[f"learned {number}"]
            if saved.shape != array.shape or saved.dtype != array.dtype:
                raise ValueError(f"learned {number}: expected {array.shape}, got {saved.shape}")
            array[:] = saved
        trainer.num_steps = int(numbers["steps"])
        trainer.rng.bit_generator.state = numbers["luck of training"]
        self._play.rng.bit_generator.state = numbers["luck of games"]
        first, num_words = 0, max(1, -(-len(self._bases) // WORD_BITS))
        for size in arrays["sizes"].tolist():
            part = slice(first, first := first + size)
            states, phases, values = (arrays[name][part] for name in Experience._fields)
            if not len(states) == len(phases) == len(values) == size:
                raise ValueError(f"samples: expected {first}")
            if states.dtype != np.uint64 or states.shape != (size, num_words):
                raise ValueError(f"states: expected {num_words} words each")
            if values.shape != (size, num_roles) or values.dtype != np.float32:
                raise ValueError("values: expected one of each role")
            if size and not 0 <= phases.min() <= phases.max() < self._num_phases:
                raise ValueError("phases: expected numbers of phases")
            self._parts.append(Experience(states, phases, values))

    def step(self, share: float) -> Progress:
        """Play a batch and learn, so much of the practice being done; how far it has come."""
        values = NetworkValues(self.network(), self._game)
        part = self._play.play(values)
        error = mean_error(self._parameters, Samples.of([part], self._columns))
        self._parts.append(part)
        while len(self._parts) > 1 and sum(one.states.nbytes for one in self._parts) > MOST_BYTES:
            self._parts.popleft()
        known = Samples.of(self._parts, self._columns)
        num = min(len(known), self._settings.passes * len(part.states))
        self._trainer.learn(known, num, self._settings.rate * (1 - share))
        self.num_batches += 1
        self.num_samples += len(part.states)
        return Progress(share, self.num_batches, self.num_samples, error)

    def network(self) -> ValueNetwork:
        """The network as it is now."""
        parameters, game = self._parameters, self._game
        shape = (self._num_phases, len(game.roles))
        return ValueNetwork(
            game=game.rulesheet.name if game.rulesheet else "",
            rules=digest(game),
            form=game.rulesheet.canonical if game.rulesheet else None,
            roles=tuple(map(str, game.roles)),
            facts=tuple(str(self._bases[column]) for column in self._columns),
            reference=self._reference,
            rows=parameters.rows.copy(),
            start=parameters.start.copy(),
            output=parameters.output.reshape(*shape, -1).copy(),
            bias=parameters.bias.reshape(shape).copy(),
            is_shared=self._is_shared,
            figures={"batches": self.num_batches, "samples": self.num_samples},
        )


def practise(
    game: gdl.Game,
    seconds: float,
    settings: PracticeSettings,
    progress: Callable[[Progress], None] = lambda found: None,
) -> ValueNetwork:
    """Practise for so many seconds of this thread's own time; the network.

    Raises:
        PracticeError: The game cannot be practised.
    """
    start = time.thread_time()
    practice = Practice(game, settings)
    while (share := (time.thread_time() - start) / seconds) < 1:
        progress(practice.step(share))
    return practice.network()
