"""Players that repeat a search, each time one ply deeper: minimax, alpha-beta and two relatives.

Minimax and alpha-beta expect the other roles, including `random`, to play against them. But in
games of more than two roles, minimax expects each role to follow its own goal. Expectimax expects
the other roles to follow a model. Expectiminimax expects its opponents to play against it, and
takes the mean over the moves of `random`.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from functools import partial

import gdl
from ggp.clock import Deadline
from ggp.players.evaluation_options import BOOK, DEPTH, EVALUATION_OPTIONS, evaluation_from
from ggp.players.options import Option, OptionKind, number, one_of, share, whole
from ggp.players.resources import fitting
from ggp.players.searching import ITERATIONS, SearchPlayer
from ggp.search.core import Search
from ggp.search.textbook.adversarial.alphabeta import AlphaBetaOptions
from ggp.search.textbook.adversarial.depth_searches import AlphaBetaToDepth, MinimaxToDepth
from ggp.search.textbook.adversarial.ordering import AS_LISTED, LearnedOrder, Ordering, Shuffled
from ggp.search.textbook.adversarial.scope import Quiescence
from ggp.search.textbook.adversarial.table import MAX_ENTRIES, TranspositionTable
from ggp.search.textbook.chance import expectimax, expectiminimax
from ggp.search.textbook.chance.models import NAMES, MinimaxHabit, make_model, parse_mixture
from ggp.search.textbook.deepening import DeepeningSearch, SearchToDepth

YES, NO = "yes", "no"

PARANOID = Option(
    "paranoid",
    one_of((YES, NO)),
    NO,
    "in games of more than two roles, whether all other roles are assumed to play against this "
    "one; no: each role maximises its own goal",
)
QUIESCENCE = Option(
    "quiescence",
    whole(0),
    0,
    "maximum plies beyond the depth while the evaluation swings; 0: never look further",
)
SWING = Option(
    "swing",
    number(0),
    Quiescence().threshold,
    "with quiescence: a state is quiet if the last ply changed the evaluation by at most this",
)
ORDER = Option(
    "order",
    one_of(("best", "listed", "random")),
    "best",
    "which moves to search first: those that were best before (best; see killers and history), in "
    "alphabetical order (listed), or in random order (random)",
)
TABLE = Option(
    "table", whole(0), MAX_ENTRIES, "maximum states in the transposition table; 0: use no table"
)
KILLERS = Option(
    "killers",
    one_of((YES, NO)),
    YES,
    "with order=best: whether to search moves early that caused a cutoff at the same ply",
)
HISTORY = Option(
    "history",
    one_of((YES, NO)),
    YES,
    "with order=best: whether to search moves early that often caused a cutoff, at any ply",
)
SECONDARY = Option(
    "secondary",
    whole(0),
    0,
    "plies beyond the depth to which the best move is verified before it counts; 0: do not verify",
)

TREE = Option(
    "tree",
    one_of(("auto", "arrays", "python")),
    "auto",
    "arrays: fast array code, on compiled games; python: slower, in any game; auto: arrays if they "
    "support the game and the other options",
)
BYTES_PER_ENTRY = 1024
BYTES_PER_ARRAY_ENTRY = 32
ARRAY_TABLE = 1 << 21
"""Default number of states in the table of the array search."""


def _quiescence(options: Mapping[str, str]) -> Quiescence | None:
    plies = QUIESCENCE.read(options)
    return Quiescence(SWING.read(options), plies) if plies else None


class DepthLimitedPlayer(SearchPlayer):
    """Searches to a depth, then one ply deeper, and so on."""

    def set_up(self) -> None:
        """Read the options."""
        super().set_up()
        self._evaluation = evaluation_from(self.options, self.game)
        self._look = self.search_to_depth()

    @abstractmethod
    def search_to_depth(self) -> SearchToDepth:
        """Return the depth-limited search that the options select."""

    def new_search(self, state: gdl.State) -> Search:
        """Return a new search from `state`."""
        depth = DEPTH.read(self.options) or None
        return DeepeningSearch(self.machine, state, self.role, self._look, depth)


class MinimaxPlayer(DepthLimitedPlayer):
    """Searches every line, one ply deeper each time, and expects the worst replies."""

    OPTIONS = (DEPTH, PARANOID, QUIESCENCE, SWING, *EVALUATION_OPTIONS, ITERATIONS, BOOK)

    def search_to_depth(self) -> SearchToDepth:
        """Return minimax with the evaluation that the options name."""
        is_paranoid, quiescence = PARANOID.read(self.options) == YES, _quiescence(self.options)
        return MinimaxToDepth(self._evaluation, paranoid=is_paranoid, quiescence=quiescence)


class AlphaBetaPlayer(DepthLimitedPlayer):
    """Finds what minimax finds but searches less. Keeps its transposition table between turns."""

    OPTIONS = (
        *(DEPTH, ORDER, TABLE, KILLERS, HISTORY, QUIESCENCE, SWING, SECONDARY, TREE),
        *(*EVALUATION_OPTIONS, ITERATIONS, BOOK),
    )

    def search_to_depth(self) -> SearchToDepth:
        """Return the alpha-beta search that the options select, in arrays or in Python.

        Use arrays if they support the options and the game. The transposition table, if there is
        one, is kept for the whole match.
        """
        self._secondary = SECONDARY.read(self.options)
        return self._look_in_arrays() or self._look_in_python()

    def _look_in_arrays(self) -> SearchToDepth | None:
        options = self.options
        asks_for_more = (
            QUIESCENCE.read(options)
            or not TABLE.read(options)
            or any(option.read(options) != option.default for option in (ORDER, KILLERS, HISTORY))
        )
        if TREE.read(options) == "python" or asks_for_more:
            return None
        # Imported here so that other players do not wait for numba.
        from ggp.search.fast.alphabeta.search import make_search
        from ggp.search.textbook.adversarial.depth_searches import ArrayToDepth

        num_entries = TABLE.read(options) if TABLE.name in options else ARRAY_TABLE
        num_fitting = fitting(num_entries, BYTES_PER_ARRAY_ENTRY)
        search = make_search(self.game, self.role, self._evaluation, num_fitting)
        return None if search is None else ArrayToDepth(search, self._secondary)

    def _look_in_python(self) -> SearchToDepth:
        max_entries = TABLE.read(self.options)
        table = TranspositionTable(fitting(max_entries, BYTES_PER_ENTRY)) if max_entries else None
        quiescence = _quiescence(self.options)
        means = AlphaBetaOptions(ordering=self._ordering(), table=table, quiescence=quiescence)
        return AlphaBetaToDepth(self._evaluation, means, self._secondary)

    def _ordering(self) -> Ordering:
        order = ORDER.read(self.options)
        if order == "best":
            killers, history = (option.read(self.options) == YES for option in (KILLERS, HISTORY))
            return LearnedOrder(killers=killers, history=history)
        return AS_LISTED if order == "listed" else Shuffled(self.rng)


def _mixture(text: str) -> str:
    parse_mixture(text)
    return text


MODEL = Option(
    "model",
    OptionKind(f"one of {', '.join(NAMES)}, or a mixture such as adversarial:1+random:3", _mixture),
    "random",
    "what the other players are expected to do: adversarial, random, cooperative, minimax, or a "
    "mixture of these, each with a weight after a colon, joined by +",
)
P = Option(
    "p",
    share(1),
    MinimaxHabit().p,
    "with model=minimax: how often the opponents make the best move they found; otherwise they "
    "move at random",
)
D = Option(
    "d",
    whole(1),
    MinimaxHabit().depth,
    "with model=minimax: how many plies the opponents look ahead",
)


class ExpectimaxPlayer(DepthLimitedPlayer):
    """Makes the move with the best expected value against opponents who follow a model."""

    OPTIONS = (MODEL, P, D, DEPTH, *EVALUATION_OPTIONS, ITERATIONS, BOOK)

    def search_to_depth(self) -> SearchToDepth:
        """Return expectimax with the evaluation and the model that the options name."""
        options, evaluate = self.options, self._evaluation
        habit = MinimaxHabit(D.read(options), P.read(options))
        model = make_model(MODEL.read(options), self.game, evaluate, habit)
        return partial(expectimax.search, evaluate=evaluate, model=model)

    def ponder(self, state: gdl.State, deadline: Deadline) -> None:
        """Do nothing, because the results for this state would not be used in the next one."""


class ExpectiminimaxPlayer(DepthLimitedPlayer):
    """Assumes that the opponents play against it, and averages over chance."""

    OPTIONS = (DEPTH, *EVALUATION_OPTIONS, ITERATIONS, BOOK)

    def search_to_depth(self) -> SearchToDepth:
        """Return expectiminimax with the evaluation that the options name."""
        return partial(expectiminimax.search, evaluate=self._evaluation)

    def ponder(self, state: gdl.State, deadline: Deadline) -> None:
        """Do nothing, because the results for this state would not be used in the next one."""
