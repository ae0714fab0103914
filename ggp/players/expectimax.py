"""The players that count with chance: expectimax with a model of the opponents, expectiminimax."""

from __future__ import annotations

from functools import partial

import gdl
from ggp.clock import Deadline
from ggp.players.book_options import BOOK
from ggp.players.evaluation_options import DEPTH, EVALUATION_OPTIONS, evaluation_from
from ggp.players.options import Option, OptionKind, share, whole
from ggp.players.searching import ITERATIONS, SearchPlayer
from ggp.search.textbook.chance import expectimax, expectiminimax
from ggp.search.textbook.chance.models import NAMES, MinimaxHabit, make_model, parse_mixture
from ggp.search.textbook.deepening import DeepeningSearch


def _mixture(text: str) -> str:
    parse_mixture(text)
    return text


MODEL = Option(
    "model",
    OptionKind(f"one of {', '.join(NAMES)}, or a mixture such as adversarial:1+random:3", _mixture),
    "random",
    "what the other players do: adversarial, random, cooperative, minimax, or several of these, "
    "each with a weight after a colon, joined by +",
)
P = Option(
    "p",
    share(1),
    MinimaxHabit().p,
    "how often the opponents of the model minimax use what they found; else they move at random",
)
D = Option("d", whole(1), MinimaxHabit().depth, "plies that the opponents of the model minimax see")


class ExpectimaxPlayer(SearchPlayer):
    """Makes the move with the best expected value against opponents of a model."""

    OPTIONS = (MODEL, P, D, DEPTH, *EVALUATION_OPTIONS, ITERATIONS, BOOK)

    def set_up(self) -> None:
        """Read the options."""
        super().set_up()
        options = self.options
        evaluate = evaluation_from(options, self.game)
        habit = MinimaxHabit(D.read(options), P.read(options))
        model = make_model(MODEL.read(options), self.game, evaluate, habit)
        self._look = partial(expectimax.search, evaluate=evaluate, model=model)

    def new_search(self, state: gdl.State) -> DeepeningSearch:
        """A search that has seen nothing yet."""
        depth = DEPTH.read(self.options)
        return DeepeningSearch(self.machine, state, self.role, self._look, depth or None)

    def ponder(self, state: gdl.State, deadline: Deadline) -> None:
        """Rest: what is found here says nothing of the next state."""


class ExpectiminimaxPlayer(SearchPlayer):
    """Makes the best move against opponents who play against it, and against chance."""

    OPTIONS = (DEPTH, *EVALUATION_OPTIONS, ITERATIONS, BOOK)

    def set_up(self) -> None:
        """Read the options."""
        super().set_up()
        evaluate = evaluation_from(self.options, self.game)
        self._look = partial(expectiminimax.search, evaluate=evaluate)

    def new_search(self, state: gdl.State) -> DeepeningSearch:
        """A search that has seen nothing yet."""
        depth = DEPTH.read(self.options)
        return DeepeningSearch(self.machine, state, self.role, self._look, depth or None)

    def ponder(self, state: gdl.State, deadline: Deadline) -> None:
        """Rest: what is found here says nothing of the next state."""
