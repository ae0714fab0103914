"""An unknown name is answered with the names that could have been meant."""

from __future__ import annotations

from ggp.errors import GameNotFoundError, GgpError, UnknownNameError


def test_nearest_names_are_offered_without_regard_to_case() -> None:
    """Case is the commonest slip, so it does not count as a difference."""
    error = UnknownNameError("player", "MTCS", ["mcts", "random", "greedy"])

    assert str(error) == "unknown player 'MTCS': did you mean mcts?"
    assert error.suggestions == ("mcts",)


def test_all_names_are_listed_when_none_is_near() -> None:
    """Whoever guessed sees what there is."""
    error = UnknownNameError("player", "zzz", ["random", "legal"])

    assert str(error) == "unknown player 'zzz': expected one of legal, random"
    assert error.suggestions == ()


def test_nothing_known_is_said_so() -> None:
    """An empty list of names does not end in half a sentence."""
    assert str(UnknownNameError("player", "x", [])) == "unknown player 'x': none are known"


def test_unknown_game_is_an_error_of_ggp() -> None:
    """The command line catches one class and prints one line."""
    error = GameNotFoundError("chess", ["chomp"])

    assert isinstance(error, GgpError)
    assert (error.kind, error.name) == ("game", "chess")
