"""Opponents of a learner: random ones, or players of ours with a clock."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Final

import gdl
from ggp.clock import Deadline
from ggp.environments.episode import Episode
from ggp.players import Player, create
from ggp.players.registry import check

RANDOM: Final = "random"
SELF: Final = "self"
"""Nobody: the caller plays all roles."""
THINK_SECONDS: Final = 0.1

Spec = str | Mapping[str, str]
"""A player as on the command line, for all roles or for each by its name."""


def engine_for(spec: Spec, engine: gdl.Engine) -> gdl.Engine:
    """The reasoner for opponents: `auto` means lanes if there is one that may search."""
    if not isinstance(spec, str | Mapping):
        raise TypeError(
            f"opponents: expected {RANDOM}, {SELF}, a player or a mapping of roles to players, got "
            f"{spec!r}"
        )
    is_simple = spec in (RANDOM, SELF)
    return engine if is_simple or engine != "auto" else "lanes"


class Opponents:
    """Players of the roles that are not the caller's.

    Random ones choose among the legal moves here; all others are made anew for each game.
    """

    def __init__(
        self,
        game: gdl.Game,
        roles: Sequence[int],
        spec: Spec,
        think_seconds: float = THINK_SECONDS,
    ) -> None:
        """Opponents; roles that the mapping of a spec does not name are played at random.

        Raises:
            PlayerSpecError: There is no such player, or it has no such option or value.
            ValueError: The spec names a role that is not theirs, or the time is not above 0.
        """
        if not think_seconds > 0:
            raise ValueError(f"think_seconds: expected more than 0, got {think_seconds}")
        names = {str(game.roles[role]): role for role in roles}
        specs = dict.fromkeys(names, spec) if isinstance(spec, str) else dict(spec)
        strangers = [name for name in specs if name not in names]
        if strangers:
            expected = ", ".join(names) or "none, for nobody else plays"
            raise ValueError(
                f"opponents: expected the others' roles ({expected}), got {strangers[0]!r}"
            )
        for one in [spec] if isinstance(spec, str) else specs.values():
            check(one)
        self._game = game
        self._roles = tuple(roles)
        self._specs = {names[name]: one for name, one in specs.items() if one != RANDOM}
        self._think_seconds = think_seconds
        self._players: dict[int, Player] = {}
        self._rng = random.Random()

    def begin(self, episode: Episode, seed: int) -> None:
        """Get ready for a new game."""
        self._rng = random.Random(seed)
        self._players = {
            role: create(spec, self._game, self._game.roles[role], {}, self._rng.getrandbits(31))
            for role, spec in self._specs.items()
        }
        for player in () if episode.is_over else self._players.values():
            player.prepare(episode.state, self._deadline())

    def choose(self, episode: Episode) -> dict[int, int]:
        """An action of each opponent.

        Raises:
            IllegalMoveError: A player makes a move that is not legal.
        """
        return {role: self._action(episode, role) for role in self._roles}

    def advance(self, episode: Episode) -> None:
        """Take note of the joint move that led to the state of the episode."""
        for player in self._players.values():
            player.advance(episode.moves or (), episode.state)

    def _action(self, episode: Episode, role: int) -> int:
        legal = episode.legal[role]
        player = self._players.get(role)
        if player is None or len(legal) == 1:
            return self._rng.choice(list(legal))
        move = player.choose(episode.state, self._deadline())
        for action, known in legal.items():
            if known == move:
                return action
        raise gdl.IllegalMoveError(
            f"player {self._specs[role]!r} as {self._game.roles[role]}: "
            f"expected a legal move, got {move}"
        )

    def _deadline(self) -> Deadline:
        return Deadline.after(self._think_seconds)
