"""Practice: a network without prior knowledge learns a game by playing against itself.

The network plays a batch of games, is fitted to samples of the last batches, and plays the next
batch. It begins with random games.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import gdl
from ggp.search.evaluation.network.gradients import Arrays
from ggp.search.evaluation.network.kernel import MAX_VALUE, WORD_BITS
from ggp.search.evaluation.network.network import NetworkValues, ValueNetwork
from ggp.search.evaluation.weights import digest
from ggp.training.network.batch_play import BatchPlay, BatchPlaySettings, PracticeError
from ggp.training.network.gradient_descent import Experience, Trainer, random_arrays
from ggp.training.network.input_choice import bits_of, independent, telling_pairs
from ggp.training.network.relations import related_pairs

RANDOM_BATCHES = 8  # maximum number of batches of random games at the start
ENOUGH_SAMPLES = 40_000  # after this many samples of random games, no further batch is played
TWO = 2
MAX_SCREENED = 20_000  # maximum number of samples from which pairs are chosen
RANDOM_PASSES = 3  # how often to learn from the samples of random games
MAX_BYTES = 64 << 20  # maximum size of the states that are kept


@dataclass(frozen=True, slots=True)
class PracticeSettings:
    """The settings of a practice."""

    units: int = 64  # number of hidden units, a power of two
    pairs: int = 512  # maximum number of pairs of bases that become inputs
    rate: float = 0.003  # size of the first steps, which shrink to 0
    kept: int = 20  # number of last batches from which samples are drawn
    passes: int = 3  # number of samples to learn from per sample of the new batch
    seed: int = 1
    games: BatchPlaySettings = field(default_factory=BatchPlaySettings)


@dataclass(frozen=True, slots=True)
class PracticeProgress:
    """The progress of a practice."""

    share: float  # share of the practice that is done
    batches: int
    samples: int
    error: float
    """Mean distance of the network's values from the targets of the new batch, 0..100, before
    learning from the batch."""


class PracticeState(NamedTuple):
    """The complete state of a practice, which a file can store."""

    numbers: dict[str, Any]  # counts, and states of random generators, as JSON data
    arrays: dict[str, NDArray[Any]]


class Practice:
    """A network that learns a game by playing batches of games against itself."""

    def __init__(
        self,
        game: gdl.Game,
        settings: PracticeSettings,
        state: PracticeState | None = None,
        start: ValueNetwork | None = None,
    ) -> None:
        """Start with random games, or continue from a state or a network.

        Args:
            settings: The settings of the practice. They must be those with which `state` was made.
            state: The state of an earlier practice, from which to continue.
            start: A network of the game, from which to continue if `state` is None.

        Raises:
            PracticeError: The game is not compiled, is not turn-based, or no random game ended.
            ValueError, KeyError, TypeError: The state is damaged or belongs to another game.
        """
        self._game = game
        self._settings = settings
        self._play = BatchPlay(game, settings.games, settings.seed)
        assert game.simulator is not None
        self._phases = game.simulator.circuit.phases
        self._bases = self._phases[0].netlist.bases
        self._parts: deque[Experience] = deque(maxlen=settings.kept)
        self.num_batches = self.num_samples = 0
        if state is not None:
            self._go_on(state)
        elif start is not None:
            self._go_on_from(start)
        else:
            self._begin()

    def _begin(self) -> None:
        parts = [self._play.play(None)]
        while len(parts) < RANDOM_BATCHES and sum(map(_num_states, parts)) < ENOUGH_SAMPLES:
            parts.append(self._play.play(None))
        samples = Experience.joined(parts)
        if not len(samples.states):
            raise PracticeError(
                "practice: expected games that end, but none of the random games did"
            )
        self._columns = independent(samples.states)
        self._pairs = self._choose_pairs(samples)
        self._reference: NDArray[np.bool_] = (
            bits_of(samples.states)[:, self._columns].mean(0) > 1 / 2
        )
        self._is_shared = samples.values.shape[1] == TWO and bool(
            (samples.values.sum(1) == MAX_VALUE).all()
        )
        self._make_trainer(self._random_arrays())
        for _ in range(RANDOM_PASSES):
            self._trainer.learn(samples, len(samples.states), self._settings.rate)

    def _choose_pairs(self, samples: Experience) -> NDArray[np.int64]:
        some = samples.thinned(MAX_SCREENED)
        candidates = related_pairs(self._game, some.states, self._columns)
        return telling_pairs(some, self._columns, candidates, self._settings.pairs)

    def _random_arrays(self) -> Arrays:
        num_inputs = len(self._columns) + len(self._pairs)
        num_outputs = len(self._phases) * len(self._game.roles)
        return random_arrays(num_inputs, self._settings.units, num_outputs, self._settings.seed)

    def _make_trainer(self, arrays: Arrays) -> None:
        num_words = max(1, -(-len(self._bases) // WORD_BITS))
        self._trainer = Trainer(arrays, self._columns, self._pairs, num_words, self._settings.seed)

    def _go_on_from(self, network: ValueNetwork) -> None:
        """Continue from a network. Keep its number of units, even if the settings have another."""
        place_of = {str(fact): place for place, fact in enumerate(self._bases)}
        self._columns = np.array([place_of[fact] for fact in network.facts], np.int64)
        self._pairs = network.pairs
        self._reference = network.reference
        self._is_shared = network.is_shared
        self.num_batches = int(network.figures.get("batches", 0))
        self.num_samples = int(network.figures.get("samples", 0))
        num_units = len(network.start)
        self._make_trainer(
            Arrays(
                network.rows.copy(),
                network.start.copy(),
                network.output.reshape(-1, num_units).copy(),
                network.bias.reshape(-1).copy(),
            )
        )

    def state(self) -> PracticeState:
        """Return the complete state. A practice that continues from it gives the same network."""
        trainer, parts = self._trainer, self._parts
        numbers = {
            "batches": self.num_batches,
            "samples": self.num_samples,
            "steps": trainer.num_steps,
            "is shared": self._is_shared,
            "rng of games": self._play.rng.bit_generator.state,
            "rng of training": trainer.rng.bit_generator.state,
        }
        arrays: dict[str, NDArray[Any]] = {
            "columns": self._columns,
            "pairs": self._pairs,
            "reference": self._reference,
            "sizes": np.array([len(part.states) for part in parts], np.int64),
        }
        arrays |= {f"learned {number}": array for number, array in enumerate(trainer.numbers())}
        if parts:
            arrays |= Experience.joined(parts)._asdict()
        return PracticeState(numbers, arrays)

    def _go_on(self, state: PracticeState) -> None:
        numbers, arrays = state
        self._columns, self._reference = arrays["columns"], arrays["reference"]
        num_columns = len(self._columns)
        if self._columns.dtype != np.int64 or self._reference.shape != (num_columns,):
            raise ValueError("columns: expected whole numbers, and a reference for each of them")
        if num_columns and not 0 <= self._columns.min() <= self._columns.max() < len(self._bases):
            raise ValueError(
                f"columns: expected numbers of bases, from 0 to {len(self._bases) - 1}, got "
                f"{self._columns.min()} to {self._columns.max()}"
            )
        self._pairs = arrays["pairs"]
        if self._pairs.dtype != np.int64 or self._pairs.shape[1:] != (2,):
            raise ValueError("pairs: expected two whole numbers in each pair")
        if len(self._pairs) and not 0 <= self._pairs.min() <= self._pairs.max() < num_columns:
            raise ValueError(
                f"pairs: expected numbers of columns, from 0 to {num_columns - 1}, got "
                f"{self._pairs.min()} to {self._pairs.max()}"
            )
        self._is_shared = bool(numbers["is shared"])
        self.num_batches, self.num_samples = int(numbers["batches"]), int(numbers["samples"])
        self._make_trainer(self._random_arrays())
        trainer = self._trainer
        for number, array in enumerate(trainer.numbers()):
            saved = arrays[f"learned {number}"]
            if saved.shape != array.shape or saved.dtype != array.dtype:
                raise ValueError(
                    f"learned {number}: expected {array.dtype} numbers of shape {array.shape}, got "
                    f"{saved.dtype} numbers of shape {saved.shape}"
                )
            array[:] = saved
        trainer.num_steps = int(numbers["steps"])
        trainer.rng.bit_generator.state = numbers["rng of training"]
        self._play.rng.bit_generator.state = numbers["rng of games"]
        self._parts.extend(self._saved_parts(arrays))

    def _saved_parts(self, arrays: dict[str, NDArray[Any]]) -> Iterator[Experience]:
        num_roles = len(self._game.roles)
        first, num_words = 0, max(1, -(-len(self._bases) // WORD_BITS))
        for size in arrays["sizes"].tolist():
            part = slice(first, first := first + size)
            states, phases, values = (arrays[name][part] for name in Experience._fields)
            if not len(states) == len(phases) == len(values) == size:
                raise ValueError(
                    f"samples: expected {size} states, phases and values, got {len(states)}, "
                    f"{len(phases)} and {len(values)}"
                )
            if states.dtype != np.uint64 or states.shape != (size, num_words):
                raise ValueError(
                    f"states: expected {size} states of {num_words} words each, got an array of "
                    f"{states.dtype} of shape {states.shape}"
                )
            if values.shape != (size, num_roles) or values.dtype != np.float32:
                raise ValueError(
                    f"values: expected {num_roles} numbers for each state, one for each role, got "
                    f"an array of {values.dtype} of shape {values.shape}"
                )
            if size and not 0 <= phases.min() <= phases.max() < len(self._phases):
                raise ValueError(
                    f"phases: expected numbers from 0 to {len(self._phases) - 1}, got "
                    f"{phases.min()} to {phases.max()}"
                )
            yield Experience(states, phases, values)

    def step(self, share: float) -> PracticeProgress:
        """Play a batch, learn from it, and return the progress.

        `share` of the practice was done before, 0..1. It determines the size of the steps.
        """
        values = NetworkValues(self.network(), self._game)
        part = self._play.play(values)
        error = _mean_error(values, part)
        self._parts.append(part)
        while len(self._parts) > 1 and sum(one.states.nbytes for one in self._parts) > MAX_BYTES:
            self._parts.popleft()
        known = Experience.joined(self._parts)
        num = min(len(known.states), self._settings.passes * len(part.states))
        self._trainer.learn(known, num, self._settings.rate * (1 - share))
        self.num_batches += 1
        self.num_samples += len(part.states)
        return PracticeProgress(share, self.num_batches, self.num_samples, error)

    def network(self) -> ValueNetwork:
        """Return the current network."""
        learned, game = self._trainer.averages(), self._game
        shape = (len(self._phases), len(game.roles))
        return ValueNetwork(
            game=game.rulesheet.name if game.rulesheet else "",
            rules=digest(game),
            form=game.rulesheet.canonical if game.rulesheet else None,
            roles=tuple(map(str, game.roles)),
            facts=tuple(str(self._bases[column]) for column in self._columns),
            reference=self._reference,
            pairs=self._pairs,
            rows=learned.rows,
            start=learned.start,
            output=learned.output.reshape(*shape, -1),
            bias=learned.bias.reshape(shape),
            is_shared=self._is_shared,
            figures={"batches": self.num_batches, "samples": self.num_samples},
        )


def _num_states(part: Experience) -> int:
    return len(part.states)


def _mean_error(values: NetworkValues, part: Experience) -> float:
    """Return the mean distance of a network's values from the targets of samples, 0..100."""
    total = 0.0
    for phase in np.unique(part.phases):
        chosen = part.phases == phase
        found = values.values(part.states[chosen], int(phase))
        total += float(np.abs(found - part.values[chosen]).sum())
    return total / part.values.size
