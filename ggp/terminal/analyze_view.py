"""Output of `ggp analyze`: the position, a table of moves, and the expected line."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from ggp.analysis.analysis import Found, Subject
from ggp.analysis.role_view import Advice, RoleView
from ggp.match.search_info import proof, verdict
from ggp.players.thoughts import thoughts_on
from ggp.plurals import counted
from ggp.search.core.choices import in_words
from ggp.terminal.console import console, figure, megabytes, or_dash, plies, table
from ggp.terminal.game_view import GameView
from ggp.terminal.text_table import TextTable

NUM_EXPECTED = 12  # plies of the expected line
HEADINGS = ("move", "visits", "share", "value", "proven")
NUMBERS = "visits,share,value,drawn"


class AnalyzeView:
    """Shows a position, and the results of a search while it runs."""

    def __init__(self, subject: Subject, num_lines: int) -> None:
        self._subject = subject
        self._num_lines = num_lines
        self._console = console()

    def position(self) -> None:
        """Print the moves made so far, the state, and the roles that are to move."""
        subject, machine = self._subject, self._subject.loaded.machine
        made = in_words(machine, machine.initial_state(), subject.position.moves)
        after = f" after {', '.join(made)}" if made else ""
        self._console.print(f"{subject.name}{after}\n", soft_wrap=True)
        view = GameView(self._console, subject.loaded)
        view.survey()
        view.state([str(fact) for fact in machine.facts(subject.position.state)])

    def over(self) -> None:
        """Print the goals of a game that is over."""
        goals = ", ".join(f"{role} {goal}" for role, goal in self._subject.goals().items())
        length = plies(len(self._subject.position.moves))
        self._console.print(f"The game is over after {length}: {goals}.", soft_wrap=True)

    @contextmanager
    def live(self, find: Callable[[], Found]) -> Iterator[Callable[[], None]]:
        """Yield a function that draws the current results. Erase the drawing at the end.

        If standard output is not a terminal, draw nothing.
        """
        from rich.console import Group
        from rich.live import Live
        from rich.text import Text

        def picture() -> Group:
            found = find()
            return Group(self._table(found), *(Text(line) for line in self._lines(found)))

        if not self._console.is_terminal:
            yield lambda: None
            return
        with Live(console=self._console, auto_refresh=False, transient=True) as live:
            yield lambda: live.update(picture(), refresh=True)

    def final(self, found: Found) -> None:
        """Print the final results."""
        self._console.print(self._table(found))
        for line in self._lines(found):
            self._console.print(line, soft_wrap=True)

    def _table(self, found: Found) -> TextTable:
        headings = [*HEADINGS, "drawn"] if _is_mixed(found) else HEADINGS
        return table(headings, rows(found)[: self._num_lines], NUMBERS)

    def _lines(self, found: Found) -> list[str]:
        hidden = len(found.result.moves) - self._num_lines
        more = [f"... and {counted(hidden, 'more move')}; see --lines\n"] if hidden > 0 else []
        return [*more, *summary(found, self._subject)]


def rows(found: Found) -> list[list[str]]:
    """Return a row for each move, the chosen move first."""
    made = []
    for move, share in zip(found.thoughts["moves"], found.shares(), strict=True):
        proven = proof(move)
        value = f"{move['value']:.1f}" if move["visits"] or proven else "-"
        row = [move["move"], f"{move['visits']:,}", f"{share:.1%}", value, proven]
        made.append([*row, f"{move.get('drawn', 0):.1%}"] if _is_mixed(found) else row)
    return made


def _is_mixed(found: Found) -> bool:
    """Return whether several roles decide at once, so that each should draw its move at random."""
    return any(move.share for move in found.result.moves)


def summary(found: Found, subject: Subject) -> list[str]:
    """Return lines with the best move, the expected line and the work done."""
    lines = [_verdict(found, subject)]
    if found.line:
        shown = ", ".join(found.line[:NUM_EXPECTED])
        lines.append(f"expects {shown}{', ...' * (len(found.line) > NUM_EXPECTED)}")
    return [*lines, _effort(found.figures)]


def _verdict(found: Found, subject: Subject) -> str:
    result = found.result
    proven = verdict(thoughts_on(result))
    known = "if all do what is best for them" if result.is_settled else "not solved"
    worth = proven or f"value {result.value:.1f}, {known}"
    return f"{subject.role}: {result.move}, {worth}"


def _effort(figures: dict[str, Any]) -> str:
    parts = [
        f"{figure(figures['playouts_per_second'])} playouts/s" * bool(figures["playouts"]),
        f"{figure(figures['iterations_per_second'])} iterations/s",
        f"depth {figures['depth']}",
        counted(figures["nodes"], "node"),
        megabytes(figures["memory"]) if "memory" in figures else "",
        f"{figures['seconds']:.1f} s",
    ]
    return ", ".join(filter(None, parts))


class RoleViewer:
    """Shows a position as one role knows it, and advises the role how to play."""

    def __init__(self, view: RoleView, num_lines: int, chip: float | None = None) -> None:
        """Create a viewer.

        Args:
            num_lines: Maximum number of rows in the tables of moves and of uncertain facts.
            chip: The part of a goal that one chip is worth, to show values in chips as well.
        """
        self._view, self._num_lines, self._chip = view, num_lines, chip
        self._console = console()

    def position(self) -> None:
        """Print what the role did and saw, which facts are certain, and which are possible."""
        view, out = self._view, self._console
        out.print(f"{view.name}, as {view.role} knows it\n", soft_wrap=True)
        for number, turn in enumerate(view.turns, start=1):
            seen = " ".join(sorted(map(str, turn.percepts))) or "nothing"
            out.print(f"{number:3}. {turn.own_move}, saw {seen}", soft_wrap=True)
        if view.turns:
            out.print()
        game = GameView(out, view.loaded)
        game.survey()
        game.belief({str(fact): share for fact, share in view.facts.items()}, has_others=False)
        if view.possible:
            rows = [[f"{share:.1%}", fact] for fact, share in view.possible]
            self._rows(["likely", "fact"], rows, "likely", "fact")
        some = "" if view.is_complete else ", of more that are possible"
        out.print(f"{counted(view.num_worlds, 'world')}{some}\n")

    def _rows(
        self, headings: Sequence[str], rows: Sequence[Sequence[object]], numbers: str, word: str
    ) -> None:
        self._console.print(table(headings, rows[: self._num_lines], numbers))
        if (hidden := len(rows) - self._num_lines) > 0:
            self._console.print(f"... and {counted(hidden, f'more {word}')}; see --lines")

    def advice(self, advice: Advice) -> None:
        """Print how the role should play, and the values of the position and of the game."""
        view, out, solution = self._view, self._console, advice.solution
        if advice.moves is None:
            out.print(f"{view.role} has no choice here.\n")
        else:
            rows = [
                [move, f"{share:.1%}", or_dash(None if value is None else f"{value:.2f}")]
                for move, share, value in advice.moves
            ]
            self._rows(["move", "share", "value"], rows, "share,value", "move")
        here = ""
        if advice.value is not None and view.turns:
            here = f"the position is {self._worth(advice, advice.value)}, "
        out.print(
            f"solved: {here}the game is {self._worth(advice, advice.game_value)}"
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
        """Print why the game was not solved."""
        self._console.print(f"{reason[0].upper()}{reason[1:]}.", soft_wrap=True)

    def _worth(self, advice: Advice, value: float) -> str:
        even = (advice.solution.tree.total or 0.0) / 2
        return f"worth {value:.2f} points{self._chips(value - even)}"

    def _chips(self, points: float) -> str:
        return "" if self._chip is None else f" ({points / self._chip:+.4f} chips)"
