"""The course of a match: states and joint moves, as far as they comply with the rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import gdl
from ggp import games
from ggp.errors import WrongUseError
from ggp.match.events import OWN_MARKS
from ggp.records.record import MatchRecord
from ggp.rulesheets import NamedGame, find_game
from ggp.search.core.choices import Choices, Joint, choices_in, deciders_of
from ggp.term_text import listed

MAX_SHOWN = 8
"""Maximum number of moves that an error message lists."""


@dataclass(frozen=True, slots=True)
class MatchLine:
    """The course of a match of `T` turns.

    Attributes:
        states: `[T + 1]` states.
        moves: `[T]` joint moves.
        choices: `[T]` legal moves of every role.
        broken: Why the rest of the recorded moves does not comply with the rules. Empty if all do.
        errors: The record's error marks for each answer, in role order. Row 0 is the START phase.
            Rows may be missing.
        settled: How people ended the match before its rules did, for example by resigning. Empty if
            they did not.
    """

    states: tuple[gdl.State, ...]
    moves: tuple[Joint, ...]
    choices: tuple[Choices, ...]
    broken: str = ""
    errors: tuple[tuple[str, ...], ...] = ()
    settled: str = ""

    @property
    def num_turns(self) -> int:
        """Number of joint moves."""
        return len(self.moves)

    def deciders(self, turn: int) -> tuple[int, ...]:
        """Return the roles that had a choice in a turn, counted from 0."""
        return deciders_of(self.choices[turn])

    def made_for(self, turn: int, role: int) -> str:
        """Return the error mark if the move was made on the role's behalf, else ""."""
        row = self.errors[turn + 1] if turn + 1 < len(self.errors) else ()
        mark = row[role] if role < len(row) else ""
        return "" if mark in OWN_MARKS else mark


def line_of(
    machine: gdl.StateMachine,
    moves: Sequence[Sequence[str]],
    errors: Sequence[Sequence[str]] = (),
    settled: str = "",
) -> MatchLine:
    """Return the course of a match up to its end, or to the first joint move that breaks the rules.

    Args:
        moves: The joint moves, as in the record.
        errors: The error marks of the answers, as in the record.
        settled: How people ended the match before its rules did, or "".
    """
    states, made, choices = [machine.initial_state()], list[Joint](), list[Choices]()
    broken = ""
    for turn, texts in enumerate(moves, 1):
        try:
            legal, joint = _joint(machine, states[-1], texts)
        except _MisfitError as error:
            broken = f"turn {turn}: {error}"
            break
        made.append(joint)
        choices.append(legal)
        states.append(machine.next_state(states[-1], joint))
    marks = tuple(map(tuple, errors))
    return MatchLine(tuple(states), tuple(made), tuple(choices), broken, marks, settled)


def settled_text(goals: Sequence[int], reason: str) -> str:
    """Return a sentence on the end of a match that people ended before its rules did.

    >>> settled_text([0, 100], "red (Ann) ran out of time")
    '0 : 100, as red (Ann) ran out of time'
    """
    return f"{' : '.join(map(str, goals))}, as {reason}"


class _MisfitError(Exception):
    """A joint move breaks the rules."""


def _joint(
    machine: gdl.StateMachine, state: gdl.State, texts: Sequence[str]
) -> tuple[Choices, Joint]:
    if machine.is_terminal(state):
        raise _MisfitError("the game is already over")
    legal = choices_in(machine, state)
    if not legal:
        raise _MisfitError("the rules leave a role without a move")
    if len(texts) != len(machine.roles):
        given = f"{len(texts)}: {' '.join(texts[:MAX_SHOWN])}" if texts else "none"
        raise _MisfitError(f"expected {len(machine.roles)} moves, one for each role, got {given}")
    found = []
    for role, moves, text in zip(machine.roles, legal, texts, strict=True):
        wanted = text.casefold()
        move = next((move for move in moves if str(move).casefold() == wanted), None)
        if move is None:
            raise _MisfitError(f"{text} is no legal move of {role}; legal: {listed(moves)}")
        found.append(move)
    return legal, tuple(found)


def game_of(record: MatchRecord) -> NamedGame:
    """Return the bundled game in which a match was played.

    Raises:
        WrongUseError: The record has no position, or its first position fits no bundled game.
    """
    if not record.states:
        raise WrongUseError("the record contains no position; name the game with --game")
    first = frozenset(fact.casefold() for fact in record.states[0])
    names = games.names()
    hinted = [name for name in names if name in record.match_id.split(".")]
    for name in dict.fromkeys([*hinted, *names]):
        game = find_game(name)
        machine = game.machine
        facts = machine.facts(machine.initial_state())
        if frozenset(str(fact).casefold() for fact in facts) == first:
            return game
    raise WrongUseError(
        "no bundled game begins with the first position of the record; name the game with --game"
    )
