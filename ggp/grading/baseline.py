"""A baseline: a built-in player without a clock, so that the same seed reproduces its play.

In games with hidden information a baseline gets only its own moves and percepts, like a submission.
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
"""Long enough to update a belief on any machine, unless the number of possible states is huge."""
_WITHOUT_SEARCH: Final = frozenset({"legal", "random"})


def counted(spec: str) -> str:
    """Return the spec of a baseline with a fixed number of iterations.

    For example, `mcts` becomes `mcts:iterations=200`.

    Raises:
        WrongUseError: There is no such player, or its number of iterations cannot be fixed.
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
            f"--against: {parsed.name} has no option {ITERATIONS}, so its play depends on the "
            f"clock; expected legal, random or a player with that option"
        )
    rounds = parsed.options.get(ITERATIONS, str(DEFAULT_ITERATIONS))
    if rounds == "0":
        raise WrongUseError(
            f"--against: {spec!r}: expected at least 1 as option {ITERATIONS}, got 0"
        )
    given = {**parsed.options, ITERATIONS: rounds}
    return f"{parsed.name}:{','.join(f'{name}={value}' for name, value in given.items())}"


def check(spec: str, game: gdl.Game) -> None:
    """Check that a baseline can play a game.

    Raises:
        WrongUseError: The baseline cannot be created.
    """
    try:
        create(spec, game, game.roles[0], {})
    except PlayerSpecError as error:
        raise WrongUseError(f"--against: {error}") from error


class BaselineSeat(OwnSeat):
    """The seat of a baseline, which runs in a thread of this process."""

    def __init__(self, spec: str, game: gdl.Game, seed: int) -> None:
        self.name = spec
        self._spec = spec
        self._game = game
        self._seed = seed
        self._player: Player | None = None
        self._known: KnownPosition | None = None
        self._deadline = Deadline.never()

    async def start(self, invitation: Invitation) -> None:
        """Create the player. It does not prepare, because the result would depend on the clock."""
        [role] = [one for one in self._game.roles if one.name == invitation.role]
        self._known = KnownPosition(self._game, role, self._seed)
        self._player = create(self._spec, self._game, role, {}, self._seed)
        self._player.belief = self._known.belief

    async def resume(self, invitation: Invitation, history: Sequence[TurnReport]) -> None:
        """Raise SeatError, because grading matches are never resumed."""
        raise SeatError("a baseline cannot resume a match")

    async def play(self, report: TurnReport) -> Answer:
        """Return the move that the player finds in its fixed iterations, however long they take."""
        return Answer(await asyncio.to_thread(self._move, report))

    async def abort(self) -> None:
        """Stop a search whose result is no longer needed."""
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
