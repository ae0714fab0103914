"""A baseline: one of our players, which looks at no clock, so that a seed repeats its play.

In games of hidden information it gets its own moves and percepts, as a submission does.
"""

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
from ggp.search.core.choices import Joint
from ggp.submission.known_position import KnownPosition

ITERATIONS: Final = "iterations"
DEFAULT_ITERATIONS: Final = 200
BELIEF_SECONDS: Final = 5.0
"""In which a belief has followed on any machine, but where states without number are possible."""
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
        self._known: KnownPosition | None = None
        self._deadline = Deadline.never()

    async def start(self, invitation: Invitation) -> None:
        """Make the player; it does not prepare, as that would be by the clock."""
        [role] = [one for one in self._game.roles if one.name == invitation.role]
        self._known = KnownPosition(self._game, role, self._seed)
        self._player = create(self._spec, self._game, role, {}, self._seed)
        self._player.belief = self._known.belief

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
        player, known = self._player, self._known
        assert player is not None
        assert known is not None
        joint: Joint | None = None
        if report.percepts is not None and report.own_move is not None:
            deadline = Deadline.after(BELIEF_SECONDS)
            joint = known.perceive(report.own_move, report.percepts, deadline)
        elif report.moves is not None:
            joint = known.make(report.moves)
        if joint is not None:
            player.advance(joint, known.state)
        if len(report.legal) == 1:
            return report.legal[0]
        known.go_on()
        return str(player.choose(known.state, self._deadline))
