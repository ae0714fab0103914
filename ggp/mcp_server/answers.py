"""Answers of tools as data. Clients receive the types and descriptions of the fields.

An answer may have additional fields that depend on the search or the game.
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
    """The name to give to new_match."""
    title: str
    roles: list[str]
    rules: str
    """The rules in a sentence."""


class GameList(AnswerModel):
    """The bundled games."""

    games: list[GameEntry]


class SeenTurn(AnswerModel):
    """A turn that is over, as a role knows it."""

    move: str
    """The role's own move."""
    percepts: list[str]


class MatchState(AnswerModel):
    """The state of a match, as far as the handle reveals it."""

    match: str
    turn: int
    """Number of the turn to be played, from 1."""
    to_move: list[str]
    """Roles that must choose a move. If empty, call play without a move. With the handle of a
    role: that role, or empty if it is not to move; then call state again."""
    is_over: bool
    goals: dict[str, int] | None
    """Goals by role, 0 to 100; null before the end."""
    picture: str
    """Resource with the position as SVG."""
    board: str
    """The position as text; changes are in brackets."""
    facts: list[str] | None = None
    """Facts of the state, as terms; not given to a role that does not see everything."""
    more_facts: int = 0
    """Number of facts that are left out."""
    last_move: list[str] | None = None
    """The last joint move, in the order of roles."""
    role: str | None = None
    """The role that this handle belongs to, if roles do not see everything."""
    seen: list[SeenTurn] | None = None
    likely: dict[str, float] | None = None
    """Facts that the role considers possible, with their probability."""


class NewMatch(AnswerModel):
    """A new match: its handle and state, or a handle for each role."""

    rules: str
    roles: list[str]
    match: str | None = None
    seats: dict[str, str] | None = None
    """Handles by role, if roles do not see everything."""


class PlayedMove(MatchState):
    """The state of a match after a move."""

    played: dict[str, str]
    """Moves that were accepted, as terms."""
    is_made: bool
    """Whether the turn is over; if not, the match waits for other roles. With the handle of a role:
    whether the role knows the result, because it is to move again or the game is over."""
    understood: list[str]
    """How each text was understood."""


class EngineMove(PlayedMove):
    """The state of a match after the engine's move."""

    move: str
    thoughts: dict[str, Any]
    """Results of the engine's search: value, visits, line, moves, ..."""


class FactDerivation(AnswerModel):
    """Why a fact holds or does not hold."""

    question: str
    holds: bool
    sentence: str
    lines: list[str]
    """The rules used, with their lines, and the conditions that fail."""


class NamedMove(AnswerModel):
    """A move."""

    move: str
    """The move as a term."""
    name: str
    """The move in words. play accepts both."""


class LegalMoves(AnswerModel):
    """A page of legal moves."""

    role: str
    total: int
    moves: list[NamedMove]
    next_offset: int | None
    """Offset of the next page; null if this is the last one."""


class MoveValue(AnswerModel):
    """A move with the results of a search."""

    move: str
    value: float | None = None
    """Expected goal, 0 to 100."""
    visits: int | None = None
    share: float | None = None
    """Share of the visits. In games of hidden information: probability with which to play it."""


class SearchResult(AnswerModel):
    """Results of a search for a role."""

    value: float | None = None
    """Expected goal from this position on, 0 to 100, given what the role knows."""
    role: str | None = None
    move: str | None = None
    """The best move."""
    lower: float | None = None
    """Proven bounds on the value."""
    upper: float | None = None
    solved: bool | None = None
    words: list[str] | None = None
    """The expected moves of the roles that have a choice."""
    moves: list[MoveValue] | None = None
    iterations: int | None = None
    worlds: int | None = None
    """Number of states that the role considers possible, in games of hidden information."""
    game_value: float | None = None
    """Value from the first position on, in games of hidden information."""
    exploitability: float | None = None


class PlayerReport(AnswerModel):
    """Quality of a role's moves."""

    role: str
    accuracy: float | None
    """Accuracy in percent."""
    marks: dict[str, int]


class MoveReport(AnswerModel):
    """A move and its cost."""

    turn: int
    role: str
    move: str
    best: str
    before: float
    """Value of the position for the role before the move, 0 to 100."""
    after: float
    lost: float
    mark: str | None
    """inaccuracy, mistake or blunder; null if the move has no mark."""


class MatchReport(AnswerModel):
    """A report on a match."""

    turns: int
    decided: int | None
    """The turn that decided the match."""
    players: list[PlayerReport]
    moves: list[MoveReport]


class SolvedPosition(AnswerModel):
    """Value of a position with perfect play; of the initial one if the game hides information."""

    method: str
    goals: dict[str, float]
    plies: int | None
    """Number of plies to the end."""
    states: int
    exploitability: float


class RulesCure(AnswerModel):
    """A change of the text that corrects a finding."""

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
    """Findings on rules, and a handle if they can be played."""

    is_playable: bool
    findings: list[RulesFinding]
    rules: str | None
    """Handle of the rules; null if they cannot be played."""
    roles: list[str] | None = None


class ScrambledRules(AnswerModel):
    """The same game under other names."""

    rules: str
    """Handle of the scrambled game."""
    roles: list[str]
    mapping: dict[str, Any] | None
    """On request: `symbols`, the new name of each old one, and `board`, orders of arguments."""


class TreeLevel(AnswerModel):
    """The positions after a number of turns."""

    sequences: int
    """Number of sequences of joint moves that lead there."""
    states: int
    ends: int
    """Number of states that are terminal."""


class CountedTree(AnswerModel):
    """Counts of the tree of a game."""

    levels: list[TreeLevel]
    is_complete: bool
    """Whether the whole depth was counted within the limits."""
    random_games: dict[str, Any]
    """Length, branching and goals of random games."""


class TraceComparison(AnswerModel):
    """The first difference between two rulesheets, or between rules and a trace."""

    states: int
    """Number of states that were compared."""
    is_complete: bool
    difference: dict[str, Any] | None
    """`what` differs, `expected` and `got`; null if there is no difference."""
    moves: list[Any]
    """Joint moves that lead to the difference."""
