"""`ggp manager`: host matches and tournaments, and show them in a browser."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ggp.cli.checks import (
    OF_ACCOUNTS,
    check_folder,
    naming_cluster,
    naming_db,
    require_metrics,
    require_packages,
)
from ggp.cli.options import (
    LOCAL_HOST,
    TOKEN_VARIABLE,
    AllowHost,
    Cluster,
    Jobs,
    LogFormat,
    LogFormatOption,
    LogLevel,
    LogLevelOption,
    MetricsHost,
    MetricsPort,
    announce_metrics,
    option,
)
from ggp.errors import WrongUseError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from ipaddress import IPv4Network, IPv6Network

    from ggp.manager.config import ManagerConfig

MAIL_VARIABLE = "GGP_MAIL_SERVER"
FIRST_HOST = "Create the first account, the host's, with this link. It works once:"


class WantedReports(StrEnum):
    """Which matches get a report automatically."""

    PEOPLE = "people"
    ALL = "all"
    ASKED = "asked"


def manager(
    host: Annotated[
        str,
        option(
            "HOST",
            "Address to listen on. Addresses other than local ones require a token or --accounts.",
            "--host",
        ),
    ] = "127.0.0.1",
    port: Annotated[
        int, option("PORT", "Port to listen on. 0 takes any free port.", "--port", min=0, max=65535)
    ] = 8080,
    db: Annotated[
        str, option("URL", "Database: sqlite:///FILE or postgresql+asyncpg://USER@HOST/NAME.")
    ] = "sqlite:///ggp.db",
    name: Annotated[
        list[str] | None,
        option(
            "HOST",
            "With --accounts: a name by which browsers reach this manager, for example the name of "
            "a proxy in front of it. May be repeated.",
            "--name",
        ),
    ] = None,
    allow_host: AllowHost = None,
    player_network: Annotated[
        list[str] | None,
        option(
            "NETWORK",
            "With --accounts: a network in which students' players may run, such as "
            "192.0.2.0/24. May be repeated. Without it, the manager accepts no "
            "addresses of students' players.",
            "--player-network",
        ),
    ] = None,
    token: Annotated[
        str | None,
        option(
            "TOKEN",
            "Token that clients must send. If one is needed and none is given, the manager "
            f"generates and prints one. The variable {TOKEN_VARIABLE} sets it without showing it "
            "in the list of processes.",
            "--token",
        ),
    ] = None,
    player_files: Annotated[
        Path | None,
        option(
            "FOLDER",
            "Folder with files that players may read, as in mcts:book=FOLDER/FILE. Without it, "
            "players may read no files.",
        ),
    ] = None,
    submissions: Annotated[
        Path | None,
        option(
            "FOLDER",
            "Folder for the players that people upload as Python files. It is "
            "created if it does not exist. The Linux kernel confines these players. "
            "Without it, no players can be uploaded.",
        ),
    ] = None,
    reports: Annotated[
        WantedReports,
        typer.Option(
            help="Matches that get a report automatically when they are over: people (those with a "
            "person), all, or asked (only when a user asks).",
        ),
    ] = WantedReports.PEOPLE,
    accounts: Annotated[
        bool,
        typer.Option(
            "--accounts",
            help="Require people to log in as hosts, lecturers, students or spectators, instead of "
            "a token. The first start prints a link with which the first host creates an account.",
        ),
    ] = False,
    webhook_network: Annotated[
        list[str] | None,
        option(
            "NETWORK",
            "With --accounts: a network in which people may name a webhook that gets their "
            "messages, such as 192.0.2.0/24. May be repeated. Without it, there are no webhooks.",
            "--webhook-network",
        ),
    ] = None,
    mail_server: Annotated[
        str,
        option(
            "URL",
            "With --accounts: the server that sends messages by mail, as "
            f"smtp://USER:PASSWORD@HOST:PORT or smtps://. The variable {MAIL_VARIABLE} sets it "
            "without showing it in the list of processes. Without it, no mail is sent.",
            "--mail-server",
        ),
    ] = "",
    mail_from: Annotated[
        str, option("ADDRESS", "The address from which mail is sent.", "--mail-from")
    ] = "",
    team_size: Annotated[
        int,
        option(
            "NUMBER",
            "With --accounts: largest number of students in a team. 0 if there are no teams.",
            "--team-size",
            min=0,
            max=50,
        ),
    ] = 4,
    time_zone: Annotated[
        str,
        option(
            "NAME",
            "With --accounts: the time zone of the dates in the calendar, such as Europe/Berlin.",
            "--time-zone",
        ),
    ] = "UTC",
    jobs: Jobs = 0,
    cluster: Cluster = None,
    metrics_port: MetricsPort = None,
    metrics_host: MetricsHost = LOCAL_HOST,
    log_format: LogFormatOption = LogFormat.TEXT,
    log_level: LogLevelOption = LogLevel.INFO,
) -> None:
    """Host matches and tournaments, and show them in a browser.

    Players are registered by address, or started on this machine by name. A database keeps
    everything. Ctrl-C stops the manager. When it is started again, it continues unfinished matches.

    With --cluster the machines of a Ray cluster run the matches. Matches with a person, with a
    player at an address of this machine, or with a player that reads a file stay here.

    To maintain its data, use ggp manager backup, restore, prune, doctor and collect. Each has a
    --help.

    Examples:
        ggp manager
        ggp manager --port 8081 --db sqlite:///club.db
        ggp manager --accounts --name games.example.org
        ggp manager --cluster auto
    """
    require_packages()
    if accounts:
        require_packages(OF_ACCOUNTS)
    require_metrics(metrics_port)
    import asyncio
    import os
    import secrets

    from ggp.listener.bounds import is_loopback
    from ggp.log import set_up_logging
    from ggp.manager.app import serve
    from ggp.manager.config import ManagerConfig, TokenError

    check_folder("--player-files", player_files)
    check_folder("--submissions", submissions, is_made=True)
    place = "--token" if token is not None else TOKEN_VARIABLE
    token = os.environ.get(TOKEN_VARIABLE) if token is None else token
    if accounts and token is not None:
        raise WrongUseError(
            f"{place}: expected a token or --accounts, got both; give only one of them"
        )
    if token is None and not accounts and not is_loopback(host):
        token = secrets.token_urlsafe(24)
    try:
        config = ManagerConfig(
            host=host,
            port=port,
            database=db,
            token=token,
            has_accounts=accounts,
            names=frozenset(one.lower() for one in name or ()),
            allowed_hosts=frozenset(one.lower() for one in allow_host or ()),
            player_networks=_networks(player_network or (), "--player-network"),
            player_files=player_files,
            submissions=submissions,
            num_cores=jobs or os.cpu_count() or 1,
            cluster=cluster or "",
            max_on_cluster=jobs,
            reports=reports.value,
            webhook_networks=_networks(webhook_network or (), "--webhook-network"),
            mail_server=_known_mail_server(
                mail_server or os.environ.get(MAIL_VARIABLE, ""), mail_from
            ),
            mail_from=mail_from,
            team_size=team_size,
            time_zone=_known_zone(time_zone),
            metrics_host=metrics_host,
            metrics_port=metrics_port,
        )
    except TokenError as error:
        raise WrongUseError(f"{place}: {error}") from error
    set_up_logging(log_format.value, log_level.value)
    with naming_db(), naming_cluster():
        asyncio.run(serve(config, lambda address: _announce(config, address)))
    print("stopped")


def _known_zone(name: str) -> str:
    from ggp.manager.domain.local_time import LocalTime, UnknownZoneError

    try:
        LocalTime.of(name)
    except UnknownZoneError as error:
        raise WrongUseError(f"--time-zone: {error}") from error
    return name


def _known_mail_server(url: str, sender: str) -> str:
    from urllib.parse import urlsplit

    try:
        parts = urlsplit(url)
        is_whole = parts.scheme in {"smtp", "smtps"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_whole = False
    if url and not is_whole:  # the message does not repeat the URL, which may have a password
        raise WrongUseError("--mail-server: expected smtp://HOST:PORT or smtps://HOST:PORT")
    if bool(url) != bool(sender):
        raise WrongUseError("--mail-server and --mail-from: expected both or neither")
    return url


def _networks(texts: Iterable[str], flag: str) -> tuple[IPv4Network | IPv6Network, ...]:
    from ipaddress import ip_network

    found = []
    for text in texts:
        try:
            found.append(ip_network(text))
        except ValueError as error:
            raise WrongUseError(
                f"{flag}: expected a network such as 192.0.2.0/24, got {text!r}: {error}"
            ) from error
    return tuple(found)


def _announce(config: ManagerConfig, address: str) -> None:
    is_new = "/join?" in address
    print("The game manager is running. " + (FIRST_HOST if is_new else "Open this page:"))
    print(f"    {address}")
    print(f"Its data is in {config.database}. Ctrl-C stops it.", flush=True)
    announce_metrics(config.metrics_host, config.metrics_port)
