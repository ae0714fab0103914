"""A baseline: one of our players, which looks at no clock, so that a seed repeats its play."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Final

import gdl
from ggp.clock import Deadline
from ggp.errors import WrongUseError
from ggp.match.errors import SeatError
from ggp.match.seat import Answer, Invitation, OwnSeat, TurnReport
from ggp.players import Player, PlayerSpecError, create, parse_spec, player_class

ITERATIONS: Final = "iterations"
DEFAULT_ITERATIONS: Final = 200
_WITHOUT_SEARCH: Final = frozenset({"legal", "random"})


def counted(spec: str) -> str:
    """The spec of a baseline, with its rounds counted: `mcts` is `mcts:iterations=200`.

    Raises:
        WrongUseError: There is no such player, or its rounds cannot be counted.
    """
    try:
        parsed = parse_spec(spec)
        options = [option.name for option in player_class(parsed.name).OPTIONS]
    except PlayerSpecError as error:
        raise WrongUseError(f"--against: {error}") from error
    if parsed.name in _WITHOUT_SEARCH:
        return spec
    if ITERATIONS not in options:
        raise WrongUseError(
            f"--against: {parsed.name} has no option {ITERATIONS}, and by the clock no table "
            f"would be the same twice; expected legal, random or a player that has it"
        )
    rounds = parsed.options.get(ITERATIONS, str(DEFAULT_ITERATIONS))
    if rounds == "0":
        raise WrongUseError(f"--against: {spec}: expected a number of {ITERATIONS}, got 0")
    given = {**parsed.options, ITERATIONS: rounds}
    return f"{parsed.name}:{','.join(f'{name}={value}' for name, value in given.items())}"


def check(spec: str, game: gdl.Game) -> None:
    """Check that a baseline can be made for a game.

    Raises:
        WrongUseError: It cannot.
    """
    try:
        create(spec, game, game.roles[0], {})
    except PlayerSpecError as error:
        raise WrongUseError(f"--against: {error}") from error


class BaselineSeat(OwnSeat):
    """Plays a role by a player of ours in a thread of this process."""

    def __init__(self, spec: str, game: gdl.Game, seed: int) -> None:
        self.name = spec
        self._spec = spec
        self._game = game
        self._seed = seed
        self._player: Player | None = None
        self._state = game.initial_state()
        self._deadline = Deadline.never()

    async def start(self, invitation: Invitation) -> None:
        """Make the player; it does not prepare, as that would be by the clock."""
        [role] = [one for one in self._game.roles if one.name == invitation.role]
        self._player = create(self._spec, self._game, role, {}, self._seed)

    async def resume(self, invitation: Invitation, history: Sequence[TurnReport]) -> None:
        """Raise SeatError: gradings are not interrupted."""
        raise SeatError("a baseline cannot take a match up")

    async def play(self, report: TurnReport) -> Answer:
        """The move that the player finds in its rounds, however long they take."""
        return Answer(await asyncio.to_thread(self._move, report))

    async def abort(self) -> None:
        """End a search that nobody waits for any more."""
        self._deadline.end()

    def _move(self, report: TurnReport) -> str:
        player, game = self._player, self._game
        assert player is not None
        if report.moves is not None:
            joint = [
                next(move for move in game.legal_moves(self._state, role) if str(move) == text)
                for role, text in zip(game.roles, report.moves, strict=True)
            ]
            self._state = game.next_state(self._state, joint)
            player.advance(tuple(joint), self._state)
        if len(report.legal) == 1:
            return report.legal[0]
        return str(player.choose(self._state, self._deadline))
