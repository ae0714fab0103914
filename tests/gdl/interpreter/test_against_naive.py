"""The interpreter agrees with the slow, obvious evaluation on random rules."""

from __future__ import annotations

import random

import pytest

import gdl
from gdl.terms import Compound, Constant, Term
from tests.gdl.interpreter import naive
from tests.thorough import all_but

CONSTANTS = ("a", "b", "c")
VARIABLES = ("?x", "?y", "?z")
NUM_LAYERS = 3


class RuleMaker:
    """Random safe, stratified rules: a relation may use its own layer, and negate lower ones."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)

    def rulesheet(self) -> str:
        """A rulesheet over the constants, with facts of the state and two roles' moves."""
        lines = ["(role a)", "(role b)"]
        for layer in range(NUM_LAYERS):
            for index in range(2):
                name = f"p{layer}{index}"
                lines += [self.fact(name, index + 1) for _ in range(self.rng.randrange(3))]
                lines += [
                    self.rule(name, index + 1, layer) for _ in range(self.rng.randrange(1, 4))
                ]
        return "\n".join(lines)

    def fact(self, name: str, arity: int) -> str:
        """A ground fact."""
        return f"({name} {' '.join(self.rng.choice(CONSTANTS) for _ in range(arity))})"

    def term(self, names: tuple[str, ...] = VARIABLES) -> str:
        """A variable, or now and then a constant."""
        return self.rng.choice(CONSTANTS) if self.rng.random() < 0.25 else self.rng.choice(names)

    def positive(self, layer: int) -> str:
        """A literal that gives values to its variables."""
        kind = self.rng.randrange(4)
        if kind == 0:
            return f"(true (f {self.term()} {self.term()}))"
        if kind == 1:
            return f"(does {self.term()} (m {self.term()}))"
        index = self.rng.randrange(2)
        args = " ".join(self.term() for _ in range(index + 1))
        return f"(p{self.rng.randrange(layer + 1)}{index} {args})"

    def test(self, layer: int, names: tuple[str, ...]) -> str:
        """A comparison, negation or disjunction over variables that have values."""
        kind = self.rng.randrange(4 if layer else 3)
        left, right = self.term(names), self.term(names)
        if kind == 0:
            return f"(distinct {left} {right})"
        if kind == 1:
            return f"(or (not (true (f {left} {right}))) (not (distinct {left} {right})))"
        if kind == 2:
            return f"(not (does {left} (m {right})))"
        return f"(not (p{self.rng.randrange(layer)}1 {left} {right}))"

    def rule(self, name: str, arity: int, layer: int) -> str:
        """A safe rule: literals first, then tests and a head over their variables."""
        body = [self.positive(layer) for _ in range(self.rng.randrange(1, 4))]
        if self.rng.random() < 0.4:
            name_twice = self.rng.choice(VARIABLES)
            body.append(f"(or (true (f {name_twice} a)) (and (p01 b {name_twice}) (p00 ?z)))")
        bound = tuple(v for v in VARIABLES if any(v in item for item in body if "(or" not in item))
        if bound:
            body += [self.test(layer, bound) for _ in range(self.rng.randrange(3))]
            self.rng.shuffle(body)
        head = " ".join(self.term(bound) if bound else "a" for _ in range(arity))
        return f"(<= ({name} {head}) {' '.join(body)})"

    def state(self) -> list[Term]:
        """A few facts of the state."""
        return [
            Compound(
                "f", (Constant(self.rng.choice(CONSTANTS)), Constant(self.rng.choice(CONSTANTS)))
            )
            for _ in range(self.rng.randrange(5))
        ]

    def moves(self) -> list[Term]:
        """A move for each of the two roles."""
        return [Compound("m", (Constant(self.rng.choice(CONSTANTS)),)) for _ in range(2)]


@pytest.mark.parametrize("seed", all_but(range(12), range(60)))
def test_interpreter_agrees_with_naive_model(seed: int) -> None:
    """Whatever is asked, with whichever arguments known, the answers are those of the model."""
    maker = RuleMaker(seed)
    rules = gdl.read_kif(maker.rulesheet(), f"seed{seed}")
    facts, moves = maker.state(), maker.moves()
    machine = gdl.Interpreter(rules)
    wanted = naive.model(rules, facts, dict(zip(rules.roles, moves, strict=True)))

    for layer in range(NUM_LAYERS):
        for index in range(2):
            name = f"p{layer}{index}"
            arity = index + 1
            found = machine.holding(name, arity, machine.state_of(facts), moves)

            expected = {atom for atom in wanted if isinstance(atom, Compound) and atom.name == name}
            assert set(found) == expected, f"{name} of {rules}"
