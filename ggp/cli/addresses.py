"""Addresses of running players, as a command line gives them, and what can be wrong with them."""

from __future__ import annotations

from urllib.parse import urlsplit

from ggp.cli.failures import CommandFailedError, WrongUseError, reason_of
from ggp.errors import GgpError
from ggp.protocol.addresses import EXAMPLE


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
