"""Positions as one role knows them, with its moves, percepts, and certain and possible facts."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from html import escape
from typing import TYPE_CHECKING, Protocol, Self

from ggp.analysis.role_view import RoleView, view_after
from ggp.boards.plain_names import names_of_game
from ggp.boards.state_view import StateView, survey
from ggp.boards.text import plain_text
from ggp.clock import Deadline
from ggp.drawing.sheet import plain_name
from ggp.notebook.loaded_game import LoadedGame, NotebookError, check_seconds, plain_errors
from ggp.notebook.table import Table, progress_line, run
from ggp.search.core import repeat
from ggp.search.core.result import SearchResult

if TYPE_CHECKING:
    import gdl
    from ggp.search.core.choices import Joint

MAX_SECONDS = 3600.0


class TruePosition(Protocol):
    """The true position, of which a role knows only a part."""

    turn: int

    @property
    def path(self) -> tuple[Joint, ...]:
        """The joint moves that lead to this position."""

    def legal(self) -> dict[str, tuple[str, ...]]:
        """Return the legal moves of each role."""

    def play(self, *moves: str | Sequence[str]) -> Self:
        """Return the position after a joint move."""


class RoleSearch(Table):
    """A role's moves from best to worst, judged in the positions that the role considers possible.

    Attributes:
        best: The best move.
        value: The goal that the role can expect from the best move, 0 to 100.
    """

    def __init__(self, result: SearchResult, view: RoleView) -> None:
        rows = [(str(move.move), f"{move.visits:,}", f"{move.value:.1f}") for move in result.moves]
        worlds = f"{view.num_worlds:,}{'' if view.is_complete else ' or more'}"
        below = f"{view.role} may be in {worlds} positions; some of them were searched"
        super().__init__(("move", "visits", "value"), rows, "visits,value", (below,))
        self.best = str(result.move)
        self.value = result.value


class RolePosition:
    """A position of a game as one role knows it. It shows nothing that the role does not know.

    Attributes:
        role: Name of the role.
        turn: Number of joint moves that lead to this position.
    """

    def __init__(self, loaded: LoadedGame, position: TruePosition, role: gdl.Role) -> None:
        self._loaded = loaded
        self._position = position
        self._role = role
        self.role = str(role)
        self.turn = position.turn

    @property
    def seen(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """The role's move in each past turn, and what the role saw after it."""
        return tuple(
            (str(turn.own_move), tuple(sorted(map(str, turn.percepts))))
            for turn in self._view.turns
        )

    @property
    def facts(self) -> tuple[str, ...]:
        """The facts that are true in all positions that the role considers possible."""
        return tuple(map(str, self._view.certain))

    @property
    def possible(self) -> dict[str, float]:
        """The facts that may be true. Each probability assumes that other roles move at random."""
        return {str(fact): share for fact, share in self._view.possible}

    @property
    def num_worlds(self) -> int:
        """Number of positions found that the role considers possible. There may be more."""
        return self._view.num_worlds

    def legal(self) -> tuple[str, ...]:
        """Return the legal moves of the role. Return an empty tuple if the game is over."""
        return self._position.legal()[self.role]

    def play(self, *moves: str | Sequence[str]) -> RolePosition:
        """Return the position after a move. `moves` are those of all roles, as in `Position.play`.

        Raises:
            NotebookError: The game is over, or the move is illegal.
        """
        return RolePosition(self._loaded, self._position.play(*moves), self._role)

    def search(self, seconds: float = 1.0, seed: int = 0) -> RoleSearch:
        """Search a sample of the possible positions, and let each of them vote for a move.

        Raises:
            NotebookError: The game is over, the role has no choice, or the time is too short.
        """
        from ggp.search.hidden.determinised import DeterminisedSearch

        check_seconds(seconds, MAX_SECONDS)
        if len(self.legal()) < 2:
            raise NotebookError(f"{self.role} has no choice here: there is nothing to search")
        with plain_errors():
            search = DeterminisedSearch(self._view.loaded, self._role, seed)
            search.look_at(self._view.worlds)
            repeat(search.step, Deadline.after(seconds))
            result = search.result()
        if result is None:
            raise NotebookError(
                f"seconds: expected enough time for at least one search, got {seconds}"
            )
        return RoleSearch(result, self._view)

    @cached_property
    def _view(self) -> RoleView:
        with plain_errors(), progress_line() as line:
            game = self._loaded.compiled(line.announce)
            return view_after(self._loaded.name, game, self._role, self._position.path)

    def caption(self) -> str:
        """Return the caption of the picture."""
        worlds = f"{self.num_worlds:,} possible" + ("" if self._view.is_complete else " or more")
        return f"turn {self.turn}, as {self.role} knows it: {worlds}"

    def __repr__(self) -> str:
        lines = [
            f"{number}. {move}, saw {' '.join(percepts) or 'nothing'}"
            for number, (move, percepts) in enumerate(self.seen, 1)
        ]
        shares = {str(fact): share for fact, share in self._view.facts.items()}
        with plain_errors():
            machine = self._loaded.machine
            view = StateView(survey(machine), names=names_of_game(machine))
            pieces = view.belief_pieces(shares)
            board = map(plain_text, pieces)
        return "\n".join([*lines, *board, self.caption()])

    def _repr_svg_(self) -> str:
        with plain_errors():
            return run(self._loaded.painter.svg([self.facts]))

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<li><code>{escape(plain_name(move))}</code>, saw "
            f"<code>{escape(plain_name(' '.join(percepts) or 'nothing'))}</code></li>"
            for move, percepts in self.seen
        )
        return (
            '<figure style="margin:.3rem 0;max-width:22rem">'
            f"{self._repr_svg_()}<figcaption>{escape(plain_name(self.caption()))}</figcaption>"
            f"</figure><ol>{rows}</ol>"
        )


class RoleGame:
    """A game as one role knows it. Its positions show only what the role knows."""

    def __init__(self, loaded: LoadedGame, start: TruePosition, role: gdl.Role) -> None:
        self._start = RolePosition(loaded, start, role)
        self.role = str(role)

    def start(self) -> RolePosition:
        """Return the initial position."""
        return self._start

    def after(self, moves: Sequence[str | Sequence[str]]) -> RolePosition:
        """Return the position after moves of all roles, each in the form for `Position.play`.

        Raises:
            NotebookError: A move is not legal.
        """
        position = self._start
        for move in moves:
            position = position.play(move)
        return position

    def __repr__(self) -> str:
        return f"Game as {self.role} knows it"
