"""Settings of an engine: the match, and which player, how much memory, how much patience."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final, Literal

from ggp import clock

GIBIBYTE: Final = 1 << 30

Reasoner = Literal["auto", "lanes", "scalar", "interpreter"]


@dataclass(frozen=True, slots=True)
class EngineSetup:
    """The content of START, as far as it concerns the engine."""

    rules: str
    """The rulesheet's text."""
    role: str
    """Our role, in any case of letters."""
    playclock: float
    """Seconds."""
    notation: Literal["kif", "epilog"] | None = None
    """Notation of the rules; None: found out from the text. Moves are always KIF."""
    match_id: str = ""
    """The manager's name for the match, for the log; empty if it has no name."""
    begun: float = field(default_factory=lambda: clock.now())  # noqa: PLW0108  # tests change it
    """The moment at which START came, on `ggp.clock.now()`."""

    def in_words(self, player: str) -> str:
        """The player and its place, for the log: "player mcts as xplayer in match m1"."""
        where = f" in match {self.match_id}" if self.match_id else ""
        return f"player {player} as {self.role}{where}"


@dataclass(frozen=True, slots=True)
class EngineConfig:
    """Settings of the engines of a server or a match.

    The margin to the manager's clock is the caller's: the deadlines that an engine is given are
    already earlier than the manager's.
    """

    player: str = "mcts"
    """A player as `ggp.players.registry` names it: `mcts`, `mcts:c=0.7`, `mine.py:Class`."""
    options: Mapping[str, str] = field(default_factory=dict)
    """Options of the player beside those in `player`."""
    seed: int | None = None
    """Makes the player's random choices repeatable, as far as its speed allows."""
    memory_bytes: int = 4 * GIBIBYTE
    """Address space of one engine process; 0 for no bound."""
    is_pondering: bool = True
    """Whether the player thinks while others do."""
    ponder_seconds: float = 300.0
    """Longest time to ponder on one position: a manager that died sends no STOP."""
    reserve_seconds: float = 0.1
    """The player must return this long before the engine must have its move."""
    reasoner: Reasoner = "auto"
    """The reasoner for the rules, see `gdl.load`: the interpreter until the game is compiled."""
    compile_seconds: float = 60.0
    """Longest time to compile a game; a match goes on meanwhile."""
    patience_seconds: float = 4.0
    """Seconds that a process that should answer may be asleep, before it is replaced."""
    overrun_seconds: float = 30.0
    """Seconds that a process that should answer may be busy with something else: four turns at
    least, and three times as long as ever before."""
    fallback_player: str = "random"
    """The player that replaces one which has run out of memory again and again."""
    frugality: int = 0
    """Number of the match's processes that ran out of memory or were killed before this one."""

    def after_exhaustion(self) -> EngineConfig:
        """The settings for the process that replaces one which ran out of memory or was killed.

        It does not ponder and holds a quarter of the nodes (see `ggp.engine.worker.player_guard`);
        after the third time the fallback player takes over.
        """
        frugality = self.frugality + 1
        calmer = replace(self, is_pondering=False, frugality=frugality)
        if frugality < 3:
            return calmer
        return replace(calmer, player=self.fallback_player, options={})
