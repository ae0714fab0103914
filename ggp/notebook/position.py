"""A position of a game: its picture, its moves, and what follows from each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import gdl
from ggp.measure.position import joint_move
from ggp.notebook.errors import NotebookError, check_kind, told_plainly
from ggp.notebook.loaded_game import LoadedGame
from ggp.notebook.table import html_text
from ggp.notebook.why import Explanation
from ggp.search.choices import Joint, in_words

if TYPE_CHECKING:  # searches take long to import
    from ggp.notebook.search import SearchTable

MAX_CAPTION, MAX_DEPTH = 1000, 100


class Position:
    """A position of a game. It never changes: a move makes another one.

    A notebook shows its picture, in which changes since the position before are marked, and a
    terminal the same as text.

    Attributes:
        turn: How many joint moves lead here.
        before: The position before the last move; None in the first one.
        move: The joint move that led here, one move a role; empty in the first one.
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
        """The joint moves that lead here from the start."""
        # Not kept: the paths of all positions of a long match would fill the memory.
        moves, position = list[Joint](), self
        while position.before is not None:
            moves.append(position._joint_move)
            position = position.before
        return tuple(reversed(moves))

    @property
    def facts(self) -> tuple[str, ...]:
        """What is true in the state, as prefix KIF."""
        return self._loaded.facts(self._state)

    @property
    def is_terminal(self) -> bool:
        """Whether the game is over."""
        with told_plainly():
            return self._loaded.machine.is_terminal(self._state)

    @property
    def goals(self) -> dict[str, int | None]:
        """The goal of each role but `random`, 0 to 100; None where the rules give none here."""
        machine = self._loaded.machine
        with told_plainly():
            found = {role: machine.goals(self._state, role) for role in self._loaded.played}
        return {str(role): goals[-1] if goals else None for role, goals in found.items()}

    @property
    def deciding(self) -> tuple[str, ...]:
        """The roles that have a choice."""
        return tuple(role for role, moves in self.legal().items() if len(moves) > 1)

    def legal(self) -> dict[str, tuple[str, ...]]:
        """The legal moves of each role; none where the game is over."""
        machine, is_over = self._loaded.machine, self.is_terminal
        with told_plainly():
            return {
                str(role): ()
                if is_over
                else tuple(map(str, machine.legal_moves(self._state, role)))
                for role in self._loaded.roles
            }

    def play(self, *moves: str | Sequence[str]) -> Position:
        """The position after a move.

        Args:
            moves: That of the role whose turn it is, such as `(drop 4)`; or one a role, in the
                order of the rules, if several decide at once.

        Raises:
            NotebookError: The game is over, or it is not legal; says what is.
        """
        words = _words(moves)
        if self.is_terminal:
            raise NotebookError(f"the game is over after turn {self.turn}")
        with told_plainly():
            return self.after(self._joint(" ".join(words), "play"))

    def after(self, joint: Joint) -> Position:
        """The position after a joint move that is known to be legal."""
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
        """What a search finds out about the moves here, the best first.

        The first search of a game compiles it; that is not counted.

        Args:
            seconds: How long it may take; it ends earlier if everything is proven.
            player: Whose search it is, with options as in `mcts:c=0.7`.
            role: For whom; without it one that has a choice.
            seed: Of the search; none: different each time.

        Raises:
            NotebookError: There is no such player or role, the game is over, or it hides something.
        """
        from ggp.notebook.search import search

        with told_plainly():
            return search(self._loaded, self.path, seconds, player, role, seed)

    def why(self, fact: str, next_moves: str | None = None, depth: int = 4) -> Explanation:
        """Why a fact holds here, or what is missing for it.

        Args:
            fact: Such as `(legal red (drop 4))`, `terminal`, or one with variables.
            next_moves: What is done here, for facts that depend on it: `next`, `does`, `sees`.
            depth: How many rules deep it is explained.

        Raises:
            NotebookError: It is no fact of these rules, or depends on moves that are not named.
        """
        check_kind("fact", fact, str, "a text, such as 'terminal'")
        check_kind("next_moves", next_moves, str | None, "moves as a text, such as '(drop 4)'")
        check_kind("depth", depth, int, expected := f"a whole number from 1 to {MAX_DEPTH}")
        if not 1 <= depth <= MAX_DEPTH:
            raise NotebookError(f"depth: expected {expected}, got {depth}")
        with told_plainly():
            made = None if next_moves is None else self._joint(next_moves, "next_moves")
            answer = self._loaded.explainer.why(fact, self.path, made, depth)
        return Explanation(answer, depth)

    def _joint(self, text: str, source: str) -> Joint:
        loaded = self._loaded
        return joint_move(loaded.machine, loaded.named.rulesheet, self._state, text, source)

    def caption(self) -> str:
        """What is to be said below the picture: the turn, and who decides or what came of it."""
        if self.is_terminal:
            goals = (f"{role} {'-' if goal is None else goal}" for role, goal in self.goals.items())
            return f"turn {self.turn}, over: {', '.join(goals)}"
        decide = self.deciding
        who = f"{' and '.join(decide)} to move" if decide else "nobody has a choice"
        return f"turn {self.turn}, {who}"

    def said(self) -> str:
        """The move that led here, in words: of each joint move what was chosen."""
        if self.before is None:
            return "start"
        before = self.before
        [words] = in_words(self._loaded.machine, before._state, [self._joint_move])  # noqa: SLF001
        return f"{self.turn}. {words}"

    def states(self) -> tuple[gdl.State, gdl.State | None]:
        """The state, and the one before, if there is one."""
        return self._state, None if self.before is None else self.before._state  # noqa: SLF001

    def __repr__(self) -> str:
        with told_plainly():
            return "\n".join([*self._loaded.lines(*self.states()), self.caption()])

    def _repr_svg_(self) -> str:
        with told_plainly():
            [picture] = self._loaded.pictures([self.states()], [self._state])
        return picture

    def _repr_html_(self) -> str:
        # A size is needed: a picture in a page is as wide as there is room.
        return (
            '<figure style="margin:.3rem 0;max-width:22rem">'
            f"{self._repr_svg_()}<figcaption>{html_text(self.caption(), MAX_CAPTION)}</figcaption>"
            "</figure>"
        )


def _words(moves: Iterable[object]) -> list[str]:
    """Moves, of which some may stand in lists, one after another.

    Raises:
        NotebookError: One is no text.
    """
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
