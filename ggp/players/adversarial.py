"""The players that expect the others to play against them: minimax and alpha-beta."""

from __future__ import annotations

from collections.abc import Mapping

import gdl
from ggp.players.book_options import BOOK
from ggp.players.evaluation_options import DEPTH, EVALUATION_OPTIONS, evaluation_from
from ggp.players.memory import fitting
from ggp.players.options import Option, number, one_of, whole
from ggp.players.searching import ITERATIONS, SearchPlayer
from ggp.search.core import Search
from ggp.search.textbook.adversarial.alphabeta import Means
from ggp.search.textbook.adversarial.depth_searches import (
    AlphaBetaSettings,
    AlphaBetaToDepth,
    MinimaxToDepth,
)
from ggp.search.textbook.adversarial.horizon import Quiescence
from ggp.search.textbook.adversarial.ordering import AS_LISTED, LearnedOrder, Ordering, Shuffled
from ggp.search.textbook.adversarial.table import MAX_ENTRIES, TranspositionTable
from ggp.search.textbook.deepening import DeepeningSearch, SearchToDepth

YES, NO = "yes", "no"

PARANOID = Option(
    "paranoid",
    one_of((YES, NO)),
    NO,
    "in games of more than two roles, whether all others are taken to be against us; no: each "
    "maximises its own goal",
)
QUIESCENCE = Option(
    "quiescence",
    whole(0),
    0,
    "plies to look beyond the depth at most, as long as the evaluation swings; 0: none",
)
SWING = Option(
    "swing",
    number(0),
    Quiescence().threshold,
    "with quiescence: a state is quiet if the last ply changed its evaluation by no more",
)
ORDER = Option(
    "order",
    one_of(("best", "listed", "random")),
    "best",
    "which moves are looked at first: those that were best before (with killers and history), in "
    "the order of the rules, or at random",
)
TABLE = Option(
    "table", whole(0), MAX_ENTRIES, "states in the transposition table at most; 0: there is none"
)
KILLERS = Option(
    "killers",
    one_of((YES, NO)),
    YES,
    "with order=best: whether moves that cut off at the same ply come early",
)
HISTORY = Option(
    "history",
    one_of((YES, NO)),
    YES,
    "with order=best: whether moves that cut off often, anywhere, come early",
)
ASPIRATION = Option(
    "aspiration",
    number(0),
    AlphaBetaSettings().aspiration,
    "how far from the value of the depth before the value is looked for at first; 0: anywhere",
)
SECONDARY = Option(
    "secondary",
    whole(0),
    AlphaBetaSettings().secondary,
    "plies beyond the depth by which the best move is verified before it counts; 0: it is not",
)

TREE = Option(
    "tree",
    one_of(("auto", "arrays", "python")),
    "auto",
    "arrays: in array code on the compiled game; python: in any game; auto: arrays where they can "
    "do what is asked for",
)
BYTES_PER_ENTRY = 1024
BYTES_PER_ARRAY_ENTRY = 32
ARRAY_TABLE = 1 << 21
"""States in the table of the search in arrays, where the option says nothing."""


def _quiescence(options: Mapping[str, str]) -> Quiescence | None:
    plies = QUIESCENCE.read(options)
    return Quiescence(SWING.read(options), plies) if plies else None


class MinimaxPlayer(SearchPlayer):
    """Looks at every line, one ply deeper each time, and expects the worst answers."""

    OPTIONS = (DEPTH, PARANOID, QUIESCENCE, SWING, *EVALUATION_OPTIONS, ITERATIONS, BOOK)

    def set_up(self) -> None:
        """Read the options."""
        super().set_up()
        options = self.options
        self._look = MinimaxToDepth(
            evaluation_from(options, self.game),
            paranoid=PARANOID.read(options) == YES,
            quiescence=_quiescence(options),
        )

    def new_search(self, state: gdl.State) -> Search:
        """A search that has seen nothing yet."""
        depth = DEPTH.read(self.options) or None
        return DeepeningSearch(self.machine, state, self.role, self._look, depth)


class AlphaBetaPlayer(SearchPlayer):
    """Finds what minimax finds and looks at less; keeps its table from turn to turn."""

    OPTIONS = (
        DEPTH,
        ORDER,
        TABLE,
        KILLERS,
        HISTORY,
        ASPIRATION,
        QUIESCENCE,
        SWING,
        SECONDARY,
        TREE,
        *EVALUATION_OPTIONS,
        ITERATIONS,
        BOOK,
    )

    def set_up(self) -> None:
        """Read the options."""
        super().set_up()
        options = self.options
        self._evaluation = evaluation_from(options, self.game)
        self._settings = AlphaBetaSettings(ASPIRATION.read(options), SECONDARY.read(options))
        self._look = self._look_in_arrays() or self._look_in_python()

    def new_search(self, state: gdl.State) -> Search:
        """A search that has seen nothing of this state, but remembers the turns before."""
        depth = DEPTH.read(self.options) or None
        return DeepeningSearch(self.machine, state, self.role, self._look, depth)

    def _look_in_arrays(self) -> SearchToDepth | None:
        options = self.options
        asks_for_more = (
            QUIESCENCE.read(options)
            or not TABLE.read(options)
            or any(option.read(options) != option.default for option in (ORDER, KILLERS, HISTORY))
        )
        if TREE.read(options) == "python" or asks_for_more:
            return None
        # Here, so that whoever plays another player does not wait for numba.
        from ggp.search.fast.alphabeta.search import make_search
        from ggp.search.textbook.adversarial.array_depth_search import ArrayToDepth

        num_entries = TABLE.read(options) if TABLE.name in options else ARRAY_TABLE
        num_fitting = fitting(num_entries, BYTES_PER_ARRAY_ENTRY)
        search = make_search(self.game, self.role, self._evaluation, num_fitting)
        return None if search is None else ArrayToDepth(search, self._settings)

    def _look_in_python(self) -> SearchToDepth:
        max_entries = TABLE.read(self.options)
        means = Means(
            ordering=self._ordering(),
            table=TranspositionTable(fitting(max_entries, BYTES_PER_ENTRY))
            if max_entries
            else None,
            quiescence=_quiescence(self.options),
        )
        return AlphaBetaToDepth(self._evaluation, means, self._settings)

    def _ordering(self) -> Ordering:
        order = ORDER.read(self.options)
        if order == "best":
            killers, history = (option.read(self.options) == YES for option in (KILLERS, HISTORY))
            return LearnedOrder(killers=killers, history=history)
        return AS_LISTED if order == "listed" else Shuffled(self.rng)
