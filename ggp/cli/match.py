"""`ggp match`: play matches between bundled players, your own players, and remote players."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ggp.cli.checks import check_players, check_saving, pointing_to_check, warn_of_errors
from ggp.cli.options import (
    MAX_CLOCK,
    Engine,
    EngineOption,
    GameArgument,
    Save,
    argument,
    flag,
    option,
)

if TYPE_CHECKING:
    from ggp.rulesheets import NamedGame
    from ggp.seating.series import SeriesMatch, Terms


class DialectName(StrEnum):
    """Names of the dialects.

    They repeat those in `ggp.protocol.dialects`, which takes too long to import for `--help`.
    """

    GGP_BASE = "ggp-base"
    DRESDEN = "dresden"
    GDL_II = "gdl-ii"
    GAMEMASTER = "gamemaster"


def match(
    game: GameArgument,
    players: Annotated[
        list[str],
        argument(
            "PLAYER...",
            "One player for each role: mcts, mcts:c=0.7 (see ggp players), mine.py:Class, "
            "http://host:9147, llm:http://host:8080/v1,model=NAME.",
        ),
    ],
    startclock: Annotated[
        int,
        option(
            "SECONDS", "Time to prepare, in seconds. Players may use less.", min=1, max=MAX_CLOCK
        ),
    ] = 1,
    playclock: Annotated[
        int, option("SECONDS", "Time for each move, in seconds.", min=1, max=MAX_CLOCK)
    ] = 2,
    engine: EngineOption = Engine.AUTO,
    dialect: Annotated[
        DialectName,
        option(
            "NAME",
            f"Dialect for players at an address: {', '.join(name.value for name in DialectName)}.",
        ),
    ] = DialectName.GGP_BASE,
    matches: Annotated[int, option("NUMBER", "Number of matches to play.", min=1)] = 1,
    swap: Annotated[
        bool,
        flag(
            "Let the players change roles after each match. It has no effect on a single match.",
            "--swap",
        ),
    ] = False,
    seed: Annotated[
        int | None,
        option("NUMBER", "Seed of the random moves. Default: a different one each time."),
    ] = None,
    move_limit: Annotated[
        int | None,
        option("NUMBER", "Abort a match after this many turns. Default: 10000.", min=1),
    ] = None,
    save: Save = None,
    show_output: Annotated[bool, flag("Show what the players print.", "--show-output")] = False,
    json: Annotated[
        bool, flag("Print only the records, one JSON document per line.", "--json")
    ] = False,
    quiet: Annotated[bool, flag("Show only the result.", "--quiet")] = False,
) -> None:
    """Play matches and show how they go.

    A player gets only what its role sees. You are a spectator and see everything, including what a
    game of hidden information hides from its players. To play yourself, use ggp play.

    Examples:
        ggp match ticTacToe mcts random
        ggp match connectFour mcts:c=0.7 http://127.0.0.1:9147 --matches 10 --swap
    """
    import asyncio

    from ggp.rulesheets import find_game
    from ggp.seating.series import Terms

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
    check_saving("--save", save)
    if swap and matches == 1:
        _warn("--swap has no effect on a single match; say how many with --matches")
    with pointing_to_check(game):
        found = find_game(game)
    warn_of_errors(found, game)
    check_players(found, players)
    with pointing_to_check(game):
        asyncio.run(
            _play(
                found, players, terms, _Output(save, json, quiet or json, show_output and not json)
            )
        )


@dataclass(frozen=True, slots=True)
class _Output:
    save: Path | None
    is_json: bool
    is_quiet: bool
    has_printed: bool

    def match_over(self, sitting: SeriesMatch, num_matches: int) -> None:
        from ggp.terminal.console import print_json

        if self.save is not None:
            path = self.save
            if num_matches > 1:
                path = path.with_stem(f"{path.stem}-{sitting.index + 1}")
            sitting.record.save(path)
        if self.is_json:
            print_json(sitting.record.to_json())


async def _play(game: NamedGame, players: list[str], terms: Terms, output: _Output) -> None:
    from ggp.match.events import Ended, Event
    from ggp.seating.contestant import SeatReports, contestants_named
    from ggp.seating.series import play_series
    from ggp.terminal.match_view import MatchView

    contestants = await contestants_named(players, terms.dialect, _warn)
    view = MatchView(
        game, contestants, terms.matches, output.is_quiet, has_output=output.has_printed
    )

    def observe(sitting: SeriesMatch, event: Event) -> None:
        view.observe(sitting, event)
        if isinstance(event, Ended):
            output.match_over(sitting, terms.matches)

    reports = SeatReports(view.note, _warn, _say, view.prepared)
    played: list[SeriesMatch] = []
    view.starting()
    try:
        async for sitting in play_series(game, contestants, terms, observe, reports):
            view.match_over(sitting)
            played.append(sitting)
    finally:
        view.close()
        # Show the results even after Ctrl-C, because finished matches count.
        if played and not output.is_json:
            view.results(played)


def _say(text: str) -> None:
    typer.echo(f"ggp match: {text}", err=True)


def _warn(text: str) -> None:
    _say(f"warning: {text}")
