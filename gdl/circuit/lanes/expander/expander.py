"""The simulator and the expander: random playouts of a game, and children of many states at once.

simulator = Simulator(circuit)
result = simulator.playouts(seconds=1.0, threads=2)
result.count, result.mean_length, result.mean_goals

expander = Expander(simulator, seed=1)
expander.parents[:num], expander.moves[:num] = states, inputs
expander.expand(num, phase)
expander.play(num, (phase + 1) % expander.num_phases, rounds=1, limit=1000)
expander.totals[:num] / expander.num_playouts_per_leaf
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property, partial
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from gdl.circuit.assembler.code import GateCode, gate_code
from gdl.circuit.circuit import Circuit
from gdl.circuit.lanes.candidates import GROUP, Choices
from gdl.circuit.lanes.expander.block import make_batch, pack_arguments, set_legal_places
from gdl.circuit.lanes.expander.kernels import expand, play_out
from gdl.circuit.lanes.playouts.lanes import DEFAULT_LIMIT, DEFAULT_WIDTH, Lanes
from gdl.circuit.lanes.vectors import WORD_BITS
from gdl.circuit.netlist import NO, YES, IntArray, Netlist, Words
from gdl.circuit.playouts import Playouts, together
from gdl.terms import Term


class Simulator:
    """A factory of lanes for a game. It keeps the machine code of the game's gates.

    A simulator is thread-safe. Each thread needs its own lanes.
    """

    def __init__(self, circuit: Circuit, width: int = DEFAULT_WIDTH) -> None:
        self.circuit = circuit
        self.width = width
        self._assembling = threading.Lock()

    def __reduce__(self) -> tuple[type[Simulator], tuple[Circuit, int]]:
        return type(self), (self.circuit, self.width)

    def lanes(self, seed: int = 0) -> Lanes:
        """Create lanes. The seed determines their random choices."""
        return Lanes(self.circuit.phases, self.width, seed, self.code)

    @property
    def code(self) -> GateCode | None:
        """Machine code for the gates, or None if it cannot run here and tables are used instead."""
        with self._assembling:  # only once, even if several threads ask for it
            return self._code

    @cached_property
    def _code(self) -> GateCode | None:
        return gate_code(self.circuit.phases, self.width)

    def expander(self, seed: int = 0, *, counts_moves: bool = False) -> Expander:
        """Create an expander for one thread.

        Args:
            seed: The seed of its random playouts.
            counts_moves: Whether it counts which moves were made in its playouts.
        """
        return Expander(self, seed, counts_moves=counts_moves)

    @property
    def memory(self) -> int:
        """Number of bytes of the values of one thread's lanes."""
        num_slots = max(phase.num_slots for phase in self.circuit.phases)
        return num_slots * self.width * WORD_BITS // 8

    def warm_up(self) -> None:
        """Play one step, so that the kernels get loaded."""
        self.lanes().playouts(steps=1)

    @cached_property
    def first_playouts(self) -> Playouts:
        """One playout to its end from the first state in each lane."""
        return self.lanes().finish()

    def playouts(
        self,
        *,
        seconds: float | None = None,
        steps: int | None = None,
        threads: int = 1,
        seed: int = 0,
        limit: int = DEFAULT_LIMIT,
    ) -> Playouts:
        """Play random playouts from the first state, on several threads at once.

        Args:
            seconds: How long to play.
            steps: The number of steps to play in each lane, instead of `seconds`. Then the same
                seed gives the same playouts.
            threads: The number of threads. Each has its own lanes.
            seed: The seed of the first thread's random choices. The others follow from it.
            limit: The number of moves after which a playout is cut off.

        Raises:
            ValueError: There are no threads, or the time is below 0.
        """
        if threads < 1:
            raise ValueError(f"threads: expected at least 1, got {threads}")
        if seconds is not None and not seconds >= 0:
            raise ValueError(f"seconds: expected 0 or more, got {seconds}")
        seeds = [seed, *np.random.default_rng(seed).integers(2**32, size=threads - 1).tolist()]
        players = [self.lanes(one) for one in seeds]
        start = time.perf_counter()
        play = partial(Lanes.playouts, seconds=seconds, steps=steps, limit=limit)
        with ThreadPoolExecutor(threads) as pool:
            parts = list(pool.map(play, players))
        return together(parts, time.perf_counter() - start)


