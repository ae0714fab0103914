"""`ggp tournament`: hold a tournament that a file describes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ggp.cli.console import print_json
from ggp.cli.databases import naming_db
from ggp.cli.hosting_options import AllowHost, Jobs

if TYPE_CHECKING:
    import asyncio

    from rich.table import Table as RichTable

    from ggp.manager.config import ManagerConfig
    from ggp.manager.service import Service
    from ggp.manager.store.tournaments import Entry
    from ggp.match.tournament.plan import TournamentPlan
    from ggp.match.tournament.table import Table

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
    """
    import asyncio
    import os

    from ggp.cli.failures import WrongUseError, reason_of
    from ggp.manager.config import ManagerConfig
    from ggp.manager.views import table_view
    from ggp.match.tournament.plan import PlanError, TournamentPlan

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
        num_cores=jobs or os.cpu_count() or 1,
    )
    try:
        with naming_db():
            found = asyncio.run(_hold(plan, config, file))
    except KeyboardInterrupt:
        typer.echo("ggp tournament: the same command goes on where it was", err=True)
        raise
    if as_json:
        print_json(table_view(found))
    else:
        _print(plan, found)


async def _hold(plan: TournamentPlan, config: ManagerConfig, file: Path) -> Table:
    from ggp.manager.service import open_service
    from ggp.manager.store import tournaments
    from ggp.manager.tournaments import Holder, table_of

    async with open_service(config) as service:
        holder = Holder(service)
        with _naming(file):
            number = await holder.create_or_find(plan)
        try:
            await _follow(service, number, holder.start(number))
        finally:
            await holder.close()
        async with service.database.reading() as session:
            row = await tournaments.find(session, number)
            found = await tournaments.entries(session, number)
        _complain(row.status, row.reason)
        return table_of(plan, found)


@contextmanager
def _naming(file: Path) -> Iterator[None]:
    """Let what a plan names and is not there be wrong use of its file."""
    from ggp.cli.failures import WrongUseError
    from ggp.errors import UnknownNameError
    from ggp.manager.config import AddressError
    from ggp.manager.problems import WrongRequestError
    from ggp.match.tournament.plan import PlanError
    from ggp.players.options import PlayerSpecError

    wrong = (UnknownNameError, PlayerSpecError, PlanError, WrongRequestError, AddressError)
    try:
        yield
    except wrong as error:
        raise WrongUseError(f"{file}: {error}") from error


async def _follow(service: Service, number: int, task: asyncio.Task[None]) -> None:
    """Tell how far it is until it is over."""
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
def _progress() -> Iterator[Callable[[list[Entry]], None]]:
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

        def show(entries: list[Entry]) -> None:
            done = sum(entry.goals is not None for entry in entries)
            progress.update(task, total=len(entries), completed=done)

        yield show


def _print(plan: TournamentPlan, table: Table) -> None:
    from rich.console import Console

    console = Console()
    console.print(_standings(plan, table))
    if any(row.matches > row.wins + row.draws + row.losses for row in table.rows):
        console.print("Games for one player bring points; nobody wins, draws or loses them.\n")
    if len(table.rows) > 1:
        console.print(_crosstable(table))


def _standings(plan: TournamentPlan, table: Table) -> RichTable:
    from rich import box
    from rich.table import Table as RichTable

    shown = RichTable(title=plan.name, box=box.SIMPLE, title_justify="left")
    for name in ("", "player"):
        shown.add_column(name)
    for name in ("points", "matches", "won", "drawn", "lost", "Elo", "95 %"):
        shown.add_column(name, justify="right")
    for place, row in enumerate(table.rows, start=1):
        rating = row.rating
        elo = _rounded(rating.elo) if rating else ""
        interval = f"{_rounded(rating.low)} to {_rounded(rating.high)}" if rating else ""
        counts = (row.matches, row.wins, row.draws, row.losses)
        shown.add_row(str(place), row.name, f"{row.points:g}", *map(str, counts), elo, interval)
    return shown


def _rounded(elo: float) -> str:
    """A rating with its sign; `+0` where it is a little less than nothing, too."""
    return f"{round(elo) + 0:+d}"


def _crosstable(table: Table) -> RichTable:
    from rich import box
    from rich.table import Table as RichTable

    names = [row.name for row in table.rows]
    shown = RichTable(box=box.SIMPLE, title="each against each", title_justify="left")
    shown.add_column("")
    for name in names:
        shown.add_column(name, justify="right")
    for one in names:
        cells = [table.cells.get((one, other)) for other in names]
        shown.add_row(one, *(f"{cell.score:g}/{cell.meetings}" if cell else "" for cell in cells))
    return shown
