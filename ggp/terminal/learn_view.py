"""Output of `ggp learn`: a bar while it learns, then the curve as a table, and the score."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ggp.terminal.console import console, counted, table
from ggp.terminal.progress import bars
from ggp.training.weights.learn import LearnedWeights, Point
from ggp.training.weights.selfplay import ContestScore


class LearnView:
    """A bar on standard error, if that is a terminal; tables on standard output.

    Attributes:
        bar: To be entered while it learns.
    """

    def __init__(self, name: str, test_games: int) -> None:
        """A view.

        Args:
            name: Of the game.
            test_games: How many games will be played against the untrained evaluation.
        """
        from rich.progress import Progress, TimeElapsedColumn

        self.bar = bars(*Progress.get_default_columns(), TimeElapsedColumn())
        self._name = name
        self._test_games = test_games
        self._learning = self.bar.add_task(f"{name}: playing against itself")
        self._testing = self.bar.add_task("against the untrained", total=test_games or None)

    def learning(self, done: int, total: int, points: Sequence[Point]) -> None:
        """So many games of so many are played, and this is the curve so far."""
        latest = f", {points[-1].score.rate:.0%} of the untrained's points" if points else ""
        text = f"{self._name}: playing against itself{latest}"
        self.bar.update(self._learning, completed=done, total=total, description=text)

    def testing(self, score: ContestScore) -> None:
        """So far the games against the untrained evaluation went like this."""
        text = f"against the untrained: {score}"
        self.bar.update(self._testing, completed=score.games, description=text)

    def end(self, learned: LearnedWeights, score: ContestScore, file: Path) -> None:
        """The curve, the score, and where the weights are."""
        out = console()
        rows = [
            (f"{p.games:,}", f"{p.error:.1f}", str(p.score), f"{p.score.rate:.0%}")
            for p in learned.points
        ]
        headings = ("games", "error", "against the untrained", "points")
        out.print(table(headings, rows, numbers="games,error,points"))
        features = counted(len(learned.model.space), "feature")
        out.print(f"{self._name}: {features} learned in {learned.seconds:.1f} s -> {file}")
        if score.games:
            out.print(
                f"against the untrained evaluation in {counted(score.games, 'game')}, both 2 plies "
                f"deep: {score}, {score.rate:.0%} of the points"
            )
