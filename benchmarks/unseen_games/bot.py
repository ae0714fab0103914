"""OpenSpiel's bot in positions with known outcomes.

The bot limits a move by wall-clock time or by simulations. So this module finds the number of
simulations that takes the given processor time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from contest.errors import OpenSpielError
from contest.openspiel import BotOptions, Mirror, Spiel
from contest.pairs import PAIRS

import gdl
from ggp.players.registry import parse_spec
from unseen_games.positions import Line, Question, joint_moves

if TYPE_CHECKING:
    from unseen_games.tactics import Budget

FIRST_SIMULATIONS = 100
ENOUGH = 0.9
"""Part of the processor time that must have been spent."""
MAX_GROWTH = 10.0


class BotAdviser:
    """OpenSpiel's `MCTSBot` in one game."""

    def __init__(self, spec: str, name: str, game: gdl.Game, seed: int, python: str) -> None:
        """Start OpenSpiel.

        Raises:
            OpenSpielError: It is not there, or does not have the game.
        """
        if name not in PAIRS:
            raise OpenSpielError(f"OpenSpiel: expected one of {', '.join(PAIRS)}, got {name}")
        self._options = BotOptions.read(parse_spec(spec).options)
        self._game, self._seed = game, seed
        self._spiel = Spiel(python, PAIRS[name].theirs)
        self._mirror = Mirror(self._spiel, PAIRS[name], game)

    def move(self, line: Line, question: Question, state: gdl.State, budget: Budget) -> str:
        """Return the bot's move."""
        self._go_to(line, question)
        if budget.rounds:
            found = self._search(budget.rounds)
        else:
            found = self._search_for(self._options.times * budget.seconds)
        return str(self._mirror.move(found["action"], state))

    def close(self) -> None:
        """End OpenSpiel's process."""
        self._spiel.close()

    def _go_to(self, line: Line, question: Question) -> None:
        self._spiel.begin()
        state = self._game.initial_state()
        for ply, joint in enumerate(joint_moves(self._game, line.moves)):
            if ply == question.ply:
                break
            state = self._game.next_state(state, joint)
            self._mirror.follow(joint, state)

    def _search(self, simulations: int) -> dict[str, Any]:
        options = self._options
        self._spiel.ask(
            "seat",
            uct_c=options.uct_c,
            seconds=None,
            simulations=simulations,
            memory=options.memory,
            seed=self._seed,
        )
        return self._spiel.ask("search")

    def _search_for(self, seconds: float) -> dict[str, Any]:
        simulations = FIRST_SIMULATIONS
        while True:
            found = self._search(simulations)
            spent = found["cpu_seconds"]
            is_solved = found["simulations"] < simulations
            if is_solved or spent >= ENOUGH * seconds:
                return found
            simulations = round(simulations * min(MAX_GROWTH, seconds / max(spent, 1e-6)))
