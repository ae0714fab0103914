"""Addresses of running players: distinguished from names of players started here, and checked."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import urlsplit

from ggp.errors import CommandFailedError, GgpError, WrongUseError, reason_of

EXAMPLE: Final = "http://HOST:PORT"

_ADDRESS = re.compile(r"[a-z]+://.*|https?:.*|(\[.*\]|[^\s/:=,]+):\d+(/.*)?", re.IGNORECASE)


def is_address(text: str) -> bool:
    """Whether a text is meant as the address of a running player, and not as a player's name."""
    return _ADDRESS.fullmatch(text) is not None


def check_address(text: str) -> None:
    """See whether a text is the address of a player.

    Raises:
        WrongUseError: It is not; the message says what is wrong.
    """
    reason = _mistake(text)
    if reason:
        raise WrongUseError(f"{text!r}: expected an address {EXAMPLE}, {reason}")


def unreachable(address: str, error: GgpError) -> CommandFailedError:
    """Why no whole answer came from an address."""
    cause = error.__cause__
    if isinstance(cause, OSError) and not isinstance(cause, TimeoutError):
        return CommandFailedError(f"no answer from {address}: {reason_of(cause)}")
    return CommandFailedError(f"no answer from {address}: {error}")


def _mistake(text: str) -> str:
    try:
        has_scheme = "//" in text or text.lower().startswith(("http:", "https:"))
        parts = urlsplit(text if has_scheme else f"//{text}", scheme="http")
        host, port = parts.hostname, parts.port
    except ValueError:
        return "with a port from 1 to 65535"
    if parts.scheme not in {"http", "https"}:
        return f"got {parts.scheme}://, which players do not speak"
    if not host:
        return "got no host"
    return "got port 0; expected 1 to 65535" if port == 0 else ""
