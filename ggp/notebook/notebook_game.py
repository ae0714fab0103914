"""A game in a notebook: where its positions begin."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ggp import games
from ggp.notebook.errors import NotebookError, told_plainly
from ggp.notebook.loaded_game import LoadedGame, Rules, load
from ggp.notebook.position import Position
from ggp.notebook.table import Table


class Game:
    """A game.

    Attributes:
        name: What it is called.
        roles: In the order of the rules.
    """

    def __init__(self, rules: Rules) -> None:
        """The game of these rules.

        Args:
            rules: The name of a bundled game, a file, or the text of rules.

        Raises:
            NotebookError: There is no such game or file, or the rules cannot be read.
        """
        with told_plainly():
            self.loaded: LoadedGame = load(rules)
        self.name = self.loaded.name
        self.roles = tuple(map(str, self.loaded.roles))

    def start(self) -> Position:
        """The first position."""
        with told_plainly():
            return Position(self.loaded, self.loaded.machine.initial_state())

    def after(self, moves: Sequence[str | Sequence[str]]) -> Position:
        """The position after moves, one for each turn as `Position.play` takes them.

        Raises:
            NotebookError: One is not legal.
        """
        expected = "a list of moves, one for each turn, such as ['(drop 4)']"
        if isinstance(moves, str) or not isinstance(moves, Iterable):
            raise NotebookError(f"moves: expected {expected}, got {moves!r:.80}")
        position = self.start()
        for move in moves:
            position = position.play(move)
        return position

    def __repr__(self) -> str:
        return f"Game {self.name}: {', '.join(self.roles)}"


def bundled() -> Table:
    """The bundled games, as a table."""
    rows = [
        [name, game.title, ", ".join(game.roles), game.rules]
        for name, game in games.catalogue().items()
    ]
    return Table(["name", "title", "roles", "rules"], rows)
