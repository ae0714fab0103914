"""A second gear that was stored runs as the one that was compiled."""

from __future__ import annotations

from pathlib import Path

import pytest

import gdl
from gdl.circuit.circuit import Circuit, make_circuit
from gdl.circuit.lanes.lanes import Lanes
from gdl.circuit.lanes.native_gates import NativeGates
from gdl.circuit.lanes.native_gates_store import store_native_gates, stored_native_gates
from gdl.circuit.lanes.simulator import Simulator
from gdl.circuit.schedule import schedule
from gdl.ground.grounding import ground
from tests.shared import REPOSITORY

WIDTH = 8


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache for each test."""
    monkeypatch.setenv("GGP_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache" / "games"


def _circuit(game: str) -> Circuit:
    text = (REPOSITORY / "games" / f"{game}.kif").read_text(encoding="utf-8")
    return make_circuit(ground(gdl.read_kif(text, game)))


def _native_gates(circuit: Circuit, width: int = WIDTH) -> NativeGates:
    native_gates = NativeGates([schedule(x.netlist, straight=True) for x in circuit.phases], width)
    native_gates.compile()
    return native_gates


def _stored(circuit: Circuit, width: int = WIDTH) -> NativeGates | None:
    return stored_native_gates([phase.netlist for phase in circuit.phases], width)


@pytest.mark.parametrize("game", ["ticTacToe", "connectFour"])
def test_a_stored_gear_plays_the_same_playouts(game: str) -> None:
    """As tables do, and as the gear did that was stored."""
    circuit = _circuit(game)
    store_native_gates(_native_gates(circuit))
    by_table, by_code = Lanes(circuit.phases, WIDTH, seed=5), Lanes(circuit.phases, WIDTH, seed=5)

    again = _stored(circuit)
    assert again is not None
    by_code.use(again)

    plays = [lanes.playouts(steps=60) for lanes in (by_table, by_code)]
    assert plays[0].goal_totals == plays[1].goal_totals
    assert plays[0].count == plays[1].count > 0


def test_a_gear_serves_one_game_and_one_width() -> None:
    """Neither another circuit nor wider lanes are given this one's code."""
    circuit = _circuit("ticTacToe")
    store_native_gates(_native_gates(circuit))

    assert _stored(_circuit("nim")) is None
    assert _stored(circuit, width=4) is None


def test_a_damaged_file_is_no_gear(folder: Path) -> None:
    """Code that is not what was written is never run."""
    circuit = _circuit("ticTacToe")
    store_native_gates(_native_gates(circuit))
    [path] = folder.iterdir()
    data = path.read_bytes()
    path.write_bytes(data[:-100] + bytes(100))

    assert _stored(circuit) is None


def test_a_simulator_stores_its_gear(folder: Path) -> None:
    """The next simulator of the game finds it."""
    circuit = _circuit("ticTacToe")
    simulator = Simulator(circuit)
    simulator.compile_native_gates()
    simulator.wait_for_native_gates()

    assert [path.suffix for path in folder.iterdir()] == [".gear"]
    assert _stored(circuit) is not None
