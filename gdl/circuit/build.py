"""Turn the rules of a ground program into gates.

An atom is the OR of its rules, and a rule is the AND of its literals. An OR is built as an AND with
complemented edges. Atoms that define each other are strongly connected components. Small components
are unrolled. The atoms of larger ones become feedback nodes, which are evaluated to their least
fixpoint.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gdl.circuit.and_gates import FULL, ZERO, GateTable, contents, make_and, new_table
from gdl.circuit.components import Definitions, GateComponents, components, definitions
from gdl.circuit.netlist import NO, YES, ByteArray, IntArray, Netlist
from gdl.circuit.passes.cone import drop_unused
from gdl.errors import EvaluationLimitError, UnstratifiedError
from gdl.ground.program import TRUE, GroundProgram
from gdl.native.jit import lane_kernel

UNROLLED = 10  # size of the largest component that is unrolled; others become feedback
ROOM = (1, 8, 64)  # sizes of the table to try, as multiples of the number of gates in the rules

_DONE = -1
_NO_ROOM = -2
_UNKNOWN = -1  # literal of an atom that is not built yet

_POSITIVELY = 1  # how a gate depends on feedback nodes
_NEGATIVELY = 2


def build(program: GroundProgram) -> Netlist:
    """Return the netlist of a ground program, with only those gates that something depends on.

    Raises:
        UnstratifiedError: An atom depends on its own negation within a state.
        EvaluationLimitError: Unrolling the recursion takes too many gates.
    """
    num_sources = 1 + len(program.bases) + len(program.inputs)
    roots = _roots(program)
    atoms = max(num_sources, *(int(np.abs(x).max(initial=0)) + 1 for x in _atoms(program)))
    defined = definitions(atoms, program.heads, program.offsets, program.literals)
    groups = _by_number(components(defined, num_sources, roots))
    sizes = np.diff(groups.starts)
    num_feedback = int(sizes[sizes > UNROLLED].sum())
    for room in ROOM:
        table = _new_table(defined, groups, num_sources + num_feedback, room)
        literal_of = np.full(atoms, NO, np.int32)
        literal_of[groups.atoms] = _UNKNOWN
        literal_of[:num_sources] = 2 * np.arange(num_sources)
        feedback = np.full(num_feedback, NO, np.int32)
        work = _new_work(defined, literal_of, feedback, table)
        status = _build_all(groups, work)
        if status >= 0:
            raise UnstratifiedError(
                f"the rules are not stratified: atom {status} of the ground rules depends "
                "on its own negation"
            )
        if status == _DONE:
            return drop_unused(_netlist(program, literal_of, feedback, table))
    raise EvaluationLimitError("the rules cannot be compiled: their recursion needs too many gates")


def _by_number(groups: GateComponents) -> GateComponents:
    """Sort the atoms of each feedback group by number.

    The grounder numbers atoms in the order in which it derives them from each other. If they are
    evaluated in the same order, they settle quickly.
    """
    sizes = np.diff(groups.starts)
    places = np.arange(len(groups.atoms))
    key = np.where(np.repeat(sizes, sizes) > UNROLLED, groups.atoms, places)
    return groups._replace(
        atoms=groups.atoms[np.lexsort((key, np.repeat(places[: len(sizes)], sizes)))]
    )


def _atoms(program: GroundProgram) -> tuple[IntArray, ...]:
    return program.heads, program.literals, _roots(program)


def _roots(program: GroundProgram) -> IntArray:
    named = [program.terminal, *(g for _, _, g in program.goals), *(s for _, _, s in program.sees)]
    roots = np.concatenate([program.next, program.legal, np.array(named, np.int32)])
    return np.unique(roots[roots > 0]).astype(np.int32)


def _new_table(
    defined: Definitions, groups: GateComponents, first_gate: int, room: int
) -> GateTable:
    sizes = np.diff(groups.starts)
    times = np.repeat(np.where(sizes <= UNROLLED, sizes, 1), sizes)
    rules = defined.rules[groups.atoms + 1] - defined.rules[groups.atoms]
    first = defined.offsets[defined.rules[groups.atoms]]
    literals = defined.offsets[defined.rules[groups.atoms + 1]] - first
    num_gates = int(((rules + 1) * times).sum())
    return new_table(first_gate, room * num_gates, room * int(((rules + literals) * times).sum()))


def _netlist(
    program: GroundProgram, literal_of: IntArray, feedback: IntArray, table: GateTable
) -> Netlist:
    def literal(atom: int) -> int:
        return YES if atom == TRUE else int(literal_of[atom])

    def literals(atoms: IntArray) -> IntArray:
        return np.where(atoms == TRUE, YES, literal_of[np.maximum(atoms, 0)]).astype(np.int32)

    offsets, gate_literals = contents(table)
    return Netlist(
        roles=program.roles,
        bases=program.bases,
        inputs=program.inputs,
        init=program.init,
        offsets=offsets,
        literals=gate_literals,
        next=literals(program.next),
        legal=literals(program.legal),
        terminal=literal(program.terminal),
        goals=tuple((role, value, literal(atom)) for role, value, atom in program.goals),
        sees=tuple((role, percept, literal(atom)) for role, percept, atom in program.sees),
        feedback=feedback,
    )


class Work(NamedTuple):
    """Data of the kernels that build gates."""

    defined: Definitions
    literal_of: IntArray  # [A] the literal of each atom, or _UNKNOWN
    feedback: IntArray  # [F] literals that define the feedback nodes
    table: GateTable
    buffers: IntArray  # [2, largest number of literals of an atom]
    dependence: ByteArray  # [nodes] how each node depends on feedback, as bits
    group_of: IntArray  # [A]


def _new_work(
    defined: Definitions, literal_of: IntArray, feedback: IntArray, table: GateTable
) -> Work:
    first_gate = int(table.sizes[1])
    dependence = np.zeros(len(table.offsets) + first_gate, np.uint8)
    dependence[first_gate - len(feedback) : first_gate] = _POSITIVELY
    return Work(
        defined=defined,
        literal_of=literal_of,
        feedback=feedback,
        table=table,
        buffers=np.empty((2, len(defined.literals) + len(defined.offsets) + 1), np.int32),
        dependence=dependence,
        group_of=np.full(len(literal_of), -1, np.int32),
    )


# These kernels create no arrays and assign no slices, because numba takes seconds to compile that.


@lane_kernel
def _build_all(groups: GateComponents, work: Work) -> int:
    """Build all groups. Return _DONE, _NO_ROOM, or an atom that depends on its own negation."""
    table, feedback, dependence = work.table, work.feedback, work.dependence
    num_feedback, marked = ZERO, ZERO
    for group in range(len(groups.starts) - 1):
        atoms = groups.atoms[groups.starts[group] : groups.starts[group + 1]]
        for atom in atoms:
            work.group_of[atom] = group
        culprit = _negates_itself(work.defined, atoms, work.group_of, group)
        if culprit >= 0:
            return culprit
        before = num_feedback
        if len(atoms) > UNROLLED:
            num_feedback = _feed_back(work, atoms, before)
            if num_feedback < 0:
                return _NO_ROOM
            marked = _mark_dependence(table, dependence, marked)
            if not _is_negative(feedback[before:num_feedback], dependence):
                continue
            # Feedback has a unique least fixpoint only if no node depends on the negation of
            # another. In this group one does, so it has to be unrolled despite its size.
            for k in range(before, num_feedback):
                feedback[k] = 0
            num_feedback = before
        if not _unroll(work, atoms):
            return _NO_ROOM
        if num_feedback > 0:
            marked = _mark_dependence(table, dependence, marked)
    return _DONE


@lane_kernel
def _negates_itself(defined: Definitions, atoms: IntArray, group_of: IntArray, group: int) -> int:
    """Return an atom that depends on the negation of an atom of its group, or -1."""
    for atom in atoms:
        start, end = defined.offsets[defined.rules[atom]], defined.offsets[defined.rules[atom + 1]]
        for k in range(start, end):
            if defined.literals[k] < 0 and group_of[-defined.literals[k]] == group:
                return int(atom)
    return -1


@lane_kernel
def _build_atom(work: Work, atom: int) -> int:
    defined, body, alternatives = work.defined, work.buffers[0], work.buffers[1]
    size = ZERO
    for rule in range(defined.rules[atom], defined.rules[atom + 1]):
        length = ZERO
        for k in range(defined.offsets[rule], defined.offsets[rule + 1]):
            literal = defined.literals[k]
            body[length] = work.literal_of[abs(literal)] ^ (1 if literal < 0 else 0)
            length += 1
        made = make_and(work.table, body, length)
        if made == FULL:
            return FULL
        alternatives[size] = made ^ 1
        size += 1
    made = make_and(work.table, alternatives, size)
    return FULL if made == FULL else made ^ 1


@lane_kernel
def _unroll(work: Work, atoms: IntArray) -> bool:
    """Build the atoms of a group again and again, at first from false, until nothing changes.

    Return whether the table had room for the gates.
    """
    for atom in atoms:
        work.literal_of[atom] = 0
    for _ in range(len(atoms)):
        changed = False
        for atom in atoms:
            made = _build_atom(work, atom)
            if made == FULL:
                return False
            changed = changed or made != work.literal_of[atom]
            work.literal_of[atom] = made
        if not changed:
            break
    return True


@lane_kernel
def _feed_back(work: Work, atoms: IntArray, before: int) -> int:
    """Build a group with a feedback node for each atom.

    Return the number of feedback nodes so far, or -1 if the table had no room for the gates.
    """
    first = work.table.sizes[1] - len(work.feedback) + before
    for i in range(len(atoms)):
        work.literal_of[atoms[i]] = 2 * (first + i)
    for i in range(len(atoms)):
        made = _build_atom(work, atoms[i])
        if made == FULL:
            return -1
        work.feedback[before + i] = made
    return before + len(atoms)


@lane_kernel
def _mark_dependence(table: GateTable, dependence: ByteArray, marked: int) -> int:
    for gate in range(marked, table.sizes[0]):
        found = 0
        for k in range(table.offsets[gate], table.offsets[gate + 1]):
            literal = table.literals[k]
            how = dependence[literal >> 1]
            if literal & 1:
                how = (how >> 1) | ((how & 1) << 1)
            found |= how
        dependence[table.sizes[1] + gate] = found
    return int(table.sizes[0])


@lane_kernel
def _is_negative(literals: IntArray, dependence: ByteArray) -> bool:
    for literal in literals:
        how = dependence[literal >> 1]
        if how & (_POSITIVELY if literal & 1 else _NEGATIVELY):
            return True
    return False
