"""Several matches in a row: which player takes which role, and the results."""

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
from ggp.seating.contestant import Contestant, Resources, SeatReports
from ggp.tournament.fixture import is_absent

SEED_RANGE = 2**31
FALLBACK_ERRORS = "fallback"


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """The settings of all matches of a series. Clocks are in seconds."""

    startclock: int
    playclock: int
    matches: int = 1
    is_swapping: bool = False
    """Whether the roles rotate among the players after each match."""
    seed: int | None = None
    engine: Reasoner = "auto"
    move_limit: int | None = None
    dialect: str = GGP_BASE
    """Dialect in which players at an address are addressed."""


@dataclass(frozen=True, slots=True)
class SeriesMatch:
    """One match of a series: the player of each role, and the result.

    Lists are in role order, without `random`.
    """

    index: int
    """Index of the match, counted from 0."""
    roles: tuple[str, ...]
    contestants: tuple[int, ...]
    """Index of the contestant in each role, counted from 0."""
    all_roles: tuple[str, ...]
    seconds: list[list[float]] = field(default_factory=list)
    """Seconds that each answer took, one list per turn."""
    replaced: Counter[str] = field(default_factory=Counter)
    """How often the process of each role's player was replaced."""
    printed_lines: Counter[str] = field(default_factory=Counter)
    """Number of lines that each role's player printed, whether they were kept or not."""
    printed_bytes: Counter[str] = field(default_factory=Counter)
    """Number of bytes that each role's player printed, whether they were kept or not."""
    ended: list[Ended] = field(default_factory=list)

    @property
    def record(self) -> MatchRecord:
        """The record of the match. The match must have ended."""
        return self.ended[-1].record

    def role_of(self, contestant: int) -> str:
        """Return the role of a contestant."""
        return self.roles[self.contestants.index(contestant)]

    def goal(self, role: str) -> int | None:
        """Return the goal of a role, or None if the match was aborted."""
        goals = self.record.goals
        return None if goals is None else goals[self.all_roles.index(role)]

    def errors(self, role: str) -> Counter[str]:
        """Return the number of errors in a role's answers, by kind.

        Errors are illegal (`IL`), late (`TO`) and missing (`CE`) answers, and moves that were not
        the player's own choice, such as `fallback (first legal)`.
        """
        index = self.all_roles.index(role)
        return Counter(_kind(row[index]) for row in self.record.errors if row[index])

    def is_absent(self, role: str) -> bool:
        """Return whether a role's player counts as absent in a completed match.

        It does if too many of the role's moves were not its own. In tournaments an absent player
        loses the match.
        """
        index = self.all_roles.index(role)
        num_faults = sum(row[index] not in OWN_MARKS for row in self.record.errors)
        return self.record.goals is not None and is_absent(num_faults, len(self.record.moves))

    def kept_output(self, role: str) -> str:
        """Return what a role's player printed, as far as the record contains it."""
        index = self.all_roles.index(role)
        return "".join(row[index] for row in self.record.printed)

    def mean_seconds(self, role: str) -> float:
        """Return the mean time of a role's answers, or 0 if there were none."""
        index = self.all_roles.index(role)
        return sum(turn[index] for turn in self.seconds) / max(1, len(self.seconds))

    def note(self, event: Event) -> None:
        """Store the parts of an event that the record does not contain."""
        if isinstance(event, Moved):
            self.seconds.append([reply.seconds for reply in event.replies])
            for reply in event.replies:
                self.replaced[reply.role] += reply.replaced
                self.printed_lines[reply.role] += reply.printed_amount.num_lines
                self.printed_bytes[reply.role] += reply.printed_amount.num_bytes
        elif isinstance(event, Ended):
            self.ended.append(event)


def _kind(error: str) -> str:
    """Return the kind of an error, given its text in a record.

    >>> _kind("IL ( mark 1 1 )"), _kind("FB first legal")
    ('IL', 'fallback (first legal)')
    """
    word, _, rest = error.partition(" ")
    return f"{FALLBACK_ERRORS} ({rest})" if word == FALLBACK else word


async def play_series(
    game: NamedGame,
    contestants: list[Contestant],
    terms: Terms,
    observe: Callable[[SeriesMatch, Event], None],
    reports: SeatReports,
) -> AsyncIterator[SeriesMatch]:
    """Play the matches. Yield each match when it has ended, even if it has no result.

    A match has no result if it reached the move limit, or if a role had no legal move or no goal.
    The series then continues with the next match.

    Raises:
        MatchError: Because of the rules, no match had a result. Raised after the last one.
        GdlError: Likewise.
        GgpError: A player could not be started.
    """
    seeds = random.Random(terms.seed)
    faults: list[GgpError | gdl.GdlError] = []
    async with EnginePool(reports.wait) as pool:
        if any(one.needs_process for one in contestants):
            await pool.start()  # processes can play before they have loaded everything
            await pool.until_loaded(terms.startclock)  # loading must not use up the startclock
        for index in range(terms.matches):
            sitting = _sit(game, index, terms, len(contestants))
            book = FollowedRulebook(MachineRulebook(game.machine, has_percepts=game.has_percepts))
            resources = Resources(pool, terms.engine, book)
            seats = [
                contestants[one].seat(resources, seeds.randrange(SEED_RANGE), reports)
                for one in sitting.contestants
            ]

            def note(event: Event, sitting: SeriesMatch = sitting) -> None:
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
    """Play a match. Return why the rules prevented a result, or None if there is one."""
    try:
        await referee.run()
    except MoveLimitError:
        return None
    except (MatchError, gdl.GdlError) as error:
        return error
    return None


def _sit(game: NamedGame, index: int, terms: Terms, num_contestants: int) -> SeriesMatch:
    shift = index if terms.is_swapping else 0
    roles = tuple(role.name for role in played_roles(game.machine))
    order = tuple((place + shift) % num_contestants for place in range(num_contestants))
    return SeriesMatch(index, roles, order, tuple(role.name for role in game.machine.roles))


def local_match(
    game: NamedGame,
    book: FollowedRulebook,
    clocks: tuple[int, int],
    seed: int,
    number: int = 0,
) -> MatchSetup:
    """Return the setup of a match played here, with a unique name.

    Args:
        clocks: Startclock and playclock.
        seed: Seed for the referee's random choices.
        number: Number of the match. It keeps the name unique if several matches begin in the same
            millisecond.
    """
    startclock, playclock = clocks
    # As in GGP-Base, the name contains a tournament, the game, and the time to make it unique.
    return MatchSetup(
        match_id=f"local.{game.name}.{milliseconds_since_1970() + number}",
        rulebook=book,
        rules=game.rules,
        startclock=startclock,
        playclock=playclock,
        seed=seed,
    )
