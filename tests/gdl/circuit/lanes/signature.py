"""Run the kernels of lanes and of single states on small netlists; print what comes out as JSON."""

from __future__ import annotations

import json
import sys
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gdl.circuit.build import build
from gdl.circuit.circuit import Circuit
from gdl.circuit.lanes.batch.state_batch import StateBatch
from gdl.circuit.lanes.expander.expander import Expander, Simulator
from gdl.circuit.lanes.playouts.lanes import Lanes
from gdl.circuit.netlist import Netlist, pack
from gdl.circuit.passes.optimise import optimise
from gdl.circuit.scalar.layout import plan
from gdl.circuit.scalar.machine import Scalar
from gdl.circuit.schedule import Schedule, schedule
from tests.gdl.circuit.lanes.random_netlists import open_choice, random_netlist, three_moves
from tests.gdl.circuit.programs import lights


def signature() -> list[object]:
    """States and counts after a few steps, from fixed seeds."""
    results: list[object] = []
    for feedback in (0, 3):
        lanes = Lanes([schedule(random_netlist(3, gates=20, feedback=feedback))], seed=1)
        states = np.random.default_rng(1).integers(0, 2**9, (lanes.num_lanes, 1), np.uint64)
        lanes.load(states)
        for _ in range(2):
            lanes.settle()
            lanes.choose()
            lanes.advance()
        results += [lanes.read().tolist(), lanes.playouts(steps=10, limit=3).mean_goals]
    for netlist in (three_moves(), three_moves(ends=False), open_choice(70)):
        lanes = Lanes([schedule(netlist)], seed=2)
        for result in (lanes.playouts(steps=20, limit=16), lanes.finish(limit=16)):
            results += [result.count, result.cut, result.states, list(result.mean_goals)]
        results.append(lanes.inputs().sum(axis=0).tolist())
    for netlist in (random_netlist(4), three_moves(), open_choice(70)):
        results += _expanded(schedule(netlist))
    for netlist in (three_moves(), open_choice(70)):
        results += _stepped(netlist)
    results += _played(build(lights()))
    return json.loads(json.dumps(results))  # type: ignore[no-any-return]  # lists of numbers


def _expanded(plan: Schedule) -> list[object]:
    """Children, and what playouts from them brought."""
    expander = Expander(Simulator(Circuit(plan.netlist, (plan,))), seed=3)
    rng = np.random.default_rng(2)
    expander.parents[:] = rng.integers(0, 2**62, expander.parents.shape, np.uint64)
    expander.moves[:] = plan.netlist.role_starts[:-1]
    expander.expand(20, 0)
    children = expander.children[:20].tolist()
    expander.play(20, 0, rounds=2, limit=3)
    return [children, expander.totals[:20].tolist()]


def _stepped(netlist: Netlist) -> list[object]:
    """What a batch shows after a few steps, some of which move some of the states only."""
    batch, rng = StateBatch(netlist, 70, "same_step"), np.random.default_rng(4)
    for _ in range(3):
        batch.step(batch.draw(rng), rng.random(70) < 0.8)
    seen: list[NDArray[Any]] = [batch.observations, batch.packed, batch.is_terminal, batch.goals]
    return [array.tolist() for array in (*seen, batch.num_legal, *batch.masks)]


def _played(netlist: Netlist) -> list[object]:
    """What one state at a time brings: the moves, the next state, and some playouts."""
    scalar = Scalar(plan(optimise(netlist)))
    start = pack(netlist.init[None])[0]
    scalar.load(start)
    legal = [scalar.legal(role).tolist() for role in range(len(netlist.roles))]
    after = scalar.make(np.array([moves[0] for moves in legal], np.int32))
    playouts = scalar.playouts(start, num=3, seed=3)
    return [*legal, after.tolist(), playouts.moves, list(playouts.mean_goals)]


if __name__ == "__main__":
    json.dump(signature(), sys.stdout)
