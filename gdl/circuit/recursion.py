"""Which atoms of a ground program define each other: strongly connected components."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gdl.circuit.native.jit import kernel
from gdl.circuit.table import ZERO

IntArray = NDArray[np.int32]


class Definitions(NamedTuple):
    """The rules of a ground program, those of an atom side by side. `A` atoms, `R` rules."""

    rules: IntArray  # [A + 1] the rules of atom a are rules[a] up to rules[a + 1]
    offsets: IntArray  # [R + 1] where the literals of each rule begin
    literals: IntArray


class GateComponents(NamedTuple):
    """Atoms in groups that define each other; what a group needs comes before it."""

    atoms: IntArray  # those that the roots need, by group
    starts: IntArray  # [C + 1] where each group begins in `atoms`


def definitions(
    num_atoms: int, heads: IntArray, offsets: IntArray, literals: IntArray
) -> Definitions:
    """The rules sorted by the atom that they define."""
    order = np.argsort(heads, kind="stable")
    lengths = np.diff(offsets)[order]
    sorted_offsets = np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths)])
    moved = np.repeat(offsets[:-1][order] - sorted_offsets[:-1], lengths)
    counts = np.bincount(heads, minlength=num_atoms)
    return Definitions(
        rules=np.concatenate([np.zeros(1, np.int64), np.cumsum(counts)]).astype(np.int32),
        offsets=sorted_offsets.astype(np.int32),
        literals=literals[moved + np.arange(len(literals))].astype(np.int32),
    )


def components(defined: Definitions, first_atom: int, roots: IntArray) -> GateComponents:
    """The groups of atoms that the roots depend on, by Tarjan's algorithm.

    Args:
        defined: The rules.
        first_atom: Atoms below it are not defined by rules and are in no group.
        roots: Atoms.
    """
    num_atoms = len(defined.rules) - 1
    search = ComponentSearch(*(np.zeros(num_atoms + 1, np.int32) for _ in range(8)))
    found = _find(defined, first_atom, roots.astype(np.int32), search)
    starts = search.starts[: found + 1].copy()
    atoms = search.atoms[: starts[found]].copy()
    # Within a group an atom comes after all it needs but its callers, so few are used unknown.
    group = np.repeat(np.arange(found), np.diff(starts))
    return GateComponents(atoms[np.lexsort((search.left[atoms], group))], starts)


class ComponentSearch(NamedTuple):
    """State of Tarjan's algorithm on its way; each array is `[A + 1]`."""

    entered: IntArray  # when each atom was entered, from 1; 0: not yet; negative: closed
    left: IntArray  # when each atom was left
    lowest: IntArray  # the earliest open atom that each can reach, by its time
    open_atoms: IntArray  # those whose group is not known yet, by time
    path: IntArray  # from the root to the atom where the search is
    place: IntArray  # next literal of each atom on the path
    atoms: IntArray  # see Components
    starts: IntArray  # see Components


@kernel
def _find(defined: Definitions, first_atom: int, roots: IntArray, search: ComponentSearch) -> int:
    """Fill a search; the number of groups."""
    path, place, entered = search.path, search.place, search.entered
    times = np.zeros(4, np.int32)  # atoms entered, left, open; groups
    for root in roots:
        if root < first_atom or entered[root] != 0:
            continue
        depth = ZERO
        path[0] = root
        while depth >= 0:
            atom = path[depth]
            if entered[atom] == 0:
                times[0] += 1
                entered[atom] = times[0]
                search.lowest[atom] = times[0]
                search.open_atoms[times[2]] = atom
                times[2] += 1
                place[depth] = defined.offsets[defined.rules[atom]]
            unseen = _look_around(defined, first_atom, search, depth)
            if unseen >= 0:
                depth += 1
                path[depth] = unseen
                continue
            _leave(search, atom, times)
            depth -= 1
            if depth >= 0:
                above = path[depth]
                search.lowest[above] = min(search.lowest[above], search.lowest[atom])
    return int(times[3])


@kernel
def _look_around(defined: Definitions, first_atom: int, search: ComponentSearch, depth: int) -> int:
    """The next atom not entered yet that the last one on the path depends on, or -1."""
    atom = search.path[depth]
    for k in range(search.place[depth], defined.offsets[defined.rules[atom + 1]]):
        other = abs(defined.literals[k])
        if other < first_atom:
            continue
        if search.entered[other] == 0:
            search.place[depth] = k
            return int(other)
        if search.entered[other] > 0:  # still open: a closed atom is entered at a negative time
            search.lowest[atom] = min(search.lowest[atom], search.entered[other])
    return -1


@kernel
def _leave(search: ComponentSearch, atom: int, times: IntArray) -> None:
    """Leave an atom; if it cannot reach an earlier one, the open ones since are its group."""
    times[1] += 1
    search.left[atom] = times[1]
    if search.lowest[atom] != search.entered[atom]:
        return
    end = search.starts[times[3]]
    other = -1
    while other != atom:
        times[2] -= 1
        other = search.open_atoms[times[2]]
        search.entered[other] = -search.entered[other]
        search.atoms[end] = other
        end += 1
    times[3] += 1
    search.starts[times[3]] = end
