"""Output of `ggp book`: the contents of a book, and what it says about a position."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gdl
from ggp.analysis.position import Position
from ggp.boards.plain_names import names_of_game
from ggp.boards.state_view import StateView, survey
from ggp.players.thoughts import thoughts_on
from ggp.plurals import counted
from ggp.search.core.choices import in_words
from ggp.search.evaluation.book.book import Advice, Book
from ggp.terminal.console import console, plies, table

HEADINGS = ("move", "value", "plies", "visits", "known from")


def print_book(book: Book, file: Path) -> None:
    """Print the contents of a book, and what it cost to build."""
    out = console()
    solved = "solved: every state is in it" if book.is_complete else "not solved"
    out.print(f"{file}: {book.game}, {solved}", soft_wrap=True)
    table_size = counted(book.endgame.num_states, "state")
    out.print(f"  endgame table   {table_size}, terminal ones left out", soft_wrap=True)
    out.print(f"  opening book    {counted(book.opening.num_states, 'state')}", soft_wrap=True)
    width = max(14, *map(len, book.figures)) + 2
    for name, figure in book.figures.items():
        shown = f"{figure:,}" if isinstance(figure, int | float) else figure
        out.print(f"  {name:<{width}}{shown}", soft_wrap=True)


def as_json(book: Book) -> dict[str, Any]:
    """Return the contents of a book as a JSON object."""
    return {
        "game": book.game,
        "rules": book.rules,
        "roles": list(book.roles),
        "solved": book.is_complete,
        "endgame": book.endgame.num_states,
        "opening": book.opening.num_states,
        "figures": dict(book.figures),
    }


class PositionView:
    """A position, together with what a book says about it."""

    def __init__(self, book: Book, machine: gdl.Game, position: Position) -> None:
        self._book, self._machine, self._position = book, machine, position
        self._worth = book.endgame.look_up(machine, position.state)

    def show(self) -> None:
        """Print the position, its value, and the moves of each role that has a choice."""
        out, machine, state = console(), self._machine, self._position.state
        made = in_words(machine, machine.initial_state(), self._position.moves)
        out.print(f"\nafter {', '.join(made)}\n" if made else "\nat the start\n", soft_wrap=True)
        view = StateView(survey(machine), out.width, names_of_game(machine))
        for line in view.lines([str(fact) for fact in machine.facts(state)]):
            out.print(f"     {line}", soft_wrap=True)
        out.print()
        out.print(self._sentence(), soft_wrap=True)
        for role, advice in self._advice():
            out.print(f"\n{role}:")
            out.print(table(HEADINGS, _rows(advice), "value,plies,visits"))

    def as_json(self) -> dict[str, Any]:
        """Return the position and its values as a JSON object."""
        machine, state = self._machine, self._position.state
        values = self._worth.values if self._worth else None
        return {
            "played": [list(map(str, joint)) for joint in self._position.moves],
            "state": [str(fact) for fact in machine.facts(state)],
            "values": values and dict(zip(map(str, machine.roles), values, strict=True)),
            "plies": self._worth.length if self._worth else None,
            "advice": {
                str(role): {"source": advice.source, **thoughts_on(advice.result, None)}
                for role, advice in self._advice()
            },
        }

    def _sentence(self) -> str:
        machine, state = self._machine, self._position.state
        if machine.is_terminal(state):
            goals = (f"{role} {machine.goal(state, role)}" for role in machine.roles)
            return f"The game is over: {', '.join(goals)}."
        if self._worth is None:
            return "The endgame table does not have this state."
        pairs = zip(machine.roles, self._worth.values, strict=True)
        values = ", ".join(f"{role} {value:.4g}" for role, value in pairs)
        return f"With best play: {values}; {plies(self._worth.length)} to the end."

    def _advice(self) -> Iterator[tuple[gdl.Role, Advice]]:
        machine, state = self._machine, self._position.state
        if machine.is_terminal(state):
            return
        for role in machine.roles:
            if gdl.is_random(role) or len(machine.legal_moves(state, role)) <= 1:
                continue
            advice = self._book.advise(machine, state, role)
            if advice is not None:
                yield role, advice


def _rows(advice: Advice) -> list[list[str]]:
    return [
        [
            str(move.move),
            f"{move.value:.4g}",
            "" if move.length is None else str(move.length),
            f"{move.visits:,}" if move.visits else "",
            advice.source,
        ]
        for move in advice.result.moves
    ]
