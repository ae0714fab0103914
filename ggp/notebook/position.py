"""Games and their positions: pictures, moves, next positions, and why facts hold."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING

import gdl
from ggp import games
from ggp.analysis.position import joint_move
from ggp.drawing.sheet import plain_name
from ggp.notebook.loaded_game import (
    LoadedGame,
    NotebookError,
    Rules,
    check_kind,
    load,
    plain_errors,
)
from ggp.notebook.table import Table, html_text
from ggp.search.core.choices import Joint, in_words
from ggp.terminal.why_view import parts_of

if TYPE_CHECKING:
    from rich.console import Console

    from ggp.notebook.role_position import RoleGame, RolePosition
    from ggp.notebook.search import SearchTable  # searches take a long time to import

WIDTH = 100
MAX_LETTERS = 500_000
"""Maximum length of an explanation as HTML. A longer explanation is shown with fewer levels."""
MAX_CAPTION, MAX_DEPTH = 1000, 100
_PRE = (
    '<pre style="background:none;font-family:monospace;line-height:1.35;overflow-x:auto">'
    "{code}</pre>"
)


class Explanation:
    """An answer of `gdl.Explainer`, shown as a tree.

    Attributes:
        holds: Whether the fact is true.
        answer: The whole answer, as data.
    """

    def __init__(self, answer: gdl.Answer, depth: int) -> None:
        self.answer = answer
        self.holds = answer.holds
        self._depth = depth

    def __repr__(self) -> str:
        return self._drawn(self._depth).export_text().rstrip("\n")

    def _repr_html_(self) -> str:
        for depth in range(self._depth, 0, -1):
            html = self._html(depth)
            if len(html) <= MAX_LETTERS:
                return html
        return _PRE.format(code=_plain_lines(escape(repr(self)[: MAX_LETTERS // 6])))

    def _html(self, depth: int) -> str:
        from rich.terminal_theme import TerminalTheme

        # Colours for light and dark pages: green, red, and grey for dim text.
        black, white = (128, 128, 128), (128, 128, 128)
        colours = [black, (207, 58, 58), (38, 148, 84), *[white] * 5]
        theme = TerminalTheme(white, black, colours)
        html = self._drawn(depth).export_html(theme=theme, code_format=_PRE, inline_styles=True)
        return _plain_lines(html)

    def _drawn(self, depth: int) -> Console:
        from rich.console import Console

        console = Console(
            file=io.StringIO(),
            width=WIDTH,
            highlight=False,
            markup=False,
            record=True,
            force_terminal=True,
            force_jupyter=False,  # otherwise rich would display the text, not only record it
        )
        for part in parts_of(self.answer, depth):
            console.print(part)
        return console


def _plain_lines(html: str) -> str:
    return "\n".join(map(plain_name, html.split("\n")))


class Position:
    """A position of a game. Positions are immutable: a move creates a new position.

    A notebook shows the picture of the position and marks changes since the previous position. A
    terminal shows the same information as text.

    Attributes:
        turn: Number of joint moves that lead to this position.
        before: The position before the last move, or None for the initial position.
        move: The last joint move, with one move for each role. Empty for the initial position.
    """

    def __init__(
        self,
        loaded: LoadedGame,
        state: gdl.State,
        before: Position | None = None,
        move: Joint = (),
    ) -> None:
        self._loaded = loaded
        self._state = state
        self._joint_move = move
        self.before = before
        self.turn: int = 0 if before is None else before.turn + 1
        self.move = tuple(map(str, move))

    @property
    def path(self) -> tuple[Joint, ...]:
        """The joint moves that lead from the initial position to this one."""
        # Do not cache this: the paths of all positions of a long match would fill the memory.
        moves, position = list[Joint](), self
        while position.before is not None:
            moves.append(position._joint_move)
            position = position.before
        return tuple(reversed(moves))

    @property
    def facts(self) -> tuple[str, ...]:
        """The facts of the state in prefix KIF."""
        return self._loaded.facts(self._state)

    @property
    def is_terminal(self) -> bool:
        """Whether the game is over."""
        with plain_errors():
            return self._loaded.machine.is_terminal(self._state)

    @property
    def goals(self) -> dict[str, int | None]:
        """The goal of each role except `random`, 0 to 100. None if the rules define none here."""
        machine = self._loaded.machine
        with plain_errors():
            found = {role: machine.goals(self._state, role) for role in self._loaded.played}
        return {str(role): goals[-1] if goals else None for role, goals in found.items()}

    @property
    def deciding(self) -> tuple[str, ...]:
        """The roles that have a choice."""
        return tuple(role for role, moves in self.legal().items() if len(moves) > 1)

    def legal(self) -> dict[str, tuple[str, ...]]:
        """Return the legal moves of each role. Return an empty dict if the game is over."""
        machine, is_over = self._loaded.machine, self.is_terminal
        with plain_errors():
            return {
                str(role): ()
                if is_over
                else tuple(map(str, machine.legal_moves(self._state, role)))
                for role in self._loaded.roles
            }

    def play(self, *moves: str | Sequence[str]) -> Position:
        """Return the position after a move.

        Args:
            moves: The move of the role whose turn it is, such as `(drop 4)`. If several roles
                decide at once, one move for each role, in the order of the rules.

        Raises:
            NotebookError: The game is over, or the move is illegal. The message lists legal moves.
        """
        words = _words(moves)
        if self.is_terminal:
            raise NotebookError(f"the game is over after turn {self.turn}")
        with plain_errors():
            return self.after(self._joint(" ".join(words), "play"))

    def after(self, joint: Joint) -> Position:
        """Return the position after a joint move that is known to be legal."""
        return Position(
            self._loaded, self._loaded.machine.next_state(self._state, joint), self, joint
        )

    def search(
        self,
        seconds: float = 1.0,
        player: str = "mcts",
        role: str | None = None,
        seed: int | None = None,
    ) -> SearchTable:
        """Search the position. Return its moves from best to worst, with the value of each.

        The first search of a game compiles the game, and the time limit does not include that.

        Args:
            seconds: Time limit of the search. The search ends earlier if everything is proven.
            player: Player that searches, with options as in `mcts:c=0.7`.
            role: Role to search for. By default, a role that has a choice.
            seed: Seed of the search. By default it differs each time.

        Raises:
            NotebookError: The player or role is unknown, or the game is over or hides information.
        """
        from ggp.notebook.search import search

        with plain_errors():
            return search(self._loaded, self.path, seconds, player, role, seed)

    def as_role(self, role: str) -> RolePosition:
        """Return the position as a role knows it, in a game with hidden information.

        Raises:
            NotebookError: There is no such role.
        """
        from ggp.notebook.role_position import RolePosition

        return RolePosition(self._loaded, self, self._loaded.role(role))

    def why(self, fact: str, next_moves: str | None = None, depth: int = 4) -> Explanation:
        """Explain why a fact holds in this position, or why it does not hold.

        Args:
            fact: A fact such as `(legal red (drop 4))`, `terminal`, or one with variables.
            next_moves: Moves made in this position, for facts that depend on moves: `next`, `does`,
                `sees`.
            depth: Depth of the explanation, in rules.

        Raises:
            NotebookError: The rules have no such fact, or it depends on moves that are not given.
        """
        check_kind("fact", fact, str, "a text, such as 'terminal'")
        check_kind("next_moves", next_moves, str | None, "moves as a text, such as '(drop 4)'")
        check_kind("depth", depth, int, expected := f"a whole number from 1 to {MAX_DEPTH}")
        if not 1 <= depth <= MAX_DEPTH:
            raise NotebookError(f"depth: expected {expected}, got {depth}")
        with plain_errors():
            made = None if next_moves is None else self._joint(next_moves, "next_moves")
            answer = self._loaded.explainer.why(fact, self.path, made, depth)
        return Explanation(answer, depth)

    def _joint(self, text: str, source: str) -> Joint:
        loaded = self._loaded
        return joint_move(loaded.machine, loaded.named.rulesheet, self._state, text, source)

    def caption(self) -> str:
        """Return the caption of the picture: the turn, and the roles to move or the result."""
        if self.is_terminal:
            goals = (f"{role} {'-' if goal is None else goal}" for role, goal in self.goals.items())
            return f"turn {self.turn}, over: {', '.join(goals)}"
        decide = self.deciding
        who = f"{' and '.join(decide)} to move" if decide else "no role has a choice"
        return f"turn {self.turn}, {who}"

    def move_in_words(self) -> str:
        """Return the turn and the joint move that led here, without forced moves; or "start"."""
        if self.before is None:
            return "start"
        before = self.before
        [words] = in_words(self._loaded.machine, before._state, [self._joint_move])  # noqa: SLF001
        return f"{self.turn}. {words}"

    def states(self) -> tuple[gdl.State, gdl.State | None]:
        """Return the state, and the state of the previous position or None."""
        return self._state, None if self.before is None else self.before._state  # noqa: SLF001

    def __repr__(self) -> str:
        with plain_errors():
            return "\n".join([*self._loaded.lines(*self.states()), self.caption()])

    def _repr_svg_(self) -> str:
        with plain_errors():
            [picture] = self._loaded.pictures([self.states()], [self._state])
        return picture

    def _repr_html_(self) -> str:
        # Set a size, because without a size a picture is as wide as the page allows.
        return (
            '<figure style="margin:.3rem 0;max-width:22rem">'
            f"{self._repr_svg_()}<figcaption>{html_text(self.caption(), MAX_CAPTION)}</figcaption>"
            "</figure>"
        )


def _words(moves: Iterable[object]) -> list[str]:
    words = list[str]()
    for one in moves:
        several = one if isinstance(one, Iterable) and not isinstance(one, str) else [one]
        for word in several:
            if not isinstance(word, str):
                raise NotebookError(
                    f"play: expected moves as texts, such as '(drop 4)', got {word!r:.80}"
                )
            words.append(word)
    return words


class Game:
    """A game with its name, and its roles in the order of the rules."""

    def __init__(self, rules: Rules) -> None:
        """Load a bundled game, a file, or the text of rules.

        Raises:
            NotebookError: There is no such game or file, or the rules cannot be read.
        """
        with plain_errors():
            self.loaded: LoadedGame = load(rules)
        self.name = self.loaded.name
        self.roles = tuple(map(str, self.loaded.roles))

    def start(self) -> Position:
        """Return the initial position."""
        with plain_errors():
            return Position(self.loaded, self.loaded.machine.initial_state())

    def after(self, moves: Sequence[str | Sequence[str]]) -> Position:
        """Return the position after a sequence of moves, each in the form for `Position.play`.

        Raises:
            NotebookError: A move is not legal.
        """
        expected = "a list of moves, one for each turn, such as ['(drop 4)']"
        if isinstance(moves, str) or not isinstance(moves, Iterable):
            raise NotebookError(f"moves: expected {expected}, got {moves!r:.80}")
        position = self.start()
        for move in moves:
            position = position.play(move)
        return position

    def as_role(self, role: str) -> RoleGame:
        """Return the game as one role knows it. Its positions show only what the role knows.

        Raises:
            NotebookError: There is no such role.
        """
        from ggp.notebook.role_position import RoleGame

        return RoleGame(self.loaded, self.start(), self.loaded.role(role))

    def __repr__(self) -> str:
        return f"Game {self.name}: {', '.join(self.roles)}"


def bundled() -> Table:
    """Return the bundled games as a table."""
    rows = [
        [name, game.title, ", ".join(game.roles), game.rules]
        for name, game in games.catalogue().items()
    ]
    return Table(["name", "title", "roles", "rules"], rows)
