"""Several matches, one after the other: who sits where, and what became of it."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field, replace

import gdl
from ggp.clock import milliseconds_since_1970
from ggp.engine import EnginePool, Reasoner
from ggp.errors import GgpError
from ggp.match.errors import MatchError, MoveLimitError
from ggp.match.events import FALLBACK, OWN_MARKS, Ended, Event, Moved
from ggp.match.referee import MatchSetup, Referee, played_roles
from ggp.match.rulebook import FollowedRulebook, MachineRulebook
from ggp.protocol.dialects import GAMEMASTER, GGP_BASE
from ggp.records.record import MatchRecord
from ggp.rulesheets import NamedGame
from ggp.seating.contestant import Contestant, Reports, Resources
from ggp.tournament.fixture import is_absent

SEED_RANGE = 2**31
FALLBACK_ERRORS = "fallback"


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """Terms of all matches of a series; clocks are seconds."""

    startclock: int
    playclock: int
    matches: int = 1
    is_swapping: bool = False
    """Whether the players move one role on after each match."""
    seed: int | None = None
    engine: Reasoner = "auto"
    move_limit: int | None = None
    dialect: str = GGP_BASE
    """In which players at an address are spoken to."""


@dataclass(frozen=True, slots=True)
class Sitting:
    """One match: who plays which role, and what came of it.

    Lists are in role order, `random` left out.
    """

    index: int
    """From 0."""
    roles: tuple[str, ...]
    contestants: tuple[int, ...]
    """Which of the contestants plays each role, counted from 0."""
    all_roles: tuple[str, ...]
    seconds: list[list[float]] = field(default_factory=list)
    """Time of each answer, a list a turn."""
    replaced: Counter[str] = field(default_factory=Counter)
    """Replacements of the process of each role's player."""
    printed_lines: Counter[str] = field(default_factory=Counter)
    """What each role's player has printed, kept or not, in lines"""
    printed_bytes: Counter[str] = field(default_factory=Counter)
    """and bytes."""
    ended: list[Ended] = field(default_factory=list)

    @property
    def record(self) -> MatchRecord:
        """The match's record; it must have ended."""
        return self.ended[-1].record

    def role_of(self, contestant: int) -> str:
        """The role that a contestant plays."""
        return self.roles[self.contestants.index(contestant)]

    def goal(self, role: str) -> int | None:
        """The goal of a role, or None if the match was broken off."""
        goals = self.record.goals
        return None if goals is None else goals[self.all_roles.index(role)]

    def errors(self, role: str) -> Counter[str]:
        """Count what went wrong with a role's answers.

        Those that were illegal (`IL`), late (`TO`) or missing (`CE`), and the moves that were not
        the player's own choice, `fallback (first legal)`.
        """
        index = self.all_roles.index(role)
        return Counter(_kind(row[index]) for row in self.record.errors if row[index])

    def is_absent(self, role: str) -> bool:
        """Whether a role's player did not play: too many moves of a match to its end were not its.

        In tournaments that is a match lost.
        """
        index = self.all_roles.index(role)
        num_faults = sum(row[index] not in OWN_MARKS for row in self.record.errors)
        return self.record.goals is not None and is_absent(num_faults, len(self.record.moves))

    def kept_output(self, role: str) -> str:
        """The output of a role's player, as far as the record has it."""
        index = self.all_roles.index(role)
        return "".join(row[index] for row in self.record.printed)

    def mean_seconds(self, role: str) -> float:
        """Mean time of a role's answers; 0 if there were none."""
        index = self.all_roles.index(role)
        return sum(turn[index] for turn in self.seconds) / max(1, len(self.seconds))

    def note(self, event: Event) -> None:
        """Keep what the record does not hold."""
        if isinstance(event, Moved):
            self.seconds.append([reply.seconds for reply in event.replies])
            for reply in event.replies:
                self.replaced[reply.role] += reply.replaced
                self.printed_lines[reply.role] += reply.printed_amount.num_lines
                self.printed_bytes[reply.role] += reply.printed_amount.num_bytes
        elif isinstance(event, Ended):
            self.ended.append(event)


