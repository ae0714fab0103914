"""Output of `ggp learn`: a progress bar, then the learning curve as a table, and the score."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

from ggp.plurals import counted
from ggp.search.evaluation.network.file import folders
from ggp.terminal.console import console, figure, table
from ggp.terminal.progress import bars
from ggp.training.arena.network_gate import GateRecord
from ggp.training.network.learning import NEW, LearnedNetwork
from ggp.training.network.practice import PracticeProgress
from ggp.training.weights.curve import Axes, Series, drawn
from ggp.training.weights.learn import LearnedWeights, Point
from ggp.training.weights.selfplay import ContestScore


class LearnView:
    """Shows a progress bar on standard error, if that is a terminal, and tables on standard output.

    Attributes:
        bar: Context manager that shows the bar. Enter it while learning.
    """

    def __init__(self, name: str, test_games: int) -> None:
        """Create the view.

        Args:
            test_games: Number of games against the untrained evaluation.
        """
        from rich.progress import Progress, TimeElapsedColumn

        self.bar = bars(*Progress.get_default_columns(), TimeElapsedColumn())
        self._name = name
        self._learning = self.bar.add_task(f"{name}: playing against itself")
        self._testing = self.bar.add_task("against the untrained", total=test_games or None)

    def learning(self, done: int, total: int, points: Sequence[Point]) -> None:
        """Show the number of games played, and the latest point of the curve."""
        latest = f", {points[-1].score.rate:.0%} of the untrained's points" if points else ""
        text = f"{self._name}: playing against itself{latest}"
        self.bar.update(self._learning, completed=done, total=total, description=text)

    def testing(self, score: ContestScore) -> None:
        """Show the score so far against the untrained evaluation."""
        text = f"against the untrained: {score}"
        self.bar.update(self._testing, completed=score.games, description=text)

    def end(self, learned: LearnedWeights, score: ContestScore, file: Path) -> None:
        """Print the curve, the score, and the name of the file with the weights."""
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


SECONDS_BETWEEN_LINES = 10.0
BAR = 1000  # number of steps of the bar
ELO_UNIT = 200  # the edges of the picture are rounded to multiples of this
NUMBERS = "samples,Elo over mcts,matches"


class NetworkView:
    """Shows the progress on standard error, and the results on standard output.

    The progress is a bar at a terminal, and lines of text elsewhere.

    Attributes:
        bar: Context manager that shows the bar. Enter it while learning.
    """

    def __init__(self, name: str) -> None:
        """Create the view of the game with the given name."""
        from rich.progress import Progress as Bars
        from rich.progress import TimeElapsedColumn

        self.bar = bars(*Bars.get_default_columns(), TimeElapsedColumn())
        self._name = name
        self._task = self.bar.add_task(f"{name}: random games", total=BAR)
        self._reported_at = 0.0

    def resumed(self, share: float) -> None:
        """Report how much of the training is done already."""
        self._line(f"{self._name}: resumes at {min(1, share):.0%}")

    def trained(
        self, share: float, seconds: float, found: PracticeProgress, elo: float | None
    ) -> None:
        """Advance the bar. Without a bar, print a line if the last one was some time ago."""
        text = f"{found.samples:,} samples, {figure(found.samples / max(seconds, 1e-9))}/s"
        text += f", error {found.error:.1f}"
        text += "" if elo is None else f", {elo:+.0f} Elo"
        self.bar.update(
            self._task, completed=BAR * min(1, share), description=f"{self._name}: {text}"
        )
        if time.monotonic() - self._reported_at >= SECONDS_BETWEEN_LINES or share >= 1:
            self._reported_at = time.monotonic()
            if self.bar.disable:
                self._line(f"{self._name}: {min(1, share):4.0%}  {text}")

    def rating(self) -> None:
        """Show that the last ratings are still being computed."""
        self.bar.update(self._task, description=f"{self._name}: the last ratings")

    def gate_begins(self, matches: int, seconds: float) -> None:
        """Report how long the promotion gate may take."""
        minutes = max(1, round(seconds / 60))
        self._line(
            f"{self._name}: the gate plays at most {matches} matches, some "
            f"{counted(minutes, 'minute')} if all are played"
        )

    def tested(self, what: str, record: GateRecord) -> None:
        """Show the gate's score so far."""
        self.bar.update(self._task, description=f"gate, {what}: {record}")
        if self.bar.disable:
            self._line(f"{self._name}: gate, {what}: {record}")

    def end(self, learned: LearnedNetwork) -> None:
        """Print the curve, the verdict of the gate, and the name of the file with the network."""
        out, network = console(), learned.network
        if learned.curve:
            rows = [(f"{one.samples:,}", f"{one.elo:+.0f}", one.matches) for one in learned.curve]
            out.print(table(("samples", "Elo over mcts", "matches"), rows, numbers=NUMBERS))
        samples = int(network.figures["samples"])
        out.print(
            f"{self._name}: {counted(samples, 'sample')} learned in {learned.seconds:.1f} s -> "
            f"{learned.file}, {learned.num_bytes:,} bytes",
            soft_wrap=True,
        )
        out.print(_verdict(learned), soft_wrap=True)
        if network.is_used:
            out.print(
                f"mcts:network={learned.file} plays with this network. Each mcts player "
                f"uses it if the file is in {folders()[0]}",
                soft_wrap=True,
            )

    def _line(self, text: str) -> None:
        self.bar.console.print(text, highlight=False, markup=False, soft_wrap=True)


def curve_svg(learned: LearnedNetwork, name: str) -> str:
    """Return a chart as an SVG document: the playing strength against the number of samples."""
    elo = Series("Elo over plain mcts", [(one.samples, one.elo) for one in learned.curve])
    axes = Axes.around("samples", [value for _, value in elo.points], ELO_UNIT)
    return drawn((elo,), axes, f"{name}, a value network")


def _verdict(learned: LearnedNetwork) -> str:
    figures, share = learned.network.figures, learned.network.share
    if "gate matches" not in figures:
        return "not tested: players use it, but it is unknown whether it makes them stronger"
    points, matches = float(figures["gate points"]), int(figures["gate matches"])
    record = (
        f"{points:g} points of {matches} matches against plain mcts, "
        f"{figures['gate seconds a move']} s a move, share {share:g}"
    )
    kept = learned.file.name.removesuffix(NEW)
    if not learned.network.is_used:
        found = f"not passed: {record}; players that are given it play plain mcts"
        return found if learned.is_kept else f"{found}. {kept} is unchanged"
    if learned.against_previous is None:
        return f"passed: {record}"
    found = f"passed: {record}; {learned.against_previous} against the network before"
    return found if learned.is_kept else f"{found}, which is not enough: {kept} is unchanged"
