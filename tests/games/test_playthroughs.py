"""Every bundled game has a recorded playthrough, and it can still be played that way."""

from __future__ import annotations

import pytest

import gdl
from ggp import games
from ggp.clock import Deadline
from ggp.records.recording import open_trace
from ggp.records.replay import replay
from tests.games import recording
from tests.thorough import KINDS, all_but


def test_no_game_lacks_a_playthrough() -> None:
    """A game without one would be replayed by nobody; one without a game is a leftover."""
    recorded = {file.name.removesuffix(".jsonl.gz") for file in recording.FOLDER.iterdir()}

    assert recorded == set(games.names())


@pytest.mark.parametrize("name", all_but(KINDS, games.names(), is_whole=True))
def test_interpreter_replays_the_playthrough(name: str) -> None:
    """States, legal moves, goals and the end are what was recorded, to the last state."""
    machine = gdl.Interpreter(gdl.read_kif(games.text(name), name))
    trace = open_trace(recording.path(name))

    verdict = replay(machine, trace.roles, trace.states(), Deadline.never())

    assert verdict.difference is None
    assert verdict.num_states == len(list(trace.states()))


@pytest.mark.parametrize("name", all_but(KINDS, games.names(), is_whole=True))
def test_playthrough_ends_with_the_game(name: str) -> None:
    """Each of its playouts starts at step 0 and reaches a terminal state, and no other does."""
    playouts: dict[int, list[bool | None]] = {}

    for state in open_trace(recording.path(name)).states():
        ended = playouts.setdefault(state.playout, [])
        assert state.step == len(ended)
        ended.append(state.is_terminal)

    assert len(playouts) == recording.NUM_PLAYOUTS
    assert all(ended[-1] and not any(ended[:-1]) for ended in playouts.values())
