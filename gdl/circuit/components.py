"""Groups of atoms that define each other: strongly connected components of a ground program."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gdl.circuit.and_gates import ZERO
from gdl.circuit.netlist import IntArray
from gdl.native.jit import array_kernel, kernel


class Definitions(NamedTuple):
    """The `R` rules of a ground program, sorted by which of its `A` atoms they define."""

    rules: IntArray  # [A + 1] atom a has the rules from rules[a] to rules[a + 1], exclusive
    offsets: IntArray  # [R + 1] where the literals of each rule begin
    literals: IntArray


class GateComponents(NamedTuple):
    """Atoms in groups that define each other. Each group comes after the groups it needs."""

    atoms: IntArray  # the atoms that the roots need, group by group
    starts: IntArray  # [C + 1] where each group begins in `atoms`


def definitions(
    num_atoms: int, heads: IntArray, offsets: IntArray, literals: IntArray
) -> Definitions:
    """Sort the rules by the atom that they define."""
    counts = np.bincount(heads, minlength=num_atoms)
    rules = np.concatenate([np.zeros(1, np.int64), np.cumsum(counts)]).astype(np.int32)
    order = np.empty(len(heads), np.int32)
    _sort(heads, rules[:-1].copy(), order)
    found = Definitions(rules, np.zeros_like(offsets), np.empty_like(literals))
    _copy_rules(order, offsets, literals, found)
    return found


def components(defined: Definitions, first_atom: int, roots: IntArray) -> GateComponents:
    """Find the groups of atoms that the roots depend on, by Tarjan's algorithm.

    Args:
        first_atom: Atoms with lower numbers are not defined by rules, so they are in no group.
    """
    num_atoms = len(defined.rules) - 1
    search = ComponentSearch(*(np.zeros(num_atoms + 1, np.int32) for _ in range(8)))
    found = _find(defined, first_atom, roots.astype(np.int32), search)
    starts = search.starts[: found + 1].copy()
    atoms = search.atoms[: starts[found]].copy()
    # Within a group, an atom comes after all atoms that it needs, except those that were being
    # visited before it. Thus only a few atoms are used before they are built.
    group = np.repeat(np.arange(found), np.diff(starts))
    return GateComponents(atoms[np.lexsort((search.left[atoms], group))], starts)


class ComponentSearch(NamedTuple):
    """State of Tarjan's algorithm. Each array is `[A + 1]`."""

    entered: IntArray  # when each atom was entered, from 1; 0 if not yet; negative if closed
    left: IntArray  # when each atom was left
    lowest: IntArray  # the entry time of the earliest open atom that each atom can reach
    open_atoms: IntArray  # atoms whose group is not known yet, by entry time
    path: IntArray  # atoms from the root to the current one
    place: IntArray  # next literal of each atom on the path
    atoms: IntArray  # see GateComponents
    starts: IntArray  # see GateComponents


@kernel
def _sort(heads: IntArray, places: IntArray, order: IntArray) -> None:
    for rule in range(len(heads)):
        order[places[heads[rule]]] = rule
        places[heads[rule]] += 1


@kernel
def _copy_rules(order: IntArray, offsets: IntArray, literals: IntArray, found: Definitions) -> None:
    size = 0
    for place in range(len(order)):
        for k in range(offsets[order[place]], offsets[order[place] + 1]):
            found.literals[size] = literals[k]
            size += 1
        found.offsets[place + 1] = size


@array_kernel
def _find(defined: Definitions, first_atom: int, roots: IntArray, search: ComponentSearch) -> int:
    path, place, entered = search.path, search.place, search.entered
    times = np.zeros(4, np.int32)  # numbers of atoms entered, left and open, and of groups
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
    """Return the next unvisited atom that the last atom on the search path depends on, or -1."""
    atom = search.path[depth]
    for k in range(search.place[depth], defined.offsets[defined.rules[atom + 1]]):
        other = abs(defined.literals[k])
        if other < first_atom:
            continue
        if search.entered[other] == 0:
            search.place[depth] = k
            return int(other)
        if search.entered[other] > 0:  # still open, because closed atoms have a negative time
            search.lowest[atom] = min(search.lowest[atom], search.entered[other])
    return -1


@kernel
def _leave(search: ComponentSearch, atom: int, times: IntArray) -> None:
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
