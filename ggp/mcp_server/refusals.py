"""Refusals of requests: a code, what is wrong with the request, and how to correct it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from enum import StrEnum
from typing import Any

import gdl
from ggp.errors import GgpError
from ggp.sandbox import SandboxBusyError, SandboxError


class Code(StrEnum):
    """Kinds of refusals, as machine-readable codes."""

    ARGUMENT = "bad_argument"
    UNKNOWN = "unknown_handle"
    ILLEGAL = "illegal_move"
    AMBIGUOUS = "ambiguous_move"
    NOT_NOW = "not_now"
    HIDDEN = "hidden"
    RULES = "rules_at_fault"
    LIMIT = "limit_reached"
    BUSY = "busy"
    FAULT = "fault_of_the_server"


class RefusalError(GgpError):
    """A request was refused.

    Attributes:
        code: The kind of refusal.
        cure: How to correct the request.
        details: Additional data about the refusal that can be converted to JSON.
    """

    def __init__(
        self, code: Code, problem: str, cure: str, details: Mapping[str, Any] | None = None
    ) -> None:
        super().__init__(problem)
        self.code = code
        self.cure = cure
        self.details = dict(details or {})

    def to_json(self) -> dict[str, Any]:
        """Return the refusal as a JSON object."""
        return {
            "error": {
                "code": self.code.value,
                "problem": str(self),
                "cure": self.cure,
                **self.details,
            }
        }

    def to_text(self) -> str:
        """Return the refusal as a text for models and people."""
        reasons = self.details.get("reasons", [])
        return "\n".join([str(self), *reasons, self.cure])


def refusal_of(error: BaseException) -> RefusalError | None:
    """Convert an error of rules or processes to a refusal. Return None for other errors."""
    if isinstance(error, RefusalError):
        return error
    if isinstance(error, SandboxBusyError):
        return RefusalError(Code.BUSY, str(error), "Call the same tool again in a few seconds.")
    if isinstance(error, SandboxError):
        cure = "If the rules are at fault, load_rules names the places. Otherwise ask for less."
        return RefusalError(Code.RULES, str(error), cure)
    if isinstance(error, gdl.GdlError):
        cure = "Write names and terms as they are written in the rules."
        return RefusalError(Code.ARGUMENT, str(error), cure)
    if isinstance(error, GgpError):
        return RefusalError(Code.ARGUMENT, str(error), "Correct the argument that is named.")
    return None


@contextmanager
def refusing(code: Code, cure: str) -> Iterator[None]:
    """Turn GDL and process errors raised in this context into a refusal that suggests `cure`."""
    try:
        yield
    except (RefusalError, SandboxBusyError):
        raise
    except (GgpError, gdl.GdlError) as error:
        raise RefusalError(code, str(error), cure) from error
