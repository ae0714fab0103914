"""Practice: a network that begins with nothing learns a game by playing it against itself.

It plays a batch of games, is fitted to samples of the last batches, and plays the next one.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

import gdl
from ggp.search.knowledge.evaluation.weights import digest
from ggp.search.knowledge.network.batch_play import BatchPlay, BatchPlaySettings, PracticeError
from ggp.search.knowledge.network.kernel import MOST_VALUE
from ggp.search.knowledge.network.network import NetworkValues, ValueNetwork
from ggp.search.knowledge.network.samples import Samples
from ggp.search.knowledge.network.training import Parameters, Trainer, mean_error

RANDOM_BATCHES = 20  # of games drawn by lot, that it begins with
TWO = 2
RANDOM_PASSES = 3  # through their samples


@dataclass(frozen=True, slots=True)
class PracticeSettings:
    """Settings of practice."""

    units: int = 64
    """A power of two."""
    rate: float = 0.003
    """Size of the first steps; they shrink to 0."""
    kept: int = 60
    """Batches whose samples are drawn from."""
    passes: int = 3
    """Samples drawn for each new one."""
    seed: int = 1
    games: BatchPlaySettings = field(default_factory=BatchPlaySettings)


@dataclass(frozen=True, slots=True)
class Progress:
    """Progress of practice."""

    share: float
    """Of the time."""
    batches: int
    samples: int
    error: float
    """Mean distance between the network's values and those of the batch before it learned it."""


class Practice:
    """A network that learns a game."""

    def __init__(self, game: gdl.Game, settings: PracticeSettings) -> None:
        """Play at random, and learn from how it ends.

        Raises:
            PracticeError: It is no compiled game of turns, or no random game came to an end.
        """
        self._game = game
        self._settings = settings
        self._play = BatchPlay(game, settings.games, settings.seed)
        assert game.simulator is not None
        self._bases = game.simulator.circuit.phases[0].netlist.bases
        self._num_phases = len(game.simulator.circuit.phases)
        found = Samples.of([self._play.play(None) for _ in range(RANDOM_BATCHES)])
        if not len(found):
            raise PracticeError(
                "practice: expected games that end, but none of the random ones did"
            )
        self._columns = found.columns
        self._reference: NDArray[np.bool_] = found.inputs.mean(0) > 1 / 2
        self._is_shared = len(game.roles) == TWO and bool((found.values.sum(1) == MOST_VALUE).all())
        self._parts: deque[Samples] = deque(maxlen=settings.kept)
        self.num_batches = self.num_samples = 0
        outputs = self._num_phases * len(game.roles)
        self._parameters = Parameters.at_random(
            len(self._columns), settings.units, outputs, settings.seed
        )
        self._trainer = Trainer(self._parameters, settings.seed)
        for _ in range(RANDOM_PASSES):
            self._trainer.learn(found, len(found), settings.rate)

    def step(self, share: float) -> Progress:
        """Play a batch of games and learn; how far it has come.

        Args:
            share: Of the practice that is behind it.
        """
        values = NetworkValues(self.network(), self._game)
        part = Samples.of([self._play.play(values)], self._columns)
        error = mean_error(self._parameters, part)
        self._parts.append(part)
        known = Samples.together(self._parts)
        num = min(len(known), self._settings.passes * len(part))
        self._trainer.learn(known, num, self._settings.rate * (1 - share))
        self.num_batches += 1
        self.num_samples += len(part)
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
