"""The bundled games are found by name, and nothing else is."""

from __future__ import annotations

import pytest

from ggp import games
from ggp.errors import GameNotFoundError


def test_every_name_leads_to_its_rules() -> None:
    """A name, its file and its text belong together."""
    texts = {name: games.text(name) for name in games.names()}

    assert "ticTacToe" in texts
    assert all("(role " in text for text in texts.values())
    assert games.path("ticTacToe").name == "ticTacToe.kif"


def test_names_are_sorted_as_people_sort() -> None:
    """Upper case does not come first."""
    names = games.names()

    assert list(names) == sorted(names, key=str.lower)


def test_epilog_form_is_another_file_of_the_same_name() -> None:
    """A game in Epilog is one of the games in KIF."""
    names = games.names("epilog")

    assert set(names) <= set(games.names())
    assert games.path("ticTacToe", "epilog").name == "ticTacToe.epilog"
    assert "role(" in games.text("ticTacToe", "epilog")


@pytest.mark.parametrize("slip", ["tictactoe", "ticTacTo", "TicTacToe"])
def test_unknown_game_suggests_the_nearest_name(slip: str) -> None:
    """A slip of the keyboard is answered with the name that was meant."""
    with pytest.raises(GameNotFoundError, match="did you mean ticTacToe") as caught:
        games.path(slip)

    assert caught.value.name == slip
    assert caught.value.suggestions[0] == "ticTacToe"


@pytest.mark.parametrize("name", ["", "../pyproject", "/etc/passwd", "epilog/ticTacToe", "*"])
def test_name_cannot_leave_the_folder(name: str) -> None:
    """A name is looked up in a list and never joined to a path unseen."""
    with pytest.raises(GameNotFoundError):
        games.text(name)


def test_catalogue_describes_every_bundled_game() -> None:
    """No rulesheet without an entry, no entry without a rulesheet."""
    entries = games.catalogue()

    assert set(entries) == set(games.names())
    assert all(entry.name == name for name, entry in entries.items())
    assert all(entry.title and entry.roles and entry.rules for entry in entries.values())