def _kind(error: str) -> str:
    """The kind of an error of a record.

    >>> _kind("IL ( mark 1 1 )"), _kind("FB first legal")
    ('IL', 'fallback (first legal)')
    """
    word, _, rest = error.partition(" ")
    return f"{FALLBACK_ERRORS} ({rest})" if word == FALLBACK else word


async def play_series(
    game: NamedGame,
    contestants: list[Contestant],
    terms: Terms,
    observe: Callable[[Sitting, Event], None],
    reports: Reports,
) -> AsyncIterator[Sitting]:
    """Play the matches, and yield each when it has ended, also one that has no result.

    A match that reached the move limit has none, nor has one whose rules gave a role no legal move
    or no goal value. The next match follows.

    Raises:
        MatchError: The rules kept every match from a result; raised after the last one.
        GdlError: Likewise.
        GgpError: A player could not be started.
    """
    seeds = random.Random(terms.seed)
    faults: list[GgpError | gdl.GdlError] = []
    async with EnginePool(reports.wait) as pool:
        if any(one.needs_process for one in contestants):
            await pool.start()  # they play before they have loaded all that makes them fast
            await pool.until_loaded(terms.startclock)  # and that is not to be their startclock
        for index in range(terms.matches):
            sitting = _sit(game, index, terms, len(contestants))
            book = FollowedRulebook(MachineRulebook(game.machine, has_percepts=game.has_percepts))
            resources = Resources(pool, terms.engine, book)
            seats = [
                contestants[one].seat(resources, seeds.randrange(SEED_RANGE), reports)
                for one in sitting.contestants
            ]

            def note(event: Event, sitting: Sitting = sitting) -> None:
                sitting.note(event)
                observe(sitting, event)

            seed = seeds.randrange(SEED_RANGE)
            setup = local_match(game, book, (terms.startclock, terms.playclock), seed, index)
            setup = replace(setup, move_limit=terms.move_limit)
            if terms.dialect == GAMEMASTER and any(one.is_remote for one in contestants):
                setup = replace(setup, epilog=game.epilog)
            fault = await _fault_of(Referee(setup, seats, note))
            faults += [] if fault is None else [fault]
            if fault is not None and terms.matches > 1:
                reports.warn(f"match {index + 1} has no result: {fault}")
            yield sitting
    if len(faults) == terms.matches:
        raise faults[-1]


async def _fault_of(referee: Referee) -> GgpError | gdl.GdlError | None:
    """Play a match, and return why the rules kept it from a result; None if they did not."""
    try:
        await referee.run()
    except MoveLimitError:
        return None
    except (MatchError, gdl.GdlError) as error:
        return error
    return None


def _sit(game: NamedGame, index: int, terms: Terms, num_contestants: int) -> Sitting:
    shift = index if terms.is_swapping else 0
    roles = tuple(role.name for role in played_roles(game.machine))
    order = tuple((place + shift) % num_contestants for place in range(num_contestants))
    return Sitting(index, roles, order, tuple(role.name for role in game.machine.roles))


def local_match(
    game: NamedGame,
    book: FollowedRulebook,
    clocks: tuple[int, int],
    seed: int,
    number: int = 0,
) -> MatchSetup:
    """A match that is played here, with a name that no other has.

    Args:
        clocks: Startclock and playclock.
        seed: Of what the referee draws.
        number: Of the match, where several begin within a millisecond.
    """
    startclock, playclock = clocks
    # As GGP-Base names matches: a tournament, the game, and the moment to make it unique.
    return MatchSetup(
        match_id=f"local.{game.name}.{milliseconds_since_1970() + number}",
        rulebook=book,
        rules=game.rules,
        startclock=startclock,
        playclock=playclock,
        seed=seed,
    )
