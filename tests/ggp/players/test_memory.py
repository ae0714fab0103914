"""The size of a search is fitted to what its process has left."""

from __future__ import annotations

import subprocess
import sys

import pytest

from ggp.players import memory as room

# The first lines as an engine process does: import, then bound the address space, then play.
PLAY = """
import resource, sys
import gdl, ggp.games
from ggp.clock import Deadline
from ggp.players import create
from ggp.players.memory import room
name, game, reasoner = sys.argv[1:4]
rules = gdl.read_kif(ggp.games.text(game))
machine = gdl.load(rules, reasoner)
if reasoner == "lanes":
    gdl.warm_up()
    from ggp.warming.kernels import warm_up_tree
    warm_up_tree()
resource.setrlimit(resource.RLIMIT_AS, (1 << 40, 1 << 40))
taken = (1 << 40) - room()
limit = taken + (300 << 20)
resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
player = create(name, machine, machine.roles[0], {})
print(player.choose(machine.initial_state(), Deadline.after(0.2)))
"""


def test_without_a_bound_all_is_given_that_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a program that uses the search as a library."""
    monkeypatch.setattr(room, "room", lambda: None)

    assert room.fitting(1 << 40) == 1 << 40


@pytest.mark.parametrize(("left", "fits"), [(1000, 50), (100_000, 100), (0, 1)])
def test_half_of_what_is_left_is_given(
    monkeypatch: pytest.MonkeyPatch, left: int, fits: int
) -> None:
    """No more than was asked for, and at least one thing."""
    monkeypatch.setattr(room, "room", lambda: left)

    assert room.fitting(100, num_bytes=10) == fits


def test_the_tree_on_lanes_fits_where_little_is_left() -> None:
    """In 300 MB beside all that is loaded: the tree alone would take 1024 MB."""
    command = [sys.executable, "-c", PLAY, "mcts", "connectFour", "lanes"]

    played = subprocess.run(command, capture_output=True, text=True, check=False)

    assert played.stdout.startswith("(drop "), played.stderr
