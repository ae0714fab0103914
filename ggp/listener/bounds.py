"""Bounds on how much the clients of a listener may take up."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable
from dataclasses import dataclass

from ggp.errors import GgpError

Network = ipaddress.IPv4Network | ipaddress.IPv6Network


class NetworkError(GgpError):
    """A text is neither an address nor a network."""


def network_of(text: str) -> Network:
    """The network that a text names; an address is a network of one.

    Raises:
        NetworkError: It names none.
    """
    try:
        return ipaddress.ip_network(text.strip(), strict=False)
    except ValueError:
        expected = "expected an address or a network, such as 192.0.2.7 or 192.0.2.0/24"
        raise NetworkError(f"{expected}, got {text}") from None


def home_of(client: str, networks: Iterable[Network]) -> Network | None:
    """The first of the networks that an address is in; None if there is none."""
    try:
        address = ipaddress.ip_address(client.partition("%")[0])
    except ValueError:
        return None
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped is not None:
        address = address.ipv4_mapped
    return next((network for network in networks if address in network), None)


MAX_LINE_BYTES = 8190  # of a request whose address is no more than a path


@dataclass(frozen=True, slots=True)
class Bounds:
    """Limits of what clients may take up. Times are seconds."""

    max_connections: int
    """At once."""
    max_per_address: int
    """Of them, from one address."""
    receive_seconds: float = 10.0
    """A request's headers must have arrived as a whole within this time."""
    keepalive_seconds: float = 30.0
    """A connection that has been answered must have sent its next request within this time."""
    stall_seconds: float = 30.0
    """A client that is being answered must read something within this time."""
    is_cancelling: bool = False
    """Whether a request is cancelled when its client is gone. Else it is carried out to its end."""
    allowed_clients: tuple[Network, ...] = ()
    """Whoever comes from elsewhere is turned away; empty: everybody may come."""
    max_line_bytes: int = MAX_LINE_BYTES
    """Of the request line and of each header."""


def is_loopback(host: str) -> bool:
    """Whether a host is this machine, seen from itself."""
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False
