"""An evaluation that a test can rely on to differ from state to state, for every game."""

from __future__ import annotations

from zlib import crc32

import gdl


class ScatteredEvaluation:
    """A number from 0 to 100 that depends on the facts of a state and on nothing else.

    With two roles what one has the other has not; else each role has a number of its own.
    """

    def __init__(self, machine: gdl.StateMachine) -> None:
        self._machine = machine
        self._known: dict[gdl.State, tuple[float, ...]] = {}

    def __call__(self, state: gdl.State) -> tuple[float, ...]:
        """The numbers of all roles."""
        if state not in self._known:
            self._known[state] = self._numbers(state)
        return self._known[state]

    def _numbers(self, state: gdl.State) -> tuple[float, ...]:
        text = " ".join(map(str, self._machine.facts(state))).encode()
        numbers = [float(crc32(text, index) % 101) for index in range(len(self._machine.roles))]
        if len(numbers) == 2:
            numbers[1] = 100 - numbers[0]
        return tuple(numbers)
