"""Solved games: known values, strategies that are as the literature has them, and refusals."""

from __future__ import annotations

import pytest

import gdl
from ggp import games
from ggp.belief import TurnPercepts
from ggp.clock import Deadline
from ggp.search.hidden.solving.growing import UnsolvableError, estimated_nodes, grow
from ggp.search.hidden.solving.solution import SolvedStrategy, solve, solve_game
from tests.ggp.environments.rulesheets import ONE_ROUND
from tests.thorough import all_but

pytestmark = pytest.mark.usefixtures("kernels")

KUHN_CHIP, LEDUC_CHIP = 25, 3  # goal points

# A car is behind one of three doors; another door is opened, and one may switch.
MONTY_HALL = """
(role guest) (role random) (door 1) (door 2) (door 3) (init (step 1))
(<= (legal random (hide ?d)) (true (step 1)) (door ?d)) (<= (legal guest wait) (true (step 1)))
(<= (legal guest (choose ?d)) (true (step 2)) (door ?d)) (<= (legal random wait) (true (step 2)))
(<= (legal random (open ?d)) (true (step 3)) (door ?d) (not (true (car ?d))) (not (true (at ?d))))
(<= (legal guest wait) (true (step 3)))
(<= (legal guest keep) (true (step 4))) (<= (legal guest switch) (true (step 4)))
(<= (legal random wait) (true (step 4)))
(<= (sees guest ?d) (does random (open ?d)))
(succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))
(<= (next (car ?d)) (does random (hide ?d))) (<= (next (car ?d)) (true (car ?d)))
(<= (next (at ?d)) (does guest (choose ?d)))
(<= (next (at ?d)) (true (at ?d)) (not (does guest switch)))
(<= (next (opened ?d)) (does random (open ?d))) (<= (next (opened ?d)) (true (opened ?d)))
(<= (next (at ?d)) (does guest switch) (door ?d) (not (true (at ?d))) (not (true (opened ?d))))
(<= terminal (true (step 5))) (<= won (true (at ?d)) (true (car ?d)))
(<= (goal guest 100) won) (<= (goal guest 0) (not won)) (goal random 0)
"""


def seen(own_move: str, *percepts: str) -> TurnPercepts:
    """A turn of a role, read from text."""
    return TurnPercepts(gdl.read_term(own_move), frozenset(map(gdl.read_term, percepts)))


@pytest.fixture(scope="module")
def kuhn() -> gdl.Game:
    """Kuhn poker."""
    return gdl.load(games.text("kuhnPoker"), "scalar")


def test_kuhn_poker_is_solved(kuhn: gdl.Game) -> None:
    """The value is that of H. W. Kuhn, A Simplified Two-Person Poker, 1950."""
    solution = solve_game(kuhn, target=0.001 * KUHN_CHIP)

    chips = (solution.values[0] - 50) / KUHN_CHIP

    assert chips == pytest.approx(-1 / 18, abs=0.001)
    assert sum(solution.values) == pytest.approx(100)
    assert solution.exploitability <= 0.001 * KUHN_CHIP


def test_the_second_player_of_kuhn_poker_bluffs_as_often_as_it_must(kuhn: gdl.Game) -> None:
    """Its equilibrium strategy is the only one: with a jack it bets a third of the time."""
    second = SolvedStrategy(solve_game(kuhn, target=0.0005 * KUHN_CHIP), kuhn.roles[1])

    def after(card: str, word: str) -> dict[str, float]:
        dealt, said = seen("noop", f"(got {card})"), seen("noop", f"(says first {word})")
        found = second.distribution([dealt, said])
        assert found is not None
        return {str(move): share for move, share in found.items()}

    assert after("jack", "pass")["bet"] == pytest.approx(1 / 3, abs=0.02)
    assert after("queen", "bet")["bet"] == pytest.approx(1 / 3, abs=0.02)
    assert after("king", "bet")["bet"] > 0.99
    assert after("jack", "bet")["bet"] < 0.01


