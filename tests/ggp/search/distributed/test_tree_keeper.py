"""A tree on another machine: it follows the match, and grows while somebody asks for it."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from dataclasses import replace
from importlib.metadata import version

import pytest

import gdl
from ggp.clock import Deadline
from ggp.rulesheets import find_game
from ggp.search.core.search import Search
from ggp.search.distributed import tree_keeper
from ggp.search.distributed.tree_keeper import PACKAGE, Finding, Position, SearchOrder, TreeKeeper
from ggp.search.textbook.mcts.search import MctsSearch

pytestmark = pytest.mark.usefixtures("kernels")

WAIT_SECONDS = 60.0
RULES = find_game("ticTacToe").rulesheet
made: list[tuple[gdl.Term, ...]] = []
"""Where searches began."""


def search_at(game: gdl.Game, state: gdl.State, seed: int) -> Search:
    """A search of the first role."""
    made.append(game.facts(state))
    return MctsSearch(game, state, game.roles[0], random.Random(seed))


def broken(game: gdl.Game, state: gdl.State, seed: int) -> Search:
    """No search at all."""
    raise ValueError("no search today")


class Slow(MctsSearch):
    """A search that begins no step that might end after the deadline, of a very large game."""

    def step(self, deadline: Deadline) -> bool:
        """Take a step that may last for an hour."""
        return deadline.remaining() >= 3600 and super().step(deadline)


def slow_search_at(game: gdl.Game, state: gdl.State, seed: int) -> Search:
    """A slow search of the first role."""
    return Slow(game, state, game.roles[0], random.Random(seed))


ORDER = SearchOrder(RULES, version(PACKAGE), search_at, seed=1)


@pytest.fixture(scope="module")
def game() -> gdl.Game:
    """The game, as whoever asks knows it."""
    return gdl.load(RULES, "interpreter")


def line(game: gdl.Game, length: int) -> Iterator[Position]:
    """The first positions of a match in which all make their first legal moves."""
    state, moves = game.initial_state(), None
    for number in range(length):
        yield Position(number, game.facts(state), moves)
        moves = tuple(game.legal_moves(state, role)[0] for role in game.roles)
        state = game.next_state(state, moves)


def found_by(keeper: TreeKeeper, number: int) -> Finding:
    """What it finds about a position, as soon as it has."""
    end = time.monotonic() + WAIT_SECONDS
    while time.monotonic() < end:
        finding = keeper.think(number, 0.05)
        if finding is not None:
            return finding
    raise AssertionError(f"nothing was found about position {number}")


def rests(keeper: TreeKeeper) -> bool:
    """Return whether its thread comes to wait until it is asked for something."""
    end = time.monotonic() + WAIT_SECONDS
    while time.monotonic() < end:
        with keeper._changed:
            if keeper._changed._waiters:  # type: ignore[attr-defined]
                return True
        time.sleep(0.01)
    return False


class TestTreeKeeper:
    """What is asked of it, and in which order."""

    def test_it_says_what_it_found_about_the_position_that_is_asked_for(
        self, game: gdl.Game
    ) -> None:
        keeper = TreeKeeper()
        first, second = line(game, 2)
        keeper.start(ORDER, first)
        finding = found_by(keeper, 0)
        assert {move.move for move in finding.result.moves} == set(
            game.legal_moves(game.initial_state(), game.roles[0])
        )
        assert keeper.think(1, 0.0) is None
        keeper.advance([second])
        assert (
            found_by(keeper, 1).result.move
            is game.legal_moves(game.state_of(second.facts), game.roles[0])[0]
        )

    def test_steps_may_be_longer_than_the_time_between_two_findings(self, game: gdl.Game) -> None:
        keeper = TreeKeeper()
        keeper.start(replace(ORDER, make=slow_search_at), next(line(game, 1)))
        while not found_by(keeper, 0).effort.num_iterations:
            pass

    def test_it_keeps_its_tree_over_positions_that_come_late_and_together(
        self, game: gdl.Game
    ) -> None:
        keeper = TreeKeeper()
        first, *others = line(game, 4)
        keeper.start(ORDER, first)
        before = found_by(keeper, 0)
        made.clear()
        keeper.advance(others)
        after = found_by(keeper, 3)
        assert after.effort.num_iterations > before.effort.num_iterations
        assert made == []

    def test_where_positions_are_missing_it_begins_anew_and_its_work_still_counts(
        self,
        game: gdl.Game,
    ) -> None:
        keeper = TreeKeeper()
        first, _, _, fourth = line(game, 4)
        keeper.start(ORDER, first)
        before = found_by(keeper, 0)
        made.clear()
        keeper.advance([fourth])
        after = found_by(keeper, 3)
        assert after.effort.num_iterations > before.effort.num_iterations
        assert made == [fourth.facts]

    def test_it_rests_when_nobody_asks(
        self, game: gdl.Game, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(tree_keeper, "PATIENCE_SECONDS", 0.0)
        keeper = TreeKeeper()
        keeper.start(ORDER, next(line(game, 1)))
        found_by(keeper, 0)
        assert rests(keeper)

    def test_what_ends_the_search_is_told_to_who_asks(self, game: gdl.Game) -> None:
        keeper = TreeKeeper()
        keeper.start(replace(ORDER, make=broken), next(line(game, 1)))
        with pytest.raises(ValueError, match="no search today"):
            found_by(keeper, 0)

    def test_another_version_of_the_program_is_refused(self, game: gdl.Game) -> None:
        with pytest.raises(ValueError, match=r"expected ggp-agent 0\.0, but this machine has"):
            TreeKeeper().start(replace(ORDER, version="0.0"), next(line(game, 1)))
