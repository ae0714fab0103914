"""Books of bundled games, each built once, and states to ask them about."""

from __future__ import annotations

import random
from functools import cache

import gdl
from ggp import games
from ggp.clock import Deadline
from ggp.search.core.choices import choices_in
from ggp.search.evaluation.book.book import Book
from ggp.training.books.building import BuildSettings, build
from ggp.training.books.exploring import ExploreLimits
from ggp.training.books.selfplay import SelfPlaySettings

SOLVED = ["chomp", "eightPuzzle", "goofspiel", "nim", "prisonersDilemma", "ticTacToe"]
# Ends of connectFour are solved only if many states may be looked at.
NUM_STATES = {"connectFour": 60_000}
OPENING = BuildSettings(
    ExploreLimits(states=100), games=2, play=SelfPlaySettings(plies=2, rounds=5, seed=5)
)


@cache
def machine_of(name: str) -> gdl.Game:
    """A bundled game on lanes."""
    return gdl.load(games.text(name))


@cache
def solved(name: str) -> Book:
    """The book of a game that is small enough to be solved."""
    return build(machine_of(name), name, Deadline.never(), BuildSettings())


@cache
def partial(name: str) -> Book:
    """The book of a game that is not: its opening, and some of its ends."""
    limits = ExploreLimits(states=NUM_STATES.get(name, 30_000))
    play = SelfPlaySettings(plies=2, rounds=40, seed=5)
    settings = BuildSettings(limits, games=6, play=play)
    return build(machine_of(name), name, Deadline.never(), settings)


@cache
def opened(name: str) -> Book:
    """Build the book of a game that has an opening only."""
    return build(machine_of(name), name, Deadline.never(), OPENING)


def states_of(name: str, book: Book, num: int, most_moves: int = 99) -> list[gdl.State]:
    """Some states of a book's table in which nobody has more moves than that."""
    machine, table = machine_of(name), book.endgame
    terms = [gdl.read_term(fact) for fact in table.code.facts]
    keys = table.keys.tolist()
    random.Random(1).shuffle(keys)
    found: list[gdl.State] = []
    for key in keys:
        bits = int.from_bytes(key, "little")
        state = machine.state_of(fact for b, fact in enumerate(terms) if bits >> b & 1)
        if all(len(moves) <= most_moves for moves in choices_in(machine, state)):
            found.append(state)
        if len(found) == num:
            break
    return found
