"""The interface of a player: the one method to write, and those that may be written.

A player lives for one match and is called from one thread. It is told each state, so a player
without memory needs `choose` only; `docs/players.md` shows one.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import gdl
from ggp.belief import Belief
from ggp.clock import Deadline
from ggp.players.options import Option, check_options
from ggp.search.core.choices import Joint
from ggp.training.live.link import LearnerLink

Listener = Callable[[gdl.Move, Mapping[str, object]], None]


def _nobody(move: gdl.Move, thoughts: Mapping[str, object]) -> None:
    """The listener of a player that nobody listens to."""


class Player:
    """Plays one role of one match. Subclasses write `choose`.

    Attributes:
        game: The game, with all that is known of it.
        machine: Its state machine.
        role: The role to play.
        options: The options given, as text; `Option.read` makes values of them.
        rng: Source of all its randomness; the same seed gives the same play.
        thoughts: What it thought of its last move (visits, value, ...), fit for JSON.
        listener: Called by `report` with the best move so far.
        belief: What the role holds possible in a game of incomplete information, kept by whoever
            lets it play; None where nothing is hidden. It is there from `prepare` on.
        learner: May learn the game in a process beside this one; None where there is none. It is
            there from `prepare` on.
    """

    # Any: options of all types stand side by side.
    OPTIONS: ClassVar[tuple[Option[Any], ...]] = ()
    """The options that the player takes; others are refused."""
    ENGINE: ClassVar[gdl.Engine] = "interpreter"
    """What it asks for where it runs as a submission: `interpreter`, or the rules compiled, as
    `scalar` or `lanes`. Elsewhere the game is compiled whenever that is possible."""

    def __init__(
        self, game: gdl.Game, role: gdl.Role, options: Mapping[str, str], seed: int | None = None
    ) -> None:
        """Make a player for a match that begins.

        Raises:
            PlayerSpecError: An option is unknown or has no such value.
        """
        check_options(options, self.OPTIONS)
        self.game = game
        self.machine = game.machine
        self.role = role
        self.options = dict(options)
        self.rng = random.Random(seed)
        self.thoughts: dict[str, object] = {}
        self.listener: Listener = _nobody
        self.belief: Belief | None = None
        self.learner: LearnerLink | None = None
        self.set_up()

    def set_up(self) -> None:
        """Get ready for the match: subclasses read their options here."""

    def choose(self, state: gdl.State, deadline: Deadline) -> gdl.Move:
        """A legal move for this state, which is not terminal, before the deadline."""
        raise TypeError(f"{type(self).__name__} has no method choose(state, deadline)")

    def prepare(self, state: gdl.State, deadline: Deadline) -> None:
        """Use the startclock; `state` is the initial state."""

    def ponder(self, state: gdl.State, deadline: Deadline) -> None:
        """Use the time in which the others think about `state`; the deadline may end any moment."""

    def advance(self, moves: Joint, state: gdl.State) -> None:
        """Take note that a joint move, in role order, was made and led to `state`."""

    def report(self, move: gdl.Move, **thoughts: object) -> None:
        """Report the best move so far: it is played if the player fails or runs out of time."""
        self.thoughts = thoughts
        self.listener(move, thoughts)

    def legal_moves(self, state: gdl.State) -> tuple[gdl.Move, ...]:
        """The legal moves of the player's role."""
        return self.machine.legal_moves(state, self.role)

    def with_random_replies(self, state: gdl.State, move: gdl.Move) -> Joint:
        """A joint move: this one, and random legal moves of the other roles."""
        return tuple(
            move if role is self.role else self.rng.choice(self.machine.legal_moves(state, role))
            for role in self.machine.roles
        )