def test_a_strategy_has_nothing_to_say_where_its_role_has_no_choice(kuhn: gdl.Game) -> None:
    """Before it has seen a card that there is, or when the other is to speak."""
    second = SolvedStrategy(solve_game(kuhn, target=1.0), kuhn.roles[1])

    assert second.distribution([seen("noop", "(got ace)")]) is None
    assert second.distribution([seen("noop", "(got king)")]) is None


@pytest.mark.thorough
def test_leduc_poker_is_solved() -> None:
    """Its value is -0.0856 chips; the game is that of Southey et al., Bayes' Bluff, 2005."""
    solution = solve_game(gdl.load(games.text("leducPoker"), "scalar"), target=0.001 * LEDUC_CHIP)

    assert solution.tree.num_sets == 936
    assert (solution.values[0] - 50) / LEDUC_CHIP == pytest.approx(-0.0856, abs=0.001)
    assert solution.exploitability <= 0.001 * LEDUC_CHIP


def test_a_game_of_one_role_is_solved_exactly() -> None:
    """In Monty Hall, who switches wins two of three games."""
    game = gdl.load(MONTY_HALL, "scalar")
    solution = solve_game(game)
    guest = SolvedStrategy(solution, game.roles[0])

    found = guest.distribution([seen("wait"), seen("(choose 1)"), seen("wait", "3")])

    assert solution.values == pytest.approx((200 / 3,))
    assert found == {gdl.read_term("switch"): 1.0, gdl.read_term("keep"): 0.0}


def test_moves_at_the_same_time_are_solved() -> None:
    """In rock paper scissors everybody sees all moves, but not before the turn is over."""
    game = gdl.load(ONE_ROUND, "scalar")
    solution = solve_game(game, target=0.5, deadline=Deadline.after(20.0))

    found = SolvedStrategy(solution, game.roles[0]).distribution([])

    assert found is not None
    assert list(found.values()) == pytest.approx([1 / 3] * 3, abs=0.05)
    assert solution.values == pytest.approx((50, 50), abs=0.5)


def test_a_game_that_is_too_large_is_refused() -> None:
    """By its nodes, by the time that they take, or at once by the estimate of its size."""
    game = gdl.load(games.text("ticTacToe"), "scalar")

    with pytest.raises(UnsolvableError, match="more than 10,000 nodes"):
        solve_game(game, max_nodes=10_000)
    with pytest.raises(UnsolvableError, match="too large to be solved in this time"):
        solve_game(game, deadline=Deadline.after(0.1))
    with pytest.raises(UnsolvableError, match=r"about [1-9]e\+10 nodes"):
        solve_game(gdl.load(games.text("phantomTicTacToe"), "scalar"))


@pytest.mark.parametrize(
    "name", all_but(["kuhnPoker"], ["kuhnPoker", "leducPoker", "rockPaperScissors"])
)
def test_the_size_of_a_tree_is_estimated(name: str) -> None:
    """Of a tree that branches everywhere alike, exactly."""
    game = gdl.load(games.text(name), "scalar")

    estimate = estimated_nodes(game, seed=1, deadline=Deadline.never())

    assert estimate == pytest.approx(grow(game).num_nodes, rel=0.2)


def test_goals_that_have_no_fixed_sum_are_refused() -> None:
    """An equilibrium of such a game is not what is found by learning."""
    game = gdl.load(games.text("prisonersDilemma"), "scalar")

    with pytest.raises(UnsolvableError, match="do not always have the same sum"):
        solve(grow(game))


def test_a_role_that_cannot_know_its_moves_is_named() -> None:
    """Here which doors are open decides which moves there are, and nobody sees it."""
    text = MONTY_HALL.replace("(<= (sees guest ?d) (does random (open ?d)))", "")
    text = text.replace("(legal guest switch)", "(legal guest (take ?d))")
    text = text.replace("(true (step 4)))\n(<= (legal random wait)", "(true (step 4)) (door ?d)"
                        " (not (true (opened ?d))))\n(<= (sees guest never) (does guest keep))"
                        "(<= (legal random wait)", 1)  # fmt: skip

    with pytest.raises(UnsolvableError, match="role guest cannot know its legal moves"):
        grow(gdl.load(text, "scalar"))
