"""Warming up: what is loaded before the clock of a match runs."""

from __future__ import annotations

import subprocess
import sys

PLAY = """
import gdl
from ggp import games
from ggp.belief import Belief
from ggp.clock import Deadline
from ggp.players import create
from ggp.warming import kernels as warming
from numba.core.dispatcher import Dispatcher

warming.warm_up()
fetched = set()
fetch = Dispatcher._compile_for_args
def noting(self, *args, **options):
    fetched.add(self.py_func.__qualname__)
    return fetch(self, *args, **options)
Dispatcher._compile_for_args = noting
for name in ("connectFour", "breakthrough", "goofspiel", "pig", "eightPuzzle", "twinTiles"):
    seconds = 0.1 if name in ("connectFour", "breakthrough") else 0.05
    machine = gdl.load(games.text(name), "lanes")
    state = machine.initial_state()
    players = [create("mcts:memory=1", machine, role, {}, seed=1) for role in machine.roles]
    for player in players:
        player.prepare(state, Deadline.after(1.0 if name == "twinTiles" else seconds))
    for _ in range(2):
        moves = tuple(player.choose(state, Deadline.after(seconds)) for player in players)
        state = machine.next_state(state, moves)
        for player in players:
            player.advance(moves, state)
for name in ("kuhnPoker", "phantomTicTacToe"):
    game = gdl.load(games.text(name), "lanes")
    state = game.initial_state()
    player = create("hidden", game, game.roles[0], {}, seed=1)
    player.belief = Belief(game, game.roles[0], seed=1)
    player.prepare(state, Deadline.after(0.5))
    deal = tuple(game.legal_moves(state, role)[0] for role in game.roles)
    seen = frozenset(game.percepts(state, deal, game.roles[0]))
    player.belief.advance(deal[0], seen, is_over=False)
    player.choose(game.next_state(state, deal), Deadline.after(0.1))
print(sorted(fetched))
"""


def test_nothing_is_compiled_or_fetched_from_the_disk_in_a_match() -> None:
    """Not for one role, its parts, two or chance, with a full tree or a network, or in the dark."""
    command = [sys.executable, "-c", PLAY]

    done = subprocess.run(command, check=True, capture_output=True, text=True)

    assert done.stdout == "[]\n"
