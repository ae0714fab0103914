"""The player for games of hidden information. It searches many worlds instead of one state."""

from __future__ import annotations

import math
import random
from functools import partial
from typing import TYPE_CHECKING, Final

import gdl
from ggp.belief import Belief, Worlds
from ggp.clock import Deadline
from ggp.players.base import Player
from ggp.players.mcts import HORIZON, MEBIBYTE, MctsPlayer
from ggp.players.options import Option, number, one_of, share, whole
from ggp.players.resources import fitting
from ggp.players.searching import ITERATIONS
from ggp.players.thoughts import TurnEffort, thoughts_on
from ggp.search.core import repeat
from ggp.search.core.choices import Joint, StuckError
from ggp.search.core.result import MoveValue, SearchResult
from ggp.search.hidden.determinised import SLICE_ROUNDS, DeterminisedSearch
from ggp.search.hidden.solving.best_response import move_values
from ggp.search.hidden.solving.growing import UnsolvableError, grow
from ggp.search.hidden.solving.solution import Solution, solve
from ggp.search.textbook.mcts.search import MctsSettings

if TYPE_CHECKING:
    from ggp.search.hidden.ismcts.search import InformationSetSearch

    HiddenSearch = DeterminisedSearch | InformationSetSearch

METHOD = Option(
    "method",
    one_of(("auto", "determinised", "ismcts")),
    "auto",
    "determinised: draw worlds, search each as if nothing were hidden, and let them vote; ismcts: "
    "grow a tree for each role over what that role knows; auto: solve the game if the startclock "
    "allows, else ismcts if the game is compiled, else determinised",
)
EXPLORATION = Option("c", number(0), 0.7, "weight of exploration in UCB1, for rewards from 0 to 1")
ROUNDS_AT_ONCE = 100  # iterations per step of `InformationSetSearch`, if iterations are counted
TRUST = Option(
    "trust",
    share(1.0),
    0.7,
    "how far the other roles are expected to move as their trees say; for the rest, all moves "
    "are equally likely",
)
UNAWARE = Option(
    "unaware",
    share(1.0),
    0.5,
    "ismcts: share of the iterations that start in the first state, where the others know nothing "
    "about this role; most of what their trees learn comes from these",
)
ERRORS = Option(
    "errors", share(1.0), 0.5, "ismcts: share of the others' moves in the trees made at random"
)
MEMORY = Option(
    "memory",
    whole(1, 1 << 16),
    256,
    "megabytes for the trees, but at most half of the memory that the process has left",
)

TIME_TO_GROW: Final = 0.6
"""Share of the startclock after which the player stops growing the game tree."""
TIME_TO_SOLVE: Final = 0.9
"""Share of the startclock after which solving stops, even if the solution is not good enough."""
TARGET: Final = 0.01  # solving stops if best responses gain at most this many goal points
WORST_USED: Final = 1.0
"""A solution against which best responses gain more goal points than this is not used."""


