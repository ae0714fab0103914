"""Random game trees in GDL whose values are known: the judge of what a search thinks of moves.

Roles take turns. A tree has a few plies with choices, and ends with goals that are nearly all
between 0 and 100. Below some of its leaves the game goes on for a long time: then random play and
good play differ, and a search cannot see the end.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from functools import cached_property

LONG = 24  # plies of a long game
SLIPS = 3  # moves at each of them: one goes on, the others end the game


@dataclass(eq=False)
class Position:
    """A position of the tree: it is over if it has no children."""

    number: int
    mover: int
    goals: tuple[int, ...] = ()
    children: list[Position] = field(default_factory=list)

    @cached_property
    def values(self) -> tuple[int, ...]:
        """The goals of all roles if each takes what is best for itself."""
        if not self.children:
            return self.goals
        return max((child.values for child in self.children), key=lambda each: each[self.mover])

    @property
    def is_clear(self) -> bool:
        """Whether each role knows in each position which of its moves is the best."""
        own = sorted(child.values[self.mover] for child in self.children)
        return all(child.is_clear for child in self.children) and (
            len(own) < 2 or own[-1] > own[-2]
        )


class RandomTree:
    """A tree by its seed.

    Args:
        num_roles: Two or three; `is_shared` is for two.
        is_shared: Whether the goals add up to 100.
        depth: Plies with choices.
        long: Share of leaves below which a long game begins.
    """

    def __init__(
        self, seed: int, num_roles: int = 2, *, is_shared: bool, depth: int = 3, long: float = 0.0
    ) -> None:
        self._rng = random.Random(seed)
        self.roles = ["blue", "red", "green"][:num_roles]
        self._is_shared = is_shared
        self._long = long
        while True:
            self.positions: list[Position] = []
            self.root = self._grow(depth, 0)
            if self.root.is_clear:
                break

    def _new(self, mover: int, goals: tuple[int, ...] = ()) -> Position:
        self.positions.append(Position(len(self.positions), mover % len(self.roles), goals))
        return self.positions[-1]

    def _goals(self) -> tuple[int, ...]:
        if self._is_shared:
            goal = self._rng.randint(0, 100)
            return goal, 100 - goal
        return tuple(self._rng.randint(0, 100) for _ in self.roles)

    def _grow(self, depth: int, mover: int) -> Position:
        if depth == 0:
            is_long = self._rng.random() < self._long
            return self._long_game(mover) if is_long else self._new(0, self._goals())
        position = self._new(mover)
        for _ in range(self._rng.randint(2, 3)):
            position.children.append(self._grow(depth - 1, mover + 1))
        return position

    def _long_game(self, mover: int) -> Position:
        """One role has to find the only move that goes on, each time; or should not."""
        ends = [self._new(0, self._goals()) for _ in range(SLIPS)]
        position = ends.pop()
        for _ in range(LONG):
            above = self._new(mover)
            above.children = [position, *ends]
            self._rng.shuffle(above.children)
            position = above
        return position

    def value_of(self, number: int) -> int:
        """What the first mover gets after so-many-eth of its moves."""
        return self.root.children[number].values[self.root.mover]

    @cached_property
    def rules(self) -> str:
        """The tree in GDL: the move `(go n)` leads to position n."""
        lines = [f"(role {role})" for role in self.roles]
        lines += [f"(init (at {self.root.number}))"]
        for each in self.positions:
            if each.children:
                lines.append(f"(mover {each.number} {self.roles[each.mover]})")
            lines += [f"(leads {each.number} {child.number})" for child in each.children]
            lines += [
                f"(ends {each.number} {role} {goal})"
                for role, goal in zip(self.roles, each.goals, strict=bool(each.goals))
            ]
        return "\n".join([*lines, _RULES])


_RULES = """
(<= (legal ?r (go ?m)) (true (at ?n)) (mover ?n ?r) (leads ?n ?m))
(<= (legal ?r noop) (role ?r) (true (at ?n)) (mover ?n ?other) (distinct ?r ?other))
(<= (next (at ?m)) (does ?r (go ?m)))
(<= terminal (true (at ?n)) (ends ?n ?r ?g))
(<= (goal ?r ?g) (true (at ?n)) (ends ?n ?r ?g))
(<= (base (at ?n)) (leads ?m ?n))
(base (at 0))
(<= (input ?r (go ?m)) (mover ?n ?r) (leads ?n ?m))
(<= (input ?r noop) (role ?r))
"""
