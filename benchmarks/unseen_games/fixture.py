"""A match that will be played, as data for the process that plays it."""

from __future__ import annotations

import json
import random
from dataclasses import asdict, dataclass

SEED_RANGE = 1 << 31


@dataclass(frozen=True, slots=True)
class Fixture:
    """A match of two players.

    Attributes:
        game: A bundled game, or `corpus/NAME`.
        players: Specs of A and B.
        number: Of the match among those of this game and pair, from 0. In odd ones B has the
            first role.
        startclock: Seconds; not used with `rounds`.
        playclock: Seconds; not used with `rounds`.
        rounds: Rounds for each move instead of clocks; 0 for clocks.
        seed: Of all randomness.
        python: A Python that has OpenSpiel.
        addresses: The players' addresses, if they are servers.
    """

    game: str
    players: tuple[str, str]
    number: int
    startclock: int
    playclock: int
    rounds: int
    seed: int
    python: str
    addresses: tuple[str, ...] = ()

    @property
    def is_http(self) -> bool:
        """Whether each player is a server."""
        return bool(self.addresses)

    @property
    def first(self) -> int:
        """Player of the first role: 0 for A, 1 for B."""
        return self.number % 2

    @property
    def in_role_order(self) -> tuple[str, str]:
        """The players' specs by role."""
        one, other = self.players
        return (one, other) if self.first == 0 else (other, one)

    def words_seed(self) -> int:
        """Return the seed of the scrambled words, the same for two matches with swapped seats.

        It is the same for all matches of players that keep what they learn.
        """
        return self._drawn(f"words {0 if self.is_http else self.number // 2}")

    def referee_seed(self) -> int:
        """Return the seed of what the referee draws."""
        return self._drawn(f"referee {self.number}")

    def player_seed(self, role: int) -> int:
        """Return the seed of the player with this role index."""
        return self._drawn(f"player {self.number} {role}")

    def _drawn(self, purpose: str) -> int:
        return random.Random(f"{self.seed} {self.game} {purpose}").randrange(SEED_RANGE)

    def to_json(self) -> str:
        """Return the fixture as one line."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> Fixture:
        """Return the fixture that `to_json` wrote."""
        fields = json.loads(text)
        pairs = {name: tuple(fields[name]) for name in ("players", "addresses")}
        return cls(**{**fields, **pairs})
