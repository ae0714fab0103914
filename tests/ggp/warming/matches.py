"""Matches in which all kernels are used, and a note of those that had to be fetched meanwhile."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import Any, Final

from numba.core import dispatcher

import gdl
from ggp import games
from ggp.belief import Belief
from ggp.clock import Deadline
from ggp.players import create
from ggp.warming import kernels

Dispatcher: Any = dispatcher.Dispatcher

SECONDS: Final = {
    "connectFour": 0.1,
    "breakthrough": 0.1,
    "goofspiel": 0.05,
    "pig": 0.05,
    "eightPuzzle": 0.05,
    "twinTiles": 0.05,
}
"""Of a turn: two roles, with a network, moves at the same time, chance, one role, and its parts."""
START_SECONDS: Final = {"twinTiles": 1.0}
HIDDEN: Final = ("kuhnPoker", "phantomTicTacToe")


@contextmanager
def fetched() -> Iterator[set[str]]:
    """Note the kernels that are compiled, or fetched from the disk, inside the `with`."""
    noted = set[str]()
    fetch = Dispatcher._compile_for_args

    def noting(kernel: Any, *args: Any, **options: Any) -> Any:
        noted.add(kernel.py_func.__qualname__)
        return fetch(kernel, *args, **options)

    Dispatcher._compile_for_args = noting
    try:
        yield noted
    finally:
        Dispatcher._compile_for_args = fetch


def play(name: str) -> None:
    """Play two turns of a game with a small, and so full, tree."""
    seconds = SECONDS[name]
    game = gdl.load(games.text(name), "lanes")
    state = game.initial_state()
    players = [create("mcts:memory=1", game, role, {}, seed=1) for role in game.roles]
    for player in players:
        player.prepare(state, Deadline.after(START_SECONDS.get(name, seconds)))
    for _ in range(2):
        moves = tuple(player.choose(state, Deadline.after(seconds)) for player in players)
        state = game.next_state(state, moves)
        for player in players:
            player.advance(moves, state)


def play_in_the_dark(name: str) -> None:
    """Play a turn of a game with hidden information."""
    game = gdl.load(games.text(name), "lanes")
    state = game.initial_state()
    player = create("hidden", game, game.roles[0], {}, seed=1)
    player.belief = Belief(game, game.roles[0], seed=1)
    player.prepare(state, Deadline.after(0.5))
    deal = tuple(game.legal_moves(state, role)[0] for role in game.roles)
    seen = frozenset(game.percepts(state, deal, game.roles[0]))
    player.belief.advance(deal[0], seen, is_over=False)
    player.choose(game.next_state(state, deal), Deadline.after(0.1))


def fetched_in_matches(names: Collection[str]) -> list[str]:
    """Return the kernels that are fetched in matches of these games, after warming up."""
    kernels.warm_up()
    with fetched() as found:
        for name in names:
            (play_in_the_dark if name in HIDDEN else play)(name)
    return sorted(found)


if __name__ == "__main__":
    sys.stdout.write(f"{fetched_in_matches(sys.argv[1:])}\n")
