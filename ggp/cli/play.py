"""`ggp play`: a person plays a game in the terminal."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ggp.cli.engines import HELP as ENGINE_HELP
from ggp.cli.engines import Engine
from ggp.cli.match import MAX_CLOCK

if TYPE_CHECKING:
    from ggp.cli.play_match import PlayTerms


def play(
    game: Annotated[
        str, typer.Argument(metavar="GAME", help="A bundled game (see ggp games) or a file.")
    ],
    role: Annotated[
        str | None, typer.Option("--as", metavar="ROLE", help="Your role; else the first one.")
    ] = None,
    against: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PLAYER",
            help="Who plays the other roles: mcts unless told otherwise; ROLE=PLAYER for one role. "
            "See ggp players.",
        ),
    ] = None,
    playclock: Annotated[
        int,
        typer.Option(
            metavar="SECONDS",
            min=1,
            max=MAX_CLOCK,
            help="The opponents' time for a move, in seconds.",
        ),
    ] = 3,
    startclock: Annotated[
        int,
        typer.Option(
            metavar="SECONDS", min=1, max=MAX_CLOCK, help="Their time to prepare, in seconds."
        ),
    ] = 3,
    clock: Annotated[
        int | None,
        typer.Option(
            metavar="SECONDS",
            min=1,
            max=MAX_CLOCK,
            help="Your own time for a move, in seconds; none: no clock.",
        ),
    ] = None,
    adviser: Annotated[
        str, typer.Option(metavar="PLAYER", help="Whose search answers hint and analyze.")
    ] = "mcts",
    engine: Annotated[
        Engine, typer.Option("--engine", metavar="ENGINE", help=ENGINE_HELP)
    ] = Engine.AUTO,
    seed: Annotated[
        int | None,
        typer.Option(
            metavar="NUMBER", help="Seed of chance and of the players; none: different each time."
        ),
    ] = None,
    record: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Save the record in GGP-Base's JSON in the end."),
    ] = None,
    thoughts: Annotated[
        bool, typer.Option("--thoughts", metavar="", help="Show what the opponents think.")
    ] = False,
    ponder: Annotated[
        bool,
        typer.Option(
            "--ponder",
            metavar="",
            help="Let the opponents search while you think, too; else they rest, and the machine.",
        ),
    ] = False,
) -> None:
    """Play a game yourself, against our players or others.

    The board is shown, and your moves are numbered: type a number or the text of a move. `help`
    tells what else you can type. Lines may also come from a pipe.

    Examples:
        ggp play ticTacToe
        ggp play connectFour --as yellow --against mcts:c=0.7 --playclock 1
    """
    import asyncio

    from ggp.cli.play_match import PlayTerms

    terms = PlayTerms(
        playclock=playclock,
        startclock=startclock,
        own_clock=clock,
        adviser=adviser,
        engine=engine,
        seed=seed,
        record=record,
        is_telling=thoughts,
        is_pondering=ponder,
    )
    asyncio.run(_play(game, role, against or [], terms))


async def _play(name: str, role: str | None, against: list[str], terms: PlayTerms) -> None:
    from ggp.cli.analysis import role_named, searching_player
    from ggp.cli.match import check_player, check_saving, pointing_to_check
    from ggp.cli.play_match import play_match
    from ggp.cli.play_opponents import opponents
    from ggp.cli.rules import find_game
    from ggp.match.referee import played_roles
    from ggp.players.options import PlayerSpecError

    if terms.record is not None:
        check_saving("--record", terms.record)
    with pointing_to_check(name):
        game = find_game(name)
        own = played_roles(game.machine)[0]
        if role is not None:
            own = role_named(game.machine, role, game.machine.initial_state())
        players = opponents(game.machine, own, against)
        for player in players.values():
            check_player(game, player)
        try:
            searching_player(terms.adviser, game.machine, own, {}, terms.seed, "--adviser")
        except PlayerSpecError as error:
            raise typer.BadParameter(str(error), param_hint="--adviser") from error
        await play_match(game, own, players, terms)
