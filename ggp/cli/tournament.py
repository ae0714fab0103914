"""`ggp tournament`: run a tournament that a file describes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ggp.cli.checks import check_saving, naming_cluster, naming_db, require_packages
from ggp.cli.options import AllowHost, Cluster, Jobs, argument, flag, option
from ggp.errors import CommandFailedError, UnknownNameError, WrongUseError, reason_of
from ggp.plurals import counted

if TYPE_CHECKING:
    import asyncio

    from ggp.manager.config import ManagerConfig
    from ggp.manager.domain.tournaments import TournamentState
    from ggp.manager.service import ManagerService
    from ggp.manager.store.database import Database
    from ggp.tournament.plan import TournamentPlan

POLL_SECONDS = 0.5


def tournament(
    file: Annotated[
        Path,
        argument(
            "FILE",
            "A TOML file with name, form, games, players and clocks; see "
            "docs/manager/lecturers.md. With --end also the number of a tournament.",
        ),
    ],
    db: Annotated[
        str,
        option(
            "URL",
            "Database of the tournament. Give the manager's database to see it there later.",
        ),
    ] = "sqlite:///ggp.db",
    allow_host: AllowHost = None,
    jobs: Jobs = 0,
    cluster: Cluster = None,
    as_json: Annotated[bool, flag("Print the table as one JSON document.", "--json")] = False,
    csv: Annotated[Path | None, option("FILE", "Also write the table to a CSV file.")] = None,
    end: Annotated[
        bool,
        flag(
            "End a continuous tournament, even if a manager or another ggp tournament runs it. "
            "Matches that have begun are finished, and no new ones begin.",
            "--end",
        ),
    ] = False,
) -> None:
    """Run a tournament that a file describes, and print its table.

    A database keeps each step of the tournament. After Ctrl-C or a power cut, the same command
    resumes it. If the tournament is over, the command prints its table again.

    With --cluster the machines of a Ray cluster run the matches, as many at once as there are CPUs
    for. If a machine is lost, its matches are played again on another machine. Players at an
    address of this machine, and players that read a file, play on this machine.

    Examples:
        ggp tournament cup.toml
        ggp tournament cup.toml --db sqlite:///cup.db --json
        ggp tournament cup.toml --csv cup.csv
        ggp tournament 3 --db sqlite:///club.db --end
        ggp tournament cup.toml --cluster 192.0.2.7:6379
    """
    require_packages()
    import asyncio
    import os
    import sys

    from ggp.manager.api.tournament_answers import TableAnswer
    from ggp.manager.config import ManagerConfig
    from ggp.manager.domain.tournaments import table_csv
    from ggp.terminal.console import print_json
    from ggp.terminal.tournament_view import print_table

    check_saving("--csv", csv)
    is_number = end and not file.exists() and str(file).isdecimal()
    asked = int(str(file)) if is_number else _read(file)
    config = ManagerConfig(
        database=db,
        allowed_hosts=frozenset(name.lower() for name in allow_host or ()),
        player_files=Path("/"),  # the tournament may read any file that its user may read
        num_cores=jobs or os.cpu_count() or 1,
        cluster=cluster or "",
        max_on_cluster=jobs,
    )
    try:
        # Standard output is reserved for the table, but Ray prints news of its machines there.
        with naming_db(), naming_cluster(), redirect_stdout(sys.stderr):
            found = asyncio.run(_hold(asked, config, file, is_ended=end))
    except KeyboardInterrupt:
        typer.echo(
            "ggp tournament: interrupted; to resume it, give the same command again", err=True
        )
        raise
    if csv is not None:
        _write(csv, table_csv(found.table))
    if as_json:
        print_json(TableAnswer.of(found.table).model_dump())
    else:
        print_table(found.plan.name, found.table, found.bracket)


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
        if str(file).isdecimal():
            reason += (
                "; a tournament's number needs --end; the manager's page of the tournament has its "
                f"table (over HTTP: /api/v1/tournaments/{file}/table.csv)"
            )
        raise WrongUseError(f"{file}: {reason}") from error
    except PlanError as error:
        raise WrongUseError(f"{error}") from error


async def _hold(
    asked: TournamentPlan | int, config: ManagerConfig, file: Path, *, is_ended: bool
) -> TournamentState:
    from ggp.manager.service import open_service
    from ggp.manager.store.claim import InUseError

    if is_ended:
        asked = await _end(asked, config, file)
    try:
        async with open_service(config) as service:
            _tell_cluster(service)
            number = asked if isinstance(asked, int) else await _number(service, asked, file)
            plan = (await _state(service.database, number)).plan
            await _follow(service.database, number, plan, service.tournaments.start(number))
            return await _outcome(service.database, number)
    except InUseError:
        if not isinstance(asked, int):
            raise
        return await _until_over(asked, config)


async def _number(service: ManagerService, plan: TournamentPlan, file: Path) -> int:
    with _naming(file):
        number = await service.tournament_maker.find_or_write_down(plan)
    await _warn(service, number, plan, file)
    return number


async def _outcome(database: Database, number: int) -> TournamentState:
    found = await _state(database, number)
    if found.row.status == "aborted":
        raise CommandFailedError(f"the tournament was aborted: {found.row.reason}")
    return found


async def _end(asked: TournamentPlan | int, config: ManagerConfig, file: Path) -> int:
    """Stop the tournament from starting more matches, and return its number.

    Another process may be running the tournament.
    """
    from ggp.manager.domain.continuous import ContinuousPool
    from ggp.manager.domain.players import PlayerRegistry
    from ggp.manager.domain.tournaments import number_of
    from ggp.manager.errors import ConflictError, NotThereError
    from ggp.manager.store.database import opened
    from ggp.manager.store.tables import OVER
    from ggp.submission.starter import Starter

    async with opened(config.database) as database:
        try:
            number = asked if isinstance(asked, int) else await number_of(database, asked)
            if number is None:
                raise WrongUseError(
                    f"{file}: this tournament has not begun; expected the plan or the number "
                    f"of a tournament in {config.database}"
                )
            if (await _state(database, number)).row.status not in OVER:
                players = PlayerRegistry(database, config, Starter())
                await ContinuousPool(database, players).end(number)
        except (ConflictError, NotThereError) as error:
            raise WrongUseError(f"--end: {error}") from error
    return number


async def _until_over(number: int, config: ManagerConfig) -> TournamentState:
    """Wait until the process that runs the ended tournament has finished its last matches.

    Return the final state of the tournament.
    """
    import asyncio

    from ggp.manager.store.database import opened
    from ggp.manager.store.tables import OVER

    async with opened(config.database) as database:
        plan = (await _state(database, number)).plan

        async def over() -> None:
            while (await _state(database, number)).row.status not in OVER:
                await asyncio.sleep(POLL_SECONDS)

        await _follow(database, number, plan, asyncio.create_task(over()))
        return await _outcome(database, number)


async def _state(database: Database, number: int) -> TournamentState:
    from ggp.manager.domain.tournaments import state_of

    return await state_of(database, number)


def _tell_cluster(service: ManagerService) -> None:
    cluster = service.cluster
    if cluster is not None:
        cpus, machines = counted(cluster.num_cpus, "CPU"), counted(cluster.num_machines, "machine")
        typer.echo(f"ggp tournament: playing on {cpus} of {machines} in the cluster", err=True)


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
    database: Database, number: int, plan: TournamentPlan, task: asyncio.Task[None]
) -> None:
    import asyncio

    from ggp.manager.domain.tournaments import progress_of
    from ggp.terminal.tournament_view import match_bar

    async def look() -> None:
        found = await progress_of(database, number, plan)
        show(found.done, found.planned, found.test)

    with match_bar() as show:
        while not task.done():
            await look()
            await asyncio.wait([task], timeout=POLL_SECONDS)
        await look()
