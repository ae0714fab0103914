"""Explain how the facts of a game are drawn, and why some are only cards."""

from __future__ import annotations

from typing import NamedTuple

from ggp.boards.board import Board
from ggp.boards.finding import FoundBoards, find_all, steady_facts
from ggp.boards.plain_names import read_names
from ggp.boards.stacks import find_stacks
from ggp.drawing.views import DrawingView, own_view, view_of
from ggp.match.rulebook import SECONDS, MachineRulebook, sample_positions
from ggp.plurals import counted
from ggp.rulesheets import NamedGame
from ggp.term_text import words_of

MAX_RELATIONS = 60


class DrawnAs(NamedTuple):
    """The way in which the facts of one relation are drawn."""

    fact: str  # an example of these facts
    drawn: str  # the drawing in words


async def explain_drawing(game: NamedGame, seconds: float = SECONDS) -> list[DrawnAs]:
    """Explain how each relation of the state is drawn, based on positions of random games.

    Args:
        seconds: Time limit for the random games.

    Raises:
        GdlError: The rules cannot be played.
        ViewError: The view file next to the rules is invalid.
    """
    view = own_view(game) or view_of(game.bundled)
    book = MachineRulebook(game.machine, has_percepts=game.has_percepts)
    states = await sample_positions(book, seconds=min(seconds, SECONDS))
    steady = steady_facts(states)
    found = find_all(states, steady, read_names(game.rules, game.text))
    stacks = None if view.piles or view.walk else find_stacks(states)
    examples: dict[str, str] = {}
    for fact in (fact for state in states for fact in state):
        examples.setdefault(fact.strip("()").split(" ", 1)[0], fact)
    explained = []
    for relation, fact in sorted(examples.items())[:MAX_RELATIONS]:
        drawn = _by_view(relation, view) or _on_boards(fact, found)
        if drawn is None and stacks is not None and stacks.is_fact(fact):
            drawn = "a stack of things"
        if drawn is None and fact in steady:
            drawn = "not drawn because it is in every position"
        explained.append(DrawnAs(fact, drawn or f"a card: {_why_card(fact)}"))
    return explained


def _by_view(relation: str, view: DrawingView) -> str | None:
    if relation in view.hidden:
        return "not drawn: the view hides it"
    if relation in view.pins:
        return "a ring on the board, by the view"
    if view.walk is not None and view.walk.relation == relation:
        return "a walker, by the view"
    if view.piles is not None and view.piles.relation == relation:
        return "piles, by the view"
    return None


def _on_boards(fact: str, found: FoundBoards) -> str | None:
    for board in found.boards:
        if board.is_cell(fact):
            return f"a place of a board with {_size(board)}"
    if any(layer.cell(words_of(fact)) for layer in found.layers):
        return "a thing on the board"
    if any(edges.ends(fact) for edges in found.edges):
        return "a line around or between places of the board"
    return None


def _size(board: Board) -> str:
    return f"{counted(len(board.columns), 'column')} and {counted(len(board.rows), 'row')}"


def _why_card(fact: str) -> str:
    num_words = fact.strip("()").count(" ")
    inside = fact[1:] if fact.startswith("(") else fact
    if "(" in inside:
        return (
            "it contains a term; a place needs words of its own, as in (line 1 1 2 1); only the "
            "ends of lines on a board of cells may be terms, as in (line (dot 1 1) (dot 2 1))"
        )
    if num_words < 2:
        return "a place needs two words, its column and its row, or names in an order"
    return "no two of its words are a column and a row in the positions of random games"
