"""`ggp tournament`: hold a tournament that a file describes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ggp.cli.checks import check_saving, naming_cluster, naming_db, require_packages
from ggp.cli.options import AllowHost, Cluster, Jobs, argument, flag, option
from ggp.errors import CommandFailedError, UnknownNameError, WrongUseError, reason_of

if TYPE_CHECKING:
    import asyncio

    from ggp.manager.config import ManagerConfig
    from ggp.manager.domain.tournaments import TournamentState
    from ggp.manager.service import ManagerService
    from ggp.tournament.plan import TournamentPlan

POLL_SECONDS = 0.5


def tournament(
    file: Annotated[
        Path, argument("FILE", "A TOML file: name, form, games, players, clocks; docs/manager.md.")
    ],
    db: Annotated[
        str,
        option(
            "URL", "Database that keeps it; the manager's, if it is to show it when it runs again."
        ),
    ] = "sqlite:///ggp.db",
    allow_host: AllowHost = None,
    jobs: Jobs = 0,
    cluster: Cluster = None,
    as_json: Annotated[bool, flag("Print the table as one JSON document.", "--json")] = False,
    csv: Annotated[Path | None, option("FILE", "Write the table to a CSV file as well.")] = None,
) -> None:
    """Hold a tournament that a file describes, and print its table.

    It is kept in a database as it goes on: stopped in the middle, by Ctrl-C or by a power cut, the
    same command goes on where it was. A tournament that is over has its table printed again.

    With --cluster each match is held by one of the machines of a Ray cluster, as many at once as
    these have CPUs for; a match whose machine is lost is played again on another. Players at an
    address of this machine's own, and those that read a file, are played here.

    Examples:
        ggp tournament cup.toml
        ggp tournament cup.toml --db sqlite:///cup.db --json
        ggp tournament cup.toml --csv cup.csv
        ggp tournament cup.toml --cluster 192.0.2.7:6379
    """
    require_packages()
    import asyncio
    import os
    import sys

    from ggp.manager.api.tournaments import TableAnswer
    from ggp.manager.config import ManagerConfig
    from ggp.manager.domain.tournaments import table_csv
    from ggp.terminal.console import print_json
    from ggp.terminal.tournament_view import print_table

    check_saving("--csv", csv)
    plan = _read(file)
    config = ManagerConfig(
        database=db,
        allowed_hosts=frozenset(name.lower() for name in allow_host or ()),
        player_files=Path("/"),  # who starts it may read what it may read
        num_cores=jobs or os.cpu_count() or 1,
        cluster=cluster or "",
        max_on_cluster=jobs,
    )
    try:
        # Standard output is for the table: Ray prints there what becomes of its machines.
        with naming_db(), naming_cluster(), redirect_stdout(sys.stderr):
            found = asyncio.run(_hold(plan, config, file))
    except KeyboardInterrupt:
        typer.echo("ggp tournament: the same command goes on where it was", err=True)
        raise
    if csv is not None:
        _write(csv, table_csv(found.table))
    if as_json:
        print_json(TableAnswer.of(found.table).model_dump())
    else:
        print_table(plan.name, found.table, found.bracket)


def _write(file: Path, text: str) -> None:
    try:
        file.write_text(text, encoding="utf-8", newline="")
    except OSError as error:
        raise CommandFailedError(f"--csv: {file}: {reason_of(error)}") from error


def _read(file: Path) -> TournamentPlan:
    from ggp.tournament.plan import PlanError, TournamentPlan

    try:
        return TournamentPlan.from_toml(file.read_text(encoding="utf-8"), str(file))
    except (OSError, UnicodeDecodeError) as error:
        reason = reason_of(error) if isinstance(error, OSError) else "expected UTF-8"
        raise WrongUseError(f"{file}: {reason}") from error
    except PlanError as error:
        raise WrongUseError(f"{error}") from error


async def _hold(plan: TournamentPlan, config: ManagerConfig, file: Path) -> TournamentState:
    from ggp.manager.domain.tournaments import state_of
    from ggp.manager.service import open_service

    async with open_service(config) as service:
        _tell_cluster(service)
        with _naming(file):
            number = await service.tournament_maker.find_or_write_down(plan)
        await _warn(service, number, plan, file)
        await _follow(service, number, plan, service.tournaments.start(number))
        found = await state_of(service.database, number)
        if found.row.status == "aborted":
            raise CommandFailedError(f"the tournament was broken off: {found.row.reason}")
        return found


def _tell_cluster(service: ManagerService) -> None:
    cluster = service.cluster
    if cluster is not None:
        cpus, machines = (
            f"{num} {what}" if num == 1 else f"{num} {what}s"
            for num, what in ((cluster.num_cpus, "CPU"), (cluster.num_machines, "machine"))
        )
        typer.echo(f"ggp tournament: {cpus} on {machines} of the cluster", err=True)


async def _warn(service: ManagerService, number: int, plan: TournamentPlan, file: Path) -> None:
    from ggp.manager.store import tournaments

    async with service.database.reading() as session:
        status = (await tournaments.find(session, number)).status
    if status == "waiting":
        for line in await service.clock_check.warnings(plan):
            typer.echo(f"ggp tournament: {file}: warning: {line}", err=True)


@contextmanager
def _naming(file: Path) -> Iterator[None]:
    from ggp.manager.config import AddressError, FileRefusedError
    from ggp.manager.errors import WrongRequestError
    from ggp.players.options import PlayerSpecError
    from ggp.tournament.plan import PlanError

    wrong = (
        *(UnknownNameError, PlayerSpecError, PlanError),
        *(WrongRequestError, AddressError, FileRefusedError),
    )
    try:
        yield
    except wrong as error:
        raise WrongUseError(f"{file}: {error}") from error


async def _follow(
    service: ManagerService, number: int, plan: TournamentPlan, task: asyncio.Task[None]
) -> None:
    import asyncio

    from ggp.manager.domain.tournaments import progress_of
    from ggp.terminal.tournament_view import match_bar

    async def look() -> None:
        found = await progress_of(service.database, number, plan)
        show(found.done, found.planned, found.test)

    with match_bar() as show:
        while not task.done():
            await look()
            await asyncio.wait([task], timeout=POLL_SECONDS)
        await look()
