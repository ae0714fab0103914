"""A match that a person plays: set up the seats and let the referee run it."""

from __future__ import annotations

import logging
import random
from collections.abc import Iterator, Mapping
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import cache
from logging.handlers import MemoryHandler
from pathlib import Path
from typing import Final

import typer

import gdl
from ggp.engine import EnginePool, Reasoner
from ggp.match.referee import Referee, played_roles
from ggp.match.rulebook import FollowedRulebook, MachineRulebook
from ggp.match.seat import Seat
from ggp.plurals import counted
from ggp.protocol.addresses import check_apart
from ggp.rulesheets import NamedGame
from ggp.seating.contestant import Contestant, Resources, SeatReports
from ggp.seating.series import SEED_RANGE, local_match
from ggp.terminal.adviser import Adviser
from ggp.terminal.game_view import preparation
from ggp.terminal.person_seat import LeftError, PersonSeat
from ggp.terminal.play_view import PlayView
from ggp.terminal.typed_line import lines

MAX_HELD: Final = 1 << 20
"""Maximum number of warnings to hold back. It is never reached in practice."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayTerms:
    """Settings of a person's match. Clocks are in seconds.

    Attributes:
        playclock: The opponents' playclock.
        startclock: The opponents' startclock.
        own_clock: The person's time for each move, or None for no limit.
        adviser: The player whose search gives hints.
        engine: Reasoner to use.
        seed: Seed of all random choices.
        record: File for the record, or None.
        has_thoughts: Whether to show the opponents' thoughts.
        is_pondering: Whether the opponents think during the person's turns.
    """

    playclock: int
    startclock: int
    own_clock: int | None
    adviser: str
    engine: Reasoner
    seed: int | None
    record: Path | None
    has_thoughts: bool
    is_pondering: bool


async def play_match(
    game: NamedGame, own: gdl.Role, players: Mapping[str, str], terms: PlayTerms
) -> None:
    """Play until the game is over or the person leaves, and save the record if requested.

    Raises:
        WrongUseError: Two players have the same address.
        MatchError: The match cannot be played to its end.
        GgpError: A player could not be started.
        KeyboardInterrupt: The person pressed Ctrl-C.
    """
    check_apart(players.items())
    names = {
        role.name: "you" if role is own else players[role.name]
        for role in played_roles(game.machine)
    }
    view = PlayView(game, own, names, has_thoughts=terms.has_thoughts)
    seeds = random.Random(terms.seed)
    view.starting()
    async with AsyncExitStack() as stack:
        stack.callback(view.close)
        if game.has_percepts:
            stack.enter_context(_held_back_warnings())
        book = FollowedRulebook(MachineRulebook(game.machine, has_percepts=game.has_percepts))
        others = await _others(stack, players, terms, seeds, book, view)
        adviser = Adviser(game, terms.adviser, terms.engine, terms.seed, _say_once)
        remote = next((one for one in players.values() if Contestant(one, one).is_remote), "")
        keyboard = lines(view.write)
        person = PersonSeat(view, keyboard, adviser, remote, terms.own_clock)
        seats = [others.get(role.name, person) for role in played_roles(game.machine)]
        clocks = terms.startclock, terms.playclock
        setup = local_match(game, book, clocks, seeds.randrange(SEED_RANGE))
        setup = replace(setup, unhurried=frozenset([own.name]))
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
    view: PlayView,
) -> dict[str, Seat]:
    contestants = {role: Contestant(text, text) for role, text in players.items()}
    pool = EnginePool(_say_once)
    if any(one.needs_process for one in contestants.values()):
        await stack.enter_async_context(pool)
        await pool.start()

    def on_prepared(name: str, positions: int) -> None:
        view.say(preparation(name, positions))

    reports = SeatReports(lambda text: None, _say, _say, on_prepared)
    resources = Resources(pool, terms.engine, book, terms.is_pondering)
    return {
        role: one.seat(resources, seeds.randrange(SEED_RANGE), reports)
        for role, one in contestants.items()
    }


@contextmanager
def _held_back_warnings() -> Iterator[None]:
    """Print warnings only when the context ends, because they may reveal what opponents know."""
    logger = logging.getLogger("ggp")
    held = MemoryHandler(MAX_HELD, logging.CRITICAL + 1, logging.lastResort)
    logger.addHandler(held)
    logger.propagate = False
    try:
        yield
    finally:
        logger.propagate = True
        logger.removeHandler(held)
        held.close()


def _say(text: str) -> None:
    typer.echo(f"ggp play: {text}", err=True)


@cache
def _say_once(text: str) -> None:
    """Print a message only once, because opponents and the adviser may wait for the same thing."""
    _say(text)