class CandidateOrder:
    """The order of the candidates in `Choices`, which determines the moves that playouts prefer.

    The chosen candidate is the one whose rank is a random fraction times the number of legal
    candidates. So if the fraction tends to be large, candidates at the end are preferred.
    """

    def __init__(self, choices: Choices, netlist: Netlist, width: int) -> None:
        self._choices = choices
        inputs = choices.does // width - netlist.first_input
        # Candidates of one role, phase and sign stay together.
        owner = np.zeros(len(choices.signs), np.int32)
        for number, start in enumerate(choices.starts[:, :-1].flat):
            owner[start:] = number
        block = np.repeat(2 * owner - choices.signs, GROUP)
        is_real = inputs < netlist.num_inputs
        self._places = np.flatnonzero(is_real)  # padding keeps its place
        self._blocks: IntArray = block[is_real]
        self._inputs: IntArray = inputs[is_real]
        self._legal = choices.legal[is_real]
        self._does = choices.does[is_real]

    def sort(self, scores: NDArray[np.float64], bias: int) -> None:
        """Sort candidates by ascending score, so that playouts prefer the last ones.

        `bias` is the number of leading bits of the random fraction that tend to be set.
        """
        order = np.lexsort((scores[self._inputs], self._blocks))
        self._choices.legal[self._places] = self._legal[order]
        self._choices.does[self._places] = self._does[order]
        self._choices.bias[0] = bias


