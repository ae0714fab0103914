"""The tables of the manager's database.

Times are milliseconds since 1970, clocks are seconds, terms are single-spaced KIF. A match has one
row a turn, written once the turn is over; turn 0 is the START phase, with the initial state.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any, Final

from sqlalchemy import (
    JSON,
    BigInteger,
    ForeignKey,
    Index,
    MetaData,
    String,
    UniqueConstraint,
    func,
    select,
)
from sqlalchemy.orm import DeclarativeBase, Mapped, column_property, mapped_column, relationship

from ggp.protocol.addresses import is_address
from ggp.tournament.fixture import Faults, counted_as

NAMING = {
    "ix": "ix_%(column_0_label)s",
    "uq": "uq_%(table_name)s_%(column_0_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s",
    "pk": "pk_%(table_name)s",
}
"""Constraints have names that migrations can refer to, on every kind of database."""

Names = list[str]
Rows = list[dict[str, Any]]
Big = Annotated[int, mapped_column(BigInteger)]
"""Milliseconds since 1970, and seeds, do not fit into 32 bits."""


class DatabaseTable(DeclarativeBase):
    """The base of all tables."""

    metadata = MetaData(naming_convention=NAMING)
    type_annotation_map = {Names: JSON, Rows: JSON, dict[str, Any]: JSON}  # noqa: RUF012


class Status(StrEnum):
    """The status of a match or a tournament."""

    WAITING = "waiting"
    """Set up; its turn has not come."""
    RUNNING = "running"
    COMPLETED = "completed"
    ABORTED = "aborted"
    """Broken off, by somebody or by a fault."""
    INTERRUPTED = "interrupted"
    """The manager stopped in the middle of it."""


class Ending(StrEnum):
    """The way in which a completed match came to its end."""

    RULES = "rules"
    RESIGNED = "resigned"
    TIME = "time"
    """Somebody's clock ran out."""
    AGREED = "agreed"
    """A draw."""


class Unrated(StrEnum):
    """A reason why a match counts for no rating."""

    WANTED = "it was set up so"
    SEEDED = "who set it up chose the seed"
    """A student, who could repeat a match that is known to be won."""
    TAKEN_OUT = "a lecturer has taken it out"
    HINT = "a hint was asked for"
    TAKEN_BACK = "moves were taken back"
    """By nobody's consent: programs are not asked."""


_UPLOAD: Final = "submission-"
"""Before the hash and the class in the source of a player that is an uploaded file."""


def is_upload(source: str) -> bool:
    """Whether a source means a player that was uploaded."""
    return source.startswith(_UPLOAD)


def digest_of(source: str) -> str:
    """The hash by which the file of an uploaded player is called."""
    return source.removeprefix(_UPLOAD).partition(":")[0]


class Presence(StrEnum):
    """Whether a player takes part in a continuous tournament now."""

    IN = "in"
    AWAY = "away"
    """It did not answer, and comes back when it does."""
    LEFT = "left"
    """Somebody has taken it out."""


OVER = frozenset({Status.COMPLETED, Status.ABORTED})
"""Nothing more will happen."""
OPEN = frozenset({Status.WAITING, Status.RUNNING})
"""Set up, and not over."""


class RulesheetRow(DatabaseTable):
    """The rules of a game, kept once for all matches that use them."""

    __tablename__ = "rulesheets"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(100), index=True)
    digest: Mapped[str] = mapped_column(String(64), unique=True)
    """SHA-256 of the name and the text, in hexadecimal."""
    text: Mapped[str]
    is_bundled: Mapped[bool] = mapped_column(default=False)
    created: Mapped[Big]
    edition: Mapped[int]
    """Of those of a name the one with the highest number is in force, whatever the clocks said."""


class PlayerRow(DatabaseTable):
    """A player: the address of a running one, or the spec of one that is started here."""

    __tablename__ = "players"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(60), unique=True)
    source: Mapped[str] = mapped_column(String(500))
    """`http://HOST:PORT`, or a spec such as `mcts:c=0.7`."""
    dialect: Mapped[str] = mapped_column(String(10))
    """In which it is spoken to: a name of `ggp.protocol.dialects`."""
    created: Mapped[Big]
    is_retired: Mapped[bool] = mapped_column(default=False)
    owner_id: Mapped[int | None] = mapped_column(index=True)
    """The account of the student who registered it; None for one that is everybody's."""

    @property
    def network_dialect(self) -> str:
        """The dialect of a player that runs elsewhere; else empty."""
        return self.dialect if is_address(self.source) else ""


