"""OpenSpiel's games and its `MCTSBot`, as a process that gets its commands line by line.

It is run by a Python that has OpenSpiel and need not have this project. Therefore it imports only
the standard library and `pyspiel`. A line is a JSON object with `do`, the name of a method of
`Table`, and its arguments. Each line is answered by one line.
"""

from __future__ import annotations

import json
import random
import sys
import time
from typing import Any

import pyspiel  # type: ignore[import-not-found]  # only this process needs it
from spiel_worlds import worlds_of  # type: ignore[import-not-found]  # in the same folder

NO_LIMIT = 2**31 - 1


class Table:
    """One game, its current state, and a bot that can be asked for a move."""

    def load(self, game: str) -> dict[str, Any]:
        """Load a game."""
        self._game = pyspiel.load_game(game)
        self._bot: Any = None
        return self.begin()

    def begin(self) -> dict[str, Any]:
        """Return to the first state."""
        self._state = self._game.new_initial_state()
        return self._position()

    def apply(self, action: int) -> dict[str, Any]:
        """Make a move."""
        self._state.apply_action(action)
        return self._position()

    def seat(
        self, uct_c: float, seconds: float | None, simulations: int | None, memory: int, seed: int
    ) -> dict[str, Any]:
        """Create a bot that thinks for some seconds or simulations, with one rollout each."""
        self._limits = seconds, simulations
        if self._game.get_type().information != pyspiel.GameType.Information.PERFECT_INFORMATION:
            self._seat_hidden(uct_c, seed)
            return {}
        self._bot = pyspiel.MCTSBot(
            self._game,
            pyspiel.RandomRolloutEvaluator(1, seed),
            uct_c,
            simulations or NO_LIMIT,
            memory,  # megabytes
            True,  # solve
            seed,
            False,  # verbose
            pyspiel.ChildSelectionPolicy.UCT,
            -1.0 if seconds is None else seconds,
        )
        return {}

    def _seat_hidden(self, uct_c: float, seed: int) -> None:
        """Return OpenSpiel's bot for hidden information.

        The one in C++ draws worlds from states, and those of these games cannot: the one in Python,
        which is a translation of it, lets others do that.
        """
        import numpy as np
        from open_spiel.python.algorithms import ismcts, mcts

        self._rng = random.Random(seed)
        drawn = np.random.RandomState(seed)
        evaluator = mcts.RandomRolloutEvaluator(1, drawn)
        self._bot = ismcts.ISMCTSBot(self._game, evaluator, uct_c, NO_LIMIT, random_state=drawn)
        self._worlds: list[Any] = []

    def _search_hidden(self) -> dict[str, Any]:
        """Return the hidden-information bot's move; the time to draw worlds does not count."""
        bot, state = self._bot, self._state
        worlds = worlds_of(self._game, state, self._rng)
        seconds, simulations = self._limits
        start, num = time.perf_counter(), 0
        bot.reset()
        root = bot.create_new_node(state)
        while num < (simulations or NO_LIMIT):
            if seconds is not None and time.perf_counter() - start > seconds:
                break
            bot.run_simulation(self._rng.choice(worlds).clone())
            num += 1
        policy = bot.get_final_policy(state, root)
        action = max(policy, key=lambda each: each[1])[0]
        return {
            "action": action,
            "simulations": num,
            "seconds": time.perf_counter() - start,
        }

    def search(self) -> dict[str, Any]:
        """Return the bot's move, as `MCTSBot.step` chooses it, and its cost."""
        if hasattr(self, "_worlds"):
            return self._search_hidden()
        start, cpu_start = time.perf_counter(), time.process_time()
        root = self._bot.mcts_search(self._state)
        seconds = time.perf_counter() - start
        return {
            "action": root.best_child().action,
            "simulations": root.explore_count,
            "seconds": seconds,
            "cpu_seconds": time.process_time() - cpu_start,
        }

    def _position(self) -> dict[str, Any]:
        state = self._state
        if state.is_terminal():
            return {"is_terminal": True, "returns": state.returns()}
        legal = {action: state.action_to_string(action) for action in state.legal_actions()}
        return {"is_terminal": False, "player": state.current_player(), "legal": legal}


def main() -> None:
    """Answer until standard input ends."""
    table = Table()
    for line in sys.stdin:
        told = json.loads(line)
        answer = getattr(table, told.pop("do"))(**told)
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
