"""Finding the game of a match record, which does not name it: by its first position."""

from __future__ import annotations

from ggp import games
from ggp.errors import WrongUseError
from ggp.records.record import MatchRecord
from ggp.rulesheets import NamedGame, find_game


def game_of(record: MatchRecord) -> NamedGame:
    """The bundled game that a match was played in.

    Raises:
        WrongUseError: The record has no position, or no bundled game begins so.
    """
    if not record.states:
        raise WrongUseError("the record has no position; name its game with --game")
    first = frozenset(fact.casefold() for fact in record.states[0])
    names = games.names()
    hinted = [name for name in names if name in record.match_id.split(".")]
    for name in dict.fromkeys([*hinted, *names]):
        game = find_game(name)
        machine = game.machine
        facts = machine.facts(machine.initial_state())
        if frozenset(str(fact).casefold() for fact in facts) == first:
            return game
    raise WrongUseError("no bundled game begins as the record does; name its game with --game")
