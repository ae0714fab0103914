"""What was learned in matches before: kept by the rules of the game, and bounded."""

from __future__ import annotations

import logging
import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import gdl
from ggp.training.live import store
from ggp.training.live.store import known_network, read_learned, write_learned
from tests.gdl.rulesheet.renaming import with_other_names
from tests.ggp.search.evaluation.network.random_networks import game_of, random_network

pytestmark = pytest.mark.usefixtures("kernels")


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of learned networks, in a cache of its own."""
    monkeypatch.setenv("GGP_CACHE_DIR", str(tmp_path))
    return tmp_path / store.FOLDER


def test_what_was_learned_is_found_under_other_names() -> None:
    """It is found by the canonical form of the rules, and speaks of the facts of the new ones."""
    ours = game_of("ticTacToe")
    assert ours.rulesheet is not None
    theirs = gdl.load(with_other_names(ours.rulesheet, 4)[0], "lanes")
    network = random_network(ours)
    assert read_learned(ours) is None

    write_learned(network, ours)

    found = read_learned(theirs)
    assert found is not None
    assert set(found.facts).isdisjoint(network.facts)
    assert np.allclose(found.rows, network.rows, atol=0.01)
    assert read_learned(game_of("connectFour")) is None


@pytest.mark.parametrize("is_used", [True, False])
def test_players_use_what_has_passed_the_gate(is_used: bool) -> None:
    """What has not is a beginning for the next match, and no more."""
    game = game_of("ticTacToe")
    write_learned(replace(random_network(game), is_used=is_used), game)

    assert read_learned(game) is not None
    assert (known_network(game) is not None) == is_used


def test_a_damaged_file_is_a_warning(cache: Path, caplog: pytest.LogCaptureFixture) -> None:
    """It names the file, and the next network takes its place."""
    game = game_of("ticTacToe")
    write_learned(random_network(game), game)
    (file,) = cache.iterdir()
    file.write_bytes(file.read_bytes()[:-100])
    caplog.set_level(logging.WARNING)

    assert read_learned(game) is None

    assert [str(file) in each.getMessage() for each in caplog.records] == [True]
    write_learned(random_network(game), game)
    assert read_learned(game) is not None


def test_those_used_least_recently_go_first(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder does not grow beyond its bound."""
    names = ("ticTacToe", "connectFour")
    for age, name in enumerate(names):
        write_learned(random_network(game_of(name)), game_of(name))
        for file in cache.iterdir():
            os.utime(file, (age, age))
    read_learned(game_of("ticTacToe"))  # it is used now
    room = sum(file.stat().st_size for file in cache.iterdir())
    monkeypatch.setattr(store, "MAX_BYTES", room)

    write_learned(random_network(game_of("nim")), game_of("nim"))

    known = [read_learned(game_of(name)) is not None for name in (*names, "nim")]
    assert known == [True, False, True]
