"""The report on a match as the API answers it."""

from __future__ import annotations

from ggp.manager.api.answers import AnswerModel


class MarksAnswer(AnswerModel):
    """How many moves of a role lost something."""

    inaccuracy: int
    mistake: int
    blunder: int


class ReportedRoleAnswer(AnswerModel):
    """How well a role was played."""

    role: str
    accuracy: float | None
    """From 0 to 100; null if it never had a choice."""
    marks: MarksAnswer


class WorthAnswer(AnswerModel):
    """What a position was worth."""

    goals: list[float]
    """That each role could expect."""
    proven: bool
    """Whether they are exact."""


class ReportedMoveAnswer(AnswerModel):
    """A move of a role that had a choice."""

    turn: int
    role: str
    move: str
    best: str
    """What it should have done; the move itself where nothing better is known."""
    before: float
    """The goal that the role could expect with the best move."""
    after: float
    """The goal that it could expect with its own."""
    lost: float
    proven: bool
    mark: str | None
    """`inaccuracy`, `mistake` or `blunder`; null if the move was good enough."""
    line: list[str]
    """What is expected from the best move on, in words."""


class ReportAnswer(AnswerModel):
    """A report on a match."""

    game: str
    roles: list[str]
    """Those that are played."""
    turns: int
    broken: str | None
    """Why the rest of the match is not reported."""
    hides: bool
    """Whether roles did not see all that the report knows."""
    players: list[ReportedRoleAnswer]
    worths: list[WorthAnswer]
    """Of the positions, from the first to the last."""
    moves: list[ReportedMoveAnswer]


class ReportStateAnswer(AnswerModel):
    """How a report that was asked for stands."""

    status: str
    """`waiting`, `running` or `completed`."""
    done: int
    """Positions that were looked at."""
    total: int
    """Positions that there are; 0 as long as nothing was begun."""
