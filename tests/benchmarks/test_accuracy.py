"""The judge of strength: positions of known outcome, and who is asked about them."""

from __future__ import annotations

import sys

import pytest
from accuracy import Trial, answers
from contest.match import load
from positions import OUTCOMES, Making, Question, made, questions_of, states_to

from tests.thorough import all_but

pytestmark = pytest.mark.usefixtures("kernels")

GAMES = sorted(file.stem for file in OUTCOMES.glob("*.json"))


@pytest.mark.parametrize("game", all_but(list(GAMES)[:1], GAMES))
def test_each_position_is_a_question(game: str) -> None:
    """Its moves can be made, its answers are the legal moves, and they are not all the same."""
    machine = load(game)
    for question in questions_of(game)[::10]:
        state = states_to(game, question)[-1]
        legal = machine.legal_moves(state, machine.roles[question.role])
        assert {str(move) for move in legal} == set(question.values)
        assert len(set(question.values.values())) > 1


def test_a_question_is_answered_after_each_mark() -> None:
    """The winning move, which is found at once; a player that only takes the first one errs."""
    moves = ["(mark 1 1) noop", "noop (mark 2 1)", "(mark 1 2) noop", "noop (mark 2 2)"]
    cells = ("1 3", "2 3", "3 1", "3 2", "3 3")
    values = {f"(mark {cell})": 100.0 if cell == "1 3" else 0.0 for cell in cells}
    question = Question(moves, 0, values)
    trial = Trial("ticTacToe", "mcts", "rounds", (64, 128), [question], 1, sys.executable)

    assert answers(trial) == [[True, True]]


def test_positions_are_made_by_search_to_the_end() -> None:
    """Three of ticTacToe, with what each move is worth."""
    for question in made(Making("ticTacToe", range(4, 7), 5.0, seed=1), 3):
        assert set(question.values.values()) <= {0.0, 50.0, 100.0}
        assert len(question.moves) in range(4, 7)
