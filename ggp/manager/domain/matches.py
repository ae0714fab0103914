"""Plans of matches: checking them and converting them to database rows."""

from __future__ import annotations

import random
import secrets
from collections.abc import Awaitable, Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Final

from ggp.clock import milliseconds_since_1970
from ggp.manager.domain.games import Catalogue
from ggp.manager.domain.people import ANYBODY, PersonClock, Sitter, new_key
from ggp.manager.domain.players import PlayerRegistry, check_addresses
from ggp.manager.domain.rights import HIDES_ALL
from ggp.manager.errors import ConflictError, NotThereError, WrongRequestError
from ggp.manager.store import matches, rulesheets, tournaments
from ggp.manager.store.database import Database, Session
from ggp.manager.store.tables import OVER, Ending, MatchRow, SeatRow, Unrated
from ggp.match.referee import is_played
from ggp.plurals import counted
from ggp.protocol.dialects import GAMEMASTER
from ggp.records.record import random_token

SEED_BITS: Final = 53
"""Bits of the seed in a match with hidden information: as many as every JSON reader supports."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchPlan:
    """A requested match. Clocks are in seconds."""

    game: str
    players: tuple[str, ...]
    """Names or specs of the players in role order, without `random`. `PERSON` is a person."""
    sitters: tuple[Sitter, ...] = ()
    """The known people, in role order. Anybody with its key can take a further person's seat."""
    clock: PersonClock | None = None
    """The clock of the people. None if they have none."""
    names: tuple[str, ...] = ()
    """The players' names in this match, if they differ from those in `players`."""
    startclock: int = 10
    playclock: int = 5
    dialect: str = ""
    """The dialect for all players at addresses. Empty if each uses its own."""
    dialects: tuple[str, ...] = ()
    """The dialect of each player, if they differ from `dialect`."""
    is_scrambled: bool = False
    seed: int | None = None
    move_limit: int | None = None
    is_rated: bool = True
    why_unrated: Unrated = Unrated.WANTED
    """The reason that is shown if not `is_rated`."""
    spectators: str = HIDES_ALL
    """What spectators see before the end if the game hides information: `HIDES_ALL` or `ALL`."""
    owner: int | None = None
    """The account that sets up the match."""
    student: int | None = None
    """The account that sets up the match, if it is a student's. Then the limits are stricter."""
    tournament: int | None = None
    fixture: int | None = None
    """The number of the tournament's fixture for which the match is played."""
    also: Callable[[Session, int], Awaitable[None]] | None = None
    """Called with the number of the match, in the transaction that stores the match."""


@dataclass(frozen=True, slots=True)
class BranchPlan:
    """A requested match that begins in another match's position, the one after `turn`."""

    turn: int
    players: tuple[str, ...]
    playclock: int
    owner: int | None = None
    student: int | None = None
    sitters: tuple[Sitter, ...] = ()


class MatchMaker:
    """The maker of matches: it checks plans and stores the matches."""

    def __init__(
        self, database: Database, catalogue: Catalogue, players: PlayerRegistry, max_waiting: int
    ) -> None:
        self._database = database
        self._catalogue = catalogue
        self._players = players
        self._max_waiting = max_waiting
        self._num_prepared = 0
        """Number of matches that have reserved a place and are not stored yet."""

    async def write_down(self, plan: MatchPlan) -> int:
        """Store a match and return its number. The caller starts the match."""
        with ExitStack() as place:
            if plan.tournament is None:
                await self._take_place(plan.student, place)
            rules = await self._catalogue.rules_of(plan.game)
            roles = await self._catalogue.roles_of(plan.game)
            row = await self._row(plan, roles, hides=await self._catalogue.hides(rules))
            async with self._database.writing() as session:
                place.close()  # from now on, the database counts the match
                if plan.tournament is None:
                    await self._check_room(session, plan.student)
                row.rulesheet_id = await rulesheets.keep(
                    session, plan.game, rules.text, row.created, is_bundled=rules.is_bundled
                )
                number = await matches.create(session, row)
                if plan.tournament is not None and plan.fixture is not None:
                    await tournaments.link(session, plan.tournament, plan.fixture, number)
                if plan.also is not None:
                    await plan.also(session, number)
        return number

    async def _take_place(self, student: int | None, place: ExitStack) -> None:
        """Reserve a place for a match that is being set up. Closing `place` ends the reservation.

        Reserved places count towards the limit, so simultaneous requests cannot exceed it.
        """
        async with self._database.reading() as session:
            await self._check_room(session, student)
            self._num_prepared += 1  # before the session ends, so that the next check counts it
            place.callback(self._give_place_back)

    def _give_place_back(self) -> None:
        self._num_prepared -= 1

    async def branch_off(self, number: int, plan: BranchPlan) -> int:
        """Store a match that begins in a position of match `number`, and return its number."""
        check_clocks(plan.student, playclock=plan.playclock)
        async with self._database.reading() as session:
            await self._check_room(session, plan.student)
            origin = await matches.find(session, number)
        _check_branch(origin, plan.turn)
        asked = MatchPlan(
            game=origin.game,
            players=plan.players,
            playclock=plan.playclock,
            owner=plan.owner,
            sitters=plan.sitters,
        )
        row = await self._row(asked, origin.roles, hides=False)
        row.rulesheet_id, row.origin, row.origin_turn = origin.rulesheet_id, number, plan.turn
        async with self._database.writing() as session:
            await self._check_room(session, plan.student)
            new = await matches.create(session, row)
            await matches.copy_turns(session, number, new, plan.turn)
        return new

    async def _row(self, plan: MatchPlan, roles: Sequence[str], *, hides: bool) -> MatchRow:
        seats = await self._seats(plan, roles)
        _seat_people(seats, plan, hides=hides)
        now = milliseconds_since_1970()
        return MatchRow(
            match_id=f"ggp.{plan.game}.{now}.{secrets.token_hex(3)}",
            game=plan.game,
            roles=list(roles),
            seats=seats,
            startclock=plan.startclock,
            playclock=plan.playclock,
            dialect=plan.dialect,
            is_scrambled=plan.is_scrambled,
            seed=_seed(plan, hides=hides),
            move_limit=plan.move_limit,
            clock=None if plan.clock is None else plan.clock.to_json(),
            hides=hides,
            spectators=plan.spectators,
            unrated=_unrated(plan),
            tournament_id=plan.tournament,
            owner_id=plan.owner,
            random_token=random_token(),
            created=now,
        )

    async def _seats(self, plan: MatchPlan, roles: Sequence[str]) -> list[SeatRow]:
        played = played_by(plan.game, roles, plan.players)
        names, dialects = plan.names or plan.players, plan.dialects or ("",) * len(played)
        seats = []
        for role, player, name, dialect in zip(played, plan.players, names, dialects, strict=True):
            seat = await self._players.seat(player, name, dialect or plan.dialect)
            seat.role, seat.role_index = role, roles.index(role)
            seats.append(seat)
        check_addresses((seat.player_name, seat.source) for seat in seats)
        if plan.is_scrambled:
            _check_scrambling(seats)
        return seats

    async def _check_room(self, session: Session, student: int | None) -> None:
        """Check that one more match is allowed.

        Call this early, and again in the session that stores the match.
        """
        if student is not None:
            own = await matches.num_open(session, student)
            if own >= matches.MAX_OF_STUDENT:
                raise ConflictError(f"{own} of your matches are not over; finish one of them first")
        waiting = await matches.num_open(session) + self._num_prepared
        if waiting >= self._max_waiting:
            raise ConflictError(
                f"{waiting} matches are already waiting or running; try again later"
            )


