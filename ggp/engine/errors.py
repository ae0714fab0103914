"""Errors that an engine raises."""

from __future__ import annotations

from ggp.errors import GgpError


class EngineError(GgpError):
    """The engine cannot carry out a request."""


class RulesError(EngineError):
    """The match cannot be played: invalid rules, an unknown role or an unknown player.

    The message is one line with the place in the rules, such as `<rules>:3:7: ...`.
    """


class MoveError(EngineError):
    """The manager's report of the last moves is unreadable or does not have one move per role."""


class WorkerLostError(EngineError):
    """The process has died, hangs or sends invalid messages."""


class WorkerHangsError(WorkerLostError):
    """The process is alive but does not start on a request."""
