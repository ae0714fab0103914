"""The examples do what they say."""

from __future__ import annotations

import pytest
import train_tictactoe

pytestmark = pytest.mark.usefixtures("kernels")


@pytest.mark.thorough
def test_a_policy_learns_tic_tac_toe(capsys: pytest.CaptureFixture[str]) -> None:
    """A sixth of the training gets far more than the 65 % that random moves get."""
    network = train_tictactoe.train("ticTacToe", None, num_updates=100, seed=0)
    assert "update 100: " in capsys.readouterr().out
    assert train_tictactoe.evaluate(network, "ticTacToe", None) > 0.85