class HiddenPlayer(Player):
    """Searches the worlds that agree with its own moves and percepts.

    If nothing is hidden it plays like `mcts`.
    """

    OPTIONS = (METHOD, EXPLORATION, TRUST, UNAWARE, ERRORS, MEMORY, HORIZON, ITERATIONS)

    def set_up(self) -> None:
        """Read the options."""
        options = self.options
        self._method = METHOD.read(options)
        self._c = EXPLORATION.read(options)
        self._trust = TRUST.read(options)
        self._memory = MEMORY.read(options) * MEBIBYTE
        self._horizon = HORIZON.read(options)
        self._rounds = ITERATIONS.read(options) or None
        self._search: HiddenSearch | None = None
        self._worlds: Worlds | None = None
        self._open: MctsPlayer | None = None
        self._solved: SolvedPlay | None = None

    def choose(self, state: gdl.State, deadline: Deadline) -> gdl.Move:
        """Return a move of the solution, if there is one, or the best move that the search finds.

        Return at once if only one move is legal.
        """
        if self.belief is None:
            return self._open_player().choose(state, deadline)
        moves = self.legal_moves(state)
        self.report(moves[0], forced=len(moves) == 1)
        if len(moves) == 1:
            return moves[0]
        found = self._solved and self._solved.choose(self.belief, moves)
        if found:
            self.report(found[0], **found[1])
            return found[0]
        search = self._search_now()
        self._chosen = moves[0]
        report = partial(self._report_on, search, moves, TurnEffort(search.effort))
        repeat(search.step, deadline, self._num_steps, report)
        report()
        return self._chosen

    def prepare(self, state: gdl.State, deadline: Deadline) -> None:
        """Solve the game if it is small, otherwise search from the initial state."""
        if self.belief is None:
            self._open_player().prepare(state, deadline)
        elif not self.machine.is_terminal(state):
            if self._method == "auto" and state == self.machine.initial_state():
                self._solved = solved_play(self.game, self.role, self.rng, deadline)
            if self._solved is not None:
                return
            repeat(self._search_now().step, deadline, self._num_steps)

    def ponder(self, state: gdl.State, deadline: Deadline) -> None:
        """Continue the search, unless iterations are counted."""
        if self.belief is None:
            self._open_player().ponder(state, deadline)
        elif self._solved is None and self._rounds is None and not self.machine.is_terminal(state):
            repeat(self._search_now().step, deadline)

    def advance(self, moves: Joint, state: gdl.State) -> None:
        """If nothing is hidden, tell the inner `mcts` player about the moves.

        Otherwise do nothing, because the caller updates the belief.
        """
        if self.belief is None:
            self._open_player().advance(moves, state)

    @property
    def _num_steps(self) -> int | None:
        """Number of search steps per move; None means as many as the clock allows."""
        if self._rounds is None:
            return None
        is_sliced = isinstance(self._search, DeterminisedSearch)
        return max(1, self._rounds // (SLICE_ROUNDS if is_sliced else ROUNDS_AT_ONCE))

    def _search_now(self) -> HiddenSearch:
        """Return the search, after giving it the worlds that are possible now."""
        assert self.belief is not None
        if self._search is None:
            self._search = self._information_set_search() or self._determinised_search()
        if self._worlds is not self.belief.worlds:
            self._worlds = self.belief.worlds
            self._search.look_at(self._worlds)
        return self._search

    def _information_set_search(self) -> InformationSetSearch | None:
        if self._method == "determinised" or self.game.circuit is None:
            return None
        # Imported here so that players without this search do not wait for numba.
        from ggp.search.hidden.ismcts.search import InformationSetSearch, InformationSetSettings

        memory = fitting(self._memory)
        settings = InformationSetSettings(
            c=self._c,
            horizon=self._horizon,
            memory=memory,
            trust=self._trust,
            unaware=UNAWARE.read(self.options),
            errors=ERRORS.read(self.options),
        )
        seed = self.rng.randrange(1 << 31)
        chunk = None if self._rounds is None else ROUNDS_AT_ONCE
        search = InformationSetSearch(self.game, self.role, seed, settings, chunk)
        if self._trust and self.belief is not None:
            self.belief.trust(search.likelihoods)
        return search

    def _determinised_search(self) -> DeterminisedSearch:
        return DeterminisedSearch(
            self.game,
            self.role,
            self.rng.randrange(1 << 31),
            MctsSettings(c=self._c, horizon=self._horizon),
            fitting(self._memory),
            is_timed=self._rounds is None,
        )

    def _open_player(self) -> MctsPlayer:
        if self._open is None:
            options = {ITERATIONS.name: str(self._rounds)} if self._rounds else {}
            seed = self.rng.randrange(1 << 31)
            self._open = MctsPlayer(self.game, self.role, options, seed)
            self._open.learner = self.learner
            self._open.listener = lambda move, thoughts: self.report(move, **thoughts)
        return self._open

    def _report_on(
        self, search: HiddenSearch, moves: tuple[gdl.Move, ...], turn: TurnEffort
    ) -> None:
        assert self.belief is not None
        result = search.result()
        known = () if result is None else result.moves
        self._chosen = next((each.move for each in known if each.move in moves), moves[0])
        if result is None:
            return
        belief = {"worlds": self.belief.worlds.num, "complete": self.belief.is_complete}
        thoughts = {**thoughts_on(result), **belief, **turn.figures(search.effort)}
        self.report(self._chosen, **thoughts)


class SolvedPlay:
    """A player of one role that draws its moves with the probabilities of a solution."""

    def __init__(self, solution: Solution, role: gdl.Role, rng: random.Random) -> None:
        self.solution, self._rng = solution, rng
        self._player = solution.tree.player(role)

    def choose(
        self, belief: Belief, moves: tuple[gdl.Move, ...]
    ) -> tuple[gdl.Move, dict[str, object]] | None:
        """Draw a move in the current information set, and return it with the thoughts.

        Return None if the solution does not contain the information set, or has other moves there
        than the legal `moves`.
        """
        tree, solution = self.solution.tree, self.solution
        number = tree.find_set(self._player, belief.turns)
        if number is None:
            return None
        mixture = tree.mixture(number, solution.shares)
        if set(mixture) != set(moves):
            return None
        chosen = self._rng.choices([*mixture], [*mixture.values()])[0]
        known = move_values(tree, number, solution.shares)
        slots = {tree.moves[slot]: k for k, slot in enumerate(tree.slots(number))}
        value_of = (
            dict.fromkeys(mixture, solution.values[self._player])
            if known is None
            else {move: float(known[slots[move]]) for move in mixture}
        )
        values = [
            MoveValue(move, value_of[move], visits=0, share=share)
            for move, share in mixture.items()
        ]
        result = SearchResult(chosen, value_of[chosen], visits=0, moves=tuple(values))
        thoughts = thoughts_on(result) | {
            "shares": {str(move): round(share, 4) for move, share in mixture.items()},
            "exploitability": round(solution.exploitability, 4),
            "worlds": belief.worlds.num,
            "complete": belief.is_complete,
        }
        return chosen, thoughts


def solved_play(
    game: gdl.Game, role: gdl.Role, rng: random.Random, deadline: Deadline
) -> SolvedPlay | None:
    """Solve a game, and return a player that follows the solution as `role`.

    Return None if the game is too large, or if the solution is not good enough by the deadline.
    """
    left = deadline.remaining()
    saved = 0.0 if math.isinf(left) else left
    try:
        tree = grow(game, deadline=deadline.earlier((1 - TIME_TO_GROW) * saved))
        solution = solve(tree, TARGET, deadline.earlier((1 - TIME_TO_SOLVE) * saved))
    except (UnsolvableError, StuckError):
        return None
    if solution.exploitability > WORST_USED:
        return None
    return SolvedPlay(solution, role, rng)
