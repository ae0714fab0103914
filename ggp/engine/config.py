"""Settings of an engine: the match, the player, and the memory and time limits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final, Literal

from ggp import clock

GIBIBYTE: Final = 1 << 30

Reasoner = Literal["auto", "lanes", "scalar", "interpreter"]


@dataclass(frozen=True, slots=True)
class EngineSetup:
    """The parts of a START message that the engine needs."""

    rules: str
    """The rulesheet's text."""
    role: str
    """Our role, in upper or lower case."""
    playclock: float
    """Seconds per turn."""
    notation: Literal["kif", "epilog"] | None = None
    """Notation of the rules. If None, it is detected from the text. Moves are always KIF."""
    match_id: str = ""
    """The manager's name for the match, for the log. May be empty."""
    begun: float = field(default_factory=lambda: clock.now())  # noqa: PLW0108  # tests change it
    """When START arrived, as a time of `ggp.clock.now()`."""

    def in_words(self, player: str) -> str:
        """Name the player and its seat for the log: "player mcts as xplayer in match m1"."""
        where = f" in match {self.match_id}" if self.match_id else ""
        return f"player {player} as {self.role}{where}"


@dataclass(frozen=True, slots=True)
class EngineConfig:
    """Settings of the engines of a server or a match.

    The caller subtracts the margin: the deadlines given to an engine are already earlier than the
    manager's.
    """

    player: str = "mcts"
    """A player as in `ggp.players.registry`: `mcts`, `mcts:c=0.7`, `mine.py:Class`."""
    options: Mapping[str, str] = field(default_factory=dict)
    """Options of the player in addition to those in `player`."""
    seed: int | None = None
    """Seed that makes the player's random choices repeatable, as far as timing allows."""
    memory_bytes: int = 4 * GIBIBYTE
    """Limit on the address space of an engine process. 0 means no limit."""
    is_pondering: bool = True
    """Whether the player thinks during the turns of other roles."""
    ponder_seconds: float = 300.0
    """Longest time to ponder on one position. Needed because a dead manager sends no STOP."""
    reserve_seconds: float = 0.1
    """Most seconds before the engine's deadline at which the player must return."""
    reasoner: Reasoner = "auto"
    """The reasoner to use, see `gdl.load`. Until the game is compiled, the interpreter plays."""
    compile_seconds: float = 60.0
    """Time limit for compiling a game. The match continues meanwhile."""
    patience_seconds: float = 4.0
    """Seconds that a process may sleep when it should answer, before it is replaced."""
    overrun_seconds: float = 30.0
    """Seconds that a process may be busy with something else when it should answer. At least four
    turns and three times its longest delay so far are allowed."""
    fallback_player: str = "random"
    """The player that takes over after several processes have run out of memory."""
    frugality: int = 0
    """Number of earlier processes of the match that ran out of memory or were killed."""

    def after_exhaustion(self) -> EngineConfig:
        """Return the settings for the next process after one ran out of memory or was killed.

        It does not ponder and keeps only a quarter of the nodes (see
        `ggp.engine.worker.player_guard`). After the third time the fallback player takes over.
        """
        frugality = self.frugality + 1
        calmer = replace(self, is_pondering=False, frugality=frugality)
        if frugality < 3:
            return calmer
        return replace(calmer, player=self.fallback_player, options={})
