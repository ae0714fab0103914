"""The slow, obvious twin of the proofs: small games, looked through as a whole.

Games may run in circles, so values are not told by recursion but by sweeps: nobody is sure of
anything at first, and what is forced in k plies is known after k sweeps.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

import gdl

Joint = tuple[gdl.Move, ...]


@dataclass
class Place:
    """A state with all that can happen in it; nothing, if it is the end or a role is stuck."""

    goals: tuple[int, ...] | None
    choices: tuple[tuple[gdl.Move, ...], ...]
    after: dict[Joint, gdl.State] = field(default_factory=dict)

    @property
    def deciders(self) -> list[int]:
        """The roles with a choice."""
        return [role for role, moves in enumerate(self.choices) if len(moves) > 1]

    def answers(self, role: int, move: gdl.Move) -> list[gdl.State]:
        """Places to which a move can lead."""
        return [state for joint, state in self.after.items() if joint[role] is move]


class Textbook:
    """All states that can be reached, and what they are worth."""

    def __init__(self, machine: gdl.StateMachine, start: gdl.State | None = None) -> None:
        self.machine = machine
        self.chance = next((i for i, r in enumerate(machine.roles) if gdl.is_random(r)), None)
        self.places: dict[gdl.State, Place] = {}
        waiting = [machine.initial_state() if start is None else start]
        while waiting:
            state = waiting.pop()
            if state not in self.places:
                self.places[state] = place = self._place(state)
                waiting.extend(place.after.values())

    def _place(self, state: gdl.State) -> Place:
        machine = self.machine
        if machine.is_terminal(state):
            return Place(tuple(machine.goal(state, role) for role in machine.roles), ())
        choices = tuple(machine.legal_moves(state, role) for role in machine.roles)
        place = Place(None, choices)
        for joint in itertools.product(*choices):
            place.after[joint] = machine.next_state(state, joint)
        return place

    def forced(self, role: int) -> dict[gdl.State, float]:
        """The goal that a role can force in each state, all others being against it."""
        return self._sweep(lambda place, known: self._force(place, role, known), role)

    def fair(self, endless: float = 0.0) -> dict[gdl.State, float]:
        """The value for the first of two roles that share out 100, mixed play included.

        Args:
            endless: What it is worth to go round in circles for ever.
        """
        return self._sweep(self._share, 0, endless)

    def selfish(self, role: int) -> dict[gdl.State, float]:
        """The goal of a role if each takes its own best move, of several the worst for the role.

        In turns and without circles only.
        """
        values = [self._sweep(lambda *_: 0.0, each) for each in range(len(self._roles))]
        for state in reversed(self._in_order()):
            place = self.places[state]
            if not place.after:
                continue
            states = list(place.after.values())
            deciders = place.deciders or [0]
            if deciders == [self.chance]:
                for each in values:
                    each[state] = sum(each[s] for s in states) / len(states)
                continue
            own = values[deciders[0]]
            best = [s for s in states if own[s] == max(own[s] for s in states)]
            own[state] = own[best[0]]
            for number, each in enumerate(values):
                if number != deciders[0]:
                    # For each role its own idea of how ties are broken: the worst.
                    each[state] = min(each[s] for s in best)
        return values[role]

    def plies_to_win(self, role: int) -> dict[gdl.State, int]:
        """In how many plies a role can force 100, in turns; states where it cannot are missing."""
        found = {s: 0 for s, p in self.places.items() if p.goals and p.goals[role] == 100}
        for plies in itertools.count(1):
            news = {
                state: plies
                for state, place in self.places.items()
                if place.after
                and state not in found
                and (any if place.deciders == [role] else all)(
                    after in found for after in place.after.values()
                )
            }
            if not news:
                return found
            found |= news
        raise AssertionError

    @property
    def _roles(self) -> tuple[gdl.Role, ...]:
        return self.machine.roles

    def _sweep(
        self,
        counters: Callable[[Place, dict[gdl.State, float]], float],
        role: int,
        unknown: float = 0.0,
    ) -> dict[gdl.State, float]:
        known = {s: float(p.goals[role]) if p.goals else unknown for s, p in self.places.items()}
        inner = [(s, p) for s, p in reversed(self.places.items()) if p.after]
        for _ in range(10_000):
            change = 0.0
            for state, place in inner:
                value = counters(place, known)
                change = max(change, abs(value - known[state]))
                known[state] = value
            if change < 1e-9:
                return known
        raise AssertionError("expected values to settle")

    def _force(self, place: Place, role: int, known: dict[gdl.State, float]) -> float:
        if place.deciders == [self.chance]:
            return sum(known[s] for s in place.after.values()) / len(place.after)
        worst = [min(known[s] for s in place.answers(role, move)) for move in place.choices[role]]
        return min(worst) if role == self.chance else max(worst)

    def _share(self, place: Place, known: dict[gdl.State, float]) -> float:
        if place.deciders == [self.chance]:
            return sum(known[s] for s in place.after.values()) / len(place.after)
        mine, theirs = place.choices[:2]
        payoffs = [[known[place.after[(x, y, *place_rest(place))]] for y in theirs] for x in mine]
        return matrix_value(np.array(payoffs))

    def _in_order(self) -> list[gdl.State]:
        """States before those that follow them."""
        order: list[gdl.State] = []
        seen: set[gdl.State] = set()
        stack = [(next(iter(self.places)), False)]
        while stack:
            state, is_done = stack.pop()
            if is_done:
                order.append(state)
            elif state not in seen:
                seen.add(state)
                stack.append((state, True))
                stack.extend((s, False) for s in self.places[state].after.values())
        return order[::-1]


def place_rest(place: Place) -> tuple[gdl.Move, ...]:
    """The moves of the roles behind the first two, which have no choice."""
    return tuple(moves[0] for moves in place.choices[2:])


def matrix_value(payoffs: NDArray[np.float64]) -> float:
    """The value for the one who chooses the row, in a game of one step.

    Some best play mixes as many rows as columns, so that it does not matter which of them meets
    which (Shapley and Snow, 1950): all such pairs are tried.
    """
    low, high = payoffs.min(1).max(), payoffs.max(0).min()
    if low == high:
        return float(low)
    num_rows, num_columns = payoffs.shape
    for size in range(2, min(num_rows, num_columns) + 1):
        some_rows = itertools.combinations(range(num_rows), size)
        some_columns = list(itertools.combinations(range(num_columns), size))
        for rows, columns in itertools.product(some_rows, some_columns):
            part = payoffs[np.ix_(rows, columns)]
            mine, theirs = _indifferent(part.T), _indifferent(part)
            if mine is None or theirs is None:
                continue
            value = float(mine @ part @ theirs)
            is_safe = (mine @ payoffs[list(rows)] >= value - 1e-7).all()
            if is_safe and (payoffs[:, list(columns)] @ theirs <= value + 1e-7).all():
                return value
    raise AssertionError("expected a value of every game in one step")


def _indifferent(part: NDArray[np.float64]) -> NDArray[np.float64] | None:
    """Shares of the columns that make all rows equal; None if there are none."""
    size = len(part)
    system = np.block([[part, -np.ones((size, 1))], [np.ones((1, size)), np.zeros((1, 1))]])
    if abs(np.linalg.det(system)) < 1e-9:
        return None
    shares = np.linalg.solve(system, np.eye(size + 1)[size])[:size]
    return shares if (shares > -1e-9).all() else None
