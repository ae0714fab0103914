"""Analysis of one position of a game by a player's search."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType
from typing import Any

import gdl
from ggp.analysis.position import Position
from ggp.clock import Deadline
from ggp.errors import UnknownNameError, WrongUseError
from ggp.match.referee import played_roles
from ggp.players import create
from ggp.players.searching import SearchPlayer
from ggp.players.thoughts import TurnEffort, thoughts_on
from ggp.search.core import Search, SearchResult, repeat
from ggp.search.core.choices import in_words


@dataclass(frozen=True, slots=True)
class Subject:
    """Subject of an analysis: a position of a game, from the point of view of one role."""

    name: str
    loaded: gdl.Game
    position: Position
    role: gdl.Role

    @property
    def is_over(self) -> bool:
        """Whether the game is over, so that there is nothing to search."""
        return self.loaded.machine.is_terminal(self.position.state)

    def goals(self) -> dict[str, int]:
        """Return the goal of each role except `random`. The game must be over."""
        machine = self.loaded.machine
        return {
            str(role): machine.goal(self.position.state, role) for role in played_roles(machine)
        }

    def to_json(self) -> dict[str, Any]:
        """Return the position as JSON data."""
        machine, state = self.loaded.machine, self.position.state
        return {
            "game": self.name,
            "engine": self.loaded.engine,
            "played": [list(map(str, joint)) for joint in self.position.moves],
            "state": [str(fact) for fact in machine.facts(state)],
            "terminal": self.is_over,
            "roles": list(map(str, machine.roles)),
            "role": str(self.role),
        }


@dataclass(frozen=True, slots=True)
class Found:
    """The results of a search at some moment.

    Attributes:
        result: The moves and their values.
        line: The expected moves, in words.
    """

    result: SearchResult
    figures: dict[str, Any]
    line: list[str]

    @property
    def thoughts(self) -> dict[str, Any]:
        """All results as JSON data."""
        thoughts = thoughts_on(self.result, None)
        for move, share in zip(thoughts["moves"], self.shares(), strict=True):  # type: ignore[call-overload]
            move["share"] = round(share, 4)
        return {"move": str(self.result.move), **thoughts, **self.figures}

    def shares(self) -> list[float]:
        """Return each move's share of all visits, from 0 to 1."""
        visits = [move.visits for move in self.result.moves]
        return [count / max(1, sum(visits)) for count in visits]


class Analysis:
    """A search of one position, the `subject`."""

    def __init__(self, subject: Subject, player: SearchPlayer) -> None:
        self.subject = subject
        self._rounds = player.rounds
        self._search: Search = player.new_search(subject.position.state)
        self._turn = TurnEffort(self._search.effort)

    def run(self, deadline: Deadline, report: Callable[[], None]) -> None:
        """Search until the deadline or until everything is proven. Call `report` regularly."""
        repeat(self._search.step, deadline, self._rounds, report)

    def found(self) -> Found:
        """Return the current results of the search."""
        result = self._search.result()
        figures = self._turn.figures(self._search.effort)
        state = self.subject.position.state
        return Found(result, figures, in_words(self.subject.loaded.machine, state, result.line))


def role_named(machine: gdl.StateMachine, name: str | None, state: gdl.State) -> gdl.Role:
    """Return the role called `name`, ignoring case, or a default role if `name` is None.

    The default is the first role that has a choice, or else the first role.

    Raises:
        WrongUseError: No role that can be played has that name.
    """
    played = played_roles(machine) or machine.roles
    if name is None:
        is_over = machine.is_terminal(state)
        able = [one for one in played if not is_over and len(machine.legal_moves(state, one)) > 1]
        return (able or played)[0]
    for role in played:
        if role.name.casefold() == name.casefold():
            return role
    raise WrongUseError(f"--as: {UnknownNameError('role', name, map(str, played))}")


def searching_player(
    spec: str,
    game: gdl.Game,
    role: gdl.Role,
    options: dict[str, str],
    seed: int | None,
    option: str = "--player",
) -> SearchPlayer:
    """Create the player whose search is used. Error messages name the command-line `option`.

    Raises:
        PlayerSpecError: There is no such player, or the player has no such option or value.
        WrongUseError: The player does not search.
    """
    player = create(spec, game, role, options, seed)
    if not isinstance(player, SearchPlayer):
        raise WrongUseError(
            f"{option}: expected a player that searches, such as mcts or greedy, got {spec!r}"
        )
    return player


@contextmanager
def ended_by_ctrl_c(deadline: Deadline) -> Iterator[list[int]]:
    """End the deadline if the user presses Ctrl-C. The yielded list is then not empty.

    So the search stops between two iterations, and its results so far can be shown.
    """
    caught: list[int] = []

    def end(number: int, frame: FrameType | None) -> None:
        caught.append(number)
        deadline.end()

    before = signal.signal(signal.SIGINT, end)
    try:
        yield caught
    finally:
        signal.signal(signal.SIGINT, before)
