"""Learn weights by random games and self-play, and test them against the untrained evaluation."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

import gdl
from ggp.cluster.tasks import SentGame
from ggp.search.core.playout import sample_states
from ggp.search.evaluation import Weights, named
from ggp.search.evaluation.weights import Figure
from ggp.search.kernels.arrays import FloatArray
from ggp.training.weights.model import FeatureSpace, LinearModel
from ggp.training.weights.selfplay import (
    Contest,
    ContestConditions,
    ContestScore,
    PlayedGame,
    SelfPlaySeat,
    play,
    random_game,
)
from ggp.training.weights.targets import learn_samuel, learn_td

Method = Literal["samuel", "td"]
SAMPLE = 400
OPENING_PLIES = 8  # maximum number of random plies at the start, so that the games differ
ROUNDS = 20  # number of rounds of learning; points of the curve are measured after some of them
TUG_GAMES = 50  # number of random games to find out if two roles always share 100 points


@dataclass(frozen=True, slots=True)
class Settings:
    """The parameters of learning."""

    method: Method = "td"
    games: int = 400  # games of self-play
    random_games: int = 1000
    """Random games before self-play. The first weights are learned from their results."""
    depth: int = 2  # plies to look ahead while learning
    rate: float = 0.25  # size of the first steps; later steps are smaller
    trace: float = 0.5  # lambda of the temporal differences
    exploration: float = 0.1  # share of random moves
    recalled: int = 4  # number of earlier games to learn from again after each game
    evaluations: tuple[str, ...] = ()
    """Names of evaluations that are features in addition to the patterns of facts."""
    points: int = 4  # number of points of the learning curve after the first; each costs games
    point_games: int = 20  # games against the untrained evaluation for each point
    seed: int = 1
    is_on_cluster: bool = False
    """Whether to play the games that measure a point on the cluster to which this process is
    connected. The games of self-play always run one after another in this process, because each
    game changes the weights for the next."""


@dataclass(frozen=True, slots=True)
class Point:
    """A point of the learning curve: the strength of the evaluation after a number of games."""

    games: int  # games of self-play so far
    error: float
    """Mean distance between values and final goals, 0..100, in the games since the previous point.
    The first point uses the last random games."""
    score: ContestScore  # against the untrained evaluation


@dataclass(frozen=True, slots=True)
class LearnedWeights:
    """The result of learning."""

    model: LinearModel
    points: tuple[Point, ...]
    seconds: float


def learn(
    game: gdl.Game,
    settings: Settings,
    progress: Callable[[int, int, tuple[Point, ...]], None] = lambda done, total, points: None,
) -> LearnedWeights:
    """Learn weights. `progress` receives the number of games so far, their total, and the curve."""
    return _Learner(game, settings, progress).learned()


def against_untrained(
    game: gdl.Game,
    weights: Weights,
    conditions: ContestConditions,
    progress: Callable[[ContestScore], None] = lambda score: None,
    is_on_cluster: bool = False,
) -> ContestScore:
    """Return the score of learned weights against the untrained evaluation.

    The untrained evaluation is `linear` without weights, in which goal and mobility count equally.
    """
    return Contest(SentGame(game), weights, None, conditions).held(progress, is_on_cluster)


def to_weights(game: gdl.Game, name: str, settings: Settings, learned: LearnedWeights) -> Weights:
    """Return the content of a weights file: the weights, and how they were learned."""
    figures: dict[str, Figure] = {
        "games": settings.games,
        "random games": settings.random_games,
        "depth": settings.depth,
        "seed": settings.seed,
        "seconds": round(learned.seconds, 1),
    }
    return learned.model.as_weights(game, name, settings.method, figures)


def scored(weights: Weights, score: ContestScore) -> Weights:
    """Return the weights with `score`, against the untrained evaluation, added to their figures."""
    if not score.games:
        return weights
    figures = {
        "games against the untrained": score.games,
        "points against the untrained": round(score.rate, 3),
    }
    return replace(weights, figures={**weights.figures, **figures})


class _Learner:
    def __init__(
        self,
        game: gdl.Game,
        settings: Settings,
        progress: Callable[[int, int, tuple[Point, ...]], None],
    ) -> None:
        self._game = game
        self._settings = settings
        self._progress = progress
        self._rng = random.Random(settings.seed)
        self._errors: list[float] = []
        self._points: list[Point] = []
        self._played = 0
        self._memory: list[PlayedGame] = []
        states = sample_states(game, SAMPLE, settings.seed)
        evaluations = {name: named(game, name) for name in settings.evaluations}
        space = FeatureSpace(game, states, evaluations)
        self._model = LinearModel(space, len(game.roles), _is_tug_of_war(game, settings.seed))

    def learned(self) -> LearnedWeights:
        start = time.monotonic()
        self._watch_random_games()
        self._take_point(self._model, 0)
        sums: FloatArray = np.zeros_like(self._model.weights)
        every = max(1, ROUNDS // max(1, self._settings.points))
        done = 0
        for number, games in enumerate(_shares(self._settings.games, ROUNDS), start=1):
            for _ in range(games):
                self._learn_one(done)
                done += 1
            # The mean over the second half is more stable than the last weights.
            sums += self._model.weights if number > ROUNDS // 2 else 0
            if number % every == 0 and number < ROUNDS:
                self._take_point(self._model, done)
        if self._settings.games:
            self._model.set(sums / (ROUNDS - ROUNDS // 2))
            self._take_point(self._model, done)
        return LearnedWeights(self._model, tuple(self._points), time.monotonic() - start)

    def _watch_random_games(self) -> None:
        total = self._settings.random_games
        for done in range(total):
            game = random_game(self._game, self._rng)
            if done >= total - total // 4:
                self._note_error(game)
            rate = self._settings.rate * (1 - done / total)
            learn_td(self._model, game, 1.0, rate)
            self._tell()

    def _learn_one(self, done: int) -> None:
        settings, game = self._settings, self._game
        rate = settings.rate * (1 - done / settings.games)
        seats = [SelfPlaySeat(self._model, settings.depth, settings.exploration)] * len(game.roles)
        played = play(game, seats, self._rng, opening_plies=self._rng.randrange(OPENING_PLIES + 1))
        for each in (played, *self._recalled()):
            self._learn_from(each, rate)
        self._memory.append(played)
        self._note_error(played)
        self._tell()

    def _learn_from(self, game: PlayedGame, rate: float) -> None:
        if self._settings.method == "samuel":
            learn_samuel(self._model, game, rate)
        else:
            learn_td(self._model, game, self._settings.trace, rate)

    def _recalled(self) -> list[PlayedGame]:
        later = self._memory[len(self._memory) // 2 :]
        return self._rng.sample(later, min(self._settings.recalled, len(later)))

    def _note_error(self, game: PlayedGame) -> None:
        for state in game.states:
            values = self._model(state)
            distances = [abs(v - goal) for v, goal in zip(values, game.goals, strict=True)]
            self._errors.append(sum(distances) / len(distances))

    def _take_point(self, model: LinearModel, games: int) -> None:
        if not self._settings.points:
            return
        conditions = ContestConditions(
            self._settings.point_games, seed=-self._settings.seed - games
        )
        weights = model.as_weights(self._game, "", self._settings.method, {})
        is_on_cluster = self._settings.is_on_cluster
        score = against_untrained(self._game, weights, conditions, is_on_cluster=is_on_cluster)
        error = sum(self._errors) / max(1, len(self._errors))
        self._errors.clear()
        self._points.append(Point(games, error, score))

    def _tell(self) -> None:
        self._played += 1
        total = self._settings.random_games + self._settings.games
        self._progress(self._played, total, tuple(self._points))


def _is_tug_of_war(game: gdl.Game, seed: int) -> bool:
    if len(game.roles) != 2:
        return False
    rng = random.Random(seed)
    ends = [random_game(game, rng).goals for _ in range(TUG_GAMES)]
    return all(sum(goals) == 100 for goals in ends)


def _shares(total: int, parts: int) -> list[int]:
    return [total * (i + 1) // parts - total * i // parts for i in range(parts)]
