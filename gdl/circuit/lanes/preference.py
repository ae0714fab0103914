"""What roles prefer: levels of moves, and the order in which the candidates stand because of them.

preference = make_preference(num_phases, num_roles, width)
order = Order(tables, first_input, preference, width)
order.arrange(levels, shares)
order.choices                          # instead of `tables.choices`

Candidates of a role that all stand in one level are chosen among as ever. Otherwise those of each
level, and of each sign, fill groups; what is left over is *loose* and fills the last groups.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gdl.circuit.lanes.candidates import GROUP, Choices
from gdl.circuit.lanes.tables import Tables, constant_slot
from gdl.circuit.lanes.vectors import LaneArray, lane_array
from gdl.circuit.netlist import IntArray

NUM_LEVELS = 4

# A draw is a number of so many bits; it says down to which level a lane looks.
DRAW_BITS = 6
NUM_DRAWS = 1 << DRAW_BITS

# Of each level and sign fewer than a group can be left over; these fill groups.
MOST_LOOSE = 2 * NUM_LEVELS * (GROUP - 1) // GROUP * GROUP + GROUP


class Preference(NamedTuple):
    """Which moves roles prefer. `P` phases, `R` roles, `K` levels, the first one the best."""

    reach: IntArray  # [K] of all draws, how many reach a level
    is_narrowed: NDArray[np.bool_]  # [P, R] whether a role has candidates of several levels
    whole: IntArray  # [P, R, K + 1] the groups of level k lie between the entries k and k + 1
    loose: IntArray  # [P, R, K + 1] the loose candidates likewise; the last fill up a group
    places: IntArray  # [P, R, MOST_LOOSE] of their legality
    spare: IntArray  # [1] the first of the slots to which loose candidates are copied
    draws: LaneArray  # [DRAW_BITS]


def make_preference(num_phases: int, num_roles: int, width: int) -> Preference:
    """Room for preferences; nothing is preferred."""
    shape = (num_phases, num_roles)
    return Preference(
        reach=np.zeros(NUM_LEVELS, np.int32),
        is_narrowed=np.zeros(shape, np.bool_),
        whole=np.zeros((*shape, NUM_LEVELS + 1), np.int32),
        loose=np.zeros((*shape, NUM_LEVELS + 1), np.int32),
        places=np.zeros((*shape, MOST_LOOSE), np.int32),
        spare=np.zeros(1, np.int32),
        draws=lane_array(DRAW_BITS, width),
    )


class _Members(NamedTuple):
    """The candidates of a role in a phase that has several."""

    phase: int
    role: int
    inputs: IntArray
    legal: IntArray  # in words
    signs: IntArray  # 0 plain, 1 complemented
    does: IntArray  # in words


class Order:
    """The candidates of a game in the order of their levels; kernels read what is written here.

    Attributes:
        choices: The candidates, as for a choice among all.
    """

    def __init__(
        self, tables: Tables, first_input: int, preference: Preference, width: int
    ) -> None:
        """The order of a game in which nothing is preferred.

        Args:
            tables: The game.
            first_input: The slot of the first input.
            preference: Is written.
            width: Words of a lane vector.
        """
        self._plain = plain = tables.choices
        self._preference = preference
        self._width = width
        self._false = constant_slot(tables) * width  # where it is read complemented
        self._nothing = (constant_slot(tables) + 1) * width
        self._spare = tables.num_slots * width
        preference.spare[0] = tables.num_slots
        self.choices = Choices(*(array.copy() for array in plain))
        self._members = [
            self._members_of(phase, role, first_input)
            for phase, role in np.argwhere(plain.sizes > 1).tolist()
        ]

    def _members_of(self, phase: int, role: int, first_input: int) -> _Members:
        plain = self._plain
        first, last = plain.starts[phase, role : role + 2].tolist()
        candidates = slice(first * GROUP, last * GROUP)
        does = plain.does[candidates]
        is_real = does != self._nothing
        return _Members(
            phase=phase,
            role=role,
            inputs=(does // self._width - first_input)[is_real],
            legal=plain.legal[candidates][is_real],
            signs=-np.repeat(plain.signs[first:last], GROUP)[is_real],
            does=does[is_real],
        )

    def arrange(self, levels: NDArray[np.uint8], shares: Sequence[float]) -> None:
        """Put the candidates in the order of their levels.

        Args:
            levels: `[inputs]` of each input.
            shares: `[at most K]` how likely it is that a lane looks down to each level.
        """
        preference = self._preference
        reach = np.zeros(NUM_LEVELS)
        reach[: len(shares)] = np.cumsum(shares[::-1])[::-1]
        preference.reach[:] = np.rint(NUM_DRAWS * reach)
        preference.is_narrowed[:] = False
        members = {(each.phase, each.role): each for each in self._members}
        start = 0
        for phase, role in np.ndindex(*self._plain.sizes.shape):
            self.choices.starts[phase, role] = start
            each = members.get((phase, role))
            if each is None or (levels[each.inputs] == levels[each.inputs[0]]).all():
                start = self._copy(phase, role, start)
            else:
                start = self._sort(each, levels[each.inputs], start)
            self.choices.starts[phase, role + 1] = start

    def _copy(self, phase: int, role: int, start: int) -> int:
        """Let the candidates of a role stand as they do; where the next groups begin."""
        first, last = map(int, self._plain.starts[phase, role : role + 2])
        end = start + last - first
        self.choices.signs[start:end] = self._plain.signs[first:last]
        old, new = slice(first * GROUP, last * GROUP), slice(start * GROUP, end * GROUP)
        self.choices.legal[new] = self._plain.legal[old]
        self.choices.does[new] = self._plain.does[old]
        return end

    def _sort(self, members: _Members, levels: NDArray[np.uint8], start: int) -> int:
        """Sort the candidates of a role by level; where the next groups begin."""
        preference, at = self._preference, (members.phase, members.role)
        kinds = 2 * levels.astype(np.int64) + members.signs
        order = np.argsort(kinds, kind="stable")
        sizes = np.bincount(kinds, minlength=2 * NUM_LEVELS)
        num_groups = sizes // GROUP
        places_in_kind = np.arange(len(order)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        is_loose = places_in_kind >= np.repeat(num_groups * GROUP, sizes)
        whole, loose = order[~is_loose], order[is_loose]
        preference.is_narrowed[at] = True
        preference.whole[at][1:] = np.cumsum(num_groups)[1::2]
        preference.loose[at][1:] = np.cumsum(sizes % GROUP)[1::2]
        num_loose = len(loose) + -len(loose) % GROUP
        preference.loose[at][NUM_LEVELS] = num_loose
        preference.places[at] = 2 * (self._false // self._width) + 1
        preference.places[at][: len(loose)] = (
            2 * (members.legal[loose] // self._width) + members.signs[loose]
        )
        middle = start + len(whole) // GROUP
        end = middle + num_loose // GROUP
        choices = self.choices
        choices.signs[start:middle] = -np.repeat(np.arange(2 * NUM_LEVELS) & 1, num_groups)
        choices.signs[middle:end] = 0
        self._put(choices.legal, start, members.legal[whole])
        self._put(choices.legal, middle, self._spare + np.arange(num_loose) * self._width)
        self._put(choices.does, start, members.does[whole])
        choices.does[middle * GROUP : end * GROUP] = self._nothing
        self._put(choices.does, middle, members.does[loose])
        return end

    @staticmethod
    def _put(table: IntArray, group: int, numbers: NDArray[np.integer]) -> None:
        table[group * GROUP : group * GROUP + len(numbers)] = numbers
