"""`ggp match`: play matches here, between players of ours and players that run elsewhere."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ggp.cli.console import print_json
from ggp.cli.dialects import HELP as DIALECT_HELP
from ggp.cli.dialects import DialectName
from ggp.cli.engines import HELP as ENGINE_HELP
from ggp.cli.engines import Engine

MAX_CLOCK = 3600  # seconds; as `ggp serve` takes it

if TYPE_CHECKING:
    from ggp.cli.match_series import Sitting, Terms
    from ggp.cli.rules import Game
    from ggp.cli.seats import Contestant


def match(
    game: Annotated[
        str, typer.Argument(metavar="GAME", help="A bundled game (see ggp games) or a file.")
    ],
    players: Annotated[
        list[str],
        typer.Argument(
            metavar="PLAYER...",
            help="One a role: mcts, mcts:c=0.7 (see ggp players), package.module:Class, "
            "http://host:9147.",
        ),
    ],
    startclock: Annotated[
        int,
        typer.Option(
            metavar="SECONDS",
            min=1,
            max=MAX_CLOCK,
            help="Time to prepare, in seconds; players may use less.",
        ),
    ] = 1,
    playclock: Annotated[
        int,
        typer.Option(
            metavar="SECONDS", min=1, max=MAX_CLOCK, help="Time for each move, in seconds."
        ),
    ] = 2,
    engine: Annotated[
        Engine, typer.Option("--engine", metavar="ENGINE", help=ENGINE_HELP)
    ] = Engine.AUTO,
    dialect: Annotated[
        DialectName, typer.Option(metavar="NAME", help=DIALECT_HELP)
    ] = DialectName.GGP_BASE,
    matches: Annotated[
        int, typer.Option(metavar="NUMBER", min=1, help="How many matches to play.")
    ] = 1,
    swap: Annotated[
        bool,
        typer.Option("--swap", metavar="", help="Let the players change roles after each match."),
    ] = False,
    seed: Annotated[
        int | None,
        typer.Option(metavar="NUMBER", help="Seed of the random moves; none: different each time."),
    ] = None,
    move_limit: Annotated[
        int | None,
        typer.Option(metavar="NUMBER", min=1, help="Break a match off after so many moves."),
    ] = None,
    save: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Save the record in GGP-Base's JSON; of several, FILE-1, ..."
        ),
    ] = None,
    json: Annotated[
        bool,
        typer.Option("--json", metavar="", help="Print only the records, a line of JSON each."),
    ] = False,
    quiet: Annotated[
        bool, typer.Option("--quiet", metavar="", help="Show only the result.")
    ] = False,
) -> None:
    """Play matches and show how they go.

    Examples:
        ggp match ticTacToe mcts random
        ggp match connectFour mcts:c=0.7 http://127.0.0.1:9147 --matches 10 --swap
    """
    import asyncio

    from ggp.cli.match_series import Terms
    from ggp.cli.rules import find_game

    terms = Terms(
        startclock=startclock,
        playclock=playclock,
        matches=matches,
        is_swapping=swap,
        seed=seed,
        engine=engine.value,
        dialect=dialect.value,
        move_limit=move_limit,
    )
    if save is not None:
        check_saving("--save", save)
    if swap and matches == 1:
        _warn("--swap has no effect on a single match; say how many with --matches")
    with pointing_to_check(game):
        found = find_game(game)
    _check_players(found, players)
    with pointing_to_check(game):
        asyncio.run(_play(found, players, terms, _Output(save, json, quiet)))


class _Output:
    """Output of results: to files, as JSON lines or on the screen."""

    def __init__(self, save: Path | None, is_json: bool, is_quiet: bool) -> None:
        self._save = save
        self._is_json = is_json
        self.is_quiet = is_quiet or is_json

    def match_over(self, sitting: Sitting, num_matches: int) -> None:
        """Save and print the record of a match that has ended, well or not."""
        if self._save is not None:
            path = self._save
            if num_matches > 1:
                path = path.with_stem(f"{path.stem}-{sitting.index + 1}")
            sitting.record.save(path)
        if self._is_json:
            print_json(sitting.record.to_json())

    def shows_table(self) -> bool:
        """Whether there is a table in the end."""
        return not self._is_json


async def _play(game: Game, players: list[str], terms: Terms, output: _Output) -> None:
    from ggp.cli.match_series import play_series
    from ggp.cli.match_view import MatchView
    from ggp.cli.seats import Callers
    from ggp.match.events import Ended, Event

    contestants = await _contestants(players, terms.dialect)
    view = MatchView(game, contestants, terms.matches, output.is_quiet)

    def observe(sitting: Sitting, event: Event) -> None:
        view.observe(sitting, event)
        if isinstance(event, Ended):
            output.match_over(sitting, terms.matches)

    callers = Callers(view.tell, _warn, _say)
    played: list[Sitting] = []
    view.starting()
    try:
        async for sitting in play_series(game, contestants, terms, observe, callers):
            view.match_over(sitting)
            played.append(sitting)
    finally:
        view.close()
        # After Ctrl-C too: what has been played counts.
        if output.shows_table() and played:
            view.results(played)


async def _contestants(players: list[str], dialect: str) -> list[Contestant]:
    """The players with names to tell them apart."""
    from ggp.cli.seats import Contestant, ask_name
    from ggp.protocol.addresses import is_address

    names = [await ask_name(text, _warn, dialect) if is_address(text) else text for text in players]
    repeated = {name for name in names if names.count(name) > 1}
    return [
        Contestant(text, f"{name}#{number}" if name in repeated else name, dialect)
        for number, (text, name) in enumerate(zip(players, names, strict=True), start=1)
    ]


@contextmanager
def pointing_to_check(game: str) -> Iterator[None]:
    """Let errors of the rules say which command tells more about them."""
    import gdl
    from ggp.cli.failures import CommandFailedError
    from ggp.engine import RulesError
    from ggp.match.errors import MatchError
    from ggp.search.choices import StuckError

    hint = f"ggp check {shlex.quote(game)} tells more about these rules"
    try:
        yield
    except gdl.GdlError as error:
        raise CommandFailedError(f"{error.explain()}\n{hint}") from error
    except (MatchError, RulesError, StuckError) as error:
        raise CommandFailedError(f"{error}; {hint}") from error


def _say(text: str) -> None:
    typer.echo(f"ggp match: {text}", err=True)


def _warn(text: str) -> None:
    typer.echo(f"ggp match: warning: {text}", err=True)


def check_saving(option: str, save: Path) -> None:
    """Refuse a file that cannot be written, before there is anything to lose."""
    folder = save.resolve().parent
    if save.is_dir():
        raise typer.BadParameter(f"{option}: expected a file, {save} is a folder")
    if not folder.is_dir():
        raise typer.BadParameter(f"{option}: there is no folder {folder}")
    if not os.access(folder, os.W_OK):
        raise typer.BadParameter(f"{option}: nothing may be written in the folder {folder}")


def _check_players(game: Game, players: list[str]) -> None:
    """Refuse players that do not exist, and more or fewer than the game has roles."""
    import gdl
    from ggp.match.referee import played_roles

    roles = played_roles(game.machine)
    if len(players) != len(roles):
        names = ", ".join(role.name for role in roles)
        chance = len(roles) < len(game.machine.roles)
        hint = f"; {gdl.RANDOM} is played by the referee" if chance else ""
        raise typer.BadParameter(
            f"{game.name} has {len(roles)} {'role' if len(roles) == 1 else 'roles'} ({names}), "
            f"so expected {len(roles)} PLAYER, got {len(players)}{hint}"
        )
    for text in players:
        check_player(game, text)


def check_player(game: Game, text: str) -> None:
    """Refuse a player that does not exist."""
    from ggp.cli.addresses import check_address
    from ggp.match.referee import played_roles
    from ggp.players.options import PlayerSpecError
    from ggp.players.registry import create
    from ggp.protocol.addresses import EXAMPLE, is_address

    if is_address(text):
        check_address(text)
        return
    try:
        create(text, game.machine, played_roles(game.machine)[0], {})
    except PlayerSpecError as error:
        forms = f"NAME, NAME:KEY=VALUE, MODULE:CLASS or an address {EXAMPLE}"
        has_forms = "NAME:KEY=VALUE" in str(error)
        hint = f", or an address {EXAMPLE}" if has_forms else f"; a PLAYER is {forms}"
        if "option " in str(error):  # the player is known
            hint = ""
        raise typer.BadParameter(f"{error}{hint}") from error
