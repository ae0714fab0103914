"""One match of a person: seats everybody, and has the referee run it."""

from __future__ import annotations

import random
from collections.abc import Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from ggp.cli.console import counted
from ggp.cli.match_series import SEED_RANGE
from ggp.cli.play_advice import Adviser
from ggp.cli.play_painter import Painter
from ggp.cli.play_prompt import lines
from ggp.cli.play_seat import LeftError, PersonSeat
from ggp.cli.play_trail import Trail
from ggp.cli.play_view import PlayView
from ggp.cli.seats import Callers, Contestant, Table
from ggp.clock import milliseconds_since_1970
from ggp.engine import EnginePool
from ggp.match.following import FollowedRulebook
from ggp.match.referee import MatchSetup, Referee, played_roles
from ggp.match.rulebook import MachineRulebook
from ggp.match.seat import Seat

if TYPE_CHECKING:
    import gdl
    from ggp.cli.engines import Engine
    from ggp.cli.rules import Game


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayTerms:
    """Terms of a person's match; clocks are seconds.

    Attributes:
        playclock: Of the opponents.
        startclock: Likewise.
        own_clock: The person's time for a move; None for no limit.
        adviser: The player whose search gives hints.
        engine: What plays the rules.
        seed: Of everything that is drawn.
        record: Where to save the record; None: nowhere.
        is_telling: Whether the opponents' thoughts are shown.
        is_pondering: Whether the opponents think while the person does.
    """

    playclock: int
    startclock: int
    own_clock: int | None
    adviser: str
    engine: Engine
    seed: int | None
    record: Path | None
    is_telling: bool
    is_pondering: bool


async def play_match(
    game: Game, own: gdl.Role, players: Mapping[str, str], terms: PlayTerms
) -> None:
    """Play until the game is over or the person leaves, and save the record if that is wanted.

    Raises:
        MatchError: The rules fail.
        GgpError: A player could not be started.
        KeyboardInterrupt: The person has typed Ctrl-C.
    """
    trail = Trail(game.machine)
    names = {
        role.name: "you" if role is own else players[role.name]
        for role in played_roles(game.machine)
    }
    view = PlayView(game, trail, own, names, is_telling=terms.is_telling)
    seeds = random.Random(terms.seed)
    view.starting()
    async with AsyncExitStack() as stack:
        stack.callback(view.close)
        book = FollowedRulebook(MachineRulebook(game.machine, has_percepts=game.has_percepts))
        others = await _others(stack, players, terms, seeds, book)
        adviser = Adviser(game, terms.adviser, terms.engine, terms.seed)
        remote = next((one for one in players.values() if Contestant(one, one).is_remote), "")
        keyboard = lines(view.write)
        person = PersonSeat(
            trail, own, keyboard, view, adviser, Painter(game), remote, terms.own_clock
        )
        seats = [others.get(role.name, person) for role in played_roles(game.machine)]
        setup = _setup(game, book, own, terms, seeds.randrange(SEED_RANGE))
        referee = Referee(setup, seats, view.observe)
        try:
            await referee.run()
        except LeftError as left:
            view.say(f"You have left the match after {counted(len(referee.record.moves), 'turn')}.")
            if left.is_interrupted:
                raise KeyboardInterrupt from None
        finally:
            if terms.record is not None:
                referee.record.save(terms.record)


async def _others(
    stack: AsyncExitStack,
    players: Mapping[str, str],
    terms: PlayTerms,
    seeds: random.Random,
    book: FollowedRulebook,
) -> dict[str, Seat]:
    """The seats of the other roles; processes end with the stack."""
    contestants = {role: Contestant(text, text) for role, text in players.items()}
    pool = EnginePool(_tell)
    if any(one.needs_process for one in contestants.values()):
        await stack.enter_async_context(pool)
        await pool.start()
    callers = Callers(lambda text: None, _tell, _tell)
    at = Table(pool, terms.engine.value, book, terms.is_pondering)
    return {
        role: one.seat(at, seeds.randrange(SEED_RANGE), callers)
        for role, one in contestants.items()
    }


def _setup(
    game: Game, book: FollowedRulebook, own: gdl.Role, terms: PlayTerms, seed: int
) -> MatchSetup:
    return MatchSetup(
        match_id=f"local.{game.name}.{milliseconds_since_1970()}",
        rulebook=book,
        rules=game.rules,
        startclock=terms.startclock,
        playclock=terms.playclock,
        seed=seed,
        unhurried=frozenset([own.name]),
    )


def _tell(text: str) -> None:
    typer.echo(f"ggp play: {text}", err=True)
