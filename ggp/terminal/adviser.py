"""Advice for a person who plays a match: the best move as a hint, or a table of all moves."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import gdl
from ggp.analysis.analysis import Analysis, Subject, ended_by_ctrl_c, searching_player
from ggp.analysis.position import Position
from ggp.clock import Deadline
from ggp.match.search_info import verdict
from ggp.players.thoughts import thoughts_on
from ggp.rulesheets import NamedGame
from ggp.search.core.choices import Joint
from ggp.terminal.analyze_view import AnalyzeView
from ggp.terminal.progress import engine_at_once

HINT_SECONDS = 2.0
ANALYZE_SECONDS = 5.0
MAX_SECONDS = 3600.0
NUM_LINES = 15


@dataclass(slots=True)
class Adviser:
    """Searches positions of a match on request. The game is loaded for the first request.

    Attributes:
        player: Spec of the player that searches, such as `mcts` or `mcts:c=0.4`.
        engine: Reasoner to use.
        say: Called with a message while the interpreter has to search, because the kernels of the
            faster reasoner are still being compiled.
    """

    game: NamedGame
    player: str
    engine: gdl.Engine
    seed: int | None
    say: Callable[[str], None] = lambda text: None
    _loaded: gdl.Game | None = None

    async def hint(self, moves: Sequence[Joint], role: gdl.Role, seconds: float) -> tuple[str, str]:
        """Return the best move after `moves`, and a description of its value."""
        _, analysis = await asyncio.to_thread(self._prepared, moves, role)
        await _search(analysis, seconds)
        result = analysis.found().result
        proven = verdict(thoughts_on(result))
        return str(result.move), proven or f"worth {result.value:.0f} of 100"

    async def analyze(self, moves: Sequence[Joint], role: gdl.Role, seconds: float) -> None:
        """Print a table of the moves after `moves`."""
        subject, analysis = await asyncio.to_thread(self._prepared, moves, role)
        await _search(analysis, seconds)
        AnalyzeView(subject, NUM_LINES).final(analysis.found())

    def loaded(self) -> gdl.Game:
        """Return the game, loaded with the chosen reasoner.

        If `auto` is chosen and kernels still have to be compiled, the interpreter is used.
        """
        if self._loaded is None:
            engine = engine_at_once("ggp play", self.engine, self.say)
            if engine != self.engine:
                return self.game.machine
            self._loaded = gdl.load(self.game.rulesheet, engine)
        return self._loaded

    def _prepared(self, moves: Sequence[Joint], role: gdl.Role) -> tuple[Subject, Analysis]:
        game = self.loaded()
        state = game.initial_state()
        for joint in moves:
            state = game.next_state(state, joint)
        subject = Subject(self.game.name, game, Position(state, tuple(moves)), role)
        player = searching_player(self.player, game, role, {}, self.seed)
        return subject, Analysis(subject, player)


async def _search(analysis: Analysis, seconds: float) -> None:
    """Search in a thread, so that opponents can answer in the meantime. Ctrl-C ends the search."""
    deadline = Deadline.after(seconds)
    with ended_by_ctrl_c(deadline):
        await asyncio.to_thread(analysis.run, deadline, lambda: None)


def seconds_of(text: str, default: float) -> float:
    """Parse the seconds that follow a command. Return `default` if there is no text.

    Raises:
        ValueError: The text is not a number of seconds; the message says so.
    """
    if not text:
        return default
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds <= MAX_SECONDS:
        raise ValueError(f"expected seconds, from more than 0 to {MAX_SECONDS:.0f}, got {text!r}")
    return seconds
