"""The answers of tools as data: their fields, of which clients are told the types and meanings.

Fields that depend on the search or the game may stand beside those that are named.
"""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict


class AnswerModel(BaseModel):
    """An answer, or a part of one."""

    model_config = ConfigDict(extra="allow", use_attribute_docstrings=True)


class GameEntry(AnswerModel):
    """A bundled game."""

    name: str
    """As new_match takes it."""
    title: str
    roles: list[str]
    rules: str
    """In a sentence."""


class GameList(AnswerModel):
    """The bundled games."""

    games: list[GameEntry]


class SeenTurn(AnswerModel):
    """A turn that is over, as a role knows it."""

    move: str
    """Its own."""
    percepts: list[str]


class MatchState(AnswerModel):
    """The state of a match, as far as the handle shows it."""

    match: str
    turn: int
    """That is to be played, from 1."""
    to_move: list[str]
    """Roles whose choice is waited for; none: call play without a move. With the handle of a role:
    that role, or nobody: call state again."""
    is_over: bool
    goals: dict[str, int] | None
    """By role, 0 to 100; null before the end."""
    picture: str
    """Resource of the position as SVG."""
    board: str
    """The position as text; what is new stands in brackets."""
    facts: list[str] | None = None
    """Of the state, as terms; not given to a role that does not see all."""
    more_facts: int = 0
    """Facts that are left out."""
    last_move: list[str] | None = None
    """The last joint move, in the order of roles."""
    role: str | None = None
    """Whose handle it is, where roles do not see all."""
    seen: list[SeenTurn] | None = None
    likely: dict[str, float] | None = None
    """Facts that the role holds possible, with their probability."""


class NewMatch(AnswerModel):
    """A new match: its handle and what state tells, or a handle for each role."""

    rules: str
    roles: list[str]
    match: str | None = None
    seats: dict[str, str] | None = None
    """Handles by role, where roles do not see all."""


class PlayedMove(MatchState):
    """The state of a match after a move."""

    played: dict[str, str]
    """Moves that were taken, as terms."""
    is_made: bool
    """Whether the turn is over; else others are waited for. With the handle of a role: whether it
    has been told what came of it, as its move is wanted again or the game is over."""
    understood: list[str]
    """The meaning that each text was given."""


class EngineMove(PlayedMove):
    """The state of a match after the engine's move."""

    move: str
    thoughts: dict[str, Any]
    """Of its search: value, visits, line, moves, ..."""


class FactDerivation(AnswerModel):
    """The reasons why a fact holds, or not."""

    question: str
    holds: bool
    sentence: str
    lines: list[str]
    """The rules used, with their lines, and the conditions that fail."""


class NamedMove(AnswerModel):
    """A move."""

    move: str
    """As a term."""
    name: str
    """In words; play takes both."""


class LegalMoves(AnswerModel):
    """A page of legal moves."""

    role: str
    total: int
    moves: list[NamedMove]
    next_offset: int | None
    """Of the next page; null if this is the last one."""


class MoveValue(AnswerModel):
    """A move and what a search thinks of it."""

    move: str
    value: float | None = None
    """Goal expected, 0 to 100."""
    visits: int | None = None
    share: float | None = None
    """Of the visits; in games of hidden information, the probability with which to play it."""


class SearchResult(AnswerModel):
    """The findings of a search for a role."""

    value: float | None = None
    """Goal expected, 0 to 100, from the position on, by what the role knows there."""
    role: str | None = None
    move: str | None = None
    """The best one."""
    lower: float | None = None
    """Proven bounds on the value."""
    upper: float | None = None
    solved: bool | None = None
    words: list[str] | None = None
    """The moves that are expected, of those who have a choice."""
    moves: list[MoveValue] | None = None
    iterations: int | None = None
    worlds: int | None = None
    """States that the role holds possible, in games of hidden information."""
    game_value: float | None = None
    """From the first position on, in games of hidden information."""
    exploitability: float | None = None


class PlayerReport(AnswerModel):
    """Quality of a role's moves."""

    role: str
    accuracy: float | None
    """Percent."""
    marks: dict[str, int]


class MoveReport(AnswerModel):
    """A move, and what it gave away."""

    turn: int
    role: str
    move: str
    best: str
    before: float
    """Value of the position for the role, 0 to 100."""
    after: float
    lost: float
    mark: str | None
    """inaccuracy, mistake or blunder."""


class MatchReport(AnswerModel):
    """A report on a match."""

    turns: int
    decided: int | None
    """The turn that decided the match."""
    players: list[PlayerReport]
    moves: list[MoveReport]


class SolvedPosition(AnswerModel):
    """The value of a position if all play perfectly; of the first, where roles do not see all."""

    method: str
    goals: dict[str, float]
    plies: int | None
    """To the end."""
    states: int
    exploitability: float


class RulesCure(AnswerModel):
    """A change of the text that mends a finding."""

    title: str
    edits: list[dict[str, Any]]


class RulesFinding(AnswerModel):
    """A fault in rules, with its place."""

    severity: str
    code: str
    message: str
    line: int
    column: int
    cures: list[RulesCure]


class LoadedRules(AnswerModel):
    """The findings on rules, and their handle if they can be played."""

    is_playable: bool
    findings: list[RulesFinding]
    rules: str | None
    """Their handle; null if they cannot be played."""
    roles: list[str] | None = None


class ScrambledRules(AnswerModel):
    """The same game under other names."""

    rules: str
    """Handle of the scrambled game."""
    roles: list[str]
    mapping: dict[str, Any] | None
    """If asked for: `symbols`, the new name of each old one, and `board`, orders of arguments."""


class TreeLevel(AnswerModel):
    """The positions after so many turns."""

    sequences: int
    """Of joint moves that lead there."""
    states: int
    ends: int
    """States that are terminal."""


class CountedTree(AnswerModel):
    """The tree of a game, counted."""

    levels: list[TreeLevel]
    is_complete: bool
    """Whether bounds cut nothing off."""
    random_games: dict[str, Any]
    """Length, branching and goals of games played at random."""


class TraceComparison(AnswerModel):
    """The first difference between two rulesheets, or a trace."""

    states: int
    """That were compared."""
    is_complete: bool
    difference: dict[str, Any] | None
    """`what` differs, `expected` and `got`; null if nothing does."""
    moves: list[Any]
    """Joint moves that lead to the difference."""
