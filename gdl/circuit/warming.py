"""Load the kernels into memory, and compile them once after an install.

    warm_up(print)

A process that has to respond quickly when a match begins calls this in advance. Two processes
compile the kernels in parallel, because numba compiles the kernels in a process one after another.
Afterwards the kernels are on disk, and a process loads them in a fraction of a second. More
processes would not help: each would take seconds to load numba, and to compile what several kernels
share.

To load the kernels, a process plays the smallest possible games.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Final

import numpy as np

from gdl.circuit.build import UNROLLED
from gdl.circuit.circuit import Circuit, make_circuit
from gdl.circuit.lanes.batch.state_batch import StateBatch
from gdl.circuit.lanes.expander.expander import Expander, Simulator
from gdl.circuit.lanes.playouts.lanes import Lanes
from gdl.circuit.netlist import YES, Netlist
from gdl.circuit.scalar.machine import CircuitMachine
from gdl.circuit.schedule import schedule
from gdl.ground.grounding import ground
from gdl.kif import read_kif
from gdl.native.kernel_cache import collect_garbage_once, compile_once, kernel_folder
from gdl.terms import Constant

MESSAGE: Final = (
    "compiling the kernels of the reasoner, once after an install (about half a minute) ..."
)


# A switch that is set by a move, and a lamp that follows the switch. The game is over when both are
# on. The rules express this by a row of wires, each of which carries current to its neighbours. So
# they contain a recursion that is too long to unroll.
_LAMP: Final = " ".join(
    [
        "(role player) (legal player wait)",
        "(<= (legal player press) (not (true switch)) (not (true lamp)))",
        "(<= (next switch) (does player press)) (<= (next switch) (true switch))",
        "(<= (next lamp) (true switch))",
        "(<= (wire 0) (true lamp)) (<= (wire ?x) (wire ?y) (neighbours ?x ?y) (true switch))",
        "(<= (neighbours ?x ?y) (after ?x ?y)) (<= (neighbours ?y ?x) (after ?x ?y))",
        *(f"(after {wire} {wire + 1})" for wire in range(UNROLLED + 1)),
        f"(<= terminal (true switch) (wire {UNROLLED + 1}))",
        "(<= (goal player 100) terminal)",
    ]
)


def warm_up(progress: Callable[[str], None] | None = None) -> None:
    """Load all kernels that games need. Compile them first if they are not on the disk.

    Args:
        progress: Called before a slow step, with a description of it.
    """

    def announce() -> None:
        if progress is not None:
            progress(MESSAGE)

    compile_once(kernel_folder(), "gdl.circuit.warming", list(PARTS), announce)
    for play in PARTS.values():
        play()


def play_states() -> None:
    """Ground rules, build a circuit and play one state at a time."""
    machine = CircuitMachine(make_circuit(ground(read_kif(_LAMP))).netlist)
    state = machine.initial_state()
    machine.next_state(state, machine.legal_moves(state, machine.roles[0])[:1])
    machine.random_playouts(1)


def play_on_lanes() -> None:
    """Play on lanes of the default width, in a netlist that is written by hand.

    Also expand a state on them, and play from its child.
    """
    netlist = _switch()
    lanes = Lanes([schedule(netlist)])
    lanes.load(lanes.read())
    lanes.playouts(steps=1)
    expander = Expander(Simulator(Circuit(netlist, (schedule(netlist),))))
    expander.expand(1, 0)
    expander.play(1, 0, rounds=1, limit=1)


def play_in_a_batch() -> None:
    """Make a move in a batch."""
    batch = StateBatch(_switch(), 1)
    batch.put(slice(0, 1), batch.packed.copy())
    batch.step(batch.select(np.zeros_like(batch.draw(np.random.default_rng(0)))))


def play_states_and_a_batch() -> None:
    """Call `play_states` and `play_in_a_batch`.

    Compiling the kernels of both takes about as long as compiling those of `play_on_lanes`.
    """
    play_states()
    play_in_a_batch()


PARTS: Final[dict[str, Callable[[], None]]] = {
    "states": play_states_and_a_batch,
    "lanes": play_on_lanes,
}


def _switch() -> Netlist:
    on, press = 1, 2
    return Netlist(
        roles=(Constant("player"),),
        bases=(Constant("on"),),
        inputs=((0, Constant("press")),),
        init=np.zeros(1, np.bool_),
        offsets=np.zeros(1, np.int32),
        literals=np.zeros(0, np.int32),
        next=np.array([2 * press], np.int32),
        legal=np.array([YES], np.int32),
        terminal=2 * on,
        goals=((0, 100, YES),),
    )


if __name__ == "__main__":
    collect_garbage_once()
    PARTS[sys.argv[1]]()
