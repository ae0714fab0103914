"""`ggp play`: play a game yourself in the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from ggp.cli.checks import check_player, check_saving, pointing_to_check, warn_of_errors
from ggp.cli.options import (
    DEFAULT_HIDDEN_OPPONENT,
    DEFAULT_OPPONENT,
    MAX_CLOCK,
    Engine,
    EngineOption,
    GameArgument,
    Save,
    flag,
    opponents,
    option,
)

if TYPE_CHECKING:
    from ggp.terminal.person_match import PlayTerms


def play(
    game: GameArgument,
    role: Annotated[
        str | None, option("ROLE", "Your role. Default: the first role.", "--as")
    ] = None,
    against: Annotated[
        list[str] | None,
        option(
            "PLAYER",
            "Player of the other roles. Default: mcts, or hidden in games of hidden information. "
            "Repeat it to name one player for each role in order. ROLE=PLAYER sets the player of "
            "one role. See ggp players.",
        ),
    ] = None,
    playclock: Annotated[
        int,
        option("SECONDS", "The opponents' time for each move, in seconds.", min=1, max=MAX_CLOCK),
    ] = 3,
    startclock: Annotated[
        int, option("SECONDS", "The opponents' time to prepare, in seconds.", min=1, max=MAX_CLOCK)
    ] = 3,
    clock: Annotated[
        int | None,
        option(
            "SECONDS",
            "Your own time for each move, in seconds. If it runs out, a random move is made. "
            "Default: no clock.",
            min=1,
            max=MAX_CLOCK,
        ),
    ] = None,
    adviser: Annotated[
        str, option("PLAYER", "Player whose search answers the commands hint and analyze.")
    ] = "mcts",
    engine: EngineOption = Engine.AUTO,
    seed: Annotated[
        int | None,
        option("NUMBER", "Seed of chance and of the players. Default: a different one each time."),
    ] = None,
    save: Save = None,
    thoughts: Annotated[
        bool, flag("Show the opponents' thoughts, as ggp match does.", "--thoughts")
    ] = False,
    ponder: Annotated[
        bool,
        flag(
            "Let the opponents search while you think. Without this option, they wait.",
            "--ponder",
        ),
    ] = False,
) -> None:
    """Play a game yourself, against bundled players or others.

    You see the board, and your legal moves have numbers: type a number or the text of a move.
    `help` lists what else you can type. You can also pipe the lines in.

    In a game of hidden information you see what your role may know, and how likely the rest is. The
    true state and the others' moves stay hidden until the match is over.

    Examples:
        ggp play ticTacToe
        ggp play connectFour --as yellow --against mcts:c=0.7 --playclock 1
    """
    import asyncio

    from ggp.terminal.person_match import PlayTerms

    terms = PlayTerms(
        playclock=playclock,
        startclock=startclock,
        own_clock=clock,
        adviser=adviser,
        engine=engine.value,
        seed=seed,
        record=save,
        has_thoughts=thoughts,
        is_pondering=ponder,
    )
    asyncio.run(_play(game, role, against or [], terms))


async def _play(name: str, role: str | None, against: list[str], terms: PlayTerms) -> None:
    from ggp.analysis.analysis import role_named, searching_player
    from ggp.match.referee import played_roles
    from ggp.players.options import PlayerSpecError
    from ggp.rulesheets import find_game
    from ggp.terminal.person_match import play_match

    check_saving("--save", terms.record)
    with pointing_to_check(name):
        game = find_game(name)
        played = played_roles(game.machine)
        own = played[0]
        if role is not None:
            own = role_named(game.machine, role, game.machine.initial_state())
        warn_of_errors(game, name)
        others = [one.name for one in played if one is not own]
        default = DEFAULT_HIDDEN_OPPONENT if game.has_percepts else DEFAULT_OPPONENT
        players = opponents(others, own.name, against, default)
        for player in players.values():
            check_player(game, player)
        try:
            searching_player(terms.adviser, game.machine, own, {}, terms.seed, "--adviser")
        except PlayerSpecError as error:
            raise typer.BadParameter(str(error), param_hint="--adviser") from error
        await play_match(game, own, players, terms)
