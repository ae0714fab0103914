"""A batch of states: thousands of games at once, each played by the caller's moves.

batch = StateBatch(netlist, num=4096)
batch.reset()
batch.step(actions)
batch.observations, batch.masks[0], batch.is_terminal, batch.goals
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from gdl.circuit.lanes.lanes import DEFAULT_WIDTH, Lanes
from gdl.circuit.lanes.stepping import (
    ALL_LEGAL,
    DISABLED,
    LOOK,
    NEXT_STEP,
    ONLY_MOVE,
    SAME_STEP,
    StepArrays,
    find_illegal,
    step_blocks,
)
from gdl.circuit.lanes.vectors import WORD_BITS, lane_array
from gdl.circuit.netlist import NO, IntArray, Netlist
from gdl.circuit.passes.split import split
from gdl.circuit.schedule import Schedule, schedule
from gdl.errors import IllegalMoveError
from gdl.terms import Term

Autoreset = Literal["next_step", "same_step", "disabled"]
AUTORESETS: Final[dict[str, int]] = {
    "next_step": NEXT_STEP,
    "same_step": SAME_STEP,
    "disabled": DISABLED,
}
MAX_STATES: Final = 1 << 22

BoolArray = NDArray[np.bool_]


class StateBatch:
    """Many states of one game, each moved on by moves of its own. It belongs to one thread.

    `N` states, `R` roles, `B` base propositions. The arrays are made once and written by each step;
    whoever wants to keep a row copies it.

    Attributes:
        roles: In the order of the rulesheet.
        moves: For each role its moves; an action is the number of one of them.
        facts: The base propositions: what can be true in a state.
        actions: `[N, R]` the actions of the last step.
        observations: `[N, B]` uint8, which facts are true.
        packed: `[N, ceil(B / 64)]` the same: fact b is bit `b % 64` of word `b // 64`.
        masks: For each role `[N, M]` uint8, which of its moves are legal.
        is_terminal: `[N]` whether the last step ended the game.
        goals: `[N, R]` of those games, else 0.
        finals: `[N, B]` the last observations of games that ended, with `same_step`.
    """

    def __init__(
        self,
        netlist: Netlist,
        num: int,
        autoreset: Autoreset = "next_step",
        threads: int = 1,
        width: int = DEFAULT_WIDTH,
    ) -> None:
        """A batch in the first state.

        Args:
            netlist: The game.
            num: How many states.
            autoreset: When a game that is over begins anew: with the `next_step`, whose action does
                not count, in the `same_step`, or never (`disabled`).
            threads: That share the states.
            width: Words of a lane vector.

        Raises:
            ValueError: A number is out of range, or there is no such mode.
        """
        if not 0 < num <= MAX_STATES:
            raise ValueError(f"num: expected 1 to {MAX_STATES:,} states, got {num}")
        if autoreset not in AUTORESETS:
            raise ValueError(f"autoreset: expected one of {', '.join(AUTORESETS)}, got {autoreset}")
        if threads < 1:
            raise ValueError(f"threads: expected at least 1, got {threads}")
        plan = schedule(split(netlist))
        self.num = num
        self.autoreset = autoreset
        self.roles = netlist.roles
        self.facts: tuple[Term, ...] = netlist.bases
        starts = netlist.role_starts.tolist()
        self.moves = tuple(
            tuple(move for _, move in netlist.inputs[first:last])
            for first, last in pairwise(starts)
        )
        self._init = netlist.init
        num_blocks = -(-num // (WORD_BITS * width))
        threads = min(threads, num_blocks)
        self._lanes = [Lanes([plan], width) for _ in range(threads)]
        bounds = np.linspace(0, num_blocks, threads + 1).astype(int).tolist()
        self._shares = list(pairwise(bounds))
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None
        self._arrays = [_make_arrays(plan, num_blocks, width)]
        shared = self._arrays[0]
        for _ in range(1, threads):
            self._arrays.append(
                shared._replace(
                    words=np.zeros_like(shared.words), transpose_buffer=lane_array(WORD_BITS, width)
                )
            )
        self.actions: IntArray = shared.actions[:num]
        self.packed = shared.packed[:num]
        self.observations = shared.observations.view(np.uint8)[:num, : netlist.num_bases]
        self.finals = shared.finals.view(np.uint8)[:num, : netlist.num_bases]
        self.is_terminal = shared.is_terminal[:num].view(np.bool_)
        self.goals = shared.goals[:num]
        masks, columns = shared.masks.view(np.uint8), shared.columns.tolist()
        self.masks = tuple(
            masks[:num, WORD_BITS * column : WORD_BITS * column + len(moves)]
            for column, moves in zip(columns, self.moves, strict=False)
        )
        self.reset()
        shared.first_packed[:] = shared.packed[0]
        shared.first_legal[:] = shared.legal[0]

    def reset(self, which: BoolArray | None = None) -> None:
        """Begin anew in some states, or in all.

        Args:
            which: `[N]` in which.

        Raises:
            ValueError: It has another shape or type.
        """
        shared = self._arrays[0]
        rows = np.zeros(len(shared.packed), np.bool_)
        if which is None:
            rows[:] = True
        else:
            which = np.asarray(which)
            if which.shape != (self.num,) or which.dtype != np.bool_:
                raise ValueError(
                    f"expected {self.num} truth values, got {which.dtype} {which.shape}"
                )
            rows[: self.num] = which
        lanes = np.packbits(rows, bitorder="little").view(np.uint64)
        width = shared.over.dtype["words"].shape[0]
        blocks = lanes.reshape(-1, width)
        bases = shared.bases["words"].reshape(len(blocks), -1, width)
        begun = np.where(self._init[None, :, None], blocks[:, None], np.uint64(0))
        bases[:] = (bases & ~blocks[:, None]) | begun
        shared.over["words"][:] &= ~blocks
        self._run(LOOK)

    def step(self, actions: IntArray) -> None:
        """Make an action of each role in each state.

        Args:
            actions: `[N, R]` the number of a move of the role, or -1 for its first legal move, as
                of those who wait for their turn.

        Raises:
            IllegalMoveError: An action is not legal; nothing was changed.
            ValueError: The actions have another shape or type.
        """
        actions = np.asarray(actions)
        if actions.shape != self.actions.shape or actions.dtype.kind not in "iu":
            expected = " x ".join(map(str, self.actions.shape))
            raise ValueError(
                f"actions: expected {expected} integers (states x roles), "
                f"got {actions.dtype} of shape {actions.shape}"
            )
        np.copyto(self.actions, actions, casting="same_kind")
        mode = AUTORESETS[self.autoreset]
        illegal = find_illegal(self._arrays[0], self.num, mode)
        if illegal != ALL_LEGAL:
            raise self._illegal(*divmod(illegal, len(self.roles)))
        self._run(mode)

    def facts_of(self, row: int) -> list[Term]:
        """The facts that are true in a state."""
        return [self.facts[base] for base in np.flatnonzero(self.observations[row]).tolist()]

    def close(self) -> None:
        """End the threads."""
        if self._pool is not None:
            self._pool.shutdown()

    def _run(self, mode: int) -> None:
        jobs = [
            (lanes.state, lanes.tables, arrays, first, last, mode)
            for lanes, arrays, (first, last) in zip(
                self._lanes, self._arrays, self._shares, strict=True
            )
        ]
        if self._pool is None:
            step_blocks(*jobs[0])
        else:
            for done in [self._pool.submit(step_blocks, *job) for job in jobs]:
                done.result()

    def _illegal(self, row: int, role: int) -> IllegalMoveError:
        number = int(self.actions[row, role])
        moves = self.moves[role]
        legal = np.flatnonzero(self.masks[role][row]).tolist()
        known = ", ".join(f"{one} {moves[one]}" for one in legal[:10])
        got = f"{number} {moves[number]}" if 0 <= number < len(moves) else str(number)
        return IllegalMoveError(
            f"action of role {self.roles[role]} in state {row}: expected a legal one "
            f"({known}{', ...' if len(legal) > 10 else ''}), got {got}"
        )


def _make_arrays(plan: Schedule, num_blocks: int, width: int) -> StepArrays:
    netlist, num_lanes = plan.netlist, WORD_BITS * width
    num, num_roles = num_blocks * num_lanes, len(netlist.roles)
    num_words = max(1, -(-netlist.num_bases // WORD_BITS))
    base_places = np.full(num_words * WORD_BITS, NO, np.int32)
    base_places[: netlist.num_bases] = 2 * np.arange(1, 1 + netlist.num_bases)
    sizes = np.diff(netlist.role_starts)
    columns = np.concatenate([[0], np.cumsum(-(-sizes // WORD_BITS))]).astype(np.int32)
    num_columns = max(1, int(columns[-1]))
    legal_places = np.full(num_columns * WORD_BITS, NO, np.int32)
    for role, (first, last) in enumerate(pairwise(netlist.role_starts.tolist())):
        start = int(columns[role]) * WORD_BITS
        legal_places[start : start + last - first] = plan.legal[first:last]
    bits = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1, bitorder="little")
    return StepArrays(
        bases=lane_array(num_blocks * netlist.num_bases, width),
        over=lane_array(num_blocks, width),
        actions=np.full((num, num_roles), ONLY_MOVE, np.int32),
        legal=np.zeros((num, num_columns), np.uint64),
        packed=np.zeros((num, num_words), np.uint64),
        masks=np.zeros((num, 8 * num_columns), np.uint64),
        observations=np.zeros((num, 8 * num_words), np.uint64),
        finals=np.zeros((num, 8 * num_words), np.uint64),
        is_terminal=np.zeros(num, np.uint8),
        goals=np.zeros((num, num_roles), np.int16),
        first_legal=np.zeros(num_columns, np.uint64),
        first_packed=np.zeros(num_words, np.uint64),
        columns=columns,
        role_starts=np.asarray(netlist.role_starts, np.int32),
        legal_places=legal_places,
        base_places=base_places,
        spread=np.ascontiguousarray(bits).view(np.uint64).reshape(256),
        words=np.zeros((num_lanes, max(num_words, num_columns)), np.uint64),
        transpose_buffer=lane_array(WORD_BITS, width),
    )
