"""Errors in requests to the manager. `web.responses` maps each one to an HTTP status."""

from __future__ import annotations

from ggp.errors import GgpError


class WrongRequestError(GgpError):
    """A request with a wrong value. The message names the field.

    Attributes:
        example: A correct value for the field. None if any example of the field fits. An empty
            value if no value is correct.
    """

    def __init__(self, message: str, example: object = None) -> None:
        super().__init__(message)
        self.example = example


class SlowRequestError(GgpError):
    """A request that did not arrive in time."""


class StrangeRequestError(GgpError):
    """A request in an unsupported encoding."""


class ConflictError(GgpError):
    """A request that is impossible now, such as a move in a match that is over."""


class BusyError(GgpError):
    """A request that exceeds what the manager handles at the same time."""


class NotAllowedError(GgpError):
    """A request that the caller is not allowed to make."""


class HeldBackError(NotAllowedError):
    """A request for results that are held back."""


class LoginError(GgpError):
    """A request without a login, or a login with a wrong name or password."""


class TooOftenError(GgpError):
    """Too many failed logins to the same account, or from the same address."""


class NotThereError(GgpError):
    """A request for something that does not exist."""
