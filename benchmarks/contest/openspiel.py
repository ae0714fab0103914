"""OpenSpiel's side of a match: its game, kept in step with ours, and its `MCTSBot`."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import gdl
from contest.errors import OpenSpielError
from contest.pairs import Pair

SCRIPT = Path(__file__).with_name("spiel.py")

OPTIONS: Mapping[str, Callable[[str], float]] = {
    "uct_c": float,
    "simulations": int,
    "memory": int,
    "times": float,
}
UCT_C, MEGABYTES = 1.4, 4096


@dataclass(frozen=True, slots=True)
class BotOptions:
    """Options of an `MCTSBot` with its solver and one random rollout per leaf.

    Attributes:
        uct_c: Weight of exploration, for returns from -1 to 1.
        simulations: In a move, instead of a time; None for as many as the time allows.
        memory: Megabytes of its tree.
        times: Times the seconds that others have.
    """

    uct_c: float = UCT_C
    simulations: int | None = None
    memory: int = MEGABYTES
    times: float = 1.0

    @classmethod
    def read(cls, options: Mapping[str, str]) -> BotOptions:
        """Parse the options.

        Raises:
            OpenSpielError: There is no such option, or it has no such value.
        """
        values: dict[str, Any] = {}
        for name, text in options.items():
            if name not in OPTIONS:
                raise OpenSpielError(f"openspiel: expected one of {', '.join(OPTIONS)}, got {name}")
            try:
                values[name] = OPTIONS[name](text)
            except ValueError:
                raise OpenSpielError(f"openspiel: {name}: expected a number, got {text}") from None
        return cls(**values)


class Spiel:
    """A game of OpenSpiel in its own process."""

    def __init__(self, python: str, game: str) -> None:
        """Start the process.

        Raises:
            OpenSpielError: That Python has no OpenSpiel, or that has no such game.
        """
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(  # noqa: S603  # our script, in a Python that was named
            [python, str(SCRIPT)], stdin=pipe, stdout=pipe, text=True
        )
        self.position = self.ask("load", game=game)

    def begin(self) -> None:
        """Return to the first state."""
        self.position = self.ask("begin")

    def ask(self, what: str, **arguments: Any) -> dict[str, Any]:
        """Send a request and return the answer."""
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(json.dumps({"do": what, **arguments}) + "\n")
            process.stdin.flush()
            line = process.stdout.readline()
        except BrokenPipeError:
            line = ""
        if not line:
            raise OpenSpielError("OpenSpiel's process has ended; its last words stand above")
        answer: dict[str, Any] = json.loads(line)
        return answer

    def apply(self, action: int) -> None:
        """Make a move."""
        self.position = self.ask("apply", action=action)

    def close(self) -> None:
        """End the process."""
        self._process.terminate()
        self._process.communicate()


class Mirror:
    """OpenSpiel's game in step with ours; each state is compared.

    Attributes:
        spiel: OpenSpiel's game.
    """

    def __init__(self, spiel: Spiel, pair: Pair, machine: gdl.StateMachine) -> None:
        self.spiel = spiel
        self._pair = pair
        self._machine = machine

    def actions(self) -> dict[str, int]:
        """Return OpenSpiel's legal actions by our moves; empty if the game is over."""
        legal = self.spiel.position.get("legal", {})
        return {self._pair.spell(text): int(action) for action, text in legal.items()}

    def move(self, action: int, state: gdl.State) -> gdl.Move:
        """Return our move for an action of OpenSpiel."""
        position = self.spiel.position
        spelled = self._pair.spell(position["legal"][str(action)])
        role = self._machine.roles[position["player"]]
        by_text = {str(move): move for move in self._machine.legal_moves(state, role)}
        return by_text[spelled]

    def follow(self, moves: Sequence[gdl.Move], state: gdl.State) -> None:
        """Make the move that was made in our game, and compare the next states.

        Raises:
            OpenSpielError: They differ.
        """
        if self._pair.idle and {self._pair.idle} == set(map(str, moves)):
            return
        player = self.spiel.position["player"]
        action = self.actions().get(str(moves[player]))
        if action is None:
            raise OpenSpielError(f"{self._pair.theirs}: it has no move {moves[player]}")
        self.spiel.apply(action)
        self.compare(state)

    def compare(self, state: gdl.State) -> None:
        """Check that both games agree on the current state.

        Raises:
            OpenSpielError: They do not.
        """
        machine, position = self._machine, self.spiel.position
        if machine.is_terminal(state) != position["is_terminal"]:
            raise self._differs("whether it is over", machine.is_terminal(state), position)
        if position["is_terminal"]:
            goals = [machine.goal(state, role) for role in machine.roles]
            if sign(goals[0] - goals[1]) != sign(position["returns"][0]):
                raise self._differs("who wins", goals, position)
            return
        if self._pair.is_idle(machine, state):
            return
        for index, role in enumerate(machine.roles):
            legal = sorted(map(str, machine.legal_moves(state, role)))
            is_turn = index == position["player"]
            if legal != sorted(self.actions()) if is_turn else len(legal) != 1:
                raise self._differs(f"what {role} may do", legal, position)

    def _differs(self, what: str, ours: object, position: dict[str, Any]) -> OpenSpielError:
        return OpenSpielError(f"{self._pair.theirs}: {what}: ours {ours}, theirs {position}")


def sign(number: float) -> int:
    """Return -1, 0 or 1."""
    return (number > 0) - (number < 0)
