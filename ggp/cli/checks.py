"""Checks that several verbs share. They report a wrong option before the work starts."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, redirect_stdout
from importlib.util import find_spec
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from ggp.errors import CommandFailedError, GgpError, WrongUseError, reason_of

if TYPE_CHECKING:
    from ggp.rulesheets import NamedGame

# The packages that the extra `manager` in pyproject.toml installs.
PACKAGES = (
    *("aiosqlite", "alembic", "confusable_homoglyphs", "jinja2"),
    *("precis_i18n", "pydantic", "sqlalchemy"),
)
OF_ACCOUNTS = ("argon2",)
_TRIAL = "(role one) (init off) (legal one wait) (next on) (goal one 50) (<= terminal (true on))"


def check_seconds(seconds: float) -> None:
    """Refuse a number that is infinite or NaN."""
    if not math.isfinite(seconds):
        raise typer.BadParameter(f"--seconds: expected a finite number of seconds, got {seconds}")


def check_threads(threads: int) -> None:
    """Refuse more threads than cores. Threads that take turns on a core would distort the rates."""
    from ggp.processes.machine import num_cores

    if threads > (cores := num_cores()):
        raise typer.BadParameter(
            f"expected at most {cores}, the number of cores, got {threads}", param_hint="--threads"
        )


def check_saving(option: str, file: Path | None) -> None:
    """Refuse a file that cannot be written, before there are results that would be lost."""
    if file is None:
        return
    folder = file.absolute().parent
    if not folder.is_dir():
        raise typer.BadParameter(f"{option}: there is no folder {folder}")
    if not os.access(folder, os.W_OK):
        raise typer.BadParameter(
            f"{option}: you do not have permission to write to the folder {folder}"
        )
    try:
        file.stat()
    except FileNotFoundError:
        return
    except OSError as error:
        raise typer.BadParameter(f"{option}: {file}: {reason_of(error)}") from error
    if file.is_dir():
        raise typer.BadParameter(f"{option}: expected a file, but {file} is a folder")
    if not os.access(file, os.W_OK):
        raise typer.BadParameter(f"{option}: you do not have permission to write to {file}")


def check_folder(option: str, folder: Path | None, *, is_made: bool = False) -> None:
    """Refuse a folder whose files cannot be listed.

    Args:
        is_made: Whether to create a missing folder, accessible only to this user. The folder must
            then also allow creating files.
    """
    if folder is None:
        return
    try:
        if is_made and folder.parent.is_dir():
            folder.mkdir(0o700, exist_ok=True)
        with os.scandir(folder):
            pass
    except FileNotFoundError as error:
        raise typer.BadParameter(f"{option}: there is no folder {folder.absolute()}") from error
    except (FileExistsError, NotADirectoryError) as error:
        raise typer.BadParameter(f"{option}: expected a folder, got {folder}") from error
    except OSError as error:
        raise typer.BadParameter(f"{option}: {folder}: {reason_of(error)}") from error
    if is_made and not os.access(folder, os.W_OK):
        raise typer.BadParameter(
            f"{option}: you do not have permission to write to the folder {folder}"
        )


def save_text(file: Path, text: str) -> None:
    """Write `text` to `file` as UTF-8 with Unix line endings.

    Raises:
        CommandFailedError: The file cannot be written.
    """
    try:
        file.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise CommandFailedError(f"{file}: {reason_of(error)}") from error


def check_players(game: NamedGame, players: Sequence[str]) -> None:
    """Refuse unknown players, and a number of players that differs from the number of roles."""
    import gdl
    from ggp.match.referee import played_roles

    roles = played_roles(game.machine)
    if len(players) != len(roles):
        names = ", ".join(role.name for role in roles)
        chance = len(roles) < len(game.machine.roles)
        hint = f"; {gdl.RANDOM} is played by the referee" if chance else ""
        raise typer.BadParameter(
            f"{game.name} has {len(roles)} {'role' if len(roles) == 1 else 'roles'} "
            f"({names}), so expected {len(roles)} "
            f"{'player' if len(roles) == 1 else 'players'}, got {len(players)}{hint}"
        )
    for text in players:
        check_player(game, text)


def check_player(game: NamedGame, text: str) -> None:
    """Refuse an unknown player, invalid options or a malformed address."""
    from ggp.language_models.spec import is_model, key_of_environment, read_spec
    from ggp.match.referee import played_roles
    from ggp.players.files import named_file
    from ggp.players.options import PlayerSpecError
    from ggp.players.registry import create
    from ggp.protocol.addresses import EXAMPLE, check_address, is_address

    if is_address(text):
        check_address(text)
        return
    if is_model(text):
        read_spec(text)
        key_of_environment()
        return
    try:
        with redirect_stdout(StringIO()):  # this player is only a test; the real one prints later
            create(text, game.machine, played_roles(game.machine)[0], {})
    except PlayerSpecError as error:
        forms = f"NAME, NAME:KEY=VALUE, FILE.py:CLASS, MODULE:CLASS or an address {EXAMPLE}"
        has_forms = "NAME:KEY=VALUE" in str(error)
        hint = f", or an address {EXAMPLE}" if has_forms else f"; a PLAYER is {forms}"
        is_known = "option " in str(error) or "cannot be made" in str(error)
        if is_known or named_file(text.partition(":")[0]) is not None:
            hint = ""
        raise typer.BadParameter(f"{error}{hint}") from error


def check_without_game(text: str, options: Mapping[str, str], hint: str) -> None:
    """Refuse a player that cannot be created. The game is not known yet, so try a tiny game.

    Args:
        hint: The command-line options that specify the player.
    """
    import gdl
    from ggp.players import registry

    machine = gdl.load(gdl.read_kif(_TRIAL), "interpreter")
    try:
        registry.create(text, machine, machine.roles[0], options)
    except GgpError as error:
        raise typer.BadParameter(str(error), param_hint=hint) from error


def require_metrics(port: int | None) -> None:
    """Check that the packages for metrics are installed, unless `port` is None.

    Raises:
        CommandFailedError: A package is missing. The message says how to install it.
    """
    if port is not None:
        require(["prometheus_client"], "--metrics-port", "metrics")


def require_packages(names: Sequence[str] = PACKAGES) -> None:
    """Check that the packages of the game manager are installed.

    Raises:
        CommandFailedError: A package is missing. The message says how to install it.
    """
    require(names, "hosting", "manager")


def require(names: Sequence[str], what: str, extra: str) -> None:
    """Check that packages are installed.

    Args:
        what: What needs the packages, for the message.
        extra: The extra in pyproject.toml that installs them.

    Raises:
        CommandFailedError: A package is missing. The message says how to install it.
    """
    missing = [name.replace("_", "-") for name in names if find_spec(name) is None]
    if missing:
        raise CommandFailedError(
            f"{what} needs {', '.join(missing)}, which "
            f"{'is' if len(missing) == 1 else 'are'} not installed; type  pip install "
            f"'ggp-agent[{extra}]'  or, in a clone,  pip install '.[{extra}]'"
        )


@contextmanager
def on_cluster(address: str | None) -> Iterator[None]:
    """Stay connected to the cluster at `address` inside the context. Do nothing if it is None.

    Raises:
        ClusterError: Ray is not installed.
        WrongUseError: There is no cluster at the address.
    """
    if address is None:
        yield
        return
    from ggp.cluster.connection import connected, require_ray

    require_ray()
    with ExitStack() as stack:
        with naming_cluster():
            stack.enter_context(connected(address))
        yield


@contextmanager
def naming_db() -> Iterator[None]:
    """Convert errors about a database URL to errors about the option `--db`.

    Raises:
        WrongUseError: In place of a DatabaseUrlError.
    """
    from ggp.manager.store.location import DatabaseUrlError

    try:
        yield
    except DatabaseUrlError as error:
        raise WrongUseError(f"--db: {error}") from error


@contextmanager
def naming_cluster() -> Iterator[None]:
    """Convert errors about a cluster's address to errors about the option `--cluster`.

    Raises:
        WrongUseError: In place of a ClusterError.
    """
    from ggp.cluster.connection import ClusterError

    try:
        yield
    except ClusterError as error:
        raise WrongUseError(f"--cluster: {error}") from error


def warn_of_errors(game: NamedGame, file: str) -> None:
    """Warn of errors in the user's own rules. Such rules can often be played nevertheless."""
    import gdl
    from ggp.rulesheets import pointer_to_check

    found = () if game.bundled else gdl.check(game.rulesheet)
    num = sum(one.severity is gdl.Severity.ERROR for one in found)
    if num:
        errors = "an error" if num == 1 else f"{num} errors"
        typer.echo(f"warning: the rules have {errors}; {pointer_to_check(file)}", err=True)


@contextmanager
def pointing_to_check(game: str) -> Iterator[None]:
    """Add to errors about rules a hint to the command that explains them.

    Raises:
        CommandFailedError: In place of an error about rules.
    """
    import gdl
    from ggp.engine import RulesError
    from ggp.match.errors import MatchError
    from ggp.rulesheets import pointer_to_check
    from ggp.search.core.choices import StuckError

    hint = pointer_to_check(game)
    try:
        yield
    except gdl.GdlError as error:
        raise CommandFailedError(f"{error.explain()}\n{hint}") from error
    except (MatchError, RulesError, StuckError) as error:
        raise CommandFailedError(f"{error}; {hint}") from error
