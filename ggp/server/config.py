"""Settings of a player server, with defaults that suit a laptop and a tournament alike."""

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
MAX_ADDRESS_BYTES = 256 * 1024  # a GET carries its message, rules and all, in the request line
FILES_A_MATCH = 16  # the pipes of its processes, and what these are started with
FILES_BESIDE = 64


@dataclass(frozen=True, slots=True)
class ServerConfig:
    """Settings of a player server. Times are seconds."""

    host: str = "127.0.0.1"
    port: int = DEFAULT_PORT
    """0 takes any free port."""
    name: str = DEFAULT_NAME
    engine: EngineConfig = field(default_factory=EngineConfig)
    margin: float = 1.0
    """An answer leaves this long before the manager's clock runs out."""
    max_matches: int = 4
    max_body_bytes: int = 2_000_000
    """Also the longest message in the address of a GET, though not beyond `MAX_ADDRESS_BYTES`."""
    limits: MessageLimits = field(default_factory=MessageLimits)
    allowed_clients: tuple[Network, ...] = ()
    """Clients that may connect; empty: all."""
    allowed_pages: tuple[str, ...] = (ANY_PAGE,)
    """Origins of the pages in browsers that may send messages."""
    one_manager: tuple[Network, ...] = ()
    """Networks each of which is one manager, whichever of its addresses speaks."""
    max_connections: int = MAX_CONNECTIONS
    receive_seconds: float = 10.0
    """A request must have arrived as a whole within this time."""
    orphan_grace: float = 10.0
    """A match whose manager is this late may be replaced by a new one."""
    forget_seconds: float = 4000.0
    """A match whose manager is this late is given up even if nobody needs its place; it may wait
    for a person, who has an hour for a move."""
    num_warm: int = 2
    """Engine processes that wait with their imports loaded."""
    metrics_host: str = "127.0.0.1"
    metrics_port: int | None = None
    """Where metrics can be asked for; None: nowhere."""

    def bounds(self) -> Bounds:
        """Limits of what clients may take up: what the matches need is kept back."""
        kept_back = FILES_BESIDE + FILES_A_MATCH * (self.max_matches + self.num_warm)
        most = descriptors.for_clients(self.max_connections, kept_back)
        return Bounds(
            max_connections=most,
            max_per_address=most,  # one manager may have all matches
            receive_seconds=self.receive_seconds,
            is_cancelling=True,
            allowed_clients=self.allowed_clients,
            max_line_bytes=min(self.max_body_bytes, MAX_ADDRESS_BYTES),
        )

    def page_places(self) -> int:
        """Most matches that pages may have at once: half of them, if any page at all may come."""
        is_any = ANY_PAGE in self.allowed_pages
        return max(1, self.max_matches // 2) if is_any else self.max_matches

    def public_name(self) -> str:
        """The name as INFO has it: GGP-Base joins words, and brackets would break the reply."""
        return one_word(self.name) or DEFAULT_NAME


def one_word(text: str, most: int = 60) -> str:
    """The text as one word that every notation can carry, cut where a word of the text ends.

    Args:
        most: Letters at most; a first word that is longer is cut.
    """
    whole = re.sub(r'[\s()\[\],;"\\]+', "-", text.strip())
    if len(whole) <= most:
        return whole
    return whole[: most + 1].rpartition("-")[0] or whole[:most]