def played_by(game: str, roles: Sequence[str], players: Sequence[str]) -> list[str]:
    """Return all roles except `random`. Check that `players` has one player for each of them."""
    played = [role for role in roles if is_played(role)]
    if len(players) != len(played):
        raise WrongRequestError(
            f"players: {game} takes {counted(len(played), 'player')} "
            f"({', '.join(played)}), got {len(players)}"
        )
    return played


def check_clocks(student: int | None, **clocks: int) -> None:
    """Check that the clocks of a student's match do not exceed the limit."""
    for field, seconds in clocks.items():
        if student is not None and seconds > matches.MAX_SECONDS_OF_STUDENT:
            raise WrongRequestError(
                f"{field}: expected at most {matches.MAX_SECONDS_OF_STUDENT} s in a match that a "
                f"student sets up, got {seconds}",
                matches.MAX_SECONDS_OF_STUDENT,
            )


def check_seed(game: str, seed: int | None, *, hides: bool) -> None:
    """Check that no seed is given for a game that hides information, which a seed would reveal."""
    if hides and seed is not None:
        raise WrongRequestError(
            f"seed: expected none, because {game} hides information from roles; the "
            "manager draws the seed and shows it when the match is over"
        )


def _unrated(plan: MatchPlan) -> str:
    if not plan.is_rated:
        return plan.why_unrated
    return Unrated.SEEDED if plan.student is not None and plan.seed is not None else ""


def _seed(plan: MatchPlan, *, hides: bool) -> int:
    if plan.tournament is None:
        check_seed(plan.game, plan.seed, hides=hides)
    if hides:  # too many bits to guess, and knowing old seeds does not reveal new ones
        return secrets.randbits(SEED_BITS)
    return random.randrange(1 << 31) if plan.seed is None else plan.seed


def _seat_people(seats: Sequence[SeatRow], plan: MatchPlan, *, hides: bool) -> None:
    keys = [sitter.key for sitter in plan.sitters if sitter.key]
    if hides and len(set(keys)) < len(keys):
        raise WrongRequestError(
            f"hold: {plan.game} hides information from roles, so each person can take only one seat"
        )
    people = [seat for seat in seats if not seat.source]
    sitters = [*plan.sitters, *[ANYBODY] * len(people)]
    for seat, sitter in zip(people, sitters, strict=False):
        seat.player_name, seat.account_id = sitter.name, sitter.account
        seat.key = sitter.key or new_key()


def _check_branch(origin: MatchRow, turn: int) -> None:
    number = origin.id
    if origin.status not in OVER:
        raise ConflictError(f"match {number} is {origin.status}; wait until it is over")
    if origin.hides:  # people cannot forget what they have seen in the other match
        raise ConflictError(
            f"no match can begin in a position of match {number}, because "
            f"{origin.game} hides information from roles"
        )
    last = origin.num_turns - (origin.ending == Ending.RULES)
    if not origin.has_begun or turn > last:
        raise NotThereError(
            f"match {number} cannot continue from turn {turn}; expected a turn from 0 to {last}"
            if origin.has_begun
            else f"match {number} cannot continue: {origin.known_turns}"
        )


def _check_scrambling(seats: list[SeatRow]) -> None:
    for seat in seats:
        if seat.network_dialect == GAMEMASTER:
            raise WrongRequestError(
                f"scrambled: expected false, because {seat.player_name} receives the "
                "rules in Epilog, which is never scrambled; or choose another dialect"
            )
