"""The memory and the cores of a search are fitted to what its process has."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import gdl
from ggp import games
from ggp.players import create, resources
from ggp.players.options import PlayerSpecError
from ggp.players.resources import MAX_THREADS, THREADS, usable_cores
from ggp.search.fast.tree.parallel import ParallelSearch

pytestmark = pytest.mark.usefixtures("kernels")

# The first lines as an engine process does: import, then bound the address space, then play.
PLAY = """
import resource, sys
import gdl, ggp.games
from ggp.clock import Deadline
from ggp.players import create
from ggp.players.resources import room
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
    monkeypatch.setattr(resources, "room", lambda: None)

    assert resources.fitting(1 << 40) == 1 << 40


@pytest.mark.parametrize(("left", "fits"), [(1000, 50), (100_000, 100), (0, 1)])
def test_half_of_what_is_left_is_given(
    monkeypatch: pytest.MonkeyPatch, left: int, fits: int
) -> None:
    """No more than was asked for, and at least one thing."""
    monkeypatch.setattr(resources, "room", lambda: left)

    assert resources.fitting(100, num_bytes=10) == fits


def test_a_tree_on_lanes_takes_half_of_what_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """It would take 1024 MB where that is there."""
    monkeypatch.setattr(resources, "room", lambda: 20 << 20)
    machine = gdl.load(games.text("ticTacToe"), "lanes")
    player = create("mcts:network=none", machine, machine.roles[0], {}, seed=1)

    search = player.new_search(machine.initial_state())  # type: ignore[attr-defined]

    assert search.settings.memory == 10 << 20


@pytest.mark.thorough
def test_the_tree_on_lanes_fits_where_little_is_left() -> None:
    """In 300 MB beside all that is loaded: the tree alone would take 1024 MB."""
    command = [sys.executable, "-c", PLAY, "mcts", "connectFour", "lanes"]

    played = subprocess.run(command, capture_output=True, text=True, check=False)

    assert played.stdout.startswith("(drop "), played.stderr


def test_a_player_with_threads_searches_in_parallel() -> None:
    """Each thread has a tree, and its part of the memory."""
    machine = gdl.load(games.text("ticTacToe"), "lanes")
    player = create("mcts:threads=2,memory=8", machine, machine.roles[0], {}, seed=1)

    search = player.new_search(machine.initial_state())  # type: ignore[attr-defined]

    assert isinstance(search, ParallelSearch)


@pytest.mark.parametrize("text", ["0", "-1", "many", str(MAX_THREADS + 1), "1.5"])
def test_other_numbers_are_refused(text: str) -> None:
    """The message says what would be right."""
    with pytest.raises(PlayerSpecError, match=r"from 1 to \d+, or auto"):
        THREADS.read({"threads": text})


def test_auto_is_what_the_process_may_use() -> None:
    """At least one, and no more than there are."""
    assert THREADS.read({}) == 1
    assert 1 <= THREADS.read({"threads": "auto"}) == usable_cores() <= MAX_THREADS


@pytest.mark.parametrize(("quota", "cores"), [("100000 100000", 1), ("50000 100000", 1)])
def test_a_container_has_its_share(tmp_path: Path, quota: str, cores: int) -> None:
    """Threads beyond the share of a container would stop all of them for a while."""
    path = tmp_path / "cpu.max"
    path.write_text(quota + "\n")

    assert usable_cores(path) == cores


def test_no_quota_is_no_bound(tmp_path: Path) -> None:
    """Without a bound all cores count that the process may run on."""
    path = tmp_path / "cpu.max"
    path.write_text("max 100000\n")

    assert usable_cores(path) == usable_cores(tmp_path / "absent")
