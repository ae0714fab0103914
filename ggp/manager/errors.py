"""Errors in requests to the manager. `web.responses` maps each to an HTTP status."""

from __future__ import annotations

from ggp.errors import GgpError


class WrongRequestError(GgpError):
    """A request with a wrong value; the message names the field.

    Attributes:
        example: A correct value for the field. None if any example of the field fits, an empty
            value if there is none.
    """

    def __init__(self, message: str, example: object = None) -> None:
        super().__init__(message)
        self.example = example


class SlowRequestError(GgpError):
    """A request that did not arrive in time."""


class StrangeRequestError(GgpError):
    """A request in an unsupported encoding."""


class ConflictError(GgpError):
    """A request that does not fit the present state."""


class BusyError(GgpError):
    """More simultaneous requests than the manager accepts."""


class NotAllowedError(GgpError):
    """A request for something that belongs to another user."""


class LoginError(GgpError):
    """A wrong name, password or key."""


class TooOftenError(GgpError):
    """Too many attempts at the same thing."""


class NotThereError(GgpError):
    """A request for something that does not exist."""
