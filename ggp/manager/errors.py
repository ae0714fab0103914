"""Errors in what the manager is asked for; `web.responses` has the status of each."""

from __future__ import annotations

from ggp.errors import GgpError


class WrongRequestError(GgpError):
    """A request that cannot be meant; the message names the field.

    Attributes:
        example: What would be right there; None where any example of the field will do, empty where
            there is none.
    """

    def __init__(self, message: str, example: object = None) -> None:
        super().__init__(message)
        self.example = example


class SlowRequestError(GgpError):
    """A request that has not come in time."""


class StrangeRequestError(GgpError):
    """A request in a form that is not known here."""


class ConflictError(GgpError):
    """The request does not fit what is the case now."""


class BusyError(GgpError):
    """More is asked for at once than the manager takes on."""


class NotAllowedError(GgpError):
    """Somebody asks for what is another's."""


class LoginError(GgpError):
    """A name and a password, or a key, that do not let anybody in."""


class TooOftenError(GgpError):
    """Somebody tries the same too often."""


class NotThereError(GgpError):
    """The thing that is asked for is not there."""
