"""A batch of states: thousands of games at once, each played by the caller's moves.

batch = StateBatch(netlist, num=4096)
batch.reset()
batch.step(actions)
batch.observations, batch.masks[0], batch.is_terminal, batch.goals
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any, Final, Literal, NoReturn

import numpy as np
from numpy.typing import NDArray

from gdl.circuit.assembler.code import gate_code
from gdl.circuit.lanes.batch.arrays import (
    DISABLED,
    LOOK,
    NEXT_STEP,
    SAME_STEP,
    Bytes,
    choose_actions,
    draw_actions,
    find_illegal,
    make_arrays,
    masks_of,
    remember_first,
    rows_of,
    select_actions,
)
from gdl.circuit.lanes.batch.kernels import put_states, step_blocks
from gdl.circuit.lanes.playouts.lanes import DEFAULT_WIDTH, Lanes
from gdl.circuit.lanes.vectors import WORD_BITS, lane_array
from gdl.circuit.netlist import BoolArray, IntArray, Netlist
from gdl.circuit.numbering import Numbering
from gdl.circuit.passes.rewrite import with_percepts_as_bases
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
MAX_STATES, MAX_THREADS = 1 << 22, 1024


def batch_plan(netlist: Netlist) -> Schedule:
    """Return the schedule by which a batch evaluates a game.

    Percepts are treated as extra bases, placed after the facts.
    """
    return schedule(split(with_percepts_as_bases(netlist) if netlist.sees else netlist))


class StateBatch:
    """Many states of one game, each advanced by its own moves. A batch belongs to one thread.

    There are `N` states, `R` roles and `B` facts. The arrays are created once, and each step
    overwrites them. Copy a row to keep it.

    Attributes:
        roles: Roles in the order of the rulesheet.
        moves: Moves of each role. An action is the number of a move.
        facts: Facts that can be true in a state. A fact's number is its index.
        actions: `[N, R]` the actions of the last step.
        observations: `[N, B]` as uint8, which facts are true.
        num_legal: `[N, R]` the number of legal moves of each role.
        packed: `[N, ceil(B / 64)]` which facts are true: fact b is bit `b % 64` of word `b // 64`.
        masks: For each role `[N, M]` as uint8, which of its `M` moves are legal.
        is_terminal: `[N]` whether the last step ended the game.
        goals: `[N, R]` the goals of games that the last step ended, else 0.
        finals: `[N, B]` with `same_step`, the final observations of games that ended.
        percept_terms: Percepts that each role can see.
        percepts: For each role `[N, ceil(P / 64)]` which of its `P` percepts it saw in the last
            step: percept p is bit `p % 64` of word `p // 64`. All bits are 0 if the step made no
            move.
    """

    def __init__(
        self,
        netlist: Netlist,
        num: int,
        autoreset: Autoreset = "next_step",
        threads: int = 1,
        width: int = DEFAULT_WIDTH,
        plan: Schedule | None = None,
    ) -> None:
        """Create a batch in which all states are the first state of the game.

        Args:
            autoreset: When a finished game begins again. With `next_step`, the step after the end
                ignores its action and restarts the game. With `same_step`, the step that ends the
                game also restarts it. With `disabled`, it never begins again.
            plan: The schedule from `batch_plan`. If None, it is made here.

        Raises:
            ValueError: A number is out of range, or `autoreset` is unknown.
        """
        if num not in range(1, MAX_STATES + 1):
            raise ValueError(f"num: expected 1 to {MAX_STATES:,} states, got {num!r}")
        if autoreset not in AUTORESETS:
            raise ValueError(f"autoreset: expected one of {', '.join(AUTORESETS)}, got {autoreset}")
        if threads not in range(1, MAX_THREADS + 1):
            raise ValueError(f"threads: expected 1 to {MAX_THREADS}, got {threads!r}")
        numbering = Numbering(netlist)
        plan = plan or batch_plan(netlist)
        self.num = num
        self.autoreset = autoreset
        self.roles = netlist.roles
        self.facts = numbering.facts
        self.moves = numbering.moves
        self.percept_terms = numbering.percepts
        self._init = netlist.init
        num_blocks = -(-num // (WORD_BITS * width))
        threads = min(threads, num_blocks)
        code = gate_code([plan], width)
        self._lanes = [Lanes([plan], width, code=code) for _ in range(threads)]
        bounds = np.linspace(0, num_blocks, threads + 1).astype(int).tolist()
        self._shares = list(pairwise(bounds))
        self._pool = ThreadPoolExecutor(threads - 1) if threads > 1 else None
        shared = make_arrays(plan, numbering, num_blocks, width, autoreset == "same_step")
        self._arrays = [
            shared._replace(transpose_buffer=lane_array(WORD_BITS, width)) for _ in range(threads)
        ]
        by_role = len(self.roles), -1
        self.actions: IntArray = shared.actions.reshape(by_role).T[:num]
        self.packed = shared.packed[:num]
        self.num_legal: IntArray = shared.num_legal.reshape(by_role).T[:num]
        self.observations: Bytes = rows_of(
            shared.observations, len(self.facts), len(shared.is_terminal)
        )[:num]
        self.finals: Bytes = rows_of(shared.finals, len(self.facts), len(shared.is_terminal))[:num]
        self.is_terminal: BoolArray = shared.is_terminal[:num].view(np.bool_)
        self.goals = shared.goals.reshape(by_role).T[:num]
        self.masks = tuple(mask[:num] for mask in masks_of(shared))
        percepts = shared.percepts.reshape(-1, len(shared.is_terminal)).T[:num]
        bounds_of_roles = pairwise(shared.percept_columns.tolist())
        self.percepts = tuple(percepts[:, start:end] for start, end in bounds_of_roles)
        self.reset()
        remember_first(shared)

    def __reduce__(self) -> NoReturn:
        raise TypeError(
            "a batch cannot be copied or pickled, because machine code writes to its memory; make "
            "another one with Game.batch() and put() the states of this one there"
        )

    def reset(self, which: BoolArray | None = None) -> None:
        """Restart the games in some states, or in all.

        Args:
            which: `[N]` whether to restart the game in each state. If None, restart all.

        Raises:
            ValueError: `which` has another shape or type.
        """
        shared = self._arrays[0]
        blocks = self._lanes_of(which)
        width = blocks.shape[1]
        bases = shared.bases["words"].reshape(len(blocks), -1, width)
        begun = np.where(self._init[None, :, None], blocks[:, None], np.uint64(0))
        bases[:] = (bases & ~blocks[:, None]) | begun
        shared.over["words"][:] &= ~blocks
        self._run(LOOK)

    def put(self, rows: slice | NDArray[np.integer], packed: NDArray[np.uint64]) -> None:
        """Replace the states in some rows. The games continue from the new states.

        Args:
            rows: The rows, as an index into `packed`.
            packed: `[rows, ceil(B / 64)]` the new states, in the format of the attribute `packed`.
        """
        shared = self._arrays[0]
        which = np.zeros(self.num, np.bool_)
        which[rows] = True
        self.packed[rows] = packed
        replaced = lane_array(len(shared.over), shared.over.dtype["words"].shape[0])
        replaced["words"][:] = self._lanes_of(which)
        self._each(put_states, [(replaced,)] * len(self._arrays))
        self._run(LOOK)

    def end(self, which: BoolArray) -> None:
        """End the game in some states as if they were terminal, with goals of 0.

        Args:
            which: `[N]` whether to end each game.

        Raises:
            ValueError: `which` has another shape or type.
        """
        which = self._checked(which)
        if self.autoreset == "same_step":
            self.finals[which] = self.observations[which]
            self.reset(which)
        else:
            self._arrays[0].over["words"][:] |= self._lanes_of(which)
        self.is_terminal[which] = True
        self.goals[which] = 0

    def step(self, actions: IntArray, which: BoolArray | None = None) -> None:
        """Apply one action per role in each state.

        Args:
            actions: `[N, R]` the number of a move of each role. -1 stands for the first legal move
                of the role, for example if the role only waits for its turn.
            which: `[N]` the states to advance. The others stay as they are. If None, advance all.

        Raises:
            IllegalMoveError: An action is not legal. No state was changed.
            ValueError: An argument has another shape or type.
        """
        actions = np.asarray(actions)
        if actions.shape != self.actions.shape or actions.dtype.kind not in "iu":
            expected = " x ".join(map(str, self.actions.shape))
            raise ValueError(
                f"actions: expected {expected} integers (states x roles), "
                f"got {actions.dtype} of shape {actions.shape}"
            )
        shared, mode = self._arrays[0], AUTORESETS[self.autoreset]
        shared.moving[: self.num] = True if which is None else self._checked(which)
        np.copyto(self.actions, actions, casting="same_kind")
        # This is too fast to be worth splitting among threads.
        if not choose_actions(shared, 0, self._shares[-1][1], mode):
            raise self._illegal(*divmod(find_illegal(shared, self.num, mode), len(self.roles)))
        self._run(mode)

    def draw(self, rng: np.random.Generator) -> IntArray:
        """Return a random legal action of each role in each state, `[N, R]`, or -1 if it has none.

        Every legal action is equally likely.
        """
        actions = np.empty_like(self._arrays[0].actions)
        seed = int(rng.integers(1 << 63))
        self._each(draw_actions, [(actions, seed)] * len(self._arrays))
        return actions.reshape(len(self.roles), -1).T[: self.num]

    def select(self, ranks: IntArray) -> IntArray:
        """Return a legal action of each role in each state by its rank, `[N, R]`.

        Args:
            ranks: `[N, R]` how many legal actions of the role come before the returned one. If
                there are too few legal actions, -1 is returned.
        """
        actions = np.empty_like(self._arrays[0].actions)
        room = np.full(len(actions), -1, np.int32)
        room.reshape(len(self.roles), -1)[:, : self.num] = np.asarray(ranks).T
        self._each(select_actions, [(room, actions)] * len(self._arrays))
        return actions.reshape(len(self.roles), -1).T[: self.num]

    def facts_of(self, row: int) -> list[Term]:
        """Return the facts that are true in the state of a row."""
        return [self.facts[base] for base in np.flatnonzero(self.observations[row]).tolist()]

    def show(self, rows: IntArray, facts: Bytes) -> None:
        """Show `facts`, `[rows, B]`, in some rows until the next step. The states do not change."""
        self.observations[rows] = facts
        padded = np.zeros((len(rows), 64 * self.packed.shape[1]), np.uint8)
        padded[:, : facts.shape[1]] = facts
        self.packed[rows] = np.packbits(padded, axis=1, bitorder="little").view(np.uint64)

    def close(self) -> None:
        """Stop the threads of the batch."""
        if self._pool is not None:
            self._pool.shutdown()

    def _lanes_of(self, which: BoolArray | None) -> NDArray[np.uint64]:
        """Return the lanes of the states in `which`, as `W` words for each of `K` blocks, `[K, W]`.

        If `which` is None, return the lanes of all states.
        """
        shared = self._arrays[0]
        rows = np.zeros(len(shared.is_terminal), np.bool_)
        rows[: self.num] = True if which is None else self._checked(which)
        width = shared.over.dtype["words"].shape[0]
        return np.packbits(rows, bitorder="little").view(np.uint64).reshape(-1, width)

    def _checked(self, which: BoolArray) -> BoolArray:
        which = np.asarray(which)
        if which.shape != (self.num,) or which.dtype != np.bool_:
            raise ValueError(
                f"expected {self.num} truth values, got an array of {which.dtype} of "
                f"shape {which.shape}"
            )
        return which

    def _run(self, mode: int) -> None:
        self._each(step_blocks, [(mode, lanes.state, lanes.tables) for lanes in self._lanes])

    def _each(self, kernel: Callable[..., Any], arguments: Sequence[tuple[Any, ...]]) -> list[Any]:
        jobs = [
            (arrays, *share, *given)
            for arrays, share, given in zip(self._arrays, self._shares, arguments, strict=True)
        ]
        if self._pool is None:
            return [kernel(*jobs[0])]
        others = [self._pool.submit(kernel, *job) for job in jobs[1:]]
        return [kernel(*jobs[0]), *(other.result() for other in others)]

    def _illegal(self, row: int, role: int) -> IllegalMoveError:
        number = int(self.actions[row, role])
        moves = self.moves[role]
        legal = np.flatnonzero(self.masks[role][row]).tolist()
        known = ", ".join(f"{one} {moves[one]}" for one in legal[:10])
        got = f"{number} {moves[number]}" if 0 <= number < len(moves) else str(number)
        got = got if number >= 0 else "a number below 0"
        return IllegalMoveError(
            f"action of role {self.roles[role]} in state {row}: expected a legal one "
            f"({known}{', ...' if len(legal) > 10 else ''}), got {got}"
        )
