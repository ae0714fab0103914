"""Errors of an engine."""

from __future__ import annotations

from ggp.errors import GgpError


class EngineError(GgpError):
    """The engine cannot do what was asked."""


class RulesError(EngineError):
    """The match cannot be played: rules that mean nothing, an unknown role or player.

    The message is one line with the place, such as `<rules>:3:7: ...`.
    """


class MoveError(EngineError):
    """The manager's report of the last moves cannot be read, or is not one move per role."""


class WorkerLostError(EngineError):
    """The process died, hangs or talks nonsense."""


class WorkerHangsError(WorkerLostError):
    """The process lives but does not take up what it is asked."""
