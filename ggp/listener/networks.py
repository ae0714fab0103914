"""Networks of clients: who may come in, and which addresses belong together."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable

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
