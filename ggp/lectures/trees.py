"""Game trees written down by hand, and the rulesheets that make games of them.

Every search here plays a rulesheet, so a tree of a lecture becomes one: a node is a state, its
children are the moves of the role whose turn it is, and the value of a leaf is a goal.

    >>> tree = node("A", leaf("B", 3), leaf("C", 5))
    >>> rules = rulesheet(tree, Scale(0, 10), ("max", "min"))
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

import gdl

MAX, MIN = "max", "min"


@dataclass(frozen=True, slots=True)
class Tree:
    """A node with a name that no other node of the tree has."""

    name: str
    children: tuple[Tree, ...] = ()
    value: int = 0
    """Of a leaf: the utility to the maximizing role, in the lecture's units."""
    is_given: bool = True
    """Of a leaf: whether the lecture's text says its value; else ours stands in for it."""

    def walk(self, depth: int = 0) -> Iterator[tuple[Tree, int]]:
        """All nodes with their depth, parents before children."""
        yield self, depth
        for child in self.children:
            yield from child.walk(depth + 1)


def node(name: str, *children: Tree) -> Tree:
    """A node at which somebody decides."""
    return Tree(name, children)


def leaf(name: str, value: int) -> Tree:
    """An end of the game with a value from the lecture."""
    return Tree(name, value=value)


def guess(name: str, value: int) -> Tree:
    """An end of the game whose value the lecture's text does not tell; ours stands in."""
    return Tree(name, value=value, is_given=False)


@dataclass(frozen=True, slots=True)
class Scale:
    """Conversion of a lecture's values to goals: `low` is goal 0, `high` is goal 100."""

    low: int
    high: int

    def goal(self, value: int) -> int:
        """The goal for a value.

        Raises:
            ValueError: The value is outside the scale, or falls between two goals.
        """
        found = Fraction(100 * (value - self.low), self.high - self.low)
        if found.denominator != 1 or not 0 <= found <= 100:
            raise ValueError(f"expected a value that is a goal on {self}, got: {value}")
        return int(found)

    def value(self, goal: float) -> float:
        """The value that a goal stands for."""
        return self.low + goal * (self.high - self.low) / 100

    def written(self, goal: float) -> str:
        """The same as text, without needless decimals; infinite where a bound is."""
        if goal in {float("inf"), float("-inf")}:
            return "∞" if goal > 0 else "-∞"
        return f"{self.value(goal):g}"


def rulesheet(tree: Tree, scale: Scale, movers: Sequence[str], name: str = "tree") -> gdl.Rulesheet:
    """The tree as a game: the roles move in turn, the first of them from the root.

    The first role gets the goal that the value of the leaf stands for, every other what is missing
    to 100. Moves have the names of the nodes that they lead to.
    """
    return gdl.read_kif(text(tree, scale, movers), name)


def text(tree: Tree, scale: Scale, movers: Sequence[str]) -> str:
    """The rulesheet of a tree as KIF; see `rulesheet`."""
    lines = [f"(role {role})" for role in dict.fromkeys(movers)]
    lines += [f"(init (at {tree.name}))", f"(base (at {tree.name}))"]
    for place, depth in tree.walk():
        if place.children:
            lines.append(f"(turn {place.name} {movers[depth % len(movers)]})")
            lines.extend(f"(child {place.name} {child.name})" for child in place.children)
        else:
            goal = scale.goal(place.value)
            lines.append(f"(worth {place.name} {movers[0]} {goal})")
            others = [role for role in dict.fromkeys(movers) if role != movers[0]]
            lines.extend(f"(worth {place.name} {role} {100 - goal})" for role in others)
    return "\n".join(lines) + RULES


RULES = """
(<= (base (at ?node)) (child ?parent ?node))
(<= (input ?role ?node) (turn ?parent ?role) (child ?parent ?node))
(<= (input ?role noop) (role ?role))
(<= (legal ?role ?node) (true (at ?parent)) (turn ?parent ?role) (child ?parent ?node))
(<= (legal ?role noop) (role ?role) (true (at ?node)) (not (turn ?node ?role)))
(<= (next (at ?node)) (does ?role ?node) (true (at ?parent)) (child ?parent ?node))
(<= terminal (true (at ?node)) (worth ?node ?role ?goal))
(<= (goal ?role ?goal) (true (at ?node)) (worth ?node ?role ?goal))
"""
"""Rules that hold for every tree."""


def name_of(machine: gdl.StateMachine, state: gdl.State) -> str:
    """The name of the node that a state of such a game is."""
    [fact] = machine.facts(state)
    return str(fact)[len("(at ") : -1]
