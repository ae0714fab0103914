"""Evaluations of Pac-Man and of the ghost, for states of `pacMan` in which the game goes on.

The lecture has no code for either: Pac-Man's "avoids trouble", the ghost's "seeks Pacman".
Distances are steps through the maze.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

import gdl

Square = tuple[int, int]

COLUMNS, ROWS = 7, 4
TROUBLE_DISTANCE = 5
"""From so many steps on the ghost is no trouble."""
TROUBLE = 0.5
"""Points that each step less costs; a dot brings 8, a step towards it 1."""
SEEKING = 6
"""Points of the ghost for each step that it is nearer to Pac-Man; catching it brings 95 or more."""


@dataclass(frozen=True, slots=True)
class Sight:
    """The squares of all things in a state."""

    pacman: Square
    ghost: Square
    dots: frozenset[Square]
    walls: frozenset[Square]

    def distance(self, start: Square, end: Square) -> int:
        """Steps from one square to another."""
        return distances(start, self.walls)[end]


def look(facts: Iterable[gdl.Term]) -> Sight:
    """Find the squares of all things among the facts of a state."""
    things: dict[str, set[Square]] = {"wall": set(), "dot": set(), "pacman": set(), "ghost": set()}
    for fact in facts:
        if isinstance(fact, gdl.Compound) and fact.name == "cell":
            column, row, thing = map(str, fact.args)
            things[thing].add((int(column), int(row)))
    [pacman], [ghost] = things["pacman"], things["ghost"]
    return Sight(pacman, ghost, frozenset(things["dot"]), frozenset(things["wall"]))


def drawn(sight: Sight) -> tuple[str, ...]:
    """The maze as lines, the upper row first: `#` wall, `.` dot, `P` and `G`."""
    signs = dict.fromkeys(sight.walls, "#") | dict.fromkeys(sight.dots, ".")
    signs |= {sight.ghost: "G", sight.pacman: "P"}
    return tuple(
        " ".join(signs.get((column, row), " ") for column in range(1, COLUMNS + 1)).rstrip()
        for row in range(ROWS, 0, -1)
    )


@cache
def distances(start: Square, walls: frozenset[Square]) -> dict[Square, int]:
    """Steps from a square to every other that can be reached."""
    found = {start: 0}
    waiting = [start]
    for column, row in waiting:
        for step in ((column + 1, row), (column - 1, row), (column, row + 1), (column, row - 1)):
            is_inside = 1 <= step[0] <= COLUMNS and 1 <= step[1] <= ROWS
            if is_inside and step not in walls and step not in found:
                found[step] = found[column, row] + 1
                waiting.append(step)
    return found


class AvoidingTrouble:
    """Pac-Man's view: the goal so far, less the way to the next dot, less the ghost's nearness."""

    def __init__(self, machine: gdl.StateMachine) -> None:
        self._machine = machine

    def __call__(self, state: gdl.State) -> tuple[float, ...]:
        """The goal that Pac-Man expects; the ghost, the rest to 100."""
        sight = look(self._machine.facts(state))
        [pacman] = [role for role in self._machine.roles if role.name == "pacman"]
        way = min(sight.distance(sight.pacman, dot) for dot in sight.dots)
        nearness = max(0, TROUBLE_DISTANCE - sight.distance(sight.pacman, sight.ghost))
        value = self._machine.goal(state, pacman) - way - TROUBLE * nearness
        return as_goals(self._machine, max(0.0, value))


class SeekingPacman:
    """The ghost's view: the nearer Pac-Man, the better."""

    def __init__(self, machine: gdl.StateMachine) -> None:
        self._machine = machine

    def __call__(self, state: gdl.State) -> tuple[float, ...]:
        """The part of 100 that Pac-Man has left; the ghost, the rest."""
        sight = look(self._machine.facts(state))
        way = sight.distance(sight.pacman, sight.ghost)
        return as_goals(self._machine, min(100.0, float(SEEKING * way)))


def as_goals(machine: gdl.StateMachine, value: float) -> tuple[float, ...]:
    """A value for Pac-Man as the goals of both roles."""
    return tuple(value if role.name == "pacman" else 100 - value for role in machine.roles)
