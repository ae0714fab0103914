"""Limits on the resources that clients of a listener may use."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable
from dataclasses import dataclass

from ggp.errors import GgpError

Network = ipaddress.IPv4Network | ipaddress.IPv6Network


class NetworkError(GgpError):
    """A text is neither an address nor a network."""


def network_of(text: str) -> Network:
    """Parse a network. A single address becomes a network of one address.

    Raises:
        NetworkError: The text is neither an address nor a network.
    """
    try:
        return ipaddress.ip_network(text.strip(), strict=False)
    except ValueError:
        expected = "expected an address or a network, such as 192.0.2.7 or 192.0.2.0/24"
        raise NetworkError(f"{expected}, got {text}") from None


def home_of(client: str, networks: Iterable[Network]) -> Network | None:
    """Return the first of `networks` that contains the client's address, or None if none does."""
    try:
        address = ipaddress.ip_address(client.partition("%")[0])
    except ValueError:
        return None
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped is not None:
        address = address.ipv4_mapped
    return next((network for network in networks if address in network), None)


MAX_LINE_BYTES = 8190  # enough if the address in each request is only a path


@dataclass(frozen=True, slots=True)
class Bounds:
    """Limits for the clients of a listener. Times are in seconds."""

    max_connections: int
    """Maximum number of simultaneous connections."""
    max_per_address: int
    """Maximum number of simultaneous connections from one address."""
    receive_seconds: float = 10.0
    """Time limit for receiving all headers of a request."""
    keepalive_seconds: float = 30.0
    """Time limit for the next request on a connection after an answer."""
    stall_seconds: float = 30.0
    """Time within which a client that is receiving an answer must read some of it."""
    is_cancelling: bool = False
    """Whether to cancel a request when its client disconnects. If not, the request is completed."""
    allowed_clients: tuple[Network, ...] = ()
    """Networks whose clients may connect. If empty, all clients may."""
    max_line_bytes: int = MAX_LINE_BYTES
    """Maximum length of the request line and of each header."""


def is_loopback(host: str) -> bool:
    """Return whether a host name or address refers to this machine's loopback interface."""
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False
