"""Settings of a player server. The defaults suit both a laptop and a tournament."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ggp.engine import EngineConfig
from ggp.listener import descriptors
from ggp.listener.bounds import Bounds, Network
from ggp.protocol import MessageLimits

DEFAULT_NAME = "ggp-agent"
DEFAULT_PORT = 9147
ANY_PAGE = "*"
MAX_CONNECTIONS = 100
MAX_ADDRESS_BYTES = 256 * 1024  # a GET has its whole message, with the rules, in the request line
FILES_A_MATCH = 16  # pipes of the match's processes, and files needed to start them
FILES_BESIDE = 64


@dataclass(frozen=True, slots=True)
class ServerConfig:
    """Settings of a player server. Times are in seconds."""

    host: str = "127.0.0.1"
    port: int = DEFAULT_PORT
    """TCP port. 0 means any free port."""
    name: str = DEFAULT_NAME
    engine: EngineConfig = field(default_factory=EngineConfig)
    margin: float | None = None
    """How long before the end of the manager's clock the server sends its answers. If None, it
    follows from the clock, see `ggp.server.deadlines.margin_of`.
    """
    max_matches: int = 4
    max_body_bytes: int = 2_000_000
    """Maximum size of a request body. It also limits the message in the address of a GET, which has
    at most `MAX_ADDRESS_BYTES`.
    """
    limits: MessageLimits = field(default_factory=MessageLimits)
    allowed_clients: tuple[Network, ...] = ()
    """Clients that may connect. If empty, all clients may."""
    allowed_pages: tuple[str, ...] = (ANY_PAGE,)
    """Origins of the web pages that may send messages."""
    one_manager: tuple[Network, ...] = ()
    """Networks in which all addresses belong to one manager."""
    max_connections: int = MAX_CONNECTIONS
    receive_seconds: float = 10.0
    """Time limit for receiving a whole request."""
    orphan_grace: float = 10.0
    """How late a manager must be before a new match may replace its match."""
    forget_seconds: float = 4000.0
    """How late a manager must be before its match is dropped even if nothing replaces it. The
    manager may be waiting for a person, and people have an hour for a move.
    """
    num_warm: int = 2
    """Number of idle engine processes that have loaded their imports."""
    metrics_host: str = "127.0.0.1"
    metrics_port: int | None = None
    """Port that serves metrics. If None, no metrics are served."""

    def bounds(self) -> Bounds:
        """Return the limits for clients, which leave enough file descriptors for the matches."""
        kept_back = FILES_BESIDE + FILES_A_MATCH * (self.max_matches + self.num_warm)
        most = descriptors.for_clients(self.max_connections, kept_back)
        return Bounds(
            max_connections=most,
            max_per_address=most,  # one manager may start all matches
            receive_seconds=self.receive_seconds,
            is_cancelling=True,
            allowed_clients=self.allowed_clients,
            max_line_bytes=min(self.max_body_bytes, MAX_ADDRESS_BYTES),
        )

    def page_places(self) -> int:
        """Return how many matches web pages may start.

        It is half of all matches if any page may connect, else all of them.
        """
        is_any = ANY_PAGE in self.allowed_pages
        return max(1, self.max_matches // 2) if is_any else self.max_matches

    def public_name(self) -> str:
        """Return the player's name for INFO as one word.

        GGP-Base would join several words, and brackets would break the reply.
        """
        return one_word(self.name) or DEFAULT_NAME


def one_word(text: str, most: int = 60) -> str:
    """Return the text as one word that every notation can represent, cut at a word boundary.

    Args:
        most: Maximum number of characters. A longer first word is truncated.
    """
    whole = re.sub(r'[\s()\[\],;"\\]+', "-", text.strip())
    if len(whole) <= most:
        return whole
    return whole[: most + 1].rpartition("-")[0] or whole[:most]
