"""A circuit that was stored plays as it did before."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest

import gdl
from gdl.circuit.circuit import Circuit, make_circuit, pack, store, stored, unpack
from gdl.circuit.lanes.playouts.lanes import Lanes
from gdl.ground.grounding import ground
from tests.shared import REPOSITORY
from tests.thorough import all_but

pytestmark = pytest.mark.usefixtures("kernels")

NIGHT = """
(role me) (role random) (init (n 0)) (succ 0 1)
(legal me go) (legal random (deal (card a 1))) (legal random (deal b))
(<= (next (n ?y)) (true (n ?x)) (succ ?x ?y))
(<= (sees me ?c) (does random (deal ?c)))
(<= terminal (true (n 1)))
(goal random 0) (goal me 30)
(<= (goal me 100) terminal)
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache for each test."""
    monkeypatch.setenv("GGP_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache" / "games"


def _bundled(game: str) -> gdl.Rulesheet:
    return gdl.read_kif((REPOSITORY / "games" / f"{game}.kif").read_text(encoding="utf-8"), game)


def _assert_same(one: object, other: object) -> None:
    """The same in every field; terms are the same objects."""
    for field in fields(one):  # type: ignore[arg-type]
        left, right = getattr(one, field.name), getattr(other, field.name)
        if field.name == "netlist":
            _assert_same(left, right)
        elif isinstance(left, np.ndarray):
            assert left.dtype == right.dtype, field.name
            np.testing.assert_array_equal(left, right)
        elif field.name != "phases":
            assert left == right, field.name


def _assert_same_circuit(one: Circuit, other: Circuit) -> None:
    _assert_same(one, other)
    assert len(one.phases) == len(other.phases)
    for left, right in zip(one.phases, other.phases, strict=True):
        _assert_same(left, right)


@pytest.mark.parametrize("game", all_but(["goofspiel"], ["ticTacToe", "connectFour", "goofspiel"]))
def test_a_circuit_comes_back_as_it_was(game: str) -> None:
    """Every field of it, and it plays the same playouts."""
    rulesheet = _bundled(game)
    circuit = make_circuit(ground(rulesheet))

    store(rulesheet, circuit)
    again = stored(rulesheet)

    assert again is not None
    _assert_same_circuit(circuit, again)
    plays = [Lanes(one.phases, seed=3).playouts(steps=60) for one in (circuit, again)]
    assert plays[0].goal_totals == plays[1].goal_totals
    assert plays[0].count == plays[1].count > 0


def test_chance_and_percepts_come_back() -> None:
    """So do moves with compound arguments."""
    circuit = make_circuit(ground(gdl.read_kif(NIGHT)))

    again = unpack(pack(circuit))

    assert len(circuit.netlist.sees) == 2
    _assert_same_circuit(circuit, again)


def test_what_counts_are_the_statements() -> None:
    """A comment or another name of the file change nothing, another statement does."""
    rulesheet = gdl.read_kif(NIGHT, "night")
    store(rulesheet, make_circuit(ground(rulesheet)))

    assert stored(gdl.read_kif("; a comment\n" + NIGHT, "elsewhere")) is not None
    assert stored(gdl.read_kif(NIGHT.replace("100", "90"))) is None


def test_a_damaged_file_is_no_circuit(folder: Path) -> None:
    """The game is compiled again then."""
    rulesheet = gdl.read_kif(NIGHT)
    store(rulesheet, make_circuit(ground(rulesheet)))
    [path] = folder.iterdir()
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])

    assert stored(rulesheet) is None
