"""Output of `ggp analyze` for games of hidden information: what one role knows, and should do."""

from __future__ import annotations

from ggp.analysis.role_view import Advice, RoleView
from ggp.terminal.console import console, counted, or_dash, table
from ggp.terminal.game_view import GameView


class RoleViewer:
    """Shows a position as one role knows it, and how the role should play there."""

    def __init__(self, view: RoleView, num_lines: int, chip: float | None = None) -> None:
        """A viewer.

        Args:
            view: What it shows.
            num_lines: Of the table of moves, and of that of uncertain facts.
            chip: Goal points of a chip, if values are to be told in chips as well.
        """
        self._view, self._num_lines, self._chip = view, num_lines, chip
        self._console = console()

    def position(self) -> None:
        """What the role did and saw, what is certain, and what is possible."""
        view, out = self._view, self._console
        out.print(f"{view.name}, as {view.role} knows it\n", soft_wrap=True)
        for number, turn in enumerate(view.turns, start=1):
            seen = " ".join(sorted(map(str, turn.percepts))) or "nothing"
            out.print(f"{number:3}. {turn.own_move}, saw {seen}", soft_wrap=True)
        if view.turns:
            out.print()
        game = GameView(out, view.loaded.machine)
        game.survey()
        game.belief({str(fact): share for fact, share in view.facts.items()}, has_others=False)
        if view.possible:
            rows = [[f"{share:.1%}", fact] for fact, share in view.possible]
            out.print(table(["likely", "fact"], rows[: self._num_lines], "likely"))
            if len(rows) > self._num_lines:
                more = counted(len(rows) - self._num_lines, "more fact")
                out.print(f"... and {more}; see --lines")
        some = "" if view.is_complete else ", of more that are possible"
        out.print(f"{counted(view.num_worlds, 'world')}{some}\n")

    def advice(self, advice: Advice) -> None:
        """How the role should play there, and what the whole game is worth."""
        view, out, solution = self._view, self._console, advice.solution
        if advice.moves is None:
            out.print(f"{view.role} has no choice here.\n")
        else:
            rows = [
                [move, f"{share:.1%}", or_dash(None if value is None else f"{value:.2f}")]
                for move, share, value in advice.moves
            ]
            out.print(table(["move", "share", "value"], rows[: self._num_lines], "share,value"))
            if len(rows) > self._num_lines:
                more = counted(len(rows) - self._num_lines, "more move")
                out.print(f"... and {more}; see --lines")
        even = (solution.tree.total or 0.0) / 2
        out.print(
            f"solved: the game is worth {advice.value:.2f} points{self._chips(advice.value - even)}"
            f" to {view.role}; exploitability {solution.exploitability:.4f} points"
            f"{self._chips(solution.exploitability)}",
            soft_wrap=True,
        )
        out.print(
            f"{counted(solution.tree.num_nodes, 'node')}, "
            f"{counted(solution.tree.num_sets, 'information set')}, "
            f"{counted(solution.num_steps, 'step')}, {solution.seconds:.1f} s",
            soft_wrap=True,
        )

    def refusal(self, reason: str) -> None:
        """Why the game is not solved."""
        self._console.print(f"{reason[0].upper()}{reason[1:]}.", soft_wrap=True)

    def _chips(self, points: float) -> str:
        """So many goal points in chips, if they are to be told."""
        return "" if self._chip is None else f" ({points / self._chip:+.4f} chips)"
