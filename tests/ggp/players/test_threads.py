"""Number of threads that a player searches with."""

from __future__ import annotations

from pathlib import Path

import pytest

import gdl
from ggp import games
from ggp.players import create
from ggp.players.options import PlayerSpecError
from ggp.players.threads import MOST_THREADS, THREADS, usable_cores
from ggp.search.fast.tree.parallel import ParallelSearch


def test_a_player_with_threads_searches_in_parallel() -> None:
    """Each thread has a tree, and its part of the memory."""
    machine = gdl.load(games.text("ticTacToe"), "lanes")
    player = create("mcts:threads=2,memory=8", machine, machine.roles[0], {}, seed=1)

    search = player.new_search(machine.initial_state())  # type: ignore[attr-defined]

    assert isinstance(search, ParallelSearch)


@pytest.mark.parametrize("text", ["0", "-1", "many", str(MOST_THREADS + 1), "1.5"])
def test_other_numbers_are_refused(text: str) -> None:
    """The message says what would be right."""
    with pytest.raises(PlayerSpecError, match=r"from 1 to \d+, or auto"):
        THREADS.read({"threads": text})


def test_auto_is_what_the_process_may_use() -> None:
    """At least one, and no more than there are."""
    assert THREADS.read({}) == 1
    assert 1 <= THREADS.read({"threads": "auto"}) == usable_cores() <= MOST_THREADS


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
