"""What is quick in two tutorials keeps its word; `tests/test_docs_tutorials.py` follows them."""

from __future__ import annotations

from pathlib import Path

import pytest

from ggp.clock import Deadline
from ggp.players.registry import create
from ggp.rulesheets import find_game
from tests.test_docs_tutorials import assert_shown, commands, run

pytestmark = pytest.mark.usefixtures("ready_forkers", "kernels")

LONG = ("ggp analyze", "printf")


def test_the_first_game_is_checked_explained_and_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Files of the page are saved, and its commands run."""
    monkeypatch.chdir(tmp_path)
    followed = [each for each in commands("first_game") if not each[0].startswith(LONG)]
    for line, shown in followed:
        assert_shown(line, shown, run(line))

    assert len(followed) > 3


@pytest.mark.parametrize("name", ["first", "sampler"])
def test_the_first_players_make_legal_moves(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As the page has them."""
    monkeypatch.chdir(tmp_path)
    assert list(commands("first_player"))
    game = find_game("ticTacToe").machine
    player = create(f"{name}.py", game, game.roles[0], {}, 1)

    move = player.choose(game.initial_state(), Deadline.after(0.05))

    assert move in game.legal_moves(game.initial_state(), game.roles[0])
