"""Settings of a game manager."""

from __future__ import annotations

import os
import re
import secrets
import socket
from dataclasses import dataclass
from ipaddress import IPv4Network, IPv6Network, ip_address
from pathlib import Path
from typing import Literal
from urllib.parse import SplitResult, urlsplit

from ggp.errors import GgpError
from ggp.listener import descriptors
from ggp.listener.bounds import Bounds, is_loopback

DEFAULT_PORT = 8080
MEBIBYTE = 1 << 20
Reported = Literal["asked", "people", "all"]
"""None unless somebody asks; those that people have played; all."""
_PLAIN = re.compile(r"[!-~]+")
CONNECTIONS_BESIDE = 200
"""Of those who do not watch a match."""
FILES_A_MATCH = 4
"""The connections to its players."""
FILES_A_CORE = 16
"""The pipes of a searching player and its processes."""
FILES_BESIDE = 100
"""Of the database, the sandboxes and the rest."""
ADDRESS_SHARE = 0.75
"""Of all connections, for one address: the others are never shut out."""


class AddressError(GgpError):
    """An address that players may not have."""


class FileRefusedError(GgpError):
    """A file that players may not have."""


class TokenError(GgpError):
    """A token that cannot be one."""


@dataclass(frozen=True, slots=True)
class ManagerConfig:
    """Settings of a manager. Times are seconds."""

    host: str = "127.0.0.1"
    port: int = DEFAULT_PORT
    """0 takes any free port."""
    database: str = "sqlite:///ggp.db"
    token: str | None = None
    """The secret that whoever comes must know; None where only this machine can come."""
    has_accounts: bool = False
    """Whether people log in, each with the rights of a role; then there is no token."""
    names: frozenset[str] = frozenset()
    """Under which browsers reach a manager with accounts, beside this machine's own."""
    allowed_hosts: frozenset[str] = frozenset()
    """Hosts where players may run, beside this machine."""
    player_networks: tuple[IPv4Network | IPv6Network, ...] = ()
    """Where students' players may run; nowhere if there is none."""
    player_files: Path | None = None
    """The folder whose files players may be given, their books say; None if they may have none."""
    submissions: Path | None = None
    """The folder in which players are kept that people upload; None if they may not."""
    num_cores: int = os.cpu_count() or 1
    """Of searching players at once."""
    cluster: str = ""
    """Address of the head of the Ray cluster that holds matches; empty for none."""
    max_on_cluster: int = 0
    """Searching players there at once; 0 for as many as it has CPUs."""
    reports: Reported = "people"
    """The matches on which a report is made when they are over, without anybody asking."""
    metrics_host: str = "127.0.0.1"
    metrics_port: int | None = None
    """Where metrics can be asked for; None: nowhere."""
    max_body_bytes: int = 4 * MEBIBYTE
    max_waiting: int = 200
    """Matches that are set up and not over."""
    max_match_bytes: int = 32 * MEBIBYTE
    """Of all states and moves of a match; one that becomes longer is broken off."""
    max_spectators: int = 2000
    receive_seconds: float = 10.0
    """A request must have arrived as a whole within this time."""
    person_seconds: float = 3600.0
    """Longest time for a person to think about a move; then the match is interrupted."""

    def __post_init__(self) -> None:
        # Who gives an empty one does not mean to let everybody in.
        if self.token is not None and not _PLAIN.fullmatch(self.token):
            got = "other characters" if self.token.strip() else "nothing"
            raise TokenError(
                f"token: expected letters, digits and signs, such as {secrets.token_urlsafe(24)}, "
                f"got {got}; without any, one is made up where it is needed"
            )

    def bounds(self) -> Bounds:
        """Limits of what clients may take up: what the matches need is kept back."""
        kept_back = FILES_BESIDE + FILES_A_MATCH * self.max_waiting + FILES_A_CORE * self.num_cores
        most = descriptors.for_clients(self.max_spectators + CONNECTIONS_BESIDE, kept_back)
        return Bounds(
            max_connections=most,
            max_per_address=max(1, int(ADDRESS_SHARE * most)),
            receive_seconds=self.receive_seconds,
        )

    def is_named(self, host: str) -> bool:
        """Whether a host is this manager, as pages name it.

        A page of another site may let a name of its own mean this machine, but no number.
        """
        if is_loopback(host):
            return True
        own = {socket.gethostname().lower(), *self.names}
        return self.has_accounts and (host.lower() in own or is_number(host))

    def check_address(self, address: str, where: str = "address") -> None:
        """See that players may be asked there: on this machine, or on a host that was allowed."""
        host = _address_parts(address, where).hostname or ""
        if not (
            is_loopback(host) or host.lower() in self.allowed_hosts or self._is_in_network(host)
        ):
            raise AddressError(
                f"{where}: players on {host} are not allowed; "
                f"start the manager with --allow-host {host}"
            )

    def check_students_address(self, address: str, where: str) -> None:
        """See that a student's player may be asked there: in a network for that, and at no path.

        Else whoever has an account could have this manager speak to whatever listens near it.
        """
        parts = _address_parts(address, where)
        if not self._is_in_network(parts.hostname or ""):
            networks = ", ".join(map(str, self.player_networks)) or (
                "none, this manager was started without --player-network"
            )
            raise AddressError(
                f"{where}: expected the number of a machine in a network for students' players "
                f"({networks}), got {address!r:.100}"
            )
        if parts.path not in {"", "/"} or parts.query or parts.fragment:
            raise AddressError(
                f"{where}: expected http://HOST:PORT without a path, got {address!r:.100}"
            )

    def students_addresses(self) -> list[str]:
        """An address that a student's player may have, in each network for them."""
        numbers = [next(network.hosts()) for network in self.player_networks]
        return [f"http://{f'[{one}]' if one.version == 6 else one}:9147" for one in numbers]

    def _is_in_network(self, host: str) -> bool:
        try:
            number = ip_address("127.0.0.1" if host.lower() == "localhost" else host.strip("[]"))
        except ValueError:
            return False
        return any(number in network for network in self.player_networks)

    def check_file(self, name: str, where: str) -> None:
        """See that players may be given a file: one in the folder that is for that."""
        if self.player_files is None:
            raise FileRefusedError(
                f"{where} names a file of the manager's machine; expected none, or a manager "
                "started with --player-files FOLDER and a file in that folder"
            )
        folder = self.player_files.resolve()
        try:
            is_there = Path(name).expanduser().resolve().is_relative_to(folder)
        except (OSError, RuntimeError, ValueError):  # links that go round, a user that is none
            is_there = False
        if not is_there:
            raise FileRefusedError(
                f"{where}: expected a file in the folder of --player-files, such as "
                f"{folder}/NAME, got {name!r:.100}"
            )


def _address_parts(address: str, where: str) -> SplitResult:
    """The parts of an address of a player, with a host and a port."""
    try:
        parts = urlsplit(address if _PLAIN.fullmatch(address) else "")
        is_whole = bool(parts.hostname) and parts.port is not None
    except ValueError:
        parts, is_whole = urlsplit(""), False
    if parts.scheme != "http" or not is_whole or parts.username is not None:
        raise AddressError(f"{where}: expected http://HOST:PORT, got {address!r:.100}")
    return parts


def is_number(host: str) -> bool:
    """Whether a host is an IP address."""
    try:
        ip_address(host.strip("[]"))
    except ValueError:
        return False
    return True
