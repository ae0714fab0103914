"""Settings of a game manager, and the checks of addresses and files against them."""

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
from ggp.listener.address import http_address
from ggp.listener.bounds import Bounds, is_loopback

DEFAULT_PORT = 8080
MEBIBYTE = 1 << 20
Reported = Literal["asked", "people", "all"]
"""Matches that get a report: only those for which it is requested, those with people, or all."""
_PLAIN = re.compile(r"[!-~]+")
CONNECTIONS_BESIDE = 200
"""Number of connections for clients that do not watch a match."""
FILES_A_MATCH = 4
"""Number of open files per match: the connections to its players."""
FILES_A_CORE = 16
"""Number of open files per core: the pipes of a searching player and its processes."""
FILES_BESIDE = 100
"""Number of open files for the database, the sandboxes and everything else."""
ADDRESS_SHARE = 0.75
"""Largest share of all connections that one address may have, so that others can always connect."""


class AddressError(GgpError):
    """An address that is malformed or that the manager does not allow for players."""


class FileRefusedError(GgpError):
    """A file that the manager does not accept, or that its players may not read."""


class TokenError(GgpError):
    """A malformed token."""


@dataclass(frozen=True, slots=True)
class ManagerConfig:
    """Settings of a manager. Times are in seconds."""

    host: str = "127.0.0.1"
    port: int = DEFAULT_PORT
    """0 takes any free port."""
    database: str = "sqlite:///ggp.db"
    token: str | None = None
    """The secret that clients must send. None if only this machine can connect."""
    has_accounts: bool = False
    """Whether people have to log in and get the rights of their role. Then there is no token."""
    names: frozenset[str] = frozenset()
    """Host names of a manager with accounts, besides those of this machine."""
    allowed_hosts: frozenset[str] = frozenset()
    """Hosts where players may run, besides this machine."""
    player_networks: tuple[IPv4Network | IPv6Network, ...] = ()
    """Networks where players of students may run."""
    player_files: Path | None = None
    """The folder of files, such as books, that players may read. None if they may read none."""
    submissions: Path | None = None
    """The folder for uploaded players; None if uploads are not allowed."""
    num_cores: int = os.cpu_count() or 1
    """Number of players that may search at the same time."""
    cluster: str = ""
    """Address of the head of the Ray cluster that holds matches. Empty if there is none."""
    max_on_cluster: int = 0
    """Number of players that may search on the cluster at the same time. 0 for one per CPU."""
    reports: Reported = "people"
    """The matches that get a report automatically when they are over."""
    metrics_host: str = "127.0.0.1"
    metrics_port: int | None = None
    """Port for metrics; None for no metrics."""
    max_body_bytes: int = 4 * MEBIBYTE
    max_waiting: int = 200
    """Largest number of matches that wait or run."""
    max_match_bytes: int = 32 * MEBIBYTE
    """Largest size of all states and moves of a match. The manager aborts a larger match."""
    max_spectators: int = 2000
    receive_seconds: float = 10.0
    """Time within which a whole request must arrive."""
    webhook_networks: tuple[IPv4Network | IPv6Network, ...] = ()
    """Networks in which messages may be posted to webhooks. Empty for no webhooks."""
    mail_server: str = ""
    """The mail server as `smtp://USER:PASSWORD@HOST:PORT`, or `smtps://`. Empty for no mail."""
    mail_from: str = ""
    """The address from which mail is sent."""
    team_size: int = 4
    """Largest number of members of a team. 0 if the course has no teams."""
    time_zone: str = "UTC"
    """The time zone in which people read and write the dates of the calendar."""
    person_seconds: float = 3600.0
    """Longest time that a person may think about a move. Then the match is interrupted."""

    def __post_init__(self) -> None:
        # An empty token must not let everyone in.
        if self.token is not None and not _PLAIN.fullmatch(self.token):
            got = "other characters" if self.token.strip() else "nothing"
            raise TokenError(
                "token: expected letters, digits and signs, such as "
                f"{secrets.token_urlsafe(24)}, got {got}; if no token is given, the "
                "manager generates one if it needs one"
            )

    def bounds(self) -> Bounds:
        """Return the limits on clients. They leave enough open files for the matches."""
        kept_back = FILES_BESIDE + FILES_A_MATCH * self.max_waiting + FILES_A_CORE * self.num_cores
        most = descriptors.for_clients(self.max_spectators + CONNECTIONS_BESIDE, kept_back)
        return Bounds(
            max_connections=most,
            max_per_address=max(1, int(ADDRESS_SHARE * most)),
            receive_seconds=self.receive_seconds,
        )

    def is_named(self, host: str) -> bool:
        """Return whether `host` is a name or an address of this manager.

        A manager with accounts accepts any IP address. Another site can make its own host name
        point to this machine, but not an IP address.
        """
        if is_loopback(host):
            return True
        own = {socket.gethostname().lower(), *self.names}
        return self.has_accounts and (host.lower() in own or is_number(host))

    def check_address(self, address: str, where: str = "address") -> None:
        """Raise an error unless the address is on this machine or on an allowed host."""
        host = _address_parts(address, where).hostname or ""
        if not (
            is_loopback(host) or host.lower() in self.allowed_hosts or self._is_in_network(host)
        ):
            raise AddressError(
                f"{where}: players on {host} are not allowed; "
                f"start the manager with --allow-host {host}"
            )

    def check_students_address(self, address: str, where: str) -> None:
        """Raise an error unless the address is in a network for students' players and has no path.

        Otherwise, anyone with an account could make the manager call any service near it.
        """
        parts = _address_parts(address, where)
        if not self._is_in_network(parts.hostname or ""):
            networks = ", ".join(map(str, self.player_networks)) or (
                "none, this manager was started without --player-network"
            )
            raise AddressError(
                f"{where}: expected an IP address in a network for students' players "
                f"({networks}), got {address!r:.100}"
            )
        if parts.path not in {"", "/"} or parts.query or parts.fragment:
            raise AddressError(
                f"{where}: expected http://HOST:PORT without a path, got {address!r:.100}"
            )

    def students_addresses(self) -> list[str]:
        """Return an example address in each network where players of students may run."""
        numbers = [next(network.hosts()) for network in self.player_networks]
        return [http_address(str(one), 9147) for one in numbers]

    def _is_in_network(self, host: str) -> bool:
        try:
            number = ip_address("127.0.0.1" if host.lower() == "localhost" else host.strip("[]"))
        except ValueError:
            return False
        return any(number in network for network in self.player_networks)

    def check_file(self, name: str, where: str) -> None:
        """Raise an error unless the file is in the folder that players may read."""
        if self.player_files is None:
            raise FileRefusedError(
                f"{where}: this manager's players may not read files; expected no file, "
                "or a manager that is started with --player-files FOLDER and a file in "
                "that folder"
            )
        folder = self.player_files.resolve()
        try:
            is_there = Path(name).expanduser().resolve().is_relative_to(folder)
        except (OSError, RuntimeError, ValueError):  # circular links, or an unknown user
            is_there = False
        if not is_there:
            raise FileRefusedError(
                f"{where}: expected a file in the folder of --player-files, such as "
                f"{folder}/NAME, got {name!r:.100}"
            )


def _address_parts(address: str, where: str) -> SplitResult:
    try:
        parts = urlsplit(address if _PLAIN.fullmatch(address) else "")
        is_whole = bool(parts.hostname) and parts.port is not None
    except ValueError:
        parts, is_whole = urlsplit(""), False
    if parts.scheme != "http" or not is_whole or parts.username is not None:
        raise AddressError(f"{where}: expected http://HOST:PORT, got {address!r:.100}")
    return parts


def is_number(host: str) -> bool:
    """Return whether a host is an IP address."""
    try:
        ip_address(host.strip("[]"))
    except ValueError:
        return False
    return True
