"""Settings of a game manager."""

from __future__ import annotations

import os
from dataclasses import dataclass
from ipaddress import ip_address
from urllib.parse import urlsplit

from ggp.errors import GgpError

DEFAULT_PORT = 8080
MEBIBYTE = 1 << 20


class AddressError(GgpError):
    """An address that players may not have."""


@dataclass(frozen=True, slots=True)
class ManagerConfig:
    """How a manager behaves. Times are seconds."""

    host: str = "127.0.0.1"
    port: int = DEFAULT_PORT
    """0 takes any free port."""
    database: str = "sqlite:///ggp.db"
    token: str | None = None
    """What who comes must know; None where only this machine can come."""
    allowed_hosts: frozenset[str] = frozenset()
    """Where players may run, beside this machine."""
    num_cores: int = os.cpu_count() or 1
    """Of searching players at once."""
    max_body_bytes: int = 4 * MEBIBYTE
    max_waiting: int = 200
    """Matches that are set up and not over."""
    max_spectators: int = 2000
    person_seconds: float = 3600.0
    """How long a person may think about a move; then the match is interrupted."""

    def check_address(self, address: str, where: str = "address") -> None:
        """See that players may be asked there: on this machine, or on a host that was allowed.

        Args:
            address: Where a player is said to run.
            where: The field that says so.

        Raises:
            AddressError: They may not, or it is no address.
        """
        try:
            parts = urlsplit(address)
            port, host = parts.port, parts.hostname or ""
        except ValueError:
            port, host, parts = None, "", urlsplit("")
        if parts.scheme != "http" or not host or port is None or parts.username is not None:
            raise AddressError(f"{where}: expected http://HOST:PORT, got {address!r:.100}")
        if not (is_loopback(host) or host.lower() in self.allowed_hosts):
            raise AddressError(
                f"{where}: players on {host} are not allowed; "
                f"start the manager with --allow-host {host}"
            )


def is_loopback(host: str) -> bool:
    """Whether a host is this machine, seen from itself."""
    if host.lower() == "localhost":
        return True
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False
