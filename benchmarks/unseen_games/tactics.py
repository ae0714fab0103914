"""Ask players for a move in positions with known outcomes."""

from __future__ import annotations

import multiprocessing
import random
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import gdl
from ggp.clock import Deadline
from ggp.players import Player, registry
from unseen_games.bot import BotAdviser
from unseen_games.contestants import is_openspiel, with_rounds
from unseen_games.cpu_clock import CpuDeadline
from unseen_games.positions import Line, Question, file_of, questions_of, read
from unseen_games.results import Row
from unseen_games.rulesheets import Sheet, find_sheet, load

KEYS = ("game", "digest", "player", "budget", "positions", "seed")
SEED_RANGE = 1 << 31
WARM_UP_SECONDS = 1.0
"""Of processor time; with one round a search takes less, except where it loads its kernels."""


@dataclass(frozen=True, slots=True)
class Budget:
    """What a player may spend on a move: seconds of its own processor time, or iterations."""

    seconds: float = 0.0
    rounds: int = 0

    def __str__(self) -> str:
        return f"{self.rounds} rounds" if self.rounds else f"{self.seconds:g} s"

    def deadline(self) -> Deadline:
        """Return a deadline that starts now."""
        return Deadline.never() if self.rounds else CpuDeadline(self.seconds)


@dataclass(frozen=True, slots=True)
class Trial:
    """One player in all positions of one game.

    Attributes:
        game: Its name.
        player: A spec.
        budgets: For a move; each is asked for separately.
        positions: How many of the game's positions are asked, the first ones.
        seed: Of the player's randomness.
        cache: Folder of the positions of games that are not bundled.
        python: A Python that has OpenSpiel.
    """

    game: str
    player: str
    budgets: tuple[Budget, ...]
    positions: int
    seed: int
    cache: Path
    python: str


class Adviser(Protocol):
    """A program that chooses a move in any position of one game."""

    def move(self, line: Line, question: Question, state: gdl.State, budget: Budget) -> str:
        """Return the move that it chooses."""

    def close(self) -> None:
        """End its processes."""


class PlayerAdviser:
    """Our player, created again for each position."""

    def __init__(self, player: str, game: gdl.Game, seed: int) -> None:
        self._player, self._game, self._seed = player, game, seed
        self._is_warm = False

    def move(self, line: Line, question: Question, state: gdl.State, budget: Budget) -> str:
        """Return its move; the time to create and prepare the player does not count."""
        if not self._is_warm:
            self._is_warm = True
            self._warm_up(state, question.role)
        spec = with_rounds(self._player, budget.rounds) if budget.rounds else self._player
        player = self._ready(spec, state, question.role)
        return str(player.choose(state, budget.deadline()))

    def close(self) -> None:
        """Do nothing."""

    def _warm_up(self, state: gdl.State, role: int) -> None:
        """Load the kernels, and wait for everything that is made from the rules."""
        for spec in (with_rounds(self._player, 1), self._player):
            self._ready(spec, state, role).choose(state, CpuDeadline(WARM_UP_SECONDS))

    def _ready(self, spec: str, state: gdl.State, role: int) -> Player:
        """Return a player that has allocated its tree and has not started to search."""
        player = registry.create(spec, self._game, self._game.roles[role], {}, self._seed)
        player.prepare(state, CpuDeadline(0.0))
        return player


def answer(trial: Trial) -> list[Row]:
    """Ask a player in all positions of a game; return a row for each budget."""
    sheet = find_sheet(trial.game)
    lines = read(file_of(sheet, trial.cache), sheet)
    game = load(sheet)
    asked = list(questions_of(game, lines))[: trial.positions]
    seed = random.Random(f"{trial.seed} {trial.game}").randrange(SEED_RANGE)
    adviser: Adviser = (
        BotAdviser(trial.player, trial.game, game, seed, trial.python)
        if is_openspiel(trial.player)
        else PlayerAdviser(trial.player, game, seed)
    )
    try:
        return [_row(trial, sheet, asked, adviser, budget) for budget in trial.budgets]
    finally:
        adviser.close()


def _row(
    trial: Trial,
    sheet: Sheet,
    asked: list[tuple[Line, Question, gdl.State]],
    adviser: Adviser,
    budget: Budget,
) -> Row:
    kept = [
        question.is_kept_by(adviser.move(line, question, state, budget))
        for line, question, state in asked
    ]
    at_random = [question.share_at_random for _, question, _ in asked]
    return {
        **key_of(trial, sheet, budget),
        "kept": [int(each) for each in kept],
        "at_random": round(sum(at_random) / len(at_random), 4),
    }


def key_of(trial: Trial, sheet: Sheet, budget: Budget) -> Row:
    """Return the key by which a row is found."""
    return {
        "game": trial.game,
        "digest": sheet.digest,
        "player": trial.player,
        "budget": str(budget),
        "positions": trial.positions,
        "seed": trial.seed,
    }


def _begin() -> None:
    """Load the kernels before anything is measured."""
    from ggp.warming.kernels import warm_up_tree

    gdl.warm_up()
    warm_up_tree()


def answers(trials: list[Trial], jobs: int) -> Iterator[tuple[Trial, list[Row]]]:
    """Ask in `jobs` processes; give the rows of each trial as it ends."""
    if not trials:
        return
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(jobs, context, _begin) as pool:
        pending = {pool.submit(answer, one): one for one in trials}
        try:
            for future in as_completed(pending):
                yield pending[future], future.result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
