"""Options that are read in the same way by several verbs."""

from __future__ import annotations

import pytest

from ggp import games
from ggp.cli.options import opponents
from ggp.errors import WrongUseError

THREE = "threePlayerTicTacToe"


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        ([], ["mcts", "mcts"]),
        (["random"], ["random", "random"]),
        (["random", "mcts:c=0.7"], ["random", "mcts:c=0.7"]),
        (["ZPLAYER=random"], ["mcts", "random"]),
        (["zplayer=mcts:c=0.7", "legal"], ["legal", "mcts:c=0.7"]),
        (["mcts:c=0.7"], ["mcts:c=0.7", "mcts:c=0.7"]),
    ],
)
def test_players_are_given_to_the_other_roles(texts: list[str], expected: list[str]) -> None:
    """One for all, one a role in their order, or by name."""
    own, *others = games.catalogue()[THREE].roles

    found = opponents(others, own, texts)

    assert list(found) == others
    assert list(found.values()) == expected


def test_too_many_players_are_refused() -> None:
    """The message names the roles that need one."""
    own, *others = games.catalogue()[THREE].roles

    with pytest.raises(WrongUseError, match="expected one player, or one for each of"):
        opponents(others, own, ["legal", "legal", "legal"])
