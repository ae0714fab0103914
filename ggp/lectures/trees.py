"""Game trees written by hand, and the rulesheets that turn them into games.

Every search plays a rulesheet, so a tree of a lecture has to become one. Each node is a state, its
children are reached by the moves of the role whose turn it is, and the value of a leaf is a goal.

    >>> tree = tree_of("(A B=3 C=5)")
    >>> rules = rulesheet(tree, Scale(0, 10), ("max", "min"))
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

import gdl

MAX, MIN = "max", "min"


@dataclass(frozen=True, slots=True)
class Tree:
    """A node with a name that is unique in the tree."""

    name: str
    children: tuple[Tree, ...] = ()
    value: int = 0
    """For a leaf: the utility for the maximizing role, in the lecture's units."""
    is_given: bool = True
    """For a leaf: whether the lecture's text gives its value. Otherwise the value is our own."""

    def walk(self, depth: int = 0) -> Iterator[tuple[Tree, int]]:
        """Yield all nodes with their depth, parents before children."""
        yield self, depth
        for child in self.children:
            yield from child.walk(depth + 1)


def tree_of(written: str) -> Tree:
    """Read a tree in which `(A B=3 C=5?)` is a node with two leaves.

    A question mark stands for a value of our own, because the lecture's text gives none.
    """
    [tree] = _trees(iter(re.findall(r"[()]|[^\s()]+", written)))
    return tree


def _trees(words: Iterator[str]) -> Iterator[Tree]:
    """Yield the trees up to the closing parenthesis or the end."""
    for word in words:
        if word == ")":
            return
        if word == "(":
            yield Tree(next(words), tuple(_trees(words)))
        else:
            name, _, value = word.partition("=")
            yield Tree(name, value=int(value.rstrip("?")), is_given=not value.endswith("?"))


@dataclass(frozen=True, slots=True)
class Scale:
    """Conversion of a lecture's values to goals: `low` becomes goal 0, and `high` goal 100."""

    low: int
    high: int

    def goal(self, value: int) -> int:
        """Return the goal for a value.

        Raises:
            ValueError: The value is outside the scale, or would not be an integer goal.
        """
        found = Fraction(100 * (value - self.low), self.high - self.low)
        if found.denominator != 1 or not 0 <= found <= 100:
            raise ValueError(
                f"expected a value that stands for a whole goal from 0 to 100 on {self}, "
                f"got: {value}"
            )
        return int(found)

    def value(self, goal: float) -> float:
        """Return the value for a goal."""
        return self.low + goal * (self.high - self.low) / 100

    def written(self, goal: float) -> str:
        """Return the value for a goal, which may be infinite, without unnecessary decimals."""
        if goal in {float("inf"), float("-inf")}:
            return "∞" if goal > 0 else "-∞"
        return f"{self.value(goal):g}"


def rulesheet(tree: Tree, scale: Scale, movers: Sequence[str], name: str = "tree") -> gdl.Rulesheet:
    """Create a game from a tree. The roles move in turn, and the first one moves at the root.

    The first role gets the goal for the value of the leaf, and every other role the rest to 100.
    Moves have the names of the nodes that they lead to.
    """
    return gdl.read_kif(text(tree, scale, movers), name)


def text(tree: Tree, scale: Scale, movers: Sequence[str]) -> str:
    """Return the rulesheet of a tree as KIF, as described in `rulesheet`."""
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
"""Rules that are the same for all trees."""


def name_of(machine: gdl.StateMachine, state: gdl.State) -> str:
    """Return the name of the node that a state of a game from `rulesheet` stands for."""
    [fact] = machine.facts(state)
    return str(fact)[len("(at ") : -1]