class Expander:
    """The children of many states at once, and random playouts from them.

    States are packed: base b is bit `b % 64` of word `b // 64`. Moves are numbers of inputs. States
    do not contain facts that do not affect play. An expander belongs to one thread.

    Attributes:
        num_leaves_max: The largest number of states in a call, L.
        num_roles: The number of roles, R.
        num_words: The number of words of a packed state, W.
        num_phases: The number of phases, P. Who moves depends on the number of moves, modulo P.
        initial: `[W]` the first state.
        inputs: The role index and move of each of the I inputs.
        num_playouts_per_leaf: The number of playouts from each state in the last `play`.
        parents: `[L, W]` states. The caller sets them.
        moves: `[L, R]` the inputs of a joint move in each parent. The caller sets them.
        children: `[L, W]` states.
        is_terminal: `[L]` whether each child ends the game.
        goals: `[L, R]` the highest goal of each role in children that end the game; else 0.
        legal_starts: `[L * R + 1]` the inputs that are legal for role r in child i are
            `legal[legal_starts[i * R + r] : legal_starts[i * R + r + 1]]`.
        legal: The legal inputs of all children, in ascending order for each role.
        totals: `[L, R]` sums of the goals of playouts. A playout that was cut off counts 50.
        move_counts: `[I]` if moves are counted, in how many playouts of the last `play` each input
            was chosen by a role that had a choice.
        move_goals: `[I]` the sum of that role's goals in these playouts.
    """

    def __init__(self, simulator: Simulator, seed: int = 0, *, counts_moves: bool = False) -> None:
        """Create an expander for a game. The arguments are those of `Simulator.expander`."""
        self._lanes: Lanes = simulator.lanes(seed)
        phases = simulator.circuit.phases
        netlist = phases[0].netlist
        self.inputs = netlist.inputs
        self.num_roles = len(netlist.roles)
        self.num_phases = len(phases)
        self.num_leaves_max = self._lanes.num_lanes
        self.num_words = max(1, -(-netlist.num_bases // WORD_BITS))
        self.num_playouts_per_leaf = 0
        self._number = {fact: base for base, fact in enumerate(netlist.bases)}
        self._known = _known_bases([phase.netlist for phase in phases])
        num_watched = len(self._lanes.tables.choices.does) if counts_moves else 0
        self._batch = batch = make_batch(phases, self.num_leaves_max, simulator.width, num_watched)
        set_legal_places(batch, phases)
        self._frame = pack_arguments((self._lanes.state, self._lanes.tables, batch))
        self.initial: Words = self.pack(
            fact for fact, is_true in zip(netlist.bases, netlist.init, strict=True) if is_true
        )
        self.parents, self.moves, self.children = batch.parents, batch.moves, batch.children
        self.is_terminal, self.goals, self.totals = batch.is_terminal, batch.goals, batch.totals
        self.legal_starts, self.legal = batch.legal_starts, batch.legal
        self.move_counts, self.move_goals = batch.move_counts, batch.move_goals

    def pack(self, facts: Iterable[Term]) -> Words:
        """Return the state `[W]` in which these facts are true. Ignore facts without a base."""
        words = [0] * self.num_words
        for fact in facts:
            base = self._number.get(fact)
            if base is not None:
                words[base // WORD_BITS] |= 1 << base % WORD_BITS
        return np.array(words, np.uint64)

    def phases_of(self, state: Words) -> list[int]:
        """Return the phases to which a state may belong.

        These are the phases whose known base values agree with the state.
        """
        return [
            phase
            for phase, (which, values) in enumerate(self._known)
            if ((state & which) == values).all()
        ]

    def expand(self, num: int, phase: int) -> None:
        """Make `moves[:num]` in `parents[:num]`, and write all results about the children.

        Args:
            num: The number of parents, at least 1.
            phase: The phase of the parents. The children are in the next phase.
        """
        expand(self._frame, num, phase, False)

    def look(self, num: int, phase: int) -> None:
        """Write the results about `children[:num]`, which the caller has set.

        The results are whether each child is terminal, its goals and its legal moves.

        Args:
            num: The number of children, at least 1.
            phase: The phase of the children.
        """
        expand(self._frame, num, phase, True)

    def legal_of(self, leaf: int) -> list[list[int]]:
        """Return for each role the inputs that are legal in a child."""
        first = leaf * self.num_roles
        starts = self.legal_starts[first : first + self.num_roles + 1].tolist()
        return [self.legal[start:end].tolist() for start, end in pairwise(starts)]

    def play(self, num: int, phase: int, rounds: int, limit: int) -> None:
        """Play at random from `children[:num]`, equally often from each.

        Write the sums of the goals to `totals`.

        Args:
            num: The number of children, at least 1.
            phase: The phase of the children.
            rounds: The number of playouts in each lane, at least 1.
            limit: The number of moves after which a playout is cut off.
        """
        self.num_playouts_per_leaf = rounds * (self.num_leaves_max // num)
        self.move_counts[:] = self.move_goals[:] = 0
        play_out(self._frame, num, phase, rounds, limit)

    def prefer(self, scores: NDArray[np.float64], bias: int) -> None:
        """Let playouts prefer moves with a higher score.

        Args:
            scores: `[I]` the score of each input.
            bias: If 1, legal moves with a score above the median are chosen three times as often as
                the others. If 2, the same also holds within each half, and so on. If 0, all legal
                moves are equally likely.
        """
        self._order.sort(scores, bias)

    @cached_property
    def _order(self) -> CandidateOrder:
        lanes = self._lanes
        return CandidateOrder(lanes.tables.choices, lanes.netlist, lanes.num_lanes // WORD_BITS)


def _known_bases(phases: Sequence[Netlist]) -> list[tuple[Words, Words]]:
    """Return for each phase the bases known in all its states, and those of them that are true.

    A base is known if its next value in the preceding phase is a constant.
    """
    found = []
    for number, netlist in enumerate(phases):
        following = phases[number - 1].next
        is_known = (following == NO) | (following == YES)
        if number == 0:
            is_known &= netlist.init == (following == YES)
        found.append((_pack_bits(is_known), _pack_bits(is_known & (following == YES))))
    return found


def _pack_bits(bits: NDArray[np.bool_]) -> Words:
    padded = np.zeros(max(1, -(-len(bits) // WORD_BITS)) * WORD_BITS, np.bool_)
    padded[: len(bits)] = bits
    return np.packbits(padded, bitorder="little").view(np.uint64)
