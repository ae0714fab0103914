"""Search on several machines: what others have found counts, if they are there."""

from __future__ import annotations

import random
from typing import cast

import pytest

import gdl
from ggp.clock import Deadline
from ggp.rulesheets import find_game
from ggp.search.core.result import Effort, MoveValue, SearchResult
from ggp.search.distributed.search import ClusterSearch, Machines
from ggp.search.distributed.tree_keeper import NO_EFFORT, Finding, Position
from ggp.search.textbook.mcts.search import MctsSearch


class Told:
    """Stands for other machines: has found what a test says.

    Attributes:
        findings: About the present position.
        deadlines: That it was told.
    """

    def __init__(self, position: Position) -> None:
        self.position = position
        self.findings: tuple[Finding, ...] = ()
        self.lost = NO_EFFORT
        self.deadlines: list[float] = []

    @property
    def efforts(self) -> tuple[Effort, ...]:
        """Of all that have found something."""
        return tuple(each.effort for each in self.findings)

    def go_on(self, deadline: float) -> None:
        """Note it."""
        self.deadlines.append(deadline)

    def move_to(self, position: Position) -> None:
        """Go there; nothing is known yet."""
        self.position, self.findings = position, ()


@pytest.fixture(scope="module")
def game() -> gdl.Game:
    """A game with nine first moves."""
    return gdl.load(find_game("ticTacToe").rulesheet, "interpreter")


@pytest.fixture
def others(game: gdl.Game) -> Told:
    """The other machines."""
    return Told(Position(0, game.facts(game.initial_state())))


@pytest.fixture
def search(game: gdl.Game, others: Told) -> ClusterSearch:
    """A search here, with those others."""
    own = MctsSearch(game, game.initial_state(), game.roles[0], random.Random(1))
    return ClusterSearch(own, game, cast(Machines, others), seed=1)


def finding(moves: list[MoveValue], rounds: int = 100, *, decided: bool = False) -> Finding:
    """What a machine has found, the best move first."""
    best = moves[0]
    result = SearchResult(best.move, best.value, rounds, best.lower, best.upper, (), tuple(moves))
    return Finding(0, result, Effort(rounds, 2 * rounds, 3 * rounds, 4), is_decided=decided)


class TestClusterSearch:
    """One tree here, others elsewhere."""

    def test_visits_and_values_of_all_machines_are_added_up(
        self, game: gdl.Game, search: ClusterSearch, others: Told
    ) -> None:
        for _ in range(50):
            search.step(Deadline.after(60))
        alone = search.result()
        wanted = game.legal_moves(game.initial_state(), game.roles[0])[5]
        others.findings = (finding([MoveValue(wanted, 70.0, 10_000)], 10_000),)
        together = search.result()
        assert together.move is wanted
        assert together.visits == alone.visits + 10_000
        assert together.value == pytest.approx(70.0, abs=1.0)
        assert search.effort.machines == (50, 10_000)
        assert search.effort.num_iterations == 10_050

    def test_what_another_machine_has_decided_is_played(
        self, game: gdl.Game, search: ClusterSearch, others: Told
    ) -> None:
        search.step(Deadline.after(60))
        wanted = game.legal_moves(game.initial_state(), game.roles[0])[7]
        was_decided = search.is_decided
        others.findings = (finding([MoveValue(wanted, 100.0, 1, 100.0, 100.0)], decided=True),)
        assert (was_decided, search.is_decided) == (False, True)
        assert search.result().move is wanted

    def test_bounds_that_no_machine_has_proven_alone_decide_together(
        self, game: gdl.Game, search: ClusterSearch, others: Told
    ) -> None:
        search.step(Deadline.after(60))
        first, *rest = game.legal_moves(game.initial_state(), game.roles[0])
        half = len(rest) // 2
        refuted = [MoveValue(move, 0.0, 5, 0.0, 0.0) for move in rest]
        unknown = [MoveValue(move, 50.0, 5) for move in rest]
        hopeful = MoveValue(first, 60.0, 9)
        others.findings = (
            finding([hopeful, *refuted[:half], *unknown[half:]]),
            finding([hopeful, *unknown[:half], *refuted[half:]]),
        )
        assert search.result().move is first
        assert search.is_decided

    def test_work_of_a_machine_that_was_lost_still_counts(
        self, search: ClusterSearch, others: Told
    ) -> None:
        search.step(Deadline.after(60))
        others.lost = Effort(500, 700, 0, 0)
        assert search.effort.num_iterations == 501
        assert search.effort.machines == (1,)

    def test_the_others_are_sent_along_with_every_move_and_told_the_deadline(
        self, game: gdl.Game, search: ClusterSearch, others: Told
    ) -> None:
        deadline = Deadline.after(60)
        search.step(deadline)
        assert others.deadlines == [deadline.moment]
        state = game.initial_state()
        moves = tuple(game.legal_moves(state, role)[0] for role in game.roles)
        after = game.next_state(state, moves)
        search.advance(moves, after)
        assert others.position == Position(1, game.facts(after), moves)
        assert search.state == after