class TurnRow(DatabaseTable):
    """A turn that is over: what was played in it, and the state that it led to."""

    __tablename__ = "turns"

    match_id: Mapped[int] = mapped_column(
        ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True
    )
    number: Mapped[int] = mapped_column(primary_key=True)
    """0 is the START phase."""
    moves: Mapped[Names]
    """The joint move in role order; empty for turn 0."""
    facts: Mapped[Names]
    """The state after it, without `true`."""
    errors: Mapped[Names]
    """A text a role: empty, `IL ...`, `TO` or `CE`."""
    replies: Mapped[Rows]
    """Details of each answer: seconds, thoughts, what it fell back on."""
    percepts: Mapped[list[Names]] = mapped_column(JSON, default=list)
    """What each role saw of it; empty where nothing is hidden."""
    time: Mapped[Big]


class SeatRow(DatabaseTable):
    """The player of a role in a match; the `random` role has no seat."""

    __tablename__ = "seats"
    __table_args__ = (UniqueConstraint("match_id", "role_index"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    match_id: Mapped[int] = mapped_column(ForeignKey("matches.id", ondelete="CASCADE"), index=True)
    role_index: Mapped[int]
    role: Mapped[str] = mapped_column(String(100))
    player_id: Mapped[int | None] = mapped_column(ForeignKey("players.id"), index=True)
    """None for a person, and for players of imported matches."""
    player_name: Mapped[str] = mapped_column(String(60))
    source: Mapped[str] = mapped_column(String(500), default="")
    """As the player had it when the match began."""
    dialect: Mapped[str] = mapped_column(String(10), default="")
    """In which it is spoken to in this match."""
    goal: Mapped[int | None]
    timeouts: Mapped[int] = mapped_column(default=0)
    illegal: Mapped[int] = mapped_column(default=0)
    connection: Mapped[int] = mapped_column(default=0)
    is_absent: Mapped[bool] = mapped_column(default=False)
    """Whether so many answers were replaced that the player did not play; settled at the end."""
    attempts: Mapped[str] = mapped_column(default="")
    """What an uploaded player tried and was denied, a line each."""
    key: Mapped[str] = mapped_column(String(32), default="")
    """The secret by which the person who sits there is known; empty where none does."""
    account_id: Mapped[int | None] = mapped_column(index=True)
    """The account of that person, which moves the seat without the key; None if there is none."""
    clock_left: Mapped[Big | None]
    """Milliseconds on the person's clock; None before the first move, and without a clock."""
    player_owner: Mapped[int | None] = column_property(
        select(PlayerRow.owner_id)
        .where(PlayerRow.id == player_id)
        .correlate_except(PlayerRow)
        .scalar_subquery()
    )
    """The account of the student who registered the player; None if it is everybody's."""

    @property
    def is_uploaded(self) -> bool:
        """Whether a file plays there that somebody has uploaded."""
        return is_upload(self.source)

    @property
    def network_dialect(self) -> str:
        """The dialect of a player that runs elsewhere; else empty."""
        return self.dialect if is_address(self.source) else ""

    @property
    def faults(self) -> Faults:
        """Its answers that were replaced."""
        return Faults(self.timeouts, self.illegal, self.connection)

    @property
    def forbidden(self) -> list[str]:
        """Its attempts at what it may not do, in words."""
        return [text for text in self.attempts.split("\n") if text]

    @property
    def is_person(self) -> bool:
        """Whether a person plays by hand there, who is known by a key."""
        return bool(self.key)


class MatchRow(DatabaseTable):
    """One match; what happened in it stands in its turns."""

    __tablename__ = "matches"
    __table_args__ = (Index("ix_matches_annulled", "tournament_id", "annulled"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    match_id: Mapped[str] = mapped_column(String(200), unique=True)
    rulesheet_id: Mapped[int] = mapped_column(ForeignKey("rulesheets.id"))
    game: Mapped[str] = mapped_column(String(100), index=True)
    roles: Mapped[Names]
    startclock: Mapped[int]
    playclock: Mapped[int]
    dialect: Mapped[str] = mapped_column(String(10), default="")
    """As it was asked for; empty: to each player in its own."""
    is_scrambled: Mapped[bool] = mapped_column(default=False)
    hides: Mapped[bool] = mapped_column(default=False)
    """Whether roles see only what the rules let them see (GDL-II)."""
    spectators: Mapped[str] = mapped_column(String(10), default="nothing")
    """What those who play no role see of such a match before it is over: `nothing` or `all`."""
    seed: Mapped[Big | None]
    move_limit: Mapped[int | None]
    status: Mapped[str] = mapped_column(String(12), index=True)
    reason: Mapped[str] = mapped_column(default="")
    goals: Mapped[list[int] | None] = mapped_column(JSON)
    random_token: Mapped[str] = mapped_column(String(32))
    created: Mapped[Big] = mapped_column(index=True)
    ended: Mapped[Big | None]
    tournament_id: Mapped[int | None] = mapped_column(ForeignKey("tournaments.id"), index=True)
    annulled: Mapped[int | None]
    """Of a match that does not count any more: the fixture of the tournament for which it was."""
    unrated: Mapped[str] = mapped_column(String(40), default="")
    """Why it counts for no rating, as `Unrated` has it; empty where nothing speaks against it."""
    origin: Mapped[int | None]
    """Of a match that goes on from a position of another: the number of that one."""
    origin_turn: Mapped[int | None]
    """The last turn that was taken over from there."""
    owner_id: Mapped[int | None] = mapped_column(index=True)
    """The account that set it up; None where there was none, and in tournaments."""
    clock: Mapped[dict[str, Any] | None] = mapped_column(JSON)
    """Of its people, as `PersonClock` has it; None for none."""
    ending: Mapped[str] = mapped_column(String(10), default="")
    """One of `Ending`, of a match that was completed; else empty."""
    rematch: Mapped[int | None]
    """The number of the match that its people agreed to play after it."""
    is_revealed: Mapped[bool] = mapped_column(default=False)
    """Whether its people agreed to show everything of it, though it was broken off."""
    extra: Mapped[dict[str, Any]] = mapped_column(default=dict)
    """Fields of an imported record to which we give no meaning."""
    seats: Mapped[list[SeatRow]] = relationship(order_by=SeatRow.role_index, lazy="raise")
    rulesheet: Mapped[RulesheetRow] = relationship(lazy="raise")
    last_turn: Mapped[int | None] = column_property(
        select(func.max(TurnRow.number))
        .where(TurnRow.match_id == id)
        .correlate_except(TurnRow)
        .scalar_subquery(),
        deferred=True,
        raiseload=True,
    )
    """None until START has been answered; like seats and rulesheet there where asked for."""

    @property
    def num_turns(self) -> int:
        """Joint moves made."""
        return self.last_turn or 0

    @property
    def has_begun(self) -> bool:
        """Whether START has been answered."""
        return self.last_turn is not None

    @property
    def is_annulled(self) -> bool:
        """Whether it counts no more, for its tournament or for ratings."""
        return self.annulled is not None

    @property
    def counted_as(self) -> str:
        """A text on how it counts where somebody did not play it; else empty."""
        if self.is_annulled:
            return ""
        goals = [seat.goal or 0 for seat in self.seats]
        return counted_as(goals, [seat.is_absent for seat in self.seats])

    @property
    def people(self) -> list[SeatRow]:
        """The seats where people play by hand."""
        return [seat for seat in self.seats if seat.is_person]

    @property
    def is_pruned(self) -> bool:
        """Whether its turns were removed: it was played, and nothing says how."""
        return self.status == Status.COMPLETED and not self.has_begun

    @property
    def known_turns(self) -> str:
        """Which turns it has, for messages."""
        if self.has_begun:
            return f"it has turns 0 to {self.num_turns}"
        return "its turns are not kept any more" if self.is_pruned else "it has not begun"


class MoveRow(DatabaseTable):
    """The last move of a person, from when it is made; of interest until its turn is over.

    A row of turn 0 has no move: it says that there was one, which was taken back.
    """

    __tablename__ = "moves"

    match_id: Mapped[int] = mapped_column(
        ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True
    )
    role_index: Mapped[int] = mapped_column(primary_key=True)
    turn: Mapped[int]
    move: Mapped[str]


class ChallengeRow(DatabaseTable):
    """A match that begins as soon as somebody sits in each of its seats."""

    __tablename__ = "challenges"

    id: Mapped[int] = mapped_column(primary_key=True)
    game: Mapped[str] = mapped_column(String(100))
    plan: Mapped[dict[str, Any]]
    """The fields of the match that do not depend on who comes: clocks, seed, who may look on."""
    sides: Mapped[str] = mapped_column(String(10))
    """`given`, or `random`: people are seated at random in the end."""
    places: Mapped[Rows]
    """Of each role but `random`, in role order: who is to sit there, and who does."""
    key: Mapped[str] = mapped_column(String(32))
    """The secret of who has made it."""
    owner_id: Mapped[int | None] = mapped_column(index=True)
    """The account of who has made it."""
    owner_name: Mapped[str] = mapped_column(String(60))
    address: Mapped[str] = mapped_column(String(64), index=True)
    """From where it came."""
    status: Mapped[str] = mapped_column(String(10), index=True)
    created: Mapped[Big]
    expires: Mapped[Big]
    match_id: Mapped[int | None]


class ReportRow(DatabaseTable):
    """The report on a match that somebody asked for."""

    __tablename__ = "reports"

    match_id: Mapped[int] = mapped_column(
        ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True
    )
    status: Mapped[str] = mapped_column(String(12), index=True)
    """One of `Status`: waiting, completed or aborted."""
    asked: Mapped[Big]
    reason: Mapped[str] = mapped_column(default="")
    content: Mapped[dict[str, Any]] = mapped_column(default=dict)
    """As `MatchReport.to_json` tells it, once it is made."""


class TournamentRow(DatabaseTable):
    """A tournament as it was set up."""

    __tablename__ = "tournaments"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(100), unique=True)
    plan: Mapped[dict[str, Any]]
    """The content of its file: form, games, players, clocks, seed."""
    status: Mapped[str] = mapped_column(String(12), index=True)
    reason: Mapped[str] = mapped_column(default="")
    created: Mapped[Big]
    ended: Mapped[Big | None]
    closes: Mapped[Big | None]


class FixtureRow(DatabaseTable):
    """A match that a tournament wants played, and the match that came of it."""

    __tablename__ = "fixtures"
    __table_args__ = (
        Index("ix_fixtures_order", "tournament_id", "number", unique=True),
        Index("ix_fixtures_open", "tournament_id", "is_counted"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    tournament_id: Mapped[int] = mapped_column(ForeignKey("tournaments.id", ondelete="CASCADE"))
    number: Mapped[int]
    """From 0, in the order in which they are played."""
    round: Mapped[int]
    game: Mapped[str] = mapped_column(String(100))
    players: Mapped[Names]
    """By name, a role each, in role order."""
    seed: Mapped[Big]
    match_id: Mapped[int | None] = mapped_column(ForeignKey("matches.id"))
    points: Mapped[list[float] | None] = mapped_column(JSON)
    """Of each player, when it has been played."""
    is_counted: Mapped[bool] = mapped_column(default=False)
    """Whether entrants and encounters of a continuous tournament have what came of it."""
    match: Mapped[MatchRow | None] = relationship(lazy="raise")


class EntrantRow(DatabaseTable):
    """One who takes part in a continuous tournament, or did, and what its matches add up to."""

    __tablename__ = "entrants"

    tournament_id: Mapped[int] = mapped_column(
        ForeignKey("tournaments.id", ondelete="CASCADE"), primary_key=True
    )
    name: Mapped[str] = mapped_column(String(100), primary_key=True)
    place: Mapped[int]
    """From 0, in the order in which they came."""
    player: Mapped[str] = mapped_column(String(500))
    """A registered name, a spec or an address."""
    dialect: Mapped[str] = mapped_column(String(10))
    state: Mapped[str] = mapped_column(String(10))
    reason: Mapped[str]
    since: Mapped[Big]
    retry: Mapped[Big | None]
    """When it is asked again whether it answers."""
    rest: Mapped[int]
    """Seconds that it was left alone last; 0 since it answered in a match."""
    last_over: Mapped[Big]
    """When its last match was over; 0 if there was none."""
    last_met: Mapped[Names]
    seatings: Mapped[dict[str, Any]]
    """How often it sat where, as `ggp.tournament.pairing.seat_key` names it."""
    matches: Mapped[int] = mapped_column(default=0)
    goals: Mapped[int] = mapped_column(default=0)
    timeouts: Mapped[int] = mapped_column(default=0)
    illegal: Mapped[int] = mapped_column(default=0)
    connection: Mapped[int] = mapped_column(default=0)
    absent: Mapped[int] = mapped_column(default=0)
    """Of its matches those that it did not play."""


class EncounterRow(DatabaseTable):
    """The meetings of two players in a continuous tournament, added up."""

    __tablename__ = "encounters"

    tournament_id: Mapped[int] = mapped_column(
        ForeignKey("tournaments.id", ondelete="CASCADE"), primary_key=True
    )
    first: Mapped[str] = mapped_column(String(100), primary_key=True)
    """The one of them whose name comes first."""
    second: Mapped[str] = mapped_column(String(100), primary_key=True)
    wins: Mapped[int] = mapped_column(default=0)
    draws: Mapped[int] = mapped_column(default=0)
    losses: Mapped[int] = mapped_column(default=0)


PROVISIONAL: Final = 430.0
"""Elo between the ends of the interval from which on a rating says little yet."""


class RatingRow(DatabaseTable):
    """The strength of a program, or of a person with an account, from all matches so far."""

    __tablename__ = "ratings"

    player_name: Mapped[str] = mapped_column(String(60), primary_key=True)
    """As in the seats; programs that are not registered are rated too."""
    account_id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    """Of a person; 0 for a program."""
    elo: Mapped[float]
    low: Mapped[float]
    high: Mapped[float]
    meetings: Mapped[int]
    computed: Mapped[Big]

    @property
    def kind(self) -> str:
        """`person` or `program`."""
        return "person" if self.account_id else "program"

    @property
    def is_provisional(self) -> bool:
        """Whether too little is known yet."""
        return self.high - self.low > PROVISIONAL
