"""A match in a notebook: all its positions, its result, and the report on it."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path

from ggp.errors import CommandFailedError, reason_of_writing
from ggp.notebook.errors import NotebookError, told_plainly
from ggp.notebook.notebook_game import Game
from ggp.notebook.position import Position
from ggp.notebook.progress import progress_line
from ggp.notebook.report import Report
from ggp.notebook.slider import Frame, slider, step_for, thinned
from ggp.records.files import read_record
from ggp.records.record import MatchRecord
from ggp.report.finding import game_of
from ggp.report.match_line import line_of

MAX_MOVES = 40
"""Turns that a terminal shows."""


class Match:
    """A match that was played.

    A notebook shows all its positions, and a terminal the moves and the last position.

    Attributes:
        game: Its game.
        record: Of the match, as GGP-Base writes it.
        notes: What is to be known of its players, such as that one began slowly.
    """

    def __init__(self, game: Game, record: MatchRecord, notes: tuple[str, ...] = ()) -> None:
        self.game = game
        self.record = record
        self.notes = notes

    @property
    def goals(self) -> dict[str, int] | None:
        """The goal of each role but `random`; None if the match did not come to its end."""
        goals = self.record.goals
        if goals is None or len(goals) != len(self.game.roles):
            return None
        by_role = dict(zip(self.game.roles, goals, strict=True))
        return {str(role): by_role[str(role)] for role in self.game.loaded.played}

    @cached_property
    def positions(self) -> tuple[Position, ...]:
        """Its positions, from the first to the last that fits the rules."""
        with told_plainly():
            line = line_of(self.game.loaded.machine, self.record.moves)
            found = [self.game.start()]
            for joint in line.moves:
                found.append(found[-1].after(joint))
        self._broken = line.broken
        return tuple(found)

    _broken = ""

    @property
    def broken(self) -> str:
        """Why the rest of the record does not fit the rules; empty if all of it does."""
        return self._broken if self.positions else ""

    def __len__(self) -> int:
        """Number of positions."""
        return len(self.positions)

    def __getitem__(self, turn: int) -> Position:
        """The position after so many turns; -1 is the last one."""
        try:
            return self.positions[turn]
        except IndexError:
            raise NotebookError(
                f"expected a turn from 0 to {len(self.positions) - 1}, got {turn}"
            ) from None

    def report(self, seconds: float = 0.5, seed: int = 0) -> Report:
        """What each position was worth, and what each move cost the role that made it.

        Args:
            seconds: For each turn.
            seed: Of the search.

        Raises:
            NotebookError: The rules cannot be evaluated.
        """
        from ggp.report.analysis import Limits, report_on

        loaded = self.game.loaded
        with told_plainly(), progress_line() as line:

            def tell(done: int, total: int) -> None:
                line.tell(f"{done} of {total} positions")

            game = loaded.compiled(line.tell)
            moves = line_of(game, self.record.moves)
            made = report_on(loaded.name, game, moves, Limits(seconds, seed), tell)
            marked = {move.turn: self.positions[move.turn - 1] for move in made.mistakes}
            shown = [(position.states()[0], None) for position in marked.values()]
            known = [position.states()[0] for position in self.positions]
            pictures = loaded.pictures(shown, known) if shown else []
        return Report(made, dict(zip(marked, pictures, strict=True)))

    def save(self, file: str | Path) -> None:
        """Save the record in GGP-Base's JSON, as `ggp match --save` does.

        Raises:
            NotebookError: It cannot be written.
        """
        path = Path(file)
        with told_plainly():
            try:
                self.record.save(path)
            except OSError as error:
                raise CommandFailedError(f"{path}: {reason_of_writing(error, path)}") from error

    def title(self) -> str:
        """Who played, and what came of it."""
        goals, roles = self.goals, list(self.game.roles)
        names = self.record.player_names or ()
        by_role = dict(zip(roles, names, strict=False))
        played = [str(role) for role in self.game.loaded.played]
        seats = [
            f"{by_role.get(role) or '?'} ({role}) {'-' if goals is None else goals[role]}"
            for role in played
        ]
        end = "" if goals is not None else "; not played to its end"
        return f"{self.game.name}: {', '.join(seats)}{end}"

    def __repr__(self) -> str:
        said = [position.said() for position in self.positions[1:]]
        left = len(said) - MAX_MOVES
        more = [f"... and {left} turns more"] if left > 0 else []
        lines = [self.title(), *said[:MAX_MOVES], *more, repr(self.positions[-1])]
        return "\n".join([*lines, *self._notices()])

    def _repr_html_(self) -> str:
        with told_plainly():
            positions = thinned(self.positions, step := step_for(len(self.positions)))
            known = [position.states()[0] for position in positions]
            pictures = self.game.loaded.pictures([one.states() for one in positions], known)
        frames = [
            Frame(position.said(), picture)
            for position, picture in zip(positions, pictures, strict=True)
        ]
        return slider(self.title(), frames, step, self._notices())

    def _notices(self) -> list[str]:
        broken = [f"{self.broken}. What follows is not shown."] if self.broken else []
        return [*self.notes, *broken]


def read(file: str | Path, game: Game | str | None = None) -> Match:
    """The match in a file, saved by `Match.save`, `ggp match --save` or another game manager.

    Args:
        file: JSON or XML of GGP-Base.
        game: Its game; without it the bundled game that begins as the record does.

    Raises:
        NotebookError: It cannot be read, holds no match, or no bundled game begins so.
    """
    with told_plainly():
        record = read_record(Path(file))
        if isinstance(game, Game):
            return Match(game, record)
        return Match(Game(game_of(record).name if game is None else game), record)
