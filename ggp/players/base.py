"""The interface of a player: the method `choose`, which subclasses must write, and optional ones.

A player object is used for one match, and called from one thread. `choose` gets the state, so a
player without memory needs no other method. `docs/players.md` shows an example.
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
    """Ignore the report. This is the default listener."""


class Player:
    """A player of one role in one match. Subclasses implement `choose`.

    Attributes:
        game: The game to play.
        machine: The state machine of the game.
        role: The role to play.
        options: The given options, as text. `Option.read` converts them to values.
        rng: The player's random generator. With the same seed, the player makes the same choices.
        thoughts: Information about the last reported move (visits, value, ...), as JSON values.
        listener: A function that `report` calls with the best move so far and the thoughts.
        belief: The worlds that the role considers possible in a game of incomplete information, or
            None if nothing is hidden. The caller sets it before `prepare` and keeps it up to date.
        learner: Link to a process that can train a network for the game, or None if there is none.
            The caller sets it before `prepare`.
    """

    # Any, because options have values of different types.
    OPTIONS: ClassVar[tuple[Option[Any], ...]] = ()
    """The options that the player takes. The constructor refuses any other option."""
    ENGINE: ClassVar[gdl.Engine] = "interpreter"
    """The reasoner that the player wants when it runs as a submission: `interpreter`, or compiled
    rules as `scalar` or `lanes`. Outside submissions, games are compiled whenever possible."""

    def __init__(
        self, game: gdl.Game, role: gdl.Role, options: Mapping[str, str], seed: int | None = None
    ) -> None:
        """Create a player for a new match.

        Raises:
            PlayerSpecError: An option is unknown or its value is not allowed.
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
        """Prepare the new player. Subclasses read their options here, instead of in `__init__`."""

    def choose(self, state: gdl.State, deadline: Deadline) -> gdl.Move:
        """Return a legal move in `state`, which is not terminal, before the deadline."""
        raise TypeError(f"{type(self).__name__} has no method choose(state, deadline)")

    def prepare(self, state: gdl.State, deadline: Deadline) -> None:
        """Prepare during the startclock. `state` is the initial state."""

    def ponder(self, state: gdl.State, deadline: Deadline) -> None:
        """Think about `state` while the other roles choose. The deadline may come at any moment."""

    def advance(self, moves: Joint, state: gdl.State) -> None:
        """Update the player after the joint move `moves`, in role order, has led to `state`."""

    def report(self, move: gdl.Move, **thoughts: object) -> None:
        """Report the best move so far, and thoughts about it.

        The engine makes this move if the player fails or runs out of time.
        """
        self.thoughts = thoughts
        self.listener(move, thoughts)

    def legal_moves(self, state: gdl.State) -> tuple[gdl.Move, ...]:
        """Return the legal moves of the player's role."""
        return self.machine.legal_moves(state, self.role)

    def with_random_replies(self, state: gdl.State, move: gdl.Move) -> Joint:
        """Return a joint move: `move`, and a random legal move of each other role."""
        return tuple(
            move if role is self.role else self.rng.choice(self.machine.legal_moves(state, role))
            for role in self.machine.roles
        )
