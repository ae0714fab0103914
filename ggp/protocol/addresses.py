"""Recognise, check and compare the addresses of running players."""

from __future__ import annotations

import contextlib
import re
import socket
from collections.abc import Iterable
from ipaddress import ip_address
from typing import Final
from urllib.parse import SplitResult, unquote, urlsplit

from ggp.errors import CommandFailedError, GgpError, WrongUseError, reason_of

EXAMPLE: Final = "http://HOST:PORT"

_PORTS = {"http": 80, "https": 443}
_THIS_MACHINE = frozenset({"localhost", "127.0.0.1", "::1", "0.0.0.0", "::"})  # noqa: S104  # compared
_ADDRESS = re.compile(r"[a-z]+://.*|https?:.*|(\[.*\]|[^\s/:=,]+):\d+(/.*)?", re.IGNORECASE)


def is_address(text: str) -> bool:
    """Return whether a text is meant as the address of a running player, not as a player name."""
    return _ADDRESS.fullmatch(text) is not None


def check_address(text: str) -> None:
    """Check that a text is the address of a player.

    Raises:
        WrongUseError: The text is not an address. The message says what is wrong.
    """
    reason = _mistake(text)
    if reason:
        raise WrongUseError(f"{text!r}: expected an address {EXAMPLE}, {reason}")


def place(address: str) -> str:
    """Return the host, port and path of an address in a normal form, so that they can be compared.

    >>> place("http://LOCALHOST:80/red/") == place("127.0.0.1:80/red") == place("http://[::1]/red")
    True
    """
    parts = _parts(address)
    port = parts.port or _PORTS.get(parts.scheme)
    return f"{_host(parts.hostname or '')}:{port}{unquote(parts.path).rstrip('/')}"


def check_apart(seats: Iterable[tuple[str, str]]) -> None:
    """Check that no two seats of a match have the same address.

    A server that receives START for two roles at one address plays only one of them, and gives the
    same answers for the other role.

    Args:
        seats: For each seat, a name such as its role, and the player as the user named it.

    Raises:
        WrongUseError: Two seats have the same address, perhaps written in different ways, or an
            address is wrong.
    """
    seen: dict[str, str] = {}
    for name, address in seats:
        if not is_address(address):
            continue
        check_address(address)
        other = seen.get(place(address))
        if other is not None:
            whom = f"{name} has two seats" if other == name else f"{other} and {name}"
            base = f"{_parts(address).scheme}://{_parts(address).netloc}"
            raise WrongUseError(
                f"players: {whom} at one address, {address:.100}, but an address plays only one "
                "seat of a match; expected a separate path for each seat, such as "
                f"{base}/white and {base}/black"
            )
        seen[place(address)] = name


def unreachable(address: str, error: GgpError) -> CommandFailedError:
    """Return an error that explains to the user why no complete answer came from an address."""
    cause = error.__cause__
    if isinstance(cause, OSError) and not isinstance(cause, TimeoutError):
        return CommandFailedError(f"no answer from {address}: {reason_of(cause)}")
    return CommandFailedError(f"no answer from {address}: {error}")


def _mistake(text: str) -> str:
    try:
        parts = _parts(text)
        host, port = parts.hostname, parts.port
    except ValueError:
        return "with a port from 1 to 65535"
    if parts.scheme not in _PORTS:
        return f"got {parts.scheme}://, but players use http or https"
    if not host:
        return "got no host"
    return "got port 0; expected 1 to 65535" if port == 0 else ""


def _parts(text: str) -> SplitResult:
    has_scheme = "//" in text or text.lower().startswith(("http:", "https:"))
    return urlsplit(text if has_scheme else f"//{text}", scheme="http")


def _host(name: str) -> str:
    """Return a host in a normal form. All names of this machine become `localhost`."""
    host = name.lower().rstrip(".")
    with contextlib.suppress(OSError, ValueError):
        host = socket.inet_ntoa(socket.inet_aton(host))  # 127.1 and 2130706433 mean 127.0.0.1
    with contextlib.suppress(ValueError):
        number = ip_address(host)
        host = str(getattr(number, "ipv4_mapped", None) or number)
    return "localhost" if host in _THIS_MACHINE else host
