"""`ggp tournament`: hold a tournament that a file describes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ggp.cli.console import console, print_json
from ggp.cli.console import table as text_table
from ggp.cli.databases import naming_db
from ggp.cli.hosting_options import AllowHost, Jobs, require_packages

if TYPE_CHECKING:
    import asyncio

    from ggp.cli.text_table import TextTable
    from ggp.manager.config import ManagerConfig
    from ggp.manager.service import ManagerService
    from ggp.manager.store.tournaments import FixtureEntry
    from ggp.tournament.plan import TournamentPlan
    from ggp.tournament.table import Table

POLL_SECONDS = 0.5


def tournament(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE", help="A TOML file: name, form, games, players, clocks; docs/manager.md."
        ),
    ],
    db: Annotated[
        str,
        typer.Option(
            metavar="URL",
            help="Database that keeps it; the manager's, if it is to show it when it runs again.",
        ),
    ] = "sqlite:///ggp.db",
    allow_host: AllowHost = None,
    jobs: Jobs = 0,
    as_json: Annotated[
        bool, typer.Option("--json", metavar="", help="Print the table as one JSON document.")
    ] = False,
) -> None:
    """Hold a tournament that a file describes, and print its table.

    It is kept in a database as it goes on: stopped in the middle, by Ctrl-C or by a power cut, the
    same command goes on where it was. A tournament that is over has its table printed again.

    Examples:
        ggp tournament cup.toml
        ggp tournament cup.toml --db sqlite:///cup.db --json
    """
    require_packages()
    import asyncio
    import os

    from ggp.cli.failures import WrongUseError, reason_of
    from ggp.manager.api.answers import TableAnswer
    from ggp.manager.config import ManagerConfig
    from ggp.tournament.plan import PlanError, TournamentPlan

    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = reason_of(error) if isinstance(error, OSError) else "expected UTF-8"
        raise WrongUseError(f"{file}: {reason}") from error
    try:
        plan = TournamentPlan.from_toml(text, str(file))
    except PlanError as error:
        raise WrongUseError(f"{error}") from error
    config = ManagerConfig(
        database=db,
        allowed_hosts=frozenset(name.lower() for name in allow_host or ()),
        player_files=Path("/"),  # who starts it may read what it may read
        num_cores=jobs or os.cpu_count() or 1,
    )
    try:
        with naming_db():
            found = asyncio.run(_hold(plan, config, file))
    except KeyboardInterrupt:
        typer.echo("ggp tournament: the same command goes on where it was", err=True)
        raise
    if as_json:
        print_json(TableAnswer.of(found).model_dump())
    else:
        _print(plan, found)


async def _hold(plan: TournamentPlan, config: ManagerConfig, file: Path) -> Table:
    from ggp.manager.domain.tournaments import table_of
    from ggp.manager.service import open_service
    from ggp.manager.store import tournaments

    async with open_service(config) as service:
        with _naming(file):
            number = await service.tournament_maker.find_or_write_down(plan)
        await _warn(service, number, plan, file)
        await _follow(service, number, service.tournaments.start(number))
        async with service.database.reading() as session:
            row = await tournaments.find(session, number)
            found = await tournaments.entries(session, number)
        _complain(row.status, row.reason)
        return table_of(plan, found)


async def _warn(service: ManagerService, number: int, plan: TournamentPlan, file: Path) -> None:
    """Say before a tournament begins what is short in it."""
    from ggp.manager.store import tournaments

    async with service.database.reading() as session:
        status = (await tournaments.find(session, number)).status
    if status == "waiting":
        for line in await service.clock_check.warnings(plan):
            typer.echo(f"ggp tournament: {file}: warning: {line}", err=True)


@contextmanager
def _naming(file: Path) -> Iterator[None]:
    """Let what a plan names and is not there be wrong use of its file."""
    from ggp.cli.failures import WrongUseError
    from ggp.errors import UnknownNameError
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


async def _follow(service: ManagerService, number: int, task: asyncio.Task[None]) -> None:
    """Show how far it is until it is over."""
    import asyncio

    from ggp.manager.store import tournaments

    with _progress() as show:
        while not task.done():
            async with service.database.reading() as session:
                show(await tournaments.entries(session, number))
            await asyncio.wait([task], timeout=POLL_SECONDS)


def _complain(status: str, reason: str) -> None:
    from ggp.cli.failures import CommandFailedError

    if status == "aborted":
        raise CommandFailedError(f"the tournament was broken off: {reason}")


@contextmanager
def _progress() -> Iterator[Callable[[list[FixtureEntry]], None]]:
    """A line that tells how far it is and how long it may take; only on a terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
    from rich.progress import TimeRemainingColumn as Remaining

    console = Console(stderr=True)
    parts = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), Remaining())
    with Progress(
        *parts, console=console, disable=not console.is_terminal, transient=True
    ) as progress:
        task = progress.add_task("matches", total=None)

        def show(entries: list[FixtureEntry]) -> None:
            done = sum(entry.goals is not None for entry in entries)
            progress.update(task, total=len(entries), completed=done)

        yield show


def _print(plan: TournamentPlan, table: Table) -> None:
    shown = console()
    shown.print(plan.name)
    shown.print(_standings(table))
    if any(row.matches > row.wins + row.draws + row.losses for row in table.rows):
        shown.print("Games for one player bring points; nobody wins, draws or loses them.\n")
    if any(str(row.faults) for row in table.rows):
        shown.print(
            "TO, IL, CE: answers that were late, illegal or missing; random legal moves were made "
            "in their place.\n"
        )
    if len(table.rows) > 1:
        shown.print(_crosstable(table))


def _standings(table: Table) -> TextTable:
    figures = ("points", "matches", "won", "drawn", "lost", "Elo", "95 %", "TO", "IL", "CE")
    rows = []
    for place, row in enumerate(table.rows, start=1):
        rating = row.rating
        elo = _rounded(rating.elo) if rating else ""
        interval = f"{_rounded(rating.low)} to {_rounded(rating.high)}" if rating else ""
        counts = (row.matches, row.wins, row.draws, row.losses)
        faults = (row.faults.timeouts, row.faults.illegal, row.faults.connection)
        rows.append((f"{place}. {row.name}", f"{row.points:g}", *counts, elo, interval, *faults))
    return text_table(("player", *figures), rows, ",".join(figures))


def _rounded(elo: float) -> str:
    """A rating with its sign; `+0` where it is a little less than nothing, too."""
    return f"{round(elo) + 0:+d}"


def _crosstable(table: Table) -> TextTable:
    names = [row.name for row in table.rows]
    rows = []
    for one in names:
        cells = [table.cells.get((one, other)) for other in names]
        rows.append((one, *(f"{cell.score:g}/{cell.meetings}" if cell else "" for cell in cells)))
    return text_table(("each against each", *names), rows, ",".join(names))
