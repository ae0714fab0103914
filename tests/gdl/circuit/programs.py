"""Small ground programs made by hand, and their plain meaning."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from gdl.circuit import Netlist
from gdl.circuit.netlist import BoolArray, literal_values
from gdl.ground.program import FALSE, TRUE, GroundProgram
from gdl.terms import Compound, Constant
from tests.fakes.netlists import evaluate


@dataclass
class Rules:
    """Rules over named atoms; a name that begins with `-` is a negated literal.

    Bases, inputs and what follows from them are told apart by their names: `next X` defines the
    next value of base X, `legal R M` and `does R M` belong to the inputs, `goal R V`, `terminal`.
    """

    roles: Sequence[str]
    bases: Sequence[str]
    inputs: Sequence[tuple[int, str]]
    init: Iterable[str] = ()
    facts: Iterable[str] = ()
    rules: list[tuple[str, tuple[str, ...]]] = field(default_factory=list)

    def add(self, head: str, *body: str) -> None:
        """Another rule."""
        self.rules.append((head, body))

    def program(self) -> GroundProgram:
        """The ground program of these rules."""
        number = {name: 1 + k for k, name in enumerate(self.bases)}
        for k, (role, move) in enumerate(self.inputs):
            number[f"does {self.roles[role]} {move}"] = 1 + len(self.bases) + k
        for head, _ in self.rules:
            number.setdefault(head, 1 + len(number))

        def atom(name: str) -> int:
            return TRUE if name in set(self.facts) else number.get(name, FALSE)

        def literal(name: str) -> int:
            return -number[name[1:]] if name.startswith("-") else number[name]

        goals = [
            (role, value, atom(f"goal {name} {value}"))
            for role, name in enumerate(self.roles)
            for value in (0, 50, 100)
        ]
        bodies = [[literal(name) for name in body] for _, body in self.rules]
        legal = [atom(f"legal {self.roles[role]} {move}") for role, move in self.inputs]
        return GroundProgram(
            roles=tuple(Constant(role) for role in self.roles),
            bases=tuple(Compound(name, (Constant("a"),)) for name in self.bases),
            inputs=tuple((role, Constant(move)) for role, move in self.inputs),
            init=np.array([base in set(self.init) for base in self.bases]),
            heads=np.array([number[head] for head, _ in self.rules], np.int32),
            offsets=np.cumsum([0, *(len(body) for body in bodies)]).astype(np.int32),
            literals=np.array([x for body in bodies for x in body], np.int32),
            next=np.array([atom(f"next {base}") for base in self.bases], np.int32),
            legal=np.array(legal, np.int32),
            terminal=atom("terminal"),
            goals=tuple(goal for goal in goals if goal[2] != FALSE),
        )


def lights() -> GroundProgram:
    """Two roles press or wait; three lights, a base that never changes and one that never holds."""
    rules = Rules(
        roles=("ann", "bob"),
        bases=("p", "q", "r", "always", "never", "turn_ann", "turn_bob"),
        inputs=((0, "press_p"), (0, "press_q"), (0, "wait"), (1, "press_r"), (1, "wait")),
        init=("always", "turn_ann"),
        facts=("goal bob 50",),
    )
    rules.add("next p", "p", "-does ann press_p")
    rules.add("next p", "-p", "does ann press_p", "always")
    rules.add("next q", "q", "-does ann press_q")
    rules.add("next q", "-q", "does ann press_q")
    rules.add("next r", "does bob press_r", "turn_bob")
    rules.add("next r", "r", "does bob wait")
    rules.add("next always", "always")
    rules.add("next never", "never", "p")
    rules.add("next turn_ann", "turn_bob")
    rules.add("next turn_bob", "turn_ann")
    for move in ("press_p", "press_q"):
        rules.add(f"legal ann {move}", "turn_ann", "always", "-never")
    rules.add("legal ann wait", "turn_bob")
    rules.add("legal bob press_r", "turn_bob", "p")
    rules.add("legal bob wait")
    rules.add("all", "p", "q", "r")
    rules.add("terminal", "all")
    rules.add("terminal", "never")
    rules.add("goal ann 100", "all")
    rules.add("goal ann 50", "-all", "p")
    rules.add("goal ann 0", "-all", "-p")
    return rules.program()


def grid(size: int, *, walls_after: bool = False) -> GroundProgram:
    """A role puts stones on a grid; cells are reached from the first one, step by step.

    With `walls_after`, a second recursion runs over the cells that the first does not reach.
    """
    cells = list(itertools.product(range(size), repeat=2))
    bases = [f"stone_{x}_{y}" for x, y in cells]
    moves = [f"put_{x}_{y}" for x, y in cells]
    rules = Rules(("me",), bases, [(0, move) for move in moves], init=bases[:1])
    for (x, y), base, move in zip(cells, bases, moves, strict=True):
        rules.add(f"next {base}", base)
        rules.add(f"next {base}", f"does me {move}")
        rules.add(f"legal me {move}", f"-{base}")
        around = [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]
        for i, j in [cell for cell in around if cell in cells]:
            rules.add(f"reached {x} {y}", f"reached {i} {j}", base)
            if walls_after:
                rules.add(f"cut {x} {y}", f"cut {i} {j}", f"-reached {x} {y}")
    rules.add("reached 0 0", bases[0])
    rules.add(f"cut {size - 1} {size - 1}", f"-reached {size - 1} {size - 1}")
    rules.add("terminal", f"reached {size - 1} {size - 1}")
    rules.add("terminal", *bases)
    rules.add("goal me 100", "terminal")
    rules.add("goal me 50", "-terminal", "cut 0 1" if walls_after else bases[-1])
    return rules.program()


PROGRAMS = {
    "lights": lights(),
    "small recursion": grid(3),
    "large recursion": grid(4),
    "recursion after recursion": grid(3, walls_after=True),
}


def states(
    num_bases: int, num_inputs: int, num_states: int, seed: int = 1
) -> tuple[BoolArray, BoolArray]:
    """Random bases and inputs, reachable or not, sparse and dense."""
    rng = np.random.default_rng(seed)
    density = rng.random((num_states, 1))
    bases = rng.random((num_states, num_bases)) < density
    return bases, rng.random((num_states, num_inputs)) < 0.3


def model(program: GroundProgram, bases: BoolArray, inputs: BoolArray) -> BoolArray:
    """`[N, atoms]` what holds in states, by the rules themselves.

    Atoms are added until no more follow, those that a negation speaks of first: the rounds are
    repeated with what was found as the meaning of the negations, until that does not change.
    """
    num_sources = 1 + len(program.bases) + len(program.inputs)
    num_atoms = 1 + max(num_sources, int(np.abs(program.literals).max()), int(program.heads.max()))
    found = np.zeros((len(bases), num_atoms), np.bool_)
    for _ in range(10):
        true = np.zeros_like(found)
        true[:, 1 : 1 + len(program.bases)] = bases
        true[:, 1 + len(program.bases) : num_sources] = inputs
        while not (true == (true := _once(program, true, found))).all():
            pass
        if (true == found).all():
            return found
        found = true
    raise AssertionError("the program is not stratified")


def _once(program: GroundProgram, true: BoolArray, negated: BoolArray) -> BoolArray:
    result = true.copy()
    for head, start, end in zip(
        program.heads, program.offsets[:-1], program.offsets[1:], strict=True
    ):
        body = program.literals[start:end]
        holds = true[:, body[body > 0]].all(axis=1) & ~negated[:, -body[body < 0]].any(axis=1)
        result[:, head] |= holds
    return result


def program_outputs(program: GroundProgram, bases: BoolArray, inputs: BoolArray) -> BoolArray:
    """`[N, outputs]` next, legal, terminal and goals by the rules themselves."""
    atoms = np.concatenate(
        [program.next, program.legal, [program.terminal], [goal for _, _, goal in program.goals]]
    ).astype(np.int32)
    holds = model(program, bases, inputs)[:, np.maximum(atoms, 0)]
    return np.asarray(holds | (atoms == TRUE))


def netlist_outputs(netlist: Netlist, bases: BoolArray, inputs: BoolArray) -> BoolArray:
    """`[N, outputs]` next, legal, terminal and goals of a netlist."""
    literals = np.concatenate(
        [netlist.next, netlist.legal, [netlist.terminal], [goal for _, _, goal in netlist.goals]]
    )
    return literal_values(evaluate(netlist, bases, inputs), literals)


def walk(netlist: Netlist, num_states: int, seed: int = 1) -> NDArray[np.bool_]:
    """`[num_states, B]` states that random play reaches, by the slow evaluator."""
    rng = np.random.default_rng(seed)
    state = netlist.init[None]
    reached: list[BoolArray] = []
    while len(reached) < num_states:
        reached.append(state[0])
        idle = np.zeros((1, netlist.num_inputs), np.bool_)
        values = evaluate(netlist, state, idle)
        legal = literal_values(values, netlist.legal)[0]
        starts = netlist.role_starts
        choices = [np.flatnonzero(legal[a:b]) + a for a, b in itertools.pairwise(starts.tolist())]
        is_over = literal_values(values, [netlist.terminal])[0, 0]
        if is_over or not all(len(moves) for moves in choices):
            state = netlist.init[None]
            continue
        idle[0, [rng.choice(moves) for moves in choices]] = True
        state = literal_values(evaluate(netlist, state, idle), netlist.next)
    return np.array(reached)
