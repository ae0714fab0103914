"""How much the clients of a listener may take up."""

from __future__ import annotations

from dataclasses import dataclass

from ggp.listener.networks import Network

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
    hang_up_seconds: float | None = None
    """A client that has ended its side of the connection has hung up if it is not answered within
    this time: its request is cancelled. None: the request is carried out whatever becomes of it."""
    allowed_clients: tuple[Network, ...] = ()
    """Whoever comes from elsewhere is turned away; empty: everybody may come."""
    max_line_bytes: int = MAX_LINE_BYTES
    """Of the request line and of each header."""
